//! Resolves the argument CLASS of the commands: a file, an expression or a family.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::expression::{Expression, is_operation, parse};
use super::item::Item;
use super::nearest::expected_point;
use super::read::{Format, Header, Loaded, read_class, read_class_as};
use super::{Class, derive, families};
use littlestone_base::error::{Error, Result, Source, nearest, show};
use littlestone_base::limits::Limits;
use littlestone_base::text::quote;

/// Loads the class that `spec` stands for.
///
/// It is, in this order: the standard input for `-`; the file of this name, if it exists; a
/// derived class; a family `name:args`.
///
/// | expression | class |
/// | --- | --- |
/// | `dual(C)` | points become hypotheses, see [`derive::dual`] |
/// | `complement(C)`, `complement(C; x, y)` | all labels, or those of some points, exchanged |
/// | `product(C, D)` | both side by side on disjoint points, see [`derive::product`] |
/// | `union(C, D)` | the hypotheses of both, over equal points |
/// | `restrict(C; x:0, y:1)` | the hypotheses consistent with the examples |
/// | `project(C; x, y)` | all hypotheses, on the named points only |
///
/// `C` and `D` are again files, expressions or families. A file or point whose name has
/// brackets, commas, colons or semicolons can be put in quotation marks.
///
/// # Errors
/// When `spec` is none of these, names an unknown family or point, restricts to no hypothesis, or
/// when a file is missing or malformed.
pub fn load(spec: &str) -> Result<Loaded> {
    load_relative(spec, Path::new(""))
}

/// As [`load`], with the paths of files relative to the directory `base`.
///
/// # Errors
/// As [`load`].
pub fn load_relative(spec: &str, base: &Path) -> Result<Loaded> {
    load_as(spec, base, None, &Limits::default())
}

/// As [`load_relative`], where `header` says whether files of comma-separated values have one, and
/// within limits: of what is generated and derived; a file is short work, as its size is limited.
///
/// # Errors
/// As [`load`], when there is a `header` but no such file, and when a limit is hit.
pub fn load_as(spec: &str, base: &Path, header: Option<Header>, limits: &Limits) -> Result<Loaded> {
    let mut reading = Reading { base, header, limits, separated: false };
    let loaded = if spec == "-" || is_file(spec, base) || !is_operation(spec) {
        reading.leaf(spec)?
    } else {
        let name = show(spec);
        let source = Source { name: &name, text: spec };
        let expression = parse(&source)?;
        let mut evaluation =
            Evaluation { source: &source, reading: &mut reading, notes: Vec::new() };
        let class = evaluation.class(&expression)?;
        Loaded { class, notes: evaluation.notes }
    };
    if header.is_some() && !reading.separated {
        return Err(Error::argument_with_help(
            format!("the class {} has no file that may have a header", show(spec)),
            "`header` is about files of comma-separated values",
        ));
    }
    Ok(loaded)
}

/// The files that [`load`] reads for `spec`, as far as it is well formed.
pub fn files(spec: &str) -> Vec<PathBuf> {
    let files = |leaf: &String| *leaf != "-" && is_file(leaf, Path::new(""));
    leaves(spec).into_iter().filter(files).map(PathBuf::from).collect()
}

/// Whether [`load`] reads the standard input for `spec`.
pub fn reads_input(spec: &str) -> bool {
    leaves(spec).iter().any(|leaf| leaf == "-")
}

/// The files and families of a class that is well formed.
fn leaves(spec: &str) -> Vec<String> {
    if is_file(spec, Path::new("")) || !is_operation(spec) {
        return vec![spec.to_owned()];
    }
    let mut found = Vec::new();
    if let Ok(expression) = parse(&Source { name: "", text: spec }) {
        expression.leaves(&mut |leaf| found.push(leaf.to_owned()));
    }
    found
}

/// Whether a path exists that is not a directory: pipes are read, too.
fn is_file(spec: &str, base: &Path) -> bool {
    std::fs::metadata(base.join(spec)).is_ok_and(|metadata| !metadata.is_dir())
}

/// How files are read.
struct Reading<'s> {
    base: &'s Path,
    header: Option<Header>,
    limits: &'s Limits,
    /// Whether a file of comma-separated values was read.
    separated: bool,
}

impl Reading<'_> {
    /// A file or a family.
    fn leaf(&mut self, spec: &str) -> Result<Loaded> {
        if spec == "-" {
            return self.file(Path::new(spec));
        }
        if is_file(spec, self.base) {
            return self.file(&self.base.join(spec));
        }
        no_file(spec, self.base, self.limits)
    }

    fn file(&mut self, path: &Path) -> Result<Loaded> {
        let (loaded, format) = read_class_as(path, self.header)?;
        self.separated |= format == Format::Csv;
        Ok(loaded)
    }
}

/// A family, or why there is neither a file nor a family.
fn no_file(spec: &str, base: &Path, limits: &Limits) -> Result<Loaded> {
    if spec.trim().is_empty() {
        return Err(Error::argument_with_help(
            "the class has an empty name",
            "a class is a file, a family such as `point:3` or an expression such as `dual(C)`",
        ));
    }
    let path = base.join(spec);
    let (name, args) = spec.trim().split_once(':').unwrap_or((spec.trim(), ""));
    if families::exists(name) {
        let class = families::generate_within(name, args, limits)?;
        return Ok(Loaded { class, notes: Vec::new() });
    }
    if path.is_dir() {
        return read_class(&path);
    }
    let like_a_path = spec.contains(['/', '\\', '.']);
    if like_a_path {
        return Err(Error::File { path, reason: "no such file".to_owned() });
    }
    let help = match nearest(name, families::names()) {
        Some(name) => format!("did you mean {}?", show(name)),
        None => "`littlestone list families` shows all families".to_owned(),
    };
    let what = if spec.contains(':') { "family" } else { "file or family" };
    Err(Error::argument_with_help(format!("no {what} is called {}", show(name)), help))
}

/// Evaluates one expression and collects the notes on its files.
struct Evaluation<'s, 'r> {
    source: &'s Source<'s>,
    reading: &'s mut Reading<'r>,
    notes: Vec<String>,
}

impl Evaluation<'_, '_> {
    fn class(&mut self, expression: &Expression<'_>) -> Result<Class> {
        let meter = &mut self.reading.limits.meter();
        match expression {
            Expression::Leaf(spec) => {
                let loaded = self.reading.leaf(spec)?;
                self.notes.extend(loaded.notes);
                Ok(loaded.class)
            }
            Expression::Dual(inner) => {
                let class = self.class(inner)?;
                let dual = derive::dual(&class, meter)?;
                self.note_merges("dual", class.points(), &dual);
                Ok(dual)
            }
            Expression::Complement(inner) => derive::complement(&self.class(inner)?, meter),
            Expression::ComplementAt(inner, items) => {
                let class = self.class(inner)?;
                derive::complement_at(&class, &self.points(&class, items)?, meter)
            }
            Expression::Product(left, right) => {
                derive::product(&self.class(left)?, &self.class(right)?, meter)
            }
            Expression::Union(left, right) => {
                let (left, right) = (self.class(left)?, self.class(right)?);
                let union = derive::union(&left, &right, meter)?;
                self.note_merges("union", left.hypotheses() + right.hypotheses(), &union);
                Ok(union)
            }
            Expression::Restrict(inner, examples) => {
                let class = self.class(inner)?;
                self.restrict(&class, examples)
            }
            Expression::Project(inner, items) => {
                let class = self.class(inner)?;
                let projected = derive::project(&class, &self.points(&class, items)?, meter)?;
                self.note_merges("project", class.hypotheses(), &projected);
                Ok(projected)
            }
        }
    }

    fn restrict(&self, class: &Class, examples: &[(Item<'_>, bool)]) -> Result<Class> {
        let resolved = examples
            .iter()
            .map(|(item, label)| Ok((self.point(class, item)?, *label)))
            .collect::<Result<Vec<_>>>()?;
        let restricted = derive::restrict(class, &resolved, &mut self.reading.limits.meter())?;
        if restricted.hypotheses() == 0 {
            let list: Vec<String> = examples
                .iter()
                .map(|(item, label)| format!("{}:{}", quote(&item.name), u8::from(*label)))
                .collect();
            let at = self.source.at(examples.first().map_or(0, |(item, _)| item.at));
            let list = show(&list.join(", "));
            return Err(Error::argument(format!("{at}: no hypothesis is consistent with {list}")));
        }
        Ok(restricted)
    }

    fn point(&self, class: &Class, item: &Item<'_>) -> Result<usize> {
        class.point_index(&item.name).ok_or_else(|| {
            let expected = expected_point(class, &item.name);
            self.source.malformed(item.at, expected, show(&item.name))
        })
    }

    fn points(&self, class: &Class, items: &[Item<'_>]) -> Result<Vec<usize>> {
        let mut seen = HashSet::new();
        let mut points = Vec::with_capacity(items.len());
        for item in items {
            let x = self.point(class, item)?;
            if !seen.insert(x) {
                let found = format!("{} again", show(&item.name));
                return Err(self.source.malformed(item.at, "distinct points", found));
            }
            points.push(x);
        }
        Ok(points)
    }

    fn note_merges(&mut self, operation: &str, before: usize, class: &Class) {
        let merged = before - class.hypotheses();
        if merged > 0 {
            let hypotheses = if merged == 1 { "hypothesis" } else { "hypotheses" };
            let source = self.source.name;
            self.notes.push(format!("{source}: {operation} merged {merged} equal {hypotheses}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use littlestone_base::limits::Stopped;

    fn shown(spec: &str) -> Vec<String> {
        let class = load(spec).unwrap().class;
        let row = |h| format!("{} {}", class.hypothesis_name(h), class.labels(h));
        (0..class.hypotheses()).map(row).collect()
    }

    #[track_caller]
    fn assert_error(spec: &str, expected: &str) {
        assert_eq!(load(spec).unwrap_err().to_string(), expected);
    }

    #[test]
    fn families_and_expressions() {
        // Definition 5: f_j(x) = 1 exactly when x = j.
        assert_eq!(shown("point:3"), ["f1 100", "f2 010", "f3 001"]);
        assert_eq!(shown("restrict(point:3; 1:0)"), ["f2 010", "f3 001"]);
        assert_eq!(shown("dual(restrict(point:3; 1:0))"), ["1 00", "2 10", "3 01"]);
        assert_eq!(shown("complement(point:3)"), ["f1 011", "f2 101", "f3 110"]);
        assert_eq!(shown("complement(point:3; 3,1)"), ["f1 001", "f2 111", "f3 100"]);
        assert_eq!(shown("project(point:3; 3, 1)"), ["f1 01", "f2 00", "f3 10"]);
        assert_eq!(
            shown("union(point:2, complement(point:2; 1))"),
            ["h1 10", "h2 01", "h3 00", "h4 11"]
        );
        assert_eq!(
            shown("product(point:2, \"point:2\")"),
            ["f1*f1 1010", "f1*f2 1001", "f2*f1 0110", "f2*f2 0101"]
        );
    }

    #[test]
    fn what_is_generated_or_derived_keeps_the_limits() {
        let cancelled = Some(Arc::new(AtomicBool::new(true)));
        let limits = Limits { cancelled, ..Limits::default() };
        for spec in ["point:3", "dual(point:3)", "union(point:3,parity:2)"] {
            let error = load_as(spec, Path::new(""), None, &limits).unwrap_err();
            assert_eq!(error, Error::from(Stopped::Cancelled), "{spec}");
        }
    }

    #[test]
    fn merges_in_operations_are_noted() {
        let loaded = load("dual(project(point:4; 1, 2))").unwrap();
        assert_eq!(
            loaded.notes,
            ["`dual(project(point:4; 1, 2))`: project merged 1 equal hypothesis"]
        );
        assert_eq!(loaded.class.point_names(), ["f1", "f2", "f3"]);
        let loaded = load("union(point:2,point:2)").unwrap();
        assert_eq!(loaded.notes, ["`union(point:2,point:2)`: union merged 2 equal hypotheses"]);
    }

    #[test]
    fn faults() {
        assert_error(
            " ",
            "the class has an empty name\n  help: a class is a file, a family such as `point:3` \
             or an expression such as `dual(C)`",
        );
        assert_error("none/x.csv", "none/x.csv: no such file");
        assert_error("x.csv", "x.csv: no such file");
        assert_error("dual(x.csv)", "x.csv: no such file");
        assert_error("piont:3", "no family is called `piont`\n  help: did you mean `point`?");
        assert_error(
            "zzz",
            "no file or family is called `zzz`\n  \
             help: `littlestone list families` shows all families",
        );
        assert_error(
            "dual(point:3",
            "`dual(point:3`:1:13: expected `)`, found the end of the input",
        );
        assert_error(
            "restrict(point:3; 1:1, 2:1)",
            "`restrict(point:3; 1:1, 2:1)`:1:19: no hypothesis is consistent with `1:1, 2:1`",
        );
        assert_error(
            "dual(restrict(point:3; 1:1, 1:0))",
            "`dual(restrict(point:3; 1:1, 1:0))`:1:24: \
             no hypothesis is consistent with `1:1, 1:0`",
        );
        assert_error(
            "project(point:3; 1, 4)",
            "`project(point:3; 1, 4)`:1:21: \
             expected a point of the class (`1`, `2`, `3`), found `4`",
        );
        assert_error(
            "project(point:3; 1, 1)",
            "`project(point:3; 1, 1)`:1:21: expected distinct points, found `1` again",
        );
        assert_error(
            "product(threshold:4096,threshold:4096)",
            "the product has 16785409 hypotheses, more than the limit of 16777216 hypotheses",
        );
    }

    #[test]
    fn files_come_first_and_are_found_relative_to_the_base() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path();
        fs::write(base.join("point:3"), "0\n").unwrap();
        fs::write(base.join("dual(x)"), "1\n").unwrap();
        fs::write(base.join("a, b.csv"), "p,q\n0,1\n1,1\n0,1\n").unwrap();
        let class = |spec: &str| load_relative(spec, base).map(|loaded| loaded.class.labels(0));
        assert_eq!(class("point:3"), Ok("0".to_owned()));
        assert_eq!(class("dual(x)"), Ok("1".to_owned()));
        assert_eq!(class("point:2"), Ok("10".to_owned()));
        let loaded = load_relative("dual(\"a, b.csv\")", base).unwrap();
        let note = "this hypothesis equals the one in line 2 and was merged";
        assert_eq!(loaded.notes, [format!("{}:4: {note}", base.join("a, b.csv").display())]);
        assert_eq!(loaded.class.labels(0), "01");
        let missing = base.join("no.csv").display().to_string();
        assert_eq!(
            load_relative("no.csv", base).unwrap_err().to_string(),
            format!("{missing}: no such file")
        );
        fs::create_dir(base.join("threshold")).unwrap();
        fs::create_dir(base.join("folder")).unwrap();
        let error = load_relative("folder", base).unwrap_err().to_string();
        assert_eq!(error, format!("{}: is a directory, not a file", base.join("folder").display()));
        // A directory does not hide a family.
        let error = load_relative("threshold", base).unwrap_err().to_string();
        assert_eq!(error, families::generate("threshold", "").unwrap_err().to_string());
    }
}

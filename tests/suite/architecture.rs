//! The invariants of `docs/architecture.md`, enforced by reading the sources.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::program::littlestone;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The folder with the sources of a crate.
fn crate_sources(name: &str) -> PathBuf {
    root().join("crates").join(name).join("src")
}

/// The sources of a module: the file `name.rs` of `folder` and everything in its folder `name`.
fn module(folder: &Path, name: &str) -> Vec<PathBuf> {
    let folder = folder.join(name);
    let file = folder.with_extension("rs");
    let mut found = if folder.is_dir() { sources(&folder) } else { Vec::new() };
    found.extend(file.is_file().then_some(file));
    assert!(!found.is_empty(), "module {name} has sources");
    without_tests(found)
}

fn without_tests(mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    let tests = test_files(&files);
    files.retain(|path| !tests.contains(path));
    files
}

/// The code of a file without comments and unit tests, which may import what they like.
fn code(text: &str) -> String {
    let mut kept = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if line == "#[cfg(test)]" {
            // A module in a file of its own, or one that stands here up to the end of the file.
            if test_module(lines.peek().copied()).is_none() {
                break;
            }
            lines.next();
        } else if !line.trim_start().starts_with("//") {
            kept.push(line.split(" // ").next().unwrap_or(line));
        }
    }
    kept.join("\n")
}

/// The name in `mod name;`.
fn test_module(line: Option<&str>) -> Option<&str> {
    let declaration = line?.trim_start_matches("pub(super) ").trim_start_matches("pub(crate) ");
    declaration.strip_prefix("mod ")?.strip_suffix(';')
}

/// The files of modules that are compiled for unit tests only.
fn test_files(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in files {
        let text = fs::read_to_string(path).expect("readable");
        let lines: Vec<&str> = text.lines().collect();
        let folder = if path.file_stem().is_some_and(|stem| stem == "mod" || stem == "lib") {
            path.parent().expect("in a folder").to_path_buf()
        } else {
            path.with_extension("")
        };
        for pair in lines.windows(2).filter(|pair| pair[0] == "#[cfg(test)]") {
            if let Some(name) = test_module(Some(pair[1])) {
                found.push(folder.join(format!("{name}.rs")));
            }
        }
    }
    found
}

/// The first names of all paths into this crate or into other crates: for `use crate::a::b`,
/// `crate::a::b(…)` or `use crate::{a, b}` the modules, as `crate::a`.
fn imports(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (start, _) in code.match_indices("crate::") {
        let rest = &code[start + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let names = top_level(group).into_iter().map(|item| identifier(item.trim_start()));
            found.extend(names.map(|name| format!("crate::{name}")));
        } else {
            found.push(format!("crate::{}", identifier(rest)));
        }
    }
    for line in code.lines().map(str::trim_start) {
        let line = ["pub(crate) ", "pub(super) ", "pub "]
            .iter()
            .find_map(|prefix| line.strip_prefix(prefix))
            .unwrap_or(line);
        if let Some(path) = line.strip_prefix("use ") {
            let name = identifier(path.trim_start_matches("::"));
            if !matches!(name.as_str(), "crate" | "self" | "super") {
                found.push(name);
            }
        }
    }
    found
}

/// The items of a group up to its closing brace, split at the commas that are not in a group
/// within it.
fn top_level(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut items) = (0usize, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.push(&group[start..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.into_iter().filter(|item| !item.trim().is_empty()).collect()
}

fn identifier(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn imports_of(path: &Path) -> Vec<String> {
    imports(&code(&fs::read_to_string(path).expect("readable")))
}

#[track_caller]
fn never(files: &[PathBuf], forbidden: &[&str]) {
    for path in files {
        let bad: Vec<String> = imports_of(path)
            .into_iter()
            .filter(|name| forbidden.iter().any(|f| *name == format!("crate::{f}")))
            .collect();
        assert!(bad.is_empty(), "{} imports {bad:?}", path.display());
        let code = code(&fs::read_to_string(path).expect("readable"));
        for name in forbidden {
            let upwards = code.contains(&format!("super::{name}::"));
            assert!(!upwards, "{} reaches {name} through super", path.display());
        }
    }
}

#[test]
fn the_reader_of_imports_sees_all_forms() {
    let text = "\
use std::fmt;
pub use serde::Serialize;
use crate::class::{Class, VersionSpace};
use crate::{limits::Limits, error, claims::{a, b}};
// use crate::comment;
#[cfg(test)]
mod testing;
fn f() { crate::report::tree::draw(); } // crate::remark
#[cfg(test)]
mod tests { use crate::cli; }
";
    let mut seen = imports(&code(text));
    seen.sort();
    let expected = [
        "crate::claims",
        "crate::class",
        "crate::error",
        "crate::limits",
        "crate::report",
        "serde",
        "std",
    ];
    assert_eq!(seen, expected);
}

/// The names under `table` in the manifest of a crate, of what it always has and of what only a feature
/// adds.
fn dependencies(name: &str, table: &str) -> [Vec<String>; 2] {
    let text = fs::read_to_string(root().join("crates").join(name).join("Cargo.toml"));
    let manifest: toml::Table = text.expect("readable").parse().expect("a manifest");
    let table = manifest.get(table).and_then(toml::Value::as_table);
    let optional = |(_, stated): &(&String, &toml::Value)| stated.get("optional").is_some();
    let (added, always): (Vec<_>, Vec<_>) = table.into_iter().flatten().partition(optional);
    [always, added].map(|list| list.into_iter().map(|(name, _)| name.clone()).collect())
}

/// The compiler refuses whatever is not in these lists, so they are all that has to be watched.
#[test]
fn the_verifier_shares_no_code_with_the_searches() {
    let expected = ["littlestone-base", "serde", "serde_json", "thiserror"].as_slice();
    assert_eq!(dependencies("checker", "dependencies"), [expected, &["schemars"]]);
    let expected =
        ["num-bigint", "num-integer", "num-rational", "num-traits", "strsim", "thiserror"]
            .as_slice();
    assert_eq!(dependencies("base", "dependencies"), [expected, &["tempfile"]]);
    for (name, table) in
        [("checker", "dev-dependencies"), ("checker", "target"), ("checker", "build-dependencies")]
    {
        assert_eq!(dependencies(name, table), [const { &[""; 0] }; 2], "{name} {table}");
    }
    // What the feature adds derives schemas, in the files of the formats alone.
    for path in without_tests(sources(&crate_sources("checker"))) {
        let text = fs::read_to_string(&path).expect("readable");
        let format = path.iter().any(|part| part == "format" || part == "format.rs");
        assert!(format || !text.contains("schemars"), "{}", path.display());
    }
}

/// The searches write certificates in the verifier's formats, and ask it nothing.
#[test]
fn the_searches_use_the_formats_of_the_verifier_alone() {
    let mut seen = 0;
    for name in ["class", "mechanism", "privacy", "paper"] {
        for path in without_tests(sources(&crate_sources(name))) {
            let code = code(&fs::read_to_string(&path).expect("readable"));
            for (at, found) in code.match_indices("littlestone_checker") {
                let format = code[at + found.len()..].starts_with("::format");
                assert!(format, "{} uses more of the verifier", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 0, "somebody writes certificates");
}

/// Within crates, where the compiler forbids nothing.
#[test]
fn arrows_point_to_the_left_only() {
    let class = crate_sources("class");
    let searches = ["littlestone", "decomposition", "atlas"];
    let table = without_tests(sources(&class)).into_iter().filter(|path| {
        let place = path.strip_prefix(&class).expect("within the crate");
        let first = place.iter().next().expect("a name").to_string_lossy();
        first != "lib.rs" && !searches.contains(&first.trim_end_matches(".rs"))
    });
    never(&table.collect::<Vec<_>>(), &searches);
    never(&module(&class, "littlestone"), &["decomposition", "atlas"]);
    never(&module(&class, "decomposition"), &["atlas"]);
    never(&module(&crate_sources("paper"), "adversary"), &["potentials"]);
    never(&module(&root().join("src"), "claims"), &["cli"]);
    never(&module(&root().join("src"), "report"), &["cli"]);
}

/// Adversaries and potentials are about any learner, private or not.
#[test]
fn the_adversaries_know_mistakes_but_no_verdicts() {
    for name in ["adversary", "potentials"] {
        for path in module(&crate_sources("paper"), name) {
            let code = code(&fs::read_to_string(&path).expect("readable"));
            for (at, found) in code.match_indices("littlestone_privacy") {
                let mistakes = code[at + found.len()..].starts_with("::mistakes");
                assert!(mistakes, "{} asks for verdicts", path.display());
            }
        }
    }
}

#[test]
fn main_is_thin() {
    let text = fs::read_to_string(root().join("src/main.rs")).expect("readable");
    assert!(text.lines().count() < 100, "main.rs has {} lines", text.lines().count());
    assert!(!text.contains("#![allow"), "main.rs allows what is denied elsewhere");
}

/// Drawings, and one folder that guesses where an optimal solution is: it hands out integers, from
/// which every bound is worked out again exactly.
#[test]
fn no_floats_outside_report_and_one_guess() {
    let all = sources(&root().join("src")).into_iter().chain(sources(&root().join("crates")));
    for path in all {
        let guess = path.starts_with(crate_sources("paper").join("minimax/guess"));
        if guess || path.starts_with(root().join("src/report")) {
            continue;
        }
        let code = code(&fs::read_to_string(&path).expect("readable"));
        let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        let floats: Vec<&str> = words.filter(|word| matches!(*word, "f32" | "f64")).collect();
        assert!(floats.is_empty(), "{} has {floats:?}", path.display());
    }
}

#[test]
fn the_paper_map_is_written_from_the_table_and_points_to_what_exists() {
    let map = fs::read_to_string(root().join("docs/paper-map.md")).expect("readable");
    let written = littlestone(&["generate", "paper-map"]).output().expect("runs").stdout;
    assert!(map.as_bytes() == written, "docs/paper-map.md is not what `generate paper-map` prints");
    let folders = ["src/", "crates/", "checks/"];
    for path in map.split('`').filter(|t| folders.iter().any(|folder| t.starts_with(folder))) {
        assert!(root().join(path).exists(), "the paper map points to {path}");
    }
}

/// What the floating-point folder lets out: integers and truth values. Its other files are its own.
#[test]
fn the_guess_hands_out_no_floats() {
    let folder = crate_sources("paper").join("minimax/guess");
    let text = code(&fs::read_to_string(folder.join("mod.rs")).expect("readable"));
    let public: Vec<&str> = text.lines().filter(|line| line.contains("pub ")).collect();
    assert!(public.len() > 5, "{public:?}");
    let float = |line: &&str| ["f64", "f32", "Double"].iter().any(|name| line.contains(name));
    assert!(!public.iter().any(float), "{public:?}");
    assert!(text.contains("\nmod double;\n"));
    let double = code(&fs::read_to_string(folder.join("double.rs")).expect("readable"));
    assert!(double.lines().all(|line| !line.contains("pub ")));
}

//! What `MECHANISM` means on the command line, in claim files and in mechanism files.
//!
//! | written | meaning |
//! | --- | --- |
//! | `learner.rhai`, `learner.rhai:gamma=1/4` | a script with parameters |
//! | `automaton.json` | an automaton |
//! | `nested.toml` | a mechanism file: `use = "…"` and parameters, which may be mechanisms |
//! | `name:key=value,key=value` | a mechanism of the catalogue |
//! | `name:key=(script.rhai:key=value),key=value` | a mechanism with parameters as a parameter |
//! | `key=@file` | the value is in a file: a mechanism (`.toml`, `.rhai`, `.json`) or text |

mod argument;
mod files;
mod resolve;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use self::argument::{Argument, Arguments};
pub use self::resolve::{Catalogue, Context, NoCatalogue, Parameter, check};
pub(super) use self::resolve::{missing_parameter, unknown_parameter};
use littlestone_base::error::{Error, Position, Result};
use littlestone_base::file;
use littlestone_exact::{Number, expression};

/// How deeply mechanisms may be nested.
const DEPTH: usize = 32;

/// How the names of the files of mechanisms end.
const EXTENSIONS: [&str; 3] = [".rhai", ".json", ".toml"];

/// A mechanism as written: what is used, with which parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// A name of the catalogue, or a file.
    pub target: Target,
    /// The parameters.
    pub arguments: Arguments,
}

/// What a [`Spec`] uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A mechanism of the catalogue.
    Name(String),
    /// A `.rhai` or `.json` file.
    File(PathBuf),
}

impl Spec {
    /// Parses a `MECHANISM` argument. Relative paths start from `base`.
    ///
    /// # Errors
    /// When the argument is malformed, or a mechanism file cannot be read.
    pub fn parse(text: &str, base: &Path) -> Result<Self> {
        parse(text, base, 0)
    }

    /// Reads a table of a claim or of a mechanism file: `use` and the parameters. Relative paths
    /// start from `base`; `place` names the table in messages.
    ///
    /// # Errors
    /// When the table is malformed, or a file that it names cannot be read.
    pub fn from_toml(table: &toml::Table, base: &Path, place: &str) -> Result<Self> {
        from_toml(table, base, place, 0)
    }

    /// Its parameters that are numbers, with those that are left out.
    pub fn numbers(&self, catalogue: &dyn Catalogue) -> Vec<(String, Number)> {
        let number = |text: &str| expression::evaluate(text, &BTreeMap::new()).ok();
        let mut found = BTreeMap::new();
        if let Target::Name(name) = &self.target {
            for parameter in catalogue.parameters(name).unwrap_or_default() {
                if let Some(value) = parameter.default.and_then(number) {
                    found.insert(parameter.name.to_owned(), value);
                }
            }
        }
        for (name, argument) in &self.arguments {
            if let Argument::Text(text) = argument
                && let Some(value) = number(text)
            {
                found.insert(name.clone(), value);
            }
        }
        found.into_iter().collect()
    }

    /// The files that the mechanism `text` is read from: scripts, tables, mechanism files and values
    /// in files, also those of mechanisms inside it, as far as they can be read.
    pub fn files(text: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        files::of_text(text, Path::new(""), 0, &mut found);
        found
    }

    /// Reads a mechanism file.
    ///
    /// # Errors
    /// When the file cannot be read or is malformed.
    pub fn read(path: &Path) -> Result<Self> {
        read(path, 0)
    }
}

fn parse(text: &str, base: &Path, depth: usize) -> Result<Spec> {
    let (target, rest) = split_target(text);
    if target.is_empty() {
        return Err(Error::malformed(
            Position::whole(format!("`{text}`")),
            "a mechanism",
            "nothing",
        ));
    }
    let mut arguments = Arguments::new();
    for pair in rest.map(split_pairs).unwrap_or_default() {
        let Some((key, value)) = pair.split_once('=') else {
            let position = Position::whole(format!("`{text}`"));
            return Err(Error::malformed(position, "key=value", format!("`{pair}`")));
        };
        let (key, value) = (key.trim(), value.trim());
        let value = match value.strip_prefix('@') {
            Some(file) => argument_file(&base.join(file), depth + 1)?,
            None => value_of(value, base, depth + 1)?,
        };
        if arguments.insert(key.to_owned(), value).is_some() {
            let position = Position::whole(format!("`{text}`"));
            return Err(Error::malformed(
                position,
                "each parameter once",
                format!("`{key}` twice"),
            ));
        }
    }
    if has_extension(Path::new(target), "toml") {
        let mut spec = read(&base.join(target), depth + 1)?;
        spec.arguments.extend(arguments);
        return Ok(spec);
    }
    Ok(Spec { target: target_of(target, base), arguments })
}

/// A value as typed. One that uses a file of a mechanism is a mechanism, since relative paths in it
/// start where those of the mechanism around it do. Other text is read by the one who knows what the
/// parameter means.
fn value_of(text: &str, base: &Path, depth: usize) -> Result<Argument> {
    if depth > DEPTH {
        return Err(too_deep(&format!("`{text}`")));
    }
    let inner = unwrapped(text);
    let (target, _) = split_target(inner);
    let single = !target.is_empty() && !target.contains(['(', ',']);
    if single && EXTENSIONS.iter().any(|extension| inner.contains(extension)) {
        return Ok(Argument::Mechanism(Box::new(parse(inner, base, depth)?)));
    }
    Ok(Argument::Text(text.to_owned()))
}

/// The text without one pair of parentheses around the whole.
pub(crate) fn unwrapped(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    inner.filter(|inner| balanced(inner)).map_or(text, str::trim)
}

/// Whether every parenthesis has its partner within the text.
fn balanced(text: &str) -> bool {
    let mut depth = 0usize;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// Splits at the first colon, but not within the name of a file. The name of a file ends with its
/// extension; text in which parameters have begun before that is no such name.
fn split_target(text: &str) -> (&str, Option<&str>) {
    let text = text.trim_end();
    let is_file = |end: &usize| {
        let name = &text[..*end];
        let begun = |(_, parameters): (&str, &str)| parameters.contains('=');
        EXTENSIONS.iter().any(|e| name.ends_with(e)) && !name.split_once(':').is_some_and(begun)
    };
    let colons = text.match_indices(':').map(|(at, _)| at);
    let file = colons.chain([text.len()]).find(is_file);
    let end = file.or_else(|| text.find(':')).unwrap_or(text.len());
    (text[..end].trim(), text.get(end + 1..))
}

/// Splits at commas that are not inside parentheses.
fn split_pairs(text: &str) -> Vec<&str> {
    let mut depth = 0usize;
    text.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
    .collect()
}

fn target_of(target: &str, base: &Path) -> Target {
    let path = Path::new(target);
    if has_extension(path, "rhai") || has_extension(path, "json") {
        Target::File(base.join(path))
    } else {
        Target::Name(target.to_owned())
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e == extension)
}

fn argument_file(path: &Path, depth: usize) -> Result<Argument> {
    if ["rhai", "json"].iter().any(|e| has_extension(path, e)) {
        let spec = Spec { target: Target::File(path.to_owned()), arguments: Arguments::new() };
        return Ok(Argument::Mechanism(Box::new(spec)));
    }
    if has_extension(path, "toml") {
        return Ok(Argument::Mechanism(Box::new(read(path, depth)?)));
    }
    let text = file::read_text(path, file::MAX_TEXT_BYTES)?;
    Ok(Argument::Text(text.trim().to_owned()))
}

fn read(path: &Path, depth: usize) -> Result<Spec> {
    let text = file::read_text(path, file::MAX_TEXT_BYTES)?;
    let name = path.display().to_string();
    let table: toml::Table = text.parse().map_err(|e: toml::de::Error| {
        let start = e.span().map_or(0, |span| span.start.min(text.len()));
        let before = text.get(..start).unwrap_or_default();
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().unwrap_or_default().chars().count();
        Error::malformed(Position::at(name.clone(), line, column), "TOML", e.message().to_owned())
    })?;
    from_toml(&table, path.parent().unwrap_or(Path::new("")), &name, depth)
}

fn from_toml(table: &toml::Table, base: &Path, place: &str, depth: usize) -> Result<Spec> {
    if depth > DEPTH {
        return Err(too_deep(place));
    }
    let used = match table.get("use") {
        Some(toml::Value::String(used)) => used,
        Some(other) => {
            let found = format!("a TOML {}", other.type_str());
            return Err(Error::malformed(Position::whole(place), "a string for `use`", found));
        }
        None => {
            let expected = "`use`, the name or file of a mechanism";
            return Err(Error::malformed(Position::whole(place), expected, "a table without it"));
        }
    };
    let mut spec = parse(used, base, depth)?;
    for (key, value) in table {
        if key != "use" {
            let value = from_value(value, base, &format!("{place}: {key}"), depth + 1)?;
            spec.arguments.insert(key.clone(), value);
        }
    }
    Ok(spec)
}

fn too_deep(place: &str) -> Error {
    let expected = format!("at most {DEPTH} nested mechanisms");
    Error::malformed(Position::whole(place), expected, "more (a file that uses itself?)")
}

fn from_value(value: &toml::Value, base: &Path, place: &str, depth: usize) -> Result<Argument> {
    match value {
        toml::Value::String(text) => match text.strip_prefix('@') {
            Some(file) => argument_file(&base.join(file), depth),
            None => value_of(text, base, depth),
        },
        toml::Value::Integer(n) => Ok(Argument::Text(n.to_string())),
        toml::Value::Boolean(b) => Ok(Argument::Text(b.to_string())),
        toml::Value::Array(items) => {
            let items = items.iter().map(|item| from_value(item, base, place, depth));
            Ok(Argument::List(items.collect::<Result<_>>()?))
        }
        toml::Value::Table(table) => {
            Ok(Argument::Mechanism(Box::new(from_toml(table, base, place, depth)?)))
        }
        toml::Value::Float(_) => Err(Error::malformed(
            Position::whole(place),
            "an exact number as a string, such as \"1/4\" or \"0.25\"",
            "a TOML float, which is not exact",
        )),
        toml::Value::Datetime(date) => {
            Err(Error::malformed(Position::whole(place), "a value", format!("the date {date}")))
        }
    }
}

//! What `MECHANISM` means on the command line, in claim files and in mechanism files.
//!
//! | written | meaning |
//! | --- | --- |
//! | `learner.rhai`, `learner.rhai:gamma=1/4` | a script with parameters |
//! | `automaton.json` | an automaton |
//! | `nested.toml` | a mechanism file: `use = "…"` and parameters, which may be mechanisms |
//! | `name:key=value,key=value` | a mechanism of the catalogue |
//! | `key=@file` | the value is in a file: a mechanism (`.toml`, `.rhai`, `.json`) or text |

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::names::nearest;
use super::{Boxed, Script, Tools, expression, functions, table};
use crate::error::{Error, Position, Result};
use crate::exact::Number;

/// How deeply mechanisms may be nested.
const DEPTH: usize = 32;

/// The value of a parameter as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// One value; numbers are expressions.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// Another mechanism.
    Mechanism(Box<Spec>),
}

/// Parameters by name.
pub type Arguments = BTreeMap<String, Argument>;

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

/// A parameter that a mechanism of the catalogue takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its default as it would be written; `None` when a value must be given.
    pub default: Option<&'static str>,
    /// What it means, with its range.
    pub meaning: &'static str,
}

/// Named mechanisms.
pub trait Catalogue {
    /// The names, in the order in which they are listed.
    fn names(&self) -> Vec<&str>;

    /// The parameters of the mechanism `name`; `None` when there is no such mechanism.
    fn parameters(&self, name: &str) -> Option<Vec<Parameter>>;

    /// Builds a mechanism. The names of the arguments have been checked against
    /// [`Catalogue::parameters`]; their values have not.
    ///
    /// # Errors
    /// When a value is not one the mechanism takes.
    fn build(&self, name: &str, arguments: &Arguments, context: &Context<'_>) -> Result<Boxed>;
}

/// A catalogue without entries.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoCatalogue;

impl Catalogue for NoCatalogue {
    fn names(&self) -> Vec<&str> {
        Vec::new()
    }

    fn parameters(&self, _: &str) -> Option<Vec<Parameter>> {
        None
    }

    fn build(&self, name: &str, _: &Arguments, _: &Context<'_>) -> Result<Boxed> {
        Err(Error::argument(format!("there is no mechanism `{name}`")))
    }
}

/// What it takes to turn a [`Spec`] into a mechanism.
#[derive(Clone)]
pub struct Context<'a> {
    /// The class, for mechanisms that need one.
    pub tools: Option<Rc<Tools>>,
    /// The named mechanisms.
    pub catalogue: &'a dyn Catalogue,
}

impl Context<'_> {
    /// The class.
    ///
    /// # Errors
    /// When none was given; `name` is the mechanism that needs it.
    pub fn class(&self, name: &str) -> Result<&Rc<Tools>> {
        self.tools.as_ref().ok_or_else(|| {
            let help = "give one with --class, or with `class` in a claim";
            Error::argument_with_help(format!("the mechanism `{name}` needs a class"), help)
        })
    }

    /// The mechanism that `spec` describes.
    ///
    /// # Errors
    /// When a file cannot be read, there is no such mechanism, or a parameter is at fault.
    pub fn resolve(&self, spec: &Spec) -> Result<Boxed> {
        match &spec.target {
            Target::Name(name) => {
                let Some(parameters) = self.catalogue.parameters(name) else {
                    let known = self.catalogue.names();
                    let near = nearest(name, known.iter().copied());
                    return Err(Error::argument_with_help(
                        format!("there is no mechanism `{name}`{near}"),
                        "`littlestone list mechanisms` shows all; files end in .rhai, .json or .toml",
                    ));
                };
                check(name, &spec.arguments, &parameters)?;
                self.catalogue.build(name, &spec.arguments, self)
            }
            Target::File(path) if has_extension(path, "rhai") => {
                Script::read(path, self.tools.as_ref(), &spec.arguments).map(Boxed::new)
            }
            Target::File(path) => {
                if let Some(name) = spec.arguments.keys().next() {
                    return Err(unknown_parameter(&path.display().to_string(), name, []));
                }
                table::read(path).map(Boxed::new)
            }
        }
    }
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("mechanisms", &self.catalogue.names())
            .finish_non_exhaustive()
    }
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
            None => Argument::Text(value.to_owned()),
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

/// Splits at the first colon, but not within the name of a file.
fn split_target(text: &str) -> (&str, Option<&str>) {
    for extension in [".rhai", ".json", ".toml"] {
        if let Some(end) = text.find(&format!("{extension}:")) {
            let end = end + extension.len();
            return (text[..end].trim(), Some(&text[end + 1..]));
        }
        if text.trim_end().ends_with(extension) {
            return (text.trim(), None);
        }
    }
    match text.split_once(':') {
        Some((target, rest)) => (target.trim(), Some(rest)),
        None => (text.trim(), None),
    }
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
    let text = std::fs::read_to_string(path).map_err(|e| Error::file(path, &e))?;
    Ok(Argument::Text(text.trim().to_owned()))
}

fn read(path: &Path, depth: usize) -> Result<Spec> {
    let text = std::fs::read_to_string(path).map_err(|e| Error::file(path, &e))?;
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
        let expected = format!("at most {DEPTH} nested mechanisms");
        return Err(Error::malformed(
            Position::whole(place),
            expected,
            "more (a file that uses itself?)",
        ));
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

fn from_value(value: &toml::Value, base: &Path, place: &str, depth: usize) -> Result<Argument> {
    match value {
        toml::Value::String(text) => match text.strip_prefix('@') {
            Some(file) => argument_file(&base.join(file), depth),
            None => Ok(Argument::Text(text.clone())),
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

/// Checks the names of arguments against the parameters of a mechanism.
///
/// # Errors
/// When an argument is unknown, or a parameter without default is missing.
pub fn check(name: &str, arguments: &Arguments, parameters: &[Parameter]) -> Result<()> {
    let names = || parameters.iter().map(|parameter| parameter.name);
    if let Some(key) = arguments.keys().find(|key| !names().any(|n| n == key.as_str())) {
        return Err(unknown_parameter(name, key, names()));
    }
    let missing = |p: &&Parameter| p.default.is_none() && !arguments.contains_key(p.name);
    match parameters.iter().find(missing) {
        Some(missing) => Err(missing_parameter(name, missing.name)),
        None => Ok(()),
    }
}

pub(super) fn unknown_parameter<'a>(
    mechanism: &str,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Error {
    let known: Vec<&str> = known.into_iter().collect();
    let near = nearest(name, known.iter().copied());
    let help = if known.is_empty() {
        "it has no parameters".to_owned()
    } else {
        format!("its parameters are {}", known.join(", "))
    };
    Error::argument_with_help(format!("`{mechanism}` has no parameter `{name}`{near}"), help)
}

pub(super) fn missing_parameter(mechanism: &str, name: &str) -> Error {
    Error::argument_with_help(
        format!("`{mechanism}` needs a value for its parameter `{name}`"),
        format!("write {mechanism}:{name}=…"),
    )
}

impl Argument {
    /// The argument as an exact number, given as an expression.
    ///
    /// # Errors
    /// When it is not a number; `name` is the parameter.
    pub fn number(&self, name: &str) -> Result<Number> {
        expression::evaluate(self.text(name)?, &BTreeMap::new())
            .map_err(|e| Error::argument(format!("the parameter `{name}` is not a number: {e}")))
    }

    /// The argument as a number in [0, 1].
    ///
    /// # Errors
    /// When it is not one.
    pub fn probability(&self, name: &str) -> Result<Number> {
        let p = self.number(name)?;
        if functions::is_probability(&p) {
            return Ok(p);
        }
        Err(self.unfit(name, "a number in [0, 1]"))
    }

    /// The argument as a natural number.
    ///
    /// # Errors
    /// When it is not one.
    pub fn natural(&self, name: &str) -> Result<usize> {
        let n = functions::as_integer(&self.number(name)?).and_then(|n| usize::try_from(n).ok());
        n.ok_or_else(|| self.unfit(name, "a natural number"))
    }

    /// The argument as text.
    ///
    /// # Errors
    /// When it is a list or a mechanism.
    pub fn text(&self, name: &str) -> Result<&str> {
        match self {
            Self::Text(text) => Ok(text),
            _ => Err(self.unfit(name, "one value")),
        }
    }

    /// The argument as a list; one value is a list of one.
    ///
    /// # Errors
    /// When it is a mechanism.
    pub fn list(&self, name: &str) -> Result<&[Self]> {
        match self {
            Self::List(items) => Ok(items),
            Self::Text(_) => Ok(std::slice::from_ref(self)),
            Self::Mechanism(_) => Err(self.unfit(name, "a list")),
        }
    }

    /// The argument as a mechanism; text is parsed as on the command line.
    ///
    /// # Errors
    /// When it is a list, or the text is malformed.
    pub fn mechanism(&self, name: &str) -> Result<Spec> {
        match self {
            Self::Mechanism(spec) => Ok((**spec).clone()),
            Self::Text(text) => Spec::parse(text, Path::new("")),
            Self::List(_) => Err(self.unfit(name, "a mechanism")),
        }
    }

    fn unfit(&self, name: &str, expected: &str) -> Error {
        let found = match self {
            Self::Text(text) => format!("`{text}`"),
            Self::List(_) => "a list".into(),
            Self::Mechanism(_) => "a mechanism".into(),
        };
        Error::argument(format!("the parameter `{name}` takes {expected}, not {found}"))
    }
}

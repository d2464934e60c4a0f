//! From a specification to a mechanism: files, the catalogue, and the names of parameters.

use std::rc::Rc;

use super::{Arguments, Spec, Target, has_extension};
use crate::{Boxed, Script, Tools, table};
use littlestone_base::error::the_nearest;
use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::Limits;

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
    /// What the steps of scripts ask whether they may go on.
    pub limits: Limits,
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
                    let near = the_nearest(name, known.iter().copied());
                    return Err(Error::argument_with_help(
                        format!("there is no mechanism `{name}`{near}"),
                        "`littlestone list mechanisms` shows all; files end in .rhai, .json or .toml",
                    ));
                };
                check(name, &spec.arguments, &parameters)?;
                self.catalogue.build(name, &spec.arguments, self)
            }
            Target::File(path) if has_extension(path, "rhai") => {
                Script::read(path, self.tools.as_ref(), &spec.arguments, &self.limits)
                    .map(Boxed::new)
            }
            Target::File(path) => {
                if let Some(name) = spec.arguments.keys().next() {
                    return Err(unknown_parameter(&path.display().to_string(), name, []));
                }
                let table = table::read(path)?;
                let points = table.interface().points();
                if let Some(tools) = &self.tools
                    && !points.is_empty()
                    && points != tools.class().point_names()
                {
                    return Err(Error::argument(format!(
                        "{}: the table is over the points {}, the class over {}",
                        path.display(),
                        points.join(", "),
                        tools.class().point_names().join(", ")
                    )));
                }
                Ok(Boxed::new(table))
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

pub(crate) fn unknown_parameter<'a>(
    mechanism: &str,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Error {
    let known: Vec<&str> = known.into_iter().collect();
    let near = the_nearest(name, known.iter().copied());
    let help = if known.is_empty() {
        "it has no parameters".to_owned()
    } else {
        format!("its parameters are {}", known.join(", "))
    };
    Error::argument_with_help(format!("`{mechanism}` has no parameter `{name}`{near}"), help)
}

pub(crate) fn missing_parameter(mechanism: &str, name: &str) -> Error {
    Error::argument_with_help(
        format!("`{mechanism}` needs a value for its parameter `{name}`"),
        format!("write {mechanism}:{name}=…"),
    )
}

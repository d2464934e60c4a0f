//! Parameters as written, and how mechanisms read them.

use std::collections::BTreeMap;
use std::path::Path;

use super::Spec;
use crate::expression;
use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;
use littlestone_exact::functions;

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

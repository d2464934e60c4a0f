//! Numbers in their ranges, and expressions for them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use num_traits::{Bounded, One as _};

use crate::error::{Error, Result as Checked, show};
use crate::exact::{Epsilon, Number, Rational, expression, parse_delta, parse_rational};

use super::{Reads, Text};

/// A whole number in the range of its type.
pub(crate) fn whole<T: FromStr + Bounded + fmt::Display>(text: &str) -> Result<T, String> {
    text.trim().parse().map_err(|_| {
        let (least, most) = (T::min_value(), T::max_value());
        format!("expected a number from {least} to {most}, found {}", show(text))
    })
}

impl Reads for u32 {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "2";

    fn read(text: &str) -> Result<Self, String> {
        whole(text)
    }
}

impl Reads for i32 {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "3";

    fn read(text: &str) -> Result<Self, String> {
        whole(text)
    }
}

impl Reads for u64 {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "4";

    fn read(text: &str) -> Result<Self, String> {
        whole(text)
    }
}

impl Reads for usize {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "2";

    fn read(text: &str) -> Result<Self, String> {
        whole(text)
    }
}

/// A whole number of at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count(pub usize);

impl Reads for Count {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "2";

    fn read(text: &str) -> Result<Self, String> {
        let read = text.trim().parse().ok().filter(|number| *number > 0);
        read.map(Self)
            .ok_or_else(|| format!("expected a whole number of at least 1, found {}", show(text)))
    }
}

/// A whole number in a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Between<const LEAST: usize, const MOST: usize>(pub usize);

impl<const LEAST: usize, const MOST: usize> Reads for Between<LEAST, MOST> {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "2";

    fn read(text: &str) -> Result<Self, String> {
        let read = text.trim().parse().ok().filter(|number| (LEAST..=MOST).contains(number));
        let expected = || format!("expected a number from {LEAST} to {MOST}, found {}", show(text));
        read.map(Self).ok_or_else(expected)
    }
}

impl Reads for Rational {
    const FORMAT: &'static str = "number";
    const EXAMPLE: &'static str = "1/2";

    fn read(text: &str) -> Result<Self, String> {
        parse_rational(text).map_err(|error| error.to_string())
    }
}

/// An exact number of at least 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtLeastZero(pub Number);

impl Reads for AtLeastZero {
    const FORMAT: &'static str = "number";
    const EXAMPLE: &'static str = "3";

    fn read(text: &str) -> Result<Self, String> {
        let value = expression::evaluate(text, &BTreeMap::new()).map_err(|e| e.on_one_line())?;
        if value.signum() < 0 {
            return Err(format!("expected a number of at least 0, found {value}"));
        }
        Ok(Self(value))
    }
}

/// A rational number of at least 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtLeastOne(pub Rational);

impl Reads for AtLeastOne {
    const FORMAT: &'static str = "number";
    const EXAMPLE: &'static str = "2";

    fn read(text: &str) -> Result<Self, String> {
        let value = expression::evaluate(text, &BTreeMap::new()).map_err(|e| e.on_one_line())?;
        let expected = || format!("expected a rational number of at least 1, found {value}");
        let rational = value.as_rational().filter(|factor| **factor >= Rational::one());
        Ok(Self(rational.ok_or_else(expected)?.clone()))
    }
}

/// An exact number in [0, 1].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share(pub Number);

impl Reads for Share {
    const FORMAT: &'static str = "number";
    const EXAMPLE: &'static str = "1/10";

    fn read(text: &str) -> Result<Self, String> {
        let AtLeastZero(value) = AtLeastZero::read(text)?;
        if value > Number::one() {
            return Err(format!("expected a number in [0, 1], found {value}"));
        }
        Ok(Self(value))
    }
}

/// A δ: an exact number in [0, 1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delta(pub Number);

impl Reads for Delta {
    const FORMAT: &'static str = "number";
    const EXAMPLE: &'static str = "1/4";

    fn read(text: &str) -> Result<Self, String> {
        parse_delta(text).map(Self).map_err(|error| error.to_string())
    }
}

impl Reads for Epsilon {
    const FORMAT: &'static str = "epsilon";
    const EXAMPLE: &'static str = "ln(3/2)";

    fn read(text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|error| error.to_string())
    }
}

/// An expression that is evaluated by whoever knows the names in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Formula;

impl Reads for Formula {
    const FORMAT: &'static str = "formula";
    const EXAMPLE: &'static str = "2 * p";

    fn read(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("expected an expression, found nothing".to_owned());
        }
        Ok(Self)
    }
}

impl Text<Formula> {
    /// Its value, where names have values; `field` is what it is called in messages.
    ///
    /// # Errors
    /// When it has none.
    pub fn evaluate(&self, field: &str, scope: &BTreeMap<String, Number>) -> Checked<Number> {
        expression::evaluate(&self.text, scope)
            .map_err(|error| Error::argument(format!("{field}: {error}")))
    }
}

/// Whether a name occurs in an expression.
pub(crate) fn mentions(expression: &str, name: &str) -> bool {
    expression.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
}

/// Whether a text can be a name in an expression.
pub(crate) fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_alphabetic() || c == '_';
    text.starts_with(letter) && text.chars().all(|c| letter(c) || c.is_ascii_digit())
}

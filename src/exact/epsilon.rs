//! The privacy parameter ε, rational or the logarithm of a rational.

use std::fmt;

use num_traits::{One, Signed, Zero};

use super::number::{Number, exp};
use super::parse::{Cursor, ParseNumberError};
use super::rational::{BigInt, Rational};

/// The largest ε that is read; e^ε then has 94,549 binary digits.
const MAX_EPSILON: u32 = 1 << 16;

/// The ε ≥ 0 of (ε, δ)-differential privacy (Definitions 2 and 4).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Epsilon {
    /// A rational number; e^ε is transcendental unless it is 0.
    Rational(Rational),
    /// The logarithm of a rational number, at least 1.
    Ln(Rational),
}

impl Epsilon {
    /// The parameter ε = `value`, if it is not negative.
    pub fn rational(value: Rational) -> Option<Self> {
        (!value.is_negative()).then_some(Self::Rational(value))
    }

    /// The parameter ε = ln `value`, if it is not negative; ln 1 is the rational number 0.
    pub fn ln(value: Rational) -> Option<Self> {
        if value.is_one() {
            return Some(Self::zero());
        }
        (value > Rational::one()).then_some(Self::Ln(value))
    }

    /// The parameter ε = 0.
    pub fn zero() -> Self {
        Self::Rational(Rational::zero())
    }

    /// Whether ε = 0.
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Rational(q) => q.is_zero(),
            Self::Ln(r) => r.is_one(),
        }
    }

    /// The factor e^ε.
    pub fn factor(&self) -> Number {
        match self {
            Self::Rational(q) => exp(q),
            Self::Ln(r) => r.clone().into(),
        }
    }

    /// Reads a rational number as [`parse_rational`](super::parse::parse_rational) does, or its
    /// logarithm: `1/2`, `0`, `ln(3/2)`, `ln 2`.
    ///
    /// # Errors
    ///
    /// Other texts, negative values, and rational values above 65536.
    pub fn parse(text: &str) -> Result<Self, ParseNumberError> {
        let mut cursor = Cursor::new(text);
        cursor.spaces();
        let value = if cursor.take("ln") {
            Self::parse_ln(&mut cursor)?
        } else {
            Self::parse_plain(&mut cursor)?
        };
        cursor.spaces();
        cursor.end("the end of ε")?;
        Ok(value)
    }

    fn parse_plain(cursor: &mut Cursor) -> Result<Self, ParseNumberError> {
        let start = cursor.place();
        let value = cursor.rational()?;
        if value > Rational::from(BigInt::from(MAX_EPSILON)) {
            return Err(cursor.refuse(start, format!("an ε of at most {MAX_EPSILON}")));
        }
        Self::rational(value).ok_or_else(|| cursor.refuse(start, "an ε that is not negative"))
    }

    fn parse_ln(cursor: &mut Cursor) -> Result<Self, ParseNumberError> {
        let after = cursor.place();
        cursor.spaces();
        let spaced = cursor.place() > after;
        let bracket = cursor.take("(");
        if !bracket && !spaced {
            return Err(cursor.unexpected("`(` or a space after `ln`"));
        }
        cursor.spaces();
        let start = cursor.place();
        let value = cursor.rational()?;
        let value = Self::ln(value).ok_or_else(|| {
            cursor.refuse(start, "a number of at least 1, so that ε is not negative")
        })?;
        cursor.spaces();
        if bracket && !cursor.take(")") {
            return Err(cursor.unexpected("`)`"));
        }
        Ok(value)
    }
}

impl std::str::FromStr for Epsilon {
    type Err = ParseNumberError;

    fn from_str(text: &str) -> Result<Self, ParseNumberError> {
        Self::parse(text)
    }
}

impl fmt::Display for Epsilon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rational(q) => write!(f, "{q}"),
            Self::Ln(r) => write!(f, "ln({r})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_syntax_is_read_and_shown() {
        for (text, shown) in [
            ("1/2", "1/2"),
            ("0", "0"),
            ("0.1", "1/10"),
            ("ln(3/2)", "ln(3/2)"),
            (" ln ( 1.5 ) ", "ln(3/2)"),
            ("ln 2", "ln(2)"),
            ("ln 1", "0"),
        ] {
            let epsilon = Epsilon::parse(text).unwrap();
            assert_eq!(epsilon.to_string(), shown, "{text}");
            assert_eq!(Epsilon::parse(shown), Ok(epsilon));
        }
    }

    #[test]
    fn faults_name_their_column() {
        for (text, message) in [
            ("", "column 1: expected a digit, found the end"),
            ("-1/2", "column 1: expected an ε that is not negative, found `-1/2`"),
            ("65537", "column 1: expected an ε of at most 65536, found `65537`"),
            (
                "ln(1/2)",
                "column 4: expected a number of at least 1, so that ε is not negative, found `1/2`",
            ),
            (
                "ln 0",
                "column 4: expected a number of at least 1, so that ε is not negative, found `0`",
            ),
            ("ln2", "column 3: expected `(` or a space after `ln`, found `2`"),
            ("ln(2", "column 5: expected `)`, found the end"),
            ("ln", "column 3: expected `(` or a space after `ln`, found the end"),
            ("1/2)", "column 4: expected the end of ε, found `)`"),
        ] {
            assert_eq!(Epsilon::parse(text).unwrap_err().to_string(), message, "{text}");
        }
    }

    #[test]
    fn the_factor_is_exact() {
        let read = |text| Epsilon::parse(text).unwrap().factor().to_string();
        assert_eq!(read("ln(3/2)"), "3/2");
        assert_eq!(read("0"), "1");
        assert_eq!(read("1/2"), "exp(1/2)");
    }
}

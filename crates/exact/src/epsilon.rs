//! The privacy parameter ε: a rational number, or the logarithm of a number of the field.

use std::collections::BTreeMap;
use std::fmt;

use num_traits::{Signed, Zero};

use super::expression::Parser;
use super::functions::{EXPONENT_BITS, exponents};
use super::number::{Number, exp};
use super::parse::ParseNumberError;
use super::rational::{BigInt, Rational};

/// The largest ε that is read; e^ε then has 94,549 binary digits.
const MAX_EPSILON: u32 = 1 << 16;

/// The ε ≥ 0 of (ε, δ)-differential privacy (Definitions 2 and 4).
///
/// Every e^ε ≥ 1 in some ℚ(eᵘ) has exactly one such value, so equality is that of the numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Epsilon {
    /// A rational number; e^ε is transcendental unless it is 0.
    Rational(Rational),
    /// The logarithm of a number above 1 that is no power of e with a rational exponent.
    Ln(Number),
}

impl Epsilon {
    /// The parameter ε = `value`, if it is not negative.
    pub fn rational(value: Rational) -> Option<Self> {
        (!value.is_negative()).then_some(Self::Rational(value))
    }

    /// The parameter ε = ln `value`, if it is not negative; ln 1 and ln e^q are rational numbers.
    pub fn ln(value: impl Into<Number>) -> Option<Self> {
        let value = value.into();
        match &value {
            Number::Exponential(power) if value == exp(power.unit()) => {
                return Some(Self::Rational(power.unit().clone()));
            }
            _ if value.is_one() => return Some(Self::zero()),
            _ => {}
        }
        (value > Number::one()).then_some(Self::Ln(value))
    }

    /// The parameter ε = 0.
    pub fn zero() -> Self {
        Self::Rational(Rational::zero())
    }

    /// Whether ε = 0.
    pub fn is_zero(&self) -> bool {
        matches!(self, Self::Rational(q) if q.is_zero())
    }

    /// The factor e^ε.
    pub fn factor(&self) -> Number {
        match self {
            Self::Rational(q) => exp(q),
            Self::Ln(factor) => factor.clone(),
        }
    }

    /// The factor e^ε as text that can stand in a product: `3/2`, `exp(1/2)`, `(1/2 + exp(1))`.
    pub fn shown_factor(&self) -> String {
        let factor = self.factor();
        match self {
            Self::Ln(Number::Exponential(_)) => format!("({factor})"),
            _ => factor.to_string(),
        }
    }

    /// The unit u and the greatest exponent of e in e^ε, if there is one but 0: e^ε is in ℚ(eᵘ).
    pub fn exponents(&self) -> Option<(Rational, Rational)> {
        exponents(&self.factor())
    }

    /// Reads an [expression](super::expression) with a rational value, or the logarithm of one:
    /// `1/2`, `0`, `1/4 + 1/4`, `ln(3/2)`, `ln 2`, `ln(3/4 + 1/4*exp(1))`.
    ///
    /// # Errors
    ///
    /// Other texts, negative values, and rational values above 65536 or of more than 1024 bits.
    pub fn parse(text: &str) -> Result<Self, ParseNumberError> {
        Self::parse_in(text, &BTreeMap::new())
    }

    /// [`Epsilon::parse`] with variables in scope.
    ///
    /// # Errors
    ///
    /// As [`Epsilon::parse`].
    pub fn parse_in(
        text: &str,
        variables: &BTreeMap<String, Number>,
    ) -> Result<Self, ParseNumberError> {
        let mut parser = Parser::new(text, variables);
        parser.skip_space();
        let value = if text.trim_start().starts_with("ln") {
            Self::parse_ln(&mut parser)?
        } else {
            Self::parse_rational(&mut parser)?
        };
        parser.end("the end of ε")?;
        Ok(value)
    }

    fn parse_rational(parser: &mut Parser<'_>) -> Result<Self, ParseNumberError> {
        let start = parser.place();
        let value = parser.sum()?;
        let Number::Rational(value) = value else {
            return Err(
                parser.refuse(start, "a rational ε, or `ln(…)` of any number of at least 1")
            );
        };
        if value > Rational::from(BigInt::from(MAX_EPSILON)) {
            return Err(parser.refuse(start, format!("an ε of at most {MAX_EPSILON}")));
        }
        if value.numer().bits().max(value.denom().bits()) > EXPONENT_BITS {
            let expected = format!("an ε p/q with p and q of at most {EXPONENT_BITS} bits");
            return Err(parser.refuse(start, expected));
        }
        Self::rational(value).ok_or_else(|| parser.refuse(start, "an ε that is not negative"))
    }

    /// `ln(a)`, where nothing may follow, or `ln 2`.
    fn parse_ln(parser: &mut Parser<'_>) -> Result<Self, ParseNumberError> {
        parser.take('l');
        parser.take('n');
        let after = parser.place();
        parser.skip_space();
        let spaced = parser.place() > after;
        let bracket = parser.take('(');
        if !bracket && !spaced {
            return Err(parser.unexpected("`(` or a space after `ln`"));
        }
        parser.skip_space();
        let start = parser.place();
        let value = if bracket { parser.sum()? } else { parser.product()? };
        let value = Self::ln(value).ok_or_else(|| {
            parser.refuse(start, "a number of at least 1, so that ε is not negative")
        })?;
        if bracket {
            parser.close()?;
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
            Self::Ln(factor) => write!(f, "ln({factor})"),
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
            ("ln 3/2", "ln(3/2)"),
            ("1/4+1/4", "1/2"),
            ("ln(exp(1/2))", "1/2"),
            ("ln(3/4 + 1/4*exp(1))", "ln(3/4 + 1/4*exp(1))"),
            ("ln((1+exp(1/2))/(2))", "ln(1/2 + 1/2*exp(1/2))"),
            ("ln((exp(1))/(1+exp(1/2)))", "ln((exp(1))/(1 + exp(1/2)))"),
        ] {
            let epsilon = Epsilon::parse(text).unwrap();
            assert_eq!(epsilon.to_string(), shown, "{text}");
            assert_eq!(Epsilon::parse(shown), Ok(epsilon));
        }
    }

    #[test]
    fn faults_name_their_column() {
        for (text, message) in [
            ("", "column 1: expected a number, a name or `(`, found the end"),
            ("-1/2", "column 1: expected an ε that is not negative, found `-1/2`"),
            ("65537", "column 1: expected an ε of at most 65536, found `65537`"),
            (
                "2^-1024",
                "column 1: expected an ε p/q with p and q of at most 1024 bits, found `2^-1024`",
            ),
            (
                "exp(1)",
                "column 1: expected a rational ε, or `ln(…)` of any number of at least 1, found \
                 `exp(1)`",
            ),
            (
                "ln(1/2)",
                "column 4: expected a number of at least 1, so that ε is not negative, found `1/2`",
            ),
            (
                "ln 0",
                "column 4: expected a number of at least 1, so that ε is not negative, found `0`",
            ),
            // e < 3.
            (
                "ln(exp(1)/3)",
                "column 4: expected a number of at least 1, so that ε is not negative, found \
                 `exp(1)/3`",
            ),
            ("ln2", "column 3: expected `(` or a space after `ln`, found `2`"),
            ("ln(2", "column 5: expected an operator or `)`, found the end"),
            ("ln", "column 3: expected `(` or a space after `ln`, found the end"),
            ("1/2)", "column 4: expected the end of ε, found `)`"),
            // ln(3)/2 is not ln(3/2).
            ("ln(3)/2", "column 6: expected the end of ε, found `/`"),
            ("ln (4)^2", "column 7: expected the end of ε, found `^`"),
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

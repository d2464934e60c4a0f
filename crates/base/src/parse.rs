//! Reading rational numbers: `3/4`, `0.25`, `25e-2`, `2^-10`, with sizes refused before anything
//! large is allocated.

use num_integer::Integer;
use num_traits::{One, Pow, Zero};

use super::rational::{BigInt, Rational};
use crate::error::{Error, Position};

/// The most bits the numerator or denominator of one literal may have.
const MAX_BITS: u64 = 1 << 16;
/// The most digits of one literal, written out: those of 2^(2^16). So whatever is read is read again when it
/// is shown.
const MAX_DIGITS: usize = 19_729;
/// The largest magnitude of a decimal exponent.
const MAX_DECIMAL_EXPONENT: u64 = 10_000;

/// What is wrong with the text of a number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: expected {expected}, found {found}")]
pub struct ParseNumberError {
    /// The column in characters, counted from 1.
    pub column: usize,
    /// What the syntax asks for at this place.
    pub expected: String,
    /// What is there.
    pub found: String,
}

impl ParseNumberError {
    /// The error as one of the input in which the number starts at `start`.
    pub fn locate(&self, start: &Position) -> Error {
        let before = start.column.map_or(0, |c| c.saturating_sub(1));
        let position =
            Position { column: start.line.map(|_| before + self.column), ..start.clone() };
        Error::malformed(position, self.expected.clone(), self.found.clone())
    }
}

/// Reads a rational number.
///
/// A number is an optional sign, a literal, and optionally `/` and a second literal; a literal is
/// an integer (`7`), a decimal (`0.25`), one with a decimal exponent (`25e-2`), or a power
/// (`2^-10`), which binds tighter than `/` and the sign. Spaces may surround the number and `/`.
///
/// # Errors
///
/// Anything else; a zero denominator; and literals whose numerator or denominator would exceed
/// 2^16 bits.
pub fn parse_rational(text: &str) -> Result<Rational, ParseNumberError> {
    let mut cursor = Cursor::new(text);
    cursor.spaces();
    let value = cursor.rational()?;
    cursor.spaces();
    cursor.end("the end of the number")?;
    Ok(value)
}

/// A reader of characters that knows its column.
#[derive(Debug)]
struct Cursor {
    characters: Vec<char>,
    next: usize,
}

impl Cursor {
    fn new(text: &str) -> Self {
        Self { characters: text.chars().collect(), next: 0 }
    }

    fn peek(&self) -> Option<char> {
        self.characters.get(self.next).copied()
    }

    fn spaces(&mut self) {
        while self.peek().is_some_and(|c| c == ' ' || c == '\t') {
            self.next += 1;
        }
    }

    /// Takes `word` if it comes next.
    fn take(&mut self, word: &str) -> bool {
        let length = word.chars().count();
        let rest = &self.characters[self.next..];
        let fits = rest.len() >= length && word.chars().zip(rest).all(|(a, b)| a == *b);
        if fits {
            self.next += length;
        }
        fits
    }

    fn end(&self, expected: &str) -> Result<(), ParseNumberError> {
        if self.peek().is_none() { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// The next character is not what was expected.
    fn unexpected(&self, expected: &str) -> ParseNumberError {
        let found = self.peek().map_or_else(|| "the end".to_owned(), |c| format!("`{c}`"));
        ParseNumberError { column: self.next + 1, expected: expected.to_owned(), found }
    }

    /// What was read since `start` is not acceptable.
    fn refuse(&self, start: usize, expected: impl Into<String>) -> ParseNumberError {
        const SHOWN: usize = 40;
        let text = &self.characters[start..self.next];
        let mut found: String = text.iter().take(SHOWN).collect();
        found.truncate(found.trim_end().len());
        if text.len() > SHOWN {
            found.push('…');
        }
        ParseNumberError {
            column: start + 1,
            expected: expected.into(),
            found: format!("`{found}`"),
        }
    }

    /// A signed number, as [`parse_rational`] describes it, without the spaces around it.
    fn rational(&mut self) -> Result<Rational, ParseNumberError> {
        let negative = self.sign();
        let mut value = self.literal()?;
        let after = self.next;
        self.spaces();
        if self.take("/") {
            self.spaces();
            let start = self.next;
            let denominator = self.literal()?;
            if denominator.is_zero() {
                return Err(self.refuse(start, "a denominator other than zero"));
            }
            value /= denominator;
        } else {
            self.next = after;
        }
        Ok(if negative { -value } else { value })
    }

    /// Takes an optional sign; true for minus.
    fn sign(&mut self) -> bool {
        let negative = self.take("-") || self.take("−");
        if !negative {
            self.take("+");
        }
        negative
    }

    /// Takes a possibly empty run of decimal digits.
    fn digits(&mut self) -> String {
        let start = self.next;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.next += 1;
        }
        self.characters[start..self.next].iter().collect()
    }

    fn literal(&mut self) -> Result<Rational, ParseNumberError> {
        let start = self.next;
        let mut digits = self.digits();
        if digits.is_empty() {
            return Err(self.unexpected("a digit"));
        }
        let mut places = 0;
        if self.take(".") {
            let fraction = self.digits();
            if fraction.is_empty() {
                return Err(self.unexpected("a digit after the point"));
            }
            places = fraction.len();
            digits.push_str(&fraction);
        }
        if digits.len() > MAX_DIGITS {
            return Err(self.refuse(start, format!("at most {MAX_DIGITS} digits")));
        }
        let integer: BigInt = digits.parse().map_err(|_| self.refuse(start, "digits"))?;
        let base = Rational::new(integer, BigInt::from(10u32).pow(places));
        if self.take("e") || self.take("E") {
            self.decimal_exponent(start, &base, [digits.len(), places])
        } else if self.take("^") {
            self.power(start, &base)
        } else {
            Ok(base)
        }
    }

    /// A signed exponent: whether it is negative, and its magnitude (saturating).
    fn exponent(&mut self) -> Result<(bool, u64), ParseNumberError> {
        let negative = self.sign();
        let digits = self.digits();
        if digits.is_empty() {
            return Err(self.unexpected("a digit of an exponent"));
        }
        Ok((negative, digits.parse().unwrap_or(u64::MAX)))
    }

    /// The literal that begins at `whole`, whose `base` has so many digits, and so many after the point.
    fn decimal_exponent(
        &mut self,
        whole: usize,
        base: &Rational,
        [digits, places]: [usize; 2],
    ) -> Result<Rational, ParseNumberError> {
        let start = self.next;
        let (negative, magnitude) = self.exponent()?;
        if magnitude > MAX_DECIMAL_EXPONENT {
            let limit = MAX_DECIMAL_EXPONENT;
            return Err(self.refuse(start, format!("an exponent from -{limit} to {limit}")));
        }
        let length = if negative { places + 1 } else { digits };
        let long = usize::try_from(magnitude).is_ok_and(|more| length + more > MAX_DIGITS);
        if long {
            return Err(self.refuse(whole, format!("at most {MAX_DIGITS} digits, written out")));
        }
        let factor = Rational::from(BigInt::from(10u32).pow(magnitude));
        Ok(if negative { base / factor } else { base * factor })
    }

    fn power(&mut self, whole: usize, base: &Rational) -> Result<Rational, ParseNumberError> {
        let start = self.next;
        let (negative, magnitude) = self.exponent()?;
        if negative && base.is_zero() {
            return Err(self.refuse(whole, "a base other than zero under a negative exponent"));
        }
        let trivial = base.is_zero() || base.is_one();
        let size = base.numer().bits().max(base.denom().bits());
        if !trivial && magnitude.saturating_mul(size) > MAX_BITS {
            return Err(self.refuse(start, format!("a power of at most {MAX_BITS} bits")));
        }
        // A power of 0 or 1 depends only on whether the exponent is zero.
        let magnitude = if trivial { magnitude.min(1) } else { magnitude };
        let (numerator, denominator) =
            (Pow::pow(base.numer(), magnitude), Pow::pow(base.denom(), magnitude));
        debug_assert!(numerator.gcd(&denominator).is_one());
        Ok(if negative {
            Rational::new(denominator, numerator)
        } else {
            Rational::new(numerator, denominator)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::show;
    use littlestone_properties::config;
    use proptest::prelude::*;

    fn read(text: &str) -> String {
        parse_rational(text).map_or_else(|e| e.to_string(), |v| show(&v))
    }

    #[test]
    fn every_syntax_is_read() {
        for (text, value) in [
            ("3/4", "3/4"),
            ("0.25", "1/4"),
            ("25e-2", "1/4"),
            ("2.5E+1", "25"),
            ("2^-10", "1/1024"),
            ("2^10", "1024"),
            ("-2^2", "-4"),
            ("-1/2", "-1/2"),
            ("7", "7"),
            ("+7", "7"),
            (" 1 / 2 ", "1/2"),
            ("1/2^10", "1/1024"),
            ("6/4", "3/2"),
            ("1/0.5", "2"),
            ("0.5^3", "1/8"),
            ("0^0", "1"),
            ("1^99999999999999999999", "1"),
            ("007", "7"),
        ] {
            assert_eq!(read(text), value, "{text}");
        }
    }

    #[test]
    fn faults_name_their_column() {
        for (text, message) in [
            ("", "column 1: expected a digit, found the end"),
            ("x", "column 1: expected a digit, found `x`"),
            ("1/", "column 3: expected a digit, found the end"),
            ("1/0", "column 3: expected a denominator other than zero, found `0`"),
            ("1/-2", "column 3: expected a digit, found `-`"),
            ("1.", "column 3: expected a digit after the point, found the end"),
            (".5", "column 1: expected a digit, found `.`"),
            ("1e", "column 3: expected a digit of an exponent, found the end"),
            ("½", "column 1: expected a digit, found `½`"),
            ("1 2", "column 3: expected the end of the number, found `2`"),
            ("1/2/3", "column 4: expected the end of the number, found `/`"),
            (
                "0^-1",
                "column 1: expected a base other than zero under a negative exponent, found `0^-1`",
            ),
            (
                "1e1000000000",
                "column 3: expected an exponent from -10000 to 10000, found `1000000000`",
            ),
            (
                "1e-99999999999999999999999",
                "column 3: expected an exponent from -10000 to 10000, found \
                 `-99999999999999999999999`",
            ),
            (
                "2^-99999999999",
                "column 3: expected a power of at most 65536 bits, found `-99999999999`",
            ),
        ] {
            assert_eq!(read(text), message, "{text}");
        }
        let long = "9".repeat(MAX_DIGITS + 1);
        assert!(read(&long).starts_with("column 1: expected at most 19729 digits, found `9999"));
    }

    #[test]
    fn faults_are_located_in_their_file() {
        let error = parse_rational("1/x").unwrap_err();
        let start = Position::at("a.toml", 3, 9);
        assert_eq!(error.locate(&start).to_string(), "a.toml:3:11: expected a digit, found `x`");
    }

    proptest! {
        #![proptest_config(config(256))]

        #[test]
        fn shown_numbers_are_read_back(p in any::<i128>(), q in 1..=i128::MAX) {
            let value = Rational::new(p.into(), q.into());
            prop_assert_eq!(parse_rational(&show(&value)), Ok(value));
        }

        #[test]
        fn no_text_panics(text in "[-+0-9./e^ x]{0,12}") {
            let _ = parse_rational(&text);
        }
    }
}

//! The privacy parameter δ: any number of the field in [0, 1).

use std::collections::BTreeMap;

use super::expression::whole;
use super::number::Number;
use super::parse::ParseNumberError;

/// Reads the δ of (ε, δ)-differential privacy (Definitions 2 and 4): an exact expression, such as
/// `1/4`, `10^-6` or `3/4 - 1/4*exp(1/2)`, with a value in [0, 1).
///
/// # Errors
///
/// Whatever is no [expression](super::expression), and other values.
pub fn parse_delta(text: &str) -> Result<Number, ParseNumberError> {
    let delta = whole(text, &BTreeMap::new())?;
    if delta.sign().is_ge() && delta < Number::one() {
        return Ok(delta);
    }
    let expected = "a δ that is at least 0 and less than 1".to_owned();
    Err(ParseNumberError { column: 1, expected, found: format!("`{}`", text.trim()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// √e = 1.648…, so the last of the numbers is 1.9·10^−4.
    #[test]
    fn numbers_from_0_to_1_are_read() {
        for text in ["0", "1/4", "1/4+1/4", "1e-6", "3/4 - 1/4*exp(1/2)", "exp(1/2) - 1.6485"] {
            assert!(parse_delta(text).is_ok(), "{text}");
        }
        for (text, message) in [
            ("1", "column 1: expected a δ that is at least 0 and less than 1, found `1`"),
            ("-1/8", "column 1: expected a δ that is at least 0 and less than 1, found `-1/8`"),
            (
                " exp(1/2) - 1.6488",
                "column 1: expected a δ that is at least 0 and less than 1, found `exp(1/2) - 1.6488`",
            ),
            ("1/", "column 3: expected a number, a name or `(`, found the end"),
            ("x", "column 1: expected a number, found the unknown name `x`"),
        ] {
            assert_eq!(parse_delta(text).unwrap_err().to_string(), message);
        }
    }
}

//! The values of exact expressions in claims.

use std::collections::BTreeMap;

use num_traits::ToPrimitive;

use crate::error::{Error, Position};
use crate::exact::Number;
use crate::mechanism::expression;

use super::Located;

/// The names that expressions of one check may use, with their values.
pub(super) type Scope = BTreeMap<String, Number>;

/// The value of an expression. A fault is placed in the claim file.
pub(super) fn evaluate(expression: &Located<String>, scope: &Scope) -> Result<Number, Error> {
    expression::evaluate(&expression.value, scope).map_err(|error| match error {
        Error::Malformed { position, expected, found } => Error::Malformed {
            position: within(&expression.position, &position),
            expected,
            found: format!("{found} in `{}`", expression.value.replace('\n', " ")),
        },
        other => other,
    })
}

/// The value of an expression that stands for an integer of at most 64 bits.
pub(super) fn integer(expression: &Located<String>, scope: &Scope) -> Result<i64, Error> {
    let value = evaluate(expression, scope)?;
    let refuse = |expected: &str| {
        let text = expression.value.replace('\n', " ");
        let shown = value.to_string();
        let found = if shown == text { text } else { format!("`{text}` = {shown}") };
        Error::malformed(expression.position.clone(), expected, found)
    };
    let Some(rational) = value.as_rational().filter(|value| value.is_integer()) else {
        return Err(refuse("an expression whose value is an integer"));
    };
    rational.numer().to_i64().ok_or_else(|| refuse("an integer of at most 64 bits"))
}

/// The place in the file of a place in a string that begins at `start`.
pub(super) fn within(start: &Position, place: &Position) -> Position {
    let line = start.line.zip(place.line).map(|(first, line)| first + line - 1);
    let column = match (start.column, place.column) {
        (Some(first), Some(column)) if place.line == Some(1) => Some(first + column - 1),
        (_, column) => column,
    };
    Position { source: start.source.clone(), line, column }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(value: &str, line: usize, column: usize) -> Located<String> {
        Located { value: value.to_owned(), position: Position::at("a.toml", line, column) }
    }

    #[test]
    fn faults_stand_where_the_expression_stands() {
        let fault = |e: &Located<String>| evaluate(e, &Scope::new()).unwrap_err().to_string();
        assert_eq!(
            fault(&at("1 / d", 7, 10)),
            "a.toml:7:14: expected a number, found the unknown name `d` in \
             `1 / d`"
        );
        assert!(fault(&at("1 +\n x", 7, 10)).starts_with("a.toml:8:2: "));
    }

    /// By hand: 2^3 − 1 = 7, binomial(4, 2) = 6, 6/4 is no integer, 2^63 is one more than fits.
    #[test]
    fn integers_are_the_values_of_expressions() {
        let of = |text: &str| integer(&at(text, 1, 5), &Scope::new());
        assert_eq!(of("2^3 - 1"), Ok(7));
        assert_eq!(of("-binomial(4, 2)"), Ok(-6));
        assert_eq!(
            of("6/4").unwrap_err().to_string(),
            "a.toml:1:5: expected an expression whose value is an integer, found `6/4` = 3/2"
        );
        assert!(of("exp(1)").is_err());
        assert_eq!(
            of("2^63").unwrap_err().to_string(),
            "a.toml:1:5: expected an integer of at most 64 bits, found `2^63` = 9223372036854775808"
        );
        assert_eq!(of("-2^63"), Ok(i64::MIN));
    }
}

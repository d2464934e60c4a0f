//! Expressions within the values of fields: where they stand, and their values in their places.
//!
//! Which texts are expressions is told by the format of the field: `number`, `epsilon` and `whole` are one
//! each, a `pair` is two with a colon between them, and the weights of a `law` are numbers. Lists have
//! them entry by entry.

use serde_json::Value;

use crate::error::{Error, Position};
use crate::exact::{Epsilon, expression};
use crate::questions::written::mentions;

use super::super::super::Located;
use super::super::super::value::{Scope, evaluate};

/// The expressions in a text of such a field, which may have names in them.
fn within_text<'t>(format: Option<&str>, text: &'t str) -> Vec<&'t str> {
    match format {
        Some("number" | "epsilon" | "whole") => vec![text],
        Some("pair") => text.split(':').collect(),
        _ => Vec::new(),
    }
}

/// The expressions in the value of such a field.
pub(super) fn expressions<'v>(format: Option<&str>, value: &'v Value) -> Vec<&'v str> {
    match value {
        Value::String(text) => within_text(format, text),
        Value::Array(list) => list.iter().flat_map(|value| expressions(format, value)).collect(),
        Value::Object(law) if format == Some("law") => {
            law.values().filter_map(Value::as_str).collect()
        }
        _ => Vec::new(),
    }
}

/// Puts its value in the place of each expression. The text of the field begins at `inside`.
///
/// # Errors
/// When an expression has no value.
pub(super) fn put_values(
    value: &mut Value,
    format: Option<&str>,
    inside: &Position,
    scope: &Scope,
) -> Result<(), Error> {
    match value {
        Value::Array(list) => {
            list.iter_mut().try_for_each(|value| put_values(value, format, inside, scope))
        }
        Value::Object(law) if format == Some("law") => {
            let mut weights = law.values_mut();
            weights.try_for_each(|value| put_values(value, Some("number"), inside, scope))
        }
        Value::String(text) => {
            let parts = within_text(format, text);
            if parts.is_empty() {
                return Ok(());
            }
            let values = parts.into_iter().map(|part| value_of(part, format, inside, scope));
            *text = values.collect::<Result<Vec<_>, _>>()?.join(":");
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The value of an expression as text; what the field can read itself is left as it is written.
fn value_of(
    text: &str,
    format: Option<&str>,
    inside: &Position,
    scope: &Scope,
) -> Result<String, Error> {
    let named = scope.keys().any(|name| mentions(text, name));
    let number = matches!(format, Some("number" | "pair"));
    if !(named || number && expression::evaluate(text, &Scope::new()).is_err()) {
        return Ok(text.to_owned());
    }
    if format == Some("epsilon") {
        let fault = |e| Error::At { position: inside.clone(), message: format!("{e}") };
        return Ok(Epsilon::parse_in(text, scope).map_err(fault)?.to_string());
    }
    let expression = Located { value: text.to_owned(), position: inside.clone() };
    Ok(evaluate(&expression, scope)?.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::exact::Number;

    #[test]
    fn a_pair_is_two_expressions_as_a_list_and_as_text() {
        let inside = Position { source: "a.toml".into(), line: Some(1), column: Some(1) };
        let scope = Scope::from([("x".to_owned(), Number::from(3))]);
        let mut value = json!(["x:x/24", ["x", "x/24"], "3:0"]);
        put_values(&mut value, Some("pair"), &inside, &scope).unwrap();
        assert_eq!(value, json!(["3:1/8", ["3", "1/8"], "3:0"]));
        assert!(put_values(&mut json!(["y:0"]), Some("pair"), &inside, &scope).is_err());
    }
}

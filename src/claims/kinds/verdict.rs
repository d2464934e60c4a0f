//! The keys `epsilon` and `delta` of kinds that are no questions.

use crate::error::Error;
use crate::exact::{Epsilon, Number};

use super::super::{Fields, Located};
use super::bound::{Scope, evaluate};

pub(super) fn epsilon(fields: &mut Fields<'_>) -> Option<Epsilon> {
    if !fields.has("epsilon") {
        fields.missing("the key `epsilon`");
    }
    let text = fields.expression("epsilon")?;
    match Epsilon::parse(&text.value) {
        Ok(epsilon) => Some(epsilon),
        Err(error) => {
            let expected = "ε at least 0, as a rational number or as ln(…)";
            fields.refuse(text.position, expected, &format!("`{}`: {error}", text.value));
            None
        }
    }
}

/// The value of an expression for a δ.
///
/// # Errors
/// When it has none, or one below 0.
pub(super) fn delta(expression: &Located<String>, scope: &Scope) -> Result<Number, Error> {
    let value = evaluate(expression, scope)?;
    if value.sign().is_lt() {
        let found = format!("`{}` = {value}", expression.value);
        return Err(Error::malformed(expression.position.clone(), "a δ of at least 0", found));
    }
    Ok(value)
}

//! The key `epsilon` of kinds that are no questions.

use crate::exact::Epsilon;

use super::super::Fields;

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

//! The key `with`: names that expressions of a claim may use.

use crate::questions::written::is_name;

use super::super::{Fields, Located};
use super::Key;

pub(super) const WITH: Key =
    Key { name: "with", grid: true, about: "a table of names for expressions; lists are grids" };

/// The names that expressions have of their own.
const RESERVED: [&str; 6] = ["T", "d", "points", "hypotheses", "epsilon", "exp_epsilon"];

/// The names with their expressions; none is one that expressions have of their own.
pub(super) fn read(fields: &mut Fields<'_>) -> Option<Vec<(String, Located<String>)>> {
    let with = if fields.has(WITH.name) { fields.expressions(WITH.name)? } else { Vec::new() };
    let mut named = true;
    for (name, value) in &with {
        if !is_name(name) || RESERVED.contains(&name.as_str()) {
            let expected = format!("a name in `with` other than {}", RESERVED.join(", "));
            fields.refuse(value.position.clone(), &expected, &format!("`{name}`"));
            named = false;
        }
    }
    named.then_some(with)
}

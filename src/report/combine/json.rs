//! The table as JSON.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Asked, Row, smallest};
use crate::questions::blocks::enclosure;

/// Sorted keys, whatever the features of the JSON library.
type Object = BTreeMap<&'static str, Value>;

/// The table: docs/schemas/table-combine.schema.json. `complete` says whether all values of D that
/// were asked for are there.
pub fn json(asked: &Asked, rows: &[Row], complete: bool) -> Value {
    let mut object = Object::from([
        ("command", "table combine".into()),
        ("complete", complete.into()),
        ("epsilon", asked.epsilon.to_string().into()),
        ("format", 1.into()),
        ("mechanism", "combine".into()),
        ("notion", "joint-differential-privacy".into()),
        ("rounds", asked.rounds.into()),
        ("rows", rows.iter().map(row).collect()),
    ]);
    if !complete {
        object.insert("verdict", "undecided".into());
    }
    if let Some(delta) = &asked.delta {
        object.insert("delta", delta.to_string().into());
        object.insert("smallest", smallest(asked, rows).map_or(Value::Null, Value::from));
    }
    value(object)
}

fn row(row: &Row) -> Value {
    let mut object = Object::from([
        ("d", row.d.into()),
        ("decimal", row.delta.decimal(super::DIGITS).into()),
        ("worst_delta", row.delta.to_string().into()),
    ]);
    if row.delta.as_rational().is_none() {
        object.insert("worst_delta_enclosure", Vec::from(enclosure(&row.delta)).into());
    }
    value(object)
}

fn value(object: Object) -> Value {
    object.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

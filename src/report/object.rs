//! JSON objects whose keys are sorted, whatever the features of the JSON library.

use std::collections::BTreeMap;

use serde_json::Value;

/// The keys of a JSON object, in sorted order.
pub(crate) type Object = BTreeMap<&'static str, Value>;

/// The object as a value.
pub(crate) fn value(object: Object) -> Value {
    object.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

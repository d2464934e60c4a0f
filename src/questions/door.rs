//! From a map of keys to a question.
//!
//! serde excludes `flatten` together with `deny_unknown_fields`, so the keys are compared with the
//! derived schema first, which also finds the nearest name.

use std::collections::BTreeMap;

use schemars::{JsonSchema, schema_for};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize as _, Deserializer};
use serde_json::{Map, Value};

use crate::error::{Error, Result, the_nearest};

use super::Question;

/// A field as the derives state it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What it means: its documentation.
    pub about: String,
    /// Whether it has to be there.
    pub required: bool,
    /// Whether it is a whole number.
    pub integer: bool,
    /// Whether a list is one value, and not one question for each of its values.
    pub list: bool,
    /// The least number that it can be, where its kind says so.
    pub least: Option<i64>,
    /// The greatest number that it can be, where its kind says so.
    pub most: Option<i64>,
    /// What its text stands for, where an expression of claims may stand: `number`, `epsilon`, ….
    pub format: Option<String>,
}

/// The fields of a struct, in the order of their names.
pub fn fields<T: JsonSchema>() -> Vec<Field> {
    let schema = schema_for!(T).to_value();
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let read = |(name, stated): (&String, &Value)| Field {
        required: required.contains(&name.as_str()),
        ..field(name, stated)
    };
    properties(&schema, &schema).into_iter().map(read).collect()
}

fn field(name: &str, stated: &Value) -> Field {
    let format = format(stated);
    let [least, most] = match format.as_deref() {
        Some("probability") => [Some(0), Some(1)],
        Some("amount") => [Some(0), None],
        _ => ["minimum", "maximum"].map(|key| stated.get(key).and_then(Value::as_i64)),
    };
    let text = |key: &str| stated.get(key).and_then(Value::as_str).map(str::to_owned);
    let is = |wanted: &str| match stated.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == wanted),
        kind => kind.is_some_and(|kind| kind == wanted),
    };
    Field {
        name: name.to_owned(),
        about: text("description").unwrap_or_default().replace('\n', " "),
        required: false,
        integer: is("integer") && !is("string"),
        list: is("array"),
        least,
        most,
        format,
    }
}

/// What the schema of an answer says of the value at a path: names of keys and places in lists, with dots
/// between.
pub(super) fn value(schema: &Value, path: &str) -> Option<Field> {
    let mut list = None;
    let stated = path.split('.').try_fold(schema, |stated, step| {
        if step.bytes().all(|b| b.is_ascii_digit()) {
            list = Some(stated);
            return stated.get("items");
        }
        list = None;
        properties(schema, stated)
            .into_iter()
            .find(|(name, _)| *name == step)
            .map(|(_, value)| value)
    })?;
    // What is stated of a list of numbers is so of each.
    let whole = list.map(|list| field(path, list));
    let entry = field(path, stated);
    Some(match whole {
        Some(Field { format, least, most, .. }) if entry.format.is_none() && format.is_some() => {
            Field { format, least, most, ..entry }
        }
        _ => entry,
    })
}

/// The properties of a struct, and those of what is flattened into it, which stand under `anyOf`.
fn properties<'s>(root: &'s Value, schema: &'s Value) -> BTreeMap<&'s String, &'s Value> {
    let named = schema.get("$ref").and_then(Value::as_str);
    let schema =
        named.and_then(|name| root.pointer(name.trim_start_matches('#'))).unwrap_or(schema);
    let own = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let flattened = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|key| schema.get(key));
    let flattened = flattened.filter_map(Value::as_array).flatten();
    own.chain(flattened.flat_map(|part| properties(root, part))).collect()
}

/// What a text of the field stands for; of a list, what each text in it does.
fn format(field: &Value) -> Option<String> {
    match field.get("format").and_then(Value::as_str) {
        Some(format) => Some(format.to_owned()),
        None => format(field.get("items")?),
    }
}

/// What is wrong with a request, and at which key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", if path.is_empty() { String::new() } else { format!("{path}: ") })]
pub struct Misread {
    /// The key, or a path below it; empty when the request as a whole is at fault.
    pub path: String,
    /// What was expected, and what was found.
    pub message: String,
}

impl From<Misread> for Error {
    fn from(misread: Misread) -> Self {
        Self::argument(misread.to_string())
    }
}

/// Reads a question.
///
/// # Errors
/// When a key is unknown or missing, or a value is not what its field takes.
pub fn read<Q: Question>(map: Map<String, Value>) -> std::result::Result<Q, Misread> {
    let fields = fields::<Q>();
    let names = || fields.iter().map(|field| field.name.as_str());
    if let Some(key) = map.keys().find(|key| !names().any(|name| name == *key)) {
        let near = the_nearest(key, names());
        let known = names().collect::<Vec<_>>().join(", ");
        let message = format!("expected a field of `{}` ({known}), found `{key}`{near}", Q::NAME);
        return Err(Misread { path: String::new(), message });
    }
    if let Some(field) = fields.iter().find(|f| f.required && !map.contains_key(&f.name)) {
        let message = format!("expected the field `{}`, found a question without it", field.name);
        return Err(Misread { path: String::new(), message });
    }
    located(Value::Object(map)).map_err(|misread| {
        let of_shared = misread.message.split_once(": ").filter(|_| misread.path.is_empty());
        match of_shared.filter(|(path, _)| names().any(|name| name == *path)) {
            Some((path, message)) => Misread { path: path.to_owned(), message: message.to_owned() },
            None => misread,
        }
    })
}

/// Reads a value; a fault is told with its path.
pub(super) fn located<T: DeserializeOwned>(value: Value) -> std::result::Result<T, Misread> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let path = if path == "." { String::new() } else { path };
        Misread { path, message: error.into_inner().to_string() }
    })
}

/// Reads fields that questions share. serde forgets the path of a fault in them: here the message
/// begins with it.
pub(super) fn flattened<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> std::result::Result<T, D::Error> {
    located(Value::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// [`read`], and the rules across fields.
///
/// # Errors
/// As [`read`] and [`Question::validate`].
pub fn question<Q: Question>(map: Map<String, Value>) -> Result<Q> {
    let question: Q = read(map)?;
    question.validate()?;
    Ok(question)
}

/// The same; a fault of the question is said to be one of a field, so that it stands at the key in
/// claims.
///
/// # Errors
/// As before.
pub(crate) fn of_field<T>(field: &str, result: Result<T>) -> Result<T> {
    result.map_err(|error| match error {
        Error::Argument { message, help } => {
            Error::Argument { message: format!("{field}: {message}"), help }
        }
        other => other,
    })
}

/// The field that an error of a question is about: its message, or the source of its place, begins
/// with the name of the field.
pub fn field_at_fault<'f>(
    error: &Error,
    mut fields: impl Iterator<Item = &'f str>,
) -> Option<&'f str> {
    let named = match error {
        Error::Malformed { position, .. } => &position.source,
        Error::Argument { message, .. } => message.split_once(": ")?.0,
        _ => return None,
    };
    fields.find(|field| *field == named)
}

//! What names a class, a point, and the values in an expression.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use crate::class::reads_input;
use crate::error::show;

use super::numbers::is_name;
use super::{Reads, Written};

/// The name of a class: a file, a family with its arguments, or an expression of such.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Written", into = "String")]
#[schemars(with = "Written", example = "point:3")]
pub struct ClassName(String);

impl ClassName {
    /// A name that is not empty.
    pub(crate) fn named(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The name as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ClassName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("expected a file or a family such as `point:3`, found nothing".into());
        }
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<Written> for ClassName {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        if reads_input(&written.0) {
            let found = "found `-`, the standard input of commands";
            return Err(format!("expected a file or a family such as `point:3`, {found}"));
        }
        written.0.parse()
    }
}

impl From<ClassName> for String {
    fn from(name: ClassName) -> Self {
        name.0
    }
}

impl fmt::Display for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointName(pub String);

impl Reads for PointName {
    const FORMAT: &'static str = "point";
    const EXAMPLE: &'static str = "1";

    fn read(text: &str) -> Result<Self, String> {
        Ok(Self(text.to_owned()))
    }
}

/// Names with expressions, in order: as text `g=1/8,h=1-g`, or in claims and requests as a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bindings(pub Vec<(String, String)>);

impl FromStr for Bindings {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        let read = |entry: &str| {
            let (name, value) = entry.split_once('=')?;
            is_name(name.trim()).then(|| (name.trim().to_owned(), value.trim().to_owned()))
        };
        let mut bindings: Vec<(String, String)> = Vec::new();
        for entry in entries {
            let (name, value) = read(entry)
                .ok_or_else(|| format!("expected name=expression, found {}", show(entry)))?;
            if bindings.iter().any(|(known, _)| *known == name) {
                return Err(format!("expected each name once, found {name} twice"));
            }
            bindings.push((name, value));
        }
        Ok(Self(bindings))
    }
}

impl fmt::Display for Bindings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries: Vec<String> = self.0.iter().map(|(n, v)| format!("{n}={v}")).collect();
        f.write_str(&entries.join(","))
    }
}

impl Serialize for Bindings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Bindings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = match Value::deserialize(deserializer)? {
            Value::String(text) => text.parse(),
            Value::Object(table) => {
                let entry = |(name, value): (String, Value)| {
                    if !is_name(&name) {
                        return Err(format!("expected a name, found {}", show(&name)));
                    }
                    let value = Written::deserialize(value).map_err(|error| error.to_string())?;
                    Ok::<_, String>((name, value.0))
                };
                table.into_iter().map(entry).collect::<Result<_, _>>().map(Self)
            }
            _ => Err("expected a table of names, or a string such as \"g=1/8\"".to_owned()),
        };
        read.map_err(de::Error::custom)
    }
}

impl JsonSchema for Bindings {
    fn schema_name() -> Cow<'static, str> {
        "bindings".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["string", "object"], "examples": ["g=1/8"],
            "additionalProperties": { "type": ["string", "integer"] },
        })
    }
}

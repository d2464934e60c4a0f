//! Types of fields that read themselves from text. A number of TOML or JSON is taken as its text, so
//! that `3` and `"3"` are one; every door then has the same parser and the same error.

mod bytes;
mod names;
mod numbers;
mod streams;

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use crate::adversary::Arguments;
use crate::class::Header;

pub use bytes::Size;
pub use names::{Bindings, ClassName, PointName};
pub use numbers::{AtLeastOne, AtLeastZero, Between, Count, Delta, Formula, Share};
pub(crate) use numbers::{is_name, mentions, whole};
pub use streams::{Example, Labels, LawText, StreamText};

/// Text, or a whole number, which stands for its digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written(pub String);

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => Ok(Self(text)),
            Value::Number(number) if number.is_i64() || number.is_u64() => {
                Ok(Self(number.to_string()))
            }
            Value::Number(number) => {
                let expected = "an exact number as a string, such as \"1/4\" or \"0.25\"";
                let message = format!("expected {expected}, found {number}, which is not exact");
                Err(de::Error::custom(message))
            }
            other => Err(de::Error::custom(format!(
                "expected a string or a whole number, found {other}"
            ))),
        }
    }
}

impl JsonSchema for Written {
    fn schema_name() -> Cow<'static, str> {
        "Written".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "integer"] })
    }
}

/// What a field's text stands for.
pub trait Reads: Sized {
    /// The name of the form, for claims: where it is `number` or `epsilon`, names may stand in it.
    const FORMAT: &'static str;
    /// A text that is read.
    const EXAMPLE: &'static str;

    /// Reads a text.
    ///
    /// # Errors
    /// What was expected, and what was found.
    fn read(text: &str) -> Result<Self, String>;
}

/// A value with the text that it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<T> {
    text: String,
    /// What the text stands for.
    pub value: T,
}

impl<T: Reads> Text<T> {
    /// The value of a field that is left out.
    pub(super) fn default_of(text: &str) -> Self {
        text.parse().expect("a default is well formed")
    }
}

impl<T: Reads> FromStr for Text<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        T::read(text).map(|value| Self { text: text.to_owned(), value })
    }
}

impl<T> fmt::Display for Text<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<T> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de, T: Reads> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Written::deserialize(deserializer)?.0.parse().map_err(de::Error::custom)
    }
}

impl<T: Reads> JsonSchema for Text<T> {
    fn schema_name() -> Cow<'static, str> {
        T::FORMAT.into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["string", "integer"], "format": T::FORMAT, "examples": [T::EXAMPLE],
        })
    }
}

impl Reads for Header {
    const FORMAT: &'static str = "header";
    const EXAMPLE: &'static str = "yes";

    fn read(text: &str) -> Result<Self, String> {
        Self::named(text).ok_or_else(|| "expected yes or no".to_owned())
    }
}

impl Reads for Arguments {
    const FORMAT: &'static str = "adversary";
    const EXAMPLE: &'static str = "thirds:p=1/2";

    fn read(text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|error| error.on_one_line())
    }
}

/// The name of a file with an ending.
fn with_ending(text: &str, ending: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case(ending) => Ok(path),
        _ => Err(format!("expected the name of a file that ends in .{ending}")),
    }
}

/// The name of a drawing.
///
/// # Errors
/// When it does not end in `.svg`.
pub(crate) fn svg_path(text: &str) -> Result<PathBuf, String> {
    with_ending(text, "svg")
}

/// The name of a table of a mechanism, which is recognised by its ending.
///
/// # Errors
/// When it does not end in `.json`.
pub(crate) fn json_path(text: &str) -> Result<PathBuf, String> {
    with_ending(text, "json")
}

//! Examples, streams of them, laws over streams, and functions on the points.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;

use crate::adversary::example;
use crate::class::{Class, read_stream};
use crate::error::{Error, Result as Checked, show};
use crate::exact::{Number, expression};
use crate::mistakes::read_weighted;

use super::{Reads, Written};

/// A labelled example `x:y`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The name of the point.
    pub point: String,
    /// The label.
    pub label: bool,
}

impl Reads for Example {
    const FORMAT: &'static str = "example";
    const EXAMPLE: &'static str = "3:0";

    fn read(text: &str) -> Result<Self, String> {
        let (point, label) = example(text).map_err(|error| error.on_one_line())?;
        Ok(Self { point, label })
    }
}

/// A stream of labelled examples: `x:y,x:y,…`, or a file of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Written", into = "String")]
#[schemars(with = "Written", example = "3:0,1:1")]
pub struct StreamText(String);

impl StreamText {
    /// The examples, each the index of a point of the class and a label. The file, if there is one, is
    /// in `folder`; `-` is standard input.
    ///
    /// # Errors
    /// When the file cannot be read or the examples are malformed; what is wrong in the text itself is
    /// placed in `stream`.
    pub fn read(&self, class: &Class, folder: &Path) -> Checked<Vec<(usize, bool)>> {
        read_stream(class, &self.0, folder, "stream")
    }

    /// [`read`](Self::read) of another field, as records: (point x, label y) is 2x + y.
    ///
    /// # Errors
    /// As [`read`](Self::read), with places in `field`.
    pub fn records(&self, class: &Class, folder: &Path, field: &str) -> Checked<Vec<usize>> {
        let stream = read_stream(class, &self.0, folder, field)?;
        Ok(stream.into_iter().map(|(x, y)| 2 * x + usize::from(y)).collect())
    }

    /// The file that it names, if there is one.
    pub fn file(&self) -> Option<PathBuf> {
        Some(PathBuf::from(&self.0)).filter(|path| path.exists())
    }
}

impl FromStr for StreamText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<Written> for StreamText {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        no_input(written.0).map(Self)
    }
}

impl From<StreamText> for String {
    fn from(stream: StreamText) -> Self {
        stream.0
    }
}

impl fmt::Display for StreamText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A law over streams: `1/2 x:y,x:y; 1/2 x:y,x:y`, or a file with an entry a line; in claims and
/// requests also a table with the weight of each stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LawText(String);

impl LawText {
    /// The file that it names, if there is one.
    pub fn file(&self) -> Option<PathBuf> {
        Some(PathBuf::from(&self.0)).filter(|path| path.exists())
    }

    /// The streams with their weights, which sum to 1. The file, if there is one, is in `folder`.
    ///
    /// # Errors
    /// When the file cannot be read or the law is malformed; what is wrong in the text itself is
    /// placed in `field`.
    pub fn read(
        &self,
        class: &Class,
        folder: &Path,
        field: &str,
    ) -> Checked<Vec<(Vec<usize>, Number)>> {
        read_weighted(class, &self.0, folder, field)
    }
}

impl FromStr for LawText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for LawText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Object(table) => {
                let mut entries = Vec::new();
                for (stream, weight) in table {
                    let Written(weight) =
                        serde_json::from_value(weight).map_err(de::Error::custom)?;
                    let value = expression::evaluate(&weight, &BTreeMap::new());
                    let value = value.map_err(|error| de::Error::custom(error.on_one_line()))?;
                    // A weight ends at the first space.
                    entries.push(format!("{} {stream}", value.to_string().replace(' ', "")));
                }
                Ok(Self(entries.join("; ")))
            }
            Value::String(text) => no_input(text).map(Self).map_err(de::Error::custom),
            other => Err(de::Error::custom(format!(
                "expected a law as a string, or a table of streams with their weights, found {other}"
            ))),
        }
    }
}

impl JsonSchema for LawText {
    fn schema_name() -> Cow<'static, str> {
        "law".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["string", "object"], "format": "law",
            "examples": ["1/2 3:0,1:1; 1/2 3:0,2:1", { "1:1": "1/2", "2:0": "1/2" }],
        })
    }
}

/// Only commands have a standard input of their own.
fn no_input(text: String) -> Result<String, String> {
    if text == "-" {
        return Err("expected the text or a file, found `-`, the standard input of commands".into());
    }
    Ok(text)
}

/// A function on the points, as its labels in point order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labels(pub Vec<bool>);

impl Labels {
    /// The labels, one for each of `points` points.
    ///
    /// # Errors
    /// When there are more or fewer; `field` is what they stand in.
    pub fn on(&self, points: usize, field: &str) -> Checked<&[bool]> {
        if self.0.len() == points {
            return Ok(&self.0);
        }
        Err(Error::argument_with_help(
            format!("{field}: expected {points} labels 0 or 1, found {}", self.0.len()),
            "a function is typed as its labels in point order",
        ))
    }
}

impl Reads for Labels {
    const FORMAT: &'static str = "labels";
    const EXAMPLE: &'static str = "0110";

    fn read(text: &str) -> Result<Self, String> {
        let label = |symbol| match symbol {
            '0' => Some(false),
            '1' => Some(true),
            _ => None,
        };
        let labels: Option<Vec<bool>> = text.chars().map(label).collect();
        labels
            .map(Self)
            .ok_or_else(|| format!("expected labels 0 or 1 in point order, found {}", show(text)))
    }
}

//! Types of fields that read themselves from text. A number of TOML or JSON is taken as its text, so
//! that `3` and `"3"` are one; every door then has the same parser and the same error.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::adversary::Arguments;
use crate::class::{Class, Header, read_stream};
use crate::error::Result as Checked;
use crate::exact::{Epsilon, Number, expression, parse_delta};
use crate::mistakes::read_weighted;

/// Text, or a whole number, which stands for its digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written(pub String);

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrWhole;
        impl Visitor<'_> for TextOrWhole {
            type Value = Written;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a whole number")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Written, E> {
                Ok(Written(text.to_owned()))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Written, E> {
                Ok(Written(number.to_string()))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Written, E> {
                Ok(Written(number.to_string()))
            }

            fn visit_f64<E: de::Error>(self, _: f64) -> Result<Written, E> {
                let expected = "an exact number as a string, such as \"1/4\" or \"0.25\"";
                Err(E::custom(format_args!(
                    "expected {expected}, found a float, which is not exact"
                )))
            }
        }
        deserializer.deserialize_any(TextOrWhole)
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

/// The name of a class: a file, a family with its arguments, or an expression of such.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Written", into = "String")]
#[schemars(with = "Written", example = "point:3")]
pub struct ClassName(String);

impl ClassName {
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

/// A stream of labelled examples: `x:y,x:y,…`, or a file of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Written", into = "String")]
#[schemars(with = "Written", example = "3:0,1:1")]
pub struct StreamText(String);

/// A law over streams: `1/2 x:y,x:y; 1/2 x:y,x:y`, or a file with an entry a line; in claims and
/// requests also a table with the weight of each stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LawText(String);

impl StreamText {
    /// The file, where there is one of this name.
    pub fn file(&self) -> Option<PathBuf> {
        existing(&self.0)
    }

    /// The records of the stream over the points of a class: (point x, label y) is 2x + y.
    ///
    /// # Errors
    /// When the file cannot be read, or the text is malformed: then with a place in `field`.
    pub fn records(&self, points: &Class, folder: &Path, field: &str) -> Checked<Vec<usize>> {
        let stream = read_stream(points, &within(folder, &self.0), field)?;
        Ok(stream.into_iter().map(|(x, y)| 2 * x + usize::from(y)).collect())
    }
}

impl LawText {
    /// The file, where there is one of this name.
    pub fn file(&self) -> Option<PathBuf> {
        existing(&self.0)
    }

    /// The streams with their weights, which sum to 1.
    ///
    /// # Errors
    /// As [`StreamText::records`].
    pub fn streams(
        &self,
        points: &Class,
        folder: &Path,
        field: &str,
    ) -> Checked<Vec<(Vec<usize>, Number)>> {
        read_weighted(points, &within(folder, &self.0), field)
    }
}

fn existing(text: &str) -> Option<PathBuf> {
    Some(PathBuf::from(text)).filter(|path| path.exists())
}

/// The name of the file below the folder where there is one, else the text.
fn within(folder: &Path, text: &str) -> String {
    let path = folder.join(text);
    let below = path.to_str().filter(|_| !text.trim().is_empty() && path.exists());
    below.unwrap_or(text).to_owned()
}

/// Only commands have a standard input of their own.
fn no_input(text: String) -> Result<String, String> {
    if text == "-" {
        return Err("expected the text or a file, found `-`, the standard input of commands".into());
    }
    Ok(text)
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

impl FromStr for LawText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for LawText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrTable;
        impl<'de> Visitor<'de> for TextOrTable {
            type Value = LawText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a law as a string, or a table of streams with their weights")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<LawText, E> {
                no_input(text.to_owned()).map(LawText).map_err(E::custom)
            }

            fn visit_map<M: de::MapAccess<'de>>(self, mut map: M) -> Result<LawText, M::Error> {
                let mut entries = Vec::new();
                while let Some((stream, Written(weight))) = map.next_entry::<String, Written>()? {
                    let value = expression::evaluate(&weight, &BTreeMap::new());
                    let value = value.map_err(|error| de::Error::custom(error.on_one_line()))?;
                    // A weight ends at the first space.
                    entries.push(format!("{} {stream}", value.to_string().replace(' ', "")));
                }
                Ok(LawText(entries.join("; ")))
            }
        }
        deserializer.deserialize_any(TextOrTable)
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

impl Reads for Epsilon {
    const FORMAT: &'static str = "epsilon";
    const EXAMPLE: &'static str = "ln(3/2)";

    fn read(text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|error| error.to_string())
    }
}

/// A δ: an exact number in [0, 1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delta(pub Number);

impl Reads for Delta {
    const FORMAT: &'static str = "number";
    const EXAMPLE: &'static str = "1/4";

    fn read(text: &str) -> Result<Self, String> {
        parse_delta(text).map(Self).map_err(|error| error.to_string())
    }
}

/// An exact number of at least 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AtLeastZero(pub Number);

impl Reads for AtLeastZero {
    const FORMAT: &'static str = "number";
    const EXAMPLE: &'static str = "3";

    fn read(text: &str) -> Result<Self, String> {
        let value = expression::evaluate(text, &BTreeMap::new()).map_err(|e| e.on_one_line())?;
        if value.signum() < 0 {
            return Err(format!("expected a number of at least 0, found {value}"));
        }
        Ok(Self(value))
    }
}

/// A number of bytes: `1000`, `64K`, `256M`, `1G`, in powers of 1024.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(pub u64);

impl Default for Size {
    /// 256 MiB.
    fn default() -> Self {
        Self(1 << 28)
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (digits, shift) = match text.as_bytes().last() {
            Some(b'K' | b'k') => (&text[..text.len() - 1], 10),
            Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
            Some(b'G' | b'g') => (&text[..text.len() - 1], 30),
            _ => (text, 0),
        };
        digits
            .parse()
            .ok()
            .and_then(|number: u64| number.checked_mul(1 << shift))
            .map(Self)
            .ok_or_else(|| "expected a number of bytes such as 1000, 64K, 256M or 1G".to_owned())
    }
}

/// In the largest unit that divides it.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(30, "G"), (20, "M"), (10, "K"), (0, "")];
        let fits = |shift: &u32| self.0.trailing_zeros() >= *shift && (self.0 > 0 || *shift == 0);
        let (shift, unit) = units.into_iter().find(|(shift, _)| fits(shift)).unwrap_or((0, ""));
        write!(f, "{}{unit}", self.0 >> shift)
    }
}

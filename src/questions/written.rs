//! Types of fields that read themselves from text. A number of TOML or JSON is taken as its text, so
//! that `3` and `"3"` are one; every door then has the same parser and the same error.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use num_traits::Bounded;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::adversary::{Arguments, example};
use crate::class::{Class, Header, read_stream};
use crate::error::{Error, Result as Checked, show};
use crate::exact::{Epsilon, Number, Rational, expression, parse_delta, parse_rational};
use crate::mistakes::read_weighted;

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

impl fmt::Display for StreamText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
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

/// A whole number in the range of its type.
pub(crate) fn whole<T: FromStr + Bounded + fmt::Display>(text: &str) -> Result<T, String> {
    text.trim().parse().map_err(|_| {
        let (least, most) = (T::min_value(), T::max_value());
        format!("expected a number from {least} to {most}, found {}", show(text))
    })
}

impl Reads for u32 {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "2";

    fn read(text: &str) -> Result<Self, String> {
        whole(text)
    }
}

impl Reads for i32 {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "3";

    fn read(text: &str) -> Result<Self, String> {
        whole(text)
    }
}

impl Reads for u64 {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "4";

    fn read(text: &str) -> Result<Self, String> {
        whole(text)
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

/// An expression that is evaluated by whoever knows the names in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Formula;

impl Reads for Formula {
    const FORMAT: &'static str = "formula";
    const EXAMPLE: &'static str = "2 * p";

    fn read(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("expected an expression, found nothing".to_owned());
        }
        Ok(Self)
    }
}

/// A whole number of at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count(pub usize);

impl Reads for Count {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "2";

    fn read(text: &str) -> Result<Self, String> {
        let read = text.trim().parse().ok().filter(|number| *number > 0);
        read.map(Self)
            .ok_or_else(|| format!("expected a whole number of at least 1, found `{text}`"))
    }
}

/// An exact number in [0, 1].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share(pub Number);

impl Reads for Share {
    const FORMAT: &'static str = "number";
    const EXAMPLE: &'static str = "1/10";

    fn read(text: &str) -> Result<Self, String> {
        let AtLeastZero(value) = AtLeastZero::read(text)?;
        if value > Number::one() {
            return Err(format!("expected a number in [0, 1], found {value}"));
        }
        Ok(Self(value))
    }
}

impl Reads for Rational {
    const FORMAT: &'static str = "number";
    const EXAMPLE: &'static str = "1/2";

    fn read(text: &str) -> Result<Self, String> {
        parse_rational(text).map_err(|error| error.to_string())
    }
}

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

impl Text<Formula> {
    /// Its value, where names have values; `field` is what it is called in messages.
    ///
    /// # Errors
    /// When it has none.
    pub fn evaluate(&self, field: &str, scope: &BTreeMap<String, Number>) -> Checked<Number> {
        expression::evaluate(&self.text, scope)
            .map_err(|error| Error::argument(format!("{field}: {error}")))
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
        let found = entries.map(|entry| {
            read(entry).ok_or_else(|| format!("expected name=expression, found `{entry}`"))
        });
        found.collect::<Result<_, _>>().map(Self)
    }
}

/// Whether a name occurs in an expression.
pub(crate) fn mentions(expression: &str, name: &str) -> bool {
    expression.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
}

/// Whether a text can be a name in an expression.
pub(crate) fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_alphabetic() || c == '_';
    text.starts_with(letter) && text.chars().all(|c| letter(c) || c.is_ascii_digit())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_binary_units_and_a_limit() {
        let size = |text: &str| text.parse().map(|Size(bytes)| bytes);
        assert_eq!(size("1000"), Ok(1000));
        assert_eq!(size("64k"), Ok(65_536));
        assert_eq!(size("2G"), Ok(2_147_483_648));
        for wrong in ["", "K", "-1", "1.5M", "1T", "17179869184G", "é"] {
            assert!(size(wrong).is_err(), "{wrong:?}");
        }
    }
}

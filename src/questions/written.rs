//! Types of fields that read themselves from text. A number of TOML or JSON is taken as its text, so
//! that `3` and `"3"` are one; every door then has the same parser and the same error.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::class::Header;
use crate::exact::{Epsilon, Number, expression, parse_delta};

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

/// The δ of a claim: an exact number of at least 0. One of at least 1 is true of every mechanism.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedDelta(pub Number);

impl Reads for ClaimedDelta {
    const FORMAT: &'static str = "number";
    const EXAMPLE: &'static str = "1/4";

    fn read(text: &str) -> Result<Self, String> {
        let value = expression::evaluate(text, &BTreeMap::new()).map_err(|e| e.to_string())?;
        if value.sign().is_lt() {
            return Err(format!("expected a δ of at least 0, found `{}`", text.trim()));
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

//! JSON: `{"points": […], "hypotheses": [{"name"?, "labels": "0110"}]}`.
//!
//! The elements are first taken as raw fragments of the text, so that each fault can be told at
//! the place where it stands.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::Loaded;
use super::collect::{Points, Rows};
use crate::size::{MAX_HYPOTHESES, MAX_POINTS};
use littlestone_base::error::{Error, Result, Source, show};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `points` and `hypotheses`")]
struct Table<'t> {
    #[serde(borrow)]
    points: Fragments<'t, MAX_POINTS>,
    #[serde(borrow)]
    hypotheses: Fragments<'t, MAX_HYPOTHESES>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `labels` and perhaps `name`")]
struct Row<'t> {
    #[serde(borrow)]
    name: Option<&'t RawValue>,
    #[serde(borrow)]
    labels: &'t RawValue,
}

/// The elements of an array, of which there may be `MAX`, each as it is written.
struct Fragments<'t, const MAX: usize>(Vec<&'t RawValue>);

impl<'de: 't, 't, const MAX: usize> Deserialize<'de> for Fragments<'t, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Elements<const MAX: usize>;
        impl<'de, const MAX: usize> Visitor<'de> for Elements<MAX> {
            type Value = Fragments<'de, MAX>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "an array of at most {MAX} elements")
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut elements: A,
            ) -> std::result::Result<Self::Value, A::Error> {
                let mut fragments = Vec::new();
                while let Some(fragment) = elements.next_element::<&'de RawValue>()? {
                    if fragments.len() == MAX {
                        return Err(serde::de::Error::invalid_length(MAX + 1, &self));
                    }
                    fragments.push(fragment);
                }
                Ok(Fragments(fragments))
            }
        }
        deserializer.deserialize_seq(Elements::<MAX>)
    }
}

/// Reads a class in JSON.
pub(super) fn read(source: &Source<'_>) -> Result<Loaded> {
    let table: Table<'_> = parse_object(source, source.text, "a class, such as {\"points\": …}")?;
    let mut points = Points::default();
    for fragment in table.points.0 {
        let at = offset(source, fragment.get());
        points.push(source, &point_name(source, fragment)?, || at)?;
    }
    let points = points.finish();
    let count = points.len();
    let mut rows = Rows::new(source, points)?;
    let mut named = None;
    for fragment in table.hypotheses.0 {
        let at = offset(source, fragment.get());
        let row: Row<'_> =
            parse_object(source, fragment.get(), "a hypothesis, such as {\"labels\": \"01\"}")?;
        if *named.get_or_insert(row.name.is_some()) != row.name.is_some() {
            let (expected, found) = match row.name {
                None => ("a hypothesis with a name, as the first has one", "none"),
                Some(_) => ("a hypothesis without a name, as the first has none", "a name"),
            };
            return Err(source.malformed(at, expected, found));
        }
        read_labels(source, &mut rows, row.labels, count)?;
        match row.name {
            None => rows.end_row(at, None)?,
            Some(name) => {
                let text = string(source, name, "the name of a hypothesis, a string")?;
                rows.end_row(at, Some((&text, offset(source, name.get()))))?;
            }
        }
    }
    rows.finish()
}

fn read_labels(
    source: &Source<'_>,
    rows: &mut Rows<'_>,
    fragment: &RawValue,
    points: usize,
) -> Result<()> {
    let start = offset(source, fragment.get());
    let labels = string(source, fragment, "a string of 0 and 1")?;
    // In a string with escapes the places of the symbols are not known; it is named as a whole.
    let exact = matches!(labels, Cow::Borrowed(_));
    let place = |at: usize| if exact { start + 1 + at } else { start };
    let mut count = 0;
    let mut surplus = None;
    for (at, symbol) in labels.char_indices() {
        let label = match symbol {
            '0' => false,
            '1' => true,
            other => {
                let found = show(other.encode_utf8(&mut [0; 4]));
                return Err(source.malformed(place(at), "0 or 1", found));
            }
        };
        if count < points {
            rows.set(count, label);
        } else if surplus.is_none() {
            surplus = Some(place(at));
        }
        count += 1;
    }
    if count != points {
        let at = surplus.unwrap_or_else(|| place(labels.len()));
        return Err(source.malformed(at, format!("{points} labels"), count.to_string()));
    }
    Ok(())
}

/// The name of a point: a string, or an integer as it is written.
fn point_name<'t>(source: &Source<'_>, fragment: &'t RawValue) -> Result<Cow<'t, str>> {
    let text = fragment.get();
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        return Ok(Cow::Borrowed(text));
    }
    string(source, fragment, "the name of a point, a string or an integer")
}

/// The string that a fragment is; it is borrowed when it has no escapes.
fn string<'t>(source: &Source<'_>, fragment: &'t RawValue, what: &str) -> Result<Cow<'t, str>> {
    let text = fragment.get();
    let quoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match quoted {
        None => Err(source.malformed(offset(source, text), what, show(text))),
        Some(plain) if !plain.contains('\\') => Ok(Cow::Borrowed(plain)),
        Some(_) => match serde_json::from_str(text) {
            Ok(decoded) => Ok(Cow::Owned(decoded)),
            Err(error) => Err(syntax(source, text, &error)),
        },
    }
}

/// Parses a fragment of the source as an object. An array would do for the library, but not for
/// the format.
fn parse_object<'t, T: Deserialize<'t>>(
    source: &Source<'_>,
    fragment: &'t str,
    what: &str,
) -> Result<T> {
    let blank = fragment.len() - fragment.trim_start().len();
    if !fragment[blank..].starts_with('{') {
        let found = match fragment.len() - blank {
            0..=40 => show(fragment.trim()),
            _ => source.character(offset(source, fragment) + blank),
        };
        return Err(source.malformed(offset(source, fragment) + blank, what, found));
    }
    serde_json::from_str(fragment).map_err(|error| syntax(source, fragment, &error))
}

/// Where a fragment of the source begins.
fn offset(source: &Source<'_>, fragment: &str) -> usize {
    fragment.as_ptr().addr().saturating_sub(source.text.as_ptr().addr())
}

/// The parser's complaint about a fragment, at its place in the source.
fn syntax(source: &Source<'_>, fragment: &str, error: &serde_json::Error) -> Error {
    let full = error.to_string();
    let suffix = format!(" at line {} column {}", error.line(), error.column());
    let message = full.strip_suffix(&suffix).unwrap_or(&full);
    let base = offset(source, fragment);
    if let Some(what) = message.strip_prefix("EOF while parsing ") {
        let expected = format!("more of {}", what.replace("a value", "the object"));
        return source.malformed(
            base + fragment.trim_end().len(),
            expected,
            "the end of the input",
        );
    }
    let line_start: usize =
        fragment.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let at = line_start + error.column().saturating_sub(1);
    let key_before = |key: &str| {
        let head = fragment.as_bytes().get(..=at).and_then(|h| std::str::from_utf8(h).ok());
        base + head.and_then(|h| h.rfind(&format!("\"{key}\""))).unwrap_or(at)
    };
    let key = message.split('`').nth(1).unwrap_or_default();
    if message.starts_with("missing field") {
        return source.malformed(base, format!("an object with the key `{key}`"), "none");
    }
    if message.starts_with("duplicate field") {
        return source.malformed(key_before(key), "each key once", format!("`{key}` again"));
    }
    if let Some((_, expected)) = message.split_once("`, expected ")
        && message.starts_with("unknown field")
    {
        return source.malformed(key_before(key), expected, show(key));
    }
    for kind in ["invalid type: ", "invalid value: ", "invalid length "] {
        if let Some(rest) = message.strip_prefix(kind)
            && let Some((found, expected)) = rest.rsplit_once(", expected ")
        {
            return source.malformed(base + at, expected, found);
        }
    }
    match message.strip_prefix("expected ") {
        Some(expected) => source.malformed(base + at, expected, source.character(base + at)),
        None => source.malformed(base + at, "valid JSON", message),
    }
}

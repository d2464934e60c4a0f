//! The keys of one check, read with their places.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeString, DeValue};

use crate::error::{Error, Position};

use super::source::Source;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its place in the claim file.
    pub position: Position,
}

/// One key of a check with its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) key: &'a Spanned<DeString<'a>>,
    pub(super) value: &'a Spanned<DeValue<'a>>,
}

impl Entry<'_> {
    pub(super) fn name(&self) -> &str {
        self.key.get_ref()
    }
}

/// The keys of one check: those of the claim, with one value of each grid.
///
/// A reader of a kind of claim asks for the keys it knows. What is missing or has the wrong type
/// is recorded as a fault, and the check is then dropped, whatever its reader returns.
#[derive(Debug)]
pub struct Fields<'a> {
    source: &'a Source<'a>,
    /// Where the claim or its case begins.
    at: usize,
    entries: Vec<Entry<'a>>,
    faults: &'a mut Vec<Error>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(
        source: &'a Source<'a>,
        at: usize,
        entries: Vec<Entry<'a>>,
        faults: &'a mut Vec<Error>,
    ) -> Self {
        Self { source, at, entries, faults }
    }

    /// The folder that paths in the claim are relative to.
    pub fn folder(&self) -> &'a Path {
        &self.source.folder
    }

    /// Whether the check has the key.
    pub fn has(&self, key: &str) -> bool {
        self.entry(key).is_some()
    }

    /// The string at `key`; a fault when the key is missing or holds something else.
    pub fn text(&mut self, key: &str) -> Option<Located<String>> {
        let Some(entry) = self.entry(key) else {
            self.missing(&format!("the key `{key}`"));
            return None;
        };
        match entry.value.get_ref().as_str() {
            Some(text) if !text.trim().is_empty() => Some(self.located(entry, text.to_owned())),
            Some(_) => self.wrong(entry, &format!("text at `{key}`"), "an empty string"),
            None => {
                let found = describe(entry.value.get_ref());
                self.wrong(entry, &format!("a string at `{key}`"), &found)
            }
        }
    }

    /// The integer at `key`, if the key is there; a fault when it holds something else.
    pub fn integer(&mut self, key: &str) -> Option<Located<i64>> {
        let entry = self.entry(key)?;
        let value = entry.value.get_ref();
        let Some(integer) = value.as_integer() else {
            return self.wrong(entry, &format!("an integer at `{key}`"), &describe(value));
        };
        let Ok(number) = i64::from_str_radix(integer.as_str(), integer.radix()) else {
            let expected = format!("an integer of at most 64 bits at `{key}`");
            return self.wrong(entry, &expected, &integer.to_string());
        };
        Some(self.located(entry, number))
    }

    /// Records that the claim lacks `expected`.
    pub fn missing(&mut self, expected: &str) {
        record(self.faults, self.source.position(self.at), expected, "a claim without it");
    }

    fn entry(&self, key: &str) -> Option<Entry<'a>> {
        self.entries.iter().find(|entry| entry.name() == key).copied()
    }

    fn located<T>(&self, entry: Entry<'_>, value: T) -> Located<T> {
        Located { value, position: self.source.position(entry.value.span().start) }
    }

    fn wrong<T>(&mut self, entry: Entry<'_>, expected: &str, found: &str) -> Option<T> {
        let position = self.source.position(entry.value.span().start);
        record(self.faults, position, expected, found);
        None
    }
}

/// Records a fault once: the checks of a grid share most of their values.
pub(super) fn record(faults: &mut Vec<Error>, position: Position, expected: &str, found: &str) {
    let fault = Error::malformed(position, expected, found);
    if !faults.contains(&fault) {
        faults.push(fault);
    }
}

/// What a value is, for an error.
pub(super) fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the string \"{text}\""),
        DeValue::Integer(number) => format!("the integer {number}"),
        DeValue::Float(number) => format!("the decimal number {number}"),
        DeValue::Boolean(value) => format!("the truth value {value}"),
        DeValue::Datetime(date) => format!("the date {date}"),
        DeValue::Array(_) => "a list".into(),
        DeValue::Table(_) => "a table".into(),
    }
}

/// ` (did you mean …?)` for the candidate nearest to `found`, when one is near.
pub(super) fn suggestion<'n>(found: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    names
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(found, name), name))
        .filter(|&(distance, name)| distance <= 1 + name.len() / 4)
        .min()
        .map(|(_, name)| format!(" (did you mean `{name}`?)"))
        .unwrap_or_default()
}

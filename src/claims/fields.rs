//! The keys of one check, read with their places.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeString, DeValue};

use serde_json::Value;

use crate::error::{Error, Position, nearest};
use crate::questions::{AssertedKey, Relation};

use super::faults::Faults;
use super::grid::{Picks, in_written_order, show};
use super::source::Source;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its place in the claim file.
    pub position: Position,
}

/// Something that is claimed of a value of an answer.
#[derive(Debug)]
pub(super) struct Assertion {
    /// The path of the value.
    pub(super) path: String,
    /// How the value is compared with the claimed one.
    pub(super) relation: Relation,
    /// The claimed value: an expression, or the texts of a list.
    pub(super) claimed: Located<String>,
    /// The texts of a list, each with its place.
    pub(super) listed: Option<Vec<Located<String>>>,
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
    picks: Picks,
    faults: &'a mut Faults,
}

impl<'a> Fields<'a> {
    pub(super) fn new(
        source: &'a Source<'a>,
        at: usize,
        entries: Vec<Entry<'a>>,
        picks: Picks,
        faults: &'a mut Faults,
    ) -> Self {
        Self { source, at, entries, picks, faults }
    }

    /// The folder that paths in the claim are relative to.
    pub(super) fn folder(&self) -> &'a Path {
        &self.source.folder
    }

    /// Whether the check has the key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entry(key).is_some()
    }

    /// The string at `key`; a fault when the key is missing or holds something else.
    pub(super) fn text(&mut self, key: &str) -> Option<Located<String>> {
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

    /// The strings in the list at `key`, if the key is there. The list may be empty.
    pub(super) fn strings(&mut self, key: &str) -> Option<Vec<Located<String>>> {
        let entry = self.entry(key)?;
        let text = |item: &DeValue<'_>| match item {
            DeValue::String(text) => Some(text.to_string()),
            _ => None,
        };
        self.list_in(key, entry.value, "strings", text)
    }

    /// The items of a list, which are `called` so, as text.
    fn list_in(
        &mut self,
        key: &str,
        value: &'a Spanned<DeValue<'a>>,
        called: &str,
        text: fn(&DeValue<'_>) -> Option<String>,
    ) -> Option<Vec<Located<String>>> {
        let expected = format!("a list of {called} at `{key}`");
        let DeValue::Array(list) = value.get_ref() else {
            let position = self.source.position(value.span().start);
            self.refuse(position, &expected, &describe(value.get_ref()));
            return None;
        };
        let mut strings = Vec::new();
        for item in list {
            let position = self.source.position(item.span().start);
            let Some(value) = text(item.get_ref()) else {
                self.refuse(position, &expected, &format!("{} in it", describe(item.get_ref())));
                return None;
            };
            strings.push(Located { value, position });
        }
        Some(strings)
    }

    /// The text at `key`, if the key is there, with the place of its first character.
    pub(super) fn inner(&mut self, key: &str) -> Option<Located<String>> {
        let entry = self.entry(key)?;
        let text = self.text(key)?;
        Some(Located { value: text.value, position: self.source.inside(entry.value.span()) })
    }

    /// The expression at `key`, if the key is there: a string or an integer.
    pub(super) fn expression(&mut self, key: &str) -> Option<Located<String>> {
        let entry = self.entry(key)?;
        self.expression_in(key, entry.value)
    }

    /// The expressions in the table at `key`, by name, if the key is there.
    pub(super) fn expressions(&mut self, key: &str) -> Option<Vec<(String, Located<String>)>> {
        let entry = self.entry(key)?;
        let DeValue::Table(table) = entry.value.get_ref() else {
            let found = describe(entry.value.get_ref());
            return self.wrong(entry, &format!("a table at `{key}`"), &found);
        };
        in_written_order(table)
            .into_iter()
            .map(|(name, value)| {
                let value = self.picked(value);
                let name = name.get_ref().to_string();
                Some((name.clone(), self.expression_in(&name, value)?))
            })
            .collect()
    }

    fn expression_in(
        &mut self,
        key: &str,
        value: &'a Spanned<DeValue<'a>>,
    ) -> Option<Located<String>> {
        let position = self.source.inside(value.span());
        match value.get_ref() {
            DeValue::String(text) if !text.trim().is_empty() => {
                Some(Located { value: text.to_string(), position })
            }
            DeValue::Integer(number) if number.radix() == 10 => {
                Some(Located { value: number.as_str().to_owned(), position })
            }
            other => {
                let expected = format!("an exact expression at `{key}`, as a string or an integer");
                let found = describe(other);
                self.refuse(self.source.position(value.span().start), &expected, &found);
                None
            }
        }
    }

    /// The value at `key`, if the key is there, with the place of the value, and of its first
    /// character.
    pub(super) fn json(&self, key: &str) -> Option<(Located<Value>, Position)> {
        let entry = self.entry(key)?;
        let inside = self.source.inside(entry.value.span());
        Some((self.located(entry, self.json_of(entry.value)), inside))
    }

    fn json_of(&self, value: &'a Spanned<DeValue<'a>>) -> Value {
        match value.get_ref() {
            DeValue::String(text) => Value::from(text.as_ref()),
            DeValue::Integer(number) => {
                match i64::from_str_radix(number.as_str(), number.radix()) {
                    Ok(number) => number.into(),
                    Err(_) => number.to_string().into(),
                }
            }
            // Refused by every field as what it is.
            DeValue::Float(number) => {
                number.as_str().parse::<serde_json::Number>().map_or(Value::Null, Value::Number)
            }
            DeValue::Boolean(value) => (*value).into(),
            DeValue::Datetime(date) => date.to_string().into(),
            DeValue::Array(list) => list.iter().map(|item| self.json_of(item)).collect(),
            DeValue::Table(table) => in_written_order(table)
                .into_iter()
                .map(|(key, value)| (key.get_ref().to_string(), self.json_of(self.picked(value))))
                .collect(),
        }
    }

    /// What is claimed of the values of an answer at `key` and below: `key = …`, `key.at_most = …`,
    /// `key.below.equals = …`.
    pub(super) fn assertions(&mut self, key: &str) -> Option<Vec<Assertion>> {
        let entry = self.entry(key)?;
        let mut found = Vec::new();
        self.assertions_in(key, entry.value, &mut found)?;
        Some(found)
    }

    /// What is claimed at `key` of the value at a path, if the key is there.
    pub(super) fn assertion(&mut self, key: &str, asserted: &AssertedKey) -> Option<Assertion> {
        let entry = self.entry(key)?;
        self.asserted(key, asserted.path, asserted.relation, entry.value)
    }

    fn asserted(
        &mut self,
        key: &str,
        path: &str,
        relation: Relation,
        value: &'a Spanned<DeValue<'a>>,
    ) -> Option<Assertion> {
        let position = self.source.position(value.span().start);
        let mut listed = None;
        let claimed = match value.get_ref() {
            DeValue::Boolean(truth) => Located { value: truth.to_string(), position },
            DeValue::Array(_) => {
                let called = "strings, integers or truth values";
                let list = self.list_in(key, value, called, |item| match item {
                    DeValue::String(text) => Some(text.to_string()),
                    DeValue::Integer(_) | DeValue::Boolean(_) => Some(show(item)),
                    _ => None,
                })?;
                let texts: Vec<&str> = list.iter().map(|text| text.value.as_str()).collect();
                let value = texts.join(", ");
                listed = Some(list);
                Located { value, position }
            }
            _ => self.expression_in(key, value)?,
        };
        Some(Assertion { path: path.to_owned(), relation, claimed, listed })
    }

    fn assertions_in(
        &mut self,
        path: &str,
        value: &'a Spanned<DeValue<'a>>,
        found: &mut Vec<Assertion>,
    ) -> Option<()> {
        let value = self.picked(value);
        let DeValue::Table(table) = value.get_ref() else {
            found.push(self.asserted(path, path, Relation::Equals, value)?);
            return Some(());
        };
        for (key, value) in in_written_order(table) {
            let relation = Relation::ALL.into_iter().find(|(name, _)| name == key.get_ref());
            if let Some((_, relation)) = relation {
                found.push(self.asserted(path, path, relation, self.picked(value))?);
            } else {
                self.assertions_in(&format!("{path}.{}", key.get_ref()), value, found)?;
            }
        }
        Some(())
    }

    /// The value of a list within a table that this check takes; other values as they are.
    fn picked(&self, value: &'a Spanned<DeValue<'a>>) -> &'a Spanned<DeValue<'a>> {
        match (value.get_ref(), self.picks.get(&value.span().start)) {
            (DeValue::Array(list), Some(&place)) => list.get(place).unwrap_or(value),
            _ => value,
        }
    }

    /// Records a fault.
    pub(super) fn fault(&mut self, fault: Error) {
        self.faults.push(fault);
    }

    /// Records a fault at a place of the claim.
    pub(super) fn refuse(&mut self, position: Position, expected: &str, found: &str) {
        self.faults.record(position, expected, found);
    }

    /// Where the claim or its case begins.
    pub(super) fn position(&self) -> Position {
        self.source.position(self.at)
    }

    /// Records that the claim lacks `expected`.
    pub(super) fn missing(&mut self, expected: &str) {
        self.faults.record(self.source.position(self.at), expected, "a claim without it");
    }

    fn entry(&self, key: &str) -> Option<Entry<'a>> {
        self.entries.iter().find(|entry| entry.name() == key).copied()
    }

    fn located<T>(&self, entry: Entry<'_>, value: T) -> Located<T> {
        Located { value, position: self.source.position(entry.value.span().start) }
    }

    fn wrong<T>(&mut self, entry: Entry<'_>, expected: &str, found: &str) -> Option<T> {
        let position = self.source.position(entry.value.span().start);
        self.faults.record(position, expected, found);
        None
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
    nearest(found, names).map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

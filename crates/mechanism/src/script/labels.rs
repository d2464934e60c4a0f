//! Labels as scripts see them: a hypothesis or a version space, whose entries are the integers 0 and 1.

use std::fmt;

use rhai::{Array, Dynamic, Engine, EvalAltResult, FuncRegistration, INT, Position};

use super::compare;
use super::fault::{Helped, fault};
use super::value::Value;

/// A row of labels: for each point the one that a hypothesis gives it, or for each hypothesis
/// whether a version space has it. It is kept as the characters `0` and `1`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Labels(String);

impl Labels {
    /// The labels that a text of the characters `0` and `1` shows; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        text.bytes().all(|b| matches!(b, b'0' | b'1')).then(|| Self(text.to_owned()))
    }

    /// The labels one by one.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = INT> + '_ {
        self.0.bytes().map(|b| INT::from(b == b'1'))
    }

    /// As characters `0` and `1`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn len(&self) -> INT {
        INT::try_from(self.0.len()).unwrap_or(INT::MAX)
    }

    /// The place that an index means; negative ones count from the end, as in lists.
    fn place(&self, index: INT) -> Helped<usize> {
        let place = if index < 0 { self.len().checked_add(index) } else { Some(index) };
        let place = place.and_then(|place| usize::try_from(place).ok());
        place.filter(|&place| place < self.0.len()).ok_or_else(|| {
            EvalAltResult::ErrorArrayBounds(self.0.len(), index, Position::NONE).into()
        })
    }

    fn list(&self) -> Array {
        self.iter().map(Dynamic::from).collect()
    }
}

impl fmt::Display for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromIterator<bool> for Labels {
    fn from_iter<I: IntoIterator<Item = bool>>(labels: I) -> Self {
        Self(labels.into_iter().map(|label| if label { '1' } else { '0' }).collect())
    }
}

impl IntoIterator for Labels {
    type Item = INT;
    type IntoIter = std::vec::IntoIter<INT>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter().collect::<Vec<_>>().into_iter()
    }
}

/// The labels that a script writes as a string, as a list, or has already.
fn labels(value: Dynamic) -> Helped<Labels> {
    let expected = "labels: a string such as \"0110\", or a list of labels 0 and 1";
    let value = Value::from_dynamic(value).map_err(|found| fault(expected, found))?;
    let read = match &value {
        Value::Labels(labels) => Some(labels.clone()),
        Value::Text(text) => Labels::parse(text),
        Value::List(items) => items.iter().map(Value::bit).collect(),
        _ => None,
    };
    read.ok_or_else(|| fault(expected, format!("`{value}`")))
}

/// Makes labels known to the interpreter.
pub fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Labels>("labels");
    engine.register_fn("labels", labels);
    engine.register_fn("list", |row: Labels| row.list());
    let pure = |name: &str| FuncRegistration::new(name).with_purity(true);
    pure("len").register_into_engine(engine, |row: &mut Labels| row.len());
    pure("is_empty").register_into_engine(engine, |row: &mut Labels| row.0.is_empty());
    pure("to_string").register_into_engine(engine, |row: &mut Labels| row.to_string());
    pure("to_debug").register_into_engine(engine, |row: &mut Labels| row.to_string());
    engine.register_get("len", |row: &mut Labels| row.len());
    engine.register_iterator::<Labels>();
    engine.register_indexer_get(|row: &mut Labels, index: INT| -> Helped<INT> {
        let place = row.place(index)?;
        Ok(INT::from(row.0.as_bytes()[place] == b'1'))
    });
    engine.register_indexer_set(|row: &mut Labels, index: INT, label: Dynamic| -> Helped<()> {
        let label = super::helpers::label(label)?;
        let place = row.place(index)?;
        row.0.replace_range(place..=place, if label { "1" } else { "0" });
        Ok(())
    });
    pure("contains").register_into_engine(engine, |row: &mut Labels, item: Dynamic| {
        compare::places(&row.list(), &item).map(|places| !places.is_empty())
    });
    pure("index_of").register_into_engine(engine, |row: &mut Labels, item: Dynamic| {
        compare::places(&row.list(), &item).map(|places| super::lists::first(&places))
    });
}

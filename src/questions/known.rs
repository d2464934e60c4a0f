//! The values of an answer, found by their path, and what is claimed of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::exact::{Number, Rational, expression, rational};

use super::AssertedKey;

/// An exact number of an answer; in JSON its text, such as `3/4`.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema)]
#[schemars(with = "String", inline, bound = "")]
pub struct Exact<N = Number>(pub N);

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl Serialize for Exact<Rational> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&rational::show(&self.0))
    }
}

/// What an answer says at a path.
#[derive(Debug, Clone, PartialEq)]
pub enum Known {
    /// A number, which is known when the bounds are equal.
    Between(Number, Number),
    /// There is no such bound: no number is one.
    Unbounded,
    /// Text, a list or a truth value.
    Value(Value),
    /// A set of functions on that many points, each as its labels in point order.
    Functions {
        /// The functions.
        labels: Vec<String>,
        /// The number of points.
        points: usize,
    },
}

impl Known {
    /// A number that is known.
    pub fn number(value: impl Into<Number>) -> Self {
        let value = value.into();
        Self::Between(value.clone(), value)
    }
}

/// Bounds on a value that hold whatever the search finds.
#[derive(Debug, Clone, PartialEq)]
pub struct Trivial {
    /// No value is below.
    pub lower: Option<Number>,
    /// No value is above.
    pub upper: Option<Number>,
    /// Why, as a sentence without its full stop.
    pub reason: String,
}

/// How a value is compared with what is claimed of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// Equal.
    Equals,
    /// Not below.
    AtLeast,
    /// Not above.
    AtMost,
    /// Of a set: all of these are in it.
    Contains,
    /// Of a set: none of these is in it.
    Excludes,
    /// Of a truth value: it is true. The key is a field of the question.
    Holds,
}

impl Relation {
    /// All, as claims write them.
    pub const ALL: [(&'static str, Self); 5] = [
        ("equals", Self::Equals),
        ("at_least", Self::AtLeast),
        ("at_most", Self::AtMost),
        ("contains", Self::Contains),
        ("excludes", Self::Excludes),
    ];

    /// Whether it is about numbers.
    pub fn is_numeric(self) -> bool {
        matches!(self, Self::Equals | Self::AtLeast | Self::AtMost)
    }

    /// Whether a set is as claimed.
    pub fn decides(self, found: &BTreeSet<&str>, claimed: &BTreeSet<&str>) -> bool {
        match self {
            Self::Contains => claimed.is_subset(found),
            Self::Excludes => claimed.is_disjoint(found),
            _ => claimed == found,
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Equals | Self::Holds => "",
            Self::Contains => "with ",
            Self::Excludes => "without ",
            Self::AtLeast => "at least ",
            Self::AtMost => "at most ",
        }
    }
}

/// The keys `equals`, `at_least` and `at_most` as assertions about one path.
pub const fn about(path: &'static str) -> [AssertedKey; 3] {
    [
        AssertedKey { key: "equals", path, relation: Relation::Equals },
        AssertedKey { key: "at_least", path, relation: Relation::AtLeast },
        AssertedKey { key: "at_most", path, relation: Relation::AtMost },
    ]
}

/// What is claimed of a number: all of the given relations.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Claimed(pub Vec<(Relation, Number)>);

impl Claimed {
    fn least(&self) -> impl Iterator<Item = &Number> {
        self.0.iter().filter(|(r, _)| *r != Relation::AtMost).map(|(_, n)| n)
    }

    fn most(&self) -> impl Iterator<Item = &Number> {
        self.0.iter().filter(|(r, _)| *r != Relation::AtLeast).map(|(_, n)| n)
    }

    /// Whether it is true of a number between two bounds; nothing when they do not tell.
    pub fn decide(&self, lower: &Number, upper: &Number) -> Option<bool> {
        let contradictory = self.least().any(|low| self.most().any(|high| low > high));
        if contradictory
            || self.least().any(|low| upper < low)
            || self.most().any(|high| lower > high)
        {
            Some(false)
        } else if self.least().all(|low| lower >= low) && self.most().all(|high| upper <= high) {
            Some(true)
        } else {
            None
        }
    }

    /// Whether it is true of every number between trivial bounds. An equality says more than a
    /// bound, even where the bounds alone would prove it.
    pub fn is_vacuous(&self, trivial: &Trivial) -> bool {
        self.0.iter().all(|(relation, claimed)| match relation {
            Relation::AtLeast => trivial.lower.as_ref().is_some_and(|lower| lower >= claimed),
            Relation::AtMost => trivial.upper.as_ref().is_some_and(|upper| upper <= claimed),
            _ => false,
        })
    }

    /// The least number that is claimed to be no less than the value.
    pub fn ceiling(&self) -> Option<&Number> {
        self.most().min()
    }

    /// The greatest number that is claimed to be no more than the value.
    pub fn floor(&self) -> Option<&Number> {
        self.least().max()
    }
}

impl fmt::Display for Claimed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<_> = self.0.iter().collect();
        parts.sort_by_key(|(relation, _)| *relation);
        let parts: Vec<String> =
            parts.into_iter().map(|(r, value)| format!("{}{value}", r.words())).collect();
        f.write_str(&parts.join(" and "))
    }
}

/// A number of things.
pub(crate) fn size(number: usize) -> Number {
    i64::try_from(number).unwrap_or(i64::MAX).into()
}

/// A value of JSON as text: what a string says, and every other value as it is written.
pub fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What the serialised answer says at a path: names of keys and places in lists, with dots between.
pub fn at(whole: &Value, path: &str) -> Option<Known> {
    let value = path.split('.').try_fold(whole, step)?;
    let text = match value {
        Value::Null => return None,
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        other => return Some(Known::Value(other.clone())),
    };
    Some(number(&text).map_or_else(|| Known::Value(value.clone()), Known::number))
}

/// The number that a text of an answer is. Numbers are printed in one way, or as decimals; what only has the
/// value of one, such as the labels `00` or a point that is called `01`, is a name.
pub fn number(text: &str) -> Option<Number> {
    let number = expression::evaluate(text, &BTreeMap::new()).ok()?;
    (number.to_string() == text || is_decimal(text)).then_some(number)
}

/// Whether it is a decimal such as `-0.25`, without a zero before other digits.
fn is_decimal(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit());
    text.strip_prefix('-').unwrap_or(text).split_once('.').is_some_and(|(whole, fraction)| {
        digits(whole) && digits(fraction) && (whole == "0" || !whole.starts_with('0'))
    })
}

/// Whether the serialised answer has null at a path.
pub fn is_null(whole: &Value, path: &str) -> bool {
    path.split('.').try_fold(whole, step) == Some(&Value::Null)
}

fn step<'v>(value: &'v Value, step: &str) -> Option<&'v Value> {
    match value {
        Value::Object(map) => map.get(step),
        Value::Array(list) => list.get(step.parse::<usize>().ok()?),
        _ => None,
    }
}

/// The number that is between those at two steps below a path.
pub(super) fn between(whole: &Value, path: &str, [low, high]: [&str; 2]) -> Option<Known> {
    match [low, high].map(|step| at(whole, &format!("{path}.{step}"))) {
        [Some(Known::Between(lower, _)), Some(Known::Between(_, upper))] => {
            Some(Known::Between(lower, upper))
        }
        _ => None,
    }
}

/// The rows of a table, below a line of the names of their fields.
pub fn records<T: Serialize>(rows: &[T]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        if writer.serialize(row).is_err() {
            return String::new();
        }
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// The rows of the list `table` of the serialised answer, or one row with the answer, below a line of
/// the paths of their leaves.
pub fn csv(answer: &Value) -> String {
    fn leaves(path: &str, value: &Value, to: &mut Vec<(String, String)>) {
        let below =
            |step: &str| if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") };
        match value {
            Value::Object(map) => {
                map.iter().for_each(|(key, value)| leaves(&below(key), value, to));
            }
            Value::Array(list) => {
                let steps = list.iter().enumerate();
                steps.for_each(|(i, value)| leaves(&below(&i.to_string()), value, to));
            }
            Value::Null => to.push((path.to_owned(), String::new())),
            Value::String(text) => to.push((path.to_owned(), text.clone())),
            other => to.push((path.to_owned(), other.to_string())),
        }
    }
    let one = std::slice::from_ref(answer);
    let rows = answer.get("table").and_then(Value::as_array).map_or(one, Vec::as_slice);
    let (mut paths, mut seen, mut cells) = (Vec::new(), BTreeSet::new(), Vec::new());
    for row in rows {
        let mut found = Vec::new();
        leaves("", row, &mut found);
        for (path, _) in &found {
            if seen.insert(path.clone()) {
                paths.push(path.clone());
            }
        }
        cells.push(found.into_iter().collect::<BTreeMap<_, _>>());
    }
    let cell = |row: &BTreeMap<String, String>, path| row.get(path).cloned().unwrap_or_default();
    let cells: Vec<Vec<String>> =
        cells.iter().map(|row| paths.iter().map(|path| cell(row, path)).collect()).collect();
    self::rows(std::iter::once(paths).chain(cells))
}

/// Rows of comma-separated values.
pub(super) fn rows(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = rows.into_iter().try_for_each(|row| writer.write_record(row));
    let bytes = written.ok().and_then(|()| writer.into_inner().ok()).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

//! A question as one JSON object: its name, its fields, and what is no field.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::time::{Duration, Instant};

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::error::{Error, Result, the_nearest};
use crate::limits::{Limits, Memory};
use crate::text::visible;

use super::registry::{self, object};
use super::written::Size;
use super::{Ending, Heard, Run, known};

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// There is an answer.
    Answered(Ending),
    /// The request is at fault.
    Faulty,
}

/// A reply in JSON, with the `id` of its request as that was written.
#[derive(Debug, Clone, Default)]
pub struct Line {
    id: Option<Box<RawValue>>,
    rest: Map<String, Value>,
}

impl Line {
    /// The reply to what is no request.
    pub fn fault(message: &str) -> Self {
        let fault = json!({ "code": 2, "message": message });
        Self { id: None, rest: Map::from_iter([("error".to_owned(), fault)]) }
    }
}

impl Serialize for Line {
    /// Keys in their order, as in all JSON.
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut id = self.id.as_ref();
        for (key, value) in &self.rest {
            if let Some(id) = id.take_if(|_| key.as_str() > "id") {
                map.serialize_entry("id", id)?;
            }
            map.serialize_entry(key, value)?;
        }
        if let Some(id) = id {
            map.serialize_entry("id", id)?;
        }
        map.end()
    }
}

/// Answers a request such as `{"question": "dimension", "class": "point:3"}`.
///
/// Beside the fields of the question it may carry an `id`, which is given back, and bounds on its own
/// work, `timeout`, `limit_states` and `limit_memory`, below those of `run`.
pub fn reply(text: &str, run: &Run<'_>) -> (Line, Reply) {
    let notes = RefCell::new(Vec::new());
    let listener = |heard: Heard| match heard {
        Heard::Note(text) | Heard::Warning(text) => notes.borrow_mut().push(text),
        Heard::Wrote { .. } | Heard::SoFar(_) => {}
    };
    let mut line = Line::default();
    let ended = answer(text, &mut line, &run.clone().heard_by(&listener));
    let shown = &mut line.rest;
    let notes = notes.into_inner();
    if !notes.is_empty() {
        shown.insert("notes".into(), notes.into());
    }
    let reply = match ended {
        Ok((answer, ending)) => {
            shown.insert("answer".into(), answer);
            Reply::Answered(ending)
        }
        Err(Error::Limit { stopped, message, .. }) => {
            let undecided =
                json!({ "verdict": "undecided", "stopped": stopped.word(), "reason": message });
            shown.insert("answer".into(), undecided);
            Reply::Answered(Ending::Undecided(stopped))
        }
        Err(error) => {
            let mut fault = json!({ "code": 2, "message": error.message() });
            if let (Value::Object(fault), Some(help)) = (&mut fault, error.help()) {
                fault.insert("help".into(), help.into());
            }
            shown.insert("error".into(), fault);
            Reply::Faulty
        }
    };
    (line, reply)
}

fn answer(text: &str, line: &mut Line, run: &Run<'_>) -> Result<(Value, Ending)> {
    let malformed = |error| {
        Error::argument(format!("expected a JSON object on one line, found a fault: {error}"))
    };
    let Entries(mut entries) = serde_json::from_str(text).map_err(malformed)?;
    if let Some(place) = entries.iter().position(|(key, _)| key == "id") {
        line.id = Some(on_one_line(entries.remove(place).1));
    }
    let mut fields = values(entries, 0).map_err(malformed)?;
    let names = || registry::all().iter().map(|question| question.name);
    let expected =
        || format!("the name of a question ({})", names().collect::<Vec<_>>().join(", "));
    let name = match fields.remove("question") {
        Some(Value::String(name)) => name,
        Some(other) => {
            return Err(Error::argument(format!(
                "question: expected {}, found {other}",
                expected()
            )));
        }
        None => {
            let message =
                format!("expected `question`, {}, found a request without it", expected());
            return Err(Error::argument(message));
        }
    };
    line.rest.insert("question".into(), name.as_str().into());
    let question = registry::find(&name).ok_or_else(|| {
        let near = the_nearest(&name, names());
        Error::argument(format!("question: expected {}, found `{name}`{near}", expected()))
    })?;
    let mut run = run.clone();
    run.limits = limits(&mut fields, &run.limits)?;
    let answer = question.answer(fields, &run)?;
    Ok((object(&*answer), answer.ending()))
}

/// A value as it is written, whose tabs and line ends can only stand between values.
fn on_one_line(raw: &RawValue) -> Box<RawValue> {
    let text = raw.get().replace(['\t', '\r', '\n'], " ");
    RawValue::from_string(text).unwrap_or_else(|_| raw.to_owned())
}

/// How many brackets stand in each other at most.
const DEEPEST: usize = 64;

/// The entries of a JSON object none of whose keys stands twice.
struct Entries<'t>(Vec<(String, &'t RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Keys;

        impl<'de> Visitor<'de> for Keys {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Self::Value, A::Error> {
                let (mut entries, mut seen) = (Vec::new(), BTreeSet::new());
                while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
                    if !seen.insert(key.clone()) {
                        let message = format!("the key `{}` stands twice", visible(&key));
                        return Err(A::Error::custom(message));
                    }
                    entries.push((key, value));
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(Keys)
    }
}

fn values(
    entries: Vec<(String, &RawValue)>,
    depth: usize,
) -> serde_json::Result<Map<String, Value>> {
    entries.into_iter().map(|(key, raw)| Ok((key, value(raw, depth)?))).collect()
}

/// A value in which no object has a key twice, and nothing is nested too deeply.
fn value(raw: &RawValue, depth: usize) -> serde_json::Result<Value> {
    let text = raw.get();
    if depth == DEEPEST {
        return Err(serde_json::Error::custom(format!(
            "more than {DEEPEST} brackets in each other"
        )));
    }
    match text.as_bytes().first() {
        Some(b'{') => serde_json::from_str(text)
            .and_then(|Entries(entries)| values(entries, depth + 1))
            .map(Value::Object),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text)?;
            items.into_iter().map(|item| value(item, depth + 1)).collect()
        }
        _ => serde_json::from_str(text),
    }
}

/// The limits of a request: its own where they are tighter.
fn limits(fields: &mut Map<String, Value>, run: &Limits) -> Result<Limits> {
    let mut limits = run.clone();
    let text = |value: Value| known::text(&value);
    if let Some(timeout) = fields.remove("timeout").map(text) {
        let read = humantime::parse_duration(&timeout)
            .map_err(|error| Error::argument(format!("timeout: {error}, found `{timeout}`")))?;
        limits.deadline = limits.deadline.into_iter().chain(ends(read)).min();
    }
    if let Some(states) = fields.remove("limit_states").map(text) {
        let read: u64 = states.parse().map_err(|_| {
            let expected = format!("a number from 0 to {}", u64::MAX);
            Error::argument(format!("limit_states: expected {expected}, found `{states}`"))
        })?;
        limits.states = Some(limits.states.map_or(read, |all| all.min(read)));
    }
    if let Some(memory) = fields.remove("limit_memory").map(text) {
        let Size(bytes) = memory.parse().map_err(|expected| {
            Error::argument(format!("limit_memory: {expected}, found `{memory}`"))
        })?;
        let gauge = limits.memory.map(|all| all.gauge).ok_or_else(|| {
            Error::argument("limit_memory: nobody counts the bytes of this process")
        })?;
        let bytes = limits.memory.map_or(bytes, |all| all.bytes.min(bytes));
        limits.memory = Some(Memory { bytes, gauge, given: true });
    }
    Ok(limits)
}

/// When a time that begins now is over; never, where the clock cannot hold it.
fn ends(timeout: Duration) -> Option<Instant> {
    Instant::now().checked_add(timeout)
}

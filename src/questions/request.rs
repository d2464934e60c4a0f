//! A question as one JSON object: its name, its fields, and what is no field.

use std::cell::RefCell;
use std::fmt;
use std::time::{Duration, Instant};

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::error::{Error, Result, the_nearest};
use crate::limits::{Limits, Memory};
use crate::text::visible;

use super::registry::{self, object};
use super::written::Size;
use super::{Ending, Heard, Run};

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// There is an answer.
    Answered(Ending),
    /// The request is at fault.
    Faulty,
}

/// Answers a request such as `{"question": "dimension", "class": "point:3"}`.
///
/// Beside the fields of the question it may carry an `id`, which is given back, and bounds on its own
/// work, `timeout`, `limit_states` and `limit_memory`, below those of `run`.
pub fn reply(text: &str, run: &Run<'_>) -> (Value, Reply) {
    let notes = RefCell::new(Vec::new());
    let listener = |heard: Heard| match heard {
        Heard::Note(text) | Heard::Warning(text) => notes.borrow_mut().push(text),
        Heard::Wrote { .. } | Heard::SoFar(_) => {}
    };
    let mut shown = Map::new();
    let ended = answer(text, &mut shown, &run.clone().heard_by(&listener));
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
    (shown.into(), reply)
}

fn answer(text: &str, shown: &mut Map<String, Value>, run: &Run<'_>) -> Result<(Value, Ending)> {
    let Object(mut fields) = serde_json::from_str(text).map_err(|error| {
        Error::argument(format!("expected a JSON object on one line, found a fault: {error}"))
    })?;
    if let Some(id) = fields.remove("id") {
        // A number that is no whole number of 64 bits would come back as another one.
        if id.is_f64() {
            let expected = "text or a whole number of at most 64 bits";
            return Err(Error::argument(format!("id: expected {expected}, found {id}")));
        }
        shown.insert("id".into(), id);
    }
    if let Some((field, _)) = fields.iter().find(|(_, value)| **value == "-") {
        let message = "expected a file or a name, found `-`: standard input has the requests";
        return Err(Error::argument(format!("{field}: {message}")));
    }
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
    shown.insert("question".into(), name.as_str().into());
    let question = registry::find(&name).ok_or_else(|| {
        let near = the_nearest(&name, names());
        Error::argument(format!("question: expected {}, found `{name}`{near}", expected()))
    })?;
    let mut run = run.clone();
    run.limits = limits(&mut fields, &run.limits)?;
    let answer = question.answer(fields, &run)?;
    Ok((object(&*answer), answer.ending()))
}

/// A JSON object none of whose keys stands twice, at any depth.
#[derive(Debug, Default)]
struct Object(Map<String, Value>);

/// A JSON value of such objects.
struct Once(Value);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Keys;

        impl<'de> Visitor<'de> for Keys {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut entries: A,
            ) -> std::result::Result<Object, A::Error> {
                let mut map = Map::new();
                while let Some((key, Once(value))) = entries.next_entry::<String, Once>()? {
                    if map.contains_key(&key) {
                        let message = format!("the key `{}` stands twice", visible(&key));
                        return Err(A::Error::custom(message));
                    }
                    map.insert(key, value);
                }
                Ok(Object(map))
            }
        }

        deserializer.deserialize_map(Keys)
    }
}

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        let read = match raw.as_bytes().first() {
            Some(b'{') => serde_json::from_str(raw).map(|Object(map)| map.into()),
            Some(b'[') => serde_json::from_str::<Vec<Self>>(raw)
                .map(|list| list.into_iter().map(|Self(value)| value).collect()),
            _ => serde_json::from_str(raw),
        };
        read.map(Self).map_err(D::Error::custom)
    }
}

/// The limits of a request: its own where they are tighter.
fn limits(fields: &mut Map<String, Value>, run: &Limits) -> Result<Limits> {
    let mut limits = run.clone();
    let text = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
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

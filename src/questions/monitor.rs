//! What questions about single runs share: a monitor, and the values that it may ask for.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;

use crate::error::{Error, Position, Result};
use crate::exact::expression;
use crate::file;
use crate::mechanism::{Interface, Monitor, Output};
use crate::privacy::always::Step;

use super::subject::Subject;
use super::written::Written;
use super::{Question, Run, registry};

/// A script with the functions `start`, `step`, `ok` and optionally `witness`: its text, or a file whose
/// name ends in `.rhai`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct MonitorText(String);

impl FromStr for MonitorText {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        Ok(Self(text.to_owned()))
    }
}

impl MonitorText {
    /// The file that it is read from.
    pub(super) fn file(&self) -> Option<PathBuf> {
        let path = Path::new(self.0.trim());
        (!self.0.contains('\n') && path.extension().is_some_and(|ending| ending == "rhai"))
            .then(|| path.to_path_buf())
    }

    /// The monitor for runs of a mechanism with those outputs. It may ask for whatever has a name in
    /// the question.
    ///
    /// # Errors
    /// When it cannot be read, or is no monitor.
    pub(super) fn monitor<Q: Question>(
        &self,
        asked: &Q,
        subject: &Subject,
        with: Option<&Table>,
        outputs: &[Output],
        run: &Run<'_>,
    ) -> Result<Monitor> {
        let (name, text) = match self.file() {
            Some(path) => {
                let path = run.folder.join(path);
                let text = file::read_text(&path, file::MAX_TEXT_BYTES)?;
                (path.display().to_string(), text)
            }
            None => ("monitor".to_owned(), self.0.clone()),
        };
        let Ok(Value::Object(fields)) = serde_json::to_value(asked) else {
            return Err(Error::argument("a question is an object"));
        };
        let mut values = registry::names(&fields, run)?;
        let word = |word: &str| word == "d";
        let mut words =
            [&text].into_iter().chain(with.iter().flat_map(|with| with.0.iter().map(|w| &w.1)));
        let mentions =
            |text: &String| text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(word);
        if fields.contains_key("class") && words.any(mentions) {
            values.insert("d".into(), registry::dimension(&fields, run)?);
        }
        for (name, text) in with.iter().flat_map(|with| &with.0) {
            let value = expression::evaluate(text, &values).map_err(|error| {
                Error::argument(format!("with: {name}: {}", error.on_one_line()))
            })?;
            values.insert(name.clone(), value);
        }
        let values: BTreeMap<String, String> =
            values.into_iter().map(|(name, value)| (name, value.to_string())).collect();
        let tools = subject.tools.as_ref();
        let (interface, limits) = (subject.interface(), &run.limits);
        let monitor = Monitor::new(&name, &text, tools, &values, interface, outputs, limits);
        // A monitor that lacks something is at fault as a whole.
        monitor.map_err(|error| match error {
            Error::Argument { message, .. } => {
                Error::malformed(Position::at(name, 1, 1), "a monitor", message)
            }
            other => other,
        })
    }
}

/// Texts by name: as a table, or in one text as `a=1,b=2`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table(pub Vec<(String, String)>);

impl FromStr for Table {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let entry = |entry: &str| {
            let expected = || format!("expected entries such as `name=value`, found `{entry}`");
            let (name, value) = entry.split_once('=').ok_or_else(expected)?;
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        };
        text.split(',').map(entry).collect::<std::result::Result<_, String>>().map(Self)
    }
}

impl Serialize for Table {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Table {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => text.parse().map_err(de::Error::custom),
            Value::Object(map) => {
                let entry = |(name, value)| {
                    let written: Written =
                        serde_json::from_value(value).map_err(de::Error::custom)?;
                    Ok((name, written.0))
                };
                map.into_iter().map(entry).collect::<std::result::Result<_, _>>().map(Self)
            }
            _ => Err(de::Error::custom("expected a table, or a text such as `name=value`")),
        }
    }
}

impl JsonSchema for Table {
    fn schema_name() -> Cow<'static, str> {
        "table".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["object", "string"], "additionalProperties": { "type": ["string", "integer"] },
        })
    }
}

/// A run, a line for each round.
pub(super) fn lines(interface: &Interface, outputs: &[Output], run: &[Step]) -> Vec<String> {
    let line = |(place, step): (usize, &Step)| {
        let part = |word: &str, name: &str| {
            if name.is_empty() { String::new() } else { format!("{word} {name}") }
        };
        let parts = [
            part("given", &interface.before()[step.before]),
            part("releases", &outputs[step.output]),
            part("is shown", &interface.after()[step.after]),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!("round {}: {}", place + 1, parts.join(", "))
    };
    run.iter().enumerate().map(line).collect()
}

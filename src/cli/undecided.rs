//! What a command prints when a limit ends it before it has a result of its own.

use std::collections::BTreeMap;

use clap::ArgMatches;
use serde_json::Value;

use crate::exact::Number;
use crate::limits::{Seen, Stopped};
use crate::text::{Lines, in_json};

/// The keys of a JSON object, in sorted order.
type Object = BTreeMap<&'static str, Value>;

/// The formats in which there is a form for an answer that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Shape {
    /// Lines for reading, in every format that has no other form.
    #[default]
    Text,
    Json,
    /// Comments, which begin so.
    Comments(&'static str),
}

/// What the command line asks for.
#[derive(Debug, Clone, Default)]
pub(super) struct Asked {
    /// The subcommand, such as `verify` or `table combine`.
    command: String,
    shape: Shape,
}

impl Asked {
    /// The subcommand and the format of a command line that was understood.
    pub(super) fn of(matches: &ArgMatches) -> Self {
        let mut asked = Self::default();
        let mut at = matches;
        while let Some((name, below)) = at.subcommand() {
            if !asked.command.is_empty() {
                asked.command.push(' ');
            }
            asked.command.push_str(name);
            at = below;
        }
        let format = at.try_get_raw("format").ok().flatten().and_then(|mut values| values.next());
        asked.shape = match format.and_then(|format| format.to_str()) {
            Some("json") => Shape::Json,
            Some("csv") => Shape::Comments("#"),
            _ if asked.command == "export" => Shape::Comments("c"),
            _ => Shape::Text,
        };
        asked
    }

    /// The answer in the format that is asked for: that it is not known, what was hit, and what is
    /// proved.
    pub(super) fn render(&self, stopped: Stopped, message: &str, seen: &Seen) -> String {
        match self.shape {
            Shape::Text => text(message, seen),
            Shape::Comments(mark) => {
                let text = text(message, seen);
                let comments = text.lines().map(|line| format!("{mark} {line}"));
                let comments: Vec<String> = comments.collect();
                comments.join("\n") + "\n"
            }
            Shape::Json => {
                let object = self.object(stopped, message, seen);
                let text = serde_json::to_string_pretty(&object);
                text.map(|text| format!("{}\n", in_json(&text))).unwrap_or_default()
            }
        }
    }

    fn object(&self, stopped: Stopped, message: &str, seen: &Seen) -> Object {
        let exact =
            |number: &Option<Number>| -> Value { number.as_ref().map(ToString::to_string).into() };
        let bounds = seen.quantity.as_ref().map(|quantity| {
            Object::from([
                ("quantity", quantity.to_string().into()),
                ("lower", exact(&seen.lower)),
                ("upper", exact(&seen.upper)),
            ])
        });
        let mut object =
            Object::from([("format", Value::from(1)), ("command", Value::from(&*self.command))]);
        object.extend([
            ("verdict", Value::from("undecided")),
            ("stopped", stopped.word().into()),
            ("reason", message.into()),
            ("phase", seen.phase.as_deref().into()),
            ("bounds", bounds.map_or(Value::Null, |bounds| serde_json::json!(bounds))),
        ]);
        if let Stopped::Memory { bytes } = stopped {
            object.insert("limit_memory", bytes.into());
        }
        object
    }
}

/// The lines for reading.
fn text(message: &str, seen: &Seen) -> String {
    let mut text = Lines::new();
    writeln!(text, "stopped: {}", message.replace('\n', " "));
    if let Some(phase) = &seen.phase {
        writeln!(text, "phase: {phase}");
    }
    if let Some(bounds) = seen.bounds() {
        writeln!(text, "{bounds}");
    }
    text.push("verdict: undecided");
    text.to_string()
}

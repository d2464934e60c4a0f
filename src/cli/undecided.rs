//! What a command prints when a limit ends it before it has a result of its own.

use clap::ArgMatches;
use serde_json::Value;

use crate::exact::Number;
use crate::limits::{Seen, Stopped};
use crate::report::Object;
use crate::text::{Lines, in_json};

/// The formats in which there is a form for an answer that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Shape {
    /// Lines for reading, in every format that has no other form.
    #[default]
    Text,
    Json,
    Csv,
}

/// What the command line asks for.
#[derive(Debug, Clone, Default)]
pub(super) struct Asked {
    /// The subcommand.
    command: String,
    shape: Shape,
    /// The limit on memory as it is to be printed.
    memory: Option<u64>,
}

impl Asked {
    /// The subcommand and the format of a command line that was understood.
    pub(super) fn of(matches: &ArgMatches) -> Self {
        let mut asked = Self::default();
        let mut at = matches;
        while let Some((name, below)) = at.subcommand() {
            // What results call themselves: the subcommand alone.
            if asked.command.is_empty() {
                name.clone_into(&mut asked.command);
            }
            at = below;
        }
        let format = at.try_get_raw("format").ok().flatten().and_then(|mut values| values.next());
        asked.shape = match format.and_then(|format| format.to_str()) {
            Some("json") => Shape::Json,
            Some("csv") => Shape::Csv,
            _ => Shape::Text,
        };
        asked
    }

    /// The same under a limit on memory.
    pub(super) fn limit_memory(&mut self, bytes: Option<u64>) {
        self.memory = bytes;
    }

    /// The answer in the format that is asked for: that it is not known, what was hit, and what is
    /// proved.
    pub(super) fn render(&self, stopped: Stopped, message: &str, seen: &Seen) -> String {
        match self.shape {
            Shape::Text => self.text(stopped, message, seen),
            Shape::Json => {
                let object = self.object(stopped, message, seen);
                let text = serde_json::to_string_pretty(&object);
                text.map(|text| format!("{}\n", in_json(&text))).unwrap_or_default()
            }
            Shape::Csv => self.csv(stopped, seen),
        }
    }

    fn bytes(&self, stopped: Stopped) -> Option<u64> {
        self.memory.filter(|_| stopped == Stopped::Memory)
    }

    fn text(&self, stopped: Stopped, message: &str, seen: &Seen) -> String {
        let mut text = Lines::new();
        let mut line = |name: &str, value: &str| writeln!(text, "{name}: {value}");
        line("stopped", &message.replace('\n', " "));
        if let Some(bytes) = self.bytes(stopped) {
            line("limit on memory", &format!("{bytes} bytes"));
        }
        if let Some(phase) = &seen.phase {
            line("phase", phase);
        }
        if let Some(bounds) = seen.bounds() {
            writeln!(text, "{bounds}");
        }
        text.push("verdict: undecided");
        text.to_string()
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
        let mut object = super::common::object(&self.command);
        object.extend([
            ("verdict", Value::from("undecided")),
            ("stopped", stopped.word().into()),
            ("reason", message.into()),
            ("phase", seen.phase.as_deref().into()),
            ("bounds", bounds.map_or(Value::Null, |bounds| serde_json::json!(bounds))),
        ]);
        if let Some(bytes) = self.bytes(stopped) {
            object.insert("limit_memory", bytes.into());
        }
        object
    }

    fn csv(&self, stopped: Stopped, seen: &Seen) -> String {
        let exact =
            |number: &Option<Number>| number.as_ref().map(ToString::to_string).unwrap_or_default();
        let fields = [
            self.command.clone(),
            "undecided".to_owned(),
            stopped.word().to_owned(),
            seen.phase.as_deref().unwrap_or_default().to_owned(),
            seen.quantity.as_deref().unwrap_or_default().to_owned(),
            exact(&seen.lower),
            exact(&seen.upper),
        ];
        let mut writer = csv::Writer::from_writer(Vec::new());
        let names = ["command", "verdict", "stopped", "phase", "quantity", "lower", "upper"];
        // Writing to memory does not fail.
        let _ = writer.write_record(names).and_then(|()| writer.write_record(&fields));
        writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

//! What a command prints when a limit ends it before it has a result of its own.

use clap::ArgMatches;
use schemars::JsonSchema;
use serde::Serialize;

use crate::exact::Number;
use crate::limits::{Seen, Stopped};
use crate::text::{Lines, in_json};

// Fields stand in alphabetical order, since serde writes them in this order and keys are sorted.

/// What a command prints with `--format json` when a limit ends it before it has a result of its own.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Undecided<'s> {
    /// What is proved of the answer; null where nothing is.
    bounds: Option<Bounds>,
    command: &'s str,
    #[schemars(extend("const" = 1))]
    format: u32,
    /// The limit in bytes, where it was hit.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit_memory: Option<u64>,
    /// What was being done.
    phase: Option<&'s str>,
    /// The limit, for reading.
    reason: &'s str,
    /// The limit.
    #[schemars(extend("enum" = Stopped::ALL.map(Stopped::word)))]
    stopped: &'static str,
    #[schemars(extend("const" = "undecided"))]
    verdict: &'static str,
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Bounds {
    /// The quantity is at least this exact number.
    lower: Option<String>,
    /// What the bounds are on, such as `worst δ`.
    quantity: String,
    /// The quantity is at most this exact number.
    upper: Option<String>,
}

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

    fn object<'s>(&'s self, stopped: Stopped, message: &'s str, seen: &'s Seen) -> Undecided<'s> {
        let exact = |number: &Option<Number>| number.as_ref().map(ToString::to_string);
        Undecided {
            bounds: seen.quantity.as_ref().map(|quantity| Bounds {
                lower: exact(&seen.lower),
                quantity: quantity.to_string(),
                upper: exact(&seen.upper),
            }),
            command: &self.command,
            format: 1,
            limit_memory: match stopped {
                Stopped::Memory { bytes } => Some(bytes),
                _ => None,
            },
            phase: seen.phase.as_deref(),
            reason: message,
            stopped: stopped.word(),
            verdict: "undecided",
        }
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

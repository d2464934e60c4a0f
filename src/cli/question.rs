//! The command of any question: its options, its limits, and how its answer is shown.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::{ArgMatches, FromArgMatches, ValueEnum};
use serde_json::Value;

use crate::error::{Error, Position};
use crate::limits::Limits;
use crate::questions::door::field_at_fault;
use crate::questions::registry::object;
use crate::questions::{Answer, Ending, Heard, OutputFiles, Question, Run};
use crate::text::Lines;

use super::common::LimitArgs;
use super::exit;
use super::files::Files;
use super::output::{Failure, Outcome, Output};
use super::progress;

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Form {
    /// For reading: one fact a line.
    #[default]
    Human,
    /// One JSON object with sorted keys; see docs/schemas.
    Json,
    /// Comma-separated values: the rows of a table, or one row of all values.
    Csv,
}

/// How an answer is shown.
#[derive(Debug, clap::Args)]
pub(super) struct Shown {
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Form::Human)]
    format: Form,
    /// Print the number of search states and the time to standard error.
    #[arg(long)]
    stats: bool,
}

impl Shown {
    /// Whether a report is asked for that is not for reading.
    pub(super) fn reported(&self) -> bool {
        self.format != Form::Human
    }
}

/// A question with the files that are to be written, the form of the answer and the limits.
#[derive(Debug)]
pub(super) struct Asked<Q: Question> {
    pub(super) question: Q,
    pub(super) files: Q::Files,
    pub(super) shown: Shown,
    pub(super) limits: LimitArgs,
}

impl<Q: Question> FromArgMatches for Asked<Q> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self {
            question: Q::from_arg_matches(matches)?,
            files: Q::Files::from_arg_matches(matches)?,
            shown: Shown::from_arg_matches(matches)?,
            limits: LimitArgs::from_arg_matches(matches)?,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<Q: Question> clap::Args for Asked<Q> {
    fn augment_args(command: clap::Command) -> clap::Command {
        // Help is about the question: what the other structs say of themselves is not shown.
        let own = Q::augment_args(clap::Command::new(Q::NAME));
        let all = Shown::augment_args(Q::Files::augment_args(Q::augment_args(command)));
        let mut all = LimitArgs::augment_args(all);
        if let Some(about) = own.get_about() {
            all = all.about(about.clone());
        }
        match own.get_long_about() {
            Some(about) => all.long_about(about.clone()),
            None => all.long_about(None),
        }
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

/// Answers a question and shows the answer; the command is called `name`.
pub(super) fn run<Q: Question>(name: &str, asked: &Asked<Q>, output: &mut Output<'_>) -> Outcome {
    let limits = asked.limits.limits(output)?;
    asked.question.validate().map_err(typed::<Q>)?;
    separate(asked.question.inputs(), &asked.files)?;
    let answer = |run: &Run<'_>| asked.question.answer_with(&asked.files, run).map_err(typed::<Q>);
    show(name, &asked.shown, limits, answer, output)
}

/// Checks that no file that is written is read or written twice.
pub(super) fn separate(inputs: Vec<PathBuf>, files: &impl OutputFiles) -> Result<(), Error> {
    let all = files.options().into_iter();
    all.fold(Files::new().inputs(inputs), |all, (option, path)| all.output(option, path)).check()
}

/// Finds an answer and shows it, and meanwhile whatever is told.
pub(super) fn show<A: Answer>(
    name: &str,
    shown: &Shown,
    limits: Limits,
    find: impl FnOnce(&Run<'_>) -> Result<A, Error>,
    output: &mut Output<'_>,
) -> Outcome {
    let progress = Arc::clone(output.progress());
    output.computing();
    let line = progress::Line::later(output);
    let form = shown.format;
    let screen = RefCell::new(Screen { output, line: &line, form, printed: 0, failed: None });
    let start = Instant::now();
    let answer = {
        let listener = |heard: Heard| screen.borrow_mut().hear(heard);
        let mut run = Run::within(limits).heard_by(&listener);
        run.progress = Arc::clone(&progress);
        progress::shown(&line, &progress, || find(&run))
    };
    let Screen { output, printed, failed, .. } = screen.into_inner();
    if let Some(failure) = failed {
        return Err(failure);
    }
    let answer = answer?;
    if shown.stats {
        output.stats(format_args!("{} states in {:?}", progress.states(), start.elapsed()));
    }
    let ending = answer.ending();
    match shown.format {
        Form::Human => {
            let text = answer.text();
            output.document(text.get(printed..).unwrap_or_default())?;
            undecided("", ending, output)?;
        }
        Form::Json => {
            let mut value = object(&answer);
            if let Value::Object(map) = &mut value {
                map.insert("format".into(), 1.into());
                map.insert("command".into(), name.into());
            }
            output.json(&value)?;
        }
        Form::Csv => {
            output.document(&answer.csv())?;
            undecided("# ", ending, output)?;
        }
    }
    Ok(match ending {
        Ending::Found | Ending::Holds => exit::EXPECTED,
        Ending::Refuted => exit::REFUTED,
        Ending::Undecided(_) => exit::UNDECIDED,
    })
}

/// The last line of an answer that is not known, in every form that has lines.
fn undecided(mark: &str, ending: Ending, output: &mut Output<'_>) -> Result<(), Failure> {
    if let Ending::Undecided(_) = ending {
        output.line(format_args!("{mark}verdict: undecided"))?;
    }
    Ok(())
}

/// Prints what is told beside the answer.
pub(super) fn tell(heard: Heard, output: &mut Output<'_>) {
    match heard {
        Heard::Note(text) => output.note(text),
        Heard::Warning(text) => output.warning(text),
        Heard::Wrote { what, path } => output.wrote(what, &path),
        Heard::SoFar(_) => {}
    }
}

/// An error about a field, in terms of what was typed: of the option, if it is one.
fn typed<Q: Question>(error: Error) -> Error {
    let command = Q::augment_args(clap::Command::new(Q::NAME));
    let options = command.get_opts().filter(|option| option.get_long().is_some());
    let Some(field) = field_at_fault(&error, options.map(|option| option.get_id().as_str())) else {
        return error;
    };
    let dashed = |text: String| format!("--{}{}", field.replace('_', "-"), &text[field.len()..]);
    match error {
        Error::Malformed { position, expected, found } => {
            let position = Position { source: dashed(position.source), ..position };
            Error::Malformed { position, expected, found }
        }
        Error::Argument { message, help } => Error::Argument { message: dashed(message), help },
        other => other,
    }
}

/// What is told while the answer is looked for goes to the streams at once.
struct Screen<'s, 'o> {
    output: &'s mut Output<'o>,
    line: &'s progress::Line,
    form: Form,
    /// The bytes of the answer's text that are printed.
    printed: usize,
    failed: Option<Failure>,
}

impl Screen<'_, '_> {
    fn hear(&mut self, heard: Heard) {
        let line = self.line;
        line.aside(|| self.show(heard));
    }

    fn show(&mut self, heard: Heard) {
        match heard {
            Heard::SoFar(text) if self.form == Form::Human => {
                let printed = self.print(&text);
                self.failed = self.failed.take().or(printed.err());
            }
            other => tell(other, self.output),
        }
    }

    /// Nobody should wait for what comes next to see this.
    fn print(&mut self, text: &Lines) -> Result<(), Failure> {
        let new = text.get(self.printed..).unwrap_or_default();
        self.printed = self.printed.max(text.len());
        self.output.document(new)?;
        self.output.flush()?;
        self.output.computing();
        Ok(())
    }
}

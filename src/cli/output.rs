//! Where a command prints: results on one stream, everything else on the other.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clap::builder::styling::{AnsiColor, Style};
use serde::Serialize;

use crate::error::{Error, shorten};
use crate::limits::{Gauge, Limits, Progress, Stopped};
use crate::text::{Lines, in_json, visible};

use super::undecided::Asked;
use super::watchdog::{End, Watchdog};

/// Why a command ended without a result.
#[derive(Debug)]
pub enum Failure {
    /// The input is at fault.
    Input(Error),
    /// The reader of standard output has gone; nothing is wrong.
    BrokenPipe,
    /// Standard output cannot be written.
    Write(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Input(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::BrokenPipe
        } else {
            Self::Write(error)
        }
    }
}

/// The result of a command: its exit code, or why there is none.
pub type Outcome = Result<u8, Failure>;

/// The two streams of a command.
pub struct Output<'a> {
    stdout: &'a mut dyn Write,
    stderr: &'a mut dyn Write,
    stderr_is_terminal: bool,
    colour: bool,
    quiet: bool,
    heap: Option<Gauge>,
    end: Option<End>,
    asked: Asked,
    progress: Arc<Progress>,
    watchdog: Option<Watchdog>,
}

impl fmt::Debug for Output<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output")
            .field("stderr_is_terminal", &self.stderr_is_terminal)
            .field("colour", &self.colour)
            .field("quiet", &self.quiet)
            .finish_non_exhaustive()
    }
}

impl<'a> Output<'a> {
    /// Prints results to `stdout` and the rest to `stderr`, neither of which is a terminal.
    pub fn new(stdout: &'a mut dyn Write, stderr: &'a mut dyn Write) -> Self {
        Self {
            stdout,
            stderr,
            stderr_is_terminal: false,
            colour: false,
            quiet: false,
            heap: None,
            end: None,
            asked: Asked::default(),
            progress: Arc::default(),
            watchdog: None,
        }
    }

    /// Says who counts the live bytes of the heap. Without a count there is no limit on memory.
    #[must_use]
    pub fn heap(mut self, gauge: Gauge) -> Self {
        self.heap = Some(gauge);
        self
    }

    /// Says how to end the process, which the command does when a limit is hit within code that does
    /// not ask the limits. What is proved is then printed to the standard output of the process, so
    /// `stdout` must lead there and nobody may hold a lock on it.
    #[must_use]
    pub fn ended_by(mut self, end: End) -> Self {
        self.end = Some(end);
        self
    }

    /// Who counts the live bytes of the heap.
    pub(super) fn gauge(&self) -> Option<Gauge> {
        self.heap
    }

    /// What the command line asks for.
    pub(super) fn set_asked(&mut self, asked: Asked) {
        self.asked = asked;
    }

    /// What the command lets others see while it computes.
    pub(super) fn progress(&self) -> &Arc<Progress> {
        &self.progress
    }

    /// Ends the process when a limit is over by a margin, from now until something is printed.
    pub(super) fn guard(&mut self, limits: &Limits, timeout: Option<Duration>) {
        if let Some(end) = self.end {
            self.watchdog = Watchdog::start(limits, timeout, &self.asked, &self.progress, end);
        }
    }

    /// Something long begins. If all that was printed so far is with the reader, and complete in
    /// itself, the limits are guarded again.
    pub(super) fn computing(&self) {
        if let Some(watchdog) = &self.watchdog {
            watchdog.arm();
        }
    }

    /// The main thread is about to print, or is done.
    pub(super) fn stand_down(&mut self) {
        if let Some(watchdog) = &mut self.watchdog {
            watchdog.stand_down();
        }
    }

    /// That the answer is not known because a limit was hit, and what is proved.
    pub(super) fn undecided(&mut self, stopped: Stopped, message: &str) -> io::Result<()> {
        let text = self.asked.render(stopped, message, &self.progress.seen());
        self.document(&text)
    }

    /// Says whether `stderr` is a terminal: progress, and colours unless they are turned off,
    /// appear only there.
    #[must_use]
    pub fn stderr_is_terminal(mut self, is_terminal: bool) -> Self {
        self.stderr_is_terminal = is_terminal;
        self
    }

    pub(super) fn is_terminal(&self) -> bool {
        self.stderr_is_terminal
    }

    pub(super) fn set_colour(&mut self, colour: bool) {
        self.colour = colour;
    }

    pub(super) fn set_quiet(&mut self, quiet: bool) {
        self.quiet = quiet;
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether a progress display is wanted.
    pub(super) fn shows_progress(&self) -> bool {
        self.stderr_is_terminal && !self.quiet
    }

    /// A line of the result, which stays one line whatever the text holds.
    pub(super) fn line(&mut self, text: impl Display) -> io::Result<()> {
        self.stand_down();
        writeln!(self.stdout, "{}", visible(&text.to_string()))
    }

    /// Lines of the result.
    pub(super) fn lines(&mut self, lines: &Lines) -> io::Result<()> {
        self.stand_down();
        self.stdout.write_all(lines.as_bytes())
    }

    /// A result in JSON.
    pub(super) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_string_pretty(value).map_err(io::Error::other)?;
        self.stand_down();
        writeln!(self.stdout, "{}", in_json(&text))
    }

    /// A result in JSON on one line.
    pub(super) fn json_line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_string(value).map_err(io::Error::other)?;
        self.stand_down();
        writeln!(self.stdout, "{}", in_json(&text))
    }

    /// A result in a format of its own, by a writer that has escaped what comes from outside.
    pub(super) fn document(&mut self, text: &str) -> io::Result<()> {
        self.stand_down();
        self.stdout.write_all(text.as_bytes())
    }

    /// Bytes of the result, for writers that want a stream.
    pub(super) fn stdout(&mut self) -> &mut dyn Write {
        self.stand_down();
        self.stdout
    }

    /// Hands what was printed so far to the reader.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()?;
        if let Some(watchdog) = &mut self.watchdog {
            watchdog.flushed();
        }
        Ok(())
    }

    /// A remark that is no part of the result; `--quiet` leaves it out.
    pub(super) fn note(&mut self, text: impl Display) {
        if !self.quiet {
            self.labelled("note", AnsiColor::Cyan, text);
        }
    }

    /// Why there is no full result; `--quiet` does not leave it out.
    pub(super) fn warning(&mut self, text: impl Display) {
        self.labelled("warning", AnsiColor::Yellow, text);
    }

    /// What is wrong.
    pub(super) fn error(&mut self, text: impl Display) {
        self.labelled("error", AnsiColor::Red, text);
    }

    /// What is wrong, and below what to do about it.
    pub(super) fn fault(&mut self, fault: &Error) {
        self.error(fault.message());
        if let Some(help) = fault.help() {
            // As for labelled lines: there is nowhere to report a failure to report.
            let _ = writeln!(self.stderr, "  help: {}", visible(&help));
        }
    }

    /// Counters that were asked for; they are no part of the result, since they may differ
    /// between two runs.
    pub(super) fn stats(&mut self, text: impl Display) {
        self.labelled("stats", AnsiColor::Cyan, text);
    }

    /// A file was written.
    pub(super) fn wrote(&mut self, what: &str, path: &Path) {
        self.note(format_args!("{what} written to {}", path.display()));
    }

    /// clap's own message, which carries its colours.
    pub(super) fn usage(&mut self, error: &clap::Error) -> io::Result<()> {
        let message = error.render();
        if error.use_stderr() {
            // A message that cannot be printed has nowhere else to go.
            let _ = if self.colour {
                write!(self.stderr, "{}", shorten(&message.ansi().to_string()))
            } else {
                write!(self.stderr, "{}", shorten(&message.to_string()))
            };
            Ok(())
        } else {
            // Help and version are results, and plain: they are read through pipes and pagers.
            write!(self.stdout, "{message}")
        }
    }

    fn labelled(&mut self, label: &str, colour: AnsiColor, text: impl Display) {
        let style = if self.colour {
            Style::new().bold().fg_color(Some(colour.into()))
        } else {
            Style::new()
        };
        // As above: there is nowhere to report a failure to report.
        let text = text.to_string();
        let _ = writeln!(self.stderr, "{style}{label}:{style:#} {}", visible(&text));
    }
}

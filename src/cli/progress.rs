//! The progress display: on a terminal only, and only for searches that take a while.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::limits::{Progress, Seen};
use crate::text::visible;

use super::output::Output;

/// How long a search may run before anything is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two looks at the counters.
const INTERVAL: Duration = Duration::from_millis(200);

/// Runs `work` while a line on standard error shows what the command lets others see.
pub(super) fn watch<T>(output: &Output<'_>, work: impl FnOnce() -> T) -> T {
    output.computing();
    shown(&Line::later(output), output.progress(), work)
}

/// [`watch`] for work that prints, with the line to be put aside.
pub(super) fn shown<T>(line: &Line, progress: &Progress, work: impl FnOnce() -> T) -> T {
    if line.bar.is_hidden() {
        return work();
    }
    thread::scope(|scope| {
        let (done, over) = mpsc::channel::<()>();
        scope.spawn(move || {
            if over.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                show(&line.bar, progress, &over);
            }
        });
        let result = work();
        drop(done);
        result
    })
}

fn show(bar: &ProgressBar, progress: &Progress, over: &mpsc::Receiver<()>) {
    let mut earlier = (Instant::now(), progress.states());
    while over.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
        let now = (Instant::now(), progress.states());
        let rate = per_second(now.1.saturating_sub(earlier.1), now.0 - earlier.0);
        earlier = now;
        let text = text(now.1, rate, progress.parts(), &progress.seen());
        bar.set_message(visible(&text).into_owned());
        bar.tick();
    }
    bar.finish_and_clear();
}

/// The counters, what is being done, and what is known of the answer.
fn text(states: u64, rate: u128, parts: u64, seen: &Seen) -> String {
    let mut shown = vec![format!("{states} states, {rate}/s")];
    let done = (parts > 0).then(|| format!("{parts} done"));
    let phase = seen.phase.iter().map(ToString::to_string).chain(done);
    let phase: Vec<String> = phase.collect();
    if !phase.is_empty() {
        shown.push(phase.join(": "));
    }
    shown.extend(seen.bounds_as(|number| number.decimal(6)));
    shown.join(", ")
}

/// A line on standard error, on a terminal only, that is written anew each time and makes room for
/// what is printed.
pub(super) struct Line {
    bar: ProgressBar,
}

impl Line {
    /// A line that is drawn when there is something to show.
    pub(super) fn later(output: &Output<'_>) -> Self {
        let shows = output.shows_progress();
        Self { bar: if shows { bar() } else { ProgressBar::hidden() } }
    }

    /// Shows nothing yet.
    pub(super) fn new(output: &Output<'_>) -> Self {
        if !output.shows_progress() {
            return Self { bar: ProgressBar::hidden() };
        }
        let bar = bar();
        bar.enable_steady_tick(INTERVAL);
        Self { bar }
    }

    /// Shows a text in place of the one before.
    pub(super) fn show(&self, text: &str) {
        self.bar.set_message(visible(text).into_owned());
    }

    /// Prints something while the line is out of the way.
    pub(super) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the line away.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar
}

fn per_second(count: u64, time: Duration) -> u128 {
    u128::from(count) * 1000 / time.as_millis().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_whole_numbers_per_second() {
        assert_eq!(per_second(500, Duration::from_millis(250)), 2000);
        assert_eq!(per_second(7, Duration::ZERO), 7000);
    }
}

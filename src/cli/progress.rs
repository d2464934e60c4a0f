//! The progress display: on a terminal only, and only for searches that take a while.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::limits::Progress;

use super::output::Output;

/// How long a search may run before anything is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two looks at the counters.
const INTERVAL: Duration = Duration::from_millis(200);

/// Runs `work` while a line on standard error shows the counters of `progress`. `proved` names
/// the bound that the search raises.
pub(super) fn watch<T>(
    output: &Output<'_>,
    progress: &Arc<Progress>,
    proved: &str,
    work: impl FnOnce() -> T,
) -> T {
    watch_with(output, progress, &|progress| format!("{proved} ≥ {}", progress.proved()), work)
}

/// [`watch`] with another text after the counters.
pub(super) fn watch_with<T>(
    output: &Output<'_>,
    progress: &Arc<Progress>,
    text: &(dyn Fn(&Progress) -> String + Sync),
    work: impl FnOnce() -> T,
) -> T {
    if !output.shows_progress() {
        return work();
    }
    thread::scope(|scope| {
        let (done, over) = mpsc::channel::<()>();
        scope.spawn(move || {
            if over.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                show(progress, text, &over);
            }
        });
        let result = work();
        drop(done);
        result
    })
}

fn show(
    progress: &Progress,
    text: &(dyn Fn(&Progress) -> String + Sync),
    over: &mpsc::Receiver<()>,
) {
    let bar = bar();
    let mut earlier = (Instant::now(), progress.states());
    while over.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
        let now = (Instant::now(), progress.states());
        let rate = per_second(now.1.saturating_sub(earlier.1), now.0 - earlier.0);
        earlier = now;
        bar.set_message(format!("{} states, {rate}/s, {}", now.1, text(progress)));
        bar.tick();
    }
    bar.finish_and_clear();
}

/// A line on standard error, on a terminal only, that is written anew each time and makes room for
/// what is printed.
pub(super) struct Line {
    bar: ProgressBar,
}

impl Line {
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
    pub(super) fn show(&self, text: String) {
        self.bar.set_message(text);
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

//! The backstop for what cannot ask the limits: code of others, or one operation on huge numbers.
//!
//! A thread looks at the clock and the heap while the main thread computes. When a limit is over by
//! a margin that a computation which asks never uses up, it prints what is proved so far and ends
//! the process. Results of the main thread and those of the watchdog never mix: whoever prints
//! holds the lock, and the watchdog stands down for good or until it is armed again as soon as the
//! main thread begins to print.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::file;
use crate::limits::{Limits, Memory, Progress, Stopped};

use super::exit;
use super::undecided::Asked;

/// Ends the process with an exit code.
pub type End = fn(u8) -> !;

/// Time between two looks.
const INTERVAL: Duration = Duration::from_millis(20);
/// The least time that a computation has for noticing that its time is over.
const GRACE: Duration = Duration::from_millis(800);
/// The least number of bytes beyond the limit.
const MARGIN: u64 = 1 << 24;

/// What the main thread is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    /// It looks for the answer.
    Computing,
    /// It prints, or is done.
    Printing,
}

/// The main thread's end of the watchdog.
#[derive(Debug)]
pub(super) struct Watchdog {
    doing: Arc<Mutex<Doing>>,
    /// Whether something was printed that the reader does not have yet.
    unflushed: bool,
}

impl Watchdog {
    /// Watches from now on, if there is a limit to be watched.
    pub(super) fn start(
        limits: &Limits,
        timeout: Option<Duration>,
        asked: &Asked,
        progress: &Arc<Progress>,
        end: End,
    ) -> Option<Self> {
        let bounds = Bounds::of(limits, timeout)?;
        let doing = Arc::new(Mutex::new(Doing::Computing));
        let (watched, asked, progress) = (Arc::clone(&doing), asked.clone(), Arc::clone(progress));
        // Without a thread there is no backstop, which is no reason not to compute.
        let started = thread::Builder::new().name("watchdog".into()).spawn(move || {
            loop {
                thread::sleep(INTERVAL);
                let doing = lock(&watched);
                let broken = bounds.broken(Instant::now());
                let Some(stopped) = broken.filter(|_| *doing != Doing::Printing) else {
                    continue;
                };
                // From here on no file is made or put into its place.
                let _files = file::discard();
                // There is nowhere to report a failure to report.
                let text = asked.render(stopped, &stopped.to_string(), &progress.seen());
                let _ = writeln!(io::stderr(), "error: {stopped}");
                let _ = io::stdout().write_all(text.as_bytes());
                let _ = io::stdout().flush();
                end(exit::UNDECIDED)
            }
        });
        started.ok().map(|_| Self { doing, unflushed: false })
    }

    /// The main thread is about to print.
    pub(super) fn stand_down(&mut self) {
        self.unflushed = true;
        *lock(&self.doing) = Doing::Printing;
    }

    /// All that was printed is with the reader.
    pub(super) fn flushed(&mut self) {
        self.unflushed = false;
    }

    /// The main thread computes again. What it has printed is complete in itself, and if all of it is
    /// with the reader, more may follow it.
    pub(super) fn arm(&self) {
        if !self.unflushed {
            *lock(&self.doing) = Doing::Computing;
        }
    }
}

fn lock(doing: &Mutex<Doing>) -> MutexGuard<'_, Doing> {
    doing.lock().unwrap_or_else(PoisonError::into_inner)
}

/// When the watchdog acts.
#[derive(Debug, Clone)]
struct Bounds {
    end: Option<Instant>,
    /// The bytes at which it acts, and the limit.
    memory: Option<(u64, Memory)>,
}

impl Bounds {
    fn of(limits: &Limits, timeout: Option<Duration>) -> Option<Self> {
        let grace = GRACE.max(timeout.unwrap_or_default() / 20);
        let end = limits.deadline.and_then(|deadline| deadline.checked_add(grace));
        let memory = limits.memory.map(|memory| {
            let margin = MARGIN.max(memory.bytes / 8);
            (memory.bytes.saturating_add(margin), memory)
        });
        (end.is_some() || memory.is_some()).then_some(Self { end, memory })
    }

    fn broken(&self, now: Instant) -> Option<Stopped> {
        if self.end.is_some_and(|end| now >= end) {
            return Some(Stopped::Deadline);
        }
        let (bytes, memory) = self.memory?;
        let bytes = Memory { bytes, ..memory };
        bytes.is_over().then_some(Stopped::Memory { bytes: memory.bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_watchdog_leaves_time_for_a_computation_that_asks() {
        let now = Instant::now();
        let limits = Limits { deadline: Some(now), ..Limits::default() };
        let short = Bounds::of(&limits, Some(Duration::from_secs(1))).unwrap();
        assert_eq!(short.broken(now + Duration::from_millis(799)), None);
        assert_eq!(short.broken(now + Duration::from_millis(800)), Some(Stopped::Deadline));
        // 5 % of 100 s.
        let long = Bounds::of(&limits, Some(Duration::from_secs(100))).unwrap();
        assert_eq!(long.broken(now + Duration::from_secs(4)), None);
        assert_eq!(long.broken(now + Duration::from_secs(5)), Some(Stopped::Deadline));
        assert!(Bounds::of(&Limits::default(), None).is_none());
    }

    #[test]
    fn the_watchdog_leaves_room_for_a_computation_that_asks() {
        let bounds = |bytes| {
            let memory = Some(Memory { bytes, gauge: || 1 << 30, given: true });
            Bounds::of(&Limits { memory, ..Limits::default() }, None).unwrap()
        };
        let now = Instant::now();
        assert_eq!(bounds(1 << 30).broken(now), None);
        let memory = |bytes| Some(Stopped::Memory { bytes });
        assert_eq!(bounds((1 << 30) - (1 << 27)).broken(now), memory((1 << 30) - (1 << 27)));
        assert_eq!(bounds(0).broken(now), memory(0));
    }
}

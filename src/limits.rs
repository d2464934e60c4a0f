//! Bounds on the work of a search, and what is said when one is hit.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::error::{Error, Result};
use crate::exact::Number;

/// How much work a search may do, and on how many threads.
///
/// A state limit counts work in a fixed order, so a search that has one runs on one thread and
/// stops at the same place for any `jobs`. The deadline is the one exception to determinism.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Number of threads, at least 1.
    pub jobs: NonZeroUsize,
    /// Greatest number of search states to expand; `None` is no limit.
    pub states: Option<u64>,
    /// When to give up; `None` is never.
    pub deadline: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { jobs: NonZeroUsize::MIN, states: None, deadline: None }
    }
}

impl Limits {
    /// Whether the computation may go on.
    ///
    /// # Errors
    /// The bound that is hit; states are not looked at.
    pub fn check(&self) -> std::result::Result<(), Stopped> {
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stopped::Deadline),
            _ => Ok(()),
        }
    }

    /// A meter with these limits that nobody sees.
    pub fn meter(&self) -> Meter<'static> {
        Meter { left: self.states, deadline: self.deadline, progress: None }
    }
}

/// The bound that stopped a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// The limit on states.
    #[error("the limit on states was reached")]
    States,
    /// The deadline.
    #[error("the time limit was reached")]
    Deadline,
    /// Another thread of the same search has finished it.
    #[error("the search was ended elsewhere")]
    Elsewhere,
}

/// What a running search lets others see: read by the progress display, never by a verdict.
#[derive(Debug, Default)]
pub struct Progress {
    /// States expanded so far.
    pub states: AtomicU64,
    /// A number that grows with the proof: for the Littlestone dimension, the greatest depth
    /// proved so far.
    pub proved: AtomicU64,
    /// A bound on the result that shrinks with the proof: for privacy, one on the worst δ.
    bound: Mutex<Option<Number>>,
}

impl Progress {
    /// States expanded so far.
    pub fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    /// A bound on the result, as it is known now.
    pub fn upper(&self) -> Option<Number> {
        self.lock().clone()
    }

    /// Lets others see a bound on the result.
    pub fn bound(&self, upper: Number) {
        *self.lock() = Some(upper);
    }

    fn lock(&self) -> MutexGuard<'_, Option<Number>> {
        self.bound.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The greatest depth proved so far.
    pub fn proved(&self) -> u64 {
        self.proved.load(Ordering::Relaxed)
    }
}

/// Counts the states of a computation on one thread that has no bounds to offer before it ends, and
/// stops it at a limit. The default has no limits, and nobody sees it.
#[derive(Debug, Default)]
pub struct Meter<'p> {
    left: Option<u64>,
    deadline: Option<Instant>,
    progress: Option<&'p Progress>,
}

impl<'p> Meter<'p> {
    /// A meter that has counted nothing yet. What it counts is seen in `progress`.
    pub fn new(limits: &Limits, progress: &'p Progress) -> Self {
        Self { left: limits.states, deadline: limits.deadline, progress: Some(progress) }
    }

    /// Counts a state.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn count(&mut self) -> Result<()> {
        let stopped = if self.left == Some(0) {
            Some(Stopped::States)
        } else {
            self.deadline.filter(|end| Instant::now() >= *end).map(|_| Stopped::Deadline)
        };
        if let Some(stopped) = stopped {
            return Err(Error::Limit {
                message: stopped.to_string(),
                help: "allow more with --limit-states or --timeout, or ask for fewer rounds".into(),
            });
        }
        self.left = self.left.map(|left| left - 1);
        if let Some(progress) = self.progress {
            progress.states.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Lets others see that one more part of the work is done.
    pub fn done(&self) {
        if let Some(progress) = self.progress {
            progress.proved.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_stops_after_so_many_states() {
        let progress = Progress::default();
        let limits = Limits { states: Some(2), ..Limits::default() };
        let mut meter = Meter::new(&limits, &progress);
        assert!(meter.count().and_then(|()| meter.count()).is_ok());
        assert!(matches!(meter.count(), Err(Error::Limit { .. })));
        assert_eq!(progress.states(), 2);
        let late = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        assert!(Meter::new(&late, &progress).count().is_err());
        assert!(Meter::default().count().is_ok());
    }
}

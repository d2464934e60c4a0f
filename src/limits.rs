//! Bounds on the work of a search, and what is said when one is hit.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

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

//! Bounds on the work of a search, and what is said when one is hit.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

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
}

impl Progress {
    /// States expanded so far.
    pub fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    /// The greatest depth proved so far.
    pub fn proved(&self) -> u64 {
        self.proved.load(Ordering::Relaxed)
    }
}

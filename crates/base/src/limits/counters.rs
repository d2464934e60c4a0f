//! How much work is done so far, for others to see.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the work of a running computation. No verdict reads it.
#[derive(Debug, Default)]
pub struct Counters {
    /// States expanded so far.
    pub states: AtomicU64,
    parts: AtomicU64,
}

impl Counters {
    /// States expanded so far.
    pub fn states(&self) -> u64 {
        self.states.load(Ordering::Relaxed)
    }

    /// How many parts of the work are done.
    pub fn parts(&self) -> u64 {
        self.parts.load(Ordering::Relaxed)
    }

    /// One more part of the work is done.
    pub fn part_done(&self) {
        self.parts.fetch_add(1, Ordering::Relaxed);
    }
}

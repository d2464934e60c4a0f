//! Counts the work of the simpler searches and stops them at a limit.

use std::cell::Cell;
use std::time::Instant;

use crate::limits::{Limits, Stopped};

/// How often the clock is read: once in so many states.
const CLOCK_INTERVAL: u64 = 256;

/// The states expanded by one search on one thread.
#[derive(Debug)]
pub(super) struct Meter<'l> {
    limits: &'l Limits,
    states: Cell<u64>,
}

impl<'l> Meter<'l> {
    pub(super) fn new(limits: &'l Limits) -> Self {
        Self { limits, states: Cell::new(0) }
    }

    /// Counts one state.
    pub(super) fn tick(&self) -> Result<(), Stopped> {
        let states = self.states.get();
        if self.limits.states.is_some_and(|limit| states >= limit) {
            return Err(Stopped::States);
        }
        if states.is_multiple_of(CLOCK_INTERVAL)
            && self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Err(Stopped::Deadline);
        }
        self.states.set(states + 1);
        Ok(())
    }
}

//! Counts the work of a search on one thread and stops it at a limit.

use std::time::Instant;

use crate::limits::{Limits, Stopped};

/// How much work is done between two looks at the clock: some milliseconds.
const WORK_BETWEEN_LOOKS: usize = 1 << 20;

/// The states expanded so far, and the work since the clock was last read.
#[derive(Debug)]
pub(super) struct Meter {
    states: Option<u64>,
    deadline: Option<Instant>,
    expanded: u64,
    work: usize,
}

impl Meter {
    pub(super) fn new(limits: &Limits) -> Self {
        // The first piece of work looks at the clock, so that a deadline in the past is noticed.
        Self {
            states: limits.states,
            deadline: limits.deadline,
            expanded: 0,
            work: WORK_BETWEEN_LOOKS,
        }
    }

    /// Counts one state, unless the limit is reached already.
    pub(super) fn state(&mut self) -> Result<(), Stopped> {
        if self.states.is_some_and(|limit| self.expanded >= limit) {
            return Err(Stopped::States);
        }
        self.expanded += 1;
        self.work(1)
    }

    /// Takes note of some steps of work, which only the deadline bounds.
    pub(super) fn work(&mut self, steps: usize) -> Result<(), Stopped> {
        self.work = self.work.saturating_add(steps);
        if self.work >= WORK_BETWEEN_LOOKS {
            self.work = 0;
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Stopped::Deadline);
            }
        }
        Ok(())
    }
}

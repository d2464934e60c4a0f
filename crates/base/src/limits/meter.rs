//! Counts the work of a computation on one thread and stops it at a limit.

use std::sync::atomic::Ordering;

use super::{Counters, Limits, Stopped};

/// How many steps are taken between two looks at the limits: some milliseconds.
const STEPS_BETWEEN_LOOKS: usize = 1 << 20;

/// How many steps an operation on exact numbers takes, roughly.
const STEPS_OF_OPERATION: usize = 1 << 7;

/// Counts the states and the steps of a computation on one thread, and stops it at a limit. The
/// default has no limits, and nobody sees it.
#[derive(Debug, Default)]
pub struct Meter<'p> {
    limits: Limits,
    expanded: u64,
    /// The steps since the last look. The first step looks, so that a limit that is hit already is
    /// noticed.
    steps: Option<usize>,
    progress: Option<&'p Counters>,
}

impl<'p> Meter<'p> {
    /// A meter that has counted nothing yet. What it counts is seen in `progress`.
    pub fn new(limits: &Limits, progress: &'p Counters) -> Self {
        Self { progress: Some(progress), ..Meter::unseen(limits) }
    }

    pub(super) fn unseen(limits: &Limits) -> Self {
        Self { limits: limits.clone(), expanded: 0, steps: None, progress: None }
    }

    pub(super) fn looked(limits: &Limits) -> Self {
        Self { steps: Some(0), ..Meter::unseen(limits) }
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Counts a state, a piece of work that takes microseconds or more, and looks at all limits.
    ///
    /// # Errors
    /// The limit that is hit.
    pub fn count(&mut self) -> Result<(), Stopped> {
        if self.limits.states.is_some_and(|limit| self.expanded >= limit) {
            return Err(Stopped::States);
        }
        self.limits.check()?;
        self.expanded += 1;
        if let Some(progress) = self.progress {
            progress.states.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Takes note of some short steps of about a nanosecond each, which are no states. The limits
    /// are looked at once in a while.
    ///
    /// # Errors
    /// The limit that is hit.
    #[inline]
    pub fn work(&mut self, steps: usize) -> Result<(), Stopped> {
        let taken = self.steps.map_or(STEPS_BETWEEN_LOOKS, |taken| taken.saturating_add(steps));
        if taken < STEPS_BETWEEN_LOOKS {
            self.steps = Some(taken);
            return Ok(());
        }
        self.steps = Some(0);
        self.limits.check()
    }

    /// [`work`](Self::work) for operations on exact numbers, which take some hundred steps each
    /// unless the numbers are huge.
    ///
    /// # Errors
    /// The limit that is hit.
    #[inline]
    pub fn operations(&mut self, operations: usize) -> Result<(), Stopped> {
        self.work(operations.saturating_mul(STEPS_OF_OPERATION))
    }

    /// Lets others see that one more part of the work is done.
    pub fn done(&self) {
        if let Some(progress) = self.progress {
            progress.part_done();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Memory;
    use std::sync::atomic::AtomicU64;
    use std::time::Instant;

    #[test]
    fn a_meter_stops_after_so_many_states() {
        let progress = Counters::default();
        let limits = Limits { states: Some(2), ..Limits::default() };
        let mut meter = Meter::new(&limits, &progress);
        assert!(meter.count().and_then(|()| meter.count()).is_ok());
        assert_eq!(meter.count(), Err(Stopped::States));
        assert_eq!(progress.states(), 2);
        let late = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        assert!(Meter::new(&late, &progress).count().is_err());
        assert_eq!(late.meter().work(1), Err(Stopped::Deadline));
        assert!(Meter::default().count().is_ok());
    }

    #[test]
    fn short_steps_look_at_the_limits_once_in_a_while() {
        static LOOKS: AtomicU64 = AtomicU64::new(0);
        let memory = Some(Memory {
            bytes: 2,
            gauge: || LOOKS.fetch_add(1, Ordering::Relaxed) + 1,
            given: true,
        });
        let mut meter = Limits { memory, ..Limits::default() }.meter();
        assert_eq!(meter.work(1), Ok(()));
        for _ in 0..1000 {
            assert_eq!(meter.work(STEPS_BETWEEN_LOOKS / 1001), Ok(()));
        }
        assert_eq!(LOOKS.load(Ordering::Relaxed), 1);
        assert_eq!(meter.work(STEPS_BETWEEN_LOOKS), Ok(()));
        assert_eq!(meter.work(STEPS_BETWEEN_LOOKS), Err(Stopped::Memory { bytes: 2 }));
        let mut piece = meter.limits().within_piece();
        assert_eq!(piece.work(1), Ok(()));
        assert_eq!(piece.work(STEPS_BETWEEN_LOOKS), Err(Stopped::Memory { bytes: 2 }));
    }
}

//! Bounds on the work of a computation, and what is said when one is hit.

mod counters;
mod memory;
mod meter;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

pub use counters::Counters;
pub use memory::{Gauge, Memory, available};
pub use meter::Meter;

/// How much a computation may do, and on how many threads. Cheap to clone; clones share what can
/// change, the cancellation.
///
/// States are counted in a fixed order, and so are bytes on one thread: a computation that was given
/// one of these limits runs on one thread ([`threads`](Self::threads)) and stops at the same place
/// for any `jobs`. The deadline, the cancellation and a limit on memory that depends on the machine
/// are the exceptions to determinism.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Number of threads, at least 1.
    pub jobs: NonZeroUsize,
    /// Greatest number of search states to expand; `None` is no limit.
    pub states: Option<u64>,
    /// Greatest number of live bytes, and who counts them; `None` is no limit.
    pub memory: Option<Memory>,
    /// When to give up; `None` is never.
    pub deadline: Option<Instant>,
    /// Set from elsewhere when the answer is no longer wanted.
    pub cancelled: Option<Arc<AtomicBool>>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            jobs: NonZeroUsize::MIN,
            states: None,
            memory: None,
            deadline: None,
            cancelled: None,
        }
    }
}

impl Limits {
    /// Whether the computation may go on. A loop that can be long asks this in every turn that is
    /// long itself, and through a [`Meter`] in turns that are short.
    ///
    /// # Errors
    /// The bound that is hit. States are not looked at: they are counted where they are expanded.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.cancelled.as_ref().is_some_and(|cancelled| cancelled.load(Ordering::Relaxed)) {
            return Err(Stopped::Cancelled);
        }
        if let Some(memory) = self.memory.filter(Memory::is_over) {
            return Err(Stopped::Memory { bytes: memory.bytes });
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stopped::Deadline);
        }
        Ok(())
    }

    /// On how many threads to compute: on one if a limit counts in a fixed order.
    pub fn threads(&self) -> NonZeroUsize {
        let counted = self.states.is_some() || self.memory.is_some_and(|memory| memory.given);
        if counted { NonZeroUsize::MIN } else { self.jobs }
    }

    /// The limit on states as a size, or `default` without one.
    pub fn states_or(&self, default: usize) -> usize {
        self.states.map_or(default, |states| usize::try_from(states).unwrap_or(usize::MAX))
    }

    /// A meter with these limits that nobody sees.
    pub fn meter(&self) -> Meter<'static> {
        Meter::unseen(self)
    }

    /// A meter for one piece of a computation that looks at the limits between its pieces: short
    /// pieces are not slowed down by looks of their own.
    #[must_use]
    pub fn within_piece(&self) -> Meter<'static> {
        Meter::looked(self)
    }
}

/// The bound that stopped a computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Stopped {
    /// The limit on states.
    #[error("the limit on states was reached")]
    States,
    /// The deadline.
    #[error("the time limit was reached")]
    Deadline,
    /// The limit on live bytes.
    #[error("the limit of {bytes} bytes of memory was reached")]
    Memory {
        /// The limit.
        bytes: u64,
    },
    /// A fixed limit of this program on the size of what it works on.
    #[error("the question is larger than this program handles")]
    Size,
    /// The answer was no longer wanted.
    #[error("the computation was cancelled")]
    Cancelled,
    /// Another thread of the same search has finished it.
    #[error("the search was ended elsewhere")]
    Elsewhere,
    /// A guess in floating point failed, or was of no use: no limit, but the end of a search too.
    #[error("the floating-point guess failed")]
    Guess,
    /// The bounds that are proved leave the question open: no limit, but all that the method shows.
    #[error("the bounds that are proved do not decide it")]
    Bounds,
}

impl Stopped {
    /// One of each kind.
    pub const ALL: [Self; 8] = [
        Self::States,
        Self::Deadline,
        Self::Memory { bytes: 0 },
        Self::Size,
        Self::Cancelled,
        Self::Elsewhere,
        Self::Guess,
        Self::Bounds,
    ];

    /// One word for output that programs read.
    pub fn word(self) -> &'static str {
        match self {
            Self::States => "states",
            Self::Deadline => "time",
            Self::Memory { .. } => "memory",
            Self::Size => "size",
            Self::Cancelled => "cancelled",
            Self::Elsewhere => "elsewhere",
            Self::Guess => "guess",
            Self::Bounds => "bounds",
        }
    }

    /// The bound in a form that [`from_code`](Self::from_code) reads.
    pub fn code(self) -> String {
        match self {
            Self::Memory { bytes } => format!("memory:{bytes}"),
            other => other.word().to_owned(),
        }
    }

    /// The bound with this [`code`](Self::code).
    pub fn from_code(code: &str) -> Option<Self> {
        if let Some(bytes) = code.strip_prefix("memory:") {
            return bytes.parse().ok().map(|bytes| Self::Memory { bytes });
        }
        // The code of a limit on memory has the limit in it.
        Self::ALL.into_iter().find(|stopped| stopped.code() == code)
    }

    /// How to go on.
    pub fn help(self) -> &'static str {
        match self {
            Self::States => "allow more with --limit-states, or ask for less",
            Self::Deadline => "allow more with --timeout, or ask for less",
            Self::Memory { .. } => "allow more with --limit-memory, or ask for less",
            Self::Size | Self::Cancelled | Self::Elsewhere | Self::Guess | Self::Bounds => {
                "ask for less"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_has_a_code_of_its_own() {
        let memory = Stopped::Memory { bytes: 5 };
        for stopped in [Stopped::States, Stopped::Deadline, memory, Stopped::Elsewhere] {
            assert_eq!(Stopped::from_code(&stopped.code()), Some(stopped));
        }
        assert_eq!(Stopped::from_code("memory:much"), None);
        assert_eq!(Stopped::from_code("luck"), None);
    }

    #[test]
    fn limits_that_count_in_a_fixed_order_run_on_one_thread() {
        let jobs = NonZeroUsize::new(4).unwrap();
        let free = Limits { jobs, ..Limits::default() };
        assert_eq!(free.threads(), jobs);
        assert_eq!(Limits { states: Some(1), ..free.clone() }.threads(), NonZeroUsize::MIN);
        let memory = |given| Some(Memory { bytes: 1, gauge: || 0, given });
        assert_eq!(Limits { memory: memory(true), ..free.clone() }.threads(), NonZeroUsize::MIN);
        assert_eq!(Limits { memory: memory(false), ..free }.threads(), jobs);
    }

    #[test]
    fn each_bound_is_looked_at() {
        assert_eq!(Limits::default().check(), Ok(()));
        let late = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        assert_eq!(late.check(), Err(Stopped::Deadline));
        let memory = |bytes| Some(Memory { bytes, gauge: || 1000, given: true });
        assert_eq!(Limits { memory: memory(1000), ..Limits::default() }.check(), Ok(()));
        let full = Limits { memory: memory(999), ..Limits::default() };
        assert_eq!(full.check(), Err(Stopped::Memory { bytes: 999 }));
        let cancelled = Arc::new(AtomicBool::new(false));
        let limits = Limits { cancelled: Some(Arc::clone(&cancelled)), ..Limits::default() };
        let clone = limits.clone();
        assert_eq!(clone.check(), Ok(()));
        cancelled.store(true, Ordering::Relaxed);
        assert_eq!(clone.check(), Err(Stopped::Cancelled));
    }
}

//! What the engine is measured against: the recursion of Definition 6 as one finds it in scripts,
//! with a memory keyed by the set of hypotheses that are left, and the same with two prunings.
//!
//! Both work on bit masks, hash them with the same hash function as the engine, and allocate
//! nothing but the keys they keep. They share no code with the engine.

mod memoised;
mod pruned;
mod rows;

use std::time::Duration;

use super::measure::now;

pub use memoised::memoised;
pub use pruned::{First, pruned};

/// How long a recursion may run, and how much its memory may hold.
#[derive(Debug, Clone, Copy)]
pub struct Cap {
    pub time: Duration,
    pub bytes: usize,
}

/// A recursion that was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capped {
    Time,
    Memory,
}

/// What is left of a [`Cap`].
#[derive(Debug)]
struct Budget {
    deadline: Duration,
    bytes: usize,
    calls: u32,
}

impl Budget {
    /// Calls between two looks at the clock.
    const LOOK: u32 = 1 << 10;

    fn new(cap: Cap) -> Self {
        Self { deadline: now() + cap.time, bytes: cap.bytes, calls: 0 }
    }

    /// Counts one set that is about to be examined, and the `bytes` for remembering it.
    fn spend(&mut self, bytes: usize) -> Result<(), Capped> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Capped::Memory)?;
        self.calls = self.calls.wrapping_add(1);
        if self.calls.is_multiple_of(Self::LOOK) && now() >= self.deadline {
            return Err(Capped::Time);
        }
        Ok(())
    }
}

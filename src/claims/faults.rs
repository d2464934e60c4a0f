//! What is wrong with claim files, each fault once.

use rustc_hash::FxHashSet;

use crate::error::{Error, Position};

/// Faults in the order in which they were found: the checks of a grid share most of their values,
/// and so their faults.
#[derive(Debug, Default)]
pub(super) struct Faults {
    new: Vec<Error>,
    seen: FxHashSet<Error>,
    raised: usize,
}

impl Faults {
    /// Records a fault, unless it was recorded before.
    pub(super) fn push(&mut self, fault: Error) {
        self.raised += 1;
        if !self.seen.contains(&fault) {
            self.seen.insert(fault.clone());
            self.new.push(fault);
        }
    }

    /// Records what was expected and found at a place.
    pub(super) fn record(&mut self, position: Position, expected: &str, found: &str) {
        self.push(Error::malformed(position, expected, found));
    }

    /// How many faults were found, those found again included: a check is at fault when this grows
    /// while it is read.
    pub(super) fn raised(&self) -> usize {
        self.raised
    }

    /// The faults that were recorded since they were last taken.
    pub(super) fn take(&mut self) -> Vec<Error> {
        std::mem::take(&mut self.new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_told_once_and_counted_each_time() {
        let mut faults = Faults::default();
        for line in [1, 2, 1] {
            faults.record(Position::line("a", line), "x", "y");
        }
        assert_eq!((faults.raised(), faults.take().len()), (3, 2));
        faults.record(Position::line("a", 2), "x", "y");
        assert_eq!((faults.raised(), faults.take().len()), (4, 0));
    }
}

//! How many instances a statement was checked on, and where it fails.

use std::collections::BTreeMap;

/// The most counterexamples that are shown.
const SHOWN: usize = 3;

/// What the instances of a statement come to.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// All instances.
    pub instances: usize,
    /// Those where the statement says something, and p < |X|.
    pub telling: usize,
    /// The telling instances by ρ.
    pub by_rho: BTreeMap<i32, usize>,
    /// Those where the statement is false.
    pub violations: usize,
    /// The first of them.
    pub counterexamples: Vec<String>,
    /// What makes an instance telling.
    pub criterion: &'static str,
}

impl Tally {
    pub(super) fn new(criterion: &'static str) -> Self {
        Self { criterion, ..Self::default() }
    }

    /// Counts an instance with the given ρ; `telling` if the statement says something about it.
    pub(super) fn count(&mut self, rho: i32, telling: bool) {
        self.instances += 1;
        if telling {
            self.telling += 1;
            *self.by_rho.entry(rho).or_default() += 1;
        }
    }

    /// Counts an instance where the statement is false.
    pub(super) fn violated(&mut self, counterexample: impl FnOnce() -> String) {
        self.violations += 1;
        if self.counterexamples.len() < SHOWN {
            self.counterexamples.push(counterexample());
        }
    }
}

//! How many instances a statement was checked on, and where it fails.

use std::collections::BTreeMap;

use super::super::super::{Finding, Verdict};

/// The most counterexamples that are shown.
const SHOWN: usize = 3;

/// What the instances of a statement come to.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// All instances.
    instances: usize,
    /// Those where the statement says something, and p < |X|.
    telling: usize,
    /// The telling instances by ρ.
    by_rho: BTreeMap<i32, usize>,
    violations: usize,
    counterexamples: Vec<String>,
    /// What makes an instance telling.
    criterion: &'static str,
}

impl Tally {
    pub fn new(criterion: &'static str) -> Self {
        Self { criterion, ..Self::default() }
    }

    /// Counts an instance with the given ρ; `telling` if the statement says something about it.
    pub fn count(&mut self, rho: i32, telling: bool) {
        self.instances += 1;
        if telling {
            self.telling += 1;
            *self.by_rho.entry(rho).or_default() += 1;
        }
    }

    /// Counts an instance where the statement is false.
    pub fn violated(&mut self, counterexample: impl FnOnce() -> String) {
        self.violations += 1;
        if self.counterexamples.len() < SHOWN {
            self.counterexamples.push(counterexample());
        }
    }

    pub fn finding(self, subject: &str, mut details: Vec<String>) -> Finding {
        let verdict = match (self.violations, self.telling) {
            (0, 0) => Verdict::Vacuous,
            (0, _) => Verdict::Holds,
            _ => Verdict::Refuted,
        };
        if verdict == Verdict::Vacuous {
            let why = self.criterion;
            details.push(format!("vacuous: p ≥ |X|, or there is no instance with {why}"));
        }
        details.extend(self.counterexamples);
        let by_rho: Vec<String> =
            self.by_rho.iter().map(|(rho, count)| format!("{count} with ρ = {rho}")).collect();
        Finding {
            verdict,
            found: format!(
                "{subject}: false for {} of {} instances",
                self.violations, self.instances
            ),
            non_vacuous: (verdict == Verdict::Holds).then(|| {
                format!("{} instances have {}: {}", self.telling, self.criterion, by_rho.join(", "))
            }),
            details,
            values: BTreeMap::from([
                ("instances".into(), self.instances.to_string()),
                ("telling".into(), self.telling.to_string()),
                ("violations".into(), self.violations.to_string()),
            ]),
        }
    }
}

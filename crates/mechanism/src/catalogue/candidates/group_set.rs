//! Lemma 6's set I: the groups that are successful for every full batch of a run.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use littlestone_exact::limits::Limits;
use littlestone_exact::{Number, Rational};

use super::Fault;
use super::algorithm::{Algorithm, Record, Run};
use super::sampling::tail;
use super::statement::successful;

/// What the runs on one stream say of I.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupSet {
    /// P(k − |I| = u) for 0 ≤ u ≤ k.
    pub outside: Vec<Number>,
    /// The greatest P(Z > z | past) over the full batches that occur, Z the number of groups that are
    /// unsuccessful for the batch.
    pub batch: Number,
    /// The greatest number of full batches in one run.
    pub full: usize,
}

impl GroupSet {
    /// P(k − |I| > u).
    pub fn beyond(&self, u: usize) -> Number {
        tail(&self.outside, u)
    }
}

impl Algorithm {
    /// The exact law of the number of groups outside I on a stream, realisable or not, and how likely
    /// it is that more than `z` groups are unsuccessful for one batch. A group without a full batch
    /// in the run is in I.
    ///
    /// # Errors
    /// When a limit is hit: each run counts as one state, and each assignment of a batch.
    pub fn group_set(
        &self,
        stream: &[(usize, bool)],
        tolerance: &Rational,
        z: usize,
        limits: &Limits,
    ) -> Result<GroupSet, Fault> {
        let groups = self.parameters().groups;
        let mut found =
            GroupSet { outside: vec![Number::zero(); groups + 1], batch: Number::zero(), full: 0 };
        let mut batches: BTreeSet<Vec<Record>> = BTreeSet::new();
        let all = self.for_each_run(stream, limits, |run, weight| {
            let sum = &mut found.outside[groups - self.members_of_set(run, tolerance)];
            *sum = &*sum + weight;
            let full = run.steps.iter().filter(|step| step.full);
            found.full = found.full.max(full.clone().count());
            batches.extend(full.map(|step| step.records.clone()));
            ControlFlow::<()>::Continue(())
        })?;
        debug_assert!(all.is_continue());
        for records in &batches {
            let law = self.unsuccessful(records, tolerance, limits)?;
            found.batch = found.batch.max(tail(&law, z));
        }
        Ok(found)
    }

    /// |I|.
    fn members_of_set(&self, run: &Run, tolerance: &Rational) -> usize {
        let good = |group: &usize| {
            let mut full = run.steps.iter().filter(|step| step.full);
            full.all(|step| successful(self, &step.records, &step.samples[*group], tolerance))
        };
        (0..self.parameters().groups).filter(good).count()
    }
}

//! Lemma 6: how a full batch is divided among the groups, and which groups are successful.
//!
//! Every count here is over all k^K assignments and all ways to sample, each equally likely given
//! the assignment.

use std::collections::BTreeMap;

use itertools::Itertools;

use littlestone_base::error::Error;
use littlestone_exact::limits::Limits;
use littlestone_exact::{Number, Rational};

use super::algorithm::{Algorithm, Record};
use super::chances::share;
use super::statement::successful;
use super::{Fault, whole};

/// How a group chooses the records that it stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Line 5: a uniform subset of min{n, m} of its m records.
    Subset,
    /// The proof of Lemma 6: each record has an independent uniform number, and the n smallest are
    /// kept.
    Smallest,
    /// The first n in time: a misreading.
    First,
    /// n independent uniform draws from its records, repetitions dropped: a misreading.
    Replacement,
}

/// The greatest number of records for which all orders of their numbers are tried.
const MOST_ORDERED: usize = 7;

/// What a group stores: places in the batch, in increasing order.
type Stored = Vec<usize>;

impl Algorithm {
    /// The exact law of Z, the number of groups that are unsuccessful for a full batch: they receive
    /// fewer than n records, or the errors on sample and batch differ by more than the tolerance for
    /// some hypothesis (Lemma 6). Entry z is P(Z = z), for 0 ≤ z ≤ k.
    ///
    /// # Errors
    /// When a limit is hit: each assignment counts as one state.
    pub fn unsuccessful(
        &self,
        records: &[Record],
        tolerance: &Rational,
        limits: &Limits,
    ) -> Result<Vec<Number>, Fault> {
        let (n, k) = (self.parameters().sample, self.parameters().groups);
        let mut meter = limits.meter();
        let mut law = vec![Number::zero(); k + 1];
        let total = assignments(records.len(), k)?;
        for groups in every_assignment(records.len(), k) {
            meter.count()?;
            // Given the assignment the samples are independent, so the count is a sum of coins.
            let mut counts = vec![share(1, total)?];
            for group in 0..k {
                let received = places(&groups, group);
                let good = if received.len() < n {
                    Number::zero()
                } else {
                    let samples = received.iter().copied().combinations(n);
                    let (good, all) = samples.fold((0, 0), |(good, all), places| {
                        let sample = places.iter().map(|&place| records[place]).collect_vec();
                        let fits = successful(self, records, &sample, tolerance);
                        (good + usize::from(fits), all + 1)
                    });
                    share(good, all)?
                };
                let bad = &Number::one() - &good;
                let mut next = vec![Number::zero(); counts.len() + 1];
                for (z, weight) in counts.iter().enumerate() {
                    next[z] = &next[z] + &(weight * &good);
                    next[z + 1] = &next[z + 1] + &(weight * &bad);
                }
                counts = next;
            }
            for (sum, more) in law.iter_mut().zip(&counts) {
                *sum = &*sum + more;
            }
        }
        Ok(law)
    }

    /// The greatest change of Z when the group and the number of one record change (the bounded
    /// differences of Lemma 6), over all assignments and all orders of the numbers.
    ///
    /// # Errors
    /// When the batch has more than 7 records, or a limit is hit: each assignment with an order
    /// counts as one state.
    pub fn difference(
        &self,
        records: &[Record],
        tolerance: &Rational,
        limits: &Limits,
    ) -> Result<usize, Fault> {
        ordered(records.len())?;
        let k = self.parameters().groups;
        let mut meter = limits.meter();
        let mut known: BTreeMap<(Vec<usize>, Vec<usize>), usize> = BTreeMap::new();
        for groups in every_assignment(records.len(), k) {
            for order in (0..records.len()).permutations(records.len()) {
                meter.count()?;
                let bad = self.bad(records, &groups, &order, tolerance);
                known.insert((groups.clone(), order), bad);
            }
        }
        let mut greatest = 0;
        for ((groups, order), &bad) in &known {
            for record in 0..records.len() {
                let mut others = order.clone();
                others.retain(|&other| other != record);
                for (group, at) in (0..k).cartesian_product(0..records.len()) {
                    let (mut changed, mut moved) = (groups.clone(), others.clone());
                    changed[record] = group;
                    moved.insert(at, record);
                    greatest = greatest.max(bad.abs_diff(known[&(changed, moved)]));
                }
            }
        }
        Ok(greatest)
    }

    /// Z for an assignment and the records in the order of their numbers.
    fn bad(
        &self,
        records: &[Record],
        groups: &[usize],
        order: &[usize],
        tolerance: &Rational,
    ) -> usize {
        let n = self.parameters().sample;
        let unsuccessful = |group: &usize| {
            let received = order.iter().filter(|&&place| groups[place] == *group);
            let sample = received.take(n).map(|&place| records[place]).collect_vec();
            !successful(self, records, &sample, tolerance)
        };
        (0..self.parameters().groups).filter(unsuccessful).count()
    }

    /// The expected number of records that a group receives from a full batch, by adding up over all
    /// assignments; every group has the same.
    ///
    /// # Errors
    /// When there are too many assignments.
    pub fn received(&self) -> Result<Number, Fault> {
        let (size, k) = (self.parameters().batch, self.parameters().groups);
        let total = assignments(size, k)?;
        let sum = every_assignment(size, k).map(|groups| places(&groups, 0).len()).sum();
        share(sum, total)
    }

    /// The joint law of what all groups store, for a full batch and a rule; sorted by outcome.
    ///
    /// # Errors
    /// When there are too many assignments, or more than 7 records and the rule orders them.
    pub fn stored_by(&self, rule: Rule) -> Result<Vec<(Vec<Stored>, Number)>, Fault> {
        let parameters = self.parameters();
        let (n, size, k) = (parameters.sample, parameters.batch, parameters.groups);
        let total = assignments(size, k)?;
        let mut law: BTreeMap<Vec<Stored>, Number> = BTreeMap::new();
        let mut add = |stored: Vec<Stored>, weight: &Number| {
            let sum = law.entry(stored).or_insert_with(Number::zero);
            *sum = &*sum + weight;
        };
        if rule == Rule::Smallest {
            ordered(size)?;
        }
        for groups in every_assignment(size, k) {
            let received = (0..k).map(|group| places(&groups, group)).collect_vec();
            let stored: Vec<Vec<Stored>> = match rule {
                Rule::Smallest => {
                    let orders = (0..size).permutations(size).collect_vec();
                    let weight = &share(1, total)? * &share(1, orders.len())?;
                    for order in orders {
                        let stored = |group: usize| {
                            let own = order.iter().copied().filter(|&place| groups[place] == group);
                            own.take(n).sorted_unstable().collect_vec()
                        };
                        add((0..k).map(stored).collect(), &weight);
                    }
                    continue;
                }
                Rule::Subset => received
                    .into_iter()
                    .map(|own| {
                        let m = own.len().min(n);
                        own.into_iter().combinations(m).collect()
                    })
                    .collect(),
                Rule::First => received
                    .into_iter()
                    .map(|own| vec![own.into_iter().take(n).collect()])
                    .collect(),
                Rule::Replacement => received
                    .into_iter()
                    .map(|own| {
                        let m = own.len().min(n);
                        let draws = (0..m).map(|_| own.iter().copied());
                        if m == 0 {
                            return vec![Vec::new()];
                        }
                        draws
                            .multi_cartesian_product()
                            .map(|drawn| drawn.into_iter().sorted_unstable().dedup().collect())
                            .collect()
                    })
                    .collect(),
            };
            let cases = stored.iter().map(Vec::len).product();
            let weight = &share(1, total)? * &share(1, cases)?;
            for choice in stored.into_iter().multi_cartesian_product() {
                add(choice, &weight);
            }
        }
        Ok(law.into_iter().collect())
    }
}

/// The places of the records that a group receives.
fn places(groups: &[usize], group: usize) -> Vec<usize> {
    groups.iter().positions(|&of| of == group).collect()
}

/// k^K, if it is not too many.
fn assignments(records: usize, groups: usize) -> Result<usize, Error> {
    const MOST: usize = 1 << 20;
    let count = u32::try_from(records).ok().and_then(|records| groups.checked_pow(records));
    count.filter(|&count| count <= MOST).ok_or_else(|| Error::TooLarge {
        what: "the set of assignments of a batch".into(),
        size: format!("{groups}^{records} assignments"),
        limit: format!("{MOST} assignments"),
    })
}

/// All assignments of records to groups, in lexicographic order.
fn every_assignment(records: usize, groups: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..records).map(|_| 0..groups).multi_cartesian_product()
}

fn ordered(records: usize) -> Result<(), Error> {
    if records <= MOST_ORDERED {
        return Ok(());
    }
    Err(Error::TooLarge {
        what: "the batch, for all orders of its numbers,".into(),
        size: format!("{records} records"),
        limit: format!("{MOST_ORDERED} records"),
    })
}

/// P(Z > z) from the law of Z.
pub fn tail(law: &[Number], z: usize) -> Number {
    law.iter().skip(z.saturating_add(1)).fold(whole(0), |sum, weight| &sum + weight)
}

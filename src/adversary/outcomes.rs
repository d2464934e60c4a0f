//! The law of Algorithm 1, listed: as it is written, and as two misreadings have it.

use std::collections::BTreeMap;

use num_traits::{One, Zero};

use super::Thirds;
use super::thirds::Interval;
use crate::error::{Error, Result};
use crate::exact::Rational;

/// The greatest number of outcomes that are listed.
const MAX_OUTCOMES: usize = 200_000;

/// How Algorithm 1 is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// As it is written.
    #[default]
    Paper,
    /// The example is inserted into the middle third that was chosen, not into the first. A round
    /// may then be chosen again by a later stage, which replaces what is there.
    ChosenThird,
    /// Every insertion draws a label of its own.
    FreshLabel,
}

/// An informative example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Insertion {
    /// Its round, counted from 1.
    pub round: usize,
    /// The stage that inserted it, counted from 1; 0 for T = 1, 2.
    pub stage: usize,
    /// Its label.
    pub label: bool,
}

/// A stream, and who inserted what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The bit B.
    pub label: bool,
    /// The insertions in the order of their rounds; all other rounds are dummy.
    pub insertions: Vec<Insertion>,
    /// The probability.
    pub weight: Rational,
}

impl Outcome {
    /// The stream as records.
    pub fn stream(&self, adversary: &Thirds) -> Vec<usize> {
        let mut stream = vec![adversary.dummy(); adversary.rounds()];
        for insertion in &self.insertions {
            stream[insertion.round - 1] = adversary.informative(insertion.label);
        }
        stream
    }

    /// Whether all informative examples have one label.
    pub fn is_consistent(&self) -> bool {
        self.insertions.windows(2).all(|pair| pair[0].label == pair[1].label)
    }
}

type Insertions = Vec<Insertion>;

impl Thirds {
    /// The law over B and the insertions: outcomes that differ have different entries, in the
    /// order of B and then of the insertions; the weights sum to 1.
    ///
    /// # Errors
    /// When there are more than 200,000 outcomes.
    pub fn outcomes(&self, reading: Reading) -> Result<Vec<Outcome>> {
        let half = Rational::new(1.into(), 2.into());
        let mut outcomes = Vec::new();
        for label in [false, true] {
            for (insertions, weight) in self.insertions(label, reading)? {
                outcomes.push(Outcome { label, insertions, weight: weight * &half });
            }
        }
        Ok(outcomes)
    }

    /// The law over streams: distinct streams of records, each with its probability.
    ///
    /// # Errors
    /// As [`Thirds::outcomes`].
    pub fn streams(&self, reading: Reading) -> Result<Vec<(Vec<usize>, Rational)>> {
        let mut streams: BTreeMap<Vec<usize>, Rational> = BTreeMap::new();
        for outcome in self.outcomes(reading)? {
            *streams.entry(outcome.stream(self)).or_default() += outcome.weight;
        }
        Ok(streams.into_iter().collect())
    }

    /// The law of the insertions given B.
    fn insertions(&self, label: bool, reading: Reading) -> Result<BTreeMap<Insertions, Rational>> {
        if self.stages() == 0 {
            let first = Insertion { round: 1, stage: 0, label };
            return Ok(BTreeMap::from([(vec![first], Rational::one())]));
        }
        let mut reached: BTreeMap<(Interval, Insertions), Rational> =
            BTreeMap::from([((self.whole(), Vec::new()), Rational::one())]);
        for stage in 1..=self.stages() {
            let mut next = BTreeMap::new();
            for ((interval, insertions), weight) in reached {
                let weight = weight / Rational::from_integer(3.into());
                let mut add = |j: u8, insertions: Insertions, weight: Rational| {
                    let entry = next.entry((interval.third(j), insertions)).or_default();
                    *entry += weight;
                };
                add(1, insertions.clone(), weight.clone());
                add(3, insertions.clone(), weight.clone());
                let kept = Rational::one() - self.probability();
                if !kept.is_zero() {
                    add(2, insertions.clone(), &weight * kept);
                }
                let window = interval.third(if reading == Reading::ChosenThird { 2 } else { 1 });
                let labels: &[bool] = match reading {
                    Reading::FreshLabel => &[false, true],
                    _ => &[label],
                };
                let choices = Rational::from_integer((window.len() * labels.len()).into());
                let share = weight * self.probability() / choices;
                for round in window.rounds() {
                    for &label in labels {
                        add(
                            2,
                            inserted(&insertions, Insertion { round, stage, label }),
                            share.clone(),
                        );
                    }
                }
            }
            if next.len() > MAX_OUTCOMES {
                return Err(too_many(self.rounds()));
            }
            reached = next;
        }
        let mut law: BTreeMap<Insertions, Rational> = BTreeMap::new();
        for ((_, insertions), weight) in reached {
            *law.entry(insertions).or_default() += weight;
        }
        Ok(law)
    }
}

/// The insertions with one more, which replaces what its round had, in the order of rounds.
fn inserted(insertions: &[Insertion], new: Insertion) -> Insertions {
    let mut all: Insertions =
        insertions.iter().copied().filter(|old| old.round != new.round).chain([new]).collect();
    all.sort_unstable();
    all
}

fn too_many(rounds: usize) -> Error {
    Error::Limit {
        message: format!(
            "Algorithm 1 has more than {MAX_OUTCOMES} outcomes for {rounds} rounds, too many to \
             list"
        ),
        help: "fewer rounds, or a question that does not list streams".into(),
    }
}

impl Thirds {
    /// For each round, the probability that it is informative.
    pub fn frequencies(&self) -> Vec<Rational> {
        let mut frequencies = vec![Rational::zero(); self.rounds()];
        if self.stages() == 0 {
            frequencies[0] = Rational::one();
            return frequencies;
        }
        let mut chance = Rational::one();
        for stage in 0..self.stages() {
            chance /= Rational::from_integer(3.into());
            for choices in Self::choices(stage) {
                let window = self.interval(&choices).third(1);
                let share = &chance * self.probability();
                let share = share / Rational::from_integer(window.len().into());
                for round in window.rounds() {
                    frequencies[round - 1] += &share;
                }
            }
        }
        frequencies
    }

    /// The law of the number of informative examples: for each from 0 to L its probability.
    /// Every stage inserts one with probability p/3, independently of the others.
    pub fn informative_law(&self) -> Vec<Rational> {
        if self.stages() == 0 {
            return vec![Rational::zero(), Rational::one()];
        }
        let inserts = self.probability() / Rational::from_integer(3.into());
        let mut law = vec![Rational::one()];
        for _ in 0..self.stages() {
            let mut next = vec![Rational::zero(); law.len() + 1];
            for (number, weight) in law.into_iter().enumerate() {
                next[number] += &weight * (Rational::one() - &inserts);
                next[number + 1] += weight * &inserts;
            }
            law = next;
        }
        law
    }
}

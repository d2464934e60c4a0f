//! The law of Algorithm 1, listed: as it is written, and as two misreadings have it.

use std::collections::BTreeMap;

use num_traits::{One, Zero};

use super::Thirds;
use super::thirds::Interval;
use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::{Meter, Stopped};
use littlestone_exact::{BigInt, Rational};

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
        self.outcomes_within(reading, &mut Meter::default())
    }

    /// The law over B and the insertions, as [`Thirds::outcomes`], within the limits of `meter`.
    ///
    /// # Errors
    /// As [`Thirds::outcomes`], or when a limit is hit. Each outcome of the stages so far counts as a
    /// state.
    pub fn outcomes_within(&self, reading: Reading, meter: &mut Meter<'_>) -> Result<Vec<Outcome>> {
        let half = Rational::new(1.into(), 2.into());
        let mut outcomes = Vec::new();
        for label in [false, true] {
            for (insertions, weight) in self.insertions(label, reading, meter)? {
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
    fn insertions(
        &self,
        label: bool,
        reading: Reading,
        meter: &mut Meter<'_>,
    ) -> Result<BTreeMap<Insertions, Rational>> {
        if self.number_of_streams() > BigInt::from(MAX_OUTCOMES) {
            return Err(too_many(self.rounds()));
        }
        if self.stages() == 0 {
            let first = Insertion { round: 1, stage: 0, label };
            return Ok(BTreeMap::from([(vec![first], Rational::one())]));
        }
        let mut reached: BTreeMap<(Interval, Insertions), Rational> =
            BTreeMap::from([((self.whole(), Vec::new()), Rational::one())]);
        for stage in 1..=self.stages() {
            let mut next = BTreeMap::new();
            for ((interval, insertions), weight) in reached {
                meter.count()?;
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
        stopped: Stopped::Size,
        message: format!(
            "Algorithm 1 has more than {MAX_OUTCOMES} outcomes for {rounds} rounds, too many to \
             list"
        ),
        help: "fewer rounds, or a question that does not list streams".into(),
    }
}

impl Thirds {
    /// The number of streams that differ.
    ///
    /// With `F_l` the sets of informative rounds that l stages on 3^l rounds make, a set of `F_{l+1}`
    /// is one of `F_l` within a third, or a round of the first third with one of `F_l` within the middle
    /// one, or for p < 1 the latter alone. Only single rounds of the first third come about twice.
    pub fn number_of_streams(&self) -> BigInt {
        if self.stages() == 0 {
            return 2.into();
        }
        let idle = usize::from(!self.probability().is_one());
        // Sets that are not empty, those with one round, and 3^l.
        let (mut sets, mut single, mut third) = (BigInt::zero(), BigInt::zero(), BigInt::one());
        for _ in 0..self.stages() {
            sets = &sets * (2 + idle) + &third * (&sets + 1) - &single;
            single = &single * (1 + idle) + &third;
            third *= 3;
        }
        sets * 2 + 1
    }

    /// For at most 729 intervals that cover all rounds, each a power of three long except one of
    /// rounds that no stage works on, the mean probability that a round is informative.
    ///
    /// Stage t + 1 inserts into a round with probability p/3^L if the round lies in the first third
    /// of its interval `A_t`: in base 3, if digit t + 1 of L of the number of rounds before it is 0.
    pub fn frequencies(&self) -> Vec<(Interval, Rational)> {
        let (stages, whole) = (self.stages(), self.whole());
        let rest = Interval { after: whole.last, last: self.rounds() };
        let mut frequencies = Vec::new();
        if stages == 0 {
            frequencies.push((whole, Rational::one()));
        } else {
            let leading = stages.min(6);
            let unit = self.probability() / Rational::from_integer(whole.last.into());
            // Digits that vary within an interval are 0 in a third of its rounds.
            let mean = Rational::new((stages - leading).into(), 3.into());
            for choices in Self::choices(leading) {
                let zeros: usize = choices.iter().map(|&j| usize::from(j == 1)).sum();
                let digits = &mean + Rational::from_integer(zeros.into());
                frequencies.push((self.interval(&choices), digits * &unit));
            }
        }
        if !rest.is_empty() {
            frequencies.push((rest, Rational::zero()));
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

//! Beliefs about several hypothetical streams at once, after each history of released bits.

use std::time::Instant;

use rustc_hash::FxHashMap;

use super::learner::Learner;
use crate::error::{Error, Result};
use crate::exact::Arithmetic;
use crate::limits::Limits;

/// Without `--limit-states`, so many beliefs are moved at most.
const MAX_BELIEFS: u64 = 1 << 22;

/// So many weights are kept at once, which is some hundred megabytes.
const MAX_WEIGHTS: usize = 1 << 23;

/// One summand of a lane after a round: the lane `from` before it, moved by `example`, times
/// `factor`.
#[derive(Debug, Clone)]
pub(super) struct Term<W> {
    pub from: usize,
    pub example: usize,
    pub factor: W,
}

/// What a round does: each new lane as a sum of terms, and by how much the denominator grows
/// beside that of a round.
#[derive(Debug, Clone)]
pub(super) struct Round<W> {
    pub lanes: Vec<Vec<Term<W>>>,
    pub scale: W,
}

/// Counts the work, and stops it.
#[derive(Debug)]
pub(super) struct Meter {
    left: u64,
    deadline: Option<Instant>,
}

impl Meter {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { left: limits.states.unwrap_or(MAX_BELIEFS), deadline: limits.deadline }
    }

    fn count(&mut self) -> Result<()> {
        if self.left == 0 {
            return Err(Error::Limit {
                message: "there are too many beliefs that differ: the limit on states was reached"
                    .into(),
                help: "fewer rounds, or more states with --limit-states".into(),
            });
        }
        self.left -= 1;
        if self.left.is_multiple_of(64) && self.deadline.is_some_and(|end| Instant::now() >= end) {
            return Err(Error::Limit {
                message: "the time limit was reached".into(),
                help: "fewer rounds, or more time with --timeout".into(),
            });
        }
        Ok(())
    }
}

/// For every history `y_1`, …, `y_r` of bits, the joint weights of (history, state) on several streams
/// (the *lanes*). Histories whose weights are proportional have one entry: the weights without
/// their common factor, and the sum of the factors.
#[derive(Debug)]
pub(super) struct Front<'l, A: Arithmetic> {
    learner: &'l Learner<A>,
    lanes: usize,
    beliefs: FxHashMap<Vec<A::Weight>, A::Weight>,
    /// What the weights are over.
    pub denominator: A::Weight,
}

impl<'l, A: Arithmetic> Front<'l, A> {
    /// Before round 1, on `lanes` streams.
    pub(super) fn start(learner: &'l Learner<A>, lanes: usize) -> Self {
        let mut front = Self {
            learner,
            lanes,
            beliefs: FxHashMap::default(),
            denominator: learner.start_denominator.clone(),
        };
        let start = std::iter::repeat_n(&learner.start, lanes).flatten().cloned().collect();
        front.meet(start, &learner.arithmetic.one());
        front
    }

    /// Adds a history, unless it is impossible on all streams.
    fn meet(&mut self, mut weights: Vec<A::Weight>, factor: &A::Weight) {
        let arithmetic = &self.learner.arithmetic;
        if weights.iter().all(|weight| arithmetic.is_zero(weight)) {
            return;
        }
        let content = arithmetic.content(&weights);
        if content != arithmetic.one() {
            for weight in &mut weights {
                *weight = arithmetic.divide(weight, &content);
            }
        }
        let share = arithmetic.mul(&content, factor);
        let sum = self.beliefs.entry(weights).or_insert_with(|| arithmetic.zero());
        arithmetic.add(sum, &share);
    }

    /// Plays a round.
    pub(super) fn advance(&mut self, round: &Round<A::Weight>, meter: &mut Meter) -> Result<()> {
        let (learner, arithmetic) = (self.learner, &self.learner.arithmetic);
        let states = learner.states();
        let old = std::mem::take(&mut self.beliefs);
        let lanes = self.lanes;
        self.lanes = round.lanes.len();
        // The sum over histories is exact, so the order of the map does not matter.
        #[expect(clippy::iter_over_hash_type, reason = "sums do not depend on their order")]
        for (weights, factor) in old {
            meter.count()?;
            if self.beliefs.len().saturating_mul(self.lanes * states) > MAX_WEIGHTS {
                return Err(Error::Limit {
                    message: "there are too many beliefs that differ to keep them".into(),
                    help: "fewer rounds, or a learner with fewer states".into(),
                });
            }
            for bit in 0..2 {
                let mut moved: Vec<[Option<Vec<A::Weight>>; 3]> = vec![[None, None, None]; lanes];
                let mut next = Vec::with_capacity(self.lanes * states);
                for terms in &round.lanes {
                    let mut sum = vec![arithmetic.zero(); states];
                    for term in terms {
                        let part = &weights[term.from * states..][..states];
                        let moved = moved[term.from][term.example]
                            .get_or_insert_with(|| learner.step(part, term.example, bit));
                        for (to, weight) in sum.iter_mut().zip(moved) {
                            if !arithmetic.is_zero(weight) {
                                arithmetic.add(to, &arithmetic.mul(weight, &term.factor));
                            }
                        }
                    }
                    next.append(&mut sum);
                }
                self.meet(next, &factor);
            }
        }
        self.denominator = arithmetic
            .mul(&self.denominator, &arithmetic.mul(&learner.round_denominator, &round.scale));
        Ok(())
    }

    /// The masses of the lanes without their common factor, with the sum of the factors: of all
    /// histories whose masses are proportional. Sorted.
    pub(super) fn masses(&self) -> Vec<(Vec<A::Weight>, A::Weight)> {
        let arithmetic = &self.learner.arithmetic;
        let states = self.learner.states();
        let mut merged: FxHashMap<Vec<A::Weight>, A::Weight> = FxHashMap::default();
        #[expect(clippy::iter_over_hash_type, reason = "sums do not depend on their order")]
        for (weights, factor) in &self.beliefs {
            let mut masses: Vec<A::Weight> = weights
                .chunks(states)
                .map(|lane| {
                    lane.iter().fold(arithmetic.zero(), |mut sum, weight| {
                        arithmetic.add(&mut sum, weight);
                        sum
                    })
                })
                .collect();
            let content = arithmetic.content(&masses);
            for mass in &mut masses {
                *mass = arithmetic.divide(mass, &content);
            }
            let share = arithmetic.mul(factor, &content);
            let sum = merged.entry(masses).or_insert_with(|| arithmetic.zero());
            arithmetic.add(sum, &share);
        }
        let mut merged: Vec<_> = merged.into_iter().collect();
        merged.sort_unstable();
        merged
    }
}

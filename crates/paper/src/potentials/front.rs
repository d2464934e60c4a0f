//! Beliefs about several hypothetical streams at once, after each history of released bits.

use rustc_hash::FxHashMap;

use super::learner::Learner;
use littlestone_base::error::{Error, Result};
use littlestone_exact::Arithmetic;
use littlestone_exact::limits::{Meter, Stopped};

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

/// For every history `y_1`, …, `y_r` of bits, the joint weights of (history, state) on several streams
/// (the *lanes*). Histories whose weights are proportional have one entry: the weights without
/// their common factor, and the sum of the factors.
#[derive(Debug, Clone)]
pub(super) struct Front<'l, A: Arithmetic> {
    learner: &'l Learner<A>,
    lanes: usize,
    beliefs: FxHashMap<Vec<A::Weight>, A::Weight>,
    /// What the weights are over.
    pub denominator: A::Weight,
}

/// Whether so many beliefs of so many numbers may be kept.
pub(super) fn check_room(beliefs: usize, numbers: usize) -> Result<()> {
    if beliefs.saturating_mul(numbers) > MAX_WEIGHTS {
        return Err(Error::Limit {
            stopped: Stopped::Size,
            message: "there are too many beliefs that differ to keep them".into(),
            help: "fewer rounds, or a learner with fewer states".into(),
        });
    }
    Ok(())
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
    pub(super) fn advance(
        &mut self,
        round: &Round<A::Weight>,
        meter: &mut Meter<'_>,
    ) -> Result<()> {
        let (learner, arithmetic) = (self.learner, &self.learner.arithmetic);
        let states = learner.states();
        let old = std::mem::take(&mut self.beliefs);
        let lanes = self.lanes;
        self.lanes = round.lanes.len();
        // The sum over histories is exact, so the order of the map does not matter.
        #[expect(clippy::iter_over_hash_type, reason = "sums do not depend on their order")]
        for (weights, factor) in old {
            meter.count()?;
            check_room(self.beliefs.len(), self.lanes * states)?;
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

    /// The histories in a fixed order: their weights without the common factor, and the sum of the
    /// factors.
    pub(super) fn sorted(&self) -> Vec<(&Vec<A::Weight>, &A::Weight)> {
        let mut entries: Vec<_> = self.beliefs.iter().collect();
        entries.sort_unstable();
        entries
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

//! `V_t(r)`: how much the released bits reveal about B; and how often they are wrong.

use std::collections::BTreeMap;

use super::front::Front;
use super::learner::{Learner, informative};
use super::plan::Plan;
use super::sum::sum;
use crate::adversary::Thirds;
use littlestone_base::error::Result;
use littlestone_exact::limits::Meter;
use littlestone_exact::{Arithmetic, Number};

/// What depends on the streams after some stages alone, whatever interval is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Values {
    /// `V_t(0)`, …, `V_t(T)`.
    pub revealed: Vec<Number>,
    /// For each round s from 1, `P(Y_s` ≠ B).
    pub wrong: Vec<Number>,
    /// For each round s from 1 but the last, P(Y_{s+1} ≠ B) after inserting (x, B) at s.
    pub wrong_after: Vec<Number>,
}

/// The values for the streams of `plan`.
///
/// With P^b(y) the probability of a history given B = b,
///   V(r) = `Σ_y` (P¹ − P⁰)²/(2(P⁰ + P¹)) = 1 − 2 `Σ_y` P⁰P¹/(P⁰ + P¹),
/// since the P⁰ + P¹ sum to 2. The terms are homogeneous, so histories whose beliefs are
/// proportional are one.
pub(super) fn values<A: Arithmetic>(
    learner: &Learner<A>,
    adversary: &Thirds,
    plan: &Plan<A>,
    meter: &mut Meter<'_>,
) -> Result<Values> {
    let arithmetic = &learner.arithmetic;
    let mut front = Front::start(learner, 2);
    let mut revealed = vec![Number::zero()];
    for round in 1..=adversary.rounds() {
        front.advance(&plan.both(round), meter)?;
        let (factors, over) = plan.reading(round);
        let denominator = arithmetic.mul(&front.denominator, &over);
        let mut terms: BTreeMap<A::Weight, A::Weight> = BTreeMap::new();
        for (masses, factor) in front.masses() {
            let [zero, one] = [0, 1].map(|label| {
                let lanes = &masses[label * factors.len()..][..factors.len()];
                weighted(arithmetic, lanes, &factors)
            });
            let product = arithmetic.mul(&arithmetic.mul(&zero, &one), &factor);
            let mut both = zero;
            arithmetic.add(&mut both, &one);
            let term = terms.entry(both).or_insert_with(|| arithmetic.zero());
            arithmetic.add(term, &product);
        }
        let terms = terms.iter().filter(|(both, _)| !arithmetic.is_zero(both));
        let overlap = sum(terms.map(|(both, p)| arithmetic.weight_number(p, both)).collect());
        let unit = arithmetic.weight_number(&arithmetic.one(), &denominator);
        revealed.push(&Number::one() - &(&Number::from(2) * &(&overlap * &unit)));
    }
    let [wrong, wrong_after] = mistakes(learner, adversary, plan);
    Ok(Values { revealed, wrong, wrong_after })
}

fn weighted<A: Arithmetic>(a: &A, lanes: &[A::Weight], factors: &[A::Weight]) -> A::Weight {
    let mut sum = a.zero();
    for (lane, factor) in lanes.iter().zip(factors) {
        a.add(&mut sum, &a.mul(lane, factor));
    }
    sum
}

/// Mistakes need no histories: the law of the state is carried alone, with both bits added up.
fn mistakes<A: Arithmetic>(
    learner: &Learner<A>,
    adversary: &Thirds,
    plan: &Plan<A>,
) -> [Vec<Number>; 2] {
    let arithmetic = &learner.arithmetic;
    let half = Number::one().checked_div(&Number::from(2)).expect("two is not zero");
    let rounds = adversary.rounds();
    let mut sums = [vec![Number::zero(); rounds], vec![Number::zero(); rounds - 1]];
    for label in [false, true] {
        let wrong_bit = usize::from(!label);
        let mass = |vector: &[A::Weight]| {
            vector.iter().fold(arithmetic.zero(), |mut sum, weight| {
                arithmetic.add(&mut sum, weight);
                sum
            })
        };
        let mut lanes = vec![learner.start.clone()];
        let mut denominator = learner.start_denominator.clone();
        for round in 1..=rounds {
            // The law before the round is read as that after the one before.
            let (factors, over) = plan.reading(round - 1);
            let law: Vec<A::Weight> = (0..learner.states())
                .map(|state| {
                    let entries: Vec<_> = lanes.iter().map(|lane| lane[state].clone()).collect();
                    weighted(arithmetic, &entries, &factors)
                })
                .collect();
            let wrong = mass(&learner.step(&law, informative(label), wrong_bit));
            let over =
                arithmetic.mul(&arithmetic.mul(&denominator, &learner.round_denominator), &over);
            let add = |sum: &mut Number, weight, over| {
                *sum = &*sum + &(&half * &arithmetic.weight_number(weight, over));
            };
            add(&mut sums[0][round - 1], &wrong, &over);
            if round < rounds {
                let mut wrong = arithmetic.zero();
                for bit in 0..2 {
                    let moved = learner.step(&law, informative(label), bit);
                    // What the next example is does not matter to the release before it.
                    let next = mass(&learner.step(&moved, informative(label), wrong_bit));
                    arithmetic.add(&mut wrong, &next);
                }
                let over = arithmetic.mul(&over, &learner.round_denominator);
                add(&mut sums[1][round - 1], &wrong, &over);
            }
            let next = plan.lanes(round, label, 0).into_iter().map(|terms| {
                let mut lane = vec![arithmetic.zero(); learner.states()];
                for term in terms {
                    for bit in 0..2 {
                        let moved = learner.step(&lanes[term.from], term.example, bit);
                        for (to, weight) in lane.iter_mut().zip(&moved) {
                            arithmetic.add(to, &arithmetic.mul(weight, &term.factor));
                        }
                    }
                }
                lane
            });
            lanes = next.collect();
            denominator = arithmetic
                .mul(&arithmetic.mul(&denominator, &learner.round_denominator), &plan.scale(round));
        }
    }
    sums
}

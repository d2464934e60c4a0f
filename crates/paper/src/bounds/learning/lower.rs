//! Bounds that no private learner beats.

use num_traits::One;

use super::{
    Bound, Question, Side, Truth, agreeing, at_most, explicit, hypothesis, plain, repeated,
};
use crate::bounds::Real;
use littlestone_exact::{BigInt, Rational};

/// The lower bounds, the paper's first.
pub fn bounds(question: &Question) -> Vec<Bound> {
    vec![
        theorem_1(question),
        theorem_1_explicit(question),
        theorem_2(question),
        theorem_b(question),
        concentrated(question),
        growing_domain(question),
        small_delta(question),
        repeated_examples(question),
    ]
}

fn quarter() -> Real {
    Real::Exact(Rational::new(1.into(), 4.into()))
}

/// ε ≤ 1/100 and δ ≤ 1/4: a learner that is private at a smaller ε is private at 1/100.
fn hundredth(question: &Question) -> Vec<super::Hypothesis> {
    let hundredth = Real::Exact(Rational::new(1.into(), 100.into()));
    vec![
        agreeing(question),
        at_most("ε ≤ 1/100", &question.epsilon(), &hundredth),
        at_most("δ ≤ 1/4", &question.delta(), &quarter()),
    ]
}

/// (log 2T)^(2/3).
pub(super) fn two_thirds(question: &Question) -> Real {
    Real::integer(2).times(question.t()).ln().power(2, 3)
}

fn theorem_1(question: &Question) -> Bound {
    let least = Real::least([two_thirds(question), question.delta().reciprocal()]);
    Bound {
        name: "Theorem 1 (Theorem A)",
        scope: "every private learner; POINT3",
        formula: "c·min{(log 2T)^(2/3), 1/δ}",
        constant: Some("theorem-1"),
        side: Side::Lower,
        hypotheses: hundredth(question),
        value: question.constants.get("theorem-1").times(least),
    }
}

/// Binary digits after the point of a number above a δ that is not rational.
const DELTA_BITS: u64 = 64;

fn theorem_1_explicit(question: &Question) -> Bound {
    let stages = explicit::stages(&question.rounds);
    let half = Rational::new(1.into(), 2.into());
    // The bound shrinks as δ grows.
    let above = question.delta.enclosure(DELTA_BITS).1;
    let value = if stages == 0 { half } else { half.max(explicit::probability(stages, &above).1) };
    Bound {
        name: "Theorem 1, its proof",
        scope: "every private learner; POINT3",
        formula: "max{1/2, Lp/12}, L = ⌊log₃ T⌋, the greatest p with 120p² + 40mp³ + 60mpδ ≤ 1/4, m = L − 1",
        constant: None,
        side: Side::Lower,
        hypotheses: hundredth(question),
        value: Real::Exact(value),
    }
}

/// From this ε on e^ε is not written out: only the first round is counted.
const LARGE_EPSILON: u32 = 64;

fn repeated_examples(question: &Question) -> Bound {
    let large = Real::integer(LARGE_EPSILON);
    let small = question.epsilon().compare(&large) == Some(std::cmp::Ordering::Less);
    let dimension = question.subject.dimension;
    // The bound shrinks as ε and δ grow. Beyond the first round of each phase a large ε leaves nothing.
    let value = if small {
        let factor = question.epsilon.factor().enclosure(DELTA_BITS).1;
        let above = question.delta.enclosure(DELTA_BITS).1;
        repeated::bound(dimension, &question.rounds, &factor, &above)
    } else {
        let phases = BigInt::from(dimension).min(BigInt::from(question.rounds.clone()));
        Rational::new(phases, 2.into())
    };
    Bound {
        name: "repeated examples",
        scope: "every private learner; every class with d ≥ 1, one label of a shattered path at a time",
        formula: "d phases of n = ⌊T/d⌋ rounds or one more, each Σ_{k<n} max{0, 1 − δ Σ_{j<k} e^{jε}}/(e^{kε} + 1)",
        constant: None,
        side: Side::Lower,
        hypotheses: vec![plain("d ≥ 1", dimension >= 1)],
        value: Real::Exact(value),
    }
}

/// d ≥ 2, 0 < ε ≤ 1, δ ≤ min{ε², 1/4}.
fn general(question: &Question) -> Vec<super::Hypothesis> {
    let epsilon = question.epsilon();
    let least = Real::least([epsilon.clone().times(epsilon.clone()), quarter()]);
    vec![
        plain("d ≥ 2", question.subject.dimension >= 2),
        plain("ε > 0", !question.epsilon.is_zero()),
        at_most("ε ≤ 1", &epsilon, &Real::integer(1)),
        at_most("δ ≤ min{ε², 1/4}", &question.delta(), &least),
    ]
}

fn theorem_2(question: &Question) -> Bound {
    let (d, epsilon) = (question.d(), question.epsilon());
    // d = 0 violates a hypothesis; the formula should still have a value.
    let per = epsilon.clone().times(question.t()).times(question.d().reciprocal());
    let logarithm = Real::integer(2).plus(per).ln().power(2, 3);
    let least = Real::least([
        question.t(),
        d.clone().times(epsilon.reciprocal()).times(logarithm),
        d.times(question.delta().reciprocal()),
    ]);
    Bound {
        name: "Theorem 2",
        scope: "every private learner; every class with d ≥ 2",
        formula: "c·min{T, (d/ε)(log(2 + εT/d))^(2/3), d/δ}",
        constant: Some("theorem-2"),
        side: Side::Lower,
        hypotheses: general(question),
        value: question.constants.get("theorem-2").times(least),
    }
}

fn theorem_b(question: &Question) -> Bound {
    let per = question.d().times(question.epsilon().reciprocal());
    let mut hypotheses = general(question);
    let square = per.clone().times(per.clone());
    hypotheses.push(at_most("T ≥ (d/ε)²", &square, &question.t()));
    let least = Real::least([
        per.times(question.t().ln().power(2, 3)),
        question.d().times(question.delta().reciprocal()),
    ]);
    Bound {
        name: "Theorem B",
        scope: "every private learner; every class with d ≥ 2",
        formula: "c·min{(d/ε)(log T)^(2/3), d/δ}",
        constant: Some("theorem-2"),
        side: Side::Lower,
        hypotheses,
        value: question.constants.get("theorem-2").times(least),
    }
}

fn concentrated(question: &Question) -> Bound {
    let (epsilon, delta) = (question.epsilon(), question.delta());
    let beta = Real::number(&question.beta);
    let horizon = Real::integer(32).times(delta.clone()).reciprocal();
    let tenth = Real::Exact(Rational::new(1.into(), 10.into()));
    Bound {
        name: "[DSS24]",
        scope: "β-concentrated learners only; log factors of ε are hidden",
        formula: "c·log(T/β)/ε",
        constant: Some("dss24"),
        side: Side::Lower,
        hypotheses: vec![
            agreeing(question),
            plain("ε > 0", !question.epsilon.is_zero()),
            at_most("δ ≤ ε²", &delta, &epsilon.clone().times(epsilon.clone())),
            at_most("T ≤ e^(1/(32δ))", &question.t().ln(), &horizon),
            at_most("δ ≤ β", &delta, &beta),
            plain("β > 0", question.beta.signum() > 0),
            at_most("β ≤ 1/10", &beta, &tenth),
        ],
        value: question
            .constants
            .get("dss24")
            .times(question.t().times(beta.reciprocal()).ln())
            .times(epsilon.reciprocal()),
    }
}

fn growing_domain(question: &Question) -> Bound {
    let large = match question.subject.points {
        Some(points) if BigInt::from(points) > BigInt::from(question.rounds.clone()) => {
            Truth::Holds
        }
        _ => Truth::Violated,
    };
    let limit = Real::integer(20).times(question.t().ln()).reciprocal();
    Bound {
        name: "[CLN+24]",
        scope: "every private learner at a fixed ε; point functions on {0, …, T}",
        formula: "c·log T",
        constant: Some("cln24"),
        side: Side::Lower,
        hypotheses: vec![
            hypothesis("the class is that of the point functions on at least T + 1 points", large),
            at_most("δ ≤ 1/(20 log T)", &question.delta(), &limit),
        ],
        value: question.constants.get("cln24").times(question.t().ln()),
    }
}

/// [LWY24] for δ ≤ ε/T, applied to the first T′ = min{T, ⌊ε/δ⌋} rounds, as in the caption of Table 1.
fn small_delta(question: &Question) -> Bound {
    let ratio = question.epsilon().times(question.delta().reciprocal());
    let rounds = BigInt::from(question.rounds.clone());
    let prefix = match ratio.compare(&question.t()) {
        Some(std::cmp::Ordering::Less) => ratio.floor(),
        Some(_) => Some(rounds),
        None => None,
    };
    let truth = match &prefix {
        Some(prefix) if prefix >= &BigInt::one() => Truth::Holds,
        Some(_) => Truth::Violated,
        None => Truth::Unknown,
    };
    let prefix = prefix.unwrap_or_else(BigInt::one).max(BigInt::one());
    Bound {
        name: "[LWY24]",
        scope: "every private learner at a fixed ε; POINT3 and most classes; later rounds dummy",
        formula: "c·log min{T, ⌊ε/δ⌋}",
        constant: Some("lwy24"),
        side: Side::Lower,
        hypotheses: vec![
            agreeing(question),
            plain("ε > 0", !question.epsilon.is_zero()),
            hypothesis("δ ≤ ε", truth),
        ],
        value: question.constants.get("lwy24").times(Real::integer(prefix).ln()),
    }
}

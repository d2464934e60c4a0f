//! Bounds that some private learner attains.

use super::{Bound, Hypothesis, Question, Side, Truth, hypothesis, plain};
use crate::bounds::Real;
use littlestone_exact::Rational;

/// The upper bounds, those without an unspecified constant first.
pub fn bounds(question: &Question) -> Vec<Bound> {
    vec![
        fair_bits(question),
        name_and_shame(question),
        above_threshold(question),
        figure_1(question),
        multi_threshold(question),
        sparse(question),
    ]
}

fn bound(name: &'static str, scope: &'static str, formula: &'static str, value: Real) -> Bound {
    Bound { name, scope, formula, constant: None, side: Side::Upper, hypotheses: vec![], value }
}

fn positive_delta(question: &Question) -> Hypothesis {
    plain("δ > 0", question.delta.sign().is_gt())
}

fn positive_epsilon(question: &Question) -> Hypothesis {
    plain("ε > 0", !question.epsilon.is_zero())
}

fn fair_bits(question: &Question) -> Bound {
    let half = Real::Exact(Rational::new(1.into(), 2.into()));
    bound("fair bits", "catalogue: fair-bits; (0,0)-private", "T/2", half.times(question.t()))
}

fn name_and_shame(question: &Question) -> Bound {
    Bound {
        hypotheses: vec![positive_delta(question)],
        ..bound(
            "name and shame [DSS24]",
            "catalogue: subsampled-soa-learner; (0,δ)-private",
            "d/δ",
            question.d().times(question.delta().reciprocal()),
        )
    }
}

/// The learner is 2ε′-private; with B = ⌈ln(2n(T+1)/β)/ε′⌉ and K = 2B + 1 it makes at most 4B + 1
/// mistakes but with probability β. Here ε′ = ε/2 and β = 1/T, which adds βT = 1.
fn above_threshold(question: &Question) -> Bound {
    let points = question.subject.points;
    let t = question.t();
    let count = Real::integer(2 * points.unwrap_or(1));
    let inside = count.times(t.clone().plus(Real::integer(1))).times(t);
    let scale = Real::integer(2).times(question.epsilon().reciprocal());
    let value = Real::integer(4).times(scale.times(inside.ln()).ceiling()).plus(Real::integer(2));
    let known = if points.is_some() { Truth::Holds } else { Truth::Violated };
    Bound {
        hypotheses: vec![
            hypothesis("the class is that of the point functions on its n points", known),
            positive_epsilon(question),
        ],
        ..bound(
            "above threshold",
            "catalogue: above-threshold; (ε,0)-private",
            "4⌈(2/ε)·log(2nT(T+1))⌉ + 2",
            value,
        )
    }
}

fn three_points(question: &Question) -> Hypothesis {
    plain("the class is POINT3", question.subject.points == Some(3))
}

fn figure_1(question: &Question) -> Bound {
    Bound {
        constant: Some("figure-1"),
        hypotheses: vec![three_points(question), positive_epsilon(question)],
        ..bound(
            "[GL21], [LWY24]",
            "POINT3 at a fixed ε; the solid line of Figure 1",
            "c·log T",
            question.constants.get("figure-1").times(question.t().ln()),
        )
    }
}

fn multi_threshold(question: &Question) -> Bound {
    let inside = question.t().times(question.delta().reciprocal());
    Bound {
        constant: Some("lwy25"),
        hypotheses: vec![
            three_points(question),
            positive_epsilon(question),
            positive_delta(question),
        ],
        ..bound(
            "[LWY25]",
            "POINT3 at a fixed ε; adaptive adversaries too",
            "c·log(T/δ)",
            question.constants.get("lwy25").times(inside.ln()),
        )
    }
}

fn sparse(question: &Question) -> Bound {
    let value = question
        .d()
        .power(19, 2)
        .times(question.t().ln())
        .times(question.delta().reciprocal().ln())
        .times(question.epsilon().reciprocal());
    Bound {
        constant: Some("lyu26"),
        hypotheses: vec![positive_epsilon(question), positive_delta(question)],
        ..bound(
            "[Lyu26]",
            "every class, with high probability; polylogarithmic factors are hidden",
            "c·d^9.5·log T·log(1/δ)/ε",
            question.constants.get("lyu26").times(value),
        )
    }
}

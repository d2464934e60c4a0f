//! Figure 1: the ranges of δ and where its curves cross; and Table 1.

use std::cmp::Ordering;

use super::lower::two_thirds;
use super::{Question, Truth};
use crate::bounds::Real;
use littlestone_exact::{BigInt, Rational};

/// A δ at which something changes in Figure 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The δ as a formula.
    pub formula: &'static str,
    /// Its value; infinite where log T = 0.
    pub delta: Real,
    /// What changes there.
    pub meaning: &'static str,
}

impl Mark {
    /// Whether the asked δ is below, at or above the mark; `None` if it is too close to tell.
    pub fn asked(&self, question: &Question) -> Option<Ordering> {
        question.delta().compare(&self.delta)
    }
}

fn mark(formula: &'static str, delta: Real, meaning: &'static str) -> Mark {
    Mark { formula, delta, meaning }
}

/// The labels of the axis of Figure 1, at a = 1, from left to right once log T > 1.
pub fn ranges(question: &Question) -> Vec<Mark> {
    let log = question.t().ln();
    let decay = |p, q| log.clone().power(p, q).exp().reciprocal();
    vec![
        mark("1/T", question.t().reciprocal(), "below: [LWY24] is tight, log T"),
        mark(
            "e^(−(log T)^(3/4))",
            decay(3, 4),
            "above: [LWY24] falls off as log(1/δ), and the gap opens",
        ),
        mark("e^(−(log T)^(2/3))", decay(2, 3), "above: Theorem 1 is the better lower bound"),
        mark("1/log T", log.clone().reciprocal(), "above: the upper bound is 1/δ"),
        mark("(log T)^(−2/3)", log.power(2, 3).reciprocal(), "above: Theorem 1 is tight, 1/δ"),
        mark("1/4", Real::Exact(Rational::new(1.into(), 4.into())), "the last δ of Theorem 1"),
    ]
}

/// Where the formulas, with the constants as given, cross.
pub fn crossings(question: &Question) -> Vec<Mark> {
    let constant = |name| question.constants.get(name);
    let (log, theorem) = (question.t().ln(), two_thirds(question));
    let ratio = constant("theorem-1").times(constant("lwy24").reciprocal());
    let least_upper = constant("figure-1").times(log);
    vec![
        mark("ε/T", question.epsilon().times(question.t().reciprocal()), "[LWY24] leaves log T"),
        mark(
            "ε·e^(−(c₁/c₂)(log 2T)^(2/3))",
            question.epsilon().times(ratio.times(theorem.clone()).exp().reciprocal()),
            "[LWY24], with c₂, meets Theorem 1, with c₁",
        ),
        mark(
            "d/(c·log T)",
            question.d().times(least_upper.reciprocal()),
            "name and shame, d/δ, meets the upper bound c·log T",
        ),
        mark(
            "(log 2T)^(−2/3)",
            theorem.reciprocal(),
            "the minimum in Theorem 1 turns from (log 2T)^(2/3) to 1/δ",
        ),
    ]
}

/// What the rows of Table 1 ask of δ as they stand.
pub const TABLE_1_CONSTANTS: &str = "up to constant factors of δ: as stated, [DSS24] needs \
     δ ≤ 1/(32 log T) and [CLN+24] δ ≤ 1/(20 log T)";

/// A row of Table 1, the lower bounds at δ = 1/log T on `POINT3` (and on {0, …, T}).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The result.
    pub name: &'static str,
    /// Its domain.
    pub domain: &'static str,
    /// Its learners.
    pub learners: &'static str,
    /// The formula.
    pub formula: &'static str,
    /// The value with the constants as given, if the formula makes sense at this T and ε, and for
    /// Theorem A if its hypotheses hold there.
    pub value: Option<Real>,
}

/// Table 1 at the asked T and ε, up to constant factors of δ as in the paper: with the constants of
/// their own statements, [`TABLE_1_CONSTANTS`], two of the rows need a smaller δ.
pub fn table_1(question: &Question) -> Vec<Row> {
    let constant = |name| question.constants.get(name);
    let log = question.t().ln();
    // T′ = ⌊ε log T⌋; a logarithm needs T′ ≥ 1.
    let prefix = question.epsilon().times(log.clone()).floor();
    let padded = prefix.filter(|prefix| *prefix >= BigInt::from(1));
    let padded = padded.map(|prefix| constant("lwy24").times(Real::integer(prefix).ln()));
    // Theorem A needs ε ≤ 1/100, and δ = 1/log T at most 1/4.
    let hundredth = Real::Exact(Rational::new(1.into(), 100.into()));
    let applies = log.compare(&Real::integer(4)).is_some_and(Ordering::is_ge)
        && question.epsilon().compare(&hundredth).is_some_and(Ordering::is_le);
    let theorem = Real::least([two_thirds(question), log.clone()]);
    let theorem = applies.then(|| constant("theorem-1").times(theorem));
    let row =
        |name, domain, learners, formula, value| Row { name, domain, learners, formula, value };
    vec![
        row(
            "[DSS24]",
            "{1, 2, 3}",
            "concentrated",
            "c·log T",
            Some(constant("dss24").times(log.clone())),
        ),
        row("[CLN+24]", "{0, …, T}", "all", "c·log T", Some(constant("cln24").times(log))),
        row("[LWY24]", "{1, 2, 3}", "all", "c·log⌊ε log T⌋", padded),
        row("Theorem A", "{1, 2, 3}", "all", "c·min{(log 2T)^(2/3), log T}", theorem),
    ]
}

/// A curve of the figure: points (δ, value) for ascending δ.
#[derive(Debug, Clone)]
pub struct Curve {
    /// The name of the bound.
    pub name: &'static str,
    /// Its side.
    pub side: super::Side,
    /// The points at which the bound applies, as lower ends of enclosures.
    pub points: Vec<(Rational, Rational)>,
}

/// The bounds of Figure 1 as functions of δ: those with an unspecified constant, name and shame,
/// for `POINT3`-like classes Theorem 1 and for others Theorem 2.
///
/// `deltas` ascend and are positive.
pub fn curves(question: &Question, deltas: &[Rational]) -> Vec<Curve> {
    const DRAWN: [&str; 5] = [
        "Theorem 1 (Theorem A)",
        "Theorem 2",
        "[LWY24]",
        "name and shame [DSS24]",
        "[GL21], [LWY24]",
    ];
    let mut curves: Vec<Curve> = Vec::new();
    for delta in deltas {
        let at = Question { delta: delta.clone().into(), ..question.clone() };
        for bound in super::bounds(&at) {
            let applies = bound.hypotheses.iter().all(|h| h.truth == Truth::Holds);
            if !DRAWN.contains(&bound.name) || !applies {
                continue;
            }
            let Some((value, _)) = bound.value.bounds(64) else { continue };
            let point = (delta.clone(), value);
            match curves.iter_mut().find(|curve| curve.name == bound.name) {
                Some(curve) => curve.points.push(point),
                None => {
                    curves.push(Curve { name: bound.name, side: bound.side, points: vec![point] });
                }
            }
        }
    }
    curves
}

//! Profiles as a drawing for a paper: δ over ε, with the breakpoints marked.
//!
//! Between two breakpoints δ is linear in e^ε, not in ε, so the curves are drawn through many
//! points. Nothing here takes part in a verdict.

use num_traits::{One, Signed, Zero};

use super::{Curve, ProfileQuestion};
use crate::error::{Error, Result};
use crate::exact::{Number, Rational, enclose_exp, enclose_ln};
use crate::privacy::Profile;
use crate::report::plot::{self, Axis, Mark, Plot, Point, Series, Stroke};

/// The vertical axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vertical {
    /// δ.
    Linear,
    /// The logarithm of δ.
    Logarithmic,
}

/// Hundredths of a pixel between two points of a curve.
const STRIDE: usize = 200;

/// Binary digits after the point of what is drawn.
const BITS: u64 = 64;

/// A curve in rational numbers, close to the profile.
struct Drawn {
    /// The ε where each piece begins, δ there, and P and Q on it.
    pieces: Vec<(Rational, Rational, Rational, Rational)>,
}

impl Drawn {
    fn new(profile: &Profile) -> Self {
        let near = |value: &Number| value.enclosure(BITS).0;
        let logarithm = |factor: &Number| {
            let factor = near(factor).max(Rational::one());
            enclose_ln(&factor, BITS).expect("at least 1").low()
        };
        let pieces = profile.pieces.iter();
        let pieces = pieces
            .map(|p| (logarithm(&p.from), near(&p.at(&p.from)), near(&p.first), near(&p.second)));
        Self { pieces: pieces.collect() }
    }

    fn last(&self) -> &Rational {
        &self.pieces[self.pieces.len() - 1].0
    }

    /// The points (ε, δ) of the curve for ε up to `end`, those between breakpoints at the values
    /// of `between`; breakpoints are marked with true.
    fn points(&self, between: &[Rational], end: &Rational) -> Vec<Point> {
        let mut points = Vec::new();
        for (index, (from, delta, first, second)) in self.pieces.iter().enumerate() {
            points.push(Point {
                x: from.clone(),
                y: delta.clone(),
                mark: (index > 0).then(Mark::default),
            });
            if second.is_zero() {
                continue;
            }
            let to = self.pieces.get(index + 1).map_or(end, |next| &next.0);
            for epsilon in between.iter().filter(|e| from < *e && *e < to) {
                let factor = enclose_exp(epsilon, BITS).low();
                let delta = (first - factor * second).max(Rational::zero());
                points.push(Point { x: epsilon.clone(), y: delta, mark: None });
            }
        }
        let (_, _, limit, _) = &self.pieces[self.pieces.len() - 1];
        points.push(Point { x: end.clone(), y: limit.clone(), mark: None });
        points
    }
}

/// The axis of δ.
fn vertical(drawn: &[Drawn], end: &Rational, vertical: Vertical) -> Result<Axis> {
    let deltas = || drawn.iter().flat_map(|d| d.points(&[], end)).map(|point| point.y);
    let greatest = deltas().max().unwrap_or_default();
    match vertical {
        Vertical::Linear => {
            let greatest = if greatest.is_zero() { Rational::one() } else { greatest };
            Ok(Axis::linear("δ", &greatest, 6, true))
        }
        Vertical::Logarithmic => {
            let least = deltas().filter(Signed::is_positive).min().ok_or_else(|| {
                Error::argument_with_help(
                    "no δ is positive, and zero has no logarithm",
                    "draw it without --log-y",
                )
            })?;
            Axis::logarithmic("δ", &least, &greatest, true)
        }
    }
}

/// Draws profiles as SVG: ε from 0 to a little beyond the last breakpoint.
///
/// # Errors
/// When there are more than 8 profiles, when one of them is not fully known, and with a
/// logarithmic axis when no δ is positive.
pub(super) fn draw(asked: &ProfileQuestion, curves: &[Curve], axis: Vertical) -> Result<String> {
    if let Some(curve) = curves.iter().find(|curve| curve.profile.stopped.is_some()) {
        return Err(Error::argument(format!(
            "there is nothing to draw: the profile of {} is not fully known",
            curve.mechanism
        )));
    }
    let drawn: Vec<Drawn> = curves.iter().map(|curve| Drawn::new(&curve.profile)).collect();
    let last = drawn.iter().map(Drawn::last).max().cloned().unwrap_or_default();
    let end =
        if last.is_zero() { Rational::one() } else { last * Rational::new(27.into(), 25.into()) };
    let y = vertical(&drawn, &end, axis)?;
    let x = Axis::linear("ε", &end, 7, false);
    let between = x.samples(plot::WIDTH, STRIDE);
    let series = drawn.iter().zip(curves).map(|(drawn, curve)| Series {
        name: curve.mechanism.to_string(),
        points: drawn.points(&between, &end),
        stroke: Stroke::Told,
    });
    let over = asked.subject.class().map_or_else(String::new, |class| format!(" over {class}"));
    let rounds = asked.rounds.as_ref();
    let rounds = rounds.map_or_else(String::new, |rounds| format!("T = {}", rounds.value.0));
    Plot {
        title: &format!("Privacy profile{over}"),
        description: &description(asked, curves, &over),
        setting: &setting(asked, &rounds),
        x,
        y,
        series: series.collect(),
        shade: vec![],
    }
    .draw()
}

fn description(asked: &ProfileQuestion, curves: &[Curve], over: &str) -> String {
    let names: Vec<String> = curves.iter().map(|curve| curve.mechanism.to_string()).collect();
    let joint = if asked.joint() { "joint " } else { "" };
    let rounds = asked.rounds.as_ref();
    let rounds = rounds.map_or_else(String::new, |rounds| format!(", T = {}", rounds.value.0));
    format!(
        "Worst δ as a function of ε, {joint}differential privacy{rounds}: {}{over}.",
        names.join("; ")
    )
}

fn setting(asked: &ProfileQuestion, rounds: &str) -> String {
    let joint = if asked.joint() { "joint" } else { "" };
    let class = asked.subject.class().map_or("", |class| class.as_str());
    let parts = [joint, class, rounds];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

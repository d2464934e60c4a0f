//! Figure 1 from the formulas: the bounds over δ on logarithmic axes, upper bounds solid, lower ones
//! dashed, the gap between them grey.

use num_traits::One;

use crate::bounds::learning::figure::{self, Curve};
use crate::bounds::learning::{Question, Side};
use crate::error::{Error, Result};
use crate::exact::{BigInt, Rational};
use crate::report::plot::{self, Axis, Plot, Point, Series, Stroke};

/// Hundredths of a pixel between two values of δ.
const STRIDE: usize = 400;

/// The smallest δ drawn is 10^−2/T.
const MARGIN: u32 = 100;

/// Draws the bounds over δ, for δ from 1/(100·T) to 1/4.
///
/// # Errors
/// When no bound applies at any δ.
pub(super) fn draw(class: &str, question: &Question) -> Result<String> {
    let quarter = Rational::new(1.into(), 4.into());
    let rounds = Rational::from(BigInt::from(question.rounds.clone()));
    let least = (rounds * Rational::from(BigInt::from(MARGIN))).recip();
    let x = Axis::logarithmic("δ", &least, &quarter, false)?;
    let deltas: Vec<Rational> =
        x.samples(plot::WIDTH, STRIDE).iter().map(plot::power_of_ten).chain([quarter]).collect();
    let curves = figure::curves(question, &deltas);
    let values = || curves.iter().flat_map(|curve| curve.points.iter().map(|point| &point.1));
    // 1/δ goes far beyond what is to be seen: the axis ends a little above the greatest other value.
    let one = Rational::one();
    let others = curves.iter().filter(|curve| curve.name != SHAME);
    let top = others.flat_map(|curve| curve.points.iter().map(|point| &point.1)).max();
    let top = top.unwrap_or(&one) * Rational::from(BigInt::from(4));
    let Some(bottom) = values().min() else {
        return Err(Error::argument("there is nothing to draw: no bound applies at any δ"));
    };
    let half = Rational::new(1.into(), 2.into());
    let y = Axis::logarithmic("E[M]", &bottom.min(&half).clone().max(half), &top, false)?;
    let series = curves.iter().map(|curve| Series {
        name: curve.name.into(),
        points: curve
            .points
            .iter()
            .map(|(x, y)| Point { x: x.clone(), y: y.clone(), mark: None })
            .collect(),
        stroke: if curve.side == Side::Upper { Stroke::Solid } else { Stroke::Dashed },
    });
    let (epsilon, t) = (&question.epsilon, &question.rounds);
    Plot {
        title: "Bounds on the expected mistakes of private online learners",
        description: &format!(
            "Bounds over δ for {class} at ε = {epsilon} and T = {t}: upper bounds solid, lower \
             bounds dashed, the gap grey."
        ),
        setting: &format!("{class}, ε = {epsilon}, T = {t}"),
        x,
        y,
        series: series.collect(),
        shade: gap(&curves, &deltas),
    }
    .draw()
}

/// The one curve that is not bounded in T.
const SHAME: &str = "name and shame [DSS24]";

/// The corners of the area between the greatest lower and the least upper bound.
fn gap(curves: &[Curve], deltas: &[Rational]) -> Vec<(Rational, Rational)> {
    let at = |side: Side, delta: &Rational| {
        let values = curves.iter().filter(move |curve| curve.side == side);
        let values = values.filter_map(move |curve| curve.points.iter().find(|p| p.0 == *delta));
        let values = values.map(|point| point.1.clone());
        if side == Side::Upper { values.min() } else { values.max() }
    };
    let both = deltas.iter().filter_map(|delta| {
        let (lower, upper) = (at(Side::Lower, delta)?, at(Side::Upper, delta)?);
        (lower < upper).then(|| (delta.clone(), lower, upper))
    });
    let both: Vec<_> = both.collect();
    let lower = both.iter().map(|(delta, lower, _)| (delta.clone(), lower.clone()));
    let upper = both.iter().rev().map(|(delta, _, upper)| (delta.clone(), upper.clone()));
    lower.chain(upper).collect()
}

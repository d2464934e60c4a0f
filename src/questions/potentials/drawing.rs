//! `V_t(r)` against r where every middle third is chosen, a curve for each t. Nothing here takes part
//! in a verdict.

use num_traits::Zero;

use crate::error::Result;
use crate::exact::Rational;
use crate::potentials::{Choice, Potentials};
use crate::report::plot::{Axis, Plot, Point, Series, Stroke};

use super::super::subject::MechanismName;

/// Binary digits after the point of what is drawn.
const BITS: u64 = 64;

/// Draws the curves, each solid within `A_t` and dashed outside.
///
/// # Errors
/// When there are too many.
pub(super) fn draw(mechanism: &MechanismName, found: &Potentials) -> Result<String> {
    let whole = |n: usize| Rational::from_integer(n.into());
    let chosen =
        |choices: &'_ [Choice]| choices.iter().find(|c| c.thirds.iter().all(|&j| j == 2)).cloned();
    let series = (0..).zip(&found.stages).filter_map(|(t, choices)| {
        let choice = chosen(choices)?;
        let points = choice.revealed().iter().enumerate().map(|(r, value)| Point {
            x: whole(r),
            y: value.enclosure(BITS).0,
            mark: None,
        });
        Some(Series {
            name: format!("t = {t}"),
            points: points.collect(),
            stroke: Stroke::SolidWithin(choice.interval.after, choice.interval.last),
        })
    });
    let series: Vec<Series> = series.collect();
    let values = series.iter().flat_map(|series| series.points.iter().map(|point| &point.y));
    let top = values.max().filter(|top| !top.is_zero()).cloned().unwrap_or_else(|| whole(1));
    let (rounds, p) = (found.adversary.rounds(), found.adversary.probability());
    Plot {
        title: "How much the released labels reveal",
        description: &format!(
            "V_t(r) of {mechanism} against r for T = {rounds}, p = {p}, where every middle third is \
             chosen; solid within A_t."
        ),
        setting: &format!("T = {rounds}, p = {p}"),
        x: Axis::linear("r", &whole(rounds), 9, false),
        y: Axis::linear("V_t(r)", &top, 6, true),
        series,
        shade: Vec::new(),
    }
    .draw()
}

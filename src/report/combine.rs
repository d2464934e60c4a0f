//! How large D must be for Algorithm 4: the worst δ against D, as a drawing. Nothing here takes part in a
//! verdict.

use num_traits::{One, Zero};

use super::plot::{Axis, Mark, Plot, Point, Series, Stroke};
use crate::error::{Error, Result};
use crate::exact::{BigInt, Epsilon, Number, Rational};

/// Binary digits after the point of what is drawn.
const BITS: u64 = 64;

/// What was asked.
#[derive(Debug)]
pub struct Asked {
    /// ε.
    pub epsilon: Epsilon,
    /// The number of rounds.
    pub rounds: usize,
    /// The δ that a D is wanted for.
    pub delta: Option<Number>,
}

/// The worst δ for one D.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// D.
    pub d: usize,
    /// The worst δ at ε over all streams of triples.
    pub delta: Number,
}

/// The least D in the table whose worst δ is at most the wanted one.
pub fn smallest(asked: &Asked, rows: &[Row]) -> Option<usize> {
    let wanted = asked.delta.as_ref()?;
    rows.iter().find(|row| row.delta <= *wanted).map(|row| row.d)
}

/// Draws the worst δ against D as SVG: a point for each D, of which the smallest that suffices is filled, and
/// the wanted δ as a dashed line.
///
/// # Errors
/// When there is no row.
pub fn draw(asked: &Asked, rows: &[Row]) -> Result<String> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return Err(Error::argument("there is nothing to draw: the table has no rows"));
    };
    let smallest = smallest(asked, rows);
    let points = rows.iter().map(|row| Point {
        x: Rational::from_integer(row.d.into()),
        y: row.delta.enclosure(BITS).0,
        mark: Some(Mark {
            title: format!("D = {}: worst δ = {}", row.d, row.delta),
            filled: smallest == Some(row.d),
        }),
    });
    let mut series =
        vec![Series { name: "worst δ".into(), points: points.collect(), stroke: Stroke::Told }];
    if let Some(delta) = &asked.delta {
        let y = delta.enclosure(BITS).0;
        // Half a step beyond the points on both sides, where the axis ends.
        let end = |d: usize, by: i64| {
            let x = Rational::new(BigInt::from(2 * d) + by, 2.into());
            Point { x, y: y.clone(), mark: None }
        };
        series.push(Series {
            name: format!("δ = {delta}"),
            points: vec![end(first.d, -1), end(last.d, 1)],
            stroke: Stroke::Told,
        });
    }
    let dashed = asked.delta.as_ref().map_or_else(String::new, |delta| {
        format!("; dashed: δ = {delta}, the smallest D that suffices is filled")
    });
    let values = series.iter().flat_map(|series| series.points.iter().map(|point| &point.y));
    let top = values.max().filter(|top| !top.is_zero()).cloned().unwrap_or_else(Rational::one);
    Plot {
        title: "How large D must be",
        description: &format!(
            "Worst δ of Combine (Algorithm 4) against D, joint differential privacy at ε = {}, T = \
             {}{dashed}.",
            asked.epsilon, asked.rounds
        ),
        setting: &format!("Combine, joint, ε = {}, T = {}", asked.epsilon, asked.rounds),
        x: Axis::integers("D", first.d, last.d),
        y: Axis::linear("δ", &top, 6, true),
        series,
        shade: Vec::new(),
    }
    .draw()
}

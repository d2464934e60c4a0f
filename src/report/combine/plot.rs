//! The drawing: a point for each D, the wanted δ as a dashed line. Nothing here takes part in a
//! verdict.

use std::fmt::Write as _;

use num_traits::{ToPrimitive, Zero};

use super::{Asked, Row, smallest};
use crate::error::{Error, Result};
use crate::exact::{BigInt, Rational, decimal};

/// The picture, and where the axes are, in pixels.
const WIDTH: i64 = 520;
const HEIGHT: i64 = 330;
const LEFT: i64 = 72;
const RIGHT: i64 = 500;
const TOP: i64 = 18;
const BOTTOM: i64 = 276;

/// At least so many steps of the vertical axis, and at most so many labels of the other.
const STEPS: i64 = 4;
const LABELS: usize = 16;

/// Draws the worst δ against D as SVG.
///
/// # Errors
/// When there is no row.
pub fn draw(asked: &Asked, rows: &[Row]) -> Result<String> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return Err(Error::argument("there is nothing to draw: the table has no rows"));
    };
    let values: Vec<Rational> = rows.iter().map(|row| row.delta.enclosure(64).0).collect();
    let (step, digits) = step(values.iter().chain(&asked.delta).max().unwrap_or(&values[0]));
    let greatest = values.iter().chain(&asked.delta).max().unwrap_or(&values[0]);
    let steps = (greatest / &step).ceil().to_integer().to_i64().unwrap_or(STEPS).max(1);
    let top = &step * Rational::from_integer(steps.into());
    let y = |value: &Rational| BOTTOM - pixels(&(value / &top), BOTTOM - TOP);
    let span = last.d - first.d;
    let x = |d: usize| {
        // Half a step of room on both sides.
        let place = Rational::new(BigInt::from(2 * (d - first.d) + 1), BigInt::from(2 * span + 2));
        LEFT + pixels(&place, RIGHT - LEFT)
    };
    let mut svg = head(asked);
    add(&mut svg, "<g stroke=\"#ddd\" stroke-width=\"0.8\">");
    let ticks: Vec<(i64, String)> = (0..=steps)
        .map(|i| &step * Rational::from_integer(i.into()))
        .map(|value| (y(&value), decimal(&value, digits)))
        .collect();
    for (y, _) in &ticks {
        add(&mut svg, &format!("<line x1=\"{LEFT}\" y1=\"{y}\" x2=\"{RIGHT}\" y2=\"{y}\"/>"));
    }
    add(&mut svg, "</g>");
    let (wide, high) = (RIGHT - LEFT, BOTTOM - TOP);
    add(
        &mut svg,
        &format!(
            "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{wide}\" height=\"{high}\" fill=\"none\" \
             stroke=\"#000\"/>"
        ),
    );
    add(&mut svg, "<g font-family=\"serif\" font-size=\"13\" fill=\"#000\">");
    for (y, label) in &ticks {
        let (x, y) = (LEFT - 8, y + 4);
        add(&mut svg, &format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{label}</text>"));
    }
    let every = rows.len().div_ceil(LABELS);
    for row in rows.iter().filter(|row| row.d % every == 0 || every == 1) {
        let (x, y, d) = (x(row.d), BOTTOM + 18, row.d);
        add(&mut svg, &format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{d}</text>"));
    }
    let name = "font-size=\"17\" font-style=\"italic\" text-anchor=\"middle\"";
    let (middle, low, half) = (LEFT + wide / 2, BOTTOM + 44, TOP + high / 2 + 5);
    add(&mut svg, &format!("<text x=\"{middle}\" y=\"{low}\" {name}>D</text>"));
    add(&mut svg, &format!("<text x=\"16\" y=\"{half}\" {name}>δ</text>"));
    add(&mut svg, "</g>");
    if let Some(delta) = &asked.delta {
        let y = y(delta);
        add(
            &mut svg,
            &format!(
                "<line x1=\"{LEFT}\" y1=\"{y}\" x2=\"{RIGHT}\" y2=\"{y}\" stroke=\"#d55e00\" \
                 stroke-width=\"1.4\" stroke-dasharray=\"7 4\"/>"
            ),
        );
    }
    curve(&mut svg, rows, &values, smallest(asked, rows), &x, &y);
    add(&mut svg, "</svg>");
    Ok(svg)
}

/// The points, joined by a thin line; the smallest D that suffices is filled.
fn curve(
    svg: &mut String,
    rows: &[Row],
    values: &[Rational],
    smallest: Option<usize>,
    x: &dyn Fn(usize) -> i64,
    y: &dyn Fn(&Rational) -> i64,
) {
    let places: Vec<String> =
        rows.iter().zip(values).map(|(row, value)| format!("{},{}", x(row.d), y(value))).collect();
    let line = places.join(" ");
    add(svg, &format!("<polyline points=\"{line}\" fill=\"none\" stroke=\"#9ecae9\"/>"));
    add(svg, "<g stroke=\"#0072b2\" stroke-width=\"1.6\">");
    for (row, value) in rows.iter().zip(values) {
        let fill = if smallest == Some(row.d) { "#0072b2" } else { "#fff" };
        add(
            svg,
            &format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"4\" fill=\"{fill}\"><title>D = {}: worst δ = \
                 {}</title></circle>",
                x(row.d),
                y(value),
                row.d,
                row.delta
            ),
        );
    }
    add(svg, "</g>");
}

fn head(asked: &Asked) -> String {
    let mut svg = String::new();
    add(
        &mut svg,
        &format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">"
        ),
    );
    let mut description = format!(
        "Worst δ of Combine (Algorithm 4) against D, joint differential privacy at ε = {}, T = {}",
        asked.epsilon, asked.rounds
    );
    if let Some(delta) = &asked.delta {
        let _ =
            write!(description, "; dashed: δ = {delta}, the smallest D that suffices is filled");
    }
    add(&mut svg, "<title>How large D must be</title>");
    add(&mut svg, &format!("<desc>{description}.</desc>"));
    add(&mut svg, &format!("<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>"));
    svg
}

fn add(svg: &mut String, line: &str) {
    svg.push_str(line);
    svg.push('\n');
}

/// A share of a length, in whole pixels.
fn pixels(share: &Rational, length: i64) -> i64 {
    (share * Rational::from_integer(length.into())).round().to_integer().to_i64().unwrap_or(length)
}

/// The greatest of 1/5, 1/10, 1/20, 1/50, … with at least [`STEPS`] steps up to `greatest`, and
/// the digits that its multiples need.
fn step(greatest: &Rational) -> (Rational, u32) {
    let greatest =
        if greatest.is_zero() { Rational::from_integer(1.into()) } else { greatest.clone() };
    let mut power = BigInt::from(10);
    let mut digits = 1;
    loop {
        for numerator in [2, 1] {
            let step = Rational::new(numerator.into(), power.clone());
            if &step * Rational::from_integer(STEPS.into()) <= greatest {
                return (step, digits);
            }
        }
        power *= 10;
        digits += 1;
        let step = Rational::new(5.into(), power.clone());
        if &step * Rational::from_integer(STEPS.into()) <= greatest {
            return (step, digits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_fine_enough() {
        let ratio = |p: i64, q: i64| Rational::new(p.into(), q.into());
        for (greatest, expected) in [
            (ratio(1, 1), (ratio(1, 5), 1)),
            (ratio(5, 8), (ratio(1, 10), 1)),
            (ratio(1, 4), (ratio(1, 20), 2)),
            (ratio(1, 25), (ratio(1, 100), 2)),
            (ratio(0, 1), (ratio(1, 5), 1)),
        ] {
            assert_eq!(step(&greatest), expected, "{greatest}");
        }
    }
}

//! The drawing: a point for each D, the wanted δ as a dashed line. Nothing here takes part in a
//! verdict.

use std::fmt::Write as _;

use super::{Asked, Row, smallest};
use crate::error::{Error, Result};
use crate::exact::{BigInt, Rational};
use crate::report::axes::{
    BOTTOM, Frame, LABEL, SAMPLE, STYLES, Scale, Tick, WIDTH, add, axes, dashed, head, pixels,
    upwards, widest,
};
use crate::report::tree::FONTS;
use crate::report::tree::measure::fit;
use crate::report::tree::names::xml;

/// At most so many values of D are written below the axis.
const LABELS: usize = 16;

/// How wide the setting and the wanted δ in the legend may be, in pixels.
const SETTING: i64 = 300;
const WANTED: i64 = 120;

/// Binary digits after the point of what is drawn.
const BITS: u64 = 64;

/// Draws the worst δ against D as SVG.
///
/// # Errors
/// When there is no row.
pub fn draw(asked: &Asked, rows: &[Row]) -> Result<String> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return Err(Error::argument("there is nothing to draw: the table has no rows"));
    };
    let values: Vec<Rational> = rows.iter().map(|row| row.delta.enclosure(BITS).0).collect();
    let wanted = asked.delta.as_ref().map(|delta| delta.enclosure(BITS).0);
    let greatest = values.iter().chain(&wanted).max().unwrap_or(&values[0]);
    let (up, deltas) = upwards(greatest, Frame::top(1));
    let frame = Frame::new(1, widest(&deltas));
    // Half a step of room on both sides.
    let end = |d: usize, by: i64| Rational::new(BigInt::from(2 * d) + by, 2.into());
    let across =
        Scale::new(end(first.d, -1), end(last.d, 1), (frame.left * 100, frame.right * 100));
    let x = |d: usize| across.place(&Rational::from_integer(d.into()));
    let every = rows.len().div_ceil(LABELS);
    let labelled = rows.iter().filter(|row| row.d % every == 0);
    let columns: Vec<Tick> = labelled.map(|row| (x(row.d), row.d.to_string())).collect();
    let mut svg = heading(asked, frame.bottom + BOTTOM);
    legend(&mut svg, asked, frame);
    axes(&mut svg, frame, (&columns, "D"), (&deltas, "δ"));
    if let Some(delta) = &wanted {
        let Frame { left, right, .. } = frame;
        let (y, (colour, dashes)) = (pixels(up.place(delta)), STYLES[1]);
        let dash = dashed(dashes);
        let line =
            format!("x1=\"{left}\" y1=\"{y}\" x2=\"{right}\" y2=\"{y}\" stroke=\"{colour}\"");
        add(&mut svg, &format!("<line {line} stroke-width=\"1.6\"{dash}/>"));
    }
    let places: Vec<(String, String)> = (rows.iter().zip(&values))
        .map(|(row, value)| (pixels(x(row.d)), pixels(up.place(value))))
        .collect();
    points(&mut svg, rows, &places, smallest(asked, rows));
    add(&mut svg, "</svg>");
    Ok(svg)
}

/// The points, joined by a thin line; the smallest D that suffices is filled.
fn points(svg: &mut String, rows: &[Row], places: &[(String, String)], smallest: Option<usize>) {
    let (colour, _) = STYLES[0];
    let corners: Vec<String> = places.iter().map(|(x, y)| format!("{x},{y}")).collect();
    let line = corners.join(" ");
    add(svg, &format!("<polyline points=\"{line}\" fill=\"none\" stroke=\"#bbb\"/>"));
    add(svg, &format!("<g stroke=\"{colour}\" stroke-width=\"1.6\">"));
    for (row, (x, y)) in rows.iter().zip(places) {
        let fill = if smallest == Some(row.d) { colour } else { "#fff" };
        let title = format!("D = {}: worst δ = {}", row.d, row.delta);
        add(
            svg,
            &format!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{fill}\"><title>{}</title></circle>",
                xml(&title)
            ),
        );
    }
    add(svg, "</g>");
}

/// Above the axes: on the left what the points are, on the right the wanted δ.
fn legend(svg: &mut String, asked: &Asked, frame: Frame) {
    let baseline = Frame::baseline(0);
    let setting = format!("Combine, joint, ε = {}, T = {}", asked.epsilon, asked.rounds);
    let setting = fit(&setting, LABEL, SETTING);
    add(svg, &format!("<g font-family=\"{FONTS}\" font-size=\"{LABEL}\" fill=\"#000\">"));
    add(svg, &format!("<text x=\"{}\" y=\"{baseline}\">{}</text>", frame.left, xml(&setting.text)));
    if let Some(delta) = &asked.delta {
        let wanted = fit(&format!("δ = {delta}"), LABEL, WANTED);
        let (line, start) = (baseline - 4, frame.right - wanted.width);
        let (colour, dashes) = STYLES[1];
        add(
            svg,
            &format!(
                "<line x1=\"{}\" y1=\"{line}\" x2=\"{}\" y2=\"{line}\" stroke=\"{colour}\" \
                 stroke-width=\"1.6\"{}/><text x=\"{}\" y=\"{baseline}\" \
                 text-anchor=\"end\">{}</text>",
                start - 8 - SAMPLE,
                start - 8,
                dashed(dashes),
                frame.right,
                xml(&wanted.text)
            ),
        );
    }
    add(svg, "</g>");
}

fn heading(asked: &Asked, height: i64) -> String {
    let mut description = format!(
        "Worst δ of Combine (Algorithm 4) against D, joint differential privacy at ε = {}, T = {}",
        asked.epsilon, asked.rounds
    );
    if let Some(delta) = &asked.delta {
        let _ =
            write!(description, "; dashed: δ = {delta}, the smallest D that suffices is filled");
    }
    head("How large D must be", &xml(&format!("{description}.")), (WIDTH, height))
}

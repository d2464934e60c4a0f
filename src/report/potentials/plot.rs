//! The drawing: `V_t(r)` against r, for the choices 2, 2, …, a line for each t. Nothing here takes
//! part in a verdict.

use std::fmt::Write as _;

use num_traits::{ToPrimitive, Zero};

use super::Asked;
use crate::adversary::Interval;
use crate::exact::{Rational, decimal};
use crate::potentials::Choice;
use crate::report::axes::head;

const LEFT: i64 = 84;
const RIGHT: i64 = 700;
const TOP: i64 = 24;
const BOTTOM: i64 = 300;
const WIDTH: i64 = 800;
const HEIGHT: i64 = 360;

/// Colours that differ for most eyes, one for each t.
const COLOURS: [&str; 6] = ["#000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"];

/// Draws `V_t(r)` as SVG. Each line is dashed outside `A_t`.
pub fn draw(asked: &Asked<'_>) -> String {
    let found = asked.potentials;
    let path: Vec<&Choice> = found
        .stages
        .iter()
        .filter_map(|choices| choices.iter().find(|c| c.thirds.iter().all(|&j| j == 2)))
        .collect();
    let curves: Vec<Vec<Rational>> = path
        .iter()
        .map(|choice| choice.revealed().iter().map(|v| v.enclosure(64).0).collect())
        .collect();
    let zero = Rational::zero();
    let greatest = curves.iter().flatten().max().unwrap_or(&zero).clone();
    let top = if greatest.is_zero() { Rational::from_integer(1.into()) } else { greatest };
    let rounds = found.adversary.rounds();
    let x = |r: usize| LEFT + pixels(&Rational::new(r.into(), rounds.into()), RIGHT - LEFT);
    let y = |value: &Rational| BOTTOM - pixels(&(value / &top), BOTTOM - TOP);
    let mechanism = asked.mechanism.replace('&', "&amp;").replace('<', "&lt;");
    let description = format!(
        "V_t(r) of {mechanism} against r for T = {rounds}, p = {}, where every middle third is \
         chosen; solid within A_t.",
        found.adversary.probability()
    );
    let mut svg = head("How much the released labels reveal", &description, (WIDTH, HEIGHT));
    let _ = writeln!(
        svg,
        "<path d=\"M{LEFT} {TOP} V{BOTTOM} H{RIGHT}\" fill=\"none\" stroke=\"#000\"/>"
    );
    let _ = writeln!(svg, "<g font-family=\"serif\" font-size=\"13\" fill=\"#000\">");
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" font-style=\"italic\">V<tspan dy=\"3\" \
         font-size=\"10\">t</tspan><tspan dy=\"-3\">(r)</tspan></text>",
        LEFT + 8,
        TOP + 6
    );
    for step in 0..=4 {
        let value = &top * Rational::new(step.into(), 4.into());
        let at = y(&value);
        let label = decimal(&value, 4).replace('…', "");
        let (tick, text) = (LEFT - 5, LEFT - 9);
        let _ = writeln!(
            svg,
            "<path d=\"M{tick} {at} H{LEFT}\" stroke=\"#000\"/><text x=\"{text}\" y=\"{}\" \
             text-anchor=\"end\">{label}</text>",
            at + 4
        );
    }
    let mut named = vec![0, rounds / 3, 2 * rounds / 3, rounds];
    named.dedup();
    for round in named {
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{round}</text>",
            x(round),
            BOTTOM + 18
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-style=\"italic\">r</text>",
        i64::midpoint(LEFT, RIGHT),
        BOTTOM + 42
    );
    for (t, (choice, curve)) in path.iter().zip(&curves).enumerate() {
        let points: Vec<String> =
            curve.iter().enumerate().map(|(r, v)| format!("{},{}", x(r), y(v))).collect();
        line(&mut svg, t, choice.interval, &points);
    }
    let _ = writeln!(svg, "</g>\n</svg>");
    svg
}

/// The line of one t through `points`, and its entry in the legend, as ends of lines may coincide.
fn line(svg: &mut String, t: usize, interval: Interval, points: &[String]) {
    let colour = COLOURS[t % COLOURS.len()];
    let (a, b, last) = (interval.after, interval.last, points.len() - 1);
    let dashed = " stroke-dasharray=\"3 3\"";
    for (from, to, dashes) in [(0, a, dashed), (a, b, ""), (b, last, dashed)] {
        if from < to {
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" \
                 stroke-width=\"1.8\"{dashes}/>",
                points[from..=to].join(" ")
            );
        }
    }
    let row = TOP + 16 + 20 * i64::try_from(t).unwrap_or(0);
    let (from, to, words) = (RIGHT + 20, RIGHT + 44, RIGHT + 50);
    let _ = writeln!(
        svg,
        "<path d=\"M{from} {row} H{to}\" stroke=\"{colour}\" stroke-width=\"1.8\"/>\
         <text x=\"{words}\" y=\"{}\">t = {t}</text>",
        row + 4
    );
}

fn pixels(share: &Rational, length: i64) -> i64 {
    (share * Rational::from_integer(length.into())).round().to_integer().to_i64().unwrap_or(0)
}

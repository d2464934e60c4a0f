//! Theorem 2's stream as a drawing like Figure 3.

use std::fmt::Write as _;

use super::axes::{BLUE, ORANGE, head, text};
use super::thirds::subscript;
use super::tree::FONTS;
use super::tree::names::xml;
use crate::adversary::{Phase, Phases};
use crate::class::Class;
use crate::questions::blocks::with_decimal;
use crate::text::quote;

fn example(record: usize, points: &[String]) -> String {
    format!("{}:{}", quote(&points[record / 2]), record % 2)
}

/// The root's place, the distance of nodes, and the height of the lowest line below a node.
const LEFT: i64 = 80;
const TOP: i64 = 50;
const ACROSS: i64 = 90;
const DOWN: i64 = 86;
const RADIUS: i64 = 17;
/// One round, and its distance from the path.
const CELL: i64 = 16;
const GAP: i64 = 60;

/// Draws the path through the tree with the rounds of each phase beside its node.
///
/// Nodes whose label is 0 send the path to the left, and 1 to the right, as in Figure 3. Nothing
/// here takes part in a verdict.
pub fn draw(found: &Phases, class: &Class) -> String {
    let points = class.point_names();
    let number = i64::try_from(found.phases.len()).unwrap_or(i64::MAX / 1_000);
    let length = i64::try_from(found.length).unwrap_or(i64::MAX / 1_000);
    // Where the path may go: one step to either side at each node.
    let mut x = LEFT + ACROSS * (number + 1);
    let (mut least, mut most) = (x, x);
    let mut places = vec![(x, TOP)];
    let labels = std::iter::once(false).chain(found.phases.iter().map(|phase| phase.label));
    for (step, label) in labels.enumerate() {
        x += if label { ACROSS } else { -ACROSS };
        let step = i64::try_from(step).unwrap_or(0);
        places.push((x, TOP + DOWN * (step + 1)));
        least = least.min(x);
        most = most.max(x);
    }
    let shift = LEFT - least;
    let column = most + shift + GAP + ACROSS;
    let width = column + (length * CELL).max(320) + 20;
    let height = TOP + DOWN * (number + 1) + 56;
    let description = format!(
        "A path through a shattered tree of depth {}; beside each of its nodes the rounds of a \
         phase, informative ones in colour, dummy ones white.",
        found.dimension
    );
    let mut svg = head("Theorem 2's stream", &description, (width, height));
    let _ = writeln!(svg, "<g font-family=\"{FONTS}\" font-size=\"13\" fill=\"#000\">");
    let labels: Vec<bool> =
        std::iter::once(false).chain(found.phases.iter().map(|phase| phase.label)).collect();
    for (place, pair) in places.windows(2).enumerate() {
        let [(x, y), (end, low)] = [pair[0], pair[1]].map(|(x, y)| (x + shift, y));
        let other = 2 * x - end;
        let label = u8::from(labels[place]);
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" y1=\"{y}\" x2=\"{}\" y2=\"{}\" stroke=\"#999\" \
             stroke-dasharray=\"4 3\"/>",
            i64::midpoint(x, other),
            i64::midpoint(y, low)
        );
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" y1=\"{y}\" x2=\"{end}\" y2=\"{low}\" stroke=\"{BLUE}\" \
             stroke-width=\"2.5\"/>"
        );
        let side = if label == 1 { 10 } else { -10 };
        let (at, mid) = (i64::midpoint(x, end) + side, i64::midpoint(y, low) - 4);
        text(&mut svg, (at, mid), "middle", BLUE, &label.to_string());
        let at = i64::midpoint(x, i64::midpoint(x, other)) - side;
        let mid = y + DOWN / 4 - 6;
        text(&mut svg, (at, mid), "middle", "#999", &(1 - label).to_string());
    }
    for (place, (x, y)) in places.iter().enumerate() {
        let x = x + shift;
        match place {
            0 => node(&mut svg, x, *y, place, &points[found.root]),
            _ if place <= found.phases.len() => {
                let phase = &found.phases[place - 1];
                node(&mut svg, x, *y, place, &points[phase.point]);
                rounds(&mut svg, found, phase, (x, *y), column, points);
            }
            _ => {
                let name = found
                    .hypothesis
                    .map_or("no hypothesis".into(), |h| class.hypothesis_name(h).into_owned());
                text(&mut svg, (x, y + 18), "middle", "#000", &name);
            }
        }
    }
    let dummy = format!("dummy example {}", example(found.dummy, points));
    text(&mut svg, (places[0].0 + shift + 34, TOP + 5), "start", "#000", &dummy);
    let total = format!("expected mistakes: {}", with_decimal(&found.expected.mistakes));
    text(&mut svg, (column, height - 16), "start", "#000", &total);
    let _ = writeln!(svg, "</g>\n</svg>");
    svg
}

fn node(svg: &mut String, x: i64, y: i64, place: usize, point: &str) {
    let _ = writeln!(
        svg,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"#fff\" stroke=\"#000\"/>"
    );
    text(svg, (x, y + 5), "middle", "#000", point);
    text(svg, (x - RADIUS - 6, y - 6), "end", "#777", &format!("x{}", subscript(place)));
}

/// The rounds of a phase as a row of cells.
fn rounds(
    svg: &mut String,
    found: &Phases,
    phase: &Phase,
    (x, y): (i64, i64),
    column: i64,
    points: &[String],
) {
    let _ = writeln!(
        svg,
        "<line x1=\"{}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"#ccc\"/>",
        x + RADIUS,
        column - 8
    );
    for place in 0..found.length {
        let round = phase.first + place;
        let informative = phase.informative.contains(&round);
        let fill = if informative { ORANGE } else { "#fff" };
        let at = column + CELL * i64::try_from(place).unwrap_or(0);
        let (top, side) = (y - CELL / 2, CELL - 2);
        let record = if informative {
            format!("{}:{}", quote(&points[phase.point]), u8::from(phase.label))
        } else {
            example(found.dummy, points)
        };
        let _ = writeln!(
            svg,
            "<rect x=\"{at}\" y=\"{top}\" width=\"{side}\" height=\"{side}\" fill=\"{fill}\" \
             stroke=\"#000\"><title>round {round}: {}</title></rect>",
            xml(&record)
        );
    }
    let last = phase.first + found.length - 1;
    let span = if found.length == 1 {
        format!("round {last}")
    } else {
        format!("rounds {} to {last}", phase.first)
    };
    let words = format!("{span}: {} expected mistakes", phase.mistakes.decimal(4));
    text(svg, (column, y + 26), "start", "#000", &words);
}

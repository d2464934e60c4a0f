//! Algorithm 1 as a drawing: the stages along the path where every middle third is chosen, as in Figure 2(a),
//! and below it how often each round is informative. Nothing here takes part in a verdict.

use std::fmt::Write as _;

use num_traits::{One, ToPrimitive, Zero};

use crate::adversary::{Interval, Thirds};
use crate::exact::{Rational, decimal};
use crate::report::axes::{BLUE, ORANGE, head, text};

/// Where the rounds are, in pixels.
const LEFT: i64 = 60;
const RIGHT: i64 = 780;
const WIDTH: i64 = 840;
/// The first stage, the height of a bar, and the distance from stage to stage.
const TOP: i64 = 40;
const BAR: i64 = 30;
const STEP: i64 = 78;
/// The height of the chart of frequencies.
const CHART: i64 = 110;

/// Draws the adversary as SVG; `point` is the informative point as it is typed.
pub fn draw(adversary: &Thirds, point: &str) -> String {
    let stages = adversary.stages();
    let bars = i64::try_from(stages.max(1)).unwrap_or(1);
    let base = TOP + bars * STEP + 34 + CHART;
    let height = base + 52;
    let description = format!(
        "The stages of Algorithm 1 for T = {}, p = {}, where each middle third is chosen; below, \
         the probability of each round to be informative.",
        adversary.rounds(),
        adversary.probability()
    );
    let mut svg = head("Algorithm 1", &description, (WIDTH, height));
    let _ = writeln!(svg, "<g font-family=\"serif\" font-size=\"13\" fill=\"#000\">");
    let axis = Axis { rounds: adversary.rounds() };
    let mut choices = Vec::new();
    for stage in 0..stages {
        let interval = adversary.interval(&choices);
        let y = TOP + i64::try_from(stage).unwrap_or(0) * STEP;
        bar(&mut svg, (adversary, point), &axis, interval, stage, y);
        choices.push(2);
    }
    if stages == 0 {
        let at = axis.centre(1);
        text(&mut svg, (at, TOP + 20), "middle", "#000", &format!("({point}, B)"));
    }
    chart(&mut svg, adversary, &axis, base);
    let _ = writeln!(svg, "</g>\n</svg>");
    svg
}

/// Where rounds are drawn.
struct Axis {
    rounds: usize,
}

impl Axis {
    /// The place of the end of round `round`, in pixels; 0 is the beginning.
    fn end(&self, round: usize) -> i64 {
        self.at(&Rational::from_integer(round.into()))
    }

    /// The middle of a round.
    fn centre(&self, round: usize) -> i64 {
        self.at(&(Rational::from_integer(round.into()) - Rational::new(1.into(), 2.into())))
    }

    fn at(&self, time: &Rational) -> i64 {
        let share = time / Rational::from_integer(self.rounds.into());
        LEFT + pixels(&share, RIGHT - LEFT)
    }
}

fn pixels(share: &Rational, length: i64) -> i64 {
    (share * Rational::from_integer(length.into())).round().to_integer().to_i64().unwrap_or(0)
}

/// One stage: `A_t` in thirds, the first of which may get an example if the middle one is chosen.
fn bar(
    svg: &mut String,
    (adversary, point): (&Thirds, &str),
    axis: &Axis,
    interval: Interval,
    stage: usize,
    y: i64,
) {
    let thirds = [1, 2, 3].map(|j| interval.third(j));
    for (third, fill) in thirds.iter().zip(["#fbe3d3", "#d6e8f4", "#fff"]) {
        let (x, end) = (axis.end(third.after), axis.end(third.last));
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{BAR}\" fill=\"{fill}\" \
             stroke=\"#000\"/>",
            end - x
        );
    }
    let wide = axis.end(interval.last) - axis.end(interval.after);
    if i64::try_from(interval.len()).is_ok_and(|rounds| 4 * rounds <= wide) {
        for round in interval.rounds() {
            let (x, y) = (axis.centre(round), y + BAR / 2);
            let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"1.6\" fill=\"#888\"/>");
        }
    }
    text(svg, (LEFT - 10, y + 20), "end", "#000", &format!("A{}", subscript(stage)));
    let first = i64::midpoint(axis.end(thirds[0].after), axis.end(thirds[0].last));
    let note = match adversary.probability() {
        p if p.is_one() => format!("({point}, B)"),
        p => format!("({point}, B) with probability {p}"),
    };
    // The words of narrow stages stand beside them.
    let wide = axis.end(thirds[0].last) - axis.end(thirds[0].after) > 160;
    let (x, anchor) = if wide { (first, "middle") } else { (axis.end(thirds[0].after) - 8, "end") };
    let high = if wide { y - 10 } else { y + 20 };
    if stage == 0 || wide || x > LEFT + 120 {
        text(svg, (x, high), anchor, ORANGE, &note);
    }
    // The chosen third becomes the next interval.
    let (a, b) = (axis.end(thirds[1].after), axis.end(thirds[1].last));
    if thirds[1].len() > 1 {
        let (top, low) = (y + BAR, y + STEP);
        let _ = writeln!(
            svg,
            "<g stroke=\"{BLUE}\" stroke-dasharray=\"4 3\"><line x1=\"{a}\" y1=\"{top}\" x2=\"{a}\" \
             y2=\"{low}\"/><line x1=\"{b}\" y1=\"{top}\" x2=\"{b}\" y2=\"{low}\"/></g>"
        );
    }
    if wide {
        text(svg, (i64::midpoint(a, b), y + BAR + 18), "middle", BLUE, "selected third");
    }
}

/// A number as a subscript.
pub(in crate::report) fn subscript(number: usize) -> String {
    let digits = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];
    number.to_string().bytes().map(|digit| digits[usize::from(digit - b'0')]).collect()
}

/// A probability in few characters.
fn height(value: &Rational) -> String {
    let small = *value < Rational::new(1.into(), 1000.into());
    decimal(value, if small { 1 } else { 3 }).replace('…', "")
}

/// How often each round is informative.
fn chart(svg: &mut String, adversary: &Thirds, axis: &Axis, base: i64) {
    let frequencies = adversary.frequencies();
    let zero = Rational::zero();
    let greatest = frequencies.iter().map(|(_, p)| p).max().unwrap_or(&zero).clone();
    let _ = writeln!(svg, "<g fill=\"{ORANGE}\">");
    for (rounds, frequency) in &frequencies {
        if frequency.is_zero() {
            continue;
        }
        let tall = pixels(&(frequency / &greatest), CHART).max(1);
        let (x, end) = (axis.end(rounds.after), axis.end(rounds.last));
        let gap = i64::from(end - x > 4);
        let (y, wide) = (base - tall, (end - x - gap).max(1));
        let of = if rounds.len() == 1 {
            format!("round {}: {frequency}", rounds.last)
        } else {
            format!("rounds {} to {}: {frequency} on average", rounds.after + 1, rounds.last)
        };
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{tall}\"><title>{of}</title></rect>"
        );
    }
    let _ = writeln!(svg, "</g>");
    let _ = writeln!(
        svg,
        "<path d=\"M{LEFT} {} V{base} H{RIGHT}\" fill=\"none\" stroke=\"#000\"/>",
        base - CHART
    );
    text(svg, (LEFT - 8, base - CHART + 5), "end", "#000", &height(&greatest));
    text(svg, (LEFT - 8, base + 5), "end", "#000", "0");
    text(
        svg,
        (LEFT + 8, base - CHART - 10),
        "start",
        "#000",
        "probability that a round is informative",
    );
    let last = adversary.rounds();
    let mut named = vec![1, last.div_ceil(3), last - last / 3, last];
    named.dedup();
    for round in named {
        text(svg, (axis.centre(round), base + 18), "middle", "#000", &round.to_string());
    }
    text(svg, (i64::midpoint(LEFT, RIGHT), base + 40), "middle", "#000", "round r");
}

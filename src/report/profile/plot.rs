//! Profiles as a drawing for a paper: δ over ε, with the breakpoints marked.
//!
//! Between two breakpoints δ is linear in e^ε, not in ε, so the curves are drawn through many
//! points. Nothing here takes part in a verdict.

use std::fmt::Write as _;

use num_traits::{One, Signed, Zero};

use super::scale::{Scale, decades, log10, pixels, signed, step, ticks};
use super::{Asked, Curve};
use crate::error::{Error, Result};
use crate::exact::{BigInt, Number, Rational, enclose_exp, enclose_ln};
use crate::privacy::{Notion, Profile};
use crate::report::tree::FONTS;
use crate::report::tree::measure::{fit, width};
use crate::report::tree::names::xml;

/// The vertical axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vertical {
    /// δ.
    Linear,
    /// The logarithm of δ.
    Logarithmic,
}

/// The size of the picture, and its margins around the axes, in pixels.
const WIDTH: i64 = 560;
const HEIGHT: i64 = 370;
const LEFT: i64 = 72;
const RIGHT: i64 = 18;
const TOP: i64 = 16;
const BOTTOM: i64 = 54;

/// Font sizes of axes and of everything else.
const NAME: i64 = 17;
const LABEL: i64 = 13;

/// Hundredths of a pixel between two points of a curve.
const STRIDE: i64 = 200;

/// Binary digits after the point of what is drawn.
const BITS: u64 = 64;

/// At most so many curves are told apart.
const MAX_CURVES: usize = 8;

/// More breakpoints than this are not marked, for their marks would hide the curve.
const MARKED: usize = 60;

/// Colours that differ for the colour-blind too (Okabe and Ito), and dashes for paper without any.
const STYLES: [(&str, &str); MAX_CURVES] = [
    ("#0072b2", ""),
    ("#d55e00", "7 3"),
    ("#009e73", "2 3"),
    ("#cc79a7", "9 3 2 3"),
    ("#000000", "4 2"),
    ("#e69f00", "12 3"),
    ("#56b4e9", "5 2 1 2"),
    ("#7f7f7f", "1 2"),
];

/// A curve in rational numbers, close to the profile.
struct Drawn {
    /// The ε where each piece begins, and P and Q on it.
    pieces: Vec<(Rational, Rational, Rational)>,
}

impl Drawn {
    fn new(profile: &Profile) -> Self {
        let near = |value: &Number| value.enclosure(BITS).0;
        let logarithm = |factor: &Number| {
            let factor = near(factor).max(Rational::one());
            enclose_ln(&factor, BITS).expect("at least 1").low()
        };
        let pieces = profile.pieces.iter();
        let pieces = pieces.map(|p| (logarithm(&p.from), near(&p.first), near(&p.second)));
        Self { pieces: pieces.collect() }
    }

    fn last(&self) -> &Rational {
        &self.pieces[self.pieces.len() - 1].0
    }

    /// The points (ε, δ) of the curve for ε up to `end`, those between breakpoints at the values
    /// of `between`; breakpoints are marked with true.
    fn points(&self, between: &[Rational], end: &Rational) -> Vec<(Rational, Rational, bool)> {
        let mut points = Vec::new();
        for (index, (from, first, second)) in self.pieces.iter().enumerate() {
            let to = self.pieces.get(index + 1).map_or(end, |next| &next.0);
            let mut add = |epsilon: &Rational, mark: bool| {
                let factor = enclose_exp(epsilon, BITS).low();
                let delta = (first - factor * second).max(Rational::zero());
                points.push((epsilon.clone(), delta, mark));
            };
            add(from, index > 0);
            if !second.is_zero() {
                between.iter().filter(|e| from < *e && *e < to).for_each(|e| add(e, false));
            }
            // The next piece begins there too; but it may vanish, and this one does not.
            add(to, false);
        }
        points
    }
}

/// The vertical axis: its scale, and its ticks with their labels.
struct Axis {
    scale: Scale,
    ticks: Vec<(i64, String)>,
    /// The widest label, in pixels.
    widest: i64,
    vertical: Vertical,
}

impl Axis {
    fn new(drawn: &[Drawn], end: &Rational, vertical: Vertical) -> Result<Self> {
        let span = ((HEIGHT - BOTTOM) * 100, TOP * 100);
        let deltas = || drawn.iter().flat_map(|d| d.points(&[], end)).map(|(_, delta, _)| delta);
        let greatest = deltas().max().unwrap_or_default();
        match vertical {
            Vertical::Linear => {
                let greatest = if greatest.is_zero() { Rational::one() } else { greatest };
                let step = step(&greatest, 6);
                let top = (&greatest / &step).ceil() * &step;
                let scale = Scale::new(Rational::zero(), top.clone(), span);
                let ticks = ticks(&step, &top);
                let widest = ticks.iter().map(|(_, label)| width(label, LABEL)).max().unwrap_or(0);
                let ticks = ticks.into_iter().map(|(v, label)| (scale.place(&v), label)).collect();
                Ok(Self { scale, ticks, widest, vertical })
            }
            Vertical::Logarithmic => {
                let least = deltas().filter(Signed::is_positive).min().ok_or_else(|| {
                    Error::argument_with_help(
                        "no δ is positive, and zero has no logarithm",
                        "draw it without --log-y",
                    )
                })?;
                let to = log10(&greatest).ceil();
                // Some room below the last breakpoint, where a curve may fall to 0.
                let from = (log10(&least) - Rational::new(1.into(), 2.into())).floor();
                let scale = Scale::new(from.clone(), to.clone(), span);
                let exponents = decades(&from.to_integer(), &to.to_integer(), 8);
                let tick = |exponent: &BigInt| {
                    let place = scale.place(&Rational::from_integer(exponent.clone()));
                    let shown = signed(exponent);
                    (place, format!("10<tspan dy=\"-5\" font-size=\"10\">{shown}</tspan>"))
                };
                let ticks = exponents.iter().map(tick).collect();
                let widest = exponents.iter().map(|e| width(&signed(e), 10)).max().unwrap_or(0);
                Ok(Self { scale, ticks, widest: widest + width("10", LABEL), vertical })
            }
        }
    }

    /// The place of δ; one below the axis when its logarithm is.
    fn place(&self, delta: &Rational) -> i64 {
        match self.vertical {
            Vertical::Linear => self.scale.place(delta),
            Vertical::Logarithmic if delta.is_positive() => self.scale.place(&log10(delta)),
            Vertical::Logarithmic => (HEIGHT - BOTTOM) * 100 + 10_000,
        }
    }
}

/// Draws profiles as SVG: ε from 0 to a little beyond the last breakpoint.
///
/// # Errors
/// When there are more than 8 profiles, when one of them is not fully known, and with a
/// logarithmic axis when no δ is positive.
pub fn draw(asked: &Asked<'_>, curves: &[Curve<'_>], vertical: Vertical) -> Result<String> {
    if curves.len() > MAX_CURVES {
        return Err(Error::TooLarge {
            what: "the plot".into(),
            size: format!("{} profiles", curves.len()),
            limit: format!("{MAX_CURVES} profiles"),
        });
    }
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
    let axis = Axis::new(&drawn, &end, vertical)?;
    let left = LEFT.max(axis.widest + 44);
    let across = Scale::new(Rational::zero(), end.clone(), (left * 100, (WIDTH - RIGHT) * 100));
    let mut svg = head(asked, curves);
    frame(&mut svg, &axis, &across, &end, left);
    let between: Vec<Rational> = (0..)
        .map(|i| left * 100 + i * STRIDE)
        .take_while(|place| *place < (WIDTH - RIGHT) * 100)
        .map(|place| across.value(place))
        .collect();
    add(&mut svg, "<g clip-path=\"url(#inside)\" fill=\"none\" stroke-width=\"1.6\">");
    for ((drawn, curve), style) in drawn.iter().zip(curves).zip(STYLES) {
        let points = drawn.points(&between, &end);
        add(&mut svg, &ink(&points, &axis, &across, curve, style));
    }
    add(&mut svg, "</g>");
    legend(&mut svg, asked, curves);
    add(&mut svg, "</svg>");
    Ok(svg)
}

fn add(svg: &mut String, line: &str) {
    svg.push_str(line);
    svg.push('\n');
}

fn head(asked: &Asked<'_>, curves: &[Curve<'_>]) -> String {
    let names: Vec<&str> = curves.iter().map(|curve| curve.mechanism).collect();
    let over = asked.class.map_or_else(String::new, |class| format!(" over {class}"));
    let joint = if asked.notion == Notion::Joint { "joint " } else { "" };
    let rounds = asked.rounds.map_or_else(String::new, |rounds| format!(", T = {rounds}"));
    let description = format!(
        "Worst δ as a function of ε, {joint}differential privacy{rounds}: {}{over}.",
        names.join("; ")
    );
    let mut svg = String::new();
    add(
        &mut svg,
        &format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">"
        ),
    );
    add(&mut svg, &format!("<title>{}</title>", xml(&format!("Privacy profile{over}"))));
    add(&mut svg, &format!("<desc>{}</desc>", xml(&description)));
    add(&mut svg, &format!("<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>"));
    svg
}

/// The axes with their ticks, lines and names.
fn frame(svg: &mut String, axis: &Axis, across: &Scale, end: &Rational, left: i64) {
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    let (wide, high) = (right - left, bottom - TOP);
    let columns: Vec<(i64, String)> = ticks(&step(end, 7), end)
        .into_iter()
        .map(|(value, label)| (across.place(&value), label))
        .collect();
    let area = format!("x=\"{left}\" y=\"{TOP}\" width=\"{wide}\" height=\"{high}\"");
    // Marks on the frame are shown whole.
    add(
        svg,
        &format!(
            "<clipPath id=\"inside\"><rect x=\"{left}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>",
            TOP - 4,
            wide + 4,
            high + 8
        ),
    );
    add(svg, "<g stroke=\"#ddd\" stroke-width=\"0.8\">");
    for (y, _) in &axis.ticks {
        let y = pixels(*y);
        add(svg, &format!("<line x1=\"{left}\" y1=\"{y}\" x2=\"{right}\" y2=\"{y}\"/>"));
    }
    for (x, _) in &columns {
        let x = pixels(*x);
        add(svg, &format!("<line x1=\"{x}\" y1=\"{TOP}\" x2=\"{x}\" y2=\"{bottom}\"/>"));
    }
    add(svg, "</g>");
    add(svg, "<g stroke=\"#000\" stroke-width=\"1\" fill=\"none\">");
    add(svg, &format!("<rect {area}/>"));
    for (y, _) in &axis.ticks {
        let y = pixels(*y);
        add(svg, &format!("<line x1=\"{}\" y1=\"{y}\" x2=\"{left}\" y2=\"{y}\"/>", left - 5));
    }
    for (x, _) in &columns {
        let x = pixels(*x);
        add(svg, &format!("<line x1=\"{x}\" y1=\"{bottom}\" x2=\"{x}\" y2=\"{}\"/>", bottom + 5));
    }
    add(svg, "</g>");
    add(svg, &format!("<g font-family=\"{FONTS}\" font-size=\"{LABEL}\" fill=\"#000\">"));
    for (y, label) in &axis.ticks {
        let (x, y) = (left - 9, pixels(y + 450));
        add(svg, &format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{label}</text>"));
    }
    for (x, label) in &columns {
        let (x, y) = (pixels(*x), bottom + 20);
        add(svg, &format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{label}</text>"));
    }
    let name = format!("font-size=\"{NAME}\" font-style=\"italic\" text-anchor=\"middle\"");
    add(svg, &format!("<text x=\"{}\" y=\"{}\" {name}>ε</text>", left + wide / 2, HEIGHT - 12));
    add(svg, &format!("<text x=\"16\" y=\"{}\" {name}>δ</text>", TOP + high / 2 + 5));
    add(svg, "</g>");
}

/// A curve and its marks.
fn ink(
    points: &[(Rational, Rational, bool)],
    axis: &Axis,
    across: &Scale,
    curve: &Curve<'_>,
    (colour, dashes): (&str, &str),
) -> String {
    let at = |(epsilon, delta, _): &(Rational, Rational, bool)| {
        (pixels(across.place(epsilon)), pixels(axis.place(delta)))
    };
    let mut places: Vec<(String, String)> = points.iter().map(at).collect();
    places.dedup();
    let mut path = String::new();
    for (index, (x, y)) in places.iter().enumerate() {
        let letter = if index == 0 { "M" } else { " L" };
        write!(path, "{letter}{x} {y}").expect("writing to a string");
    }
    let dash = dashed(dashes);
    let mut ink = format!(
        "<g><title>{}</title>\n<path d=\"{path}\" stroke=\"{colour}\" stroke-linejoin=\"round\"{dash}/>",
        xml(curve.mechanism)
    );
    let marked: Vec<_> = points.iter().filter(|point| point.2).collect();
    if marked.len() <= MARKED {
        for point in marked {
            let (x, y) = at(point);
            write!(
                ink,
                "\n<circle cx=\"{x}\" cy=\"{y}\" r=\"2.6\" fill=\"#fff\" stroke=\"{colour}\" stroke-width=\"1.2\"/>"
            )
            .expect("writing to a string");
        }
    }
    ink + "</g>"
}

fn dashed(dashes: &str) -> String {
    if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") }
}

/// The names of the mechanisms, in the upper right corner: profiles decrease.
fn legend(svg: &mut String, asked: &Asked<'_>, curves: &[Curve<'_>]) {
    const LINE: i64 = 18;
    const SAMPLE: i64 = 30;
    let names: Vec<_> = curves.iter().map(|curve| fit(curve.mechanism, LABEL, 330)).collect();
    let joint = if asked.notion == Notion::Joint { "joint, " } else { "" };
    let setting = match (asked.class, asked.rounds) {
        (Some(class), Some(rounds)) => format!("{joint}{class}, T = {rounds}"),
        (None, Some(rounds)) => format!("{joint}T = {rounds}"),
        (Some(class), None) => class.to_owned(),
        (None, None) => String::new(),
    };
    let setting = fit(&setting, LABEL, 330);
    let rows = i64::try_from(names.len()).expect("few curves") + i64::from(!setting.text.is_empty());
    let widest = names.iter().map(|name| name.width + SAMPLE + 8).max().unwrap_or(0);
    let wide = widest.max(setting.width) + 16;
    let (x, y) = (WIDTH - RIGHT - wide - 8, TOP + 8);
    let high = rows * LINE + 8;
    add(
        svg,
        &format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" fill=\"#fff\" \
             stroke=\"#999\" stroke-width=\"0.8\"/>"
        ),
    );
    add(svg, &format!("<g font-family=\"{FONTS}\" font-size=\"{LABEL}\" fill=\"#000\">"));
    let mut baseline = y + 17;
    for ((name, curve), (colour, dashes)) in names.iter().zip(curves).zip(STYLES) {
        let (dash, line) = (dashed(dashes), baseline - 4);
        let (start, end) = (x + 8, x + 8 + SAMPLE);
        add(
            svg,
            &format!(
                "<g><title>{}</title><line x1=\"{start}\" y1=\"{line}\" x2=\"{end}\" y2=\"{line}\" \
                 stroke=\"{colour}\" stroke-width=\"1.6\"{dash}/><text x=\"{}\" y=\"{baseline}\">{}</text></g>",
                xml(curve.mechanism),
                end + 8,
                xml(&name.text)
            ),
        );
        baseline += LINE;
    }
    if !setting.text.is_empty() {
        let text = xml(&setting.text);
        add(svg, &format!("<text x=\"{}\" y=\"{baseline}\">{text}</text>", x + 8));
    }
    add(svg, "</g>");
}

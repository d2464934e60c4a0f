//! Profiles as a drawing for a paper: δ over ε, with the breakpoints marked.
//!
//! Between two breakpoints δ is linear in e^ε, not in ε, so the curves are drawn through many
//! points. Nothing here takes part in a verdict.

use std::fmt::Write as _;

use num_traits::{One, Signed, Zero};

use super::{Asked, Curve};
use crate::error::{Error, Result};
use crate::exact::{BigInt, Number, Rational, enclose_exp, enclose_ln};
use crate::privacy::{Notion, Profile};
use crate::report::axes::{
    BOTTOM, Frame, LABEL, LINE, SAMPLE, STYLES, Scale, TALL, Tick, add, axes, dashed, decades,
    head, log10, pixels, signed, step, ticks, upwards, widest,
};
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

/// How wide the names and the setting in the legend may be, in pixels.
const NAMES: i64 = 300;
const SETTING: i64 = 120;

/// Hundredths of a pixel between two points of a curve.
const STRIDE: i64 = 200;

/// Binary digits after the point of what is drawn.
const BITS: u64 = 64;

/// At most so many curves are told apart.
const MAX_CURVES: usize = STYLES.len();

/// More breakpoints than this are not marked, for their marks would hide the curve.
const MARKED: usize = 60;

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
    fn points(&self, between: &[Rational], end: &Rational) -> Vec<(Rational, Rational, bool)> {
        let mut points = Vec::new();
        for (index, (from, delta, first, second)) in self.pieces.iter().enumerate() {
            points.push((from.clone(), delta.clone(), index > 0));
            if second.is_zero() {
                continue;
            }
            let to = self.pieces.get(index + 1).map_or(end, |next| &next.0);
            for epsilon in between.iter().filter(|e| from < *e && *e < to) {
                let factor = enclose_exp(epsilon, BITS).low();
                let delta = (first - factor * second).max(Rational::zero());
                points.push((epsilon.clone(), delta, false));
            }
        }
        let (_, _, limit, _) = &self.pieces[self.pieces.len() - 1];
        points.push((end.clone(), limit.clone(), false));
        points
    }
}

/// The vertical axis: its scale, and its ticks with their labels.
struct Axis {
    scale: Scale,
    ticks: Vec<Tick>,
    /// The widest label, in pixels.
    widest: i64,
    vertical: Vertical,
    /// Where δ = 0 is drawn when its logarithm is.
    below: i64,
}

impl Axis {
    fn new(drawn: &[Drawn], end: &Rational, top: i64, vertical: Vertical) -> Result<Self> {
        let span = ((top + TALL) * 100, top * 100);
        let below = span.0 + 10_000;
        let deltas = || drawn.iter().flat_map(|d| d.points(&[], end)).map(|(_, delta, _)| delta);
        let greatest = deltas().max().unwrap_or_default();
        match vertical {
            Vertical::Linear => {
                let (scale, ticks) = upwards(&greatest, top);
                let widest = widest(&ticks);
                Ok(Self { scale, ticks, widest, vertical, below })
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
                Ok(Self { scale, ticks, widest: widest + width("10", LABEL), vertical, below })
            }
        }
    }

    /// The place of δ; one below the axis when its logarithm is.
    fn place(&self, delta: &Rational) -> i64 {
        match self.vertical {
            Vertical::Linear => self.scale.place(delta),
            Vertical::Logarithmic if delta.is_positive() => self.scale.place(&log10(delta)),
            Vertical::Logarithmic => self.below,
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
    let lines = i64::try_from(curves.len()).expect("few curves");
    let axis = Axis::new(&drawn, &end, Frame::top(lines), vertical)?;
    let frame = Frame::new(lines, axis.widest);
    let sides = (frame.left * 100, frame.right * 100);
    let across = Scale::new(Rational::zero(), end.clone(), sides);
    let mut svg = heading(asked, curves, frame.bottom + BOTTOM);
    legend(&mut svg, asked, curves, frame);
    let columns: Vec<Tick> = ticks(&step(&end, 7), &end)
        .into_iter()
        .map(|(value, label)| (across.place(&value), label))
        .collect();
    axes(&mut svg, frame, (&columns, "ε"), (&axis.ticks, "δ"));
    let step = usize::try_from(STRIDE).expect("a positive number");
    let between: Vec<Rational> =
        (sides.0..sides.1).step_by(step).map(|place| across.value(place)).collect();
    for ((drawn, curve), style) in drawn.iter().zip(curves).zip(STYLES) {
        let points = drawn.points(&between, &end);
        add(&mut svg, &ink(&points, &axis, &across, curve, style));
    }
    add(&mut svg, "</svg>");
    Ok(svg)
}

fn heading(asked: &Asked<'_>, curves: &[Curve<'_>], height: i64) -> String {
    let names: Vec<&str> = curves.iter().map(|curve| curve.mechanism).collect();
    let over = asked.class.map_or_else(String::new, |class| format!(" over {class}"));
    let joint = if asked.notion == Notion::Joint { "joint " } else { "" };
    let rounds = asked.rounds.map_or_else(String::new, |rounds| format!(", T = {rounds}"));
    let description = format!(
        "Worst δ as a function of ε, {joint}differential privacy{rounds}: {}{over}.",
        names.join("; ")
    );
    head(&xml(&format!("Privacy profile{over}")), &xml(&description), height)
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
        "<g><title>{}</title>\n<path d=\"{path}\" clip-path=\"url(#inside)\" fill=\"none\" \
         stroke=\"{colour}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"{dash}/>",
        xml(curve.mechanism)
    );
    // With a logarithmic axis there is no place for δ = 0.
    let shown = |delta: &Rational| axis.vertical == Vertical::Linear || delta.is_positive();
    let marked: Vec<_> = points.iter().filter(|point| point.2 && shown(&point.1)).collect();
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

/// The names of the mechanisms above the axes, and on the right what they have in common.
fn legend(svg: &mut String, asked: &Asked<'_>, curves: &[Curve<'_>], frame: Frame) {
    let joint = if asked.notion == Notion::Joint { "joint" } else { "" };
    let rounds = asked.rounds.map_or_else(String::new, |rounds| format!("T = {rounds}"));
    let parts = [joint, asked.class.unwrap_or_default(), &rounds];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let setting = fit(&parts.join(", "), LABEL, SETTING);
    let mut baseline = Frame::baseline(0);
    add(svg, &format!("<g font-family=\"{FONTS}\" font-size=\"{LABEL}\" fill=\"#000\">"));
    add(
        svg,
        &format!(
            "<text x=\"{}\" y=\"{baseline}\" text-anchor=\"end\">{}</text>",
            frame.right,
            xml(&setting.text)
        ),
    );
    for (curve, (colour, dashes)) in curves.iter().zip(STYLES) {
        let name = fit(curve.mechanism, LABEL, NAMES);
        let (dash, line) = (dashed(dashes), baseline - 4);
        let (start, end) = (frame.left, frame.left + SAMPLE);
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
    add(svg, "</g>");
}

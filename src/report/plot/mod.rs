//! Curves as a drawing for a paper, in SVG. Nothing here takes part in a verdict.
//!
//! An [`Axis`] is a range with its labels; how axes look is in `report/axes`, which drawings of
//! other kinds share.

mod axis;

use std::fmt::Write as _;

use crate::error::{Error, Result};
use crate::exact::Rational;
use crate::report::axes::{
    self, BOTTOM, Frame, LABEL, LINE, SAMPLE, STYLES, add, dashed, head, pixels,
};
use crate::report::tree::FONTS;
use crate::report::tree::measure::fit;
use crate::report::tree::names::xml;

pub use axis::Axis;

pub(crate) use crate::report::axes::{WIDTH, power_of_ten};

use axis::Laid;

/// How wide the names of curves may be, and what is on the right of them, in pixels.
const NAMES: i64 = 300;
const SETTING: i64 = 120;

/// More marks than this are left out, for they would hide the curve.
const MARKED: usize = 60;

/// How the points of a series are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stroke {
    /// A line, dashed unless it is the first one.
    #[default]
    Told,
    /// A solid line.
    Solid,
    /// A dashed line.
    Dashed,
    /// Points only.
    Points,
    /// A line that is solid from one of its points, counted from 0, to another and dashed elsewhere.
    SolidWithin(usize, usize),
}

/// A point of a curve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// Its place.
    pub x: Rational,
    /// Its place.
    pub y: Rational,
    /// How it is marked, if it is.
    pub mark: Option<Mark>,
}

/// A circle at a point.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mark {
    /// What the point is, for those who hover over it; may be empty.
    pub title: String,
    /// Whether it is filled.
    pub filled: bool,
}

/// A curve: points, joined by straight lines on paper.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points from left to right.
    pub points: Vec<Point>,
    /// How they are joined.
    pub stroke: Stroke,
}

/// A drawing.
#[derive(Debug)]
pub struct Plot<'a> {
    /// Its title, for those who cannot see it.
    pub title: &'a str,
    /// A description, likewise.
    pub description: &'a str,
    /// What the curves have in common, on the right of their names.
    pub setting: &'a str,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves.
    pub series: Vec<Series>,
    /// A grey area, by its corners.
    pub shade: Vec<(Rational, Rational)>,
}

impl Plot<'_> {
    /// The drawing as SVG.
    ///
    /// # Errors
    /// When there are more than 8 curves.
    pub fn draw(&self) -> Result<String> {
        let count = self.series.len();
        if count > STYLES.len() {
            return Err(Error::TooLarge {
                what: "the plot".into(),
                size: format!("{count} curves"),
                limit: format!("{} curves", STYLES.len()),
            });
        }
        let frame = Frame::new(i64::try_from(count).expect("few curves"), self.y.widest());
        let x = self.x.lay((frame.left * 100, frame.right * 100));
        let y = self.y.lay((frame.bottom * 100, frame.top * 100));
        let size = (WIDTH, frame.bottom + BOTTOM);
        let mut svg = head(&xml(self.title), &xml(self.description), size);
        self.legend(&mut svg, frame);
        if !self.shade.is_empty() {
            let shape = path(self.shade.iter().map(|(a, b)| place(a, b, &x, &y)).collect());
            let clip = "clip-path=\"url(#inside)\"";
            add(&mut svg, &format!("<path d=\"{shape} Z\" {clip} fill=\"#e4e4e4\"/>"));
        }
        let (across, upwards) = (xml(self.x.name()), xml(self.y.name()));
        axes::axes(&mut svg, frame, (&x.ticks, &across), (&y.ticks, &upwards));
        for (series, style) in self.series.iter().zip(STYLES) {
            add(&mut svg, &ink(series, &x, &y, style));
        }
        add(&mut svg, "</svg>");
        Ok(svg)
    }

    /// The names of the curves above the axes, and on the right what they have in common.
    fn legend(&self, svg: &mut String, frame: Frame) {
        // On the first line there is room beside a short name.
        let first = self.series.first().map_or(0, |s| fit(&s.name, LABEL, NAMES).width);
        let room = frame.right - frame.left - SAMPLE - first - 2 * LINE;
        let setting = fit(self.setting, LABEL, room.max(SETTING));
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
        for (series, (colour, dashes)) in self.series.iter().zip(STYLES) {
            let name = fit(&series.name, LABEL, NAMES);
            let (dash, line) = (dashes_of(series.stroke, dashes), baseline - 4);
            let (start, end) = (frame.left, frame.left + SAMPLE);
            let sample = if series.stroke == Stroke::Points {
                let at = (&*i64::midpoint(start, end).to_string(), &*line.to_string());
                circle(at, colour, &Mark::default())
            } else {
                format!(
                    "<line x1=\"{start}\" y1=\"{line}\" x2=\"{end}\" y2=\"{line}\" \
                     stroke=\"{colour}\" stroke-width=\"1.6\"{dash}/>"
                )
            };
            add(
                svg,
                &format!(
                    "<g><title>{}</title>{sample}<text x=\"{}\" y=\"{baseline}\">{}</text></g>",
                    xml(&series.name),
                    end + 8,
                    xml(&name.text)
                ),
            );
            baseline += LINE;
        }
        add(svg, "</g>");
    }
}

fn place(a: &Rational, b: &Rational, x: &Laid, y: &Laid) -> (String, String) {
    (pixels(x.place(a)), pixels(y.place(b)))
}

fn path(mut places: Vec<(String, String)>) -> String {
    places.dedup();
    let mut path = String::new();
    for (index, (x, y)) in places.iter().enumerate() {
        let letter = if index == 0 { "M" } else { " L" };
        write!(path, "{letter}{x} {y}").expect("writing to a string");
    }
    path
}

fn circle((x, y): (&str, &str), colour: &str, mark: &Mark) -> String {
    let fill = if mark.filled { colour } else { "#fff" };
    let circle = format!(
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.6\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.2\""
    );
    match xml(&mark.title) {
        title if title.is_empty() => format!("{circle}/>"),
        title => format!("{circle}><title>{title}</title></circle>"),
    }
}

/// A curve and its marks.
fn ink(series: &Series, x: &Laid, y: &Laid, (colour, dashes): (&str, &str)) -> String {
    let at = |point: &Point| place(&point.x, &point.y, x, y);
    let mut ink = format!("<g><title>{}</title>", xml(&series.name));
    for (points, stroke) in pieces(series) {
        let (shape, dash) = (path(points.iter().map(at).collect()), dashes_of(stroke, dashes));
        write!(
            ink,
            "\n<path d=\"{shape}\" clip-path=\"url(#inside)\" fill=\"none\" stroke=\"{colour}\" \
             stroke-width=\"1.6\" stroke-linejoin=\"round\"{dash}/>"
        )
        .expect("writing to a string");
    }
    // With a logarithmic axis there is no place for 0.
    let shown = |point: &&Point| {
        (point.mark.is_some() || series.stroke == Stroke::Points)
            && x.shows(&point.x)
            && y.shows(&point.y)
    };
    let marked: Vec<&Point> = series.points.iter().filter(shown).collect();
    if marked.len() <= MARKED || series.stroke == Stroke::Points {
        let plain = Mark::default();
        for point in marked {
            let (x, y) = at(point);
            let mark = circle((&x, &y), colour, point.mark.as_ref().unwrap_or(&plain));
            write!(ink, "\n{mark}").expect("writing to a string");
        }
    }
    ink + "</g>"
}

/// The lines that a curve is made of.
fn pieces(series: &Series) -> Vec<(&[Point], Stroke)> {
    let all = &series.points[..];
    match series.stroke {
        Stroke::Points => Vec::new(),
        Stroke::SolidWithin(from, to) => {
            let last = all.len().saturating_sub(1);
            let ends =
                [(0, from, Stroke::Dashed), (from, to, Stroke::Solid), (to, last, Stroke::Dashed)];
            let drawn = ends.into_iter().filter(|(start, end, _)| start < end && *end <= last);
            drawn.map(|(start, end, stroke)| (&all[start..=end], stroke)).collect()
        }
        stroke => vec![(all, stroke)],
    }
}

/// The attribute for the dashes of a curve.
fn dashes_of(stroke: Stroke, dashes: &str) -> String {
    dashed(match stroke {
        Stroke::Solid | Stroke::Points | Stroke::SolidWithin(..) => "",
        Stroke::Dashed if dashes.is_empty() => "6 4",
        Stroke::Told | Stroke::Dashed => dashes,
    })
}

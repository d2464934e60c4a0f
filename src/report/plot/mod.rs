//! Curves as a drawing for a paper, in SVG. Nothing here takes part in a verdict.
//!
//! | module | idea |
//! | --- | --- |
//! | [`axis`] | ranges and labels |
//! | `scale` | the places of values on paper, in whole hundredths of a pixel |

mod axis;
mod scale;

use std::fmt::Write as _;

use crate::error::{Error, Result};
use crate::exact::Rational;
use crate::report::tree::FONTS;
use crate::report::tree::measure::{fit, width};
use crate::report::tree::names::xml;

pub use axis::Axis;
pub use scale::power_of_ten;

use axis::Laid;
use scale::pixels;

/// The width of the picture, the height of the axes, and the margins around them, in pixels.
pub const WIDTH: i64 = 560;
const TALL: i64 = 300;
const LEFT: i64 = 72;
const RIGHT: i64 = 18;
const BOTTOM: i64 = 54;

/// The height of a line of the legend, the length of its samples, and how wide its names may be.
const LINE: i64 = 19;
const SAMPLE: i64 = 32;
const NAMES: i64 = 300;
const SETTING: i64 = 120;

/// Font sizes of axes and of everything else.
const NAME: i64 = 17;
const LABEL: i64 = 13;

/// At most so many curves are told apart.
pub const MAX_CURVES: usize = 8;

/// More marks than this are left out, for they would hide the curve.
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
}

/// A point of a curve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// Its place.
    pub x: Rational,
    /// Its place.
    pub y: Rational,
    /// Whether it is marked.
    pub marked: bool,
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

/// Where the axes are, in pixels.
#[derive(Debug, Clone, Copy)]
struct Frame {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
}

impl Plot<'_> {
    /// The drawing as SVG.
    ///
    /// # Errors
    /// When there are more than 8 curves.
    pub fn draw(&self) -> Result<String> {
        let count = self.series.len();
        if count > MAX_CURVES {
            return Err(Error::TooLarge {
                what: "the plot".into(),
                size: format!("{count} curves"),
                limit: format!("{MAX_CURVES} curves"),
            });
        }
        let top = 10 + LINE * i64::try_from(count).expect("few curves") + 6;
        let left = LEFT.max(self.y.widest() + 44);
        let frame = Frame { left, top, right: WIDTH - RIGHT, bottom: top + TALL };
        let x = self.x.lay((frame.left * 100, frame.right * 100));
        let y = self.y.lay((frame.bottom * 100, frame.top * 100));
        let mut svg = self.head(frame.bottom + BOTTOM);
        self.legend(&mut svg, frame);
        self.axes(&mut svg, &x, &y, frame);
        for (series, style) in self.series.iter().zip(STYLES) {
            add(&mut svg, &ink(series, &x, &y, style));
        }
        add(&mut svg, "</svg>");
        Ok(svg)
    }

    fn head(&self, height: i64) -> String {
        let mut svg = String::new();
        add(
            &mut svg,
            &format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
                 viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">"
            ),
        );
        add(&mut svg, &format!("<title>{}</title>", xml(self.title)));
        add(&mut svg, &format!("<desc>{}</desc>", xml(self.description)));
        add(&mut svg, &format!("<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>"));
        svg
    }

    /// The axes with their ticks, lines and names, above the grey area.
    fn axes(&self, svg: &mut String, x: &Laid, y: &Laid, frame: Frame) {
        let Frame { left, top, right, bottom } = frame;
        let (wide, high) = (right - left, bottom - top);
        let area = format!("x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\"");
        add(svg, &format!("<clipPath id=\"inside\"><rect {area}/></clipPath>"));
        if !self.shade.is_empty() {
            let corners = self.shade.iter().map(|(a, b)| place(a, b, x, y)).collect();
            let shape = path(corners);
            add(
                svg,
                &format!("<path d=\"{shape} Z\" clip-path=\"url(#inside)\" fill=\"#e4e4e4\"/>"),
            );
        }
        add(svg, "<g stroke=\"#ddd\" stroke-width=\"0.8\">");
        for (place, _) in &y.ticks {
            let y = pixels(*place);
            add(svg, &format!("<line x1=\"{left}\" y1=\"{y}\" x2=\"{right}\" y2=\"{y}\"/>"));
        }
        for (place, _) in &x.ticks {
            let x = pixels(*place);
            add(svg, &format!("<line x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\"/>"));
        }
        add(svg, "</g>");
        add(svg, "<g stroke=\"#000\" stroke-width=\"1\" fill=\"none\">");
        add(svg, &format!("<rect {area}/>"));
        for (place, _) in &y.ticks {
            let y = pixels(*place);
            add(svg, &format!("<line x1=\"{}\" y1=\"{y}\" x2=\"{left}\" y2=\"{y}\"/>", left - 5));
        }
        for (place, _) in &x.ticks {
            let (x, end) = (pixels(*place), bottom + 5);
            add(svg, &format!("<line x1=\"{x}\" y1=\"{bottom}\" x2=\"{x}\" y2=\"{end}\"/>"));
        }
        add(svg, "</g>");
        add(svg, &format!("<g font-family=\"{FONTS}\" font-size=\"{LABEL}\" fill=\"#000\">"));
        for (place, label) in &y.ticks {
            let (x, y) = (left - 9, pixels(place + 450));
            add(svg, &format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{label}</text>"));
        }
        for (place, label) in &x.ticks {
            let (x, y) = (pixels(*place), bottom + 20);
            add(svg, &format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{label}</text>"));
        }
        self.names(svg, frame);
        add(svg, "</g>");
    }

    /// The names of the axes; a long one stands along the vertical axis.
    fn names(&self, svg: &mut String, frame: Frame) {
        let Frame { left, top, right, bottom } = frame;
        let name = format!("font-size=\"{NAME}\" font-style=\"italic\" text-anchor=\"middle\"");
        let (across, up) = (xml(self.x.name()), xml(self.y.name()));
        let (centre, low) = (i64::midpoint(left, right), bottom + 44);
        add(svg, &format!("<text x=\"{centre}\" y=\"{low}\" {name}>{across}</text>"));
        let middle = i64::midpoint(top, bottom) + 5;
        let turned = if width(self.y.name(), NAME) > 2 * NAME {
            format!(" transform=\"rotate(-90 16 {middle})\"")
        } else {
            String::new()
        };
        add(svg, &format!("<text x=\"16\" y=\"{middle}\" {name}{turned}>{up}</text>"));
    }

    /// The names of the curves above the axes, and on the right what they have in common.
    fn legend(&self, svg: &mut String, frame: Frame) {
        let setting = fit(self.setting, LABEL, SETTING);
        let mut baseline = 10 + LINE - 6;
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
            let (dash, line) = (dashed(series.stroke, dashes), baseline - 4);
            let (start, end) = (frame.left, frame.left + SAMPLE);
            let sample = if series.stroke == Stroke::Points {
                circle(&i64::midpoint(start, end).to_string(), &line.to_string(), colour)
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

fn add(svg: &mut String, line: &str) {
    svg.push_str(line);
    svg.push('\n');
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

fn circle(x: &str, y: &str, colour: &str) -> String {
    format!(
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.6\" fill=\"#fff\" stroke=\"{colour}\" stroke-width=\"1.2\"/>"
    )
}

/// A curve and its marks.
fn ink(series: &Series, x: &Laid, y: &Laid, (colour, dashes): (&str, &str)) -> String {
    let at = |point: &Point| place(&point.x, &point.y, x, y);
    let mut ink = format!("<g><title>{}</title>", xml(&series.name));
    if series.stroke != Stroke::Points {
        let (shape, dash) =
            (path(series.points.iter().map(at).collect()), dashed(series.stroke, dashes));
        write!(
            ink,
            "\n<path d=\"{shape}\" clip-path=\"url(#inside)\" fill=\"none\" stroke=\"{colour}\" \
             stroke-width=\"1.6\" stroke-linejoin=\"round\"{dash}/>"
        )
        .expect("writing to a string");
    }
    // With a logarithmic axis there is no place for 0.
    let shown = |point: &&Point| {
        (point.marked || series.stroke == Stroke::Points) && x.shows(&point.x) && y.shows(&point.y)
    };
    let marked: Vec<&Point> = series.points.iter().filter(shown).collect();
    if marked.len() <= MARKED || series.stroke == Stroke::Points {
        for point in marked {
            let (x, y) = at(point);
            write!(ink, "\n{}", circle(&x, &y, colour)).expect("writing to a string");
        }
    }
    ink + "</g>"
}

fn dashed(stroke: Stroke, dashes: &str) -> String {
    let dashes = match stroke {
        Stroke::Solid | Stroke::Points => "",
        Stroke::Dashed if dashes.is_empty() => "6 4",
        Stroke::Told | Stroke::Dashed => dashes,
    };
    if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") }
}

//! The axes of drawings with values against a parameter: frame, ticks, lines, names.

mod scale;

pub(crate) use scale::power_of_ten;
pub(super) use scale::{Scale, decades, log10, pixels, signed, step, ticks};

use super::tree::FONTS;
use super::tree::measure::width;
use super::tree::names::xml;

/// The width of a picture, the height of the axes, and the margins around them, in pixels.
pub(crate) const WIDTH: i64 = 560;
pub(super) const TALL: i64 = 300;
const LEFT: i64 = 72;
const RIGHT: i64 = 18;
pub(super) const BOTTOM: i64 = 54;

/// The height of a line of the legend, and the length of its samples.
pub(super) const LINE: i64 = 19;
pub(super) const SAMPLE: i64 = 32;

/// Font sizes of the names of axes and of everything else.
const NAME: i64 = 17;
pub(super) const LABEL: i64 = 13;

/// Colours that differ for the colour-blind too (Okabe and Ito), and dashes for paper without any.
pub(super) const STYLES: [(&str, &str); 8] = [
    ("#0072b2", ""),
    ("#d55e00", "7 3"),
    ("#009e73", "2 3"),
    ("#cc79a7", "9 3 2 3"),
    ("#000000", "4 2"),
    ("#e69f00", "12 3"),
    ("#56b4e9", "5 2 1 2"),
    ("#7f7f7f", "1 2"),
];

/// The first two of these colours, for what is dummy or chosen and what is informative.
pub(super) const BLUE: &str = STYLES[0].0;
pub(super) const ORANGE: &str = STYLES[1].0;

/// A place on an axis, in hundredths of a pixel, with its label.
pub(super) type Tick = (i64, String);

/// Where the axes are, in pixels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub left: i64,
    pub top: i64,
    pub right: i64,
    pub bottom: i64,
}

impl Frame {
    /// The frame below a legend of so many lines, beside labels of that width.
    pub fn new(lines: i64, widest: i64) -> Self {
        let top = Self::top(lines);
        Self { left: LEFT.max(widest + 44), top, right: WIDTH - RIGHT, bottom: top + TALL }
    }

    /// Where the axes begin below a legend of so many lines.
    pub fn top(lines: i64) -> i64 {
        10 + LINE * lines + 6
    }

    /// The baseline of a line of the legend, from 0.
    pub fn baseline(line: i64) -> i64 {
        10 + LINE * (line + 1) - 6
    }
}

/// The axes with their ticks, lines and names, and the region `inside` that curves are clipped to.
pub(super) fn axes(
    svg: &mut String,
    frame: Frame,
    (columns, across): (&[Tick], &str),
    (rows, upwards): (&[Tick], &str),
) {
    let Frame { left, top, right, bottom } = frame;
    let (wide, high) = (right - left, bottom - top);
    let area = format!("x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\"");
    add(svg, &format!("<clipPath id=\"inside\"><rect {area}/></clipPath>"));
    add(svg, "<g stroke=\"#ddd\" stroke-width=\"0.8\">");
    for (y, _) in rows {
        let y = pixels(*y);
        add(svg, &format!("<line x1=\"{left}\" y1=\"{y}\" x2=\"{right}\" y2=\"{y}\"/>"));
    }
    for (x, _) in columns {
        let x = pixels(*x);
        add(svg, &format!("<line x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\"/>"));
    }
    add(svg, "</g>");
    add(svg, "<g stroke=\"#000\" stroke-width=\"1\" fill=\"none\">");
    add(svg, &format!("<rect {area}/>"));
    for (y, _) in rows {
        let y = pixels(*y);
        add(svg, &format!("<line x1=\"{}\" y1=\"{y}\" x2=\"{left}\" y2=\"{y}\"/>", left - 5));
    }
    for (x, _) in columns {
        let x = pixels(*x);
        add(svg, &format!("<line x1=\"{x}\" y1=\"{bottom}\" x2=\"{x}\" y2=\"{}\"/>", bottom + 5));
    }
    add(svg, "</g>");
    add(svg, &format!("<g font-family=\"{FONTS}\" font-size=\"{LABEL}\" fill=\"#000\">"));
    for (y, label) in rows {
        let (x, y) = (left - 9, pixels(y + 450));
        add(svg, &format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{label}</text>"));
    }
    for (x, label) in columns {
        let (x, y) = (pixels(*x), bottom + 20);
        add(svg, &format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{label}</text>"));
    }
    let name = format!("font-size=\"{NAME}\" font-style=\"italic\" text-anchor=\"middle\"");
    let (middle, low, half) = (left + wide / 2, bottom + 44, top + high / 2 + 5);
    add(svg, &format!("<text x=\"{middle}\" y=\"{low}\" {name}>{across}</text>"));
    // A long name stands along its axis.
    let turned = if width(upwards, NAME) > 2 * NAME {
        format!(" transform=\"rotate(-90 16 {half})\"")
    } else {
        String::new()
    };
    add(svg, &format!("<text x=\"16\" y=\"{half}\" {name}{turned}>{upwards}</text>"));
    add(svg, "</g>");
}

/// The beginning of a picture of that width and height, up to and with its white ground; both
/// texts are XML.
pub(super) fn head(title: &str, description: &str, (width, height): (i64, i64)) -> String {
    let mut svg = String::new();
    add(
        &mut svg,
        &format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">"
        ),
    );
    add(&mut svg, &format!("<title>{title}</title>"));
    add(&mut svg, &format!("<desc>{description}</desc>"));
    add(&mut svg, &format!("<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"));
    svg
}

/// The attribute for dashes, or nothing.
pub(super) fn dashed(dashes: &str) -> String {
    if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") }
}

pub(super) fn add(svg: &mut String, line: &str) {
    svg.push_str(line);
    svg.push('\n');
}

/// Words at a place: `anchor` is `start`, `middle` or `end`.
pub(super) fn text(svg: &mut String, (x, y): (i64, i64), anchor: &str, fill: &str, words: &str) {
    let words = xml(words);
    let place = format!("x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\"");
    add(svg, &format!("<text {place} fill=\"{fill}\">{words}</text>"));
}

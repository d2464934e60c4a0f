//! Values of the game against δ, ε or the number of rounds: as text, CSV and a drawing. Nothing here
//! takes part in a verdict.

use std::fmt::Write as _;

use crate::error::{Error, Result};
use crate::exact::{Rational, decimal, rational};

use super::profile::scale::{Scale, pixels, step, ticks};

/// What stands on the horizontal axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// δ; the value is linear between two rows.
    Delta,
    /// ε.
    Epsilon,
    /// The number of rounds T.
    Rounds,
}

impl Axis {
    /// The name of the column.
    fn name(self) -> &'static str {
        match self {
            Self::Delta => "delta",
            Self::Epsilon => "epsilon",
            Self::Rounds => "rounds",
        }
    }

    /// The name of the axis.
    fn letter(self) -> &'static str {
        match self {
            Self::Delta => "δ",
            Self::Epsilon => "ε",
            Self::Rounds => "T",
        }
    }
}

/// The value at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The parameter, as text.
    pub label: String,
    /// The parameter, for drawing.
    pub place: Rational,
    /// A lower bound on the value.
    pub lower: Rational,
    /// An upper bound; the same number when the value is known.
    pub upper: Rational,
}

impl Row {
    fn shown(&self) -> [String; 2] {
        if self.lower == self.upper {
            return [rational::show(&self.lower), decimal(&self.lower, 9)];
        }
        let both =
            |f: &dyn Fn(&Rational) -> String| format!("{} to {}", f(&self.lower), f(&self.upper));
        ["between".to_owned(), both(&|value| decimal(value, 9))]
    }
}

/// A table for reading.
pub fn human(axis: Axis, rows: &[Row]) -> String {
    let mut cells = vec![[axis.letter().to_owned(), "V".to_owned(), "decimal".to_owned()]];
    for row in rows {
        let [exact, decimal] = row.shown();
        cells.push([row.label.clone(), exact, decimal]);
    }
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max();
    let (first, second) = (width(0).unwrap_or(0), width(1).unwrap_or(0));
    let mut text = String::new();
    for [label, exact, decimal] in &cells {
        let _ = writeln!(text, "{label:<first$}  {exact:<second$}  {decimal}");
    }
    text
}

/// The table as CSV: the parameter, both bounds, and a decimal of the lower one.
pub fn csv(axis: Axis, rows: &[Row]) -> String {
    let mut text = format!("{},lower,upper,decimal\n", axis.name());
    for row in rows {
        let (lower, upper) = (rational::show(&row.lower), rational::show(&row.upper));
        let _ = writeln!(text, "{},{lower},{upper},{}", row.label, decimal(&row.lower, 12));
    }
    text
}

/// The picture, and where the axes are, in hundredths of a pixel.
const WIDTH: i64 = 52_000;
const HEIGHT: i64 = 33_000;
const LEFT: i64 = 7_200;
const RIGHT: i64 = 50_000;
const TOP: i64 = 1_800;
const BOTTOM: i64 = 27_600;

/// At most so many steps on an axis.
const STEPS: u32 = 6;

/// Draws the table as SVG, with a line through the rows.
///
/// # Errors
/// When there are fewer than two rows.
pub fn draw(axis: Axis, rows: &[Row], description: &str) -> Result<String> {
    let ([first, .., last], Some(most)) = (rows, rows.iter().map(|row| &row.upper).max()) else {
        return Err(Error::argument("there is nothing to draw: the table has fewer than two rows"));
    };
    let zero = Rational::default();
    let from = if axis == Axis::Rounds { first.place.clone() } else { zero.clone() };
    let (across, up) = (step(&last.place, STEPS), step(most, STEPS));
    let top = (most / &up).ceil() * &up;
    let x = Scale::new(from.clone(), last.place.clone(), (LEFT, RIGHT));
    let y = Scale::new(zero, top.clone(), (BOTTOM, TOP));
    let mut svg = String::new();
    let size = [WIDTH, HEIGHT].map(pixels);
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} \
         {1}\" role=\"img\">",
        size[0], size[1]
    );
    let _ = writeln!(svg, "<title>Mistakes of the best private learner</title>");
    let _ = writeln!(svg, "<desc>{}</desc>", super::tree::names::xml(description));
    let _ = writeln!(svg, "<rect width=\"{}\" height=\"{}\" fill=\"#fff\"/>", size[0], size[1]);
    let line = |svg: &mut String, a: (i64, i64), b: (i64, i64), style: &str| {
        let [x1, y1, x2, y2] = [a.0, a.1, b.0, b.1].map(pixels);
        let _ = writeln!(svg, "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {style}/>");
    };
    let text = |svg: &mut String, (x, y): (i64, i64), style: &str, text: &str| {
        let _ =
            writeln!(svg, "<text x=\"{}\" y=\"{}\" {style}>{text}</text>", pixels(x), pixels(y));
    };
    svg.push_str("<g font-family=\"serif\" font-size=\"13\" fill=\"#000\">\n");
    for (value, label) in ticks(&up, &top) {
        let place = y.place(&value);
        line(&mut svg, (LEFT, place), (RIGHT, place), "stroke=\"#ddd\" stroke-width=\"0.8\"");
        text(&mut svg, (LEFT - 800, place + 400), "text-anchor=\"end\"", &label);
    }
    for (value, label) in ticks(&across, &last.place).into_iter().filter(|tick| tick.0 >= from) {
        text(&mut svg, (x.place(&value), BOTTOM + 1_800), "text-anchor=\"middle\"", &label);
    }
    let name = "font-size=\"17\" font-style=\"italic\" text-anchor=\"middle\"";
    text(&mut svg, (LEFT.midpoint(RIGHT), BOTTOM + 4_400), name, axis.letter());
    text(&mut svg, (2_000, TOP.midpoint(BOTTOM)), name, "V");
    svg.push_str("</g>\n");
    let black = "stroke=\"#000\"";
    line(&mut svg, (LEFT, BOTTOM), (RIGHT, BOTTOM), black);
    line(&mut svg, (LEFT, BOTTOM), (LEFT, TOP), black);
    let place = |row: &Row| [pixels(x.place(&row.place)), pixels(y.place(&row.upper))];
    let points: Vec<String> = rows.iter().map(|row| place(row).join(",")).collect();
    let dash = if axis == Axis::Delta { "" } else { " stroke-dasharray=\"2 3\"" };
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#0072b2\" stroke-width=\"1.6\"{dash}/>",
        points.join(" ")
    );
    for row in rows {
        let [x, y] = place(row);
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"#0072b2\"><title>{} = {}: V = \
             {}</title></circle>",
            axis.letter(),
            row.label,
            row.shown().join(" ")
        );
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;

    fn rows() -> Vec<Row> {
        let row = |label: &str, value: &str| {
            let value = parse_rational(value).unwrap();
            Row {
                label: label.to_owned(),
                place: parse_rational(label).unwrap(),
                lower: value.clone(),
                upper: value,
            }
        };
        vec![row("0", "7/6"), row("1/4", "7/8"), row("1", "1/2")]
    }

    #[test]
    fn tables_align_and_csv_has_both_bounds() {
        let human = human(Axis::Delta, &rows());
        assert_eq!(
            human,
            "δ    V    decimal\n0    7/6  1.166666666…\n1/4  7/8  0.875\n1    1/2  0.5\n"
        );
        let csv = csv(Axis::Delta, &rows());
        assert_eq!(csv.lines().nth(2), Some("1/4,7/8,7/8,0.875"));
    }

    #[test]
    fn drawings_are_xml_with_a_mark_for_each_row() {
        let svg = draw(Axis::Delta, &rows(), "a < b").unwrap();
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("a &lt; b") && svg.ends_with("</svg>\n"));
        assert!(draw(Axis::Delta, &rows()[..1], "").is_err());
    }
}

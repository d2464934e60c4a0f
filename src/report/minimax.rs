//! Values of the game against δ, ε or the number of rounds: as text, CSV and a drawing. Nothing here
//! takes part in a verdict.

use std::fmt::Write as _;

use crate::error::{Error, Result};
use crate::exact::{Rational, decimal, rational};

use super::plot::{self, Plot, Point, Series, Stroke};

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

/// At most so many steps on an axis.
const STEPS: u32 = 6;

/// Draws the table as SVG: corners joined by lines, or points.
///
/// # Errors
/// When there are fewer than two rows.
pub fn draw(axis: Axis, rows: &[Row], game: &str, setting: &str) -> Result<String> {
    let ([first, .., last], Some(most)) = (rows, rows.iter().map(|row| &row.upper).max()) else {
        return Err(Error::argument("there is nothing to draw: the table has fewer than two rows"));
    };
    let from = if axis == Axis::Rounds { first.place.clone() } else { Rational::default() };
    let linear = axis == Axis::Delta;
    let point = |row: &Row| Point { x: row.place.clone(), y: row.upper.clone(), marked: linear };
    Plot {
        title: "Mistakes of the best private learner on the worst stream",
        description: &format!("The value V over {} for {game}, {setting}.", axis.letter()),
        setting,
        x: plot::Axis::between(axis.letter(), &from, &last.place, STEPS, false),
        y: plot::Axis::linear("V", most, STEPS, true),
        series: vec![Series {
            name: game.to_owned(),
            points: rows.iter().map(point).collect(),
            stroke: if linear { Stroke::Solid } else { Stroke::Points },
        }],
        shade: Vec::new(),
    }
    .draw()
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
        let svg = draw(Axis::Delta, &rows(), "a < b", "T = 3").unwrap();
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("a &lt; b") && svg.ends_with("</svg>\n"));
        assert!(draw(Axis::Delta, &rows()[..1], "", "").is_err());
    }
}

//! Values of the game against δ, ε or the number of rounds: as text, CSV and a drawing. Nothing here
//! takes part in a verdict.

use std::fmt::Write as _;

use crate::error::{Error, Result};
use crate::exact::{Rational, decimal, rational};
use crate::text::Lines;

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

    /// The other parameter of a grid.
    fn other(self) -> Self {
        match self {
            Self::Rounds => Self::Epsilon,
            Self::Delta | Self::Epsilon => Self::Rounds,
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
    /// The other parameter of a grid, as text.
    pub series: Option<String>,
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

/// Whether the rows are those of a grid.
fn is_grid(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.series.is_some())
}

/// A table for reading.
pub fn human(axis: Axis, rows: &[Row]) -> Lines {
    let head = ["V", "decimal"].map(ToOwned::to_owned);
    let grid = is_grid(rows).then(|| axis.other().letter().to_owned());
    let head = grid.into_iter().chain([axis.letter().to_owned()]).chain(head).collect();
    let mut cells: Vec<Vec<String>> = vec![head];
    for row in rows {
        let series = row.series.clone().into_iter();
        cells.push(series.chain([row.label.clone()]).chain(row.shown()).collect());
    }
    let columns = cells[0].len();
    let length = |row: &Vec<String>, k: usize| row[k].chars().count();
    let widths: Vec<usize> =
        (0..columns).map(|k| cells.iter().map(|row| length(row, k)).max().unwrap_or(0)).collect();
    let mut text = Lines::new();
    for row in &cells {
        let padded = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        let line = padded.collect::<Vec<_>>().join("  ");
        writeln!(text, "{}", line.trim_end());
    }
    text
}

/// The table as CSV: the parameter (of a grid, both), both bounds, and a decimal of the lower one.
pub fn csv(axis: Axis, rows: &[Row]) -> String {
    let grid = if is_grid(rows) { format!("{},", axis.other().name()) } else { String::new() };
    let mut text = format!("{grid}{},lower,upper,decimal\n", axis.name());
    for row in rows {
        let (lower, upper) = (rational::show(&row.lower), rational::show(&row.upper));
        let series = row.series.as_ref().map_or_else(String::new, |series| format!("{series},"));
        let _ = writeln!(text, "{series}{},{lower},{upper},{}", row.label, decimal(&row.lower, 12));
    }
    text
}

/// At most so many steps on an axis.
const STEPS: u32 = 6;

/// Draws the table as SVG: corners joined by lines, or points; of a grid, a series for each value of
/// the other parameter.
///
/// # Errors
/// When there are fewer than two rows.
pub fn draw(axis: Axis, rows: &[Row], game: &str, setting: &str) -> Result<String> {
    let ([first, .., last], Some(most)) = (rows, rows.iter().map(|row| &row.upper).max()) else {
        return Err(Error::argument("there is nothing to draw: the table has fewer than two rows"));
    };
    let from = if axis == Axis::Rounds { first.place.clone() } else { Rational::default() };
    let name = |series: &Option<String>| match series {
        None => game.to_owned(),
        Some(series) => format!("{} = {series}", axis.other().letter()),
    };
    let linear = axis == Axis::Delta;
    let point = |row: &Row| Point { x: row.place.clone(), y: row.upper.clone(), marked: linear };
    Plot {
        title: "Mistakes of the best private learner on the worst stream",
        description: &format!("The value V over {} for {game}, {setting}.", axis.letter()),
        setting,
        x: plot::Axis::between(axis.letter(), &from, &last.place, STEPS, false),
        y: plot::Axis::linear("V", most, STEPS, true),
        series: rows
            .chunk_by(|a, b| a.series == b.series)
            .map(|rows| Series {
                name: name(&rows[0].series),
                points: rows.iter().map(point).collect(),
                stroke: if linear { Stroke::Solid } else { Stroke::Points },
            })
            .collect(),
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
                series: None,
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
    fn grids_have_a_column_more() {
        let named = |row: Row, series: &str| Row { series: Some(series.to_owned()), ..row };
        let [first, second, _] = <[Row; 3]>::try_from(rows()).unwrap();
        let grid = [named(first, "ln(2)"), named(second, "ln(3)")];
        let text = human(Axis::Rounds, &grid);
        assert!(text.starts_with("ε      T    V    decimal\nln(2)  0    7/6  1.1"), "{text}");
        assert!(
            csv(Axis::Rounds, &grid).starts_with("epsilon,rounds,lower,upper,decimal\nln(2),0,")
        );
        let svg = draw(Axis::Rounds, &grid, "a game", "δ = 0").unwrap();
        assert!(svg.contains("ε = ln(2)") && svg.contains("ε = ln(3)"));
    }

    #[test]
    fn drawings_are_xml_with_a_mark_for_each_row() {
        let svg = draw(Axis::Delta, &rows(), "a < b", "T = 3").unwrap();
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("a &lt; b") && svg.ends_with("</svg>\n"));
        assert!(draw(Axis::Delta, &rows()[..1], "", "").is_err());
    }
}

//! How large D must be for Algorithm 4: the worst δ against D, as text, CSV, JSON and a drawing.

mod json;
mod plot;

use std::fmt::Write as _;

use crate::exact::{Epsilon, Number};
use crate::text::Lines;

pub use json::json;
pub use plot::draw;

/// Digits after the point of decimals beside exact numbers.
const DIGITS: u32 = 12;

/// What was asked.
#[derive(Debug)]
pub struct Asked {
    /// ε.
    pub epsilon: Epsilon,
    /// The number of rounds.
    pub rounds: usize,
    /// The δ that a D is wanted for.
    pub delta: Option<Number>,
}

/// The worst δ for one D.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// D.
    pub d: usize,
    /// The worst δ at ε over all streams of triples.
    pub delta: Number,
}

/// The least D in the table whose worst δ is at most the wanted one.
pub fn smallest(asked: &Asked, rows: &[Row]) -> Option<usize> {
    let wanted = asked.delta.as_ref()?;
    rows.iter().find(|row| row.delta <= *wanted).map(|row| row.d)
}

/// A table for reading.
pub fn human(asked: &Asked, rows: &[Row]) -> Lines {
    let mut text = Lines::new();
    text.push("mechanism: combine (Algorithm 4), all streams of triples");
    text.push("notion: joint (ε,δ)-differential privacy, Definition 4");
    writeln!(text, "rounds: {}", asked.rounds);
    writeln!(text, "ε: {}", asked.epsilon);
    if let Some(delta) = &asked.delta {
        writeln!(text, "δ: {delta}");
    }
    let width = rows.iter().map(|row| row.d.to_string().len()).max().unwrap_or(1).max(1);
    let decimals: Vec<String> = rows.iter().map(|row| row.delta.decimal(6)).collect();
    let wide = decimals.iter().map(|d| d.chars().count()).max().unwrap_or(0);
    writeln!(text, "{:>width$}  {:<wide$}  worst δ", "D", "decimal");
    for (row, decimal) in rows.iter().zip(&decimals) {
        writeln!(text, "{:>width$}  {decimal:<wide$}  {}", row.d, row.delta);
    }
    if let (Some(_), Some((first, last))) = (&asked.delta, rows.first().zip(rows.last())) {
        let found = smallest(asked, rows)
            .map_or_else(|| format!("none from {} to {}", first.d, last.d), |d| d.to_string());
        writeln!(text, "smallest D that is private: {found}");
    }
    text
}

/// The table as CSV.
pub fn csv(rows: &[Row]) -> String {
    let mut text = String::from("D,worst_delta,decimal\n");
    for row in rows {
        // Exact numbers have neither commas nor quotation marks.
        let _ = writeln!(text, "{},{},{}", row.d, row.delta, row.delta.decimal(DIGITS));
    }
    text
}

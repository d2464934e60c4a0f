//! How large D must be for Algorithm 4: the worst δ against D, as a drawing.

mod plot;

use crate::exact::{Epsilon, Number};

pub use plot::draw;

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

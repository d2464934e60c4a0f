//! Reports of `verify`: what was asked, the worst δ, and what attains or refutes it.

mod every;
mod human;
mod json;
mod words;

pub use every::{EveryFound, human as every_human, json as every_json};
pub use human::human;
pub(in crate::report) use human::{neighbours, notion};
pub(crate) use json::enclosure;
pub use json::{counterexample, json};

use crate::class::Header;
use crate::exact::{Epsilon, Number};
use crate::limits::Stopped;
use crate::mechanism::Automaton;
use crate::privacy::{Event, Judgement, Neighbour, Notion, Verdict, Worst};

/// Which pairs of streams were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adjacency {
    /// Streams that differ in one record.
    Replacement,
    /// One stream has a record more than the other.
    AddRemove,
    /// Adjacent vectors of answers, in both directions; the number of pairs.
    Adjacent(usize),
    /// The pairs of a file, in both directions; their number.
    Listed(usize),
}

impl Adjacency {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Replacement => "replacement",
            Self::AddRemove => "add-remove",
            Self::Adjacent(_) => "adjacent",
            Self::Listed(_) => "listed",
        }
    }
}

/// Which streams were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All streams over the records.
    All,
    /// Pairs of streams each of which some hypothesis fits.
    Realisable,
}

impl Scope {
    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Realisable => "realisable",
        }
    }
}

/// What was asked.
#[derive(Debug)]
pub struct Asked<'a> {
    /// The mechanism as written.
    pub mechanism: &'a str,
    /// The class as written.
    pub class: Option<&'a str>,
    /// What was said about the first line of the file of the class.
    pub header: Option<Header>,
    /// The compiled mechanism.
    pub automaton: &'a Automaton,
    /// What was compared.
    pub notion: Notion,
    /// Which streams are neighbours.
    pub adjacency: Adjacency,
    /// Which streams count.
    pub scope: Scope,
    /// ε.
    pub epsilon: &'a Epsilon,
    /// δ, when a verdict was asked for.
    pub delta: Option<&'a Number>,
    /// The least and greatest length; equal lengths unless a table was asked for.
    pub rounds: (usize, usize),
    /// Whether a table over the lengths was asked for.
    pub table: bool,
    /// Whether only the verdict was asked for, and no worst δ was computed.
    pub decide_only: bool,
    /// Whether every length was asked about; `rounds` are then those decided directly.
    pub every_length: bool,
}

/// A pair of streams and what shows its divergence.
#[derive(Debug, Clone)]
pub struct Witness {
    /// The pair.
    pub pair: Neighbour,
    /// The event with its probabilities.
    pub event: Event,
    /// Whether the words of the event are listed; they are not when there may be too many.
    pub listed: bool,
}

/// The answer for one length.
#[derive(Debug, Clone)]
pub struct Row {
    /// The length.
    pub rounds: usize,
    /// The worst δ.
    pub worst: Worst,
    /// The verdict, when δ was given.
    pub judgement: Option<Judgement>,
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Found {
    /// One row for each length; none when only the verdict was asked for.
    pub rows: Vec<Row>,
    /// The pair that attains the worst δ over all rows.
    pub attained_by: Option<Witness>,
    /// The verdict over all lengths, when δ was given.
    pub verdict: Option<Verdict>,
    /// When refuted, the shortest streams that show it.
    pub counterexample: Option<Witness>,
    /// The limit that was hit.
    pub stopped: Option<Stopped>,
}

/// The worst δ over all rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overall {
    /// Known, and a pair of the shortest length that attains it.
    Exact(Number, Option<Neighbour>),
    /// Between the two bounds.
    Between(Number, Number),
}

impl Found {
    /// The worst δ over all rows; `None` without rows.
    pub fn overall(&self) -> Option<Overall> {
        let mut rows = self.rows.iter().map(|row| match &row.worst {
            Worst::Exact { delta, attained_by } => {
                Overall::Exact(delta.clone(), attained_by.clone())
            }
            Worst::Between { lower, upper, .. } => Overall::Between(lower.clone(), upper.clone()),
        });
        let first = rows.next()?;
        Some(rows.fold(first, |best, row| match (best, row) {
            (Overall::Exact(a, by), Overall::Exact(b, other)) => {
                if b > a {
                    Overall::Exact(b, other)
                } else {
                    Overall::Exact(a, by)
                }
            }
            (best, row) => {
                let ((a, b), (c, d)) = (bounds(best), bounds(row));
                Overall::Between(a.max(c), b.max(d))
            }
        }))
    }
}

fn bounds(overall: Overall) -> (Number, Number) {
    match overall {
        Overall::Exact(delta, _) => (delta.clone(), delta),
        Overall::Between(lower, upper) => (lower, upper),
    }
}

/// Digits after the point of a decimal for the human eye.
const DIGITS: u32 = 12;

/// `p/q = decimal`, or the number alone where it is short itself.
pub(in crate::report) fn with_decimal(value: &Number) -> String {
    let integer = value.as_rational().is_some_and(num_rational::BigRational::is_integer);
    if integer { value.to_string() } else { format!("{value} = {}", value.decimal(DIGITS)) }
}

/// The inequality of Definitions 2 and 4 with its numbers, such as `3/8 > 3/2 · 1/8 + 1/10 =
/// 23/80`, whichever way it goes.
pub fn inequality(
    first: &Number,
    second: &Number,
    epsilon: &Epsilon,
    delta: &Number,
) -> (bool, String) {
    let right = &(&epsilon.factor() * second) + delta;
    let exceeds = *first > right;
    let sign = if exceeds { ">" } else { "≤" };
    let right = match right.as_rational() {
        Some(_) => right.to_string(),
        None => right.decimal(DIGITS),
    };
    let left = match first.as_rational() {
        Some(_) => first.to_string(),
        None => format!("{first} = {}", first.decimal(DIGITS)),
    };
    let factor = epsilon.shown_factor();
    let text = format!("{left} {sign} {factor} · {} + {delta} = {right}", bracketed(second));
    (exceeds, text)
}

/// A sum of terms needs brackets as a factor.
fn bracketed(value: &Number) -> String {
    if value.as_rational().is_some() { value.to_string() } else { format!("({value})") }
}

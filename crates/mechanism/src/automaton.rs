//! The compiled form of a mechanism, which is all that the searches see.

use std::collections::BTreeSet;

use super::{Interface, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;
use littlestone_exact::functions;

/// A finite law over indices: `(index, weight)`, positive weights that sum to 1.
pub type Weighted = Vec<(usize, Number)>;

/// One thing that may happen when a mechanism responds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The released symbol, an index into [`Automaton::outputs`].
    pub output: usize,
    /// The next state.
    pub next: usize,
    /// The probability.
    pub weight: Number,
}

/// What one state does. A row that no stream reaches is absent (`None`, or an empty list).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    /// For each *before* symbol, the law of (output, next state). Empty when the state is never
    /// asked to respond.
    pub respond: Vec<Vec<Response>>,
    /// For each *after* symbol, the law of the next state. Empty when the state is never asked to
    /// observe.
    pub observe: Vec<Weighted>,
    /// For one-shot mechanisms, the law of the output at the end of the stream. Empty when no
    /// stream of the compiled lengths ends here.
    pub finish: Weighted,
}

/// A finite mechanism as a table: states are numbered in the order of a breadth-first search, and
/// every (state, input) pair was evaluated once.
///
/// All states live in one numbering, whether they are met before a response or before an
/// observation: the state of a learner that does not remember what it released is both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Automaton {
    pub(super) interface: Interface,
    pub(super) rounds: Option<usize>,
    pub(super) outputs: Vec<Output>,
    pub(super) states: Vec<String>,
    pub(super) start: Weighted,
    pub(super) rows: Vec<Row>,
}

impl Automaton {
    /// The kind of the mechanism and the names of its symbols.
    pub fn interface(&self) -> &Interface {
        &self.interface
    }

    /// The greatest length of stream that the table covers; `None` when it covers all.
    pub fn rounds(&self) -> Option<usize> {
        self.rounds
    }

    /// Checks that the table covers streams of that length.
    ///
    /// # Errors
    /// When it does not.
    pub fn covers(&self, rounds: usize) -> Result<()> {
        covered(self.rounds, rounds)
    }

    /// Checks that the table covers streams of every length.
    ///
    /// # Errors
    /// When it has a bound on them.
    pub fn covers_every_length(&self) -> Result<()> {
        every_length_covered(self.rounds)
    }

    /// Checks that there is an output after every stream of `records` records.
    ///
    /// # Errors
    /// When a one-shot mechanism was compiled for other numbers of records.
    pub fn ends_after(&self, records: usize) -> Result<()> {
        let mut level: BTreeSet<usize> = self.start.iter().map(|&(state, _)| state).collect();
        for _ in 0..records {
            let observed =
                level.iter().flat_map(|&state| self.rows[state].observe.iter().flatten());
            level = observed.map(|&(to, _)| to).collect();
        }
        if level.iter().any(|&state| self.rows[state].finish.is_empty()) {
            return Err(Error::argument(format!(
                "the automaton has no output after {records} records (it was compiled for other \
                 numbers of them)"
            )));
        }
        Ok(())
    }

    /// The names of the outputs. The declared alphabet in its order; for learners, the hypotheses
    /// that can be released in the order in which they were met.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// How the states are shown; distinct.
    pub fn states(&self) -> &[String] {
        &self.states
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is no state; never true of a compiled mechanism.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The law of the state before the first round.
    pub fn start(&self) -> &[(usize, Number)] {
        &self.start
    }

    /// What each state does.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The law of (output, next state) of `state` given the *before* symbol.
    ///
    /// # Panics
    /// When no stream that the table covers leads to this question.
    pub fn respond(&self, state: usize, before: usize) -> &[Response] {
        &self.rows[state].respond[before]
    }

    /// The law of the next state of `state` given the *after* symbol.
    ///
    /// # Panics
    /// When no stream that the table covers leads to this question.
    pub fn observe(&self, state: usize, after: usize) -> &[(usize, Number)] {
        &self.rows[state].observe[after]
    }

    /// The law of the output of a one-shot mechanism whose records led to `state`; empty when no
    /// stream of the compiled lengths ends there.
    pub fn finish(&self, state: usize) -> &[(usize, Number)] {
        &self.rows[state].finish
    }

    /// Number of entries of all laws together.
    pub fn transitions(&self) -> usize {
        let row = |row: &Row| -> usize {
            row.respond.iter().map(Vec::len).sum::<usize>()
                + row.observe.iter().map(Vec::len).sum::<usize>()
                + row.finish.len()
        };
        self.start.len() + self.rows.iter().map(row).sum::<usize>()
    }

    /// All weights, of all laws.
    pub fn weights(&self) -> impl Iterator<Item = &Number> {
        self.start.iter().map(|(_, weight)| weight).chain(self.rows.iter().flat_map(|row| {
            let respond = row.respond.iter().flatten().map(|response| &response.weight);
            let observe = row.observe.iter().flatten().map(|(_, weight)| weight);
            respond.chain(observe).chain(row.finish.iter().map(|(_, weight)| weight))
        }))
    }

    /// Checks that the powers of e in the weights and in `others`, such as e^ε, can be computed
    /// with together.
    ///
    /// # Errors
    /// When they have no common unit; computing with them could then panic.
    pub fn fits<'a>(&'a self, others: impl IntoIterator<Item = &'a Number>) -> Result<()> {
        if functions::all_fit(self.weights().chain(others)) {
            return Ok(());
        }
        let help = "use an ε and weights whose exponents have a common denominator";
        let message = "the powers of e in the weights and in e^ε have no common unit";
        Err(Error::argument_with_help(message, help))
    }

    /// Checks that the powers of e in the weights can be computed with together.
    pub(super) fn check_exponents(&self) -> Result<()> {
        if functions::all_fit(self.weights()) {
            return Ok(());
        }
        let help = "use exponents with a common denominator";
        Err(Error::argument_with_help("the powers of e in the weights have no common unit", help))
    }

    fn absent(&self, state: usize, question: &str) -> Error {
        let name = self.states.get(state).map_or("?", String::as_str);
        Error::argument(format!("the automaton has no {question} for the state `{name}`"))
    }
}

/// Checks that `rounds` are no more than a mechanism covers.
pub(super) fn covered(limit: Option<usize>, rounds: usize) -> Result<()> {
    match limit {
        Some(limit) if rounds > limit => Err(beyond(limit, &format!("of {rounds}"))),
        _ => Ok(()),
    }
}

/// Checks that a mechanism that covers `limit` rounds covers all numbers of them.
///
/// # Errors
/// When there is a limit.
pub fn every_length_covered(limit: Option<usize>) -> Result<()> {
    limit.map_or(Ok(()), |limit| Err(beyond(limit, "of every length")))
}

fn beyond(limit: usize, asked: &str) -> Error {
    let rounds = if limit == 1 { "1 round".into() } else { format!("{limit} rounds") };
    Error::argument_with_help(
        format!("the table covers streams of at most {rounds}, not {asked}"),
        "its key `rounds` says so; without the key it covers streams of every length",
    )
}

/// An automaton is itself a mechanism, whose states are numbers.
impl Mechanism for Automaton {
    type State = usize;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<usize>> {
        Law::new("start", self.start.iter().cloned())
    }

    fn respond(&self, &state: &usize, before: usize) -> Result<Law<(Output, usize)>> {
        let row = self.rows.get(state).and_then(|row| row.respond.get(before));
        let row = row.ok_or_else(|| self.absent(state, "response"))?;
        Law::new(
            format_args!("respond of state {state}"),
            row.iter().map(|r| ((self.outputs[r.output].clone(), r.next), r.weight.clone())),
        )
    }

    fn observe(&self, &state: &usize, after: usize) -> Result<Law<usize>> {
        let row = self.rows.get(state).and_then(|row| row.observe.get(after));
        let row = row.ok_or_else(|| self.absent(state, "observation"))?;
        Law::new(format_args!("observe of state {state}"), row.iter().cloned())
    }

    fn finish(&self, &state: &usize) -> Result<Law<Output>> {
        let row = self.rows.get(state).map(|row| &row.finish).filter(|row| !row.is_empty());
        let row = row.ok_or_else(|| self.absent(state, "output at the end of a stream"))?;
        Law::new(
            format_args!("finish of state {state}"),
            row.iter().map(|(output, weight)| (self.outputs[*output].clone(), weight.clone())),
        )
    }

    fn rounds(&self) -> Option<usize> {
        self.rounds
    }

    fn describe(&self, &state: &usize) -> String {
        self.states[state].clone()
    }
}

//! Privacy at every number of rounds at once.
//!
//! The bound of [`super::step`] decides it where it does not exceed δ. Where it does, small numbers
//! of rounds are decided directly: one that refutes is a witness. What is left is undecided.

use crate::error::Result;
use crate::exact::Number;
use crate::limits::{Limits, Progress, Stopped};
use crate::mechanism::{Automaton, Kind};

use super::judge::Verdict;
use super::limit::check_streams;
use super::step::{StepBound, step_bound};
use super::streams::Streams;
use super::verdict::{Decision, MAX_ROUNDS, Neighbour, Question, decide};

/// The greatest number of rounds that is decided directly unless another one is asked for.
pub const DIRECT_ROUNDS: usize = 6;

/// What was found out about all numbers of rounds T ≥ 1.
#[derive(Debug, Clone)]
pub struct Every {
    /// Whether the mechanism is (ε,δ)-private at every T.
    pub verdict: Verdict,
    /// The bound from one step, unless a limit was hit first.
    pub step: Option<StepBound>,
    /// When refuted, the lexicographically least pair of the least T that refutes.
    pub counterexample: Option<Neighbour>,
    /// The greatest T up to which all were decided directly; 0 if none was.
    pub decided: usize,
    /// The limit that was hit.
    pub stopped: Option<Stopped>,
}

/// Decides whether the mechanism is (ε,δ)-private at every number of rounds; for one-shot
/// mechanisms, at every number of records. Where the step bound exceeds δ, T = 1, …, `rounds` are
/// decided directly.
///
/// The automaton must cover streams of every length; [`Automaton::by_role`] and then
/// [`Automaton::minimised`] make the bound better.
///
/// # Errors
/// As [`decide`]; and when the automaton covers only streams of some length, or `rounds` is 0.
pub fn every_length(
    automaton: &Automaton,
    streams: &Streams,
    question: &Question,
    delta: &Number,
    rounds: usize,
    limits: &Limits,
    progress: &Progress,
) -> Result<Every> {
    // No automaton with a bound on its rounds covers this many and all others.
    if automaton.rounds().is_some() {
        automaton.covers(MAX_ROUNDS + 1)?;
    }
    super::verdict::check_rounds(rounds)?;
    let mut every = Every {
        verdict: Verdict::Undecided,
        step: None,
        counterexample: None,
        decided: 0,
        stopped: None,
    };
    match step_bound(automaton, streams, question, limits, progress)? {
        Ok(step) => {
            let enough = step.bound <= *delta;
            every.step = Some(step);
            if enough {
                every.verdict = Verdict::Holds;
                return Ok(every);
            }
        }
        Err(stopped) => {
            every.stopped = Some(stopped);
            return Ok(every);
        }
    }
    let records = automaton.interface().records();
    let last = (1..=rounds).take_while(|&rounds| check_streams(records, rounds).is_ok()).last();
    let last = last.unwrap_or(0);
    // A one-shot mechanism with more records is another question; otherwise one search will do.
    let one_shot = automaton.interface().kind() == Kind::OneShot;
    let first = if one_shot { 1 } else { last.max(1) };
    for length in first..=last {
        match decide(automaton, streams, question, length, delta, limits, progress)? {
            Decision::Holds => every.decided = length,
            Decision::Refuted(pair) => {
                every.verdict = Verdict::Refuted;
                every.decided = pair.first.len().max(pair.second.len());
                every.counterexample = Some(pair);
                break;
            }
            Decision::Undecided { rounds, stopped } => {
                every.decided = rounds - 1;
                every.stopped = Some(stopped);
                break;
            }
        }
    }
    Ok(every)
}

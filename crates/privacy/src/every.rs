//! Privacy at every number of rounds at once.
//!
//! Two bounds hold at every number of rounds: that of [`super::step`], and for one-shot mechanisms that
//! of [`super::ends`]. Where both exceed δ, small numbers of rounds are decided directly: one that
//! refutes is a witness. What is left is undecided. A mechanism with infinitely many states has no
//! such bound, but a small number of rounds may refute it all the same.

use std::cell::Cell;
use std::time::Instant;

use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;
use littlestone_exact::limits::{Limits, Progress, Stopped};
use littlestone_mechanism::{Automaton, Kind, Options};

use super::ends::{EndBound, end_bound};
use super::judge::Verdict;
use super::limit::check_streams;
use super::question::{MAX_ROUNDS, Neighbour, Neighbours, Question, check_rounds};
use super::step::{StepBound, step_bound};
use super::streams::Streams;
use super::verdict::{Decision, Lengths, Worst, decide_lengths, worst_delta};

/// The greatest number of rounds that is decided directly where no limit is set.
pub const DIRECT_ROUNDS: usize = 6;

/// So many states are looked for before small numbers of rounds are tried: a mechanism that has more
/// may have infinitely many.
const FIRST_STATES: usize = 1000;

/// So many states of the search are then spent on small numbers of rounds, unless a limit is set.
const FIRST_SEARCH: u64 = 100_000;

/// What was found out about all numbers of rounds T ≥ 1.
#[derive(Debug, Clone)]
pub struct Every {
    /// Whether the mechanism is (ε,δ)-private at every T.
    pub verdict: Verdict,
    /// The bound from one step, unless there are too many states or a limit was hit first.
    pub step: Option<StepBound>,
    /// For one-shot mechanisms, the bound on the output.
    pub ends: Option<EndBound>,
    /// When refuted, the lexicographically least pair of the least T that refutes.
    pub counterexample: Option<Neighbour>,
    /// When refuted, the worst δ at that T.
    pub worst: Option<Worst>,
    /// The greatest T up to which all were decided directly; 0 if none was.
    pub decided: usize,
    /// The limit that was hit.
    pub stopped: Option<Stopped>,
}

impl Every {
    fn undecided() -> Self {
        Self {
            verdict: Verdict::Undecided,
            step: None,
            ends: None,
            counterexample: None,
            worst: None,
            decided: 0,
            stopped: None,
        }
    }
}

/// The automaton whose states are compared: equal ones are merged, and so are those that only
/// records tell apart which never stand in these streams.
///
/// # Errors
/// When a row of the automaton is missing, or a limit is hit.
pub fn prepared(automaton: &Automaton, streams: &Streams, limits: &Limits) -> Result<Automaton> {
    let records = automaton.interface().records();
    let parted = if (0..records).all(|record| streams.ever(record)) {
        automaton.by_role()
    } else {
        automaton.on_records(&|record| streams.ever(record))?
    };
    Ok(parted.minimised_within(&mut limits.meter())?)
}

/// Decides whether a mechanism is (ε,δ)-private at every number of rounds, when `compile` gives its
/// automaton: the closed one if that has not too many states, see [`every_length`], or else those of
/// T = 1, 2, … rounds. The automaton comes with the answer: the [`prepared`] one, or that of the last
/// T.
///
/// # Errors
/// As [`every_length`], and as `compile`. Too many states are a limit and no error.
pub fn every_length_of(
    compile: &dyn Fn(&Options) -> Result<Automaton>,
    streams: &Streams,
    question: &Question,
    delta: &Number,
    limits: &Limits,
    progress: &Progress,
) -> Result<(Automaton, Every)> {
    let most = limits.states_or(Options::STATES).max(FIRST_STATES);
    let limited = limits.states.is_some() || limits.deadline.is_some();
    // The limit that ended the last attempt at a closed automaton.
    let ended = Cell::new(Stopped::States);
    let closed = |states: usize, limits: &Limits| {
        let compiled = compile(&Options::closed(states).within(limits));
        match compiled.and_then(|automaton| prepared(&automaton, streams, limits)) {
            Ok(automaton) => Ok(Some(automaton)),
            Err(error @ Error::Limit { stopped: Stopped::Cancelled, .. }) => Err(error),
            Err(Error::Limit { stopped, .. }) => {
                ended.set(stopped);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    };
    let decided = |automaton: Automaton| {
        let rounds = DIRECT_ROUNDS;
        let every = every_length(&automaton, streams, question, delta, rounds, limits, progress)?;
        Ok((automaton, every))
    };
    let lengths = |last, limits: &Limits| {
        at_lengths(compile, streams, question, last, delta, limits, progress)
    };
    // Small numbers of rounds have a share of the time as well.
    let now = Instant::now();
    let half = |end: Instant| now + end.saturating_duration_since(now) / 2;
    let early = Limits { deadline: limits.deadline.map(half), ..limits.clone() };
    if let Some(automaton) = closed(FIRST_STATES, &early)? {
        return decided(automaton);
    }
    let spent = progress.states() + FIRST_SEARCH;
    let first = if limited { None } else { Some(spent) };
    let first = Limits { states: limits.states.or(first), ..limits.clone() };
    let last = if limited { MAX_ROUNDS } else { DIRECT_ROUNDS };
    let mut found = lengths(last, &first)?;
    let done = |every: &Every| every.verdict == Verdict::Refuted || every.stopped.is_some();
    if done(&found.1) && (limited || found.1.verdict == Verdict::Refuted) {
        return Ok(found);
    }
    if let Some(automaton) = closed(most, limits)? {
        return decided(automaton);
    }
    if done(&found.1) {
        found = lengths(last, limits)?;
    }
    if found.1.verdict == Verdict::Undecided {
        found.1.stopped = found.1.stopped.or(Some(ended.get()));
    }
    Ok(found)
}

/// Decides T = 1, …, `last` in turn, each with an automaton of its own.
fn at_lengths(
    compile: &dyn Fn(&Options) -> Result<Automaton>,
    streams: &Streams,
    question: &Question,
    last: usize,
    delta: &Number,
    limits: &Limits,
    progress: &Progress,
) -> Result<(Automaton, Every)> {
    let states = limits.states_or(Options::STATES).max(FIRST_STATES);
    let shorter = usize::from(question.neighbours == Neighbours::AddRemove);
    let build = |rounds: usize| {
        compile(&Options {
            states,
            rounds: Some(rounds),
            sizes: Some(rounds - shorter..=rounds),
            limits: limits.clone(),
        })
    };
    let mut automaton = build(1)?;
    let mut every = Every::undecided();
    for rounds in 1..=last {
        if check_streams(streams.records(), rounds).is_err() {
            break;
        }
        if rounds > 1 {
            automaton = match build(rounds) {
                Ok(automaton) => automaton,
                Err(Error::Limit { stopped, .. }) => {
                    every.stopped = Some(stopped);
                    break;
                }
                Err(error) => return Err(error),
            };
        }
        directly(
            &mut every,
            &automaton,
            streams,
            question,
            rounds..=rounds,
            delta,
            limits,
            progress,
        )?;
        if every.verdict == Verdict::Refuted || every.stopped.is_some() {
            break;
        }
    }
    Ok((automaton, every))
}

/// Decides whether the mechanism is (ε,δ)-private at every number of rounds; for one-shot
/// mechanisms, at every number of records. Where the bounds exceed δ, T = 1, …, `rounds` are decided
/// directly.
///
/// The automaton must cover streams of every length; [`prepared`] makes the bound better.
///
/// # Errors
/// As [`decide`](super::decide); and when the automaton covers only streams of some length, or `rounds`
/// is 0.
pub fn every_length(
    automaton: &Automaton,
    streams: &Streams,
    question: &Question,
    delta: &Number,
    rounds: usize,
    limits: &Limits,
    progress: &Progress,
) -> Result<Every> {
    check_rounds(rounds)?;
    let mut every = bounds(automaton, streams, question, limits, progress)?;
    if every.step.as_ref().is_some_and(|step| step.bound <= *delta)
        || every.ends.as_ref().is_some_and(|ends| ends.bound <= *delta)
    {
        every.verdict = Verdict::Holds;
        every.stopped = None;
    }
    if every.verdict == Verdict::Holds || every.stopped.is_some() {
        return Ok(every);
    }
    let records = automaton.interface().records();
    let last = (1..=rounds).take_while(|&rounds| check_streams(records, rounds).is_ok());
    let last = last.last().unwrap_or(0);
    directly(&mut every, automaton, streams, question, 1..=last, delta, limits, progress)?;
    Ok(every)
}

/// The bounds that hold at every number of rounds, and no verdict.
///
/// # Errors
/// As [`every_length`].
pub fn bounds(
    automaton: &Automaton,
    streams: &Streams,
    question: &Question,
    limits: &Limits,
    progress: &Progress,
) -> Result<Every> {
    automaton.covers_every_length()?;
    let mut every = Every::undecided();
    match step_bound(automaton, streams, question, limits, progress)? {
        Ok(step) => every.step = Some(step),
        Err(stopped) => {
            every.stopped = Some(stopped);
            return Ok(every);
        }
    }
    match end_bound(automaton, question, limits, progress)? {
        None => {}
        Some(Ok(ends)) => every.ends = Some(ends),
        Some(Err(stopped)) => every.stopped = Some(stopped),
    }
    Ok(every)
}

/// Decides the given lengths, all shorter ones having been decided. A one-shot mechanism with more
/// records is another question; otherwise one search will do.
#[expect(clippy::too_many_arguments, reason = "a question, and what was found about it")]
fn directly(
    every: &mut Every,
    automaton: &Automaton,
    streams: &Streams,
    question: &Question,
    lengths: std::ops::RangeInclusive<usize>,
    delta: &Number,
    limits: &Limits,
    progress: &Progress,
) -> Result<()> {
    if lengths.is_empty() {
        return Ok(());
    }
    let one_shot = automaton.interface().kind() == Kind::OneShot;
    let last = *lengths.end();
    let spans: Vec<_> =
        if one_shot { lengths.map(|length| length..=length).collect() } else { vec![lengths] };
    for span in spans {
        let end = *span.end();
        match decide_lengths(automaton, streams, question, span, delta, limits, progress)? {
            Decision::Holds => every.decided = end,
            Decision::Refuted(pair) => {
                let rounds = pair.first.len().max(pair.second.len());
                every.verdict = Verdict::Refuted;
                every.decided = rounds;
                every.counterexample = Some(pair);
                let lengths = Lengths { last: rounds, from: last + 1, above: None };
                let worst = worst_delta(automaton, streams, question, &lengths, limits, progress)?;
                every.worst = worst.into_iter().next_back();
                break;
            }
            Decision::Undecided { rounds, stopped } => {
                every.decided = rounds - 1;
                every.stopped = Some(stopped);
                break;
            }
        }
    }
    Ok(())
}

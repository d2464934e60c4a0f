//! From a mechanism to its automaton: a breadth-first closure over reachable states.

use std::ops::RangeInclusive;

use rustc_hash::{FxHashMap, FxHashSet};

use super::automaton::{Automaton, Response, Row, covered};
use super::boxed::Interner;
use super::{Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Position, Result};
use littlestone_exact::Number;
use littlestone_exact::limits::{Limits, Stopped};

/// How far to compile.
#[derive(Debug, Clone)]
pub struct Options {
    /// Greatest number of states.
    pub states: usize,
    /// Compile what streams of at most this many rounds can reach; `None` is everything reachable,
    /// which must then be finite.
    pub rounds: Option<usize>,
    /// For one-shot mechanisms, the numbers of records after which the output is asked for;
    /// `None` stands for `rounds..=rounds`, or for every number without a bound on the rounds.
    pub sizes: Option<RangeInclusive<usize>>,
    /// When to give up otherwise. The states of the automaton are bounded by `states` alone.
    pub limits: Limits,
}

impl Options {
    /// The limit on states where the user sets none.
    pub const STATES: usize = 1_000_000;

    /// Everything reachable, with at most `states` states.
    pub fn closed(states: usize) -> Self {
        Self { states, rounds: None, sizes: None, limits: Limits::default() }
    }

    /// What streams of exactly `rounds` rounds can reach, with at most `states` states.
    pub fn rounds(rounds: usize, states: usize) -> Self {
        Self { states, rounds: Some(rounds), sizes: None, limits: Limits::default() }
    }

    /// The same within these limits, whose states are those of a later search.
    #[must_use]
    pub fn within(self, limits: &Limits) -> Self {
        Self { limits: limits.clone(), ..self }
    }
}

/// Compiles a mechanism to an automaton.
///
/// States are numbered in the order of a breadth-first search: start states first, then, state by
/// state, the successors for each symbol in order. The result is a function of the mechanism and
/// of `options.rounds` alone.
///
/// A mechanism that covers streams of so many rounds alone is compiled for those where `options`
/// has no bound on them.
///
/// # Errors
/// When there are more states than allowed, when an output is outside the alphabet, when the
/// mechanism covers fewer rounds than are asked for, or when its own description is at fault.
pub fn compile<M: Mechanism>(mechanism: &M, options: &Options) -> Result<Automaton> {
    let options = &bounded(options, mechanism)?;
    let mut compiler = Compiler::new(mechanism, options);
    let start = mechanism.start()?;
    let start = compiler.number(start, 0, false)?;
    compiler.close()?;
    if mechanism.interface().kind() == Kind::OneShot {
        compiler.finish(&start)?;
    }
    let states = compiler.names();
    let automaton = Automaton {
        interface: mechanism.interface().clone(),
        rounds: options.rounds,
        outputs: compiler.outputs.into_values(),
        states,
        start,
        rows: compiler.rows,
    };
    automaton.check_exponents()?;
    Ok(automaton)
}

/// The options with the bound that the mechanism itself has on the rounds.
fn bounded<M: Mechanism>(options: &Options, mechanism: &M) -> Result<Options> {
    let mut options = options.clone();
    let limit = mechanism.rounds();
    if let Some(rounds) = options.rounds {
        covered(limit, rounds)?;
    } else if let Some(limit) = limit {
        options.rounds = Some(limit);
        options.sizes = options.sizes.or(Some(0..=limit));
    }
    Ok(options)
}

/// A state and what it was met before: a response or an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Question {
    state: usize,
    observes: bool,
}

struct Compiler<'m, M: Mechanism> {
    mechanism: &'m M,
    options: &'m Options,
    one_shot: bool,
    states: Interner<M::State>,
    outputs: Interner<Output>,
    rows: Vec<Row>,
    /// Questions in the order of discovery, with the number of rounds completed before them.
    queue: Vec<(Question, usize)>,
    asked: FxHashSet<Question>,
}

impl<'m, M: Mechanism> Compiler<'m, M> {
    fn new(mechanism: &'m M, options: &'m Options) -> Self {
        let mut outputs = Interner::default();
        for output in mechanism.interface().outputs() {
            outputs.intern(output.clone());
        }
        Self {
            mechanism,
            options,
            one_shot: mechanism.interface().kind() == Kind::OneShot,
            states: Interner::default(),
            outputs,
            rows: Vec::new(),
            queue: Vec::new(),
            asked: FxHashSet::default(),
        }
    }

    /// Numbers the outcomes of a law and queues the question that each leads to.
    fn number(
        &mut self,
        law: Law<M::State>,
        round: usize,
        observes: bool,
    ) -> Result<Vec<(usize, Number)>> {
        law.into_vec()
            .into_iter()
            .map(|(state, weight)| Ok((self.meet(state, round, observes)?, weight)))
            .collect()
    }

    fn meet(&mut self, state: M::State, round: usize, observes: bool) -> Result<usize> {
        let (state, new) = self.states.intern(state);
        if new {
            if state >= self.options.states {
                return Err(self.too_many(round));
            }
            self.rows.push(Row::default());
        }
        let question = Question { state, observes: observes || self.one_shot };
        if self.options.rounds.is_none_or(|limit| round < limit) && self.asked.insert(question) {
            self.queue.push((question, round));
        }
        Ok(state)
    }

    fn close(&mut self) -> Result<()> {
        let mut next = 0;
        while let Some(&(question, round)) = self.queue.get(next) {
            next += 1;
            self.check()?;
            let state = self.states.get(question.state).clone();
            if question.observes {
                self.observe(question.state, &state, round)?;
            } else {
                self.respond(question.state, &state, round)?;
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<()> {
        self.options.limits.check().map_err(|stopped| {
            let states = self.rows.len();
            Error::limit(stopped, format!("{stopped} after {states} states of the automaton"))
        })
    }

    fn respond(&mut self, place: usize, state: &M::State, round: usize) -> Result<()> {
        let mechanism = self.mechanism;
        for before in 0..mechanism.interface().before().len() {
            self.check()?;
            let law = mechanism.respond(state, before)?;
            let mut row = Vec::with_capacity(law.len());
            for ((output, next), weight) in law.into_vec() {
                let output = self.output(output, state)?;
                let next = self.meet(next, round, true)?;
                row.push(Response { output, next, weight });
            }
            self.rows[place].respond.push(row);
        }
        Ok(())
    }

    fn observe(&mut self, place: usize, state: &M::State, round: usize) -> Result<()> {
        let mechanism = self.mechanism;
        for after in 0..mechanism.interface().after().len() {
            self.check()?;
            let law = mechanism.observe(state, after)?;
            let row = self.number(law, round + 1, false)?;
            self.rows[place].observe.push(row);
        }
        Ok(())
    }

    fn output(&mut self, output: Output, state: &M::State) -> Result<usize> {
        let interface: &Interface = self.mechanism.interface();
        if !interface.allows(&output) {
            let place = format!("the state {}", self.mechanism.describe(state));
            let position = Position::whole(place);
            return Err(Error::malformed(position, interface.allowed(), format!("`{output}`")));
        }
        Ok(self.outputs.intern(output).0)
    }

    /// Asks for the output wherever a stream of one of the wanted lengths can end.
    fn finish(&mut self, start: &[(usize, Number)]) -> Result<()> {
        for state in self.ends(start)? {
            self.check()?;
            let value = self.states.get(state).clone();
            let law = self.mechanism.finish(&value)?;
            for (output, weight) in law.into_vec() {
                let output = self.output(output, &value)?;
                self.rows[state].finish.push((output, weight));
            }
        }
        Ok(())
    }

    fn ends(&self, start: &[(usize, Number)]) -> Result<Vec<usize>> {
        let sizes = match (&self.options.sizes, self.options.rounds) {
            (Some(sizes), _) => sizes.clone(),
            (None, Some(rounds)) => rounds..=rounds,
            (None, None) => return Ok((0..self.rows.len()).collect()),
        };
        let mut level: Vec<usize> = start.iter().map(|&(state, _)| state).collect();
        let mut ends = FxHashSet::default();
        for size in 0..=*sizes.end() {
            self.check()?;
            if sizes.contains(&size) {
                ends.extend(level.iter().copied());
            }
            let mut next: Vec<usize> = level
                .iter()
                .flat_map(|&state| self.rows[state].observe.iter().flatten().map(|&(to, _)| to))
                .collect();
            next.sort_unstable();
            next.dedup();
            level = next;
        }
        let mut ends: Vec<usize> = ends.into_iter().collect();
        ends.sort_unstable();
        Ok(ends)
    }

    /// Names for reports; states that are shown alike are told apart by a number.
    fn names(&self) -> Vec<String> {
        let mut seen: FxHashMap<String, usize> = FxHashMap::default();
        (0..self.states.len())
            .map(|state| {
                let name = self.mechanism.describe(self.states.get(state));
                let count = seen.entry(name.clone()).or_default();
                *count += 1;
                if *count == 1 { name } else { format!("{name} #{count}") }
            })
            .collect()
    }

    fn too_many(&self, round: usize) -> Error {
        let limit = self.options.states;
        let help = if self.options.rounds.is_some() {
            "allow more with --limit-states, or look at fewer rounds"
        } else {
            "allow more with --limit-states, or give a number of rounds"
        };
        let message = format!(
            "the mechanism has more than {limit} states (the limit was reached in round {})",
            round.max(1)
        );
        Error::Limit { stopped: Stopped::States, message, help: help.into() }
    }
}

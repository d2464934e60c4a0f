//! Statements for every value of the randomness: reachability on the product of a mechanism and a
//! monitor.
//!
//! A monitor watches one run. A statement holds always if no run of positive probability, on no
//! stream that counts, leads the monitor to where it is false. Probabilities do not matter, only
//! whether they are positive.

mod closed;
pub mod failure;

use std::sync::atomic::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Streams;
use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::{Limits, Progress, Stopped};
use littlestone_mechanism::{Automaton, Kind, Memory, Monitor};

pub use closed::{SITUATIONS, closed};

/// Whether a statement is true of every run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Always {
    /// It is, up to the given number of rounds.
    Holds {
        /// Situations met: mechanism state, memory of the monitor and what the stream may still
        /// be, round by round.
        situations: u64,
        /// A shortest run on which the statement says something, by the monitor's own account;
        /// `None` when there is none.
        witness: Option<Vec<Step>>,
    },
    /// A shortest run on which it is false.
    Violated(Vec<Step>),
    /// A limit was hit; runs of fewer rounds are without violation.
    Undecided {
        /// The length at which the search ended.
        rounds: usize,
        /// The limit.
        stopped: Stopped,
    },
}

/// A round of a run, as indices into the alphabets of the automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The *before* symbol.
    pub before: usize,
    /// The released symbol.
    pub output: usize,
    /// The *after* symbol.
    pub after: usize,
}

/// Where a run has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Situation {
    state: usize,
    memory: usize,
    place: u32,
}

/// A situation with the way to it: the last step and the place of the situation before.
#[derive(Debug, Clone, Copy)]
struct Met {
    situation: Situation,
    from: Option<(usize, Step)>,
}

impl Met {
    /// The steps that lead to the situation at a place.
    fn path(met: &[Self], place: usize) -> Vec<Step> {
        let mut path = Vec::new();
        let mut at = place;
        while let Some((from, step)) = met[at].from {
            path.push(step);
            at = from;
        }
        path.reverse();
        path
    }
}

/// Whether the statement of `monitor` is true after every round of every run of at most `rounds`
/// rounds on the given streams.
///
/// Of the shortest violating runs the one is given that is met first when records, then outputs,
/// then next states are taken in order.
///
/// # Errors
/// When there is no round, the mechanism does not answer in rounds, the streams are over other
/// records, or the monitor fails.
pub fn always(
    automaton: &Automaton,
    monitor: &Monitor,
    streams: &Streams,
    rounds: usize,
    limits: &Limits,
    progress: &Progress,
) -> Result<Always> {
    if rounds == 0 {
        return Err(Error::argument("the number of rounds must be at least 1"));
    }
    if automaton.interface().kind() == Kind::OneShot {
        return Err(Error::argument(
            "monitors watch rounds; a one-shot mechanism answers once, at the end",
        ));
    }
    if streams.records() != automaton.interface().records() {
        return Err(Error::argument(format!(
            "the streams have {} records, the mechanism has {}",
            streams.records(),
            automaton.interface().records()
        )));
    }
    automaton.covers(rounds)?;
    let mut search = Search {
        automaton,
        monitor,
        streams,
        met: Vec::new(),
        memories: Memories::default(),
        steps: FxHashMap::default(),
        witness: None,
    };
    search.run(rounds, limits, progress)
}

struct Search<'a> {
    automaton: &'a Automaton,
    monitor: &'a Monitor,
    streams: &'a Streams,
    met: Vec<Met>,
    memories: Memories,
    /// The memory after each step from each memory, in the present round.
    steps: FxHashMap<(usize, [usize; 3]), usize>,
    /// The first situation in which the statement says something.
    witness: Option<usize>,
}

impl Search<'_> {
    fn run(&mut self, rounds: usize, limits: &Limits, progress: &Progress) -> Result<Always> {
        let memory = self.memories.number(self.monitor.start()?);
        for &(state, _) in self.automaton.start() {
            let situation = Situation { state, memory, place: Streams::START };
            self.met.push(Met { situation, from: None });
        }
        let mut begin = 0;
        for round in 1..=rounds {
            let end = self.met.len();
            self.steps.clear();
            // Memories whose statement was looked at in this round.
            let mut looked = FxHashMap::default();
            let mut fresh = FxHashSet::default();
            for from in begin..end {
                if let Some(stopped) = over(limits, from, progress) {
                    return Ok(Always::Undecided { rounds: round, stopped });
                }
                if let Some(violation) = self.round(from, round, &mut looked, &mut fresh)? {
                    return Ok(Always::Violated(violation));
                }
            }
            begin = end;
        }
        Ok(Always::Holds {
            situations: u64::try_from(self.met.len()).unwrap_or(u64::MAX),
            witness: self.witness.map(|place| self.path(place)),
        })
    }

    /// One more round from a situation.
    fn round(
        &mut self,
        from: usize,
        round: usize,
        looked: &mut FxHashMap<usize, bool>,
        fresh: &mut FxHashSet<Situation>,
    ) -> Result<Option<Vec<Step>>> {
        let Situation { state, memory, place } = self.met[from].situation;
        let (automaton, interface) = (self.automaton, self.automaton.interface());
        for record in 0..interface.records() {
            let narrow = u32::try_from(record).expect("records fit u32");
            let Some(place) = self.streams.step(place, narrow) else { continue };
            let (before, after) = interface.parts(record);
            for response in automaton.respond(state, before) {
                let step = Step { before, output: response.output, after };
                let memory = self.step(memory, round, step)?;
                let ok = if let Some(&ok) = looked.get(&memory) {
                    ok
                } else {
                    let ok = self.monitor.ok(self.memories.get(memory), round)?;
                    looked.insert(memory, ok);
                    ok
                };
                if !ok {
                    let mut path = self.path(from);
                    path.push(step);
                    return Ok(Some(path));
                }
                for &(state, _) in automaton.observe(response.next, after) {
                    let situation = Situation { state, memory, place };
                    if !fresh.insert(situation) {
                        continue;
                    }
                    self.met.push(Met { situation, from: Some((from, step)) });
                    if self.witness.is_none()
                        && self.monitor.witness(self.memories.get(memory), round)?
                    {
                        self.witness = Some(self.met.len() - 1);
                    }
                }
            }
        }
        Ok(None)
    }

    fn step(&mut self, memory: usize, round: usize, step: Step) -> Result<usize> {
        let symbols = [step.before, step.output, step.after];
        if let Some(&next) = self.steps.get(&(memory, symbols)) {
            return Ok(next);
        }
        let next = self.monitor.step(self.memories.get(memory), round, symbols)?;
        let next = self.memories.number(next);
        self.steps.insert((memory, symbols), next);
        Ok(next)
    }

    fn path(&self, place: usize) -> Vec<Step> {
        Met::path(&self.met, place)
    }
}

fn over(limits: &Limits, situations: usize, progress: &Progress) -> Option<Stopped> {
    let situations = u64::try_from(situations).unwrap_or(u64::MAX);
    progress.states.store(situations, Ordering::Relaxed);
    if limits.states.is_some_and(|limit| situations >= limit) {
        return Some(Stopped::States);
    }
    limits.check().err()
}

/// Memories of the monitor, numbered in the order in which they are first met.
#[derive(Default)]
struct Memories {
    values: Vec<Memory>,
    numbers: FxHashMap<Memory, usize>,
}

impl Memories {
    fn number(&mut self, value: Memory) -> usize {
        let fresh = self.values.len();
        *self.numbers.entry(value).or_insert_with_key(|value| {
            self.values.push(value.clone());
            fresh
        })
    }

    fn get(&self, number: usize) -> &Memory {
        &self.values[number]
    }
}

//! How likely it is that a statement about a run is false: the greatest probability over the
//! streams, exactly.
//!
//! A monitor watches the run. Runs on which the statement was false once are taken out and their
//! weight is kept; two streams after which the others have the same law are one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

use rustc_hash::FxHashMap;

use super::{Memories, over};
use crate::Streams;
use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;
use littlestone_exact::limits::{Limits, Progress, Stopped};
use littlestone_mechanism::{Automaton, Kind, Monitor};

/// The streams over which the greatest probability is taken.
#[derive(Debug, Clone, Copy)]
pub enum Over<'a> {
    /// All of these.
    Streams(&'a Streams),
    /// This one, by its records.
    Stream(&'a [usize]),
}

impl Over<'_> {
    fn step(self, round: usize, place: u32, record: usize) -> Option<u32> {
        match self {
            Self::Streams(streams) => {
                streams.step(place, u32::try_from(record).expect("records fit u32"))
            }
            Self::Stream(stream) => (stream[round - 1] == record).then_some(place),
        }
    }
}

/// The greatest probability that the statement is false in some round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The value.
    Exact {
        /// The probability.
        probability: Number,
        /// The first stream that attains it.
        stream: Vec<usize>,
        /// The names of what happened on some run where, by the monitor's own account, the statement
        /// says something; `None` if there is no such run.
        events: Option<BTreeSet<String>>,
        /// Pairs of a set of streams that are not told apart any more and the law after them.
        laws: u64,
    },
    /// A limit was hit; the probability is at least this on streams that were looked at.
    Undecided {
        /// The lower bound.
        lower: Number,
        /// The limit.
        stopped: Stopped,
    },
}

/// The law of (state, memory) on runs on which the statement was true so far.
type Law = Vec<((usize, usize), Number)>;

#[derive(Debug)]
struct Node {
    place: u32,
    law: Law,
    failed: Number,
    stream: Vec<usize>,
}

/// The greatest probability over streams of `rounds` rounds that the statement of `monitor` is false
/// after some round.
///
/// A one-shot mechanism is watched record by record, with no output, and once more when it answers,
/// as round `rounds` + 1 with no record.
///
/// # Errors
/// When there is no round, the streams are over other records or of another length, or the monitor
/// fails.
pub fn failure(
    automaton: &Automaton,
    monitor: &Monitor,
    streams: Over<'_>,
    rounds: usize,
    limits: &Limits,
    progress: &Progress,
) -> Result<Failure> {
    if rounds == 0 {
        return Err(Error::argument("the number of rounds must be at least 1"));
    }
    let records = automaton.interface().records();
    let fits = match streams {
        Over::Streams(streams) => streams.records() == records,
        Over::Stream(stream) => stream.len() == rounds && stream.iter().all(|&r| r < records),
    };
    if !fits {
        let message =
            format!("the streams are not {rounds} of the {records} records of the mechanism");
        return Err(Error::argument(message));
    }
    automaton.covers(rounds)?;
    let memories = Memories::default();
    let mut search = Search {
        automaton,
        monitor,
        streams,
        memories,
        looked: FxHashMap::default(),
        events: None,
    };
    search.run(rounds, limits, progress)
}

/// The *before* symbol, the output and the *after* symbol of a step, where there are any.
type Symbols = [Option<usize>; 3];

struct Search<'a> {
    automaton: &'a Automaton,
    monitor: &'a Monitor,
    streams: Over<'a>,
    memories: Memories,
    /// What comes of each step from each memory in the present round, and whether the statement is
    /// true then.
    looked: FxHashMap<(usize, Symbols), (usize, bool)>,
    events: Option<BTreeSet<String>>,
}

impl Search<'_> {
    fn run(&mut self, rounds: usize, limits: &Limits, progress: &Progress) -> Result<Failure> {
        let memory = self.memories.number(self.monitor.start()?);
        let start = self.automaton.start().iter();
        let law = start.map(|(state, weight)| ((*state, memory), weight.clone())).collect();
        let place = Streams::START;
        let mut layer = vec![Node { place, law, failed: Number::zero(), stream: Vec::new() }];
        let mut laws = 0;
        for round in 1..=rounds {
            self.looked.clear();
            let mut next: Vec<Node> = Vec::new();
            let mut known: FxHashMap<(u32, Law), usize> = FxHashMap::default();
            for node in &layer {
                if let Some(stopped) = over(limits, laws, progress) {
                    let nodes = layer.iter().chain(&next);
                    let lower = nodes.map(|node| node.failed.clone()).max();
                    return Ok(Failure::Undecided {
                        lower: lower.unwrap_or_else(Number::zero),
                        stopped,
                    });
                }
                laws += 1;
                for record in 0..self.automaton.interface().records() {
                    let Some(place) = self.streams.step(round, node.place, record) else {
                        continue;
                    };
                    let (law, failed) = self.round(&node.law, round, record)?;
                    let key = (place, law);
                    if known.contains_key(&key) {
                        continue;
                    }
                    known.insert(key.clone(), next.len());
                    let stream = node.stream.iter().copied().chain([record]).collect();
                    next.push(Node { place, law: key.1, failed: &node.failed + &failed, stream });
                }
            }
            layer = next;
        }
        if self.automaton.interface().kind() == Kind::OneShot {
            self.looked.clear();
            for node in &mut layer {
                let failed = self.finish(&node.law, rounds + 1)?;
                node.failed = &node.failed + &failed;
            }
        }
        progress.states.store(u64::try_from(laws).unwrap_or(u64::MAX), Ordering::Relaxed);
        let mut best: Option<Node> = None;
        for node in layer {
            if best.as_ref().is_none_or(|best| node.failed > best.failed) {
                best = Some(node);
            }
        }
        let Some(best) = best else {
            return Err(Error::argument(format!("there is no stream of {rounds} rounds")));
        };
        let laws = u64::try_from(laws).unwrap_or(u64::MAX);
        Ok(Failure::Exact {
            probability: best.failed,
            stream: best.stream,
            events: self.events.take(),
            laws,
        })
    }

    /// The law after one more round, and the weight of the runs on which the statement is false now.
    fn round(&mut self, law: &Law, round: usize, record: usize) -> Result<(Law, Number)> {
        let automaton = self.automaton;
        let (before, after) = automaton.interface().parts(record);
        let mut next: BTreeMap<(usize, usize), Number> = BTreeMap::new();
        let mut failed = Number::zero();
        let mut observe = |state, memory, weight: &Number| {
            for (state, chance) in automaton.observe(state, after) {
                let sum = next.entry((*state, memory)).or_insert_with(Number::zero);
                *sum = &*sum + &(weight * chance);
            }
        };
        for ((state, memory), weight) in law {
            if automaton.interface().kind() == Kind::OneShot {
                match self.step(*memory, round, [Some(before), None, Some(after)])? {
                    (memory, true) => observe(*state, memory, weight),
                    (_, false) => failed = &failed + weight,
                }
                continue;
            }
            for response in automaton.respond(*state, before) {
                let weight = weight * &response.weight;
                let symbols = [Some(before), Some(response.output), Some(after)];
                match self.step(*memory, round, symbols)? {
                    (memory, true) => observe(response.next, memory, &weight),
                    (_, false) => failed = &failed + &weight,
                }
            }
        }
        Ok((next.into_iter().collect(), failed))
    }

    /// The weight of the runs on which the answer at the end makes the statement false.
    fn finish(&mut self, law: &Law, round: usize) -> Result<Number> {
        let automaton = self.automaton;
        let mut failed = Number::zero();
        for ((state, memory), weight) in law {
            for (output, chance) in automaton.finish(*state) {
                if !self.step(*memory, round, [Some(0), Some(*output), None])?.1 {
                    failed = &failed + &(weight * chance);
                }
            }
        }
        Ok(failed)
    }

    fn step(&mut self, memory: usize, round: usize, symbols: Symbols) -> Result<(usize, bool)> {
        if let Some(&known) = self.looked.get(&(memory, symbols)) {
            return Ok(known);
        }
        let next = self.monitor.step_of(self.memories.get(memory), round, symbols)?;
        let ok = self.monitor.ok(&next, round)?;
        if let Some(events) = self.monitor.events(&next, round)? {
            self.events.get_or_insert_default().extend(events);
        }
        let found = (self.memories.number(next), ok);
        self.looked.insert((memory, symbols), found);
        Ok(found)
    }
}

//! Statements for every value of the randomness and every number of rounds.
//!
//! Situations are told apart by the state, the memory of the monitor and what the stream may still
//! be, and not by the round: a situation that was met once has the same future whenever it is met.
//! So the search ends when no new one is found. The mechanism is asked directly, step by step: a
//! table of all its laws would take far more room than its states.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Always, Memories, Met, Situation, Step, over};
use crate::Streams;
use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::{Limits, Progress, Stopped};
use littlestone_mechanism::{Boxed, Kind, Mechanism as _, Monitor, every_length_covered};

/// The greatest number of situations where the user sets none: some mechanisms count for ever.
pub const SITUATIONS: u64 = 4_000_000;

/// Whether the statement of `monitor` is true after every round of every run on the given streams,
/// of whatever length. The monitor is not told the round.
///
/// Of the shortest violating runs the one is given that is met first when records, then outputs,
/// then next states are taken in order. Without a limit on states, [`SITUATIONS`] is one.
///
/// # Errors
/// When the mechanism is a learner or answers once, the streams are over other records, or the
/// mechanism or the monitor fails.
pub fn closed(
    mechanism: &Boxed,
    monitor: &Monitor,
    streams: &Streams,
    limits: &Limits,
    progress: &Progress,
) -> Result<Always> {
    let interface = mechanism.interface();
    if matches!(interface.kind(), Kind::Learner | Kind::OneShot) {
        return Err(Error::argument(format!(
            "every number of rounds at once is looked at for predictors and transducers, not for a {}",
            interface.kind()
        )));
    }
    if streams.records() != interface.records() {
        return Err(Error::argument(format!(
            "the streams have {} records, the mechanism has {}",
            streams.records(),
            interface.records()
        )));
    }
    every_length_covered(mechanism.rounds())?;
    let outputs = interface.outputs().iter().enumerate();
    let mut search = Search {
        mechanism,
        monitor,
        streams,
        outputs: outputs.map(|(place, output)| (output.as_str(), place)).collect(),
        met: Vec::new(),
        known: FxHashSet::default(),
        memories: Memories::default(),
        looked: FxHashMap::default(),
        says: FxHashMap::default(),
        witness: None,
    };
    search.run(limits, progress)
}

struct Search<'a> {
    mechanism: &'a Boxed,
    monitor: &'a Monitor,
    streams: &'a Streams,
    outputs: FxHashMap<&'a str, usize>,
    met: Vec<Met>,
    known: FxHashSet<Situation>,
    memories: Memories,
    /// What comes of each step from each memory, and whether the statement is true then.
    looked: FxHashMap<(usize, [usize; 3]), (usize, bool)>,
    says: FxHashMap<usize, bool>,
    /// The first situation in which the statement says something.
    witness: Option<usize>,
}

impl Search<'_> {
    fn run(&mut self, limits: &Limits, progress: &Progress) -> Result<Always> {
        let limits = Limits { states: limits.states.or(Some(SITUATIONS)), ..limits.clone() };
        let memory = self.memories.number(self.monitor.start()?);
        for (&state, _) in self.mechanism.start()?.iter() {
            self.meet(Situation { state, memory, place: Streams::START }, None)?;
        }
        let mut from = 0;
        while from < self.met.len() {
            if let Some(stopped) = over(&limits, from, progress) {
                return Ok(self.undecided(from, stopped));
            }
            if let Some(violation) = self.round(from)? {
                return Ok(Always::Violated(violation));
            }
            from += 1;
        }
        let witness = self.witness.map(|place| Met::path(&self.met, place));
        Ok(Always::Holds { situations: u64::try_from(from).unwrap_or(u64::MAX), witness })
    }

    /// Situations are looked at in the order of their distance.
    fn undecided(&self, from: usize, stopped: Stopped) -> Always {
        Always::Undecided { rounds: Met::path(&self.met, from).len() + 1, stopped }
    }

    fn meet(&mut self, situation: Situation, from: Option<(usize, Step)>) -> Result<()> {
        if self.known.insert(situation) {
            self.met.push(Met { situation, from });
            if self.witness.is_none() && from.is_some() && self.says(situation.memory)? {
                self.witness = Some(self.met.len() - 1);
            }
        }
        Ok(())
    }

    /// Whether the statement says something with a memory.
    fn says(&mut self, memory: usize) -> Result<bool> {
        if let Some(&says) = self.says.get(&memory) {
            return Ok(says);
        }
        let says = self.monitor.witness(self.memories.get(memory), None)?;
        self.says.insert(memory, says);
        Ok(says)
    }

    /// One more round from a situation.
    fn round(&mut self, from: usize) -> Result<Option<Vec<Step>>> {
        let Situation { state, memory, place } = self.met[from].situation;
        let interface = self.mechanism.interface();
        for before in 0..interface.before().len() {
            let responses = self.mechanism.respond_once(&state, before)?.into_vec();
            for after in 0..interface.after().len() {
                let record = u32::try_from(interface.record(before, after)).expect("they fit u32");
                let Some(place) = self.streams.step(place, record) else { continue };
                for ((output, asked), _) in &responses {
                    let Some(&output) = self.outputs.get(output.as_str()) else {
                        return Err(Error::argument(format!(
                            "the mechanism releases `{output}`, which is none of its outputs"
                        )));
                    };
                    let step = Step { before, output, after };
                    let (memory, ok) = self.step(memory, step)?;
                    if !ok {
                        let mut path = Met::path(&self.met, from);
                        path.push(step);
                        return Ok(Some(path));
                    }
                    for (&state, _) in self.mechanism.observe_once(asked, after)?.iter() {
                        self.meet(Situation { state, memory, place }, Some((from, step)))?;
                    }
                }
            }
        }
        Ok(None)
    }

    fn step(&mut self, memory: usize, step: Step) -> Result<(usize, bool)> {
        let symbols = [step.before, step.output, step.after];
        if let Some(&found) = self.looked.get(&(memory, symbols)) {
            return Ok(found);
        }
        let next = self.monitor.step(self.memories.get(memory), None, symbols)?;
        let ok = self.monitor.ok(&next, None)?;
        let found = (self.memories.number(next), ok);
        self.looked.insert((memory, symbols), found);
        Ok(found)
    }
}

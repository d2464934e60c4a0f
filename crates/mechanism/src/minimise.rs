//! Merges states that no experiment can tell apart.

use rustc_hash::FxHashMap;

use super::automaton::{Automaton, Response, Row, Weighted};
use littlestone_exact::Number;
use littlestone_exact::limits::{Meter, Stopped};

/// What a state does, with successors replaced by their blocks: the weights of equal outcomes are
/// added up and the rows sorted, so that equal laws are equal values.
#[derive(PartialEq, Eq, Hash)]
struct Signature {
    block: usize,
    respond: Vec<Vec<((usize, usize), Number)>>,
    observe: Vec<Weighted>,
    finish: Weighted,
}

impl Row {
    /// One, and the number of its weights.
    fn weights(&self) -> usize {
        let respond: usize = self.respond.iter().map(Vec::len).sum();
        let observe: usize = self.observe.iter().map(Vec::len).sum();
        1 + respond + observe + self.finish.len()
    }
}

impl Automaton {
    /// The automaton with each state that both responds and observes in two copies, one for each
    /// role; the law of the outputs is the same for every stream. A state that does not remember
    /// what it released is both, and as one state it differs from all states that respond
    /// otherwise, even right after the release, when that is past.
    #[must_use]
    pub fn by_role(&self) -> Self {
        let mut parted = self.clone();
        // Where a response leads: to the copy that observes.
        let mut copies: Vec<usize> = (0..self.len()).collect();
        for (state, copy) in copies.iter_mut().enumerate() {
            if self.rows[state].respond.is_empty() || self.rows[state].observe.is_empty() {
                continue;
            }
            *copy = parted.rows.len();
            let observe = std::mem::take(&mut parted.rows[state].observe);
            parted.rows.push(Row { observe, ..Row::default() });
            let mut name = format!("{}, released", self.states[state]);
            while parted.states.contains(&name) {
                name.push('\'');
            }
            parted.states.push(name);
        }
        for response in parted.rows.iter_mut().flat_map(|row| row.respond.iter_mut().flatten()) {
            response.next = copies[response.next];
        }
        parted
    }

    /// The automaton with bisimilar states merged: the coarsest partition in which states of a
    /// block have, for every input, the same law of (output, next block). The law of the outputs
    /// is the same for every stream.
    ///
    /// Each block is shown as its first state. A state that is asked only to respond and one that
    /// is asked only to observe are never merged, nor are states of which one was left unexplored
    /// because of a bound on the rounds.
    #[must_use]
    pub fn minimised(&self) -> Self {
        self.minimised_within(&mut Meter::default()).expect("there is no limit")
    }

    /// [`minimised`](Self::minimised) within the limits of `meter`. No state is counted.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn minimised_within(&self, meter: &mut Meter<'_>) -> Result<Self, Stopped> {
        let mut blocks = vec![0; self.len()];
        let mut count = self.len().min(1);
        loop {
            let mut places: FxHashMap<Signature, usize> = FxHashMap::default();
            let next = (0..self.len())
                .map(|state| {
                    meter.operations(self.rows[state].weights())?;
                    let fresh = places.len();
                    Ok(*places.entry(self.signature(state, &blocks)).or_insert(fresh))
                })
                .collect::<Result<Vec<usize>, Stopped>>()?;
            let refined = places.len();
            blocks = next;
            if refined == count {
                return Ok(self.quotient(&blocks, count));
            }
            count = refined;
        }
    }

    fn signature(&self, state: usize, blocks: &[usize]) -> Signature {
        let row = &self.rows[state];
        let to_block =
            |law: &Weighted| collect(law.iter().map(|(next, weight)| (blocks[*next], weight)));
        Signature {
            block: blocks[state],
            respond: row
                .respond
                .iter()
                .map(|law| collect(law.iter().map(|r| ((r.output, blocks[r.next]), &r.weight))))
                .collect(),
            observe: row.observe.iter().map(to_block).collect(),
            finish: collect(row.finish.iter().map(|(output, weight)| (*output, weight))),
        }
    }

    /// The automaton on blocks, which are numbered by their first states.
    fn quotient(&self, blocks: &[usize], count: usize) -> Self {
        let mut first: Vec<Option<usize>> = vec![None; count];
        for (state, &block) in blocks.iter().enumerate() {
            first[block].get_or_insert(state);
        }
        let first: Vec<usize> = first.into_iter().flatten().collect();
        let merged =
            |law: &Weighted| collect(law.iter().map(|(next, weight)| (blocks[*next], weight)));
        let rows = first.iter().map(|&state| {
            let row = &self.rows[state];
            let respond = row.respond.iter().map(|law| {
                collect(law.iter().map(|r| ((r.output, blocks[r.next]), &r.weight)))
                    .into_iter()
                    .map(|((output, next), weight)| Response { output, next, weight })
                    .collect()
            });
            Row {
                respond: respond.collect(),
                observe: row.observe.iter().map(merged).collect(),
                finish: row.finish.clone(),
            }
        });
        Self {
            interface: self.interface.clone(),
            rounds: self.rounds,
            outputs: self.outputs.clone(),
            states: first.iter().map(|&state| self.states[state].clone()).collect(),
            start: merged(&self.start),
            rows: rows.collect(),
        }
    }
}

/// Sorts a law by outcome and adds up the weights of equal outcomes.
fn collect<'a, T: Ord>(law: impl Iterator<Item = (T, &'a Number)>) -> Vec<(T, Number)> {
    let mut law: Vec<(T, &Number)> = law.collect();
    law.sort_by(|a, b| a.0.cmp(&b.0));
    let mut merged: Vec<(T, Number)> = Vec::with_capacity(law.len());
    for (outcome, weight) in law {
        match merged.last_mut() {
            Some((last, sum)) if *last == outcome => *sum = &*sum + weight,
            _ => merged.push((outcome, weight.clone())),
        }
    }
    debug_assert!(merged.iter().all(|(_, weight)| !weight.is_zero()));
    merged
}

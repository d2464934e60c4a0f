//! The laws of the state before each round, over all streams: equal laws are one.

use std::collections::HashMap;
use std::hash::Hash;

use rustc_hash::FxBuildHasher;

use littlestone_exact::Arithmetic;
use littlestone_exact::limits::{Meter, Stopped};

use super::model::{Belief, Model};
use super::node;
use super::streams::Streams;

/// A place and a law of the state that some prefix leads to.
pub(super) struct Law<W> {
    pub place: u32,
    pub belief: Belief<W>,
    /// For each record, the law one round later by index; `None` where the record may not stand.
    pub next: Vec<Option<usize>>,
    /// The law before the last round of a prefix that leads here, and that round's record.
    from: Option<(usize, u32)>,
}

/// The laws after prefixes of 0, 1, … rounds.
pub(super) struct Layers<W> {
    laws: Vec<Vec<Law<W>>>,
}

impl<W: Clone + Eq + Hash> Layers<W> {
    pub fn new(start: Belief<W>) -> Self {
        let start = Law { place: Streams::START, belief: start, next: Vec::new(), from: None };
        Self { laws: vec![vec![start]] }
    }

    /// The laws after prefixes of `rounds` rounds, which must have been reached by [`Self::grow`].
    pub fn after(&self, rounds: usize) -> &[Law<W>] {
        &self.laws[rounds]
    }

    /// Computes the laws after prefixes of `rounds` rounds. `count` is called before each law.
    ///
    /// # Errors
    /// What `count` says, or when a limit is hit.
    pub fn grow<A: Arithmetic<Weight = W>>(
        &mut self,
        arithmetic: &A,
        model: &Model<A>,
        streams: &Streams,
        rounds: usize,
        mut count: impl FnMut() -> Result<(), Stopped>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        while self.laws.len() <= rounds {
            let mut met: HashMap<(u32, Belief<W>), usize, FxBuildHasher> = HashMap::default();
            let mut fresh: Vec<Law<W>> = Vec::new();
            let last = self.laws.last().expect("the law before round 1");
            let mut leads = Vec::with_capacity(last.len());
            for (index, law) in last.iter().enumerate() {
                let mut next = Vec::new();
                for record in 0..model.records {
                    let Some(place) = streams.step(law.place, record) else {
                        next.push(None);
                        continue;
                    };
                    let belief = node::advance_law(arithmetic, model, &law.belief, record, meter)?;
                    let key = (place, belief);
                    if let Some(known) = met.get(&key) {
                        next.push(Some(*known));
                        continue;
                    }
                    count()?;
                    next.push(Some(fresh.len()));
                    let belief = key.1.clone();
                    met.insert(key, fresh.len());
                    let from = Some((index, record));
                    fresh.push(Law { place, belief, next: Vec::new(), from });
                }
                leads.push(next);
            }
            let last = self.laws.last_mut().expect("the law before round 1");
            for (law, next) in last.iter_mut().zip(leads) {
                law.next = next;
            }
            self.laws.push(fresh);
        }
        Ok(())
    }

    /// The lexicographically least prefix of `rounds` rounds that leads to a law.
    pub fn prefix(&self, rounds: usize, index: usize) -> Vec<u32> {
        let mut prefix = Vec::with_capacity(rounds);
        let mut at = index;
        for layer in (1..=rounds).rev() {
            let (from, record) = self.laws[layer][at].from.expect("only the first law has none");
            prefix.push(record);
            at = from;
        }
        prefix.reverse();
        prefix
    }

    /// For each layer up to `rounds`, whether a law there leads to one of those marked.
    pub fn leading_to(&self, rounds: usize, marked: Vec<bool>) -> Vec<Vec<bool>> {
        let mut marks = vec![marked];
        for layer in (0..rounds).rev() {
            let after = marks.last().expect("the marks given");
            let leads = |law: &Law<W>| law.next.iter().flatten().any(|next| after[*next]);
            marks.push(self.laws[layer].iter().map(leads).collect());
        }
        marks.reverse();
        marks
    }
}

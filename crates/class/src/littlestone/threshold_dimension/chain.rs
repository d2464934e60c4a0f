//! Chains of traces on a set of items that lose one item at a time.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::Pair;
use super::relation::{Relation, members};

/// The distinct traces of some rows on one set of items. One value serves the whole search, so
/// that its tables are allocated once.
#[derive(Debug)]
pub(super) struct Traces<'r> {
    relation: &'r Relation,
    stride: usize,
    /// The traces, `stride` words each, and a row that shows each.
    words: Vec<u64>,
    witness: Vec<usize>,
    index: HashTable<usize>,
    /// The trace one item larger from which each trace was reached; itself for the whole set.
    above: Vec<Option<usize>>,
}

impl<'r> Traces<'r> {
    pub(super) fn new(relation: &'r Relation) -> Self {
        Self {
            relation,
            stride: relation.stride(),
            words: Vec::new(),
            witness: Vec::new(),
            index: HashTable::new(),
            above: Vec::new(),
        }
    }

    /// Collects the traces of the rows `alive` on `set`.
    pub(super) fn read(&mut self, set: &[u64], alive: &[usize]) {
        let stride = self.stride;
        self.words.clear();
        self.witness.clear();
        self.index.clear();
        for &row in alive {
            let start = self.words.len();
            self.words.extend(self.relation.row(row).iter().zip(set).map(|(r, s)| r & s));
            let (known, new) = self.words.split_at(start);
            let hash = FxBuildHasher.hash_one(new);
            let trace = |t: usize| &known[t * stride..(t + 1) * stride];
            if self.index.find(hash, |&t| trace(t) == new).is_some() {
                self.words.truncate(start);
            } else {
                let t = self.witness.len();
                self.index.insert_unique(hash, t, |&t| FxBuildHasher.hash_one(trace(t)));
                self.witness.push(row);
            }
        }
        self.above.clear();
        self.above.resize(self.witness.len(), None);
    }

    /// A chain from `set` to a single item among the traces: the row that shows each trace and the
    /// item that the next one loses.
    pub(super) fn chain(&mut self, set: &[u64]) -> Option<Vec<Pair>> {
        let end = self.descend(set, true)?;
        let mut pairs = Vec::new();
        let mut smaller: Vec<u64> = vec![0; self.stride];
        let mut t = end;
        loop {
            let trace = self.trace(t);
            let without: Vec<u64> = smaller.iter().map(|w| !w).collect();
            let item = members(trace, &without).next().expect("one item more than below");
            pairs.push((self.witness[t], item));
            smaller = trace.to_vec();
            match self.above[t] {
                Some(up) if up != t => t = up,
                _ => break,
            }
        }
        pairs.reverse();
        Some(pairs)
    }

    /// The rows of `alive` that a chain of a larger set can use: those whose traces belong to a
    /// chain, and those without any item of `set`.
    pub(super) fn useful(&mut self, set: &[u64], alive: &[usize]) -> Vec<usize> {
        self.descend(set, false);
        let size = |t: usize| self.trace(t).iter().map(|w| w.count_ones()).sum::<u32>();
        let mut reached: Vec<usize> =
            (0..self.witness.len()).filter(|&t| self.above[t].is_some()).collect();
        reached.sort_by_key(|&t| size(t));
        let mut whole = vec![false; self.witness.len()];
        for &t in &reached {
            whole[t] = size(t) == 1 || self.smaller(t).any(|below| whole[below]);
        }
        let mut trace = vec![0; self.stride];
        let mut keep = |row: usize| {
            let words = self.relation.row(row).iter().zip(set).map(|(r, s)| r & s);
            trace.iter_mut().zip(words).for_each(|(t, w)| *t = w);
            trace.iter().all(|&w| w == 0) || self.find(&trace).is_some_and(|t| whole[t])
        };
        alive.iter().copied().filter(|&row| keep(row)).collect()
    }

    /// Visits the traces that can be reached from `set` by losing one item at a time, all of them
    /// or until the first of a single item, which is returned.
    fn descend(&mut self, set: &[u64], first: bool) -> Option<usize> {
        let top = self.find(set)?;
        self.above[top] = Some(top);
        let mut stack = vec![top];
        while let Some(t) = stack.pop() {
            if first && self.trace(t).iter().map(|w| w.count_ones()).sum::<u32>() == 1 {
                return Some(t);
            }
            let below: Vec<usize> = self.smaller(t).collect();
            for b in below {
                if self.above[b].is_none() {
                    self.above[b] = Some(t);
                    stack.push(b);
                }
            }
        }
        None
    }

    /// The traces with one item less than trace `t`, down to a single item.
    fn smaller(&self, t: usize) -> impl Iterator<Item = usize> + '_ {
        let trace = self.trace(t);
        let mut less = trace.to_vec();
        members(trace, trace).filter_map(move |item| {
            less[item / 64] ^= 1 << (item % 64);
            let found = self.find(&less).filter(|_| less.iter().any(|&w| w != 0));
            less[item / 64] ^= 1 << (item % 64);
            found
        })
    }

    fn trace(&self, t: usize) -> &[u64] {
        &self.words[t * self.stride..(t + 1) * self.stride]
    }

    fn find(&self, trace: &[u64]) -> Option<usize> {
        let hash = FxBuildHasher.hash_one(trace);
        self.index.find(hash, |&t| self.trace(t) == trace).copied()
    }
}

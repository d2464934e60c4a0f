//! The prefixes that may lead to a pair that is looked for, and what was looked at already.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use littlestone_exact::Arithmetic;
use littlestone_exact::limits::Stopped;
use rustc_hash::FxBuildHasher;

use super::layers::Layers;
use super::node::{self, Node};
use super::search::{Places, Problem, Records, Search};

/// At most so many directions are remembered for recognising equal nodes.
const REMEMBERED: usize = 2_000_000;

/// After so many nodes, remembering goes on only if one in [`WORTHWHILE`] was met again.
const TRIAL: usize = 4096;
const WORTHWHILE: usize = 64;

/// The law that a longer prefix leads to, by index, and its histories, if it is worth a look.
type Extended<W> = Option<(usize, Node<W, 1>)>;

/// The prefixes that may lead to a pair that is looked for: see [`Search::prefixes`].
pub(super) struct Walk<'w, A: Arithmetic> {
    pub layers: &'w Layers<A::Weight>,
    /// For each layer, which laws lead to a wanted one.
    marks: Vec<Vec<bool>>,
    /// For each law before the differing round, the records that are looked at.
    pub wanted: Vec<Vec<Records>>,
    pub left: usize,
    remembered: Remembered<(usize, Places, Node<A::Weight, 1>), ()>,
}

impl<'w, A: Arithmetic> Walk<'w, A> {
    /// The prefixes of `before` rounds that lead to laws with wanted records, if there are any.
    pub fn new(
        layers: &'w Layers<A::Weight>,
        before: usize,
        left: usize,
        wanted: Vec<Vec<Records>>,
    ) -> Option<Self> {
        let marked: Vec<bool> = wanted.iter().map(|records| !records.is_empty()).collect();
        let any = marked.contains(&true);
        any.then(|| {
            let marks = layers.leading_to(before, marked);
            Self { layers, marks, wanted, left, remembered: Remembered::default() }
        })
    }

    /// Whether the differing round is later than the one after `prefix`.
    pub fn goes_on(&self, prefix: &[u32]) -> bool {
        prefix.len() + 1 < self.marks.len()
    }

    /// Appends a record to a prefix that leads to `law`, if the longer one is worth a look: the law
    /// that it leads to, and its histories. An equal node met earlier has the same continuations
    /// after a lesser prefix.
    pub fn extend(
        &mut self,
        search: &mut Search<'_, A>,
        prefix: &mut Vec<u32>,
        law: usize,
        histories: &Node<A::Weight, 1>,
        record: u32,
    ) -> Result<Extended<A::Weight>, Stopped> {
        let Problem { arithmetic, model, ref symmetries, .. } = *search.problem();
        let next = self.layers.after(prefix.len())[law].next[record as usize];
        let Some(next) = next.filter(|next| self.marks[prefix.len() + 1][*next]) else {
            return Ok(None);
        };
        prefix.push(record);
        if !symmetries.has_lesser(prefix) {
            search.count_state()?;
            let meter = &mut search.problem().limits.within_piece();
            let child = node::advance(arithmetic, model, histories, record, meter)?;
            let place = (u32::try_from(next).expect("laws fit u32"), 0);
            let key = (prefix.len(), place, child.clone());
            if self.remembered.is_new(key, (), child.len(), |()| false) {
                return Ok(Some((next, child)));
            }
        }
        prefix.pop();
        Ok(None)
    }
}

/// Nodes that were pursued already.
pub(super) struct Remembered<K, V> {
    nodes: HashMap<K, V, FxBuildHasher>,
    directions: usize,
    met_again: usize,
}

impl<K, V> Default for Remembered<K, V> {
    fn default() -> Self {
        Self { nodes: HashMap::default(), directions: 0, met_again: 0 }
    }
}

impl<K: Eq + Hash, V> Remembered<K, V> {
    /// Whether the node was not met before, or is better than then. What is not remembered is taken
    /// for new. `size` is its number of directions.
    pub fn is_new(
        &mut self,
        key: K,
        value: V,
        size: usize,
        better: impl FnOnce(&V) -> bool,
    ) -> bool {
        let rare = self.nodes.len() >= TRIAL && self.met_again * WORTHWHILE < self.nodes.len();
        if rare || self.directions >= REMEMBERED {
            return true;
        }
        match self.nodes.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(value);
                self.directions += size;
                true
            }
            Entry::Occupied(mut entry) => {
                self.met_again += 1;
                let better = better(entry.get());
                if better {
                    entry.insert(value);
                }
                better
            }
        }
    }
}

//! The table of states of a certificate: facts about compressed subclasses, each shown by facts
//! about smaller ones; see `docs/certificates.md`.
//!
//! The table is a function of what is asked of it: facts are true or not whatever a search has met,
//! and they are asked for in a fixed order. Facts about one matrix are merged into the strongest, so
//! a state is written when nothing can ask for it any more: matrices with more rows come first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::littlestone::by_rows;
use crate::littlestone::certify::Missing;
use littlestone_checker::format::{AtLeast, Below, Entry, Fact, Keeps, NoTree, Reference, Side};
use littlestone_exact::limits::Stopped;

use super::super::delta::sauer;
use super::super::states::Id;
use super::super::tau::Trees;

/// Upper bounds on dimensions up to this are left to the verifier.
const LEFT_TO_THE_VERIFIER: i32 = 3;

/// What a state shows, but for one number. In the order in which states about one matrix refer to
/// each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Kind {
    /// No valid subtree has only leaves of dimension at most this; the number is the depth.
    NoTree(i32),
    /// The dimension of the matrix is kept; the number is that of the queries.
    Keeps,
    /// The number is a lower bound on the dimension.
    AtLeast,
    /// The dimension is less than the number.
    Below,
}

/// A state to be.
#[derive(Debug, Clone, Copy)]
struct Planned {
    id: Id,
    kind: Kind,
    number: i64,
}

/// States that are asked for. References are places in `planned` until all are written.
pub(super) struct Table<'t, 's> {
    pub trees: &'t mut Trees<'s>,
    planned: Vec<Planned>,
    index: FxHashMap<(Id, Kind), usize>,
    waiting: BinaryHeap<(usize, Reverse<Kind>, Reverse<usize>)>,
    bytes: u64,
}

impl<'t, 's> Table<'t, 's> {
    /// An empty table, of at most `limit` bytes.
    pub fn new(trees: &'t mut Trees<'s>, limit: u64) -> Self {
        Self {
            trees,
            planned: Vec::new(),
            index: FxHashMap::default(),
            waiting: BinaryHeap::new(),
            bytes: limit,
        }
    }

    /// Counts what is written against the limit.
    pub fn charge(&mut self, written: &impl serde::Serialize) -> Result<(), Missing> {
        let bytes = serde_json::to_vec(written).map_or(u64::MAX, |text| text.len() as u64 + 6);
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Missing::TooLarge)?;
        Ok(())
    }

    /// Asks for a lower bound on the dimension.
    pub fn at_least(&mut self, id: Id, bound: i32) -> Reference {
        if self.evidently_keeps(id, bound, 0) {
            return None;
        }
        Some(self.plan(id, Kind::AtLeast, bound.into(), i64::max))
    }

    /// Asks for the upper bound `bound − 1` on the dimension.
    pub fn below(&mut self, id: Id, bound: i32) -> Reference {
        let few = self.trees.states.state(id).matrix.rows.checked_shr(bound.unsigned_abs());
        if bound <= LEFT_TO_THE_VERIFIER || few.unwrap_or(0) == 0 {
            return None;
        }
        Some(self.plan(id, Kind::Below, bound.into(), i64::min))
    }

    /// Asks that answers to so many queries keep the dimension, which must be true.
    pub fn keeps(&mut self, id: Id, queries: u32) -> Reference {
        let q = self.trees.states.dimension(id);
        if self.evidently_keeps(id, q, queries.into()) {
            return None;
        }
        if queries == 0 {
            return self.at_least(id, q);
        }
        Some(self.plan(id, Kind::Keeps, queries.into(), i64::max))
    }

    /// Asks that no valid subtree at this depth has only leaves of dimension at most `leaves`, which
    /// must be true.
    pub fn no_tree(&mut self, id: Id, depth: i64, leaves: i32) -> Result<Reference, Stopped> {
        let bounds = self.trees.bounds;
        let top = self.greatest_evident(id);
        let evident = (0..=top).any(|q| {
            let queries = (bounds.cap(q) + 1 - depth).max(0);
            self.forbids_leaf(q, depth, leaves) && self.evidently_keeps(id, q, queries)
        });
        if evident {
            return Ok(None);
        }
        let q = self.trees.states.dimension(id);
        assert!(self.forbids_leaf(q, depth, leaves), "a subtree would exist");
        let queries = u32::try_from((bounds.cap(q) + 1 - depth).max(0)).unwrap_or(u32::MAX - 1);
        if queries == 0 || !self.trees.states.delta_at_most(id, queries)? {
            return Ok(self.keeps(id, queries));
        }
        Ok(Some(self.plan(id, Kind::NoTree(leaves), depth, i64::min)))
    }

    /// Asks that no leaf of dimension at most `leaves` can stand at this depth, which must be true.
    pub fn no_leaf(&mut self, id: Id, depth: i64, leaves: i32) -> Reference {
        let top = self.greatest_evident(id);
        let forbidding = |q: &i32| self.forbids_leaf(*q, depth, leaves);
        if (0..=top).filter(forbidding).any(|q| self.evidently_keeps(id, q, 0)) {
            return None;
        }
        let least = (0..=self.trees.states.dimension(id)).find(forbidding);
        self.at_least(id, least.expect("a leaf could stand there"))
    }

    /// Writes all states that were asked for. The new places of the references.
    pub fn write(mut self) -> Result<(Vec<Fact>, Vec<usize>), Missing> {
        let mut places = Vec::new();
        let mut states = Vec::new();
        while let Some((_, _, Reverse(number))) = self.waiting.pop() {
            let planned = self.planned[number];
            let fact = self.fact(planned).map_err(Missing::Stopped)?;
            self.charge(&fact)?;
            places.resize(self.planned.len(), usize::MAX);
            places[number] = states.len();
            states.push(fact);
        }
        for state in &mut states {
            renumber(state, &places);
        }
        Ok((states, places))
    }

    fn fact(&mut self, Planned { id, kind, number }: Planned) -> Result<Fact, Stopped> {
        let columns = self.columns(id);
        Ok(match kind {
            Kind::NoTree(leaves) => {
                let leaf = self.no_leaf(id, number, leaves);
                let mut sides = Vec::with_capacity(columns.len());
                for column in columns {
                    sides.push(self.side_without_tree(id, column, number + 1, leaves)?);
                }
                let depth = u64::try_from(number).expect("a depth");
                Fact::NoTree(NoTree { depth, leaves, leaf, sides })
            }
            Kind::Keeps => {
                let dimension = self.trees.states.dimension(id);
                let left = u32::try_from(number - 1).expect("fewer queries than columns");
                let mut sides = Vec::with_capacity(columns.len());
                for column in columns {
                    let [zero, one] = self.sides(id, column)?;
                    let side = self.trees.states.dimension(zero) != dimension;
                    let child = self.keeps(if side { one } else { zero }, left);
                    sides.push(Side(u8::from(side), child));
                }
                let queries = u64::from(left) + 1;
                Fact::Keeps(Keeps { dimension, queries, sides })
            }
            Kind::AtLeast => {
                let bound = i32::try_from(number).expect("a dimension");
                for (column, &c) in columns.iter().enumerate() {
                    let sides = self.sides(id, c)?;
                    if sides.iter().all(|&side| self.trees.states.dimension(side) >= bound - 1) {
                        let sides = sides.map(|side| self.at_least(side, bound - 1));
                        return Ok(Fact::AtLeast(AtLeast { bound, column, sides }));
                    }
                }
                unreachable!("the dimension is at least {bound}")
            }
            Kind::Below => {
                let bound = u32::try_from(number).expect("a positive number");
                Fact::Below(Below { bound, entries: self.entries(id, bound, &columns)? })
            }
        })
    }

    /// The side of a column that has no subtree, the larger one if neither has.
    fn side_without_tree(
        &mut self,
        id: Id,
        column: u32,
        depth: i64,
        leaves: i32,
    ) -> Result<Side, Stopped> {
        let sides = self.sides(id, column)?;
        let weight = |id: Id| {
            let state = self.trees.states.state(id);
            (state.dimension, state.matrix.rows)
        };
        let first = u8::from(weight(sides[0]) < weight(sides[1]));
        for side in [first, 1 - first] {
            let child = sides[usize::from(side)];
            if !self.trees.exists(child, depth, leaves)? {
                return Ok(Side(side, self.no_tree(child, depth, leaves)?));
            }
        }
        unreachable!("both sides have a subtree")
    }

    /// For each column with enough rows on both sides, a side of dimension less than `bound − 1`.
    fn entries(&mut self, id: Id, bound: u32, columns: &[u32]) -> Result<Vec<Entry>, Stopped> {
        let mut entries = Vec::new();
        let needed = i32::try_from(bound).expect("a dimension") - 1;
        for (at, &column) in (0u32..).zip(columns) {
            let sides = self.sides(id, column)?;
            let rows = sides.map(|side| self.trees.states.state(side).matrix.rows);
            if rows.iter().any(|rows| rows.checked_shr(bound - 1).unwrap_or(0) == 0) {
                continue;
            }
            let mut side = usize::from(rows[1] < rows[0]);
            if self.trees.states.dimension(sides[side]) >= needed {
                side = 1 - side;
            }
            let child = self.below(sides[side], needed);
            let child = child.map(|child| u32::try_from(child).expect("fewer states than bytes"));
            entries.push(Entry(at, u8::from(side == 1), child));
        }
        Ok(entries)
    }

    fn sides(&mut self, id: Id, column: u32) -> Result<[Id; 2], Stopped> {
        let states = &mut self.trees.states;
        Ok([states.child(id, column, false)?, states.child(id, column, true)?])
    }

    /// The columns of a state in the order of the format.
    fn columns(&self, id: Id) -> Vec<u32> {
        let matrix = &self.trees.states.state(id).matrix;
        let mut columns: Vec<u32> = (0..).take(matrix.columns).collect();
        let at = |c: u32| matrix.column(c as usize);
        columns.sort_unstable_by(|&a, &b| by_rows(at(a), at(b)));
        columns
    }

    fn plan(&mut self, id: Id, kind: Kind, number: i64, stronger: fn(i64, i64) -> i64) -> usize {
        let next = self.planned.len();
        let place = *self.index.entry((id, kind)).or_insert(next);
        if place == next {
            self.planned.push(Planned { id, kind, number });
            let rows = self.trees.states.state(id).matrix.rows;
            self.waiting.push((rows, Reverse(kind), Reverse(place)));
        }
        let known = &mut self.planned[place].number;
        *known = stronger(*known, number);
        place
    }

    /// Whether a leaf of dimension at least q is ruled out at this depth.
    fn forbids_leaf(&self, q: i32, depth: i64, leaves: i32) -> bool {
        q > leaves || depth > self.trees.bounds.leaf_cap(q)
    }

    /// No dimension above this is evident from the number of rows, or allowed by d.
    fn greatest_evident(&self, id: Id) -> i32 {
        let rows = self.trees.states.state(id).matrix.rows;
        let logarithm = i32::try_from(rows.ilog2()).expect("a logarithm fits");
        logarithm.min(self.trees.bounds.ambient)
    }

    /// Whether the verifier sees from the numbers of rows that answers to so many queries can leave a
    /// dimension of at least q.
    fn evidently_keeps(&self, id: Id, q: i32, queries: i64) -> bool {
        let Ok(q) = usize::try_from(q) else { return true };
        if q == 0 {
            return true;
        }
        let state = self.trees.states.state(id);
        let (rows, columns) = (state.matrix.rows, state.matrix.columns);
        let left = usize::try_from(queries).ok().and_then(|k| columns.checked_sub(k));
        let Some(left) = left else { return false };
        // The most balanced columns stand first.
        let removed: usize = state.order[..columns - left]
            .iter()
            .map(|&(_, ones)| (ones as usize).min(rows - ones as usize))
            .sum();
        rows.saturating_sub(removed) > sauer(left, q)
    }
}

/// Puts places in the table for those in the order of asking.
pub(super) fn place(reference: Reference, places: &[usize]) -> Reference {
    reference.map(|number| places[number])
}

fn renumber(fact: &mut Fact, places: &[usize]) {
    let put = |reference: &mut Reference| *reference = place(*reference, places);
    match fact {
        Fact::AtLeast(fact) => fact.sides.iter_mut().for_each(put),
        Fact::Below(fact) => {
            for Entry(_, _, child) in &mut fact.entries {
                let placed = place(child.map(|child| child as usize), places);
                *child = placed.map(|child| u32::try_from(child).expect("fewer states than bytes"));
            }
        }
        Fact::Keeps(fact) => fact.sides.iter_mut().for_each(|Side(_, child)| put(child)),
        Fact::NoTree(fact) => {
            put(&mut fact.leaf);
            fact.sides.iter_mut().for_each(|Side(_, child)| put(child));
        }
    }
}

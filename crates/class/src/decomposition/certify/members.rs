//! The table that shows that no optimal tree avoids an essential hypothesis: the failed search of
//! [`super::super::paths`], written down.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use rustc_hash::FxBuildHasher;

use crate::VersionSpace;
use crate::littlestone::certify::Missing;
use littlestone_checker::format::{Member, MemberNoTree, MemberOnly, MemberQuery, Reference, Side};
use littlestone_exact::limits::Stopped;

use super::super::paths::forbidden;
use super::table::{Table, place};

/// A row whose references to states are still in the order of asking.
pub(super) struct Draft {
    row: Member,
    /// The entries of `points` that refer to rows.
    along: Vec<usize>,
}

impl Draft {
    /// The row, with the places of the states.
    pub fn finish(self, places: &[usize]) -> Member {
        let Self { mut row, along } = self;
        let put = |reference: &mut Reference| *reference = place(*reference, places);
        match &mut row {
            Member::NoTree(row) => put(&mut row.no_tree),
            Member::Only(row) => {
                row.below.iter_mut().for_each(put);
                put(&mut row.no_tree);
            }
            Member::Query(row) => {
                put(&mut row.leaf);
                for (at, Side(_, child)) in row.points.iter_mut().enumerate() {
                    if along.binary_search(&at).is_err() {
                        put(child);
                    }
                }
            }
        }
        row
    }
}

/// The rows for the function `text`, which is essential where ρ = r ≥ 1. A subclass is written when
/// nothing can ask for it at a smaller depth any more: those with more members come first.
pub(super) fn rows(
    table: &mut Table<'_, '_>,
    full: &VersionSpace,
    text: &str,
    r: i32,
) -> Result<Vec<Draft>, Missing> {
    let function = Function { text, labels: text.bytes().map(|b| b == b'1').collect(), r };
    let mut planned = vec![(full.clone(), 0i64)];
    let mut index: HashMap<VersionSpace, usize, FxBuildHasher> = HashMap::default();
    index.insert(full.clone(), 0);
    let mut waiting = BinaryHeap::from([(full.len(), Reverse(0usize))]);
    let (mut drafts, mut places) = (Vec::new(), Vec::new());
    while let Some((_, Reverse(number))) = waiting.pop() {
        let (space, depth) = planned[number].clone();
        let (mut row, further) = function.row(table, &space, depth).map_err(Missing::Stopped)?;
        let mut along = Vec::with_capacity(further.len());
        for (at, left) in further {
            let next = planned.len();
            let child = *index.entry(left.clone()).or_insert(next);
            if child == next {
                waiting.push((left.len(), Reverse(child)));
                planned.push((left, depth + 1));
            }
            let known = &mut planned[child].1;
            *known = (*known).min(depth + 1);
            let Member::Query(query) = &mut row else { unreachable!("only queries go on") };
            query.points[at].1 = Some(child);
            along.push(at);
        }
        table.charge(&row)?;
        places.resize(planned.len(), usize::MAX);
        places[number] = drafts.len();
        drafts.push(Draft { row, along });
    }
    for Draft { row, along } in &mut drafts {
        if let Member::Query(query) = row {
            for &at in &*along {
                let Side(_, child) = &mut query.points[at];
                *child = place(*child, &places);
            }
        }
    }
    Ok(drafts)
}

/// An essential hypothesis.
struct Function<'f> {
    text: &'f str,
    labels: Vec<bool>,
    /// ρ.
    r: i32,
}

impl Function<'_> {
    /// One row, and the subclasses along the function that it refers to, with the places of their
    /// entries.
    fn row(
        &self,
        table: &mut Table<'_, '_>,
        space: &VersionSpace,
        at: i64,
    ) -> Result<(Member, Vec<(usize, VersionSpace)>), Stopped> {
        let r = self.r;
        let depth = u64::try_from(at).expect("a depth");
        let columns = table.trees.states.solver().columns();
        let id = table.trees.states.of(space)?;
        if !table.trees.exists(id, at, r)? {
            let no_tree = table.no_tree(id, at, r)?;
            return Ok((Member::NoTree(MemberNoTree { depth, no_tree }), Vec::new()));
        }
        if forbidden(table.trees, space, r, self.text)? {
            let mut below = Vec::with_capacity(columns.len());
            for (column, &label) in columns.iter().zip(&self.labels) {
                let off = space.restrict(column, !label);
                below.push(if off.is_empty() {
                    None
                } else {
                    let off = table.trees.states.of(&off)?;
                    table.below(off, r)
                });
            }
            let no_tree = table.no_tree(id, at, r - 1)?;
            return Ok((Member::Only(MemberOnly { depth, below, no_tree }), Vec::new()));
        }
        let leaf = table.no_leaf(id, at, r);
        let (mut points, mut further) = (Vec::new(), Vec::new());
        for (column, &label) in columns.iter().zip(&self.labels) {
            let (on, off) = (space.restrict(column, label), space.restrict(column, !label));
            if on.is_empty() || off.is_empty() {
                continue;
            }
            let off = table.trees.states.of(&off)?;
            if table.trees.exists(off, at + 1, r)? {
                further.push((points.len(), on));
                points.push(Side(u8::from(label), None));
            } else {
                let child = table.no_tree(off, at + 1, r)?;
                points.push(Side(u8::from(!label), child));
            }
        }
        Ok((Member::Query(MemberQuery { depth, leaf, points }), further))
    }
}

//! The lexicographically least pair of streams whose divergence reaches a goal.
//!
//! The search for the worst divergence prunes freely; only when its value is known is the pair
//! looked for, in lexicographic order, with the same bounds. So the pair printed does not depend on
//! the order in which the first search met its candidates. A claim "δ suffices" is decided by the
//! same search: it holds iff no pair exceeds δ.

use std::cmp::Ordering;
use std::collections::HashSet;

use rustc_hash::FxBuildHasher;

use crate::exact::Arithmetic;
use crate::limits::Stopped;

use super::model::Belief;
use super::node::{self, Node};
use super::search::{Pair, Places, Problem, Records, Search, both_step, places_after};
use super::streams::Streams;

/// What a divergence must reach.
#[derive(Debug, Clone)]
pub(super) enum Goal<V> {
    /// At least this.
    Attain(V),
    /// More than this.
    Exceed(V),
}

impl<V> Goal<V> {
    fn reached<A: Arithmetic<Value = V>>(&self, arithmetic: &A, value: &V) -> bool {
        match self {
            Self::Attain(goal) => arithmetic.value_cmp(value, goal) != Ordering::Less,
            Self::Exceed(goal) => arithmetic.value_cmp(value, goal) == Ordering::Greater,
        }
    }
}

/// Nodes from which the goal is known not to be reached.
type Failed<A> = HashSet<(usize, Places, Node<<A as Arithmetic>::Weight, 2>), FxBuildHasher>;

impl<A: Arithmetic> Search<'_, A> {
    /// The least pair of streams of `rounds` rounds whose divergence reaches `goal`.
    pub(super) fn least(
        &mut self,
        rounds: usize,
        goal: &Goal<A::Value>,
    ) -> Result<Option<Pair>, Stopped> {
        let mut best = None;
        for round in 1..=rounds {
            let start = self.problem().model.start.clone();
            let missing = round - 1;
            let left = rounds - round;
            self.least_prefix(
                &mut Vec::new(),
                Streams::START,
                &start,
                (missing, left),
                goal,
                &mut best,
            )?;
        }
        Ok(best)
    }

    fn least_prefix(
        &mut self,
        prefix: &mut Vec<u32>,
        place: u32,
        law: &Belief<A::Weight>,
        (missing, left): (usize, usize),
        goal: &Goal<A::Value>,
        best: &mut Option<Pair>,
    ) -> Result<(), Stopped> {
        let Problem { arithmetic, model, streams, differing, counted, .. } = *self.problem();
        if best.as_ref().is_some_and(|b| prefix[..] > b.first[..prefix.len().min(b.first.len())]) {
            return Ok(());
        }
        if missing > 0 {
            for record in 0..model.records {
                let Some(next) = streams.step(place, record) else { continue };
                let law = node::advance_law(arithmetic, model, law, record);
                prefix.push(record);
                self.least_prefix(prefix, next, &law, (missing - 1, left), goal, best)?;
                prefix.pop();
            }
            return Ok(());
        }
        self.count_state()?;
        let mut histories = None;
        for &records in differing {
            let Some(places) = places_after(streams, place, records) else { continue };
            let wanted = |bound: &A::Value| goal.reached(arithmetic, bound);
            if self.revealing_before(law, places, left, records, wanted)?.is_none() {
                continue;
            }
            let histories = histories.get_or_insert_with(|| self.problem().histories(prefix));
            let pair = node::split(arithmetic, model, histories, records, counted);
            let mut suffix = Vec::new();
            if self.least_suffix(
                &pair,
                places,
                left,
                goal,
                &mut suffix,
                &mut Failed::<A>::default(),
            )? {
                suffix.reverse();
                let stream = |record: Option<u32>| {
                    prefix.iter().copied().chain(record).chain(suffix.iter().copied()).collect()
                };
                let Records { first, second } = records;
                let found = Pair { first: stream(first), second: stream(second) };
                if best.as_ref().is_none_or(|b| found < *b) {
                    *best = Some(found);
                }
            }
        }
        Ok(())
    }

    /// Whether some suffix attains the goal; the least one is left in `suffix`, last record
    /// first.
    fn least_suffix(
        &mut self,
        node: &Node<A::Weight, 2>,
        places: Places,
        left: usize,
        goal: &Goal<A::Value>,
        suffix: &mut Vec<u32>,
        failed: &mut Failed<A>,
    ) -> Result<bool, Stopped> {
        let Problem { arithmetic, model, streams, .. } = *self.problem();
        self.count_state()?;
        let reaches = |value: &A::Value| goal.reached(arithmetic, value);
        if left == 0 {
            return Ok(reaches(&node::ended(arithmetic, model, node)));
        }
        for record in 0..model.records {
            let Some(places) = both_step(streams, places, record) else { continue };
            if left == 1 && model.finish.is_none() {
                if reaches(&node::ended_after(arithmetic, model, node, record)) {
                    suffix.push(record);
                    return Ok(true);
                }
                continue;
            }
            let child = node::advance(arithmetic, model, node, record);
            let bound = self.problem().scaled(&node::revealed(arithmetic, &child), left - 1);
            if !reaches(&bound) || failed.contains(&(left - 1, places, child.clone())) {
                continue;
            }
            if self.least_suffix(&child, places, left - 1, goal, suffix, failed)? {
                suffix.push(record);
                return Ok(true);
            }
            failed.insert((left - 1, places, child));
        }
        Ok(false)
    }
}

//! The lexicographically least pair of streams whose divergence reaches a goal.
//!
//! The search for the worst divergence prunes freely; only when its value is known is the pair
//! looked for, in lexicographic order, with the same bounds. So the pair printed does not depend on
//! the order in which the first search met its candidates. A claim "δ suffices" is decided by the
//! same search: it holds iff no pair exceeds δ.

use littlestone_exact::Arithmetic;
use littlestone_exact::limits::Stopped;
use std::cmp::Ordering;

use super::gaps::{self, GapsOf};
use super::layers::Layers;
use super::node::Node;
use super::search::{Met, Pair, Places, Problem, Records, Search, both_step, places_after};
use super::symmetry::Root;
use super::walk::{Remembered, Walk};

/// What a divergence must reach.
#[derive(Debug, Clone)]
pub(super) enum Goal<V> {
    /// At least this.
    Attain(V),
    /// More than this.
    Exceed(V),
}

impl<V> Goal<V> {
    pub fn reached<A: Arithmetic<Value = V>>(&self, arithmetic: &A, value: &V) -> bool {
        match self {
            Self::Attain(goal) => arithmetic.value_cmp(value, goal) != Ordering::Less,
            Self::Exceed(goal) => arithmetic.value_cmp(value, goal) == Ordering::Greater,
        }
    }

    /// Whether all that reaches this goal reaches `other`.
    pub fn implies<A: Arithmetic<Value = V>>(&self, arithmetic: &A, other: &Self) -> bool {
        let (Self::Attain(a) | Self::Exceed(a)) = self;
        let (Self::Attain(b) | Self::Exceed(b)) = other;
        match arithmetic.value_cmp(a, b) {
            Ordering::Less => false,
            Ordering::Greater => true,
            Ordering::Equal => {
                matches!((self, other), (Self::Exceed(_), _) | (_, Self::Attain(_)))
            }
        }
    }
}

/// Nodes from which the goal is known not to be reached.
type Failed<A> = Remembered<Met<A>, <A as Arithmetic>::Value>;

impl<A: Arithmetic> Search<'_, A> {
    /// The least pair of streams of `rounds` rounds whose divergence reaches `goal`.
    pub(super) fn least(
        &mut self,
        rounds: usize,
        goal: &Goal<A::Value>,
    ) -> Result<Option<Pair>, Stopped> {
        let mut best = None;
        for round in 1..=rounds {
            self.grow(round - 1)?;
            // Taken out for the while: the laws do not change any more.
            let layers = std::mem::replace(&mut self.layers, Layers::new(Vec::new()));
            let result = self.least_after(&layers, round - 1, rounds - round, goal, &mut best);
            self.layers = layers;
            result?;
        }
        Ok(best)
    }

    fn least_after(
        &mut self,
        layers: &Layers<A::Weight>,
        before: usize,
        left: usize,
        goal: &Goal<A::Value>,
        best: &mut Option<Pair>,
    ) -> Result<(), Stopped> {
        let problem = self.problem();
        let mut wanted: Vec<Vec<Records>> = Vec::new();
        for law in layers.after(before) {
            self.count_state()?;
            let mut pursued = Vec::new();
            for &records in &problem.differing {
                let places = places_after(problem.streams, law.place, records);
                let Some(places) = places else { continue };
                let promising = match &law.belief[..] {
                    [(state, mass)] if *mass == problem.arithmetic.one() => {
                        self.reaches((*state, places, records), left, goal)?
                    }
                    law => self.revealing_before(law, places, left, records, goal)?.is_some(),
                };
                if promising {
                    pursued.push(records);
                }
            }
            wanted.push(pursued);
        }
        if let Some(mut walk) = Walk::new(layers, before, left, wanted) {
            let start = problem.histories(&[])?;
            self.least_prefix(&mut walk, goal, &mut Vec::new(), 0, &start, best)?;
        }
        Ok(())
    }

    /// Whether some pair that starts from a known state reaches the goal.
    fn reaches(&mut self, root: Root, left: usize, goal: &Goal<A::Value>) -> Result<bool, Stopped> {
        let arithmetic = self.problem().arithmetic;
        let least = self.known.form(root).root;
        if let Some(known) = self.known.reaches(arithmetic, least, left, goal) {
            return Ok(known);
        }
        let (state, places, records) = least;
        let pair = self.problem().split_from(state, records)?;
        let failed = &mut Failed::<A>::default();
        let found = self.least_suffix(&pair, places, left, goal, &mut Vec::new(), failed)?;
        if !found {
            self.known.misses(arithmetic, least, left, goal.clone());
        }
        Ok(found)
    }

    fn least_prefix(
        &mut self,
        walk: &mut Walk<'_, A>,
        goal: &Goal<A::Value>,
        prefix: &mut Vec<u32>,
        law: usize,
        histories: &Node<A::Weight, 1>,
        best: &mut Option<Pair>,
    ) -> Result<(), Stopped> {
        let Problem { model, streams, .. } = *self.problem();
        if best.as_ref().is_some_and(|b| prefix[..] > b.first[..prefix.len().min(b.first.len())]) {
            return Ok(());
        }
        if walk.goes_on(prefix) {
            for record in 0..model.records {
                if let Some((next, child)) = walk.extend(self, prefix, law, histories, record)? {
                    self.least_prefix(walk, goal, prefix, next, &child, best)?;
                    prefix.pop();
                }
            }
            return Ok(());
        }
        let place = walk.layers.after(prefix.len())[law].place;
        for &records in &walk.wanted[law] {
            let Some(places) = places_after(streams, place, records) else { continue };
            // Not even the first records may be greater than those of the pair found.
            let least = Pair::new(prefix, records, &[]);
            if best.as_ref().is_some_and(|b| b.begins_before(&least)) {
                continue;
            }
            let pair = self.problem().split(histories, records)?;
            let mut suffix = Vec::new();
            let failed = &mut Failed::<A>::default();
            if self.least_suffix(&pair, places, walk.left, goal, &mut suffix, failed)? {
                suffix.reverse();
                let found = Pair::new(prefix, records, &suffix);
                if best.as_ref().is_none_or(|b| found < *b) {
                    *best = Some(found);
                }
            }
        }
        Ok(())
    }

    /// Whether some suffix reaches the goal; the least one is left in `suffix`, last record
    /// first.
    fn least_suffix(
        &mut self,
        node: &GapsOf<A>,
        places: Places,
        left: usize,
        goal: &Goal<A::Value>,
        suffix: &mut Vec<u32>,
        failed: &mut Failed<A>,
    ) -> Result<bool, Stopped> {
        let problem = self.problem();
        let Problem { arithmetic, model, streams, ref tails, .. } = *problem;
        let meter = &mut problem.limits.within_piece();
        self.count_state()?;
        if left <= tails.rounds() {
            let mut found = false;
            tails.each(problem.automaton(), node, (places, left), meter, |rest, value| {
                found = goal.reached(arithmetic, &value);
                if found {
                    suffix.extend(rest.iter().rev());
                }
                !found
            })?;
            return Ok(found);
        }
        for record in 0..model.records {
            let Some(places) = both_step(streams, places, record) else { continue };
            let child = gaps::advance(arithmetic, model, node, record, meter)?;
            let bound = problem.scaled(&gaps::revealed(arithmetic, &child), left - 1);
            if !goal.reached(arithmetic, &bound) {
                continue;
            }
            // From equal open histories the goal was not reached before, nor is it now unless more
            // is settled.
            let better =
                |old: &A::Value| arithmetic.value_cmp(&child.settled, old) == Ordering::Greater;
            let key = (left - 1, places, child.open.clone());
            let settled = child.settled.clone();
            if failed.is_new(key, settled, child.open.len(), better)
                && self.least_suffix(&child, places, left - 1, goal, suffix, failed)?
            {
                suffix.push(record);
                return Ok(true);
            }
        }
        Ok(false)
    }
}

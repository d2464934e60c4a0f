//! The worst δ over all neighbouring pairs of streams, exactly.
//!
//! A pair of streams that differ in round i is a *prefix* of i − 1 common records, the two records
//! of round i, and a *suffix* of common records. Three facts keep the search small.
//!
//! * *Post-processing.* If the state were released after the differing round, the divergence could
//!   only grow ([`node::revealed`]); a suffix is not pursued when this bound does not exceed the
//!   best divergence found.
//! * *Revealing the state before the differing round.* Likewise, for a prefix whose state has the
//!   law p, the divergence of the whole pair is at most `Σ_s p(s)·M(s)`, where M(s) is the worst
//!   divergence when the state before round i is known to be s. M(s) does not depend on the prefix
//!   and is computed once; a prefix is pursued only if the sum exceeds the best found. This needs
//!   the law of the state alone, not the histories.
//! * *Equal nodes.* Suffixes that lead to the same histories with the same weights have the same
//!   continuations; only the first is pursued.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use rustc_hash::FxBuildHasher;

use crate::exact::Arithmetic;
use crate::limits::{Limits, Progress, Stopped};

use super::model::{Belief, Model};
use super::node::{self, Node};
use super::streams::Streams;

/// At most so many directions are remembered for recognising equal nodes.
const REMEMBERED: usize = 2_000_000;

/// After so many nodes, remembering goes on only if one in [`WORTHWHILE`] was met again.
const TRIAL: usize = 4096;
const WORTHWHILE: usize = 64;

/// The two records of the differing round; `None` is an absent record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Records {
    pub first: Option<u32>,
    pub second: Option<u32>,
}

/// A pair of streams.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub first: Vec<u32>,
    pub second: Vec<u32>,
}

/// What is searched.
pub(super) struct Problem<'p, A: Arithmetic> {
    pub arithmetic: &'p A,
    pub model: &'p Model<A>,
    pub streams: &'p Streams,
    /// The pairs of records that may stand in the differing round.
    pub differing: &'p [Records],
    /// Whether the symbol released in the differing round is part of the output.
    pub counted: bool,
    pub limits: &'p Limits,
    pub progress: &'p Progress,
}

/// Where the two streams of a pair stand.
pub(super) type Places = (u32, u32);

/// A question of [`Search::worst_from`]: the state before the differing round, the places of both
/// streams there, the number of rounds after it, and the records of the differing round.
pub(super) type Known = (u32, Places, usize, Records);

/// One thread's search over one problem.
pub(super) struct Search<'p, A: Arithmetic> {
    problem: &'p Problem<'p, A>,
    known: HashMap<Known, A::Value, FxBuildHasher>,
    states: u64,
}

impl<'p, A: Arithmetic> Search<'p, A> {
    pub fn new(problem: &'p Problem<'p, A>) -> Self {
        Self { problem, known: HashMap::default(), states: 0 }
    }

    /// What is searched.
    pub fn problem(&self) -> &'p Problem<'p, A> {
        self.problem
    }

    pub(super) fn count_state(&mut self) -> Result<(), Stopped> {
        use std::sync::atomic::Ordering::Relaxed;
        let before = self.problem.progress.states.fetch_add(1, Relaxed);
        if self.problem.limits.states.is_some_and(|limit| before >= limit) {
            return Err(Stopped::States);
        }
        self.states += 1;
        let deadline = self.problem.limits.deadline;
        if self.states.is_multiple_of(64)
            && deadline.is_some_and(|d| std::time::Instant::now() >= d)
        {
            return Err(Stopped::Deadline);
        }
        Ok(())
    }

    /// Raises `best` to the worst divergence over all pairs of streams of `rounds` rounds, as a
    /// numerator over start denominator · (round denominator)^rounds · finish denominator.
    pub fn worst(&mut self, rounds: usize, best: &mut A::Value) -> Result<(), Stopped> {
        for round in 1..=rounds {
            self.worst_at(round, rounds - round, best)?;
        }
        Ok(())
    }

    /// The questions about pairs of streams of `rounds` rounds that differ in round 1.
    pub fn first_questions(&self, rounds: usize) -> Vec<Known> {
        let Problem { model, streams, differing, .. } = *self.problem;
        let mut questions = Vec::new();
        for (state, _) in &model.start {
            for &records in differing {
                if let Some(places) = places_after(streams, Streams::START, records) {
                    questions.push((*state, places, rounds - 1, records));
                }
            }
        }
        questions
    }

    /// Raises `best` to the worst divergence over the pairs that differ in round `round` and have
    /// `left` rounds after it.
    fn worst_at(&mut self, round: usize, left: usize, best: &mut A::Value) -> Result<(), Stopped> {
        let start = self.problem.model.start.clone();
        let prefix = &mut Vec::new();
        let useless = &mut HashSet::default();
        self.prefixes(prefix, Streams::START, start, round - 1, left, best, useless)
    }

    /// Extends the prefix by `missing` rounds in every way that may still beat `best`.
    #[expect(clippy::too_many_arguments, reason = "the state of a recursion")]
    fn prefixes(
        &mut self,
        prefix: &mut Vec<u32>,
        place: u32,
        law: Belief<A::Weight>,
        missing: usize,
        left: usize,
        best: &mut A::Value,
        useless: &mut HashSet<(u32, Belief<A::Weight>), FxBuildHasher>,
    ) -> Result<(), Stopped> {
        let Problem { arithmetic, model, streams, differing, counted, .. } = *self.problem;
        if missing > 0 {
            for record in 0..model.records {
                let Some(next) = streams.step(place, record) else { continue };
                let law = node::advance_law(arithmetic, model, &law, record);
                prefix.push(record);
                self.prefixes(prefix, next, law, missing - 1, left, best, useless)?;
                prefix.pop();
            }
            return Ok(());
        }
        self.count_state()?;
        // What could not beat an earlier best cannot beat the present one.
        let law_and_place = (place, law);
        if useless.contains(&law_and_place) {
            return Ok(());
        }
        let law = &law_and_place.1;
        let mut histories = None;
        let mut pursued = false;
        for &records in differing {
            let Some(places) = places_after(streams, place, records) else { continue };
            let wanted = |bound: &A::Value| arithmetic.value_cmp(bound, best) == Ordering::Greater;
            let Some(bound) = self.revealing_before(law, places, left, records, wanted)? else {
                continue;
            };
            pursued = true;
            if law.len() == 1 {
                // The state is known anyway: the bound is the divergence of a pair.
                *best = bound;
                continue;
            }
            let histories = histories.get_or_insert_with(|| self.problem.histories(prefix));
            let pair = node::split(arithmetic, model, histories, records, counted);
            self.suffixes(&pair, places, left, best, &mut Remembered::default())?;
        }
        if !pursued {
            useless.insert(law_and_place);
        }
        Ok(())
    }

    /// `Σ_s law(s)·M(s)`, an upper bound on the divergence of every pair whose prefix leads to
    /// `law`, if it is one that is wanted. A cheap bound on M(s) is tried first.
    pub(super) fn revealing_before(
        &mut self,
        law: &[(u32, A::Weight)],
        places: Places,
        left: usize,
        records: Records,
        wanted: impl Fn(&A::Value) -> bool,
    ) -> Result<Option<A::Value>, Stopped> {
        let arithmetic = self.problem.arithmetic;
        let mut cheap = arithmetic.value_zero();
        for (state, mass) in law {
            let known = self.known.get(&(*state, places, left, records)).cloned();
            let value = known.unwrap_or_else(|| {
                let pair = self.problem.split_from(*state, records);
                self.problem.scaled(&node::revealed(arithmetic, &pair), left)
            });
            arithmetic.value_add(&mut cheap, &arithmetic.value_scale(&value, mass));
        }
        if !wanted(&cheap) {
            return Ok(None);
        }
        let mut exact = arithmetic.value_zero();
        for (state, mass) in law {
            let value = self.worst_from((*state, places, left, records))?;
            arithmetic.value_add(&mut exact, &arithmetic.value_scale(&value, mass));
        }
        Ok(wanted(&exact).then_some(exact))
    }

    /// M(s): the worst divergence when the state before the differing round is known.
    pub fn worst_from(&mut self, question: Known) -> Result<A::Value, Stopped> {
        if let Some(value) = self.known.get(&question) {
            return Ok(value.clone());
        }
        let (state, places, left, records) = question;
        let mut best = self.problem.arithmetic.value_zero();
        let pair = self.problem.split_from(state, records);
        self.suffixes(&pair, places, left, &mut best, &mut Remembered::default())?;
        self.known.insert(question, best.clone());
        Ok(best)
    }

    /// Records an answer of [`Search::worst_from`] that another thread has found.
    pub fn learn(&mut self, question: Known, value: A::Value) {
        self.known.insert(question, value);
    }

    /// Raises `best` to the worst divergence over all suffixes of `left` rounds.
    fn suffixes(
        &mut self,
        node: &Node<A::Weight, 2>,
        places: Places,
        left: usize,
        best: &mut A::Value,
        remembered: &mut Remembered<A>,
    ) -> Result<(), Stopped> {
        self.count_state()?;
        let Problem { arithmetic, model, streams, .. } = *self.problem;
        let raise = |best: &mut A::Value, value: A::Value| {
            if arithmetic.value_cmp(&value, best) == Ordering::Greater {
                *best = value;
            }
        };
        if left == 0 {
            raise(best, node::ended(arithmetic, model, node));
            return Ok(());
        }
        if left == 1 && model.finish.is_none() {
            for record in 0..model.records {
                if both_step(streams, places, record).is_some() {
                    raise(best, node::ended_after(arithmetic, model, node, record));
                }
            }
            return Ok(());
        }
        let mut children = Vec::new();
        for record in 0..model.records {
            let Some(places) = both_step(streams, places, record) else { continue };
            let child = node::advance(arithmetic, model, node, record);
            let bound = self.problem.scaled(&node::revealed(arithmetic, &child), left - 1);
            if arithmetic.value_cmp(&bound, best) == Ordering::Greater {
                children.push((bound, child, places));
            }
        }
        // The most promising first: it raises the best that the others must beat.
        children.sort_by(|a, b| arithmetic.value_cmp(&b.0, &a.0));
        for (bound, child, places) in children {
            if arithmetic.value_cmp(&bound, best) == Ordering::Greater
                && remembered.is_new(&child, places, left - 1)
            {
                self.suffixes(&child, places, left - 1, best, remembered)?;
            }
        }
        Ok(())
    }
}

impl<A: Arithmetic> Problem<'_, A> {
    /// The histories after a prefix.
    pub(super) fn histories(&self, prefix: &[u32]) -> Node<A::Weight, 1> {
        let start = self.model.start.iter().map(|(s, w)| (*s, [w.clone()])).collect();
        let mut node = vec![(start, self.arithmetic.one())];
        for &record in prefix {
            node = node::advance(self.arithmetic, self.model, &node, record);
        }
        node
    }

    /// The histories after the differing round, from a known state.
    pub(super) fn split_from(&self, state: u32, records: Records) -> Node<A::Weight, 2> {
        let known = vec![(vec![(state, [self.arithmetic.one()])], self.arithmetic.one())];
        node::split(self.arithmetic, self.model, &known, records, self.counted)
    }

    /// A divergence with `left` rounds to go, brought to the denominator at the end of the stream.
    pub(super) fn scaled(&self, value: &A::Value, left: usize) -> A::Value {
        self.arithmetic.value_scale(value, self.model.remaining_denominator(left))
    }
}

/// The places of both streams after the differing round, if both records may stand there.
pub(super) fn places_after(
    streams: &Streams,
    place: u32,
    Records { first, second }: Records,
) -> Option<Places> {
    let step = |record: Option<u32>| record.map_or(Some(place), |r| streams.step(place, r));
    Some((step(first)?, step(second)?))
}

pub(super) fn both_step(streams: &Streams, (first, second): Places, record: u32) -> Option<Places> {
    Some((streams.step(first, record)?, streams.step(second, record)?))
}

/// Nodes that were pursued already.
struct Remembered<A: Arithmetic> {
    nodes: HashSet<(usize, Places, Node<A::Weight, 2>), FxBuildHasher>,
    directions: usize,
    met_again: usize,
}

impl<A: Arithmetic> Default for Remembered<A> {
    fn default() -> Self {
        Self { nodes: HashSet::default(), directions: 0, met_again: 0 }
    }
}

impl<A: Arithmetic> Remembered<A> {
    /// Whether the node was not met before. What is not remembered is taken for new.
    fn is_new(&mut self, node: &Node<A::Weight, 2>, places: Places, left: usize) -> bool {
        let rare = self.nodes.len() >= TRIAL && self.met_again * WORTHWHILE < self.nodes.len();
        if rare || self.directions >= REMEMBERED {
            return true;
        }
        let new = self.nodes.insert((left, places, node.clone()));
        if new {
            self.directions += node.len();
        } else {
            self.met_again += 1;
        }
        new
    }
}

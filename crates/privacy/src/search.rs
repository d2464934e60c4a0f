//! The worst δ over all neighbouring pairs of streams, exactly.
//!
//! A pair of streams that differ in round i is a *prefix* of i − 1 common records, the two records
//! of round i, and a *suffix* of common records. Six facts keep the search small.
//!
//! * *Post-processing.* If the state were released after the differing round, the divergence could
//!   only grow ([`gaps::revealed`]); a suffix is not pursued when this bound does not exceed the
//!   best divergence found.
//! * *Revealing the state before the differing round.* Likewise, for a prefix whose state has the
//!   law p, the divergence of the whole pair is at most `Σ_s p(s)·M(s)`, where M(s) is the worst
//!   divergence when the state before round i is known to be s. M(s) does not depend on the prefix
//!   and is computed once; a prefix is pursued only if the sum exceeds the best found. This needs
//!   the law of the state alone, not the histories, and prefixes of equal laws are one
//!   ([`super::layers`]).
//! * *Symmetry.* Of the questions that a renaming of records, states and symbols takes to one
//!   another, one is answered ([`super::symmetry`]).
//! * *Equal nodes.* Suffixes that lead to the same histories with the same weights have the same
//!   continuations; only the first is pursued.
//! * *Meeting in the middle.* What the last rounds of a suffix can still show is a table that does
//!   not depend on the histories ([`super::tails`]).
//! * *Continuation.* A pair that attains the worst δ of a length, continued by a record, is a good
//!   start for the next length: its outputs contain those of the shorter streams.

use std::cmp::Ordering;
use std::hash::Hash;

use littlestone_exact::limits::{Limits, Progress, Stopped};
use littlestone_exact::{Arithmetic, Number};

use super::gaps::{self, GapsOf};
use super::known::Known;
use super::layers::Layers;
use super::least::Goal;
use super::model::Model;
use super::node::{self, Node};
use super::streams::Streams;
use super::symmetry::{Root, Symmetries};
use super::tails::Tails;
use super::walk::{Remembered, Walk};

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

impl Pair {
    pub fn new(prefix: &[u32], Records { first, second }: Records, suffix: &[u32]) -> Self {
        let stream = |record: Option<u32>| {
            prefix.iter().copied().chain(record).chain(suffix.iter().copied()).collect()
        };
        Self { first: stream(first), second: stream(second) }
    }

    /// Whether the streams differ in round 1 by these records.
    pub fn begins_with(&self, Records { first, second }: Records) -> bool {
        self.first.first().copied() == first && self.second.first().copied() == second
    }

    /// Whether this pair comes before all that begin like `other`, which is no longer.
    pub fn begins_before(&self, other: &Self) -> bool {
        let begin = |stream: &[u32], length: usize| stream[..length.min(stream.len())].to_vec();
        let first = begin(&self.first, other.first.len());
        let second = begin(&self.second, other.second.len());
        first < other.first
            || self.first.len() == other.first.len()
                && first == other.first
                && second < other.second
    }

    fn followed_by(&self, record: u32) -> Self {
        let stream = |stream: &[u32]| stream.iter().copied().chain([record]).collect();
        Self { first: stream(&self.first), second: stream(&self.second) }
    }
}

/// The greatest divergence found so far, and a pair that has it unless it is zero.
#[derive(Debug, Clone)]
pub(super) struct Best<V> {
    pub value: V,
    pub pair: Option<Pair>,
}

/// What is searched.
pub(super) struct Problem<'p, A: Arithmetic> {
    pub arithmetic: &'p A,
    pub model: &'p Model<A>,
    pub streams: &'p Streams,
    /// Renamings that take questions to equal ones.
    pub symmetries: Symmetries,
    /// What the last rounds of all suffixes can show.
    pub tails: Tails<A::Weight>,
    /// The pairs of records that may stand in the differing round.
    pub differing: Vec<Records>,
    /// Whether the symbol released in the differing round is part of the output.
    pub counted: bool,
    pub limits: &'p Limits,
    pub progress: &'p Progress,
    /// The length at which a bound on all divergences bounds the answer to the question.
    pub answers: Option<usize>,
}

/// Where the two streams of a pair stand.
pub(super) type Places = (u32, u32);

/// One thread's search over one problem.
pub(super) struct Search<'p, A: Arithmetic> {
    problem: &'p Problem<'p, A>,
    pub(super) known: Known<'p, A>,
    pub(super) layers: Layers<A::Weight>,
    counter: Counter<'p>,
}

/// Counts states and says when a limit is reached.
pub(super) struct Counter<'p> {
    limits: &'p Limits,
    progress: &'p Progress,
}

impl Counter<'_> {
    pub fn count(&mut self) -> Result<(), Stopped> {
        use std::sync::atomic::Ordering::Relaxed;
        let before = self.progress.states.fetch_add(1, Relaxed);
        if self.limits.states.is_some_and(|limit| before >= limit) {
            return Err(Stopped::States);
        }
        self.limits.check()
    }
}

/// A search over suffixes that is under way.
pub(super) struct Climb<A: Arithmetic> {
    /// The greatest divergence so far.
    pub value: A::Value,
    /// A suffix that has it, if this climb has raised it.
    pub suffix: Option<Vec<u32>>,
    /// The suffix that is being looked at.
    pub path: Vec<u32>,
    remembered: Remembered<Met<A>, A::Value>,
}

/// What is remembered of a node: the rounds left, the places of both streams, the open histories.
pub(super) type Met<A> =
    (usize, Places, Vec<(Vec<(u32, <A as Arithmetic>::Gap)>, <A as Arithmetic>::Weight)>);

impl<A: Arithmetic> Climb<A> {
    pub fn new(value: A::Value) -> Self {
        Self { value, suffix: None, path: Vec::new(), remembered: Remembered::default() }
    }

    fn raise(&mut self, arithmetic: &A, value: A::Value, rest: &[u32]) {
        if arithmetic.value_cmp(&value, &self.value) == Ordering::Greater {
            self.value = value;
            self.suffix = Some(self.path.iter().chain(rest).copied().collect());
        }
    }

    /// Whether no node with the same open histories and at least as much settled was met before.
    fn is_new(&mut self, arithmetic: &A, node: &GapsOf<A>, places: Places, left: usize) -> bool {
        let key = (left, places, node.open.clone());
        let better = |old: &A::Value| arithmetic.value_cmp(&node.settled, old) == Ordering::Greater;
        self.remembered.is_new(key, node.settled.clone(), node.open.len(), better)
    }
}

impl<'p, A: Arithmetic> Search<'p, A> {
    pub fn new(problem: &'p Problem<'p, A>) -> Self {
        Self {
            problem,
            known: Known::new(&problem.symmetries),
            layers: Layers::new(problem.model.start.clone()),
            counter: Counter { limits: problem.limits, progress: problem.progress },
        }
    }

    /// What is searched.
    pub fn problem(&self) -> &'p Problem<'p, A> {
        self.problem
    }

    pub(super) fn count_state(&mut self) -> Result<(), Stopped> {
        self.counter.count()
    }

    /// Looks at the limits between two states.
    pub(super) fn check(&self) -> Result<(), Stopped> {
        self.problem.limits.check()
    }

    /// Raises `best` by the pairs that continue one of a shorter length by a record.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn continued(&self, shorter: &Pair, best: &mut Best<A::Value>) -> Result<(), Stopped> {
        let Problem { arithmetic, model, streams, .. } = *self.problem;
        let ends = [&shorter.first, &shorter.second].map(|stream| {
            stream.iter().try_fold(Streams::START, |place, record| streams.step(place, *record))
        });
        let [Some(first), Some(second)] = ends else { return Ok(()) };
        for record in 0..model.records {
            if both_step(streams, (first, second), record).is_some() {
                let pair = shorter.followed_by(record);
                let value = self.problem.divergence(&pair)?;
                if arithmetic.value_cmp(&value, &best.value) == Ordering::Greater {
                    *best = Best { value, pair: Some(pair) };
                }
            }
        }
        Ok(())
    }

    /// Computes the laws of the state after prefixes of `rounds` rounds.
    pub(super) fn grow(&mut self, rounds: usize) -> Result<(), Stopped> {
        let Problem { arithmetic, model, streams, .. } = *self.problem;
        let counter = &mut self.counter;
        let meter = &mut self.problem.limits.within_piece();
        self.layers.grow(arithmetic, model, streams, rounds, || counter.count(), meter)
    }

    /// Raises `best` to the worst divergence over the pairs that differ in round `round` and have
    /// `left` rounds after it.
    pub fn worst_at(
        &mut self,
        round: usize,
        left: usize,
        best: &mut Best<A::Value>,
    ) -> Result<(), Stopped> {
        self.grow(round - 1)?;
        // Taken out for the while: the laws do not change any more.
        let layers = std::mem::replace(&mut self.layers, Layers::new(Vec::new()));
        let result = self.worst_after(&layers, round - 1, left, best);
        self.layers = layers;
        result
    }

    fn worst_after(
        &mut self,
        layers: &Layers<A::Weight>,
        before: usize,
        left: usize,
        best: &mut Best<A::Value>,
    ) -> Result<(), Stopped> {
        let Problem { streams, ref differing, .. } = *self.problem;
        let laws = layers.after(before);
        let mut wanted: Vec<Vec<Records>> = Vec::with_capacity(laws.len());
        for (index, law) in laws.iter().enumerate() {
            self.count_state()?;
            let mut pursued = Vec::new();
            for &records in differing {
                self.check()?;
                let Some(places) = places_after(streams, law.place, records) else { continue };
                let goal = Goal::Exceed(best.value.clone());
                let bound = self.revealing_before(&law.belief, places, left, records, &goal)?;
                let Some(value) = bound else { continue };
                let [(state, _)] = law.belief[..] else {
                    pursued.push(records);
                    continue;
                };
                // The state is known anyway: the bound is the divergence of a pair.
                let form = self.known.form((state, places, records));
                let (_, suffix) = self.known.exact(form.root, left).expect("it was computed");
                let suffix = form.restored(suffix);
                let pair = Pair::new(&layers.prefix(before, index), records, &suffix);
                *best = Best { value, pair: Some(pair) };
            }
            wanted.push(pursued);
        }
        if let Some(mut walk) = Walk::new(layers, before, left, wanted) {
            let start = self.problem.histories(&[])?;
            self.prefixes(&mut walk, &mut Vec::new(), 0, &start, best)?;
        }
        Ok(())
    }

    /// Extends a prefix in every way that may still beat `best`.
    fn prefixes(
        &mut self,
        walk: &mut Walk<'_, A>,
        prefix: &mut Vec<u32>,
        law: usize,
        histories: &Node<A::Weight, 1>,
        best: &mut Best<A::Value>,
    ) -> Result<(), Stopped> {
        let Problem { model, streams, .. } = *self.problem;
        if walk.goes_on(prefix) {
            for record in 0..model.records {
                if let Some((next, child)) = walk.extend(self, prefix, law, histories, record)? {
                    self.prefixes(walk, prefix, next, &child, best)?;
                    prefix.pop();
                }
            }
            return Ok(());
        }
        let place = walk.layers.after(prefix.len())[law].place;
        for &records in &walk.wanted[law] {
            let Some(places) = places_after(streams, place, records) else { continue };
            let pair = self.problem.split(histories, records)?;
            let mut climb = Climb::new(best.value.clone());
            let result = self.suffixes(&pair, places, walk.left, &mut climb);
            if let Some(suffix) = climb.suffix {
                let pair = Some(Pair::new(prefix, records, &suffix));
                *best = Best { value: climb.value, pair };
            }
            result?;
        }
        Ok(())
    }

    /// `Σ_s law(s)·M(s)`, an upper bound on the divergence of every pair whose prefix leads to
    /// `law`, if it reaches the goal. Cheap bounds on M(s) are tried first.
    pub(super) fn revealing_before(
        &mut self,
        law: &[(u32, A::Weight)],
        places: Places,
        left: usize,
        records: Records,
        goal: &Goal<A::Value>,
    ) -> Result<Option<A::Value>, Stopped> {
        let arithmetic = self.problem.arithmetic;
        let mut bounds = Vec::with_capacity(law.len());
        for (state, mass) in law {
            let root = self.known.form((*state, places, records)).root;
            let bound = if let Some(known) = self.known.at_most(root, left) {
                known.clone()
            } else {
                let pair = self.problem.split_from(root.0, root.2)?;
                let bound = self.problem.scaled(&gaps::revealed(arithmetic, &pair), left);
                self.known.misses(arithmetic, root, left, Goal::Exceed(bound.clone()));
                bound
            };
            bounds.push((root, arithmetic.value_scale(&bound, mass)));
        }
        let sum = |bounds: &[(Root, A::Value)]| {
            let mut sum = arithmetic.value_zero();
            for (_, bound) in bounds {
                arithmetic.value_add(&mut sum, bound);
            }
            sum
        };
        for at in 0..law.len() {
            if !goal.reached(arithmetic, &sum(&bounds)) {
                return Ok(None);
            }
            let value = self.worst_from(bounds[at].0, left)?;
            bounds[at].1 = arithmetic.value_scale(&value, &law[at].1);
        }
        let sum = sum(&bounds);
        Ok(goal.reached(arithmetic, &sum).then_some(sum))
    }

    /// M(s): the worst divergence when the state before the differing round is known, for a root
    /// in least form.
    fn worst_from(&mut self, root: Root, left: usize) -> Result<A::Value, Stopped> {
        if let Some((value, _)) = self.known.exact(root, left) {
            return Ok(value.clone());
        }
        let (state, places, records) = root;
        let pair = self.problem.split_from(state, records)?;
        let mut climb = Climb::new(self.problem.arithmetic.value_zero());
        self.suffixes(&pair, places, left, &mut climb)?;
        // A suffix in any case, so that it belongs to a pair of streams of the right length.
        let suffix = climb.suffix.or_else(|| self.problem.any_suffix(places, left));
        let value = climb.value;
        self.known.is(root, left, value.clone(), suffix.unwrap_or_default());
        Ok(value)
    }

    /// Raises `climb` to the worst divergence over all suffixes of `left` rounds.
    pub(super) fn suffixes(
        &mut self,
        node: &GapsOf<A>,
        places: Places,
        left: usize,
        climb: &mut Climb<A>,
    ) -> Result<(), Stopped> {
        self.count_state()?;
        let Problem { arithmetic, ref tails, .. } = *self.problem;
        if left <= tails.rounds() {
            let meter = &mut self.problem.limits.within_piece();
            return tails.each(
                self.problem.automaton(),
                node,
                (places, left),
                meter,
                |rest, value| {
                    climb.raise(arithmetic, value, rest);
                    true
                },
            );
        }
        for (bound, record, child, places) in self.problem.children(node, places, left, climb)? {
            if arithmetic.value_cmp(&bound, &climb.value) == Ordering::Greater
                && climb.is_new(arithmetic, &child, places, left - 1)
            {
                climb.path.push(record);
                let result = self.suffixes(&child, places, left - 1, climb);
                climb.path.pop();
                result?;
            }
        }
        Ok(())
    }
}

/// A child of a node: a bound on what its suffixes can reach, the record that leads to it, the
/// child, and the places of both streams there.
type Child<A> = (<A as Arithmetic>::Value, u32, GapsOf<A>, Places);

impl<A: Arithmetic> Problem<'_, A> {
    /// The histories after a prefix.
    pub(super) fn histories(&self, prefix: &[u32]) -> Result<Node<A::Weight, 1>, Stopped> {
        let meter = &mut self.limits.within_piece();
        let start = self.model.start.iter().map(|(s, w)| (*s, [w.clone()])).collect();
        let mut node = vec![(start, self.arithmetic.one())];
        for &record in prefix {
            node = node::advance(self.arithmetic, self.model, &node, record, meter)?;
        }
        Ok(node)
    }

    /// The histories after the differing round, from a known state.
    pub(super) fn split_from(&self, state: u32, records: Records) -> Result<GapsOf<A>, Stopped> {
        let known = vec![(vec![(state, [self.arithmetic.one()])], self.arithmetic.one())];
        self.split(&known, records)
    }

    /// The histories after the differing round.
    pub(super) fn split(
        &self,
        node: &Node<A::Weight, 1>,
        records: Records,
    ) -> Result<GapsOf<A>, Stopped> {
        let meter = &mut self.limits.within_piece();
        let pairs = node::split(self.arithmetic, self.model, node, records, self.counted, meter)?;
        Ok(gaps::of_pairs(self.arithmetic, &pairs))
    }

    /// What the tables of the last rounds are about.
    pub(super) fn automaton(&self) -> (&A, &Model<A>, &Streams) {
        (self.arithmetic, self.model, self.streams)
    }

    /// A divergence with `left` rounds to go, brought to the denominator at the end of the stream.
    pub(super) fn scaled(&self, value: &A::Value, left: usize) -> A::Value {
        self.arithmetic.value_scale(value, self.model.remaining_denominator(left))
    }

    /// A divergence as a number, for streams of `rounds` rounds.
    pub fn number(&self, value: &A::Value, rounds: usize) -> Number {
        self.arithmetic.number(value, &self.model.denominator(self.arithmetic, rounds))
    }

    /// The children that may beat the best of `climb`, the most promising first: it raises the
    /// best that the others must beat.
    pub(super) fn children(
        &self,
        node: &GapsOf<A>,
        places: Places,
        left: usize,
        climb: &Climb<A>,
    ) -> Result<Vec<Child<A>>, Stopped> {
        let Problem { arithmetic, model, streams, .. } = *self;
        let meter = &mut self.limits.within_piece();
        let mut children = Vec::new();
        for record in 0..model.records {
            let Some(places) = both_step(streams, places, record) else { continue };
            let child = gaps::advance(arithmetic, model, node, record, meter)?;
            let bound = self.scaled(&gaps::revealed(arithmetic, &child), left - 1);
            if arithmetic.value_cmp(&bound, &climb.value) == Ordering::Greater {
                children.push((bound, record, child, places));
            }
        }
        children.sort_by(|a, b| arithmetic.value_cmp(&b.0, &a.0));
        Ok(children)
    }

    /// The divergence of one pair of streams of one length that differ in one record.
    fn divergence(&self, Pair { first, second }: &Pair) -> Result<A::Value, Stopped> {
        let Problem { arithmetic, model, .. } = *self;
        let meter = &mut self.limits.within_piece();
        let round = first.iter().zip(second).position(|(z, w)| z != w).expect("the streams differ");
        let records = Records { first: Some(first[round]), second: Some(second[round]) };
        let prefix = self.histories(&first[..round])?;
        let mut node = self.split(&prefix, records)?;
        for record in &first[round + 1..] {
            node = gaps::advance(arithmetic, model, &node, *record, meter)?;
        }
        let mut ended = arithmetic.value_zero();
        // All places will do: nothing follows.
        let places = (Streams::START, Streams::START);
        self.tails.each(self.automaton(), &node, (places, 0), meter, |_, value| {
            ended = value;
            true
        })?;
        Ok(ended)
    }

    /// The least suffix of `left` rounds that both streams may have.
    fn any_suffix(&self, places: Places, left: usize) -> Option<Vec<u32>> {
        if left == 0 {
            return Some(Vec::new());
        }
        (0..self.model.records).find_map(|record| {
            let places = both_step(self.streams, places, record)?;
            let mut suffix = vec![record];
            suffix.extend(self.any_suffix(places, left - 1)?);
            Some(suffix)
        })
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

//! What one record can change: a bound on the worst δ that holds at every number of rounds.
//!
//! # The bound
//!
//! Take two streams S and S′ of any length that differ in round i alone, and the state s before
//! round i. Up to there the streams are equal, so the joint law of the symbols released before
//! round i and of s is the same for both. Given s, let the *view* be
//!
//! - for mechanisms that answer in rounds: the symbol of round i where it counts (not under joint
//!   privacy), the symbol of round i + 1, and the state right after that release;
//! - for one-shot mechanisms: the state after the record.
//!
//! If S has record z in round i and S′ has w, the view depends on s, on z or w, and on what is shown
//! before the release of round i + 1, which is the same for both. From the view on, the records are
//! equal, so all that is released later is a randomised function of the view that is the same for
//! both streams (*post-processing*). The law of the whole output is thus a mixture over (symbols
//! before round i, s) with *equal weights* of images of views, and since the hockey-stick divergence
//! is jointly convex and does not grow under post-processing,
//!
//! ```text
//! δ(S, S′) ≤ max over s, z, w and the next question of D(view given z ‖ view given w).
//! ```
//!
//! If round i is the last one, what is released is a part of the view, and the bound holds as well.
//! The maximum is over the states that some stream reaches before a round. They are finitely many,
//! so the bound is computed, and it does not mention the number of rounds.
//!
//! # Where the view ends
//!
//! A learner releases its hypothesis before it sees the record, so the record changes nothing but
//! the state, and the first that anyone can see of that state is the release of round i + 1. Laws
//! are therefore compared right after this release, not before it: a learner may remember its last
//! record exactly, release something noisy about it, and forget it. The same is right for predictors
//! and transducers, whose next answer may depend on the next question, and costs one comparison for
//! each question.
//!
//! # Sound, not complete
//!
//! The view contains a state, which nobody sees. So the bound may exceed the worst δ at every
//! length. Merging states that no experiment tells apart coarsens the view, so the bound for the
//! minimised automaton is the same or better. What a state would respond is past right after its
//! release, so states are first parted by role ([`Automaton::by_role`]).
//!
//! # Streams that count
//!
//! Over realisable streams, the state s comes with the version space of the records before round i:
//! z and w must both be possible there, and the next question must belong to a record that may
//! follow both. If none may, the streams end with round i.

use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;

use rustc_hash::FxBuildHasher;

use littlestone_base::error::Result;
use littlestone_exact::limits::{Limits, Progress, Stopped};
use littlestone_exact::with_arithmetic;
use littlestone_exact::{Arithmetic, Number};
use littlestone_mechanism::{Automaton, Kind};

use super::model::{Model, Responses};
use super::question::{Notion, Question};
use super::search::{Places, Records, both_step, places_after};
use super::streams::Streams;
use super::verdict::{admissible, differing};

/// A bound on the worst δ at every length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepBound {
    /// The bound: the greatest divergence of the views.
    pub bound: Number,
    /// Where it is attained first; `None` when no two records may stand in one round.
    pub attained_by: Option<Split>,
    /// Number of states before a round that streams reach, counted with their version spaces if
    /// only realisable streams count.
    pub states: usize,
}

/// One round in which two streams differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// The state before the round.
    pub state: usize,
    /// The record of each stream, the one that makes the view more likely first; `None` is an absent
    /// record.
    pub records: [Option<usize>; 2],
    /// What is shown before the next release, as an index into the *before* symbols; `None` when the
    /// mechanism is one-shot or nothing may follow.
    pub next: Option<usize>,
}

/// The bound for an automaton that covers streams of every length.
///
/// # Errors
/// As [`worst_delta`](super::worst_delta). A limit that is hit is `Ok(Err(…))`.
pub fn step_bound(
    automaton: &Automaton,
    streams: &Streams,
    question: &Question,
    limits: &Limits,
    progress: &Progress,
) -> Result<std::result::Result<StepBound, Stopped>> {
    automaton.covers_every_length()?;
    admissible(automaton, streams, question, 1)?;
    with_arithmetic!(automaton.weights(), &question.epsilon, arithmetic => {
        let model = match Model::new(&arithmetic, automaton, 1, &mut limits.meter()) {
            Ok(model) => model,
            Err(stopped) => return Ok(Err(stopped)),
        };
        let responses = Responses::new(&arithmetic, automaton);
        let steps = Steps {
            arithmetic: &arithmetic,
            automaton,
            model: &model,
            responses,
            streams,
            counted: question.notion == Notion::Whole,
        };
        let differing = differing(&model, question.neighbours);
        Ok(steps.bound(&differing, limits, progress))
    })
}

/// A state before a round, and the place of the stream.
type Reached = (u32, u32);

/// A view: the symbol of the differing round, the next symbol, the state.
type View = (u32, u32, u32);

/// What a law of views depends on: the state, the record and the next question.
type Side = (u32, Option<u32>, Option<usize>);

/// A law of views, sorted.
type Law<W> = Vec<(View, W)>;

struct Steps<'s, A: Arithmetic> {
    arithmetic: &'s A,
    automaton: &'s Automaton,
    model: &'s Model<A>,
    responses: Responses<A::Weight>,
    streams: &'s Streams,
    counted: bool,
}

impl<A: Arithmetic> Steps<'_, A> {
    fn bound(
        &self,
        differing: &[Records],
        limits: &Limits,
        progress: &Progress,
    ) -> std::result::Result<StepBound, Stopped> {
        let arithmetic = self.arithmetic;
        let reached = self.reached(limits, progress)?;
        let mut worst = arithmetic.value_zero();
        let mut attained_by = None;
        // States are met in several places; views depend on the state alone.
        let mut laws: HashMap<Side, Law<A::Weight>, FxBuildHasher> = HashMap::default();
        let mut at = None;
        for &(state, place) in &reached {
            count(limits, progress)?;
            if at != Some(state) {
                laws.clear();
                at = Some(state);
            }
            for &records in differing {
                let Some(places) = places_after(self.streams, place, records) else { continue };
                for next in self.questions(places) {
                    for record in [records.first, records.second] {
                        laws.entry((state, record, next))
                            .or_insert_with(|| self.view(state, record, next));
                    }
                    let sides = [records.first, records.second].map(|r| &laws[&(state, r, next)]);
                    let value = divergence(arithmetic, sides);
                    if attained_by.is_none() || arithmetic.value_cmp(&value, &worst).is_gt() {
                        worst = value;
                        let records = [records.first, records.second]
                            .map(|record| record.map(|z| z as usize));
                        attained_by = Some(Split { state: state as usize, records, next });
                    }
                }
            }
        }
        let denominator =
            arithmetic.mul(&self.model.round_denominator, &self.responses.denominator);
        let bound = arithmetic.number(&worst, &denominator);
        Ok(StepBound { bound, attained_by, states: reached.len() })
    }

    /// The states before a round that streams reach, each with the place of the stream, by state.
    fn reached(
        &self,
        limits: &Limits,
        progress: &Progress,
    ) -> std::result::Result<Vec<Reached>, Stopped> {
        let mut reached: Vec<Reached> =
            self.model.start.iter().map(|(state, _)| (*state, Streams::START)).collect();
        let mut met: std::collections::HashSet<Reached, FxBuildHasher> =
            reached.iter().copied().collect();
        let mut next = 0;
        while let Some(&(state, place)) = reached.get(next) {
            next += 1;
            count(limits, progress)?;
            for record in 0..self.model.records {
                let Some(place) = self.streams.step(place, record) else { continue };
                for m in self.model.moves(record, state) {
                    if met.insert((m.to, place)) {
                        reached.push((m.to, place));
                    }
                }
            }
        }
        reached.sort_unstable();
        Ok(reached)
    }

    /// What may be shown before the next release; `None` stands for no further release.
    fn questions(&self, places: Places) -> Vec<Option<usize>> {
        let interface = self.automaton.interface();
        if interface.kind() == Kind::OneShot {
            return vec![None];
        }
        let mut questions: Vec<Option<usize>> = (0..self.model.records)
            .filter(|&record| both_step(self.streams, places, record).is_some())
            .map(|record| Some(interface.parts(record as usize).0))
            .collect();
        questions.dedup();
        if questions.is_empty() { vec![None] } else { questions }
    }

    /// The law of the view, over the product of the denominators of a round and of a release.
    fn view(&self, state: u32, record: Option<u32>, next: Option<usize>) -> Law<A::Weight> {
        let Self { arithmetic, model, responses, .. } = self;
        let one_shot = model.finish.is_some();
        let mut law: Law<A::Weight> = Vec::new();
        let Some(record) = record else {
            let whole = arithmetic.mul(&model.round_denominator, &responses.denominator);
            return vec![((0, 0, state), whole)];
        };
        for m in model.moves(record, state) {
            let output = if self.counted && !one_shot { m.output } else { 0 };
            if let Some(before) = next {
                for release in responses.of(m.to as usize, before) {
                    let weight = arithmetic.mul(&m.weight, &release.weight);
                    law.push(((output, release.output, release.to), weight));
                }
            } else {
                let weight = arithmetic.mul(&m.weight, &responses.denominator);
                let state = if one_shot { m.to } else { 0 };
                law.push(((output, 0, state), weight));
            }
        }
        law.sort_unstable_by_key(|entry| entry.0);
        law.dedup_by(|later, kept| {
            let equal = later.0 == kept.0;
            if equal {
                arithmetic.add(&mut kept.1, &later.1);
            }
            equal
        });
        law
    }
}

/// `Σ max(0, P − e^ε·Q)` of two laws of views.
fn divergence<A: Arithmetic>(arithmetic: &A, [first, second]: [&Law<A::Weight>; 2]) -> A::Value {
    let zero = arithmetic.zero();
    let mut divergence = arithmetic.value_zero();
    for (view, p) in first {
        let q = second.binary_search_by_key(view, |entry| entry.0);
        let q = q.map_or(&zero, |at| &second[at].1);
        if let Some(excess) = arithmetic.excess(p, q) {
            arithmetic.value_add(&mut divergence, &excess);
        }
    }
    divergence
}

pub(super) fn count(limits: &Limits, progress: &Progress) -> std::result::Result<(), Stopped> {
    let before = progress.states.fetch_add(1, Relaxed);
    if limits.states.is_some_and(|limit| before >= limit) {
        return Err(Stopped::States);
    }
    limits.check()
}

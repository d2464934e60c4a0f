//! A learner as Section 2 sees it: what it says of one point, and how three examples move it.

use rustc_hash::FxHashMap;

use crate::adversary::Thirds;
use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::{Meter, Stopped};
use littlestone_exact::{Arithmetic, Number};
use littlestone_mechanism::{Automaton, Kind};

/// The examples that Algorithm 1 uses: the dummy one, (x, 0), (x, 1).
pub(super) const DUMMY: usize = 0;

/// The place of the informative example with that label.
pub(super) fn informative(label: bool) -> usize {
    1 + usize::from(label)
}

/// Where a state leads, as weights of states.
type Moves<W> = Vec<(usize, W)>;

/// A hidden Markov model. In each round the bit `Y_r` = `h_r(x)` is released and then one of the three
/// examples observed; states that no future tells apart are one.
#[derive(Debug, Clone)]
pub(super) struct Learner<A: Arithmetic> {
    pub arithmetic: A,
    /// Weights of the states before round 1, over `start_denominator`.
    pub start: Vec<A::Weight>,
    pub start_denominator: A::Weight,
    pub round_denominator: A::Weight,
    /// `moves[state][example][bit]`, over `round_denominator`; empty for a state that no stream
    /// asks to release.
    moves: Vec<Vec<[Moves<A::Weight>; 2]>>,
}

/// Checks that the mechanism is a learner over the adversary's points, whose table covers the
/// rounds.
pub(super) fn admissible(automaton: &Automaton, adversary: &Thirds) -> Result<()> {
    let interface = automaton.interface();
    if interface.kind() != Kind::Learner {
        return Err(Error::argument(format!(
            "the potentials of Section 2.1 are about learners (Definition 1); this is a {}",
            interface.kind()
        )));
    }
    let records = interface.records();
    if adversary.dummy() >= records || adversary.informative(true) >= records {
        return Err(Error::argument("the adversary's points are not those of the learner"));
    }
    automaton.covers(adversary.rounds())
}

impl<A: Arithmetic> Learner<A> {
    /// The model of a learner, reduced to what the adversary's streams reach.
    ///
    /// # Errors
    /// When a limit is hit.
    ///
    /// # Panics
    /// When a weight is not one of the arithmetic.
    pub(super) fn new(
        arithmetic: A,
        automaton: &Automaton,
        adversary: &Thirds,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stopped> {
        let rows = automaton.rows();
        let common = |numbers: Vec<Number>| {
            arithmetic.common(&numbers).expect("the arithmetic was chosen for these numbers")
        };
        let (start, start_denominator) =
            common(automaton.start().iter().map(|(_, weight)| weight.clone()).collect());
        // Denominators over the whole table, so that all rounds share them.
        let responses = rows.iter().flat_map(|row| row.respond.iter().flatten());
        let (_, respond) = common(responses.map(|r| r.weight.clone()).collect());
        let observations = rows.iter().flat_map(|row| row.observe.iter().flatten());
        let (_, observe) = common(observations.map(|(_, weight)| weight.clone()).collect());
        let over = |weight: &Number, denominator: &A::Weight| {
            let (weights, own) = common(vec![weight.clone()]);
            arithmetic.mul(&weights[0], &arithmetic.divide(denominator, &own))
        };
        let examples =
            [adversary.dummy(), adversary.informative(false), adversary.informative(true)];
        let moves = |state: usize| -> Vec<[Moves<A::Weight>; 2]> {
            let Some(law) = rows[state].respond.first() else { return Vec::new() };
            let example = |record: &usize| {
                let mut moves = [Vec::new(), Vec::new()];
                for response in law {
                    let label = automaton.outputs()[response.output].as_bytes()[adversary.point()];
                    let weight = over(&response.weight, &respond);
                    for (next, w) in automaton.observe(response.next, *record) {
                        let weight = arithmetic.mul(&weight, &over(w, &observe));
                        moves[usize::from(label == b'1')].push((*next, weight));
                    }
                }
                moves.map(|moves| collect(&arithmetic, moves))
            };
            examples.iter().map(example).collect()
        };
        let moves = (0..rows.len()).map(|state| {
            let weights: usize = rows[state].respond.iter().map(Vec::len).sum();
            meter.operations(1 + weights)?;
            Ok(moves(state))
        });
        let moves = moves.collect::<Result<Vec<_>, Stopped>>()?;
        let mut vector = vec![arithmetic.zero(); rows.len()];
        for ((state, _), weight) in automaton.start().iter().zip(start) {
            vector[*state] = weight;
        }
        let round_denominator = arithmetic.mul(&respond, &observe);
        Self { start: vector, start_denominator, round_denominator, moves, arithmetic }
            .reachable()
            .lumped(meter)
    }

    pub(super) fn states(&self) -> usize {
        self.moves.len()
    }

    /// The part of `vector` that releases `bit`, after `example`.
    pub(super) fn step(&self, vector: &[A::Weight], example: usize, bit: usize) -> Vec<A::Weight> {
        let mut next = vec![self.arithmetic.zero(); vector.len()];
        for (state, weight) in vector.iter().enumerate() {
            if self.arithmetic.is_zero(weight) {
                continue;
            }
            for (to, w) in self.moves[state].get(example).map_or(&[][..], |moves| &moves[bit]) {
                let moved = self.arithmetic.mul(weight, w);
                self.arithmetic.add(&mut next[*to], &moved);
            }
        }
        next
    }

    /// As [`Learner::step`], for gaps.
    pub(super) fn step_gaps(&self, vector: &[A::Gap], example: usize, bit: usize) -> Vec<A::Gap> {
        let mut next = vec![self.arithmetic.gap_zero(); vector.len()];
        for (state, gap) in vector.iter().enumerate() {
            for (to, w) in self.moves[state].get(example).map_or(&[][..], |moves| &moves[bit]) {
                let moved = self.arithmetic.gap_scale(gap, w);
                self.arithmetic.gap_add(&mut next[*to], &moved);
            }
        }
        next
    }

    /// The states that the start leads to.
    fn reachable(self) -> Self {
        let mut places = vec![None; self.states()];
        let mut order = Vec::new();
        let mut meet = |state: usize, order: &mut Vec<usize>| {
            if places[state].is_none() {
                places[state] = Some(order.len());
                order.push(state);
            }
        };
        for (state, weight) in self.start.iter().enumerate() {
            if !self.arithmetic.is_zero(weight) {
                meet(state, &mut order);
            }
        }
        let mut at = 0;
        while at < order.len() {
            for (next, _) in self.moves[order[at]].iter().flatten().flatten() {
                meet(*next, &mut order);
            }
            at += 1;
        }
        let places: Vec<usize> = places.into_iter().map(|place| place.unwrap_or(0)).collect();
        self.relabelled(&places, &order)
    }

    /// The coarsest partition into states with equal laws of (bit, next block) after each example.
    fn lumped(self, meter: &mut Meter<'_>) -> Result<Self, Stopped> {
        let mut blocks = vec![0; self.states()];
        let mut count = 1;
        loop {
            let mut known = FxHashMap::default();
            let mut representatives = Vec::new();
            let next = (0..self.states())
                .map(|state| {
                    let moves: usize = self.moves[state].iter().flatten().map(Vec::len).sum();
                    meter.operations(1 + moves)?;
                    let steps = self.moves_to(state, &blocks);
                    Ok(*known.entry((blocks[state], steps)).or_insert_with(|| {
                        representatives.push(state);
                        representatives.len() - 1
                    }))
                })
                .collect::<Result<Vec<usize>, Stopped>>()?;
            blocks = next;
            if representatives.len() == count {
                return Ok(self.relabelled(&blocks, &representatives));
            }
            count = representatives.len();
        }
    }

    fn moves_to(&self, state: usize, places: &[usize]) -> Vec<[Moves<A::Weight>; 2]> {
        let moved = |moves: &Moves<A::Weight>| {
            collect(&self.arithmetic, moves.iter().map(|(s, w)| (places[*s], w.clone())).collect())
        };
        self.moves[state].iter().map(|[zero, one]| [moved(zero), moved(one)]).collect()
    }

    /// The model over places, each of which does what its representative does.
    fn relabelled(self, places: &[usize], representatives: &[usize]) -> Self {
        let mut start = vec![self.arithmetic.zero(); representatives.len()];
        for (state, weight) in self.start.iter().enumerate() {
            if !self.arithmetic.is_zero(weight) {
                self.arithmetic.add(&mut start[places[state]], weight);
            }
        }
        let moves = representatives.iter().map(|state| self.moves_to(*state, places)).collect();
        Self { start, moves, ..self }
    }
}

/// Sorts moves by state and adds up those to one state.
fn collect<A: Arithmetic>(arithmetic: &A, mut moves: Moves<A::Weight>) -> Moves<A::Weight> {
    moves.sort_unstable_by_key(|(state, _)| *state);
    moves.dedup_by(|later, kept| {
        let equal = later.0 == kept.0;
        if equal {
            arithmetic.add(&mut kept.1, &later.1);
        }
        equal
    });
    moves
}

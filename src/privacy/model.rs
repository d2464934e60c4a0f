//! The automaton as the engine sees it: integer weights over denominators agreed per step.

use crate::exact::{Arithmetic, Number};
use crate::mechanism::{Automaton, Kind, Response};

/// One way a round can go from a state: the released symbol, the next state, and the weight.
#[derive(Debug, Clone)]
pub(super) struct Move<W> {
    pub output: u32,
    pub to: u32,
    pub weight: W,
}

/// A law over states: state and weight, sorted by state, no zero weights.
pub(super) type Belief<W> = Vec<(u32, W)>;

/// What a verdict needs of a mechanism, over a fixed arithmetic.
///
/// A *record* is what one round of a stream carries: the part before the release and the part
/// after it. All moves of a round share one denominator, so weights after `r` rounds are
/// numerators over `start_denominator · round_denominator^r` and sums need no common denominators.
#[derive(Debug, Clone)]
pub(super) struct Model<A: Arithmetic> {
    /// Number of records.
    pub records: u32,
    /// The law of the state before round 1.
    pub start: Belief<A::Weight>,
    pub start_denominator: A::Weight,
    /// The moves of each record from each state: `moves[record][state]`.
    moves: Vec<Vec<Vec<Move<A::Weight>>>>,
    released: Vec<Vec<Belief<A::Weight>>>,
    pub round_denominator: A::Weight,
    /// For one-shot mechanisms, the law of the released symbol in each state.
    pub finish: Option<Vec<Vec<(u32, A::Weight)>>>,
    remaining: Vec<A::Weight>,
}

impl<A: Arithmetic> Model<A> {
    /// The moves of a record from a state.
    pub fn moves(&self, record: u32, state: u32) -> &[Move<A::Weight>] {
        &self.moves[record as usize][state as usize]
    }

    /// The law of the symbol that a record's round releases from a state.
    pub fn released(&self, record: u32, state: u32) -> &[(u32, A::Weight)] {
        &self.released[record as usize][state as usize]
    }

    /// Number of states.
    pub fn states(&self) -> u32 {
        u32::try_from(self.moves.first().map_or(0, Vec::len)).expect("states fit u32")
    }

    /// (round denominator)^left · finish denominator: what a numerator must be multiplied with
    /// when `left` rounds are left to the end of the stream.
    pub fn remaining_denominator(&self, left: usize) -> &A::Weight {
        &self.remaining[left]
    }

    /// The denominator of a weight or a divergence at the end of a stream of `rounds` rounds.
    pub fn denominator(&self, arithmetic: &A, rounds: usize) -> A::Weight {
        arithmetic.mul(&self.start_denominator, &self.remaining[rounds])
    }

    /// Multiplies all weights of a stream and their denominator by `factor`.
    pub fn scale(&mut self, arithmetic: &A, factor: &A::Weight) {
        for (_, weight) in &mut self.start {
            *weight = arithmetic.mul(weight, factor);
        }
        self.start_denominator = arithmetic.mul(&self.start_denominator, factor);
    }

    /// The model of `automaton` for streams of at most `rounds` rounds. `None` when a probability
    /// is not a number of this arithmetic.
    pub fn new(arithmetic: &A, automaton: &Automaton, rounds: usize) -> Option<Self> {
        let rows = automaton.rows();
        let interface = automaton.interface();
        let (befores, afters) = (interface.before().len(), interface.after().len());

        let common = |numbers: Vec<&Number>| {
            arithmetic.common(&numbers.into_iter().cloned().collect::<Vec<Number>>())
        };
        let (start, start_denominator) =
            common(automaton.start().iter().map(|(_, w)| w).collect())?;
        let (respond, respond_denominator) = common(
            rows.iter().flat_map(|r| r.respond.iter().flatten()).map(|r| &r.weight).collect(),
        )?;
        let (observe, observe_denominator) =
            common(rows.iter().flat_map(|r| r.observe.iter().flatten()).map(|(_, w)| w).collect())?;
        let (finish, finish_denominator) =
            common(rows.iter().flat_map(|r| &r.finish).map(|(_, w)| w).collect())?;

        let mut respond = respond.into_iter();
        let mut observe = observe.into_iter();
        let mut finish = finish.into_iter();
        let index = |i: usize| u32::try_from(i).expect("indices fit u32");
        let start = automaton.start().iter().map(|(s, _)| index(*s)).zip(start).collect();
        // The numerators in the order in which the rows list them.
        let responses: Vec<Vec<Vec<Move<A::Weight>>>> = rows
            .iter()
            .map(|row| {
                row.respond
                    .iter()
                    .map(|law| {
                        let take = |r: &Response| Move {
                            output: index(r.output),
                            to: index(r.next),
                            weight: respond.next().expect("one numerator a response"),
                        };
                        law.iter().map(take).collect()
                    })
                    .collect()
            })
            .collect();
        let observations: Vec<Vec<Belief<A::Weight>>> = rows
            .iter()
            .map(|row| {
                row.observe
                    .iter()
                    .map(|law| {
                        law.iter()
                            .map(|(s, _)| (index(*s), observe.next().expect("one a move")))
                            .collect()
                    })
                    .collect()
            })
            .collect();
        let one_shot = interface.kind() == Kind::OneShot;
        let finish = one_shot.then(|| {
            rows.iter()
                .map(|row| {
                    row.finish
                        .iter()
                        .map(|(o, _)| (index(*o), finish.next().expect("one an output")))
                        .collect()
                })
                .collect()
        });

        let round = |state: usize, before: usize, after: usize| -> Vec<Move<A::Weight>> {
            let observed = |m: &Move<A::Weight>| -> Vec<Move<A::Weight>> {
                let laws = &observations[m.to as usize];
                laws.get(after).map_or_else(Vec::new, |law| {
                    law.iter()
                        .map(|(to, weight)| Move {
                            output: m.output,
                            to: *to,
                            weight: arithmetic.mul(&m.weight, weight),
                        })
                        .collect()
                })
            };
            let silent = || Move { output: 0, to: index(state), weight: arithmetic.one() };
            let mut moves: Vec<Move<A::Weight>> = if one_shot {
                observed(&silent())
            } else {
                responses[state]
                    .get(before)
                    .map_or_else(Vec::new, |r| r.iter().flat_map(observed).collect())
            };
            moves.sort_by_key(|m| (m.output, m.to));
            moves.dedup_by(|later, kept| {
                let equal = (later.output, later.to) == (kept.output, kept.to);
                if equal {
                    arithmetic.add(&mut kept.weight, &later.weight);
                }
                equal
            });
            moves
        };
        let moves: Vec<Vec<Vec<Move<A::Weight>>>> = (0..befores)
            .flat_map(|before| (0..afters).map(move |after| (before, after)))
            .map(|(before, after)| (0..rows.len()).map(|s| round(s, before, after)).collect())
            .collect();
        let round_denominator = if one_shot {
            observe_denominator
        } else {
            arithmetic.mul(&respond_denominator, &observe_denominator)
        };
        let mut remaining = vec![finish_denominator];
        for left in 0..rounds {
            remaining.push(arithmetic.mul(&remaining[left], &round_denominator));
        }
        let released =
            moves.iter().map(|states| states.iter().map(|m| released(arithmetic, m)).collect());
        Some(Self {
            records: index(moves.len()),
            start,
            start_denominator,
            released: released.collect(),
            moves,
            round_denominator,
            finish,
            remaining,
        })
    }
}

/// Sums moves, sorted by symbol, over the next state.
fn released<A: Arithmetic>(arithmetic: &A, moves: &[Move<A::Weight>]) -> Vec<(u32, A::Weight)> {
    let mut law: Vec<(u32, A::Weight)> = Vec::new();
    for m in moves {
        match law.last_mut() {
            Some((output, sum)) if *output == m.output => arithmetic.add(sum, &m.weight),
            _ => law.push((m.output, m.weight.clone())),
        }
    }
    law
}

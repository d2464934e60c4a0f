//! The automaton as the engine sees it: integer weights over denominators agreed per step.

use littlestone_exact::limits::{Meter, Stopped};
use littlestone_exact::{Arithmetic, Number};
use littlestone_mechanism::{Automaton, Kind};

/// One way a round can go from a state: the released symbol, the next state, and the weight.
#[derive(Debug, Clone)]
pub(super) struct Move<W> {
    pub output: u32,
    pub to: u32,
    pub weight: W,
}

/// A law over states or symbols: index and weight, no zero weights.
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
    pub finish: Option<Vec<Belief<A::Weight>>>,
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

    /// The model of `automaton` for streams of at most `rounds` rounds.
    ///
    /// # Errors
    /// When a limit is hit.
    ///
    /// # Panics
    /// When a probability is not a number of this arithmetic.
    pub fn new(
        arithmetic: &A,
        automaton: &Automaton,
        rounds: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stopped> {
        let rows = automaton.rows();
        let interface = automaton.interface();
        let one_shot = interface.kind() == Kind::OneShot;
        let (start, start_denominator) = law(arithmetic, &[automaton.start()]);
        let responses = Responses::new(arithmetic, automaton);
        let observed: Vec<&[(usize, Number)]> =
            rows.iter().flat_map(|row| row.observe.iter().map(Vec::as_slice)).collect();
        let (observed, observe_denominator) = law(arithmetic, &observed);
        let finished: Vec<&[(usize, Number)]> = rows.iter().map(|row| &row.finish[..]).collect();
        let (finished, finish_denominator) = law(arithmetic, &finished);

        // The observations of each state, in the order in which the rows list them.
        let mut observed = observed.into_iter();
        let observations: Vec<Vec<Belief<A::Weight>>> =
            rows.iter().map(|row| observed.by_ref().take(row.observe.len()).collect()).collect();
        let mut round = |state: usize, before: usize, after: usize| {
            let silent = [Move { output: 0, to: index(state), weight: arithmetic.one() }];
            let released = if one_shot { &silent } else { responses.of(state, before) };
            let mut moves = Vec::new();
            meter.operations(1)?;
            for m in released {
                meter.operations(1)?;
                for (to, weight) in observations[m.to as usize].get(after).into_iter().flatten() {
                    let weight = arithmetic.mul(&m.weight, weight);
                    moves.push(Move { output: m.output, to: *to, weight });
                }
            }
            Ok(merged(arithmetic, moves))
        };
        let (befores, afters) = (interface.before().len(), interface.after().len());
        let moves: Vec<Vec<Vec<Move<A::Weight>>>> = (0..befores * afters)
            .map(|z| (0..rows.len()).map(|s| round(s, z / afters, z % afters)).collect())
            .collect::<Result<_, Stopped>>()?;
        let round_denominator = if one_shot {
            observe_denominator
        } else {
            arithmetic.mul(&responses.denominator, &observe_denominator)
        };
        let mut remaining = vec![finish_denominator];
        for left in 0..rounds {
            remaining.push(arithmetic.mul(&remaining[left], &round_denominator));
        }
        let sums = |states: &Vec<Vec<_>>| states.iter().map(|m| released(arithmetic, m)).collect();
        Ok(Self {
            records: index(moves.len()),
            start: start.into_iter().next().expect("one law was given"),
            start_denominator,
            released: moves.iter().map(sums).collect(),
            moves,
            round_denominator,
            finish: one_shot.then_some(finished),
            remaining,
        })
    }
}

fn index(i: usize) -> u32 {
    u32::try_from(i).expect("indices fit u32")
}

/// Laws over one common denominator, which comes second.
type Laws<W> = (Vec<Belief<W>>, W);

fn law<A: Arithmetic>(arithmetic: &A, laws: &[&[(usize, Number)]]) -> Laws<A::Weight> {
    let numbers: Vec<Number> =
        laws.iter().flat_map(|law| law.iter().map(|e| e.1.clone())).collect();
    let (numerators, denominator) = common(arithmetic, &numbers);
    let mut numerators = numerators.into_iter();
    let laws = laws
        .iter()
        .map(|law| law.iter().map(|e| index(e.0)).zip(numerators.by_ref()).collect())
        .collect();
    (laws, denominator)
}

fn common<A: Arithmetic>(arithmetic: &A, numbers: &[Number]) -> (Vec<A::Weight>, A::Weight) {
    arithmetic.common(numbers).expect("the arithmetic was chosen for these numbers")
}

/// What each state may release for each *before* symbol.
pub(super) struct Responses<W> {
    moves: Vec<Vec<Vec<Move<W>>>>,
    pub denominator: W,
}

impl<W: Clone> Responses<W> {
    pub fn new<A: Arithmetic<Weight = W>>(arithmetic: &A, automaton: &Automaton) -> Self {
        let all = automaton.rows().iter().flat_map(|row| row.respond.iter().flatten());
        let numbers: Vec<Number> = all.map(|response| response.weight.clone()).collect();
        let (numerators, denominator) = common(arithmetic, &numbers);
        let mut numerators = numerators.into_iter();
        let mut moves = Vec::with_capacity(automaton.len());
        for row in automaton.rows() {
            let mut laws = Vec::with_capacity(row.respond.len());
            for law in &row.respond {
                let outcomes = law.iter().map(|r| (index(r.output), index(r.next)));
                let law = outcomes
                    .zip(numerators.by_ref())
                    .map(|((output, to), weight)| Move { output, to, weight })
                    .collect();
                laws.push(law);
            }
            moves.push(laws);
        }
        Self { moves, denominator }
    }

    /// Nothing for a state that is never asked.
    pub fn of(&self, state: usize, before: usize) -> &[Move<W>] {
        self.moves[state].get(before).map_or(&[], Vec::as_slice)
    }
}

/// Adds moves of equal symbol and next state, and sorts them.
fn merged<A: Arithmetic>(arithmetic: &A, mut moves: Vec<Move<A::Weight>>) -> Vec<Move<A::Weight>> {
    moves.sort_by_key(|m| (m.output, m.to));
    moves.dedup_by(|later, kept| {
        let equal = (later.output, later.to) == (kept.output, kept.to);
        if equal {
            arithmetic.add(&mut kept.weight, &later.weight);
        }
        equal
    });
    moves
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

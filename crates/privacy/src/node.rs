//! What an observer of the released symbols can know: for each output history a vector of masses.
//!
//! Before the differing round both streams of a pair give the same law, and a history carries one
//! mass a state (`N = 1`). From the differing round on it carries two (`N = 2`): P, the mass under
//! the first stream, and Q, the mass under the second. Histories whose vectors are proportional
//! *with the same factor for P and Q* answer every later question in proportion, so they are
//! merged; P and Q are never scaled apart.

use littlestone_exact::Arithmetic;

use super::model::{Model, Move};
use super::search::Records;
use littlestone_exact::limits::{Meter, Stopped};

/// Masses of the states of one history up to a common factor, sorted by state. No entry is zero
/// throughout, and the masses have no common divisor that the arithmetic knows.
pub(super) type Direction<W, const N: usize> = Vec<(u32, [W; N])>;

/// A set of histories: distinct directions in increasing order, each with its total factor.
pub(super) type Node<W, const N: usize> = Vec<(Direction<W, N>, W)>;

/// One summand of a step: (released symbol, state, masses).
type Term<W, const N: usize> = (u32, u32, [W; N]);

/// Sums terms of equal symbol and state, splits them by symbol, takes out common factors, and
/// pushes the resulting directions.
fn collect<A: Arithmetic, const N: usize>(
    arithmetic: &A,
    factor: &A::Weight,
    terms: &mut Vec<Term<A::Weight, N>>,
    node: &mut Node<A::Weight, N>,
) {
    terms.sort_unstable_by_key(|&(output, state, _)| (output, state));
    let mut rest = terms.drain(..).peekable();
    while let Some((output, state, masses)) = rest.next() {
        let mut direction = vec![(state, masses)];
        while let Some((_, state, masses)) = rest.next_if(|t| t.0 == output) {
            match direction.last_mut() {
                Some((last, sum)) if *last == state => {
                    for (a, b) in sum.iter_mut().zip(&masses) {
                        arithmetic.add(a, b);
                    }
                }
                _ => direction.push((state, masses)),
            }
        }
        let all = || direction.iter().flat_map(|(_, m)| m).filter(|w| !arithmetic.is_zero(w));
        let content = arithmetic.content(all());
        let one = arithmetic.one();
        if content != one {
            for (_, masses) in &mut direction {
                for mass in masses {
                    if !arithmetic.is_zero(mass) {
                        *mass = arithmetic.divide(mass, &content);
                    }
                }
            }
        }
        node.push((direction, arithmetic.mul(factor, &content)));
    }
}

/// Merges equal directions.
fn merge<A: Arithmetic, const N: usize>(arithmetic: &A, node: &mut Node<A::Weight, N>) {
    node.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    node.dedup_by(|later, kept| {
        let equal = later.0 == kept.0;
        if equal {
            arithmetic.add(&mut kept.1, &later.1);
        }
        equal
    });
}

/// All histories one round later, when the round carries `record` in both streams.
///
/// # Errors
/// When a limit is hit.
pub(super) fn advance<A: Arithmetic, const N: usize>(
    arithmetic: &A,
    model: &Model<A>,
    node: &Node<A::Weight, N>,
    record: u32,
    meter: &mut Meter<'_>,
) -> Result<Node<A::Weight, N>, Stopped> {
    let mut next = Vec::with_capacity(2 * node.len());
    let mut terms = Vec::new();
    for (direction, factor) in node {
        for (state, masses) in direction {
            let moves = model.moves(record, *state);
            meter.operations(1 + moves.len())?;
            for Move { output, to, weight } in moves {
                let masses = std::array::from_fn(|i| arithmetic.mul(&masses[i], weight));
                terms.push((*output, *to, masses));
            }
        }
        collect(arithmetic, factor, &mut terms, &mut next);
    }
    merge(arithmetic, &mut next);
    Ok(next)
}

/// The histories after the differing round, which carries `first` in one stream and `second` in
/// the other. With `counted`, the symbol released in that round is part of the output; without it
/// (joint privacy, Definition 4), it is dropped on both sides. A second record of `None` is an
/// absent one: that stream is shorter by a round.
///
/// # Errors
/// When a limit is hit.
pub(super) fn split<A: Arithmetic>(
    arithmetic: &A,
    model: &Model<A>,
    node: &Node<A::Weight, 1>,
    Records { first, second }: Records,
    counted: bool,
    meter: &mut Meter<'_>,
) -> Result<Node<A::Weight, 2>, Stopped> {
    let mut next = Vec::with_capacity(node.len());
    let mut terms: Vec<Term<A::Weight, 2>> = Vec::new();
    for (direction, factor) in node {
        for (side, record) in [first, second].into_iter().enumerate() {
            for (state, [mass]) in direction {
                let mut push = |output: u32, to: u32, weight: &A::Weight| {
                    let mut masses = [arithmetic.zero(), arithmetic.zero()];
                    masses[side] = arithmetic.mul(mass, weight);
                    terms.push((if counted { output } else { 0 }, to, masses));
                };
                match record {
                    Some(record) => {
                        let moves = model.moves(record, *state);
                        meter.operations(1 + moves.len())?;
                        for Move { output, to, weight } in moves {
                            push(*output, *to, weight);
                        }
                    }
                    None => push(0, *state, &model.round_denominator),
                }
            }
        }
        collect(arithmetic, factor, &mut terms, &mut next);
    }
    merge(arithmetic, &mut next);
    Ok(next)
}

/// The law of the state, summed over all histories: terms of equal state are added.
///
/// # Errors
/// When a limit is hit.
pub(super) fn advance_law<A: Arithmetic>(
    arithmetic: &A,
    model: &Model<A>,
    law: &[(u32, A::Weight)],
    record: u32,
    meter: &mut Meter<'_>,
) -> Result<Vec<(u32, A::Weight)>, Stopped> {
    let mut terms: Vec<(u32, A::Weight)> = Vec::new();
    for (state, mass) in law {
        let moves = model.moves(record, *state);
        meter.operations(1 + moves.len())?;
        for Move { to, weight, .. } in moves {
            terms.push((*to, arithmetic.mul(mass, weight)));
        }
    }
    terms.sort_unstable_by_key(|&(state, _)| state);
    terms.dedup_by(|later, kept| {
        let equal = later.0 == kept.0;
        if equal {
            arithmetic.add(&mut kept.1, &later.1);
        }
        equal
    });
    Ok(terms)
}

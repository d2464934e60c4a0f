//! What an observer can know from the differing round on, as far as it matters for a divergence.
//!
//! The divergence of a pair of streams is `Σ max(0, P(y) − e^ε·Q(y))` over all outputs y, and
//! P(y) − e^ε·Q(y) is linear in the gaps P(s) − e^ε·Q(s) of the states s after the differing round.
//! So a history carries one gap a state. A history without a positive gap never adds to the
//! divergence and is dropped; one without a negative gap adds the sum of its gaps whatever follows:
//! it is settled. The others are open; those that are proportional answer every later question in
//! proportion, so they are merged.

use littlestone_exact::Arithmetic;
use littlestone_exact::limits::{Meter, Stopped};

use super::model::{Model, Move};
use super::node::Node;

/// Gaps of the states of one history up to a common factor, sorted by state. Some are positive and
/// some negative, none is zero, and they have no common divisor that the arithmetic knows.
type Direction<G> = Vec<(u32, G)>;

/// A set of histories.
#[derive(Debug, Clone)]
pub(super) struct Gaps<G, W, V> {
    /// What the settled histories add to the divergence.
    pub settled: V,
    /// The distinct open directions in increasing order, each with its total factor.
    pub open: Vec<(Direction<G>, W)>,
}

/// The gaps of an arithmetic.
pub(super) type GapsOf<A> =
    Gaps<<A as Arithmetic>::Gap, <A as Arithmetic>::Weight, <A as Arithmetic>::Value>;

/// One summand of a step: (released symbol, state, gap).
type Term<G> = (u32, u32, G);

/// The gaps of histories that carry the masses of both streams.
pub(super) fn of_pairs<A: Arithmetic>(arithmetic: &A, node: &Node<A::Weight, 2>) -> GapsOf<A> {
    let mut gaps = Gaps { settled: arithmetic.value_zero(), open: Vec::new() };
    for (direction, factor) in node {
        let direction =
            direction.iter().map(|(state, [p, q])| (*state, arithmetic.gap(p, q))).collect();
        push(arithmetic, direction, factor, &mut gaps);
    }
    merge(arithmetic, &mut gaps);
    gaps
}

/// All histories one round later, when the round carries `record` in both streams.
///
/// # Errors
/// When a limit is hit.
pub(super) fn advance<A: Arithmetic>(
    arithmetic: &A,
    model: &Model<A>,
    gaps: &GapsOf<A>,
    record: u32,
    meter: &mut Meter<'_>,
) -> Result<GapsOf<A>, Stopped> {
    let mut next = Gaps {
        settled: arithmetic.value_scale(&gaps.settled, &model.round_denominator),
        open: Vec::with_capacity(2 * gaps.open.len()),
    };
    let mut terms: Vec<Term<A::Gap>> = Vec::new();
    for (direction, factor) in &gaps.open {
        for (state, gap) in direction {
            let moves = model.moves(record, *state);
            meter.operations(1 + moves.len())?;
            for Move { output, to, weight } in moves {
                terms.push((*output, *to, arithmetic.gap_scale(gap, weight)));
            }
        }
        terms.sort_unstable_by_key(|&(output, state, _)| (output, state));
        let mut rest = terms.drain(..).peekable();
        while let Some((output, state, gap)) = rest.next() {
            let mut direction = vec![(state, gap)];
            while let Some((_, state, gap)) = rest.next_if(|t| t.0 == output) {
                match direction.last_mut() {
                    Some((last, sum)) if *last == state => arithmetic.gap_add(sum, &gap),
                    _ => direction.push((state, gap)),
                }
            }
            push(arithmetic, direction, factor, &mut next);
        }
    }
    merge(arithmetic, &mut next);
    Ok(next)
}

/// Settles, drops or keeps a history.
fn push<A: Arithmetic>(
    arithmetic: &A,
    mut direction: Direction<A::Gap>,
    factor: &A::Weight,
    gaps: &mut GapsOf<A>,
) {
    let (mut positive, mut negative) = (false, false);
    direction.retain(|(_, gap)| {
        let sign = arithmetic.gap_sign(gap);
        positive |= sign.is_gt();
        negative |= sign.is_lt();
        sign.is_ne()
    });
    if !positive {
        return;
    }
    if !negative {
        let sum = positives(arithmetic, &direction);
        arithmetic.value_add(&mut gaps.settled, &arithmetic.value_scale(&sum, factor));
        return;
    }
    let content = arithmetic.gap_content(direction.iter().map(|(_, gap)| gap));
    if content == arithmetic.one() {
        gaps.open.push((direction, factor.clone()));
        return;
    }
    for (_, gap) in &mut direction {
        *gap = arithmetic.gap_divide(gap, &content);
    }
    gaps.open.push((direction, arithmetic.mul(factor, &content)));
}

/// Merges equal directions.
fn merge<A: Arithmetic>(arithmetic: &A, gaps: &mut GapsOf<A>) {
    gaps.open.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    gaps.open.dedup_by(|later, kept| {
        let equal = later.0 == kept.0;
        if equal {
            arithmetic.add(&mut kept.1, &later.1);
        }
        equal
    });
}

/// The sum of the positive gaps.
fn positives<A: Arithmetic>(arithmetic: &A, direction: &Direction<A::Gap>) -> A::Value {
    let mut sum = arithmetic.value_zero();
    for (_, gap) in direction {
        if let Some(gap) = arithmetic.gap_positive(gap) {
            arithmetic.value_add(&mut sum, &gap);
        }
    }
    sum
}

/// Σ over histories and states of the positive gaps: the divergence if the state were released
/// too. By post-processing no continuation exceeds it.
pub(super) fn revealed<A: Arithmetic>(arithmetic: &A, gaps: &GapsOf<A>) -> A::Value {
    let mut total = gaps.settled.clone();
    for (direction, factor) in &gaps.open {
        let sum = positives(arithmetic, direction);
        arithmetic.value_add(&mut total, &arithmetic.value_scale(&sum, factor));
    }
    total
}

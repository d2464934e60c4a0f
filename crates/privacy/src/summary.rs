//! The event of one pair of streams without its words: only its over merged
//! histories.

use littlestone_exact::Arithmetic;
use littlestone_exact::limits::{Meter, Stopped};

use super::model::Model;
use super::node::{self, Node};
use super::search::Records;

/// P(E), Q(E) and P(E) − e^ε·Q(E) for E = {y : P(y) > e^ε·Q(y)}, as numerators over the
/// denominator at the end of the streams, which have equal lengths and differ in `round` alone.
/// The mechanism releases a symbol in every round.
///
/// # Errors
/// When a limit is hit.
pub(super) fn masses<A: Arithmetic>(
    arithmetic: &A,
    model: &Model<A>,
    [first, second]: [&[u32]; 2],
    round: usize,
    counted: bool,
    meter: &mut Meter<'_>,
) -> Result<([A::Weight; 2], A::Value), Stopped> {
    let start = model.start.iter().map(|(state, mass)| (*state, [mass.clone()])).collect();
    let mut prefix: Node<A::Weight, 1> = vec![(start, arithmetic.one())];
    for &record in &first[..round] {
        prefix = node::advance(arithmetic, model, &prefix, record, meter)?;
    }
    let records = Records { first: Some(first[round]), second: Some(second[round]) };
    let mut histories = node::split(arithmetic, model, &prefix, records, counted, meter)?;
    for &record in &first[round + 1..] {
        histories = node::advance(arithmetic, model, &histories, record, meter)?;
    }
    let mut sums = [arithmetic.zero(), arithmetic.zero()];
    let mut divergence = arithmetic.value_zero();
    for (direction, factor) in &histories {
        meter.operations(1 + direction.len())?;
        let mut masses = [arithmetic.zero(), arithmetic.zero()];
        for (_, pair) in direction {
            for (sum, mass) in masses.iter_mut().zip(pair) {
                arithmetic.add(sum, mass);
            }
        }
        let Some(excess) = arithmetic.excess(&masses[0], &masses[1]) else { continue };
        arithmetic.value_add(&mut divergence, &arithmetic.value_scale(&excess, factor));
        for (sum, mass) in sums.iter_mut().zip(&masses) {
            arithmetic.add(sum, &arithmetic.mul(mass, factor));
        }
    }
    Ok((sums, divergence))
}

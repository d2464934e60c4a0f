//! The outputs of one pair of streams by their likelihood ratio.
//!
//! The divergence of a pair at e^ε = α is `Σ max(0, P(y) − α·Q(y))`, a sum over the outputs whose
//! ratio P(y)/Q(y) exceeds α. So with the outputs in decreasing order of their ratios, the profile
//! of the pair is the greatest of the lines `P(E) − α·Q(E)` over the initial sets E of that order,
//! and outputs of one ratio count as one.

use littlestone_exact::Arithmetic;
use littlestone_exact::limits::{Meter, Stopped};

use super::model::Model;
use super::node;
use super::pair;
use super::search::{Pair, Records};

/// The probabilities of an event under both streams of a pair, as numerators.
pub(super) type Masses<W> = [W; 2];

/// The masses of sets of outputs that together are all outputs; in each set the ratio is constant.
pub(super) fn outputs<A: Arithmetic>(
    arithmetic: &A,
    model: &Model<A>,
    Pair { first, second }: &Pair,
    counted: bool,
    meter: &mut Meter<'_>,
) -> Result<Vec<Masses<A::Weight>>, Stopped> {
    let differing: Vec<usize> =
        (0..first.len().min(second.len())).filter(|&i| first[i] != second[i]).collect();
    let [round] = differing[..] else {
        return listed(arithmetic, model, [first, second], meter);
    };
    if model.finish.is_some() || first.len() != second.len() {
        return listed(arithmetic, model, [first, second], meter);
    }
    let start = model.start.iter().map(|(s, w)| (*s, [w.clone()])).collect();
    let mut prefix = vec![(start, arithmetic.one())];
    for &record in &first[..round] {
        prefix = node::advance(arithmetic, model, &prefix, record, meter)?;
    }
    let records = Records { first: Some(first[round]), second: Some(second[round]) };
    let mut histories = node::split(arithmetic, model, &prefix, records, counted, meter)?;
    for &record in &first[round + 1..] {
        histories = node::advance(arithmetic, model, &histories, record, meter)?;
    }
    let masses = |(direction, factor): &(node::Direction<A::Weight, 2>, A::Weight)| {
        let mut masses = [arithmetic.zero(), arithmetic.zero()];
        for (_, pair) in direction {
            for (sum, mass) in masses.iter_mut().zip(pair) {
                arithmetic.add(sum, mass);
            }
        }
        masses.map(|mass| arithmetic.mul(&mass, factor))
    };
    Ok(histories.iter().map(masses).collect())
}

/// The masses of the single outputs of a one-shot mechanism.
fn listed<A: Arithmetic>(
    arithmetic: &A,
    model: &Model<A>,
    [first, second]: [&[u32]; 2],
    meter: &mut Meter<'_>,
) -> Result<Vec<Masses<A::Weight>>, Stopped> {
    let masses = pair::masses(arithmetic, model, [first, second], None, meter)?;
    Ok(masses.iter().map(|(_, masses)| masses.clone()).collect())
}

/// The events that are the worst for some α ≥ 1, from the greatest ratio on: the initial sets of
/// the outputs whose ratio exceeds 1.
pub(super) fn events<A: Arithmetic>(
    arithmetic: &A,
    mut outputs: Vec<Masses<A::Weight>>,
) -> Vec<Masses<A::Weight>> {
    // The order of P/Q, where a ratio with Q = 0 is the greatest.
    let order = |a: &Masses<A::Weight>, b: &Masses<A::Weight>| {
        arithmetic.weight_cmp(&arithmetic.mul(&a[0], &b[1]), &arithmetic.mul(&b[0], &a[1]))
    };
    outputs.retain(|[p, q]| arithmetic.weight_cmp(p, q).is_gt());
    outputs.sort_by(|a, b| order(b, a));
    let mut events: Vec<Masses<A::Weight>> = Vec::new();
    let mut sum = [arithmetic.zero(), arithmetic.zero()];
    for (index, output) in outputs.iter().enumerate() {
        for (sum, mass) in sum.iter_mut().zip(output) {
            arithmetic.add(sum, mass);
        }
        let last = outputs.get(index + 1).is_none_or(|next| order(output, next).is_ne());
        if last {
            events.push(sum.clone());
        }
    }
    events
}

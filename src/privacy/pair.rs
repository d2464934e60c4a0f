//! One pair of streams, looked at output by output: the event that shows a divergence.

use std::collections::BTreeMap;

use crate::exact::Arithmetic;

use super::model::{Belief, Model};

/// The joint mass of every output word and final state, under one stream each.
type Words<W> = BTreeMap<(Vec<u32>, u32), W>;

/// The masses of each output word under the two streams of a pair.
pub(super) type Masses<W> = BTreeMap<Vec<u32>, [W; 2]>;

/// The law of the output of one stream, as numerators. The symbol of round `omitted` (from 0) is
/// left out.
fn words<A: Arithmetic>(
    arithmetic: &A,
    model: &Model<A>,
    stream: &[u32],
    omitted: Option<usize>,
) -> BTreeMap<Vec<u32>, A::Weight> {
    let start: &Belief<A::Weight> = &model.start;
    let mut words: Words<A::Weight> =
        start.iter().map(|(state, mass)| ((Vec::new(), *state), mass.clone())).collect();
    for (round, &record) in stream.iter().enumerate() {
        let mut next = Words::new();
        for ((word, state), mass) in &words {
            for m in model.moves(record, *state) {
                let mut word = word.clone();
                if model.finish.is_none() && omitted != Some(round) {
                    word.push(m.output);
                }
                let sum = next.entry((word, m.to)).or_insert_with(|| arithmetic.zero());
                arithmetic.add(sum, &arithmetic.mul(mass, &m.weight));
            }
        }
        words = next;
    }
    let mut law = BTreeMap::new();
    for ((mut word, state), mass) in words {
        let mut add = |word: Vec<u32>, mass: &A::Weight| {
            arithmetic.add(law.entry(word).or_insert_with(|| arithmetic.zero()), mass);
        };
        match &model.finish {
            None => add(std::mem::take(&mut word), &mass),
            Some(finish) => {
                for (output, weight) in &finish[state as usize] {
                    let mut word = word.clone();
                    word.push(*output);
                    add(word, &arithmetic.mul(&mass, weight));
                }
            }
        }
    }
    law
}

/// The masses of all output words under both streams of a pair, over the denominators of their
/// lengths brought to that of the longer one.
pub(super) fn masses<A: Arithmetic>(
    arithmetic: &A,
    model: &Model<A>,
    [first, second]: [&[u32]; 2],
    omitted: Option<usize>,
) -> Masses<A::Weight> {
    let longer = first.len().max(second.len());
    let mut masses = Masses::new();
    for (side, stream) in [first, second].into_iter().enumerate() {
        let mut lift = arithmetic.one();
        for _ in stream.len()..longer {
            lift = arithmetic.mul(&lift, &model.round_denominator);
        }
        for (word, mass) in words(arithmetic, model, stream, omitted) {
            let pair = masses.entry(word).or_insert_with(|| [arithmetic.zero(), arithmetic.zero()]);
            pair[side] = arithmetic.mul(&mass, &lift);
        }
    }
    masses
}

//! The literal reference for mechanisms: coins, streams and outputs are enumerated one by one on
//! the `Mechanism` trait itself. Nothing is shared, merged, pruned or compiled, so that there is
//! nothing to get wrong but the definitions.
//!
//! Everything is exponential in the number of rounds: for tiny instances only.

use std::collections::BTreeMap;

use littlestone::exact::Number;
use littlestone::mechanism::{Kind, Mechanism, Output};

/// A law over sequences of outputs (one output for a one-shot mechanism).
pub type Outputs = BTreeMap<Vec<Output>, Number>;

/// The law of the whole sequence of outputs on a stream of records.
pub fn law<M: Mechanism>(mechanism: &M, stream: &[usize]) -> Outputs {
    let mut law = Outputs::new();
    for (state, weight) in mechanism.start().expect("a law").into_vec() {
        follow(mechanism, &state, stream, &mut Vec::new(), &weight, &mut law);
    }
    law
}

/// Follows every sequence of coins from one state on.
fn follow<M: Mechanism>(
    mechanism: &M,
    state: &M::State,
    stream: &[usize],
    released: &mut Vec<Output>,
    weight: &Number,
    law: &mut Outputs,
) {
    let one_shot = mechanism.interface().kind() == Kind::OneShot;
    let Some((&record, rest)) = stream.split_first() else {
        if one_shot {
            for (output, p) in mechanism.finish(state).expect("a law").into_vec() {
                add(law, vec![output], &(weight * &p));
            }
        } else {
            add(law, released.clone(), weight);
        }
        return;
    };
    let (before, after) = mechanism.interface().parts(record);
    if one_shot {
        for (next, p) in mechanism.observe(state, after).expect("a law").into_vec() {
            follow(mechanism, &next, rest, released, &(weight * &p), law);
        }
        return;
    }
    for ((output, middle), p) in mechanism.respond(state, before).expect("a law").into_vec() {
        released.push(output);
        for (next, q) in mechanism.observe(&middle, after).expect("a law").into_vec() {
            follow(mechanism, &next, rest, released, &(&(weight * &p) * &q), law);
        }
        released.pop();
    }
}

fn add(law: &mut Outputs, outputs: Vec<Output>, weight: &Number) {
    let sum = law.entry(outputs).or_insert_with(Number::zero);
    *sum = &*sum + weight;
}

/// All streams of that length over the records.
pub fn streams(records: usize, rounds: usize) -> Vec<Vec<usize>> {
    (0..rounds).fold(vec![Vec::new()], |streams, _| {
        streams
            .into_iter()
            .flat_map(|stream| {
                (0..records).map(move |record| {
                    let mut longer = stream.clone();
                    longer.push(record);
                    longer
                })
            })
            .collect()
    })
}

/// All ordered pairs of streams that differ in exactly one round, with that round.
pub fn neighbours(records: usize, rounds: usize) -> Vec<(Vec<usize>, Vec<usize>, usize)> {
    let mut pairs = Vec::new();
    for stream in streams(records, rounds) {
        for round in 0..rounds {
            for record in (0..records).filter(|&record| record != stream[round]) {
                let mut other = stream.clone();
                other[round] = record;
                pairs.push((stream.clone(), other, round));
            }
        }
    }
    pairs
}

/// Σ max(0, P − factor·Q), the hockey-stick divergence at e^ε = `factor`.
pub fn divergence(p: &Outputs, q: &Outputs, factor: &Number) -> Number {
    let mut sum = Number::zero();
    for (outputs, weight) in p {
        let other = q.get(outputs).cloned().unwrap_or_else(Number::zero);
        let difference = weight - &(factor * &other);
        if difference.sign().is_gt() {
            sum = &sum + &difference;
        }
    }
    sum
}

/// The law with the output of one round left out (Definition 4).
pub fn without(law: &Outputs, round: usize) -> Outputs {
    let mut rest = Outputs::new();
    for (outputs, weight) in law {
        let mut outputs = outputs.clone();
        outputs.remove(round);
        add(&mut rest, outputs, weight);
    }
    rest
}

/// The least δ for which the mechanism is (ε, δ)-DP on streams of that length (Definition 2), at
/// e^ε = `factor`.
pub fn worst_delta<M: Mechanism>(mechanism: &M, rounds: usize, factor: &Number) -> Number {
    worst(mechanism, rounds, factor, |law, _| law.clone())
}

/// The least δ for which the mechanism is (ε, δ)-jointly DP on streams of that length
/// (Definition 4), at e^ε = `factor`.
pub fn worst_joint_delta<M: Mechanism>(mechanism: &M, rounds: usize, factor: &Number) -> Number {
    worst(mechanism, rounds, factor, without)
}

fn worst<M: Mechanism>(
    mechanism: &M,
    rounds: usize,
    factor: &Number,
    seen: impl Fn(&Outputs, usize) -> Outputs,
) -> Number {
    let records = mechanism.interface().records();
    let laws: BTreeMap<Vec<usize>, Outputs> = streams(records, rounds)
        .into_iter()
        .map(|stream| (stream.clone(), law(mechanism, &stream)))
        .collect();
    neighbours(records, rounds)
        .iter()
        .map(|(s, t, round)| divergence(&seen(&laws[s], *round), &seen(&laws[t], *round), factor))
        .max()
        .unwrap_or_else(Number::zero)
}

/// The expected number of mistakes of a learner or predictor on a stream.
pub fn expected_mistakes<M: Mechanism>(mechanism: &M, stream: &[usize]) -> Number {
    let mut sum = Number::zero();
    for (outputs, weight) in law(mechanism, stream) {
        for (output, &record) in outputs.iter().zip(stream) {
            if mechanism.interface().mistake(output, record).expect("a learner or predictor") {
                sum = &sum + &weight;
            }
        }
    }
    sum
}

//! Probabilities of output words straight from the table of an automaton, in plain [`Number`]s.
//!
//! Nothing here is shared with the search: no common denominators, no merged histories, no working
//! arithmetic. It is what a counterexample is replayed with.

use std::collections::BTreeMap;

use littlestone_exact::Number;
use littlestone_exact::limits::{Limits, Stopped};
use littlestone_mechanism::{Automaton, Kind};

/// What moving one run costs, in steps of a [`Meter`](littlestone_exact::limits::Meter).
const STEPS: usize = 1 << 12;

/// The law of the output of `automaton` on `stream`. The symbol of round `omitted` (from 0) is
/// left out, as Definition 4 asks; a one-shot mechanism has words of one symbol.
pub fn law(
    automaton: &Automaton,
    stream: &[usize],
    omitted: Option<usize>,
) -> BTreeMap<Vec<usize>, Number> {
    law_within(automaton, stream, omitted, &Limits::default()).expect("there are no limits")
}

/// [`law`] within limits.
///
/// # Errors
/// The limit that is hit. States are not counted.
pub fn law_within(
    automaton: &Automaton,
    stream: &[usize],
    omitted: Option<usize>,
    limits: &Limits,
) -> Result<BTreeMap<Vec<usize>, Number>, Stopped> {
    let mut meter = limits.meter();
    let mut runs: BTreeMap<(Vec<usize>, usize), Number> = BTreeMap::new();
    for (state, weight) in automaton.start() {
        add(&mut runs, (Vec::new(), *state), weight);
    }
    for (round, &record) in stream.iter().enumerate() {
        let mut next = BTreeMap::new();
        for ((word, state), mass) in &runs {
            meter.work(STEPS)?;
            for (output, to, weight) in moves(automaton, *state, record) {
                let mut word = word.clone();
                word.extend(output.filter(|_| omitted != Some(round)));
                add(&mut next, (word, to), &(mass * &weight));
            }
        }
        runs = next;
    }
    let mut law = BTreeMap::new();
    for ((word, state), mass) in runs {
        if automaton.interface().kind() == Kind::OneShot {
            for (output, weight) in automaton.finish(state) {
                add(&mut law, vec![*output], &(&mass * weight));
            }
        } else {
            add(&mut law, word, &mass);
        }
    }
    Ok(law)
}

/// The probability that the output of `automaton` on `stream` is one of `words`; see [`law`].
pub fn probability(
    automaton: &Automaton,
    stream: &[usize],
    omitted: Option<usize>,
    words: &[Vec<usize>],
) -> Number {
    let mut sum = Number::zero();
    for word in words {
        sum = &sum + &word_probability(automaton, stream, omitted, word);
    }
    sum
}

/// The probability of one word: only the runs that release it are followed.
fn word_probability(
    automaton: &Automaton,
    stream: &[usize],
    omitted: Option<usize>,
    word: &[usize],
) -> Number {
    let one_shot = automaton.interface().kind() == Kind::OneShot;
    let mut symbols = word.iter();
    let mut runs: BTreeMap<usize, Number> = BTreeMap::new();
    for (state, weight) in automaton.start() {
        add(&mut runs, *state, weight);
    }
    for (round, &record) in stream.iter().enumerate() {
        let free = one_shot || omitted == Some(round);
        let wanted = if free {
            None
        } else {
            let Some(symbol) = symbols.next() else { return Number::zero() };
            Some(*symbol)
        };
        let mut next = BTreeMap::new();
        for (state, mass) in &runs {
            for (output, to, weight) in moves(automaton, *state, record) {
                if free || output == wanted {
                    add(&mut next, to, &(mass * &weight));
                }
            }
        }
        runs = next;
    }
    let last = if one_shot { symbols.next() } else { None };
    if symbols.next().is_some() || (one_shot && last.is_none()) {
        return Number::zero();
    }
    let mut sum = Number::zero();
    for (state, mass) in runs {
        if one_shot {
            for (output, weight) in automaton.finish(state) {
                if Some(output) == last {
                    sum = &sum + &(&mass * weight);
                }
            }
        } else {
            sum = &sum + &mass;
        }
    }
    sum
}

/// The ways in which a round with `record` can go: the released symbol, the next state, the weight.
fn moves(
    automaton: &Automaton,
    state: usize,
    record: usize,
) -> Vec<(Option<usize>, usize, Number)> {
    let (before, after) = automaton.interface().parts(record);
    let observed = |state: usize| automaton.observe(state, after).iter();
    if automaton.interface().kind() == Kind::OneShot {
        return observed(state).map(|(to, weight)| (None, *to, weight.clone())).collect();
    }
    let responses = automaton.respond(state, before).iter();
    responses
        .flat_map(|response| {
            observed(response.next)
                .map(|(to, weight)| (Some(response.output), *to, &response.weight * weight))
        })
        .collect()
}

/// Adds a mass to what is known of an outcome.
pub(super) fn add<K: Ord>(sums: &mut BTreeMap<K, Number>, key: K, mass: &Number) {
    let sum = sums.entry(key).or_insert_with(Number::zero);
    *sum = &*sum + mass;
}

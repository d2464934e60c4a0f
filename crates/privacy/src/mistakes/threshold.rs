//! Step 3 of Theorem 3 on every stream: the mistakes of a combination against those of its two
//! predictors, for every threshold.
//!
//! With E = {M(A; S) ≤ B}, the step bounds E[M(C; S)] by 3B + 3 P(E^c) E[M(F; S)] + 2D. It uses that
//! E is independent of M(F; S), and no property of A; so it holds for every B.

use std::collections::BTreeMap;

use crate::Streams;
use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;
use littlestone_exact::limits::{Limits, Stopped};
use littlestone_mechanism::Automaton;

use super::admissible;

/// Where the combination exceeds 3B + 3 P(M(A; S) > B) E[M(F; S)] most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excess {
    /// By how much, which may be negative.
    pub value: Number,
    /// The first stream that attains it.
    pub stream: Vec<usize>,
    /// The least threshold B that attains it there.
    pub threshold: usize,
    /// E[M(C; S)].
    pub combined: Number,
    /// P(M(A; S) > B).
    pub failure: Number,
    /// E[M(F; S)].
    pub second: Number,
}

/// The law of (state, mistakes so far).
type Law = BTreeMap<(usize, usize), Number>;

/// The greatest value of E[M(C; S)] − 3B − 3 P(M(A; S) > B) E[M(F; S)] over the streams S of `rounds`
/// rounds and the thresholds B from 0 to `rounds`, for predictors C, A and F on the same points.
///
/// # Errors
/// When one of them is neither a learner nor a predictor, they have different records, or there is
/// no round.
pub fn greatest_excess(
    [combined, first, second]: [&Automaton; 3],
    streams: &Streams,
    rounds: usize,
    limits: &Limits,
) -> Result<std::result::Result<Excess, Stopped>> {
    for automaton in [combined, first, second] {
        admissible(automaton, rounds)?;
        if automaton.interface().records() != streams.records() {
            let found = automaton.interface().records();
            let message =
                format!("the streams have {} records, a predictor {found}", streams.records());
            return Err(Error::argument(message));
        }
    }
    let start = |automaton: &Automaton| -> Law {
        automaton.start().iter().map(|(state, p)| ((*state, 0), p.clone())).collect()
    };
    let mut best: Option<Excess> = None;
    let mut looked = 0;
    let laws = [start(combined), start(first), start(second)];
    let mut stack = vec![(Streams::START, Vec::new(), laws)];
    while let Some((place, stream, laws)) = stack.pop() {
        looked += 1;
        if limits.states.is_some_and(|limit| looked > limit) {
            return Ok(Err(Stopped::States));
        }
        if let Err(stopped) = limits.check() {
            return Ok(Err(stopped));
        }
        if stream.len() == rounds {
            let found = at(&laws, &stream, rounds);
            if best.as_ref().is_none_or(|best| found.value > best.value) {
                best = Some(found);
            }
            continue;
        }
        // The last record is looked at first, so that the first one is on top.
        for record in (0..streams.records()).rev() {
            let narrow = u32::try_from(record).expect("records fit u32");
            let Some(place) = streams.step(place, narrow) else { continue };
            let laws = [
                round(combined, &laws[0], record),
                round(first, &laws[1], record),
                round(second, &laws[2], record),
            ];
            stack.push((place, stream.iter().copied().chain([record]).collect(), laws));
        }
    }
    best.map(Ok).ok_or_else(|| Error::argument("there is no such stream"))
}

/// One more round.
fn round(automaton: &Automaton, law: &Law, record: usize) -> Law {
    let interface = automaton.interface();
    let (before, after) = interface.parts(record);
    let mut next = Law::new();
    for (&(state, mistakes), p) in law {
        for response in automaton.respond(state, before) {
            let output = &automaton.outputs()[response.output];
            let wrong = interface.mistake(output, record).expect("it makes predictions");
            let p = p * &response.weight;
            for (state, q) in automaton.observe(response.next, after) {
                let sum = next
                    .entry((*state, mistakes + usize::from(wrong)))
                    .or_insert_with(Number::zero);
                *sum = &*sum + &(&p * q);
            }
        }
    }
    next
}

fn whole(n: usize) -> Number {
    i64::try_from(n).unwrap_or(i64::MAX).into()
}

fn at([combined, first, second]: &[Law; 3], stream: &[usize], rounds: usize) -> Excess {
    let expected = |law: &Law| {
        law.iter().fold(Number::zero(), |sum, (&(_, mistakes), p)| &sum + &(&whole(mistakes) * p))
    };
    let (combined, second) = (expected(combined), expected(second));
    let mut best: Option<Excess> = None;
    for threshold in 0..=rounds {
        let beyond = first.iter().filter(|((_, mistakes), _)| *mistakes > threshold);
        let failure = beyond.fold(Number::zero(), |sum, (_, p)| &sum + p);
        let three = Number::from(3);
        let allowed = &(&three * &whole(threshold)) + &(&three * &(&failure * &second));
        let value = &combined - &allowed;
        if best.as_ref().is_none_or(|best| value > best.value) {
            best = Some(Excess {
                value,
                stream: stream.to_vec(),
                threshold,
                combined: combined.clone(),
                failure,
                second: second.clone(),
            });
        }
    }
    best.expect("there is the threshold 0")
}

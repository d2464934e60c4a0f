//! Concentrated learners: Definition 7 of Dmitriev, Szabó and Sanyal (2024), [DSS24] in the paper.

use std::collections::BTreeMap;

use littlestone_base::error::{Error, Result};
use littlestone_class::Class;
use littlestone_exact::Number;
use littlestone_exact::limits::Meter;
use littlestone_mechanism::{Automaton, Kind};

/// Where a learner is most concentrated. Two hypotheses agree at `x_eq` and differ at `x_dif`, where
/// the first one has the label that it has at `x_eq`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concentration {
    /// `f_0`, an index of a hypothesis.
    pub first: usize,
    /// `f_1`.
    pub second: usize,
    /// `x_eq`, an index of a point.
    pub equal: usize,
    /// `x_dif`.
    pub different: usize,
    /// `f_0`(`x_eq`) = `f_1`(`x_eq`) = `f_0`(`x_dif`).
    pub label: bool,
    /// The probability that on the constant stream (`x_eq`, `f_0`(`x_eq`)) all T hypotheses have the
    /// value `f_0`(`x_dif`) at `x_dif`. The learner is β-concentrated iff this is at least 1 − β for
    /// some choice of `f_0`, `f_1`, `x_eq`, `x_dif`.
    pub probability: Number,
}

/// The greatest probability over all (`f_0`, `f_1`, `x_eq`, `x_dif`), with the first of them that attains
/// it: least `x_eq`, then `x_dif`, then the label, then hypotheses. `None` when the class has no such
/// hypotheses and points.
///
/// The probability depends on `x_eq`, `x_dif` and the label alone. For each it is found by one run
/// over the rounds, in which only the histories without another value at `x_dif` are kept.
///
/// # Errors
/// When the mechanism is no learner, its points are not those of the class, its table does not
/// cover the rounds, or a limit is hit. Every state that a round moves counts.
pub fn concentration(
    automaton: &Automaton,
    class: &Class,
    rounds: usize,
    meter: &mut Meter<'_>,
) -> Result<Option<Concentration>> {
    let interface = automaton.interface();
    if interface.kind() != Kind::Learner {
        let kind = interface.kind();
        return Err(Error::argument(format!("concentrated learners are learners, not a {kind}")));
    }
    if interface.points() != class.point_names() {
        return Err(Error::argument("the points of the learner are not those of the class"));
    }
    if rounds == 0 {
        return Err(Error::argument("the number of rounds must be at least 1"));
    }
    automaton.covers(rounds)?;
    let mut best: Option<Concentration> = None;
    for equal in 0..class.points() {
        for different in (0..class.points()).filter(|x| *x != equal) {
            for label in [false, true] {
                let find = |value: bool| {
                    (0..class.hypotheses()).find(|&h| {
                        class.label(h, equal) == label && class.label(h, different) == value
                    })
                };
                let (Some(first), Some(second)) = (find(label), find(!label)) else { continue };
                let probability = constant(automaton, equal, different, label, rounds, meter)?;
                if best.as_ref().is_none_or(|best| probability > best.probability) {
                    best =
                        Some(Concentration { first, second, equal, different, label, probability });
                }
            }
        }
    }
    Ok(best)
}

/// The probability that all hypotheses give `different` the label `label` on the stream of
/// `rounds` examples (`equal`, `label`).
fn constant(
    automaton: &Automaton,
    equal: usize,
    different: usize,
    label: bool,
    rounds: usize,
    meter: &mut Meter<'_>,
) -> Result<Number> {
    let wanted = if label { b'1' } else { b'0' };
    let example = 2 * equal + usize::from(label);
    let mut law: BTreeMap<usize, Number> = automaton.start().iter().cloned().collect();
    for round in 1..=rounds {
        let mut released: BTreeMap<usize, Number> = BTreeMap::new();
        for (state, weight) in &law {
            meter.count()?;
            for response in automaton.respond(*state, 0) {
                if automaton.outputs()[response.output].as_bytes()[different] == wanted {
                    add(&mut released, response.next, &(weight * &response.weight));
                }
            }
        }
        if round == rounds {
            law = released;
            break;
        }
        law = BTreeMap::new();
        for (state, weight) in &released {
            for (next, p) in automaton.observe(*state, example) {
                add(&mut law, *next, &(weight * p));
            }
        }
    }
    Ok(law.values().fold(Number::zero(), |sum, weight| &sum + weight))
}

fn add(law: &mut BTreeMap<usize, Number>, state: usize, weight: &Number) {
    let sum = law.entry(state).or_insert_with(Number::zero);
    *sum = &*sum + weight;
}

//! The worst δ over a list of pairs, which may differ in any number of records.
//!
//! The law of each data set is computed once, straight from the table of the automaton.

use std::collections::BTreeMap;

use super::direct;
use super::question::Neighbour;
use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::Limits;
use littlestone_exact::{Epsilon, Number};
use littlestone_mechanism::{Automaton, Kind};

type Law = BTreeMap<Vec<usize>, Number>;

/// The worst δ at ε of a one-shot mechanism over the listed pairs of data sets, each taken in both
/// directions, and the lexicographically least pair that attains it; no pair for an empty list.
///
/// # Errors
/// When the mechanism is not one-shot, the two data sets of a pair are equal, or a limit is hit: a
/// pair in one direction counts as a state.
pub fn listed(
    automaton: &Automaton,
    epsilon: &Epsilon,
    pairs: &[Neighbour],
    limits: &Limits,
) -> Result<(Number, Option<Neighbour>)> {
    let pairs = directed(automaton, pairs)?;
    let factor = epsilon.factor();
    let mut laws: BTreeMap<&[usize], Law> = BTreeMap::new();
    for data in pairs.iter().map(|pair| &pair.first) {
        if !laws.contains_key(&data[..]) {
            laws.insert(data, direct::law_within(automaton, data, None, limits)?);
        }
    }
    let mut worst: Option<(Number, &Neighbour)> = None;
    let mut meter = limits.meter();
    for pair in &pairs {
        meter.count()?;
        let delta = divergence(&laws[&pair.first[..]], &laws[&pair.second[..]], &factor);
        // Pairs come in lexicographic order, so of equally bad ones the first is the least.
        if worst.as_ref().is_none_or(|(best, _)| delta > *best) {
            worst = Some((delta, pair));
        }
    }
    Ok(match worst {
        Some((delta, pair)) => (delta, Some(pair.clone())),
        None => (Number::zero(), None),
    })
}

/// Σ max(0, P − e^ε·Q).
fn divergence(first: &Law, second: &Law, factor: &Number) -> Number {
    let zero = Number::zero();
    let mut sum = Number::zero();
    for (word, p) in first {
        let excess = p - &(factor * second.get(word).unwrap_or(&zero));
        if excess.signum() > 0 {
            sum = &sum + &excess;
        }
    }
    sum
}

/// The pairs in both directions, in lexicographic order.
///
/// # Errors
/// When the mechanism is not one-shot, or the two data sets of a pair are equal.
pub(super) fn directed(automaton: &Automaton, pairs: &[Neighbour]) -> Result<Vec<Neighbour>> {
    let kind = automaton.interface().kind();
    if kind != Kind::OneShot {
        let message = format!("listed neighbours are for one-shot mechanisms; this is a {kind}");
        return Err(Error::argument(message));
    }
    if pairs.iter().any(|pair| pair.first == pair.second) {
        return Err(Error::argument("the two data sets of a pair are equal"));
    }
    let back =
        |pair: &Neighbour| Neighbour { first: pair.second.clone(), second: pair.first.clone() };
    let mut directed: Vec<Neighbour> =
        pairs.iter().flat_map(|pair| [pair.clone(), back(pair)]).collect();
    directed.sort_by(|a, b| (&a.first, &a.second).cmp(&(&b.first, &b.second)));
    directed.dedup();
    Ok(directed)
}

//! The worst δ over a list of pairs, which may differ in any number of records.

use super::verdict::{Neighbour, Neighbours, Notion, Question, event};
use crate::error::{Error, Result};
use crate::exact::{Epsilon, Number};
use crate::mechanism::{Automaton, Kind};

/// The worst δ at ε of a one-shot mechanism over the listed pairs of data sets, each taken in both
/// directions, and the lexicographically least pair that attains it; no pair for an empty list.
///
/// # Errors
/// When the mechanism is not one-shot, or the two data sets of a pair are equal.
pub fn listed(
    automaton: &Automaton,
    epsilon: &Epsilon,
    pairs: &[Neighbour],
) -> Result<(Number, Option<Neighbour>)> {
    let kind = automaton.interface().kind();
    if kind != Kind::OneShot {
        let message = format!("listed neighbours are for one-shot mechanisms; this is a {kind}");
        return Err(Error::argument(message));
    }
    let question = Question {
        notion: Notion::Whole,
        neighbours: Neighbours::Replacement,
        epsilon: epsilon.clone(),
    };
    let key = |pair: &Neighbour| (pair.first.clone(), pair.second.clone());
    let mut worst: Option<(Number, Neighbour)> = None;
    for Neighbour { first, second } in pairs {
        let there = Neighbour { first: first.clone(), second: second.clone() };
        let back = Neighbour { first: second.clone(), second: first.clone() };
        for pair in [there, back] {
            let delta = event(automaton, &question, &pair)?.divergence;
            let better = worst.as_ref().is_none_or(|(best, by)| {
                delta.cmp(best).then_with(|| key(by).cmp(&key(&pair))).is_gt()
            });
            if better {
                worst = Some((delta, pair));
            }
        }
    }
    Ok(match worst {
        Some((delta, pair)) => (delta, Some(pair)),
        None => (Number::zero(), None),
    })
}

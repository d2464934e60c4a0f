//! The rules for the upper bound: the table is a private learner, and its mistakes are few.

use std::collections::{BTreeMap, BTreeSet};

use super::game::{Example, Game, Output};
use super::unreduced::Unreduced;
use super::{behaviour, positive};
use crate::alphabets::expected;
use crate::format::{Learner, OutputRow};
use crate::number::Calculator;
use crate::rejection::{Malformed, Rejection, Unproved};
use crate::verify::{End, Work};
use littlestone_base::{BigInt, Rational};

/// The law of the outputs under one history, as numerators.
pub(super) type Law = BTreeMap<Vec<Output>, BigInt>;

/// The laws under all histories.
pub(super) type Table = BTreeMap<Vec<Example>, Law>;

/// What a learner is asked for.
pub(super) struct Question<'q> {
    pub factor: Rational,
    pub delta: Rational,
    pub bound: Rational,
    /// The bound as it is written.
    pub claimed: &'q str,
}

/// Checks all four rules, on the game as it is where that is small. Returns the number of entries of the
/// table with all images.
pub(super) fn check(
    game: &Game,
    unreduced: Option<&Unreduced>,
    learner: &Learner,
    question: &Question<'_>,
    calculator: &mut Calculator,
) -> Result<u64, End> {
    let work = &mut calculator.work;
    let denominator = positive("upper.denominator", &learner.denominator)?;
    let mut table = expand(game, learner, work)?;
    let mut rules = game;
    if let Some(unreduced) = unreduced {
        laws(game, &table, &denominator, work)?;
        table = unreduced.table(game, &table, work)?;
        rules = &unreduced.game;
    }
    laws(rules, &table, &denominator, work)?;
    causality(rules, &table, work)?;
    if unreduced.is_some() {
        behaviour::check(rules, &table, &denominator, work)?;
    }
    privacy(rules, &table, &denominator, question, work)?;
    mistakes(rules, &table, &denominator, question, work)?;
    let entries = table.values().map(BTreeMap::len).sum::<usize>();
    Ok(u64::try_from(entries).unwrap_or(u64::MAX))
}

/// The table with all images of its rows; no image belongs to two rows.
fn expand(game: &Game, learner: &Learner, work: &mut Work) -> Result<Table, End> {
    let mut table: Table = BTreeMap::new();
    for (i, OutputRow(history, outputs, numerator)) in learner.outputs.iter().enumerate() {
        let place = format!("upper.outputs[{i}]");
        game.check_examples(&place, history, game.length(), true)?;
        let texts: Vec<Option<&str>> = outputs.iter().map(|text| Some(text.as_str())).collect();
        let outputs = game.outputs(&place, history, &texts)?;
        let numerator = positive(&place, numerator)?;
        let mut images = BTreeSet::new();
        for g in 0..game.symmetries() {
            work.step()?;
            let moved = game.move_outputs(g, history, &outputs);
            let moved: Vec<Output> = moved.into_iter().flatten().collect();
            images.insert((game.move_examples(g, history, true), moved));
        }
        for (history, outputs) in images {
            let known = table.entry(history).or_default().insert(outputs, numerator.clone());
            if known.is_some() {
                let first = "an image of an earlier row".to_owned();
                return Err(Rejection::malformed(place, Malformed::Repeated { first }).into());
            }
        }
    }
    Ok(table)
}

fn laws(game: &Game, table: &Table, denominator: &BigInt, work: &mut Work) -> Result<(), End> {
    for history in game.histories() {
        work.step()?;
        let sum: BigInt = table.get(&history).into_iter().flat_map(BTreeMap::values).sum();
        if sum != *denominator {
            let fault = expected(
                &format!("numerators that sum to {denominator} under {}", game.name(&history)),
                &sum.to_string(),
            );
            return Err(Rejection::malformed("upper.outputs", fault).into());
        }
    }
    Ok(())
}

/// The law of the outputs of the first `rounds` rounds.
fn prefix(law: &Law, rounds: usize) -> Law {
    let mut prefixes = Law::new();
    for (outputs, numerator) in law {
        *prefixes.entry(outputs[..rounds].to_vec()).or_default() += numerator;
    }
    prefixes
}

fn causality(game: &Game, table: &Table, work: &mut Work) -> Result<(), End> {
    for rounds in 1..game.rounds {
        let mut seen: Table = BTreeMap::new();
        for (history, law) in table {
            work.charge(u64::try_from(law.len()).unwrap_or(u64::MAX))?;
            let mut key = history[..rounds - 1].to_vec();
            if game.joint {
                key.push(game.point(history[rounds - 1]));
            }
            let prefixes = prefix(law, rounds);
            if *seen.entry(key).or_insert_with(|| prefixes.clone()) != prefixes {
                let fault = Unproved::NotCausal { round: rounds, history: game.name(history) };
                return Err(Rejection::unproved("upper.outputs", fault).into());
            }
        }
    }
    Ok(())
}

/// The law without the output of one round.
fn without(law: &Law, round: usize) -> Law {
    let mut rest = Law::new();
    for (outputs, numerator) in law {
        let mut outputs = outputs.clone();
        outputs.remove(round);
        *rest.entry(outputs).or_default() += numerator;
    }
    rest
}

fn privacy(
    game: &Game,
    table: &Table,
    denominator: &BigInt,
    question: &Question<'_>,
    work: &mut Work,
) -> Result<(), End> {
    // Σ max(0, P − F·Q) ≤ δ, times the denominators of F and of the table.
    let (above, below) = (question.factor.numer(), question.factor.denom());
    let most = &question.delta * Rational::from(below * denominator);
    for (history, law) in table {
        for (round, other) in game.neighbours(history) {
            if !game.counts(history, &other) {
                continue;
            }
            let second = &table[&other];
            work.charge(u64::try_from(law.len()).unwrap_or(u64::MAX))?;
            let sum = if game.joint {
                excess(&without(law, round), &without(second, round), above, below)
            } else {
                excess(law, second, above, below)
            };
            if Rational::from(sum.clone()) > most {
                let fault = Unproved::TableNotPrivate {
                    pair: format!("{} and {}", game.name(history), game.name(&other)),
                    found: Rational::new(sum, below * denominator).to_string(),
                    delta: question.delta.to_string(),
                };
                return Err(Rejection::unproved("upper.outputs", fault).into());
            }
        }
    }
    Ok(())
}

/// Σ max(0, `below`·P − `above`·Q).
fn excess(first: &Law, second: &Law, above: &BigInt, below: &BigInt) -> BigInt {
    let zero = BigInt::from(0);
    let mut sum = BigInt::from(0);
    for (outputs, p) in first {
        let difference =
            below * p - second.get(outputs).map_or_else(BigInt::default, |q| above * q);
        if difference > zero {
            sum += difference;
        }
    }
    sum
}

fn mistakes(
    game: &Game,
    table: &Table,
    denominator: &BigInt,
    question: &Question<'_>,
    work: &mut Work,
) -> Result<(), End> {
    for (history, law) in table {
        for stream in game.completions(history).iter().filter(|stream| game.realises(stream)) {
            work.charge(u64::try_from(law.len()).unwrap_or(u64::MAX))?;
            let mut sum = BigInt::from(0);
            for (outputs, numerator) in law {
                let wrong = outputs.iter().zip(stream).filter(|(y, z)| game.wrong(**y, **z));
                sum += numerator * wrong.count();
            }
            let mistakes = Rational::new(sum, denominator.clone());
            if mistakes > question.bound {
                let fault = Unproved::MistakesAbove {
                    bound: question.claimed.to_owned(),
                    mistakes: mistakes.to_string(),
                    stream: game.name(stream),
                };
                return Err(Rejection::unproved("claim.at_most", fault).into());
            }
        }
    }
    Ok(())
}

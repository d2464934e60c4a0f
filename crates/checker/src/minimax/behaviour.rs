//! A causal table is a learner: one that remembers what it saw and released, and draws each output
//! from a law given that.

use std::collections::BTreeMap;

use super::game::{Example, Game, Output};
use super::upper::Table;
use crate::rejection::{Rejection, Unproved};
use crate::verify::{End, Work};
use littlestone_base::{BigInt, Rational};

/// What the learner remembers when it draws an output: what it has seen and released.
type Memory = (Vec<Example>, Vec<Output>);

/// Plays the learner under each history, with a law of the next output for each state of its memory,
/// and compares what it does with the table.
pub(super) fn check(
    game: &Game,
    table: &Table,
    denominator: &BigInt,
    work: &mut Work,
) -> Result<(), End> {
    let kernels = kernels(game, table);
    for (history, law) in table {
        let mut played: Vec<(Vec<Output>, Rational)> =
            vec![(Vec::new(), Rational::from(BigInt::from(1)))];
        for round in 0..game.rounds {
            let mut longer = Vec::new();
            for (outputs, probability) in played {
                let memory = (seen(game, history, round), outputs);
                for (output, share) in &kernels[&memory] {
                    work.step()?;
                    let mut outputs = memory.1.clone();
                    outputs.push(*output);
                    longer.push((outputs, &probability * share));
                }
            }
            played = longer;
        }
        let of_table = |n: &BigInt| Rational::new(n.clone(), denominator.clone());
        let agrees = played.len() == law.len()
            && played.iter().all(|(outputs, p)| law.get(outputs).map(of_table).as_ref() == Some(p));
        if !agrees {
            let fault = Unproved::NotCausal { round: game.rounds, history: game.name(history) };
            return Err(Rejection::unproved("upper.outputs", fault).into());
        }
    }
    Ok(())
}

/// What is seen of a history before the output of a round (from 0).
fn seen(game: &Game, history: &[Example], round: usize) -> Vec<Example> {
    let mut seen = history[..round].to_vec();
    if game.joint {
        seen.push(game.point(history[round]));
    }
    seen
}

/// For each state of the memory the law of the next output, from the first history that leads there.
fn kernels(game: &Game, table: &Table) -> BTreeMap<Memory, Vec<(Output, Rational)>> {
    let mut kernels = BTreeMap::new();
    for (history, law) in table {
        for round in 0..game.rounds {
            let mut laws: BTreeMap<Vec<Output>, BTreeMap<Output, BigInt>> = BTreeMap::new();
            for (outputs, numerator) in law {
                let next = laws.entry(outputs[..round].to_vec()).or_default();
                *next.entry(outputs[round]).or_default() += numerator;
            }
            for (outputs, next) in laws {
                kernels.entry((seen(game, history, round), outputs)).or_insert_with(|| {
                    let total: BigInt = next.values().sum();
                    let share = |(output, n)| (output, Rational::new(n, total.clone()));
                    next.into_iter().map(share).collect()
                });
            }
        }
    }
    kernels
}

//! Bounds that need no program: for games without a choice, for ε = δ = 0, and those that are
//! known before a search has ended.

use num_traits::{One, Zero};

use super::adversary::{Adversary, Multiplier};
use super::game::{Game, Neighbours};
use super::learner::Learner;
use crate::exact::{BigInt, Rational};
use crate::privacy::Notion;

/// The learner that releases uniformly distributed outputs. It is private for all ε and δ and errs
/// with probability 1/2 on each example that is not constant.
pub fn learner(game: &Game) -> Learner {
    let own = |history: usize| game.words_of(game.rounds(), history).len();
    Learner::new(game, |history, _| Rational::new(BigInt::one(), BigInt::from(own(history))))
}

/// The adversary that repeats one point with a fair label; one example where there is no choice.
///
/// Without multipliers it proves V ≥ 1/2, as the first output is right with probability 1/2. With
/// them it proves V = T/2 for ρ = 1, if privacy is asked for between all neighbours: let s(k) be the
/// history of k labels 1 and then labels 0, and let y be the output of round r. What the adversary
/// gains there is (1 − P(y = 0|s(0)) + P(y = 0|s(r − 1)))/2, as the examples from round r on make
/// no difference. The multipliers 1/2 of all views with y = 0, for the pairs s(k), s(k + 1) with
/// k < r − 1, add half of P(y = 0|s(0)) − P(y = 0|s(r − 1)).
pub fn adversary(game: &Game, with_multipliers: bool) -> Adversary {
    let rounds = game.rounds();
    let Some(column) = game.undecided_column() else {
        let example = (0..game.examples()).find(|e| game.is_realisable(&[*e]));
        let streams = vec![(vec![example.expect("a point"); rounds], BigInt::one())];
        return Adversary { denominator: BigInt::one(), streams, multipliers: Vec::new() };
    };
    let (zero, one) = (2 * column, 2 * column + 1);
    let streams = [zero, one].map(|example| (vec![example; rounds], BigInt::one())).to_vec();
    let mut multipliers = Vec::new();
    for ones in (0..rounds - 1).filter(|_| with_multipliers) {
        let mut history = vec![zero; rounds - usize::from(game.notion() == Notion::Whole)];
        history[..ones].fill(one);
        let first = game.code(&history);
        history[ones] = one;
        let second = game.code(&history);
        for (view, [left, _]) in game.views(first, second, ones).into_iter().enumerate() {
            let right = |&round: &usize| {
                let place = game.words(rounds - 1 - round).expect("the size was checked");
                !game.is_wrong(left[0] / place % game.outputs(), zero)
            };
            let count = (ones + 1..rounds).filter(right).count();
            if count > 0 {
                let numerator = BigInt::from(count);
                multipliers.push(Multiplier { first, second, round: ones, view, numerator });
            }
        }
    }
    Adversary { denominator: BigInt::from(2), streams, multipliers }
}

/// Whether [`learner`] and [`adversary`] are optimal, so that no program has to be solved.
pub fn suffices(game: &Game, rho: &Rational, delta: &Rational) -> bool {
    let all = game.neighbours() == Neighbours::All;
    let fair = game.rounds() == 1 || (all && rho.is_one() && delta.is_zero());
    game.columns().is_empty() || (fair && game.undecided_column().is_some())
}

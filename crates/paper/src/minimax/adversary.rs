//! What proves a lower bound: a law over realisable streams and multipliers for privacy.

use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::game::Game;
use super::law::Law;
use littlestone_exact::limits::{Limits, Stopped};
use littlestone_exact::{BigInt, Rational};

/// A multiplier of the constraint P(view) ≤ ρ·P'(view) + z of a pair of histories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Multiplier {
    /// The first history, of the law P.
    pub first: usize,
    /// The second history, of the law P'.
    pub second: usize,
    /// The round in which they differ, from 0.
    pub round: usize,
    /// Which view, in the order of [`Game::views`].
    pub view: usize,
    /// The numerator, positive.
    pub numerator: BigInt,
}

/// A law over realisable streams and multipliers, as numerators over a common denominator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adversary {
    /// The common denominator, the sum of the weights of the streams.
    pub denominator: BigInt,
    /// Streams with the numerators of their probabilities, positive.
    pub streams: Vec<(Vec<usize>, BigInt)>,
    /// Multipliers that are not 0, one pair of histories after the other.
    pub multipliers: Vec<Multiplier>,
}

/// The bound of an adversary as a function of δ: `at_zero` − `slope`·δ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tangent {
    /// The bound at δ = 0.
    pub at_zero: Rational,
    /// The sum over all pairs of histories of their greatest multiplier.
    pub slope: Rational,
}

impl Tangent {
    /// The bound at δ.
    pub fn at(&self, delta: &Rational) -> Rational {
        &self.at_zero - &self.slope * delta
    }
}

impl Adversary {
    /// The adversary that draws from a law, without multipliers.
    pub fn of_law(law: &Law) -> Self {
        let streams = law.streams().iter().map(|(s, n)| (s.clone(), BigInt::from(*n))).collect();
        Self { denominator: law.denominator().into(), streams, multipliers: Vec::new() }
    }

    /// The adversary with these positive weights, which sum to 1, and positive multipliers, each
    /// with the histories, the round and the view that it belongs to.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn of_numbers(
        streams: Vec<(Vec<usize>, Rational)>,
        multipliers: Vec<((usize, usize, usize, usize), Rational)>,
        limits: &Limits,
    ) -> Result<Self, Stopped> {
        let mut denominator = BigInt::one();
        let numbers = streams.iter().map(|(_, w)| w).chain(multipliers.iter().map(|(_, m)| m));
        for number in numbers {
            limits.check()?;
            if !denominator.is_multiple_of(number.denom()) {
                denominator = denominator.lcm(number.denom());
            }
        }
        let numerator = |number: &Rational| number.numer() * (&denominator / number.denom());
        let streams = streams.into_iter().map(|(s, w)| (s, numerator(&w))).collect();
        let multipliers = multipliers
            .into_iter()
            .map(|((first, second, round, view), m)| Multiplier {
                first,
                second,
                round,
                view,
                numerator: numerator(&m),
            })
            .collect();
        Ok(Self { denominator, streams, multipliers })
    }

    /// The lower bound that the adversary proves at ρ for all δ: the least value over all causal
    /// learners of
    ///
    /// Σ w(S)·mistakes(S) + Σ μ·(P − ρ·P') − δ·Σ max μ,
    ///
    /// the last sum over all pairs of histories. The minimum is taken from the last round back: what is released next is chosen best for
    /// each history and word. `None` unless the weights and multipliers are as they have to be.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn bound(
        &self,
        game: &Game,
        rho: &Rational,
        limits: &Limits,
    ) -> Result<Option<Tangent>, Stopped> {
        let (p, q) = (rho.numer(), rho.denom());
        let rounds = game.rounds();
        let positive = self.streams.iter().map(|(_, n)| n);
        let positive = positive.chain(self.multipliers.iter().map(|m| &m.numerator));
        let sum: BigInt = self.streams.iter().map(|(_, n)| n).sum();
        let realisable = self.streams.iter().all(|(stream, _)| game.is_realisable(stream));
        if !positive.clone().all(Signed::is_positive) || sum != self.denominator || !realisable {
            return Ok(None);
        }
        let mut costs: Vec<Vec<BigInt>> = Vec::new();
        for round in 1..=rounds {
            costs.push(vec![BigInt::zero(); histories(game, round) * words(game, round)]);
        }
        for (stream, weight) in &self.streams {
            for (round, &example) in (1..).zip(stream) {
                let history = game.code(game.seen(stream, round));
                let words = words(game, round);
                limits.check()?;
                for word in game.words_of(round, history) {
                    if game.is_wrong(word % game.outputs(), example) {
                        costs[round - 1][history * words + word] += weight * q;
                    }
                }
            }
        }
        let last = words(game, rounds);
        let mut slope = BigInt::zero();
        let same_pair = |a: &Multiplier, b: &Multiplier| (a.first, a.second) == (b.first, b.second);
        for pair in self.multipliers.chunk_by(same_pair) {
            let [Multiplier { first, second, round, .. }, ..] = pair else { return Ok(None) };
            limits.check()?;
            if !game.compared(*first).contains(&(*second, *round)) {
                return Ok(None);
            }
            let views = game.views(*first, *second, *round);
            for multiplier in pair {
                let Some([left, right]) = views.get(multiplier.view) else { return Ok(None) };
                for word in left {
                    costs[rounds - 1][first * last + word] += &multiplier.numerator * q;
                }
                for word in right {
                    costs[rounds - 1][second * last + word] -= &multiplier.numerator * p;
                }
            }
            slope += pair.iter().map(|m| &m.numerator).max().expect("a multiplier");
        }
        for round in (1..rounds).rev() {
            let next_costs = std::mem::take(&mut costs[round]);
            let words = words(game, round);
            for history in 0..histories(game, round) {
                for next in game.continuations(round, history) {
                    limits.check()?;
                    let least = cheapest(game, round + 1, next, &next_costs);
                    for (word, cost) in least.into_iter().enumerate() {
                        if let Some(cost) = cost {
                            costs[round - 1][history * words + word] += cost;
                        }
                    }
                }
            }
        }
        let mut bound = BigInt::zero();
        for history in 0..histories(game, 1) {
            let [Some(least)] = &cheapest(game, 1, history, &costs[0])[..] else { return Ok(None) };
            bound += least;
        }
        Ok(Some(Tangent {
            at_zero: Rational::new(bound, &self.denominator * q),
            slope: Rational::new(slope, self.denominator.clone()),
        }))
    }
}

fn histories(game: &Game, round: usize) -> usize {
    game.histories(round).expect("the size was checked")
}

fn words(game: &Game, round: usize) -> usize {
    game.words(round).expect("the size was checked")
}

/// For each word of the round before, the least cost of a word of this round that continues it.
fn cheapest(game: &Game, round: usize, history: usize, costs: &[BigInt]) -> Vec<Option<BigInt>> {
    let words = costs.len() / game.histories(round).expect("the size was checked");
    let mut least: Vec<Option<BigInt>> = vec![None; words / game.outputs()];
    for word in game.words_of(round, history) {
        let cost = &costs[history * words + word];
        let known = &mut least[word / game.outputs()];
        if known.as_ref().is_none_or(|known| cost < known) {
            *known = Some(cost.clone());
        }
    }
    least
}

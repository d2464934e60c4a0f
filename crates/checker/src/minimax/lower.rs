//! The rule for the lower bound: the least value of the Lagrangian over all causal systems.

use std::collections::{BTreeMap, BTreeSet};

use super::game::{Example, Game, Output};
use super::positive;
use super::unreduced::Unreduced;
use crate::alphabets::expected;
use crate::format::{Adversary, Multiplier, WeightedStream};
use crate::number::Calculator;
use crate::rejection::{Malformed, Rejection, Unproved};
use crate::verify::{End, Work};
use littlestone_base::{BigInt, Rational};

/// Outputs of T rounds, `None` in the round that is dropped.
pub(super) type Pattern = Vec<Option<Output>>;

/// What an output costs at the end of a history: weights of streams, and multipliers.
#[derive(Debug, Default)]
struct Leaf {
    /// Streams that end here, with their weights.
    streams: Vec<(Vec<Example>, BigInt)>,
    /// Multipliers with their signs, times the denominator of F.
    patterns: BTreeMap<Pattern, BigInt>,
}

/// The multipliers of one pair of histories, by pattern.
pub(super) type Pairs = BTreeMap<(Vec<Example>, Vec<Example>), BTreeMap<Pattern, BigInt>>;

/// The weights of streams.
pub(super) type Weights = BTreeMap<Vec<Example>, BigInt>;

/// The bound that the adversary proves, on the game as it is where that is small, and the number of
/// nodes that were looked at.
pub(super) fn bound(
    game: &Game,
    unreduced: Option<&Unreduced>,
    adversary: &Adversary,
    factor: &Rational,
    delta: &Rational,
    calculator: &mut Calculator,
) -> Result<(Rational, u64), End> {
    let work = &mut calculator.work;
    let denominator = positive("lower.denominator", &adversary.denominator)?;
    let mut weights = weights(game, adversary, &denominator, work)?;
    let mut pairs = multipliers(game, adversary, work)?;
    let mut game = game;
    if let Some(unreduced) = unreduced {
        weights = unreduced.weights(weights)?;
        pairs = unreduced.pairs(pairs, work)?;
        game = &unreduced.game;
    }
    let (above, below) = (factor.numer(), factor.denom());
    let mut leaves: BTreeMap<Vec<Example>, Leaf> = BTreeMap::new();
    for (stream, weight) in weights {
        let leaf = leaves.entry(game.history(&stream)).or_default();
        leaf.streams.push((stream, weight * below));
    }
    let mut greatest = BigInt::from(0);
    for ((first, second), patterns) in pairs {
        greatest += patterns.values().max().cloned().unwrap_or_default();
        for (pattern, multiplier) in patterns {
            let (plus, minus) = (below * &multiplier, above * multiplier);
            let mut add = |history: &Vec<Example>, cost: BigInt| {
                let patterns = &mut leaves.entry(history.clone()).or_default().patterns;
                *patterns.entry(pattern.clone()).or_default() += cost;
            };
            add(&first, plus);
            add(&second, -minus);
        }
    }
    let prefixes: BTreeSet<Vec<Example>> = leaves
        .keys()
        .flat_map(|history| (0..=history.len()).map(|length| history[..length].to_vec()))
        .collect();
    let mut recursion = Recursion { game, leaves: &leaves, prefixes: &prefixes, work, nodes: 0 };
    let least = recursion.start()?;
    let nodes = recursion.nodes;
    let total = Rational::new(least, below * &denominator);
    Ok((total - delta * Rational::new(greatest, denominator), nodes))
}

/// The law over streams with all images: realisable streams, weights that sum to 1.
fn weights(
    game: &Game,
    adversary: &Adversary,
    denominator: &BigInt,
    work: &mut Work,
) -> Result<Weights, End> {
    let mut weights = Weights::new();
    for (i, WeightedStream(stream, numerator)) in adversary.streams.iter().enumerate() {
        let place = format!("lower.streams[{i}]");
        game.check_examples(&place, stream, game.rounds, false)?;
        let numerator = positive(&place, numerator)?;
        let mut images = BTreeSet::new();
        for g in 0..game.symmetries() {
            work.step()?;
            images.insert(game.move_examples(g, stream, false));
        }
        for image in images {
            if !game.realises(&image) {
                return Err(Rejection::unproved(place, Unproved::NotRealisable).into());
            }
            if weights.insert(image, numerator.clone()).is_some() {
                return Err(Rejection::malformed(place, repeated()).into());
            }
        }
    }
    let sum: BigInt = weights.values().sum();
    if sum != *denominator {
        let fault = expected(&format!("weights that sum to {denominator}"), &sum.to_string());
        return Err(Rejection::malformed("lower.streams", fault).into());
    }
    Ok(weights)
}

fn repeated() -> Malformed {
    Malformed::Repeated { first: "an image of an earlier row".to_owned() }
}

/// The multipliers with all images.
fn multipliers(game: &Game, adversary: &Adversary, work: &mut Work) -> Result<Pairs, End> {
    let mut pairs = Pairs::new();
    for (i, row) in adversary.multipliers.iter().enumerate() {
        let Multiplier(first, second, texts, numerator) = row;
        let place = format!("lower.multipliers[{i}]");
        game.check_examples(&place, first, game.length(), true)?;
        game.check_examples(&place, second, game.length(), true)?;
        let differing: Vec<usize> = (0..first.len()).filter(|&r| first[r] != second[r]).collect();
        let [round] = differing[..] else {
            let fault = expected("histories that differ in one example", "other histories");
            return Err(Rejection::malformed(place, fault).into());
        };
        if round + 1 == game.rounds {
            let fault = expected("histories that differ before the last round", "other histories");
            return Err(Rejection::malformed(place, fault).into());
        }
        for (r, text) in texts.iter().enumerate() {
            if text.is_none() != (game.joint && r == round) {
                let fault = expected(
                    "null for the output that is dropped, and no other null",
                    &format!("another output of round {}", r + 1),
                );
                return Err(Rejection::malformed(place, fault).into());
            }
        }
        let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
        let pattern = game.outputs(&place, first, &texts)?;
        let numerator = positive(&place, numerator)?;
        let mut images = BTreeSet::new();
        for g in 0..game.symmetries() {
            work.step()?;
            let moved = |history: &[Example]| game.move_examples(g, history, true);
            let pattern = game.move_outputs(g, first, &pattern);
            images.insert(((moved(first), moved(second)), pattern));
        }
        for ((first, second), pattern) in images {
            if !game.counts(&first, &second) {
                return Err(Rejection::unproved(place, Unproved::NotRealisable).into());
            }
            let patterns = pairs.entry((first, second)).or_default();
            if patterns.insert(pattern, numerator.clone()).is_some() {
                return Err(Rejection::malformed(place, repeated()).into());
            }
        }
    }
    Ok(pairs)
}

/// From the last round back: the best output for each history of examples and outputs.
struct Recursion<'r> {
    game: &'r Game,
    leaves: &'r BTreeMap<Vec<Example>, Leaf>,
    /// All beginnings of the histories that cost something; elsewhere nothing does.
    prefixes: &'r BTreeSet<Vec<Example>>,
    work: &'r mut Work,
    nodes: u64,
}

impl Recursion<'_> {
    fn start(&mut self) -> Result<BigInt, End> {
        let (mut examples, mut outputs) = (Vec::new(), Vec::new());
        self.round(&mut examples, &mut outputs)
    }

    /// The least cost of what follows the examples and the outputs of the same rounds. For joint,
    /// the sum over the point that comes next; then the least over outputs; then the sum over what
    /// is seen of the example.
    fn round(
        &mut self,
        examples: &mut Vec<Example>,
        outputs: &mut Vec<Output>,
    ) -> Result<BigInt, End> {
        if !self.game.joint {
            return self.output(examples, outputs, None);
        }
        let mut sum = BigInt::from(0);
        for point in self.game.points() {
            sum += self.output(examples, outputs, Some(point))?;
        }
        Ok(sum)
    }

    /// The least over the output of this round.
    fn output(
        &mut self,
        examples: &mut Vec<Example>,
        outputs: &mut Vec<Output>,
        point: Option<Example>,
    ) -> Result<BigInt, End> {
        let mut least: Option<BigInt> = None;
        for output in 0..self.game.alphabet(point) {
            self.work.step()?;
            self.nodes += 1;
            outputs.push(output);
            let cost = self.example(examples, outputs, point)?;
            outputs.pop();
            if least.as_ref().is_none_or(|least| cost < *least) {
                least = Some(cost);
            }
        }
        Ok(least.unwrap_or_default())
    }

    /// The sum over the example of this round, or the cost of the leaf.
    fn example(
        &mut self,
        examples: &mut Vec<Example>,
        outputs: &mut Vec<Output>,
        point: Option<Example>,
    ) -> Result<BigInt, End> {
        if outputs.len() == self.game.rounds {
            let history: Vec<Example> = examples.iter().copied().chain(point).collect();
            return Ok(self
                .leaves
                .get(&history)
                .map_or_else(BigInt::default, |leaf| self.cost(leaf, outputs)));
        }
        let seen: Vec<Example> = match point {
            None => (0..self.game.examples()).collect(),
            Some(point) => self.game.at_point(point).collect(),
        };
        let mut sum = BigInt::from(0);
        for example in seen {
            examples.push(example);
            if self.prefixes.contains(examples.as_slice()) {
                sum += self.round(examples, outputs)?;
            }
            examples.pop();
        }
        Ok(sum)
    }

    fn cost(&self, leaf: &Leaf, outputs: &[Output]) -> BigInt {
        let mut cost = BigInt::from(0);
        for (stream, weight) in &leaf.streams {
            let wrong = outputs.iter().zip(stream).filter(|(y, z)| self.game.wrong(**y, **z));
            cost += weight * wrong.count();
        }
        let mut pattern: Pattern = outputs.iter().copied().map(Some).collect();
        if !self.game.joint {
            cost += leaf.patterns.get(&pattern).cloned().unwrap_or_default();
            return cost;
        }
        for round in 0..outputs.len() {
            let output = pattern[round].take();
            if let Some(multiplier) = leaf.patterns.get(&pattern) {
                cost += multiplier;
            }
            pattern[round] = output;
        }
        cost
    }
}

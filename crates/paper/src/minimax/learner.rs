//! What proves an upper bound: the law of the outputs of a learner under each history.
//!
//! *Idea.* A table of the probabilities of all words under all histories of the last round is a
//! learner if the law of each output does not depend on what comes later; then its worst divergence
//! and its mistakes on the worst stream are plain sums. A guess becomes such a table by rounding the
//! law of each next output, and private by mixing it with a learner that ignores the stream.
//!
//! *Invariant.* Numerators over one common denominator; under each history they sum to it.
//!
//! *Not here.* Nothing says that the learner is optimal: that is the adversary's part.

use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::game::Game;
use super::law::Against;
use super::orbits::Symmetry;
use littlestone_exact::limits::{Limits, Stopped};
use littlestone_exact::{BigInt, Rational};

/// The precision of [`Learner::of_kernels`].
pub const KERNEL_BITS: u32 = 52;

/// For each round the numerators by history and word.
pub type Levels = Vec<Vec<BigInt>>;

/// The probability of each word of T outputs under each history of the last round, as numerators
/// over a common denominator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Learner {
    denominator: BigInt,
    words: usize,
    numerators: Vec<BigInt>,
}

impl Learner {
    /// The table of `probability(history, word)`.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn new(
        game: &Game,
        probability: impl Fn(usize, usize) -> Rational,
        limits: &Limits,
    ) -> Result<Self, Stopped> {
        let (histories, words) = size(game);
        let mut table = vec![Rational::zero(); histories * words];
        let mut denominator = BigInt::one();
        for history in 0..histories {
            for word in game.words_of(game.rounds(), history) {
                limits.check()?;
                let value = probability(history, word);
                if !denominator.is_multiple_of(value.denom()) {
                    denominator = denominator.lcm(value.denom());
                }
                table[history * words + word] = value;
            }
        }
        let scale = |value: Rational| {
            limits.check()?;
            Ok(value.numer() * (&denominator / value.denom()))
        };
        let numerators = table.into_iter().map(scale).collect::<Result<_, Stopped>>()?;
        Ok(Self { denominator, words, numerators })
    }

    /// The learner that releases uniformly distributed outputs.
    pub fn uniform(game: &Game) -> Self {
        let (histories, words) = size(game);
        let mut numerators = vec![BigInt::zero(); histories * words];
        for history in 0..histories {
            let own = game.words_of(game.rounds(), history);
            let share = BigInt::from(words / own.len());
            for word in own {
                numerators[history * words + word].clone_from(&share);
            }
        }
        Self { denominator: BigInt::from(words), words, numerators }
    }

    /// The learner whose output in each round has, after the history `history` and the word `word`
    /// that ends with it, a probability proportional to `mass(round, history, word)`, rounded to a
    /// multiple of 2^−[`KERNEL_BITS`]. So it is causal whatever the masses are.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn of_kernels<'m>(
        game: &Game,
        mass: impl Fn(usize, usize, usize) -> &'m BigInt,
        limits: &Limits,
    ) -> Result<Self, Stopped> {
        let mut shorter = Vec::new();
        for round in 1..=game.rounds() {
            let histories = game.histories(round).expect("the size was checked");
            let words = game.words(round).expect("the size was checked");
            let mut table = vec![BigInt::zero(); histories * words];
            for history in 0..histories {
                let same = |a: &usize, b: &usize| a / game.outputs() == b / game.outputs();
                for siblings in game.words_of(round, history).chunk_by(same) {
                    limits.check()?;
                    let parent = if round == 1 {
                        BigInt::one()
                    } else {
                        let before = game.before(history) * (words / game.outputs());
                        BigInt::clone(&shorter[before + siblings[0] / game.outputs()])
                    };
                    let shares = shares(siblings.iter().map(|&word| mass(round, history, word)));
                    for (word, share) in siblings.iter().zip(shares) {
                        table[history * words + word] = &parent * share;
                    }
                }
            }
            shorter = table;
        }
        let denominator = (0..game.rounds()).fold(BigInt::one(), |d, _| d << KERNEL_BITS);
        Self { denominator, words: size(game).1, numerators: shorter }.reduced(limits)
    }

    /// The common denominator.
    pub fn denominator(&self) -> &BigInt {
        &self.denominator
    }

    /// The numerator of the probability of a word under a history of the last round.
    pub fn numerator(&self, history: usize, word: usize) -> &BigInt {
        &self.numerators[history * self.words + word]
    }

    /// The same, rescaled to the least denominator.
    fn reduced(mut self, limits: &Limits) -> Result<Self, Stopped> {
        let mut common = self.denominator.clone();
        for numerator in self.numerators.iter().filter(|n| !n.is_zero()) {
            if common.is_one() {
                return Ok(self);
            }
            limits.check()?;
            common = common.gcd(numerator);
        }
        for numerator in &mut self.numerators {
            limits.check()?;
            *numerator /= &common;
        }
        self.denominator /= common;
        Ok(self)
    }

    /// The average over the images under the symmetries.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn averaged(
        &self,
        game: &Game,
        group: &[Symmetry],
        limits: &Limits,
    ) -> Result<Self, Stopped> {
        let (histories, words) = size(game);
        let mut numerators = vec![BigInt::zero(); histories * words];
        for symmetry in group {
            for history in 0..histories {
                let image = symmetry.history(game, game.rounds(), history);
                limits.check()?;
                for word in game.words_of(game.rounds(), history) {
                    let to = symmetry.word(game, game.rounds(), history, word);
                    numerators[image * words + to] += self.numerator(history, word);
                }
            }
        }
        let denominator = &self.denominator * BigInt::from(group.len());
        Self { denominator, words, numerators }.reduced(limits)
    }

    /// The mixture with the learner that releases uniformly distributed outputs, which has the
    /// weight `weight`.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn mixed(&self, game: &Game, weight: &Rational, limits: &Limits) -> Result<Self, Stopped> {
        let (histories, words) = size(game);
        let rest = weight.denom() - weight.numer();
        let denominator = &self.denominator * weight.denom() * BigInt::from(words);
        let mut numerators = vec![BigInt::zero(); histories * words];
        for history in 0..histories {
            let own = game.words_of(game.rounds(), history);
            let share = BigInt::from(words / own.len()) * weight.numer() * &self.denominator;
            for word in own {
                limits.check()?;
                let scaled = self.numerator(history, word) * &rest * BigInt::from(words);
                numerators[history * words + word] = scaled + &share;
            }
        }
        Self { denominator, words, numerators }.reduced(limits)
    }

    /// The numerators of the probabilities of words of `round` outputs under histories of that
    /// round, for every round; `None` unless the table is a causal family of laws.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn rounds(&self, game: &Game, limits: &Limits) -> Result<Option<Levels>, Stopped> {
        if self.numerators.iter().any(Signed::is_negative) {
            return Ok(None);
        }
        let mut levels = vec![self.numerators.clone()];
        for round in (1..game.rounds()).rev() {
            let longer = levels.last().expect("the last round");
            let words = game.words(round).expect("the size was checked");
            let histories = game.histories(round).expect("the size was checked");
            let mut level: Vec<Option<BigInt>> = vec![None; histories * words];
            for history in 0..histories {
                for next in game.continuations(round, history) {
                    limits.check()?;
                    let mut sums = vec![BigInt::zero(); words];
                    for word in game.words_of(round + 1, next) {
                        sums[word / game.outputs()] +=
                            &longer[next * words * game.outputs() + word];
                    }
                    for word in game.words_of(round, history) {
                        let sum = &sums[word];
                        match &level[history * words + word] {
                            Some(known) if known != sum => return Ok(None),
                            Some(_) => {}
                            None => level[history * words + word] = Some(sum.clone()),
                        }
                    }
                }
            }
            levels.push(level.into_iter().map(Option::unwrap_or_default).collect());
        }
        levels.reverse();
        let words = game.outputs();
        let sums_to_one =
            levels[0].chunks(words).all(|law| law.iter().sum::<BigInt>() == self.denominator);
        Ok(sums_to_one.then_some(levels))
    }

    /// The greatest Σ max(0, P(y) − ρ·P'(y)) over all pairs of histories that privacy compares.
    fn divergence(
        &self,
        game: &Game,
        rho: &Rational,
        limits: &Limits,
    ) -> Result<Rational, Stopped> {
        let mut worst = BigInt::zero();
        for first in 0..size(game).0 {
            for (second, round) in game.compared(first) {
                limits.check()?;
                let mut sum = BigInt::zero();
                for [left, right] in game.views(first, second, round) {
                    let difference = self.excess(first, &left, second, &right, rho);
                    if difference.is_positive() {
                        sum += difference;
                    }
                }
                worst = worst.max(sum);
            }
        }
        Ok(Rational::new(worst, &self.denominator * rho.denom()))
    }

    /// P − ρ·P' for a view, times the denominators.
    fn excess(
        &self,
        first: usize,
        left: &[usize],
        second: usize,
        right: &[usize],
        rho: &Rational,
    ) -> BigInt {
        let sum = |history: usize, words: &[usize]| -> BigInt {
            words.iter().map(|word| self.numerator(history, *word)).sum()
        };
        sum(first, left) * rho.denom() - sum(second, right) * rho.numer()
    }

    /// The least weight of the uniform learner (see [`Learner::mixed`]) that is found to make the
    /// mixture (ln ρ, δ)-private, rounded up; `None` if there is none.
    ///
    /// The divergence of the mixture is at most 1 − weight times the one that is there, as that of
    /// the uniform learner is 0; that is of use for δ > 0. And P − ρ·P' of a view with the uniform
    /// probability u becomes (1 − weight)·(P − ρ·P') − weight·(ρ − 1)·u, which is not positive for
    /// a large enough weight. The lesser of the two weights is taken.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn mixing_weight(
        &self,
        game: &Game,
        rho: &Rational,
        delta: &Rational,
        limits: &Limits,
    ) -> Result<Option<Rational>, Stopped> {
        let mut weights = Vec::from_iter(self.weight_of_ratios(game, rho, limits)?);
        if delta.is_positive() {
            let worst = self.divergence(game, rho, limits)?;
            weights.push(if worst <= *delta {
                Rational::zero()
            } else {
                Rational::one() - delta / worst
            });
        }
        Ok(weights.into_iter().min().map(|weight| rounded_up(&weight)))
    }

    /// The least weight that makes the mixture (ln ρ, 0)-private.
    fn weight_of_ratios(
        &self,
        game: &Game,
        rho: &Rational,
        limits: &Limits,
    ) -> Result<Option<Rational>, Stopped> {
        // The greatest ratio of an excess to the number of words, as ρ·… is common to all.
        let (words, slack) = (size(game).1, rho.numer() - rho.denom());
        let mut worst = Rational::zero();
        for first in 0..size(game).0 {
            for (second, round) in game.compared(first) {
                let own = game.words_of(game.rounds(), first).len();
                limits.check()?;
                for [left, right] in game.views(first, second, round) {
                    let excess = self.excess(first, &left, second, &right, rho);
                    if !excess.is_positive() {
                        continue;
                    }
                    if !slack.is_positive() {
                        return Ok(None);
                    }
                    // Excess and slack, both times the denominators of the table and of ρ.
                    let share = BigInt::from(words / own * left.len()) * &slack * &self.denominator;
                    let excess = excess * BigInt::from(words);
                    let weight = Rational::new(excess.clone(), excess + share);
                    worst = worst.max(weight);
                }
            }
        }
        Ok(Some(worst))
    }

    /// The expected mistakes on a stream, as a numerator; `levels` are [`Learner::rounds`].
    pub fn mistakes(game: &Game, levels: &[Vec<BigInt>], stream: &[usize]) -> BigInt {
        let mut sum = BigInt::zero();
        for (round, &example) in (1..).zip(stream) {
            let history = game.code(game.seen(stream, round));
            let words = game.words(round).expect("the size was checked");
            for word in game.words_of(round, history) {
                if game.is_wrong(word % game.outputs(), example) {
                    sum += &levels[round - 1][history * words + word];
                }
            }
        }
        sum
    }

    /// The upper bound that the learner proves for ρ and δ: its mistakes on the worst realisable
    /// stream, or the expected ones under a law. `None` unless it is causal and private.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn bound(
        &self,
        game: &Game,
        rho: &Rational,
        delta: &Rational,
        against: &Against,
        limits: &Limits,
    ) -> Result<Option<Rational>, Stopped> {
        let Some(levels) = self.rounds(game, limits)? else { return Ok(None) };
        if self.divergence(game, rho, limits)? > *delta {
            return Ok(None);
        }
        let mistakes = |stream: &[usize]| {
            limits.check()?;
            Ok::<_, Stopped>(Self::mistakes(game, &levels, stream))
        };
        Ok(Some(match against {
            Against::Worst => {
                let mut worst = BigInt::zero();
                for stream in game.realisable_streams(limits)? {
                    worst = worst.max(mistakes(&stream)?);
                }
                Rational::new(worst, self.denominator.clone())
            }
            Against::Law(law) => {
                let mut sum = BigInt::zero();
                for (stream, n) in law.streams() {
                    sum += mistakes(stream)? * n;
                }
                Rational::new(sum, &self.denominator * law.denominator())
            }
        }))
    }
}

/// Probabilities of this many bits that are proportional to the masses, up to rounding.
fn shares<'m>(masses: impl Iterator<Item = &'m BigInt> + Clone) -> Vec<BigInt> {
    let total: BigInt = masses.clone().sum();
    let unit = BigInt::one() << KERNEL_BITS;
    let mut shares: Vec<BigInt> = if total.is_zero() {
        let count = masses.count();
        vec![&unit / BigInt::from(count); count]
    } else {
        masses.map(|mass| (mass << KERNEL_BITS) / &total).collect()
    };
    let rest = unit - shares.iter().sum::<BigInt>();
    if let Some(greatest) = shares.iter_mut().max() {
        *greatest += rest;
    }
    shares
}

fn size(game: &Game) -> (usize, usize) {
    let histories = game.histories(game.rounds()).expect("the size was checked");
    (histories, game.words(game.rounds()).expect("the size was checked"))
}

/// A number of [0, 1], rounded up to a multiple of 2^−80.
fn rounded_up(value: &Rational) -> Rational {
    let scale = BigInt::one() << 80u32;
    Rational::new((value * &scale).ceil().to_integer(), scale)
}

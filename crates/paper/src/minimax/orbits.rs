//! Symmetries of a game, and what they make alike.
//!
//! A symmetry permutes the columns and complements some of them such that the class is mapped onto
//! itself. It acts on examples, histories and words, and keeps neighbours, realisable streams and
//! mistakes. Averaging a learner over the group keeps its privacy (the divergence
//! P(E) − e^ε·Q(E) of the best event is jointly convex) and does not raise its mistakes on the worst stream. So
//! there is an optimal learner that is alike on all images.

use itertools::Itertools;

use super::game::Game;
use littlestone_exact::limits::{Limits, Stopped};
use littlestone_privacy::Notion;

/// A permutation of the columns with complements: what belongs to column `k` moves to column
/// `to[k]`, complemented if `flips[k]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetry {
    /// Where each column goes.
    pub to: Vec<usize>,
    /// Whether its label is complemented.
    pub flips: Vec<bool>,
    /// The images of examples.
    examples: Vec<usize>,
    /// The images of functions on the columns.
    functions: Vec<usize>,
}

impl Symmetry {
    fn new(to: Vec<usize>, flips: Vec<bool>) -> Self {
        let n = to.len();
        let example = |e: usize| match to.get(e / 2) {
            Some(k) => 2 * k + ((e % 2) ^ usize::from(flips[e / 2])),
            None => e,
        };
        let function =
            |f: usize| (0..n).map(|k| (f >> k & 1 ^ usize::from(flips[k])) << to[k]).sum();
        let examples = (0..=2 * n).map(example).collect();
        let functions = (0..1 << n).map(function).collect();
        Self { to, flips, examples, functions }
    }

    /// The least image of a stream under the symmetries.
    pub fn least_image(group: &[Self], stream: &[usize]) -> Vec<usize> {
        let image = |symmetry: &Self| stream.iter().map(|&e| symmetry.example(e)).collect_vec();
        group.iter().map(image).min().expect("the identity")
    }

    /// The image of an example.
    pub fn example(&self, example: usize) -> usize {
        self.examples[example]
    }

    /// The image of a history of round `round`.
    pub fn history(&self, game: &Game, round: usize, code: usize) -> usize {
        let mut history = game.history(round, code);
        for e in &mut history {
            *e = self.examples[*e];
        }
        game.code(&history)
    }

    /// The image of a word of `round` outputs under a history of that round.
    pub fn word(&self, game: &Game, round: usize, history: usize, word: usize) -> usize {
        let base = game.outputs();
        let digits = (0..round).scan(word, |rest, _| {
            let digit = *rest % base;
            *rest /= base;
            Some(digit)
        });
        match game.notion() {
            Notion::Whole => {
                digits.zip(places(base)).map(|(o, place)| self.functions[o] * place).sum()
            }
            Notion::Joint => {
                let examples = game.history(round, history);
                let flip = |e: usize| usize::from(self.flips.get(e / 2) == Some(&true));
                let digits = digits.zip(examples.iter().rev()).map(|(o, &e)| o ^ flip(e));
                digits.zip(places(base)).map(|(o, place)| o * place).sum()
            }
        }
    }
}

fn places(base: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(1usize), move |place| place.checked_mul(base))
}

/// All symmetries of the class, the identity first.
pub fn symmetries(game: &Game) -> Vec<Symmetry> {
    let n = game.columns().len();
    let maps_onto = |symmetry: &Symmetry| {
        let images = game.hypotheses().iter().map(|&f| symmetry.functions[f]);
        images.sorted_unstable().eq(game.hypotheses().iter().copied())
    };
    (0..n)
        .permutations(n)
        .cartesian_product(0..1usize << n)
        .map(|(to, mask)| Symmetry::new(to, (0..n).map(|k| mask >> k & 1 == 1).collect()))
        .filter(maps_onto)
        .collect()
}

/// The identity alone.
pub fn identity(game: &Game) -> Vec<Symmetry> {
    let n = game.columns().len();
    vec![Symmetry::new((0..n).collect(), vec![false; n])]
}

/// For each history of a round and each word, the number of the orbit.
#[derive(Debug, Clone)]
pub struct Level {
    words: usize,
    orbits: Vec<usize>,
    /// For each orbit its first member, a history and a word, and the number of members.
    pub members: Vec<(usize, usize, usize)>,
}

/// The number of a node that cannot occur.
const NONE: usize = usize::MAX;

impl Level {
    /// The orbits of round `round`. The caller has checked the size.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn new(
        game: &Game,
        group: &[Symmetry],
        round: usize,
        limits: &Limits,
    ) -> Result<Self, Stopped> {
        let histories = game.histories(round).expect("the size was checked");
        let words = game.words(round).expect("the size was checked");
        let mut orbits = vec![NONE; histories * words];
        let mut members = Vec::new();
        for history in 0..histories {
            for word in game.words_of(round, history) {
                if orbits[history * words + word] != NONE {
                    continue;
                }
                limits.check()?;
                let mut size = 0;
                for symmetry in group {
                    let image = symmetry.history(game, round, history) * words
                        + symmetry.word(game, round, history, word);
                    if std::mem::replace(&mut orbits[image], members.len()) == NONE {
                        size += 1;
                    }
                }
                members.push((history, word, size));
            }
        }
        Ok(Self { words, orbits, members })
    }

    /// The orbit of a history and a word that can occur with it.
    pub fn orbit(&self, history: usize, word: usize) -> usize {
        let orbit = self.orbits[history * self.words + word];
        debug_assert_ne!(orbit, NONE, "the word can occur with the history");
        orbit
    }
}

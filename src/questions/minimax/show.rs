//! The best learner and the adversary.
//!
//! Both are alike on all images under the symmetries of the game, so one of each is shown with the
//! number of its images.

use std::collections::BTreeMap;

use num_traits::Zero;
use schemars::JsonSchema;
use serde::Serialize;

use crate::class::Class;
use crate::exact::{BigInt, Rational, decimal, rational};
use crate::limits::Limits;
use crate::minimax::orbits::Symmetry;
use crate::minimax::{Bounds, Game, strategy};
use crate::privacy::Notion;
use crate::text::Lines;

use super::super::blocks::count;
use super::super::known::Exact;

/// So many streams, and laws of the learner, are listed unless all are asked for.
const LISTED: usize = 8;

/// So many outputs of a law are listed unless all are asked for.
const OUTPUTS: usize = 4;

/// Fractions with more characters than this are shown as decimals, with so many digits.
const FRACTION: (usize, u32) = (11, 6);

/// Both sides of a game that was solved.
pub(super) struct Players<'s> {
    pub(super) class: &'s Class,
    pub(super) game: &'s Game,
    pub(super) group: &'s [Symmetry],
    pub(super) bounds: &'s Bounds,
}

/// A stream with its probability.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct WeightedStream {
    /// Its probability.
    #[schemars(extend("format" = "probability"))]
    pub probability: Exact<Rational>,
    /// Examples as --stream of mistakes reads them.
    pub stream: String,
}

/// The law of the output of a round, whatever was released before, after some examples.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LawAfter {
    /// The round, from 1 on.
    pub round: usize,
    /// The examples before the round, as --stream of mistakes reads them.
    pub seen: String,
    /// The point of the round, for prediction.
    pub point: Option<String>,
    /// The number of histories that are images of this one, itself among them.
    pub images: usize,
    /// The outputs with their probabilities.
    pub law: Vec<OutputMass>,
}

/// An output with its probability.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct OutputMass {
    /// The labels of all points, or one bit.
    pub output: String,
    /// Its probability.
    #[schemars(extend("format" = "probability"))]
    pub probability: Exact<Rational>,
}

impl Players<'_> {
    /// The streams of the adversary with their probabilities, in the notation of `--stream`.
    pub(super) fn streams(&self) -> Vec<WeightedStream> {
        let adversary = &self.bounds.lower.adversary;
        let probability = |n: &BigInt| Rational::new(n.clone(), adversary.denominator.clone());
        let weighted = |(stream, n): &(Vec<usize>, BigInt)| WeightedStream {
            probability: Exact(probability(n)),
            stream: self.stream(stream),
        };
        adversary.streams.iter().map(weighted).collect()
    }

    fn point(&self, example: usize) -> (String, usize) {
        let columns = self.game.columns();
        let point = columns.get(example / 2).copied().or(self.game.constant());
        let point = point.expect("an example of the game");
        let name = &self.class.point_names()[point];
        let quoted = name.contains([',', ':', ';', '#']) || name.contains(char::is_whitespace);
        (if quoted { format!("\"{name}\"") } else { name.clone() }, point)
    }

    fn stream(&self, stream: &[usize]) -> String {
        let example = |&e: &usize| {
            let (name, point) = self.point(e);
            let constant = e / 2 >= self.game.columns().len();
            let label = if constant { self.class.label(0, point) } else { e % 2 == 1 };
            format!("{name}:{}", u8::from(label))
        };
        stream.iter().map(example).collect::<Vec<_>>().join(",")
    }

    /// A stream of each orbit with its probability and the number of its images; the most probable
    /// orbits first.
    fn orbits(&self) -> Vec<(Vec<usize>, Rational, usize)> {
        let adversary = &self.bounds.lower.adversary;
        let mut images: BTreeMap<(Vec<usize>, &BigInt), usize> = BTreeMap::new();
        for (stream, n) in &adversary.streams {
            let least = Symmetry::least_image(self.group, stream);
            *images.entry((least, n)).or_default() += 1;
        }
        let probability = |n: &BigInt| Rational::new(n.clone(), adversary.denominator.clone());
        let mut orbits: Vec<_> =
            images.into_iter().map(|((s, n), images)| (s, probability(n), images)).collect();
        let mass = |(_, p, images): &(Vec<usize>, Rational, usize)| p * BigInt::from(*images);
        orbits.sort_by_key(|orbit| std::cmp::Reverse(mass(orbit)));
        orbits
    }

    /// The adversary: all of it, or the most probable streams.
    pub(super) fn adversary(&self, all: bool, text: &mut Lines) {
        let orbits = self.orbits();
        let number = self.bounds.lower.adversary.streams.len();
        let streams = count(number, "stream", "streams");
        match orbits.len() {
            some if some == number => writeln!(text, "worst law: {streams}"),
            some => writeln!(text, "worst law: {streams}, {some} up to symmetry"),
        }
        let listed = if all { orbits.len() } else { LISTED };
        for (stream, probability, images) in orbits.iter().take(listed) {
            let of_each = if *images == 1 {
                String::new()
            } else {
                format!(" and {}", count(images - 1, "image", "images"))
            };
            let stream = self.stream(stream);
            writeln!(text, "  {}  {stream}{of_each}", brief(probability));
        }
        left_out(text, orbits.len().saturating_sub(listed), "adversary");
    }

    /// The law of the output of each round under each history up to symmetry, shorter ones first.
    pub(super) fn laws(&self) -> Vec<LawAfter> {
        let (game, learner) = (self.game, &self.bounds.upper.learner);
        let levels = learner.rounds(game, &Limits::default()).ok().flatten();
        let levels = levels.expect("the table of a bound is causal");
        let mut laws = Vec::new();
        for (round, level) in (1..).zip(&levels) {
            let histories = game.histories(round).expect("the size was checked");
            let words = game.words(round).expect("the size was checked");
            for history in 0..histories {
                let mut images: Vec<usize> =
                    self.group.iter().map(|g| g.history(game, round, history)).collect();
                images.sort_unstable();
                images.dedup();
                if images[0] != history {
                    continue;
                }
                let mut law: BTreeMap<usize, BigInt> = BTreeMap::new();
                for word in game.words_of(round, history) {
                    let n = &level[history * words + word];
                    *law.entry(word % game.outputs()).or_default() += n;
                }
                let mut seen = game.history(round, history);
                let last = (game.notion() == Notion::Joint).then(|| seen.pop()).flatten();
                // At the constant point there is nothing to choose.
                if last.is_some_and(|e| e / 2 >= game.columns().len()) {
                    continue;
                }
                let point = last.map(|e| self.point(e));
                let place = point.as_ref().map_or(0, |(_, x)| *x);
                let shown = |(output, n): (usize, BigInt)| {
                    let probability = Rational::new(n, learner.denominator().clone());
                    let output = strategy::released(game, place, output).clone();
                    OutputMass { output, probability: Exact(probability) }
                };
                laws.push(LawAfter {
                    round,
                    seen: self.stream(&seen),
                    point: point.map(|(name, _)| name),
                    images: images.len(),
                    law: law.into_iter().filter(|(_, n)| !n.is_zero()).map(shown).collect(),
                });
            }
        }
        laws
    }

    /// The learner: all laws of an output, or the first ones.
    pub(super) fn learner(&self, all: bool, text: &mut Lines) {
        let laws = self.laws();
        let who = match self.game.notion() {
            Notion::Whole => "learner",
            Notion::Joint => "predictor",
        };
        let histories = count(laws.len(), "history", "histories");
        writeln!(
            text,
            "best {who}: the law of its output after each of {histories} up to symmetry"
        );
        let listed = if all { laws.len() } else { LISTED };
        laws.iter().take(listed).for_each(|law| text.push(&law.line(all)));
        left_out(text, laws.len().saturating_sub(listed), "learner");
    }
}

impl LawAfter {
    fn line(&self, all: bool) -> String {
        let seen = if self.seen.is_empty() { "nothing" } else { &self.seen };
        let at = self.point.as_ref().map_or_else(String::new, |point| format!(" at {point}"));
        let listed = if all { self.law.len() } else { OUTPUTS };
        let outputs = self.law.iter().take(listed);
        let mut outputs: Vec<String> = outputs
            .map(|OutputMass { output, probability }| format!("{output} {}", brief(&probability.0)))
            .collect();
        if self.law.len() > listed {
            outputs.push(format!("… {} more", self.law.len() - listed));
        }
        format!("  round {} after {seen}{at}: {}", self.round, outputs.join(", "))
    }
}

/// A short fraction, or a decimal.
fn brief(value: &Rational) -> String {
    let exact = rational::show(value);
    if exact.len() <= FRACTION.0 { exact } else { decimal(value, FRACTION.1) }
}

fn left_out(text: &mut Lines, count: usize, what: &str) {
    if count > 0 {
        writeln!(text, "  … {count} more (--show {what})");
    }
}

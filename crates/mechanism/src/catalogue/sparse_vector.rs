//! The sparse vector technique: which answers reach a noisy threshold, in its correct form and in
//! the variants that were published and are not private as claimed.
//!
//! The variants are numbered as by Lyu, Su and Li, "Understanding the sparse vector technique for
//! differential privacy" (2017). The threshold is 0; an answer is `t` (top) when answer + noise ≥
//! threshold + noise, and `b` (bottom) otherwise. Given the noisy threshold the answers are
//! independent, so that a word is one joint event of [`geometric`](super::geometric).

use super::geometric::{Comparison, Noise, joint};
use super::queries::{self, Answer};
use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Kind, Law, Output};
use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;

/// The entry.
pub const ENTRY: Entry = Entry {
    name: "sparse-vector",
    kind: Kind::OneShot,
    law: "compares each answer plus noise with a noisy threshold 0 and releases a word with a letter \
          for each answer, t where it is reached and b where not, up to the tops-th t",
    paper: "Definition 2",
    twin: None,
    parameters: &[
        Parameter {
            name: "variant",
            default: Some("1"),
            meaning: "1 and 4: as it stands (4 is what calls noise for one t private for tops of \
                      them); 2: a fresh threshold after each t; 3: releases the noisy answer in \
                      place of t; 5: no noise on answers and no end; 6: no end",
        },
        queries::PARAMETER,
        Parameter {
            name: "tops",
            default: Some("1"),
            meaning: "after how many t it ends; variants 5 and 6 never end",
        },
        Parameter {
            name: "threshold",
            default: Some("1/4"),
            meaning: "the ratio in [0, 1) of the noise on the threshold, P(z) ~ ratio^|z|",
        },
        Parameter {
            name: "query",
            default: Some("1/2"),
            meaning: "the ratio in [0, 1) of the noise on each answer",
        },
        Parameter {
            name: "values",
            default: Some("1"),
            meaning: "variant 3 tells the noisy answers from -values to values apart, and no others",
        },
    ],
    build,
};

/// At most so many words are told apart.
const MOST_WORDS: usize = 5000;

#[derive(Debug)]
struct SparseVector {
    threshold: Noise,
    query: Noise,
    /// A fresh threshold after each top.
    fresh: bool,
    /// The noisy answers that are released by value, as −values..=values.
    values: Option<i32>,
    words: Vec<String>,
}

fn build(given: &Given<'_>) -> Result<Boxed> {
    let queries = queries::count(given)?;
    let variant = given.word("variant", &["1", "2", "3", "4", "5", "6"])?;
    let ends = !matches!(variant, "5" | "6");
    let tops = if ends { given.positive("tops")? } else { queries };
    let query = given.noise("query")?;
    let mechanism = SparseVector {
        threshold: given.noise("threshold")?,
        query: if variant == "5" { Noise::none() } else { query },
        fresh: variant == "2",
        values: if variant == "3" { Some(given.integer("values", 0..=8)?) } else { None },
        words: words(queries, tops),
    };
    let letters = mechanism.values.map_or(1, |values| 2 * values.unsigned_abs() as usize + 2);
    let most = mechanism.words.iter().map(|word| {
        let tops = word.matches('t').count();
        u32::try_from(tops).ok().and_then(|tops| letters.checked_pow(tops)).unwrap_or(usize::MAX)
    });
    let most = most.fold(0, usize::saturating_add);
    if most > MOST_WORDS {
        return Err(Error::TooLarge {
            what: "the alphabet of words with released values".into(),
            size: most.to_string(),
            limit: MOST_WORDS.to_string(),
        });
    }
    let outputs = mechanism.outputs();
    queries::mechanism(queries, outputs, mechanism)
}

/// The words of `queries` letters, which end early after `tops` times `t`.
fn words(queries: usize, tops: usize) -> Vec<String> {
    let mut words = vec![String::new()];
    for _ in 0..queries {
        words = words
            .into_iter()
            .flat_map(|word| {
                let ended = word.matches('t').count() == tops;
                let letters: &[&str] = if ended { &[""] } else { &["b", "t"] };
                letters.iter().map(move |letter| format!("{word}{letter}")).collect::<Vec<_>>()
            })
            .collect();
    }
    words
}

/// What is released for one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Letter {
    Bottom,
    Top,
    /// A top whose noisy answer is this.
    Value(i32),
    /// A top whose noisy answer is none of those that are released by value.
    Other,
}

impl SparseVector {
    fn outputs(&self) -> Vec<String> {
        self.words
            .iter()
            .flat_map(|word| self.spelled(word))
            .map(|letters| name(&letters))
            .collect()
    }

    /// The words that are released in place of a word of `b` and `t`.
    fn spelled(&self, word: &str) -> Vec<Vec<Letter>> {
        let mut spelled = vec![Vec::new()];
        for letter in word.bytes() {
            let letters = match (letter, self.values) {
                (b't', Some(values)) => {
                    (-values..=values).map(Letter::Value).chain([Letter::Other]).collect()
                }
                (b't', None) => vec![Letter::Top],
                _ => vec![Letter::Bottom],
            };
            spelled = spelled
                .iter()
                .flat_map(|word: &Vec<Letter>| {
                    letters.iter().map(|letter| word.iter().copied().chain([*letter]).collect())
                })
                .collect();
        }
        spelled
    }

    /// The probability of a word. A top that is none of the values is a top less each of them.
    fn probability(&self, word: &[Letter], answers: &[i32]) -> Number {
        let Some(other) = word.iter().position(|letter| *letter == Letter::Other) else {
            return self.event(word, answers);
        };
        let with = |letter: Letter| {
            let mut word = word.to_vec();
            word[other] = letter;
            self.probability(&word, answers)
        };
        let values = self.values.unwrap_or(0);
        let released = (-values..=values).map(|value| with(Letter::Value(value)));
        released.fold(with(Letter::Top), |rest, weight| &rest - &weight)
    }

    /// The probability of a word of bottoms, tops and values: one joint event for each threshold
    /// that is drawn. A released value is at least the threshold, which is a comparison of the
    /// threshold with a value without noise.
    fn event(&self, word: &[Letter], answers: &[i32]) -> Number {
        let exact = Noise::none();
        let mut noisy = Number::one();
        let mut compared = Vec::new();
        for (letter, &answer) in word.iter().zip(answers) {
            compared.push(match letter {
                Letter::Bottom => Comparison::below(answer, &self.query),
                Letter::Top | Letter::Other => Comparison::reaches(answer, &self.query),
                Letter::Value(value) => {
                    noisy = &noisy * &self.query.equals(value - answer);
                    Comparison::reaches(*value, &exact)
                }
            });
        }
        let parts: Vec<&[Comparison<'_>]> = if self.fresh {
            compared.split_inclusive(|c| c.reaches).collect()
        } else {
            vec![&compared[..]]
        };
        let laws = parts.into_iter().map(|part| joint(0, &self.threshold, part));
        laws.fold(noisy, |product, p| &product * &p)
    }
}

/// A word as it is released: `b`, `t`, a value, or `other` for each answer.
fn name(word: &[Letter]) -> String {
    let letter = |letter: &Letter| match letter {
        Letter::Bottom => "b".to_owned(),
        Letter::Top => "t".to_owned(),
        Letter::Value(value) => value.to_string(),
        Letter::Other => "other".to_owned(),
    };
    word.iter().map(letter).collect()
}

impl Answer for SparseVector {
    fn law(&self, answers: &[i32]) -> Result<Law<Output>> {
        let words = self.words.iter().flat_map(|word| self.spelled(word));
        let weights = words.map(|word| (name(&word), self.probability(&word, answers)));
        Law::new("the law of the words", weights)
    }
}

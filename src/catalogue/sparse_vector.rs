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
use crate::error::Result;
use crate::exact::Number;
use crate::mechanism::spec::Parameter;
use crate::mechanism::{Boxed, Kind, Law, Output};

/// The entry.
pub const ENTRY: Entry = Entry {
    name: "sparse-vector",
    kind: Kind::OneShot,
    law: "compares each answer plus noise with a noisy threshold 0 and releases t or b for each, up \
          to the tops-th t",
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
            meaning: "after how many t it ends, in the variants that do",
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

impl SparseVector {
    fn outputs(&self) -> Vec<String> {
        let Some(values) = self.values else { return self.words.clone() };
        let named = |word: &String| {
            let Some(stem) = word.strip_suffix('t') else { return vec![word.clone()] };
            let apart = (-values..=values).map(|v| format!("{stem}{v}"));
            apart.chain([format!("{stem}other")]).collect()
        };
        self.words.iter().flat_map(named).collect()
    }

    /// The probability of a word: one joint event for each threshold that is drawn.
    fn probability(&self, word: &str, answers: &[i32]) -> Number {
        let compared: Vec<Comparison<'_>> = word
            .bytes()
            .zip(answers)
            .map(|(letter, &centre)| Comparison {
                centre,
                noise: &self.query,
                reaches: letter == b't',
            })
            .collect();
        let parts = if self.fresh {
            compared.split_inclusive(|c| c.reaches).collect()
        } else {
            vec![&compared[..]]
        };
        let laws = parts.into_iter().map(|part| joint(0, &self.threshold, part));
        laws.fold(Number::one(), |product, p| &product * &p)
    }

    /// The probability of bottoms and then a top with that noisy answer: the threshold is at most
    /// the value, which is like a comparison of the threshold with a value without noise.
    fn released(&self, bottoms: usize, value: i32, answers: &[i32]) -> Number {
        let exact = Noise::none();
        let mut compared: Vec<Comparison<'_>> =
            answers[..bottoms].iter().map(|&a| Comparison::below(a, &self.query)).collect();
        compared.push(Comparison::reaches(value, &exact));
        &joint(0, &self.threshold, &compared) * &self.query.equals(value - answers[bottoms])
    }
}

impl Answer for SparseVector {
    fn law(&self, answers: &[i32]) -> Result<Law<Output>> {
        let mut weights = Vec::new();
        for word in &self.words {
            let whole = self.probability(word, answers);
            match (self.values, word.strip_suffix('t')) {
                (Some(values), Some(stem)) => {
                    let mut rest = whole;
                    for value in -values..=values {
                        let weight = self.released(stem.len(), value, answers);
                        rest = &rest - &weight;
                        weights.push((format!("{stem}{value}"), weight));
                    }
                    weights.push((format!("{stem}other"), rest));
                }
                _ => weights.push((word.clone(), whole)),
            }
        }
        Law::new("the law of the words", weights)
    }
}

//! Report-noisy-max: which of several noisy answers is the greatest, or how great it is.
//!
//! Given the noisy answer z of the winner i, the others are independent: those before i are below
//! z, those after it at most z, since ties go to the lowest index. That is one joint event of
//! [`geometric`](super::geometric) for each i. The greatest value has P(max ≤ z) = Π P(value j ≤ z).

use super::geometric::{Comparison, Noise, cell_names, joint};
use super::queries::{self, Answer};
use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Kind, Law, Output};
use littlestone_base::error::Result;
use littlestone_exact::Number;

/// The entry.
pub const ENTRY: Entry = Entry {
    name: "report-noisy-max",
    kind: Kind::OneShot,
    law: "adds two-sided geometric noise to each answer and releases the index of the greatest, \
          from 1, ties to the lowest; or its value",
    paper: "Definition 2",
    twin: None,
    parameters: &[
        Parameter { name: "release", default: Some("index"), meaning: "index or value" },
        queries::PARAMETER,
        Parameter {
            name: "ratio",
            default: Some("1/2"),
            meaning: "the ratio in [0, 1) of the noise, P(z) ~ ratio^|z|",
        },
        Parameter {
            name: "values",
            default: Some("2"),
            meaning: "values of at most -values are released as one, and so are those of at least \
                      values",
        },
    ],
    build,
};

fn build(given: &Given<'_>) -> Result<Boxed> {
    let queries = queries::count(given)?;
    let noise = given.noise("ratio")?;
    if given.word("release", &["index", "value"])? == "index" {
        let outputs = (1..=queries).map(|index| index.to_string()).collect();
        return queries::mechanism(queries, outputs, Index { noise });
    }
    let values = given.integer("values", 1..=64)?;
    queries::mechanism(queries, cell_names(-values, values), Value { noise, values })
}

#[derive(Debug)]
struct Index {
    noise: Noise,
}

impl Answer for Index {
    fn law(&self, answers: &[i32]) -> Result<Law<Output>> {
        let wins = |winner: usize| {
            let others = answers.iter().enumerate().filter(|(j, _)| *j != winner);
            let compared: Vec<Comparison<'_>> = others
                .map(|(j, &a)| {
                    if j < winner {
                        Comparison::below(a, &self.noise)
                    } else {
                        Comparison::at_most(a, &self.noise)
                    }
                })
                .collect();
            joint(answers[winner], &self.noise, &compared)
        };
        let weights = (0..answers.len()).map(|i| ((i + 1).to_string(), wins(i)));
        Law::new("the law of the index", weights)
    }
}

#[derive(Debug)]
struct Value {
    noise: Noise,
    values: i32,
}

impl Answer for Value {
    fn law(&self, answers: &[i32]) -> Result<Law<Output>> {
        let at_most = |z: i32| {
            let laws = answers.iter().map(|&a| self.noise.at_most(z - a));
            laws.fold(Number::one(), |product, p| &product * &p)
        };
        let ends = (-self.values..self.values).map(at_most).chain([Number::one()]);
        let mut before = Number::zero();
        let mut weights = Vec::new();
        for (name, end) in cell_names(-self.values, self.values).into_iter().zip(ends) {
            weights.push((name, &end - &before));
            before = end;
        }
        Law::new("the law of the greatest value", weights)
    }
}

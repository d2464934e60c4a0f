//! The exponential mechanism on scores in −1, 0, 1.

use std::collections::BTreeMap;

use super::queries::{self, Answer};
use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Kind, Law, Output, expression};
use littlestone_base::error::Result;
use littlestone_exact::Number;

/// The entry: the weights are in ℚ for a rational base, in ℚ(e^u) for a base such as exp(1/2).
pub const ENTRY: Entry = Entry {
    name: "exponential-mechanism",
    kind: Kind::OneShot,
    law: "releases the index of an answer, from 1, with probability proportional to base^answer",
    paper: "Definition 2",
    twin: None,
    parameters: &[
        queries::PARAMETER,
        Parameter {
            name: "base",
            default: Some("exp(1/2)"),
            meaning: "the factor, above 0, by which a score of one more raises a weight",
        },
    ],
    build,
};

fn build(given: &Given<'_>) -> Result<Boxed> {
    let queries = queries::count(given)?;
    let text = given.text("base")?;
    let base = expression::evaluate(&text, &BTreeMap::new())
        .ok()
        .filter(|base| base.signum() > 0)
        .ok_or_else(|| given.unfit("base", "a number above 0", &text))?;
    let outputs = (1..=queries).map(|index| index.to_string()).collect();
    queries::mechanism(queries, outputs, Exponential { base })
}

#[derive(Debug)]
struct Exponential {
    base: Number,
}

impl Answer for Exponential {
    fn law(&self, answers: &[i32]) -> Result<Law<Output>> {
        let weight = |&answer: &i32| self.base.pow(answer).expect("the base is above 0");
        let weights: Vec<Number> = answers.iter().map(weight).collect();
        let sum = weights.iter().fold(Number::zero(), |sum, w| &sum + w);
        let share = |w: &Number| w.checked_div(&sum).expect("weights are above 0");
        let shares = weights.iter().enumerate().map(|(i, w)| ((i + 1).to_string(), share(w)));
        Law::new("the law of the index", shares)
    }
}

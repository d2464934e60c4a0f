//! Mirror's answers to the disagreements after the first D, drawn when they are given.
//!
//! With a threshold τ of law q, the (D + k + 1)-th active round is the first to be answered top with
//! probability `q_k / (q_k + … + q_W)` if none before it was. So τ need not be remembered, and once
//! top has been answered nothing else.

use crate::catalogue::Given;
use crate::catalogue::mirror::law::{Form, Use};
use crate::spec::Parameter;
use littlestone_base::error::Result;
use littlestone_exact::Number;

/// The window.
pub(super) const WINDOW: Parameter = Parameter {
    name: "W",
    default: Some("none"),
    meaning: "the length of Mirror's window: after the first D + W disagreements it answers top",
};
/// Which law.
pub(super) const LAW: Parameter = Parameter {
    name: "law",
    default: Some("uniform"),
    meaning: "how Mirror answers in the window, as for `mirror`: optimal, uniform, the W + 1 \
              probabilities of its threshold, or independent",
};
/// The level of the optimal law.
pub(super) const LEVEL: Parameter = Parameter {
    name: "E",
    default: Some("none"),
    meaning: "with law=optimal, the level e^a: an exact number above 1, in the paper at most e^(1/2)",
};
/// The coins.
pub(super) const TABLE: Parameter = Parameter {
    name: "table",
    default: Some("none"),
    meaning: "with law=independent, the probabilities of top in the W rounds of the window",
};
/// How fast the coins grow.
pub(super) const STEPS: Parameter = Parameter {
    name: "m",
    default: Some("none"),
    meaning: "with law=independent and L, in place of a table: see `mirror`",
};
/// How many coins grow.
pub(super) const HALF: Parameter = Parameter { name: "L", default: Some("none"), meaning: "see m" };

/// Mirror after the first D disagreements.
#[derive(Debug, Clone)]
pub(super) enum Delay {
    /// For each k in 0..=W, the probability that the threshold is k if it is at least k.
    Threshold(Vec<Number>),
    /// The probability of top in each round of the window.
    Independent(Vec<Number>),
}

impl Delay {
    /// The delay that the parameters describe, and the hypotheses of Definition 10 on Mirror that
    /// they violate.
    pub fn of(given: &Given<'_>) -> Result<(Self, Vec<String>)> {
        let form = Form::read(given)?;
        let remarks = form.remarks(given, Use::Definition10)?;
        let delay = match form {
            Form::Threshold(law) => Self::Threshold(hazards(&law)),
            Form::Independent(table) => Self::Independent(table),
        };
        Ok((delay, remarks))
    }

    /// W.
    pub fn window(&self) -> usize {
        match self {
            Self::Threshold(hazards) => hazards.len() - 1,
            Self::Independent(table) => table.len(),
        }
    }

    /// The probability of top at the disagreement of that place after the first D, from 0; with a
    /// threshold, if top was not answered before.
    pub fn chance(&self, place: usize) -> Number {
        let (Self::Threshold(table) | Self::Independent(table)) = self;
        table.get(place).cloned().unwrap_or_else(Number::one)
    }

    /// Whether all disagreements after one that was answered top are answered top.
    pub fn stays(&self) -> bool {
        matches!(self, Self::Threshold(_))
    }
}

fn hazards(law: &[Number]) -> Vec<Number> {
    let mut left = Number::zero();
    let mut hazards: Vec<Number> = (law.iter().rev())
        .map(|weight| {
            left = &left + weight;
            // Where nothing is left the round is never reached without top.
            weight.checked_div(&left).unwrap_or_else(|_| Number::one())
        })
        .collect();
    hazards.reverse();
    hazards
}

#[cfg(test)]
mod tests {
    use super::*;
    use littlestone_exact::parse_rational;

    fn numbers(list: &[&str]) -> Vec<Number> {
        list.iter().map(|text| parse_rational(text).unwrap().into()).collect()
    }

    /// By hand: 1/4 of 1, 1/4 of 3/4, and so on; nothing is left after a threshold of 1.
    #[test]
    fn hazards_are_shares_of_what_is_left() {
        let uniform = numbers(&["1/4", "1/4", "1/4", "1/4"]);
        assert_eq!(hazards(&uniform), numbers(&["1/4", "1/3", "1/2", "1"]));
        assert_eq!(hazards(&numbers(&["1/2", "1/2", "0"])), numbers(&["1/2", "1", "1"]));
    }
}

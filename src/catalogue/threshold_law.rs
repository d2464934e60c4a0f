//! Mirror (Fact 4) with one random threshold: when an active round is answered top.
//!
//! A threshold τ in 0..=W is drawn once from a law q. The answer in the n-th active round is top
//! iff n > D + τ: bottom on the first D active rounds, top on all after the first D + W, and never
//! bottom again after top.
//!
//! The threshold need not be remembered. Given that the first D + k active rounds were answered
//! bottom, τ ≥ k, and the next is answered top with probability `q_k / (q_k + … + q_W)`.

use super::Given;
use crate::error::{Error, Result};
use crate::exact::Number;
use crate::mechanism::spec::Parameter;

/// Which law of the threshold.
pub(super) const LAW: Parameter = Parameter {
    name: "law",
    default: Some("uniform"),
    meaning: "the law of Mirror's threshold: uniform, or optimal at e^ε = E",
};
/// The level of the optimal law.
pub(super) const LEVEL: Parameter = Parameter {
    name: "E",
    default: Some("2"),
    meaning: "the number above 1 at which the optimal law has the least δ",
};
/// The window.
pub(super) const WINDOW: Parameter = Parameter {
    name: "W",
    default: None,
    meaning: "the window of Mirror: active rounds after the first D + W are answered top",
};

/// The greatest window.
const GREATEST: i32 = 4096;

/// The probabilities of the thresholds 0, …, W.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ThresholdLaw(Vec<Number>);

impl ThresholdLaw {
    /// The law that the parameters describe.
    pub fn of(given: &Given<'_>) -> Result<Self> {
        let window = given.integer("W", 1..=GREATEST)?;
        let law = given.word("law", &["uniform", "optimal"])?;
        if law == "uniform" {
            return Ok(Self::uniform(window));
        }
        let level = given.number("E")?;
        if level <= Number::one() {
            return Err(given.unfit("E", "a number above 1", &given.text("E")?));
        }
        Self::optimal(&level, window)
    }

    /// 1/(W+1) each.
    fn uniform(window: i32) -> Self {
        let weights = (0..=window).map(|_| Number::one()).collect();
        Self::normalised(weights)
    }

    /// Proportional to `min(u_n, E^(W−n))` with u_0 = 1 and `u_n = 1 + (E−1)·u_{n−1}`: of all laws on
    /// 0..=W the one with the least δ at e^ε = E, which is its probability of 0.
    fn optimal(level: &Number, window: i32) -> Result<Self> {
        let limit = |_| Error::argument("`E` is too large for the optimal law");
        let step = level - &Number::one();
        let mut rising = Number::one();
        let mut weights = Vec::new();
        for n in 0..=window {
            let falling = level.pow(window - n).map_err(limit)?;
            weights.push(rising.clone().min(falling));
            rising = &Number::one() + &(&step * &rising);
        }
        Ok(Self::normalised(weights))
    }

    fn normalised(weights: Vec<Number>) -> Self {
        let sum = weights.iter().fold(Number::zero(), |sum, weight| &sum + weight);
        Self(weights.iter().map(|weight| quotient(weight, &sum)).collect())
    }

    /// For each k in 0..=W, the probability that the threshold is k if it is at least k.
    pub fn hazards(&self) -> Vec<Number> {
        let mut left = Number::zero();
        let mut hazards: Vec<Number> = (self.0.iter().rev())
            .map(|weight| {
                left = &left + weight;
                quotient(weight, &left)
            })
            .collect();
        hazards.reverse();
        hazards
    }

    /// W.
    pub fn window(&self) -> usize {
        self.0.len() - 1
    }
}

fn quotient(weight: &Number, sum: &Number) -> Number {
    weight.checked_div(sum).expect("the weights of a threshold are positive")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;

    fn number(text: &str) -> Number {
        parse_rational(text).unwrap().into()
    }

    /// By hand at E = 3/2 and W = 4: u = 1, 3/2, 7/4, 15/8, 31/16 against 81/16, 27/8, 9/4, 3/2, 1.
    #[test]
    fn the_optimal_law_is_the_lesser_of_two_sequences() {
        let law = ThresholdLaw::optimal(&number("3/2"), 4).unwrap();
        assert_eq!(law.0, ["4/27", "6/27", "7/27", "6/27", "4/27"].map(number));
        assert_eq!(law.window(), 4);
    }

    #[test]
    fn hazards_of_the_uniform_law_count_down() {
        let law = ThresholdLaw::uniform(3);
        assert_eq!(law.hazards(), ["1/4", "1/3", "1/2", "1"].map(number));
    }
}

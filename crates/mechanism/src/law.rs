//! Finite laws with exact weights.

use std::fmt::Display;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use littlestone_base::error::{Error, Position, Result};
use littlestone_exact::Number;
use littlestone_exact::functions;

/// A probability law on finitely many outcomes: distinct outcomes, each with a positive exact
/// weight, and the weights sum to 1 exactly. Outcomes stand in the order of their first mention,
/// so the order is a function of the construction alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Law<T>(Vec<(T, Number)>);

impl<T: Clone + Eq + Hash> Law<T> {
    /// The law with the given weights. Equal outcomes are merged and outcomes of weight 0 are
    /// dropped; `row` names the law in an error.
    ///
    /// # Errors
    /// When a weight is negative, or the weights do not sum to 1 exactly.
    pub fn new(row: impl Display, weights: impl IntoIterator<Item = (T, Number)>) -> Result<Self> {
        let fault = |expected: &str, found: String| {
            Error::malformed(Position::whole(row.to_string()), expected, found)
        };
        let weights: Vec<(T, Number)> = weights.into_iter().collect();
        let mut sum = Number::zero();
        for (_, weight) in &weights {
            if functions::is_negative(weight) {
                return Err(fault("weights of at least 0", format!("the weight {weight}")));
            }
            sum = functions::add(&sum, weight)
                .map_err(|found| fault("weights that can be added up", found))?;
        }
        if !sum.is_one() {
            return Err(fault("weights that sum to 1", format!("the sum {sum}")));
        }
        Ok(Self::merged(weights))
    }

    /// The law that gives one outcome for certain.
    pub fn certain(outcome: T) -> Self {
        Self(vec![(outcome, Number::one())])
    }

    /// The uniform law on a list; an outcome that is listed twice has twice the weight.
    ///
    /// # Errors
    /// When the list is empty.
    pub fn uniform(row: impl Display, outcomes: impl IntoIterator<Item = T>) -> Result<Self> {
        let outcomes: Vec<T> = outcomes.into_iter().collect();
        let Some(weight) = functions::reciprocal(outcomes.len()) else {
            let position = Position::whole(row.to_string());
            return Err(Error::malformed(position, "at least one outcome", "none"));
        };
        Ok(Self::merged(outcomes.into_iter().map(|outcome| (outcome, weight.clone()))))
    }

    /// The image of the law under `f`; equal images are merged.
    #[must_use]
    pub fn map<U: Clone + Eq + Hash>(self, mut f: impl FnMut(T) -> U) -> Law<U> {
        Law::merged(self.0.into_iter().map(|(outcome, weight)| (f(outcome), weight)))
    }

    /// Draws an outcome from this law and then one from the law that `f` gives for it.
    ///
    /// # Errors
    /// The first error of `f`; weights whose product is beyond all limits.
    pub fn then<U: Clone + Eq + Hash>(
        &self,
        mut f: impl FnMut(&T) -> Result<Law<U>>,
    ) -> Result<Law<U>> {
        let mut weights = Vec::new();
        for (first, p) in &self.0 {
            for (second, q) in f(first)?.0 {
                let weight = functions::multiply(p, &q).map_err(Error::argument)?;
                weights.push((second, weight));
            }
        }
        Ok(Law::merged(weights))
    }

    /// The outcomes with their weights.
    pub fn iter(&self) -> impl Iterator<Item = (&T, &Number)> {
        self.0.iter().map(|(outcome, weight)| (outcome, weight))
    }

    /// The outcomes with their weights, as a list.
    pub fn into_vec(self) -> Vec<(T, Number)> {
        self.0
    }

    /// The weight of an outcome; 0 when it has none.
    pub fn weight(&self, outcome: &T) -> Number {
        let found = self.0.iter().find(|(other, _)| other == outcome);
        found.map_or_else(Number::zero, |(_, weight)| weight.clone())
    }

    /// Number of outcomes of positive weight; at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a law is never empty")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds up the weights of equal outcomes and drops those of weight 0.
    fn merged(weights: impl IntoIterator<Item = (T, Number)>) -> Self {
        let mut weights = weights.into_iter();
        let Some(first) = weights.next() else { return Self(Vec::new()) };
        let Some(second) = weights.next() else { return Self(vec![first]) };
        let weights = [first, second].into_iter().chain(weights);
        let mut places: FxHashMap<T, usize> = FxHashMap::default();
        let mut merged: Vec<(T, Number)> = Vec::new();
        for (outcome, weight) in weights {
            if let Some(&place) = places.get(&outcome) {
                let sum = &mut merged[place].1;
                *sum = &*sum + &weight;
            } else {
                places.insert(outcome.clone(), merged.len());
                merged.push((outcome, weight));
            }
        }
        merged.retain(|(_, weight)| !weight.is_zero());
        Self(merged)
    }
}

impl Law<bool> {
    /// A coin that shows `true` with probability `p`.
    ///
    /// # Errors
    /// When `p` is not in [0, 1].
    pub fn coin(row: impl Display, p: &Number) -> Result<Self> {
        if !functions::is_probability(p) {
            let position = Position::whole(row.to_string());
            return Err(Error::malformed(position, "a probability in [0, 1]", p.to_string()));
        }
        Ok(Self::merged([(true, p.clone()), (false, &Number::one() - p)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(p: i64, q: i64) -> Number {
        functions::divide(&p.into(), &q.into()).unwrap()
    }

    #[test]
    fn equal_outcomes_are_merged_and_zero_weights_dropped() {
        let law = Law::new(
            "row",
            [('b', ratio(1, 4)), ('a', ratio(1, 2)), ('c', ratio(0, 1)), ('b', ratio(1, 4))],
        )
        .unwrap();
        assert_eq!(law.into_vec(), [('b', ratio(1, 2)), ('a', ratio(1, 2))]);
    }

    #[test]
    fn bad_rows_are_named_and_never_normalised() {
        let error = Law::new("the start", [(0, ratio(1, 2)), (1, ratio(1, 3))]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the start: expected weights that sum to 1, found the sum 5/6"
        );
        let error = Law::new("row 3", [(0, ratio(3, 2)), (1, ratio(-1, 2))]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "row 3: expected weights of at least 0, found the weight -1/2"
        );
        assert!(Law::<u8>::new("row", []).is_err());
        assert!(Law::<u8>::uniform("row", []).is_err());
        assert!(Law::coin("row", &ratio(5, 4)).is_err());
        assert!(Law::coin("row", &ratio(-1, 4)).is_err());
        assert_eq!(Law::coin("row", &ratio(1, 1)).unwrap(), Law::certain(true));
    }

    /// Two fair coins: the number of heads is 0, 1, 2 with weights 1/4, 1/2, 1/4.
    #[test]
    fn laws_compose() {
        let coin = Law::coin("coin", &ratio(1, 2)).unwrap();
        let heads = coin
            .then(|&first| Ok(coin.clone().map(|second| u8::from(first) + u8::from(second))))
            .unwrap();
        assert_eq!([0, 1, 2].map(|k| heads.weight(&k)), [ratio(1, 4), ratio(1, 2), ratio(1, 4)]);
        assert_eq!(heads.weight(&3), ratio(0, 1));
    }
}

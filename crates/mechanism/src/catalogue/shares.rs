//! Probabilities that are proportional to given weights.

use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;
use littlestone_exact::functions;

/// The share of each weight in their sum.
///
/// # Errors
/// When the sum is 0, or an exact number becomes too large.
pub(super) fn shares(weights: &[Number]) -> Result<Vec<Number>> {
    let sum = weights.iter().try_fold(Number::zero(), |sum, w| functions::add(&sum, w));
    let sum = sum.map_err(Error::argument)?;
    weights.iter().map(|w| functions::divide(w, &sum).map_err(Error::argument)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_one() {
        let found = shares(&[1, 2, 5].map(Number::from)).unwrap();
        let expected = [1, 2, 5].map(|n| functions::divide(&n.into(), &8.into()).unwrap());
        assert_eq!(found, expected);
        assert!(shares(&[Number::zero()]).is_err());
    }
}

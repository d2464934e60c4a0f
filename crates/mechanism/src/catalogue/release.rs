//! Releasing bits and hypotheses, each label flipped independently with a given probability.

use crate::Law;
use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;

/// Greatest number of labels that may be flipped in one release: the law of k flipped labels has
/// 2^k outcomes.
const FLIPPED: usize = 12;

/// Refuses a release of so many flipped labels that its law could not be written down.
///
/// # Errors
/// When `flip` is neither 0 nor 1 and there are more than 12 labels.
pub fn check(what: &str, labels: usize, flip: &Number) -> Result<()> {
    if flip.is_zero() || flip.is_one() || labels <= FLIPPED {
        return Ok(());
    }
    Err(Error::TooLarge {
        what: format!("the law of {what} with flips"),
        size: format!("2^{labels} outcomes"),
        limit: format!("2^{FLIPPED}"),
    })
}

/// The law of `labels` after each was flipped independently with probability `flip`.
///
/// # Errors
/// When `flip` is not in [0, 1].
pub fn flipped(labels: &str, flip: &Number) -> Result<Law<String>> {
    let coin = Law::coin("flip", flip)?;
    let mut law = Law::certain(String::with_capacity(labels.len()));
    for label in labels.bytes() {
        law = law.then(|before| {
            Ok(coin.clone().map(|flip| format!("{before}{}", bit((label == b'1') != flip))))
        })?;
    }
    Ok(law)
}

/// The name of a bit.
pub fn bit(value: bool) -> char {
    if value { '1' } else { '0' }
}

#[cfg(test)]
mod tests {
    use super::*;
    use littlestone_exact::parse_rational;

    /// Two labels flipped with probability 1/4: 9/16, 3/16, 3/16, 1/16, by the product rule.
    #[test]
    fn labels_flip_independently() {
        let number = |text| Number::from(parse_rational(text).unwrap());
        let law = flipped("01", &number("1/4")).unwrap();
        for (output, weight) in [("01", "9/16"), ("11", "3/16"), ("00", "3/16"), ("10", "1/16")] {
            assert_eq!(law.weight(&output.to_owned()), number(weight), "{output}");
        }
        assert_eq!(flipped("01", &number("1")).unwrap(), Law::certain("10".to_owned()));
        assert!(check("x", 13, &number("1/4")).is_err());
        assert!(check("x", 13, &number("0")).is_ok() && check("x", 12, &number("1/4")).is_ok());
    }
}

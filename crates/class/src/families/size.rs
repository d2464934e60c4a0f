//! How large a family's class is, worked out before anything is allocated for it.

use num_bigint::BigUint;
use num_integer::binomial as big_binomial;
use num_traits::{One, Zero};

use littlestone_base::error::{Error, Result};

/// Numbers of more bits than this are not worked out: they are only known to be "more".
const MOST_BITS: u64 = 4096;

/// Greatest number of hypotheses that is generated.
const MOST_HYPOTHESES: u64 = 1 << 24;

/// Greatest number of points that is generated: each has a name of its own.
const MOST_POINTS: u64 = 1 << 20;

/// Greatest number of labels, hypotheses × points, that is generated.
const MOST_LABELS: u64 = 1 << 31;

/// An exact natural number, or `None` for one of more than [`MOST_BITS`] bits.
pub(super) type Amount = Option<BigUint>;

fn bounded(value: BigUint) -> Amount {
    (value.bits() <= MOST_BITS).then_some(value)
}

/// The number `n`.
#[expect(clippy::unnecessary_wraps, reason = "amounts are combined with each other")]
pub(super) fn exactly(n: u64) -> Amount {
    Some(BigUint::from(n))
}

/// `a + b`.
pub(super) fn sum(a: Amount, b: Amount) -> Amount {
    bounded(a? + b?)
}

/// `a × b`, for factors that are not 0.
pub(super) fn product(a: Amount, b: Amount) -> Amount {
    bounded(a? * b?)
}

/// `base^exponent`, for a base of at least 2.
pub(super) fn power(base: u32, exponent: u64) -> Amount {
    let exponent = u32::try_from(exponent).ok().filter(|&e| u64::from(e) <= MOST_BITS)?;
    bounded(BigUint::from(base).pow(exponent))
}

/// `2^(2^n)`, the number of functions on `n` bits.
pub(super) fn functions(n: u64) -> Amount {
    power(2, 1u64.checked_shl(u32::try_from(n).ok()?)?)
}

/// `n!`.
pub(super) fn factorial(n: u64) -> Amount {
    (1..=n).try_fold(BigUint::one(), |product, i| bounded(product * i))
}

/// The binomial coefficient of `n` over `k`.
pub(super) fn binomial(n: u64, k: u64) -> Amount {
    if k > n {
        return exactly(0);
    }
    // Up to the middle the coefficients at least double per step until the bound on bits is near,
    // so the loop is short also when it gives up.
    let mut value = BigUint::one();
    for i in 0..k.min(n - k) {
        value = bounded(value * (n - i) / (i + 1))?;
    }
    Some(value)
}

/// The sum of the binomial coefficients of `n` over 0, …, `k`.
pub(super) fn binomials_up_to(n: u64, k: u64) -> Amount {
    if k >= n {
        return power(2, n);
    }
    let (mut term, mut total) = (BigUint::one(), BigUint::one());
    for i in 0..k {
        term = term * (n - i) / (i + 1);
        total = bounded(total + &term)?;
    }
    Some(total)
}

/// The number of `t`-dimensional subspaces of `F_2^k`, the Gaussian binomial coefficient.
pub(super) fn subspaces(k: u64, t: u64) -> Amount {
    let t = t.min(k - t);
    // There are at least 2^(t(k − t)).
    power(2, t.checked_mul(k - t)?)?;
    let mut value = BigUint::one();
    for i in 0..t {
        value = value * (power(2, k - i)? - 1u32) / (power(2, i + 1)? - 1u32);
    }
    bounded(value)
}

/// The number of functions on `n` bits that depend on at most `k` of them.
pub(super) fn juntas(k: u64, n: u64) -> Amount {
    if k >= n {
        return functions(n);
    }
    let mut total = BigUint::zero();
    let mut depending_on_all: Vec<BigUint> = Vec::new();
    for i in 0..=k {
        let fewer: BigUint =
            (0u64..).zip(&depending_on_all).map(|(j, a)| big_binomial(i, j) * a).sum();
        let all = functions(i)? - fewer;
        total = bounded(total + &all * binomial(n, i)?)?;
        depending_on_all.push(all);
    }
    Some(total)
}

/// The number of functions of 1-decision lists over `n` variables.
///
/// A function that depends on m ≥ 2 variables has exactly one list in which blocks of literals
/// with alternating outputs follow one another and the last block has at least two literals (a
/// single last literal could be negated and moved into the block before). So there are
/// `2^(m+1) (F(m) − m F(m−1))` of them, where F(m) counts the ordered set partitions of m things;
/// add two functions per variable and the two constants.
pub(super) fn decision_lists(n: u64) -> Amount {
    // F(m) ≥ m!, which is past the bound on bits by then.
    if n > 1000 {
        return None;
    }
    let mut ordered_partitions = vec![BigUint::one()];
    let mut total = BigUint::from(2 + 2 * n);
    for m in 1..=n {
        let mut choose = BigUint::one();
        let mut partitions = BigUint::zero();
        for (i, smaller) in (1..=m).zip(ordered_partitions.iter().rev()) {
            choose = choose * (m - i + 1) / i;
            partitions += &choose * smaller;
        }
        if m >= 2 {
            let last = ordered_partitions.last().map_or_else(BigUint::zero, |f| f * m);
            let functions = (&partitions - last) << (m + 1);
            total = bounded(total + functions * binomial(n, m)?)?;
        }
        ordered_partitions.push(partitions);
    }
    Some(total)
}

/// A number with the formula it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Count {
    /// The formula with the arguments filled in; empty when the number speaks for itself.
    formula: String,
    value: Amount,
    at_most: bool,
}

impl Count {
    /// A number that needs no formula.
    pub(super) fn plain(value: Amount) -> Self {
        Self { formula: String::new(), value, at_most: false }
    }

    /// A number with its formula.
    pub(super) fn of(formula: impl Into<String>, value: Amount) -> Self {
        Self { formula: formula.into(), value, at_most: false }
    }

    /// A bound: there may be fewer.
    pub(super) fn at_most(formula: impl Into<String>, value: Amount) -> Self {
        Self { formula: formula.into(), value, at_most: true }
    }

    fn exceeds(&self, limit: u64) -> bool {
        self.value.as_ref().is_none_or(|v| *v > BigUint::from(limit))
    }

    /// The formula, the digits, or both: as much as fits a line.
    fn text(&self) -> String {
        let digits = self.value.as_ref().filter(|v| v.bits() <= 160).map(ToString::to_string);
        let bound = if self.at_most { "at most " } else { "" };
        match (self.formula.as_str(), digits) {
            ("", Some(digits)) => format!("{bound}{digits}"),
            ("", None) => "astronomically many".into(),
            (formula, Some(digits)) => format!("{bound}{formula} = {digits}"),
            (formula, None) => format!("{bound}{formula}"),
        }
    }
}

/// Numbers of hypotheses and of points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) hypotheses: Count,
    pub(super) points: Count,
}

impl Size {
    pub(super) fn new(hypotheses: Count, points: Count) -> Self {
        Self { hypotheses, points }
    }

    /// Whether the number of hypotheses is only a bound.
    pub(super) fn is_bound(&self) -> bool {
        self.hypotheses.at_most
    }

    /// Both numbers.
    pub(super) fn numbers(self, what: &str) -> Result<(BigUint, BigUint)> {
        let text = self.text();
        match (self.hypotheses.value, self.points.value) {
            (Some(hypotheses), Some(points)) => Ok((hypotheses, points)),
            _ => Err(Error::TooLarge {
                what: what.into(),
                size: text,
                limit: format!("2^{MOST_BITS}, up to which sizes are worked out"),
            }),
        }
    }

    /// Refuses a class that is too large to generate.
    pub(super) fn check(&self, what: &str) -> Result<()> {
        let labels = product(self.hypotheses.value.clone(), self.points.value.clone());
        let limit = if self.hypotheses.exceeds(MOST_HYPOTHESES) {
            format!("{MOST_HYPOTHESES} hypotheses")
        } else if self.points.exceeds(MOST_POINTS) {
            format!("{MOST_POINTS} points")
        } else if labels.is_none_or(|l| l > BigUint::from(MOST_LABELS)) {
            format!("{MOST_LABELS} labels (hypotheses × points)")
        } else {
            return Ok(());
        };
        Err(Error::TooLarge { what: what.into(), size: self.text(), limit })
    }

    fn text(&self) -> String {
        format!("{} hypotheses on {} points", self.hypotheses.text(), self.points.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(amount: Amount) -> u64 {
        u64::try_from(amount.expect("within the bound")).expect("small")
    }

    #[test]
    fn counts_agree_with_published_ones() {
        assert_eq!(small(factorial(7)), 5040);
        assert_eq!(small(binomial(16, 8)), 12870);
        assert_eq!(small(binomials_up_to(24, 2)), 301);
        // Subspaces of F_2^4 by dimension: 1, 15, 35, 15, 1 (OEIS A022166).
        let dimensions: Vec<u64> = (0..=4).map(|t| small(subspaces(4, t))).collect();
        assert_eq!(dimensions, [1, 15, 35, 15, 1]);
        // Functions that depend on all of their n variables: 2, 2, 10, 218, 64594 (OEIS A000371).
        assert_eq!(small(juntas(3, 5)), 2 + 5 * 2 + 10 * 10 + 10 * 218);
        assert_eq!(small(juntas(4, 5)), 2 + 5 * 2 + 10 * 10 + 10 * 218 + 5 * 64594);
        assert_eq!(small(juntas(2, 2)), 16);
    }

    #[test]
    fn astronomical_amounts_give_up_at_once() {
        let far = u64::MAX;
        assert_eq!(power(2, far), None);
        assert_eq!(functions(far), None);
        assert_eq!(functions(63), None);
        assert_eq!(factorial(far), None);
        assert_eq!(binomial(far, far / 2), None);
        assert_eq!(binomial(20_000, 10_000), None);
        assert_eq!(binomials_up_to(far, far - 1), None);
        assert_eq!(subspaces(far, far / 2), None);
        assert_eq!(juntas(far - 1, far), None);
        assert_eq!(decision_lists(far), None);
        assert_eq!(decision_lists(1000), None);
        assert_eq!(small(binomial(far, far - 1)), far);
    }

    #[test]
    fn sizes_are_said_in_one_line() {
        let size = Size::new(Count::of("2^100000", power(2, 100_000)), Count::plain(exactly(7)));
        let message = size.check("cube:100000").unwrap_err().to_string();
        assert_eq!(
            message,
            "cube:100000 has 2^100000 hypotheses on 7 points, more than the limit of \
             16777216 hypotheses"
        );
        let size =
            Size::new(Count::at_most("", exactly(1 << 20)), Count::of("2^12", exactly(1 << 12)));
        let message = size.check("it").unwrap_err().to_string();
        assert!(message.contains("at most 1048576 hypotheses on 2^12 = 4096 points"), "{message}");
        assert!(message.contains("2147483648 labels"), "{message}");
    }
}

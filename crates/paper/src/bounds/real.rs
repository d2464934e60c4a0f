//! Closed forms of real numbers: what the bounds of the paper are made of, with enclosures at any
//! precision and comparisons that are decided.

use std::cmp::Ordering;

use num_traits::{One, Signed, Zero};

use littlestone_exact::{BigInt, Enclosure, Epsilon, Number, Rational, enclose_exp, enclose_ln};

/// A real number in closed form, or infinity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Real {
    /// A rational number.
    Exact(Rational),
    /// A number with powers of e.
    Field(Number),
    /// 1/δ at δ = 0.
    Infinite,
    /// The natural logarithm of a positive number.
    Ln(Box<Real>),
    /// e to a power.
    Exp(Box<Real>),
    /// A number that is not negative to the power p/q.
    Power(Box<Real>, u32, u32),
    /// A sum.
    Sum(Box<Real>, Box<Real>),
    /// A product of numbers that are not negative.
    Product(Box<Real>, Box<Real>),
    /// One over a positive number.
    Reciprocal(Box<Real>),
    /// The least of some numbers; there is at least one.
    Least(Vec<Real>),
    /// The least integer that is not below a number.
    Ceiling(Box<Real>),
}

/// Precisions at which a comparison is given up: no two numbers that this crate compares agree so
/// far unless they are equal.
const LAST_BITS: u64 = 1 << 14;

impl Real {
    /// An integer.
    pub fn integer(value: impl Into<BigInt>) -> Self {
        Self::Exact(Rational::from(value.into()))
    }

    /// A number such as δ.
    pub fn number(value: &Number) -> Self {
        match value {
            Number::Rational(value) => Self::Exact(value.clone()),
            Number::Exponential(_) => Self::Field(value.clone()),
        }
    }

    /// The privacy parameter ε.
    pub fn epsilon(epsilon: &Epsilon) -> Self {
        match epsilon {
            Epsilon::Rational(value) => Self::Exact(value.clone()),
            Epsilon::Ln(factor) => Self::number(factor).ln(),
        }
    }

    /// ln of the number; ln 1 is the rational 0.
    #[must_use]
    pub fn ln(self) -> Self {
        match self {
            Self::Exact(one) if one.is_one() => Self::Exact(Rational::zero()),
            Self::Infinite => Self::Infinite,
            other => Self::Ln(Box::new(other)),
        }
    }

    /// e to the number.
    #[must_use]
    pub fn exp(self) -> Self {
        match self {
            Self::Exact(zero) if zero.is_zero() => Self::Exact(Rational::one()),
            other => Self::Exp(Box::new(other)),
        }
    }

    /// The number, which is not negative, to the power `p`/`q`, for positive `p` and `q`.
    #[must_use]
    pub fn power(self, p: u32, q: u32) -> Self {
        match self {
            Self::Infinite => Self::Infinite,
            other => Self::Power(Box::new(other), p, q),
        }
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Exact(a), Self::Exact(b)) => Self::Exact(a + b),
            (Self::Infinite, _) | (_, Self::Infinite) => Self::Infinite,
            (a, b) => Self::Sum(Box::new(a), Box::new(b)),
        }
    }

    /// The product of two numbers that are not negative; zero times anything is zero.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Exact(a), Self::Exact(b)) => Self::Exact(a * b),
            (Self::Exact(zero), _) | (_, Self::Exact(zero)) if zero.is_zero() => Self::Exact(zero),
            (Self::Infinite, _) | (_, Self::Infinite) => Self::Infinite,
            (a, b) => Self::Product(Box::new(a), Box::new(b)),
        }
    }

    /// One over a number that is not negative; infinite at zero.
    #[must_use]
    pub fn reciprocal(self) -> Self {
        match self {
            Self::Exact(zero) if zero.is_zero() => Self::Infinite,
            Self::Exact(a) => Self::Exact(a.recip()),
            Self::Infinite => Self::Exact(Rational::zero()),
            other => Self::Reciprocal(Box::new(other)),
        }
    }

    /// The least of some numbers, infinite if there is none.
    #[must_use]
    pub fn least(numbers: impl IntoIterator<Item = Self>) -> Self {
        let mut exact: Option<Rational> = None;
        let mut finite = Vec::new();
        for number in numbers {
            match number {
                // One rational number at most is left, so that equal ones are not compared by enclosures.
                Self::Exact(a) if exact.as_ref().is_none_or(|b| a < *b) => exact = Some(a),
                Self::Infinite | Self::Exact(_) => {}
                other => finite.push(other),
            }
        }
        finite.extend(exact.map(Self::Exact));
        match finite.len() {
            0 => Self::Infinite,
            1 => finite.remove(0),
            _ => Self::Least(finite),
        }
    }

    /// The least integer that is not below the number.
    #[must_use]
    pub fn ceiling(self) -> Self {
        match self {
            Self::Exact(a) => Self::Exact(a.ceil()),
            Self::Infinite => Self::Infinite,
            other => Self::Ceiling(Box::new(other)),
        }
    }

    /// Rational bounds on the number, of a width that tends to 0 as `bits` grows; `None` if it is
    /// infinite.
    ///
    /// Where a logarithm or a reciprocal is taken of a number that `bits` bits cannot tell from
    /// zero, and where a ceiling is taken near an integer, the bounds are wide.
    pub fn bounds(&self, bits: u64) -> Option<(Rational, Rational)> {
        Some(match self {
            Self::Infinite => return None,
            Self::Exact(a) => (a.clone(), a.clone()),
            Self::Field(a) => a.enclosure(bits),
            Self::Ln(a) => {
                let (low, high) = a.bounds(bits)?;
                let low = enclose_ln(&positive(low, bits), bits)?.low();
                (low, enclose_ln(&positive(high, bits), bits)?.high())
            }
            Self::Exp(a) => {
                let (low, high) = a.bounds(bits)?;
                (enclose_exp(&low, bits).low(), enclose_exp(&high, bits).high())
            }
            Self::Power(a, p, q) => {
                let (low, high) = a.bounds(bits)?;
                (root(&low, *p, *q, bits).low(), root(&high, *p, *q, bits).high())
            }
            Self::Sum(a, b) => {
                let ((a, c), (b, d)) = (a.bounds(bits)?, b.bounds(bits)?);
                (a + b, c + d)
            }
            Self::Product(a, b) => {
                let ((a, c), (b, d)) = (a.bounds(bits)?, b.bounds(bits)?);
                (a.max(Rational::zero()) * b.max(Rational::zero()), c * d)
            }
            Self::Reciprocal(a) => {
                let (low, high) = a.bounds(bits)?;
                (positive(high, bits).recip(), positive(low, bits).recip())
            }
            Self::Least(numbers) => {
                let bounds: Vec<_> = numbers.iter().filter_map(|n| n.bounds(bits)).collect();
                let low = bounds.iter().map(|b| &b.0).min()?.clone();
                (low, bounds.iter().map(|b| &b.1).min()?.clone())
            }
            Self::Ceiling(a) => {
                let (low, high) = a.bounds(bits)?;
                (low.ceil(), high.ceil())
            }
        })
    }

    /// The order of two numbers; `None` if they are too close to be told apart (and may be equal).
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Exact(a), Self::Exact(b)) => return Some(a.cmp(b)),
            (Self::Infinite, Self::Infinite) => return Some(Ordering::Equal),
            (Self::Infinite, _) => return Some(Ordering::Greater),
            (_, Self::Infinite) => return Some(Ordering::Less),
            _ => {}
        }
        let mut bits = 64;
        while bits <= LAST_BITS {
            let ((a, c), (b, d)) = (self.bounds(bits)?, other.bounds(bits)?);
            if below(&c, &b) {
                return Some(Ordering::Less);
            }
            if below(&d, &a) {
                return Some(Ordering::Greater);
            }
            bits *= 2;
        }
        None
    }

    /// The greatest integer that is not above the number, unless it is infinite or too close to an
    /// integer to tell.
    pub fn floor(&self) -> Option<BigInt> {
        let mut bits = 64;
        while bits <= LAST_BITS {
            let (low, high) = self.bounds(bits)?;
            let floor = low.floor();
            if floor == high.floor() {
                return Some(floor.to_integer());
            }
            bits *= 2;
        }
        None
    }
}

/// Whether a < b. The comparison of `Ratio` recurses once for each step of Euclid's algorithm, which
/// numbers of thousands of digits that agree in most of them take by the thousand.
fn below(a: &Rational, b: &Rational) -> bool {
    a.numer() * b.denom() < b.numer() * a.denom()
}

/// The number if it is positive, else 2^−bits.
fn positive(value: Rational, bits: u64) -> Rational {
    if value.is_positive() { value } else { Rational::new(BigInt::one(), BigInt::one() << bits) }
}

/// The tightest enclosure of x^(p/q) at `bits` bits, for x clipped to be at least 0.
///
/// ⌊2^b·y^(1/q)⌋ = ⌊(⌊2^(qb)·y⌋)^(1/q)⌋, since an integer is at most a root exactly if its power is
/// at most the floor of what the root is taken of.
fn root(x: &Rational, p: u32, q: u32, bits: u64) -> Enclosure {
    let x = x.clone().max(Rational::zero());
    let power = x.pow(i32::try_from(p).expect("small powers"));
    let lifted = power.numer() << (bits * u64::from(q));
    let low = (&lifted / power.denom()).nth_root(q);
    let exact = low.pow(q) * power.denom() == lifted;
    let high = if exact { low.clone() } else { &low + 1 };
    Enclosure::new(low, high, bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use littlestone_exact::{decimal, parse_rational};
    use littlestone_properties::config;
    use proptest::prelude::*;

    fn exact(text: &str) -> Real {
        Real::Exact(parse_rational(text).unwrap())
    }

    /// The first decimals, which the lower and the upper bound must share.
    fn shown(number: &Real) -> String {
        let (low, high) = number.bounds(128).unwrap();
        let (low, high) = (decimal(&low, 12), decimal(&high, 12));
        assert_eq!(low, high);
        low
    }

    #[test]
    fn closed_forms_have_their_known_decimals() {
        // From a table of logarithms: ln 2 = 0.69314718055994…, e = 2.71828182845904….
        assert!(shown(&exact("2").ln()).starts_with("0.69314718055"));
        assert!(shown(&exact("1").exp()).starts_with("2.71828182845"));
        assert_eq!(exact("8").power(2, 3).compare(&exact("9/2")), Some(Ordering::Less));
        assert_eq!(exact("8").power(2, 3).bounds(10).unwrap().0, parse_rational("4").unwrap());
        // 2^(3/4) = 1.68179283050742908606….
        assert!(shown(&exact("2").power(3, 4)).starts_with("1.68179283050"));
        assert_eq!(exact("1").ln(), exact("0"));
        assert_eq!(exact("0").reciprocal(), Real::Infinite);
        assert_eq!(exact("2").ln().plus(exact("1/2")).floor(), Some(1.into()));
        assert_eq!(Real::least([Real::Infinite, exact("3")]), exact("3"));
        assert_eq!(Real::least([exact("1/4"), exact("1/4")]), exact("1/4"));
        // 20·ln 2 = 13.86…
        let ceiling = exact("20").times(exact("2").ln()).ceiling();
        assert_eq!(ceiling.bounds(64).unwrap().0, parse_rational("14").unwrap());
    }

    #[test]
    fn numbers_that_cannot_be_told_apart_are_not_ordered() {
        assert_eq!(exact("4").ln().compare(&exact("2").times(exact("2").ln())), None);
        assert_eq!(exact("2").ln().compare(&exact("3").ln()), Some(Ordering::Less));
        assert_eq!(Real::Infinite.compare(&exact("3").ln()), Some(Ordering::Greater));
    }

    proptest! {
        #![proptest_config(config(256))]

        /// (x^(p/q))^q = x^p, and bounds narrow.
        #[test]
        fn powers_undo_roots(n in 0i64..5000, d in 1i64..50, p in 1u32..5, q in 1u32..5) {
            let x = Rational::new(n.into(), d.into());
            let (low, high) = Real::Exact(x.clone()).power(p, q).bounds(40).unwrap();
            let (power, q) = (x.pow(i32::try_from(p).unwrap()), i32::try_from(q).unwrap());
            prop_assert!(low.pow(q) <= power && power <= high.pow(q));
            prop_assert!(high - low <= Rational::new(1.into(), BigInt::one() << 40));
        }

        #[test]
        fn e_and_ln_are_inverse(n in 1i64..5000, d in 1i64..50) {
            let x = Rational::new(n.into(), d.into());
            let (low, high) = Real::Exp(Box::new(Real::Exact(x.clone()).ln())).bounds(64).unwrap();
            prop_assert!(low <= x && x <= high);
        }
    }
}

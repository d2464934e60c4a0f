//! Integers of any size and sign, at the cost of a few machine operations while they fit 127 bits.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{AddAssign, Mul};

use num_bigint::Sign;
use num_integer::Integer as _;
use num_traits::ToPrimitive;

use super::rational::BigInt;
use super::weight::Natural;

/// An integer of any size.
///
/// Values that fit an `i128` are held inline; a result that does not fit is promoted, never
/// wrapped. The representation is canonical, so equality and hash are those of the integers. The
/// order is total and fixed, for sorting; it is not that of the integers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Integer(Repr);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Repr {
    Small(i128),
    Big(Box<BigInt>),
}

use Repr::{Big, Small};

impl Integer {
    /// The number 0.
    pub const ZERO: Self = Self(Small(0));

    /// a − b.
    #[inline]
    pub fn difference(a: &Natural, b: &Natural) -> Self {
        let small = |n: &Natural| n.to_u128().and_then(|n| i128::try_from(n).ok());
        match (small(a), small(b)) {
            (Some(a), Some(b)) => Self(Small(a - b)),
            _ => Self::from(a.to_bigint() - b.to_bigint()),
        }
    }

    /// Whether this is below, equal to or above 0.
    #[inline]
    pub fn sign(&self) -> Ordering {
        match &self.0 {
            Small(a) => a.cmp(&0),
            Big(a) => match a.sign() {
                Sign::Minus => Ordering::Less,
                Sign::NoSign => Ordering::Equal,
                Sign::Plus => Ordering::Greater,
            },
        }
    }

    /// The absolute value.
    #[inline]
    pub fn magnitude(&self) -> Natural {
        match &self.0 {
            Small(a) => Natural::from(a.unsigned_abs()),
            Big(a) => Natural::from(a.magnitude().clone()),
        }
    }

    /// The quotient by a divisor.
    ///
    /// # Panics
    ///
    /// If `divisor` is 0 or does not divide `self`: the result would be a wrong number.
    #[must_use]
    #[inline]
    pub fn exact_div(&self, divisor: &Natural) -> Self {
        if divisor.is_one() {
            return self.clone();
        }
        let divided = |a: i128, d: i128| {
            let (quotient, rest) = match (i64::try_from(a), i64::try_from(d)) {
                (Ok(a), Ok(d)) => (i128::from(a / d), i128::from(a % d)),
                _ => (a / d, a % d),
            };
            assert!(rest == 0, "{a} is not a multiple of {d}");
            quotient
        };
        match (&self.0, divisor.to_u128().and_then(|d| i128::try_from(d).ok())) {
            (Small(a), Some(d)) if d != 0 => Self(Small(divided(*a, d))),
            _ => {
                assert!(!divisor.is_zero(), "exact division by zero");
                let (quotient, rest) = self.to_bigint().div_rem(&divisor.to_bigint());
                assert!(rest == BigInt::ZERO, "{self} is not a multiple of {divisor}");
                Self::from(quotient)
            }
        }
    }

    /// The same number as a [`BigInt`].
    pub fn to_bigint(&self) -> BigInt {
        match &self.0 {
            Small(a) => BigInt::from(*a),
            Big(a) => a.as_ref().clone(),
        }
    }

    #[cold]
    fn add_slowly(&self, other: &Self) -> Self {
        Self::from(self.to_bigint() + other.to_bigint())
    }

    #[cold]
    fn multiply_slowly(&self, other: &Natural) -> Self {
        Self::from(self.to_bigint() * other.to_bigint())
    }
}

impl AddAssign<&Integer> for Integer {
    #[inline]
    fn add_assign(&mut self, other: &Integer) {
        if let (Small(a), Small(b)) = (&mut self.0, &other.0)
            && let Some(sum) = a.checked_add(*b)
        {
            *a = sum;
            return;
        }
        *self = self.add_slowly(other);
    }
}

impl Mul<&Natural> for &Integer {
    type Output = Integer;

    #[inline]
    fn mul(self, other: &Natural) -> Integer {
        if let (Small(a), Some(b)) = (&self.0, other.to_u128()) {
            if let (Ok(a), Ok(b)) = (i64::try_from(*a), i64::try_from(b)) {
                return Integer(Small(i128::from(a) * i128::from(b)));
            }
            if let Some(product) = i128::try_from(b).ok().and_then(|b| a.checked_mul(b)) {
                return Integer(Small(product));
            }
        }
        self.multiply_slowly(other)
    }
}

impl From<BigInt> for Integer {
    fn from(value: BigInt) -> Self {
        match value.to_i128() {
            Some(small) => Self(Small(small)),
            None => Self(Big(Box::new(value))),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(a) => fmt::Display::fmt(a, f),
            Big(a) => fmt::Display::fmt(a, f),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use littlestone_properties::config;
    use num_traits::Signed;
    use proptest::prelude::*;

    use crate::BigUint;

    /// Naturals with a bias to the borders of the representations.
    fn naturals() -> impl Strategy<Value = BigUint> {
        let borders = (prop::sample::select(vec![63u32, 64, 127, 128, 192]), -3i64..=3).prop_map(
            |(bits, shift)| {
                let sum: BigInt = (BigInt::from(1) << bits) + shift;
                sum.to_biguint().unwrap()
            },
        );
        prop_oneof![
            borders,
            (0u64..50).prop_map(BigUint::from),
            any::<u64>().prop_map(BigUint::from),
            any::<u128>().prop_map(BigUint::from),
            prop::collection::vec(any::<u32>(), 0..7).prop_map(BigUint::new),
        ]
    }

    fn canonical(n: &Integer) -> bool {
        match &n.0 {
            Small(_) => true,
            Big(a) => a.to_i128().is_none(),
        }
    }

    proptest! {
        #![proptest_config(config(256))]

        #[test]
        fn agrees_with_bigint(a in naturals(), b in naturals(), c in naturals(), d in naturals()) {
            let natural = |n: &BigUint| Natural::from(n.clone());
            let big = |n: &BigUint| BigInt::from(n.clone());
            let x = Integer::difference(&natural(&a), &natural(&b));
            let expected = big(&a) - big(&b);
            prop_assert!(canonical(&x));
            prop_assert_eq!(x.to_bigint(), expected.clone());
            prop_assert_eq!(x.to_string(), expected.to_string());
            prop_assert_eq!(x.sign(), expected.cmp(&BigInt::ZERO));
            prop_assert_eq!(x.magnitude().to_bigint(), expected.abs());
            let product = &x * &natural(&c);
            prop_assert!(canonical(&product));
            prop_assert_eq!(product.to_bigint(), &expected * big(&c));
            if c != BigUint::ZERO {
                prop_assert_eq!(product.exact_div(&natural(&c)), x.clone());
            }
            let mut sum = x;
            sum += &Integer::difference(&natural(&c), &natural(&d));
            prop_assert!(canonical(&sum));
            prop_assert_eq!(sum.to_bigint(), expected + big(&c) - big(&d));
        }
    }

    #[test]
    #[should_panic(expected = "-7 is not a multiple of 2")]
    fn inexact_division_is_refused() {
        let seven = Integer::difference(&Natural::ZERO, &Natural::from(7u64));
        let _ = seven.exact_div(&Natural::from(2u64));
    }
}

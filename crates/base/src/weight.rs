//! Non-negative integers of any size, at the cost of a machine operation while they fit 128 bits.

use std::fmt;
use std::ops::{Add, AddAssign, Mul};

use num_integer::Integer;
use num_traits::ToPrimitive;

use super::gcd::{gcd, small_gcd};
use super::rational::{BigInt, BigUint};

/// A non-negative integer of any size.
///
/// Values below 2^128 are held inline; a result that does not fit is promoted, never wrapped.
/// The representation is canonical, so equality, order and hash are those of the integers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Natural(Repr);

// The order of the variants is the order of the integers: whatever fits 128 bits is `Small`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Repr {
    Small(u128),
    Big(Box<BigUint>),
}

use Repr::{Big, Small};

impl Natural {
    /// The number 0.
    pub const ZERO: Self = Self(Small(0));
    /// The number 1.
    pub const ONE: Self = Self(Small(1));

    /// The number 0.
    #[inline]
    pub const fn zero() -> Self {
        Self::ZERO
    }

    /// The number 1.
    #[inline]
    pub const fn one() -> Self {
        Self::ONE
    }

    /// Whether this is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Small(0))
    }

    /// Whether this is 1.
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Small(1))
    }

    /// The number of binary digits; 0 for 0.
    #[inline]
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Small(a) => u64::from(u128::BITS - a.leading_zeros()),
            Big(a) => a.bits(),
        }
    }

    /// ⌊self / 2^`shift`⌋, if it is below 2^64.
    #[inline]
    pub fn shifted(&self, shift: u64) -> Option<u64> {
        match &self.0 {
            Small(a) => {
                let shift = u32::try_from(shift).unwrap_or(u32::MAX);
                u64::try_from(a.checked_shr(shift).unwrap_or(0)).ok()
            }
            Big(a) => (a.as_ref() >> shift).to_u64(),
        }
    }

    /// The difference, if it is not negative.
    #[inline]
    pub fn checked_sub(&self, other: &Self) -> Option<Self> {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => a.checked_sub(*b).map(|d| Self(Small(d))),
            _ => self.subtract_slowly(other),
        }
    }

    #[cold]
    fn subtract_slowly(&self, other: &Self) -> Option<Self> {
        match (&self.0, &other.0) {
            (Small(_), Big(_)) => None,
            _ if self < other => None,
            _ => Some(Self::from(self.to_biguint() - other.to_biguint())),
        }
    }

    /// The greatest common divisor; gcd(0, a) = a.
    #[must_use]
    #[inline]
    pub fn gcd(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Small(a), Small(b)) => Self(Small(small_gcd(*a, *b))),
            _ => self.gcd_slowly(other),
        }
    }

    #[cold]
    fn gcd_slowly(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Big(a), Big(b)) => Self::from(gcd(a, b)),
            (Small(0), Big(_)) => other.clone(),
            (Big(_), Small(0)) => self.clone(),
            (Small(a), Big(b)) | (Big(b), Small(a)) => {
                Self(Small(small_gcd(*a, (b.as_ref() % *a).to_u128().unwrap_or(0))))
            }
            (Small(a), Small(b)) => Self(Small(small_gcd(*a, *b))),
        }
    }

    /// The quotient by a divisor.
    ///
    /// # Panics
    ///
    /// If `divisor` is 0 or does not divide `self`: the result would be a wrong number.
    #[must_use]
    #[inline]
    pub fn exact_div(&self, divisor: &Self) -> Self {
        assert!(!divisor.is_zero(), "exact division by zero");
        if divisor.is_one() {
            return self.clone();
        }
        if let (Small(a), Small(b)) = (&self.0, &divisor.0) {
            let quotient = match (u64::try_from(*a), u64::try_from(*b)) {
                (Ok(a), Ok(b)) => u128::from(a / b),
                _ => a / b,
            };
            assert!(quotient * b == *a, "{self} is not a multiple of {divisor}");
            return Self(Small(quotient));
        }
        let (quotient, rest) = match (&self.0, &divisor.0) {
            (Big(a), Big(b)) => a.div_rem(b),
            _ => self.to_biguint().div_rem(&divisor.to_biguint()),
        };
        assert!(rest == BigUint::ZERO, "{self} is not a multiple of {divisor}");
        Self::from(quotient)
    }

    /// The least common multiple; lcm(0, a) = 0.
    #[must_use]
    pub fn lcm(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::ZERO;
        }
        &self.exact_div(&self.gcd(other)) * other
    }

    /// The same number as a [`BigUint`].
    pub fn to_biguint(&self) -> BigUint {
        match &self.0 {
            Small(a) => BigUint::from(*a),
            Big(a) => a.as_ref().clone(),
        }
    }

    /// The same number as a [`BigInt`].
    pub fn to_bigint(&self) -> BigInt {
        self.to_biguint().into()
    }

    /// The same number as a `u128`, if it fits.
    #[inline]
    pub fn to_u128(&self) -> Option<u128> {
        match &self.0 {
            Small(a) => Some(*a),
            Big(_) => None,
        }
    }

    #[cold]
    fn add_slowly(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Big(a), Small(b)) | (Small(b), Big(a)) => Self(Big(Box::new(a.as_ref() + *b))),
            (Big(a), Big(b)) => Self(Big(Box::new(a.as_ref() + b.as_ref()))),
            (Small(a), Small(b)) => Self::from(BigUint::from(*a) + *b),
        }
    }

    #[cold]
    fn multiply_slowly(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Big(a), Small(b)) | (Small(b), Big(a)) => Self::from(a.as_ref() * *b),
            (Big(a), Big(b)) => Self(Big(Box::new(a.as_ref() * b.as_ref()))),
            (Small(a), Small(b)) => Self::from(BigUint::from(*a) * *b),
        }
    }
}

impl Default for Natural {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Add for &Natural {
    type Output = Natural;

    #[inline]
    fn add(self, other: Self) -> Natural {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(sum) = a.checked_add(*b)
        {
            return Natural(Small(sum));
        }
        self.add_slowly(other)
    }
}

impl AddAssign<&Natural> for Natural {
    #[inline]
    fn add_assign(&mut self, other: &Natural) {
        if let (Small(a), Small(b)) = (&mut self.0, &other.0)
            && let Some(sum) = a.checked_add(*b)
        {
            *a = sum;
            return;
        }
        *self = self.add_slowly(other);
    }
}

impl Mul for &Natural {
    type Output = Natural;

    #[inline]
    fn mul(self, other: Self) -> Natural {
        if let (Small(a), Small(b)) = (&self.0, &other.0)
            && let Some(product) = a.checked_mul(*b)
        {
            return Natural(Small(product));
        }
        self.multiply_slowly(other)
    }
}

impl From<u64> for Natural {
    #[inline]
    fn from(value: u64) -> Self {
        Self(Small(u128::from(value)))
    }
}

impl From<u128> for Natural {
    #[inline]
    fn from(value: u128) -> Self {
        Self(Small(value))
    }
}

impl From<BigUint> for Natural {
    fn from(value: BigUint) -> Self {
        match value.to_u128() {
            Some(small) => Self(Small(small)),
            None => Self(Big(Box::new(value))),
        }
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(a) => fmt::Display::fmt(a, f),
            Big(a) => fmt::Display::fmt(a, f),
        }
    }
}

impl fmt::Debug for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use littlestone_properties::config;
    use proptest::prelude::*;

    /// Integers with a bias to the borders of the representations.
    fn integers() -> impl Strategy<Value = BigUint> {
        let borders = (prop::sample::select(vec![64u32, 127, 128, 192, 256]), -3i64..=3).prop_map(
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
            prop::collection::vec(any::<u32>(), 0..9).prop_map(BigUint::new),
        ]
    }

    fn canonical(n: &Natural) -> bool {
        match &n.0 {
            Small(_) => true,
            Big(a) => a.bits() > 128,
        }
    }

    proptest! {
        #![proptest_config(config(256))]

        #[test]
        fn agrees_with_biguint(a in integers(), b in integers(), shift in 0u64..300) {
            let (x, y) = (Natural::from(a.clone()), Natural::from(b.clone()));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
            prop_assert_eq!(x == y, a == b);
            prop_assert_eq!(x.to_string(), a.to_string());
            prop_assert_eq!(x.bits(), a.bits());
            prop_assert_eq!(x.is_zero(), a == BigUint::ZERO);
            prop_assert_eq!(x.shifted(shift), (&a >> shift).to_u64());
            let difference = (a >= b).then(|| &a - &b);
            let mut in_place = x.clone();
            in_place += &y;
            for (ours, theirs) in [
                (Some(&x + &y), Some(&a + &b)),
                (Some(in_place), Some(&a + &b)),
                (Some(&x * &y), Some(&a * &b)),
                (x.checked_sub(&y), difference),
                (Some(x.gcd(&y)), Some(a.gcd(&b))),
                (Some(x.lcm(&y)), Some(a.lcm(&b))),
            ] {
                prop_assert!(ours.iter().all(canonical));
                prop_assert_eq!(ours.map(|n| n.to_biguint()), theirs);
            }
            if b != BigUint::ZERO {
                prop_assert_eq!((&x * &y).exact_div(&y), x);
            }
        }
    }

    #[test]
    #[should_panic(expected = "7 is not a multiple of 2")]
    fn inexact_division_is_refused() {
        let _ = Natural::from(7u64).exact_div(&Natural::from(2u64));
    }
}

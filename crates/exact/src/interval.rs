//! Enclosures of real numbers by dyadic intervals, with every operation rounded outwards.

use std::cmp::Ordering;

use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::rational::{BigInt, Rational};

/// The interval from `low`/2^`bits` to `high`/2^`bits`, known to hold a number.
///
/// If two enclosures hold x and y, then their sum, product and quotient hold x + y, xy and x/y:
/// lower ends are rounded down and upper ends up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Enclosure {
    low: BigInt,
    high: BigInt,
    bits: u64,
}

/// ⌊`a`/2^`shift`⌋. An arithmetic shift rounds down, also below zero.
fn floor_shift(a: &BigInt, shift: u64) -> BigInt {
    a >> shift
}

/// ⌈`a`/2^`shift`⌉ = −⌊−`a`/2^`shift`⌋.
fn ceil_shift(a: &BigInt, shift: u64) -> BigInt {
    -(-a >> shift)
}

impl Enclosure {
    /// The interval from `low`/2^`bits` to `high`/2^`bits`.
    ///
    /// # Panics
    ///
    /// If `low > high`.
    pub fn new(low: BigInt, high: BigInt, bits: u64) -> Self {
        assert!(low <= high, "an enclosure's ends are in order");
        Self { low, high, bits }
    }

    /// The tightest enclosure of a rational at a number of bits.
    pub fn of(value: &Rational, bits: u64) -> Self {
        let lifted = value.numer() << bits;
        let low = lifted.div_floor(value.denom());
        let exact = &low * value.denom() == lifted;
        let high = if exact { low.clone() } else { &low + 1 };
        Self { low, high, bits }
    }

    /// The point enclosure of an integer.
    pub fn integer(value: &BigInt, bits: u64) -> Self {
        let end = value << bits;
        Self { low: end.clone(), high: end, bits }
    }

    /// The number of bits after the point.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// The lower end times 2^bits.
    pub fn low_numerator(&self) -> &BigInt {
        &self.low
    }

    /// The upper end times 2^bits.
    pub fn high_numerator(&self) -> &BigInt {
        &self.high
    }

    /// The lower end.
    pub fn low(&self) -> Rational {
        Rational::new(self.low.clone(), BigInt::one() << self.bits)
    }

    /// The upper end.
    pub fn high(&self) -> Rational {
        Rational::new(self.high.clone(), BigInt::one() << self.bits)
    }

    /// The width in units of 2^−bits.
    pub fn width(&self) -> BigInt {
        &self.high - &self.low
    }

    /// Whether the rational lies between the ends.
    pub fn contains(&self, value: &Rational) -> bool {
        let lifted = value.numer() << self.bits;
        &self.low * value.denom() <= lifted && lifted <= &self.high * value.denom()
    }

    /// The sign of every number in the enclosure, if they agree.
    pub fn sign(&self) -> Option<Ordering> {
        if self.low.is_positive() {
            Some(Ordering::Greater)
        } else if self.high.is_negative() {
            Some(Ordering::Less)
        } else if self.low.is_zero() && self.high.is_zero() {
            Some(Ordering::Equal)
        } else {
            None
        }
    }

    /// The enclosure with its ends rounded outwards to fewer bits.
    ///
    /// # Panics
    ///
    /// If `bits` is more than there are.
    #[must_use]
    pub fn coarsen(&self, bits: u64) -> Self {
        let shift = self.bits.checked_sub(bits).expect("an enclosure has no bits to invent");
        Self { low: floor_shift(&self.low, shift), high: ceil_shift(&self.high, shift), bits }
    }

    fn assert_same_scale(&self, other: &Self) {
        assert!(self.bits == other.bits, "enclosures at one scale");
    }

    /// The sum. Both enclosures must have the same number of bits, here and below.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        self.assert_same_scale(other);
        Self { low: &self.low + &other.low, high: &self.high + &other.high, bits: self.bits }
    }

    /// The sum with an integer.
    #[must_use]
    pub fn plus_integer(&self, other: &BigInt) -> Self {
        let lifted = other << self.bits;
        Self { low: &self.low + &lifted, high: &self.high + lifted, bits: self.bits }
    }

    /// The product with an integer.
    #[must_use]
    pub fn times_integer(&self, factor: &BigInt) -> Self {
        let (a, b) = (&self.low * factor, &self.high * factor);
        let (low, high) = if factor.is_negative() { (b, a) } else { (a, b) };
        Self { low, high, bits: self.bits }
    }

    /// The product. It is monotone in each factor, so its extremes are at the ends.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        self.assert_same_scale(other);
        let (low, high) = if !other.low.is_negative() {
            let at_low = if self.low.is_negative() { &other.high } else { &other.low };
            let at_high = if self.high.is_negative() { &other.low } else { &other.high };
            (&self.low * at_low, &self.high * at_high)
        } else if !self.low.is_negative() {
            return other.times(self);
        } else {
            let [a, b, c, d] = [
                &self.low * &other.low,
                &self.low * &other.high,
                &self.high * &other.low,
                &self.high * &other.high,
            ];
            let (low, high) = ((&a).min(&b).min(&c).min(&d), (&a).max(&b).max(&c).max(&d));
            (low.clone(), high.clone())
        };
        let shift = self.bits;
        Self { low: floor_shift(&low, shift), high: ceil_shift(&high, shift), bits: self.bits }
    }

    /// The reciprocal, unless the enclosure holds zero.
    pub fn reciprocal(&self) -> Option<Self> {
        if !matches!(self.sign(), Some(Ordering::Greater | Ordering::Less)) {
            return None;
        }
        // 1/x decreases on either side of zero, and 1/(a/2^w) = (2^2w/a)/2^w.
        let unit = BigInt::one() << (2 * self.bits);
        let (low, high) = (unit.div_floor(&self.high), unit.div_ceil(&self.low));
        Some(Self { low, high, bits: self.bits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use littlestone_properties::config;
    use proptest::prelude::*;

    fn rationals() -> impl Strategy<Value = Rational> {
        (-2000i64..2000, 1i64..60).prop_map(|(p, q)| Rational::new(p.into(), q.into()))
    }

    /// An enclosure at a few bits with a number it holds.
    fn enclosures() -> impl Strategy<Value = (Rational, Enclosure)> {
        (rationals(), 0i64..40, 0i64..40).prop_map(|(value, below, above)| {
            let tight = Enclosure::of(&value, 6);
            (value, Enclosure::new(tight.low - below, tight.high + above, 6))
        })
    }

    proptest! {
        #![proptest_config(config(256))]

        #[test]
        fn results_hold_the_exact_values((x, ex) in enclosures(), (y, ey) in enclosures(), n in -9i64..9) {
            let n = BigInt::from(n);
            prop_assert!(ex.contains(&x));
            prop_assert!(ex.plus(&ey).contains(&(&x + &y)));
            prop_assert!(ex.times(&ey).contains(&(&x * &y)));
            prop_assert!(ex.plus_integer(&n).contains(&(&x + Rational::from(n.clone()))));
            prop_assert!(ex.times_integer(&n).contains(&(&x * Rational::from(n))));
            prop_assert!(ex.coarsen(2).contains(&x));
            if let Some(inverse) = ey.reciprocal() {
                prop_assert!(inverse.contains(&y.recip()));
            } else {
                prop_assert!(ey.contains(&Rational::zero()));
            }
            if let Some(sign) = ex.sign() {
                prop_assert_eq!(sign, x.cmp(&Rational::zero()));
            }
        }

        #[test]
        fn shifts_round_as_divisions_do(a in any::<i64>(), shift in 0u64..70) {
            let (a, d) = (BigInt::from(a), BigInt::one() << shift);
            prop_assert_eq!(floor_shift(&a, shift), a.div_floor(&d));
            prop_assert_eq!(ceil_shift(&a, shift), a.div_ceil(&d));
        }

        #[test]
        fn an_enclosure_of_a_rational_is_tight(x in rationals(), bits in 0u64..80) {
            let e = Enclosure::of(&x, bits);
            prop_assert!(e.contains(&x));
            prop_assert!(e.width() <= BigInt::one());
            prop_assert_eq!(e.width().is_zero(), e.low() == x);
        }
    }
}

//! The arithmetic for rational weights and rational e^ε: integers throughout.

use std::cmp::Ordering;

use num_traits::One;

use super::integer::Integer;
use super::number::Number;
use super::rational::Rational;
use super::ring::{Arithmetic, common_divisor, common_naturals, quotient};
use super::weight::Natural;

/// Rational weights with e^ε = a/b: divergences are the integers b·P − a·Q.
#[derive(Debug, Clone)]
pub struct LogRational {
    a: Natural,
    b: Natural,
}

impl LogRational {
    /// The arithmetic for e^ε = `factor`; `None` if it is below 1.
    pub fn new(factor: &Rational) -> Option<Self> {
        if *factor < Rational::one() {
            return None;
        }
        let natural = |n: &super::rational::BigInt| Natural::from(n.magnitude().clone());
        Some(Self { a: natural(factor.numer()), b: natural(factor.denom()) })
    }
}

impl Arithmetic for LogRational {
    type Weight = Natural;
    type Gap = Integer;
    type Value = Natural;

    #[inline]
    fn zero(&self) -> Natural {
        Natural::ZERO
    }

    #[inline]
    fn one(&self) -> Natural {
        Natural::ONE
    }

    #[inline]
    fn is_zero(&self, weight: &Natural) -> bool {
        weight.is_zero()
    }

    #[inline]
    fn add(&self, weight: &mut Natural, other: &Natural) {
        *weight += other;
    }

    #[inline]
    fn mul(&self, a: &Natural, b: &Natural) -> Natural {
        a * b
    }

    #[inline]
    fn weight_cmp(&self, a: &Natural, b: &Natural) -> Ordering {
        a.cmp(b)
    }

    fn content<'a>(&self, weights: impl IntoIterator<Item = &'a Natural>) -> Natural {
        common_divisor(weights)
    }

    #[inline]
    fn divide(&self, weight: &Natural, divisor: &Natural) -> Natural {
        weight.exact_div(divisor)
    }

    #[inline]
    fn gap(&self, p: &Natural, q: &Natural) -> Integer {
        Integer::difference(&(&self.b * p), &(&self.a * q))
    }

    #[inline]
    fn gap_zero(&self) -> Integer {
        Integer::ZERO
    }

    #[inline]
    fn gap_add(&self, gap: &mut Integer, other: &Integer) {
        *gap += other;
    }

    #[inline]
    fn gap_scale(&self, gap: &Integer, factor: &Natural) -> Integer {
        gap * factor
    }

    #[inline]
    fn gap_sign(&self, gap: &Integer) -> Ordering {
        gap.sign()
    }

    #[inline]
    fn gap_positive(&self, gap: &Integer) -> Option<Natural> {
        gap.sign().is_gt().then(|| gap.magnitude())
    }

    fn gap_content<'a>(&self, gaps: impl IntoIterator<Item = &'a Integer>) -> Natural {
        let mut divisor = Natural::ZERO;
        for gap in gaps {
            divisor = divisor.gcd(&gap.magnitude());
            if divisor.is_one() {
                break;
            }
        }
        if divisor.is_zero() { Natural::ONE } else { divisor }
    }

    #[inline]
    fn gap_divide(&self, gap: &Integer, divisor: &Natural) -> Integer {
        gap.exact_div(divisor)
    }

    #[inline]
    fn excess(&self, p: &Natural, q: &Natural) -> Option<Natural> {
        let difference = (&self.b * p).checked_sub(&(&self.a * q))?;
        (!difference.is_zero()).then_some(difference)
    }

    #[inline]
    fn value_zero(&self) -> Natural {
        Natural::ZERO
    }

    #[inline]
    fn value_add(&self, value: &mut Natural, other: &Natural) {
        *value += other;
    }

    #[inline]
    fn value_scale(&self, value: &Natural, factor: &Natural) -> Natural {
        value * factor
    }

    #[inline]
    fn value_cmp(&self, a: &Natural, b: &Natural) -> Ordering {
        a.cmp(b)
    }

    fn number(&self, value: &Natural, denominator: &Natural) -> Number {
        quotient(value, &(&self.b * denominator)).into()
    }

    fn weight_number(&self, weight: &Natural, denominator: &Natural) -> Number {
        quotient(weight, denominator).into()
    }

    fn common(&self, numbers: &[Number]) -> Option<(Vec<Natural>, Natural)> {
        common_naturals(numbers)
    }
}

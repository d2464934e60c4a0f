//! The arithmetic for rational weights and rational ε > 0, where e^ε is transcendental.

use std::cmp::Ordering;

use super::decay::Decay;
use super::number::{Number, exp};
use super::rational::Rational;
use super::ring::{Arithmetic, common_divisor, common_naturals, quotient};
use super::weight::Natural;

/// Rational weights with a rational ε > 0: divergences are pairs (A, B) that stand for A − B·e^ε.
///
/// As e^ε is irrational, a number has one such pair, so equality is that of pairs.
#[derive(Debug, Clone)]
pub struct TranscendentalRational {
    /// s = e^−ε, shared by all clones.
    decay: Decay,
    /// Integers l ≤ 2^63·s ≤ h.
    machine: (u64, u64),
}

impl TranscendentalRational {
    /// The arithmetic for a rational ε > 0.
    ///
    /// # Panics
    ///
    /// Unless `epsilon` is positive.
    pub fn new(epsilon: Rational) -> Self {
        let decay = Decay::new(epsilon);
        let machine = decay.machine();
        Self { decay, machine }
    }

    /// The sign of p − e^ε·q, which is that of p·s − q.
    ///
    /// The leading 64 bits of both against 63 bits of s decide unless p/q is within about 2^−60 of
    /// e^ε. With p = p'·2^k + … and q = q'·2^k + … (`slack` is 0 if nothing was cut off, else 1):
    /// p·s/2^k is between p'·l/2^63 and (p' + slack)·h/2^63, and q/2^k between q' and q' + slack.
    /// No product exceeds 2^64·2^63, so nothing overflows.
    #[inline]
    fn compare(&self, p: &Natural, q: &Natural) -> Ordering {
        if q.is_zero() {
            return if p.is_zero() { Ordering::Equal } else { Ordering::Greater };
        }
        if p <= q {
            return Ordering::Less;
        }
        let shift = p.bits().saturating_sub(64);
        if let (Some(p_low), Some(q_low)) = (p.shifted(shift), q.shifted(shift)) {
            let (l, h) = self.machine;
            let slack = u128::from(shift > 0);
            let (p_low, q_low) = (u128::from(p_low), u128::from(q_low));
            if p_low * u128::from(l) > (q_low + slack) << 63 {
                return Ordering::Greater;
            }
            if (p_low + slack) * u128::from(h) < q_low << 63 {
                return Ordering::Less;
            }
        }
        self.refine(p, q)
    }

    /// The sign of p·s − q for positive p and q.
    ///
    /// The loop ends: s is irrational, so p·s ≠ q, and the widths of the enclosures tend to 0.
    #[cold]
    fn refine(&self, p: &Natural, q: &Natural) -> Ordering {
        let (p, minus_q) = (p.to_bigint(), -q.to_bigint());
        let mut level = 0;
        loop {
            let difference = self.decay.at(level).times_integer(&p).plus_integer(&minus_q);
            if let Some(sign) = difference.sign() {
                return sign;
            }
            level += 1;
        }
    }
}

/// |x − y| and the order of x to y.
fn distance(x: &Natural, y: &Natural) -> (Natural, Ordering) {
    match x.checked_sub(y) {
        Some(d) if d.is_zero() => (d, Ordering::Equal),
        Some(d) => (d, Ordering::Greater),
        None => (y.checked_sub(x).unwrap_or(Natural::ZERO), Ordering::Less),
    }
}

impl Arithmetic for TranscendentalRational {
    type Weight = Natural;
    type Gap = (Natural, Natural);
    type Value = (Natural, Natural);

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
    fn gap(&self, p: &Natural, q: &Natural) -> (Natural, Natural) {
        (p.clone(), q.clone())
    }

    #[inline]
    fn gap_zero(&self) -> (Natural, Natural) {
        (Natural::ZERO, Natural::ZERO)
    }

    #[inline]
    fn gap_add(&self, gap: &mut (Natural, Natural), other: &(Natural, Natural)) {
        gap.0 += &other.0;
        gap.1 += &other.1;
    }

    #[inline]
    fn gap_scale(&self, gap: &(Natural, Natural), factor: &Natural) -> (Natural, Natural) {
        (&gap.0 * factor, &gap.1 * factor)
    }

    #[inline]
    fn gap_sign(&self, (p, q): &(Natural, Natural)) -> Ordering {
        self.compare(p, q)
    }

    #[inline]
    fn gap_positive(&self, gap: &(Natural, Natural)) -> Option<(Natural, Natural)> {
        self.gap_sign(gap).is_gt().then(|| gap.clone())
    }

    fn gap_content<'a>(&self, gaps: impl IntoIterator<Item = &'a (Natural, Natural)>) -> Natural {
        common_divisor(gaps.into_iter().flat_map(|(p, q)| [p, q]))
    }

    #[inline]
    fn gap_divide(&self, gap: &(Natural, Natural), divisor: &Natural) -> (Natural, Natural) {
        (gap.0.exact_div(divisor), gap.1.exact_div(divisor))
    }

    #[inline]
    fn excess(&self, p: &Natural, q: &Natural) -> Option<(Natural, Natural)> {
        (self.compare(p, q) == Ordering::Greater).then(|| (p.clone(), q.clone()))
    }

    #[inline]
    fn value_zero(&self) -> (Natural, Natural) {
        (Natural::ZERO, Natural::ZERO)
    }

    #[inline]
    fn value_add(&self, value: &mut (Natural, Natural), other: &(Natural, Natural)) {
        value.0 += &other.0;
        value.1 += &other.1;
    }

    #[inline]
    fn value_scale(&self, value: &(Natural, Natural), factor: &Natural) -> (Natural, Natural) {
        (&value.0 * factor, &value.1 * factor)
    }

    /// The sign of (A₁ − A₂) − e^ε·(B₁ − B₂).
    fn value_cmp(&self, a: &(Natural, Natural), b: &(Natural, Natural)) -> Ordering {
        let ((gain, up), (loss, down)) = (distance(&a.0, &b.0), distance(&a.1, &b.1));
        match (up, down) {
            (sign, Ordering::Equal) => sign,
            (Ordering::Equal, sign) => sign.reverse(),
            (Ordering::Greater, Ordering::Greater) => self.compare(&gain, &loss),
            (Ordering::Less, Ordering::Less) => self.compare(&gain, &loss).reverse(),
            (sign, _) => sign,
        }
    }

    fn number(&self, value: &(Natural, Natural), denominator: &Natural) -> Number {
        let part = |n: &Natural| Number::from(quotient(n, denominator));
        &part(&value.0) - &(&part(&value.1) * &exp(self.decay.unit()))
    }

    fn weight_number(&self, weight: &Natural, denominator: &Natural) -> Number {
        quotient(weight, denominator).into()
    }

    fn common(&self, numbers: &[Number]) -> Option<(Vec<Natural>, Natural)> {
        common_naturals(numbers)
    }
}

//! Values and signs of integer Laurent polynomials at t = eᵘ.

use std::cmp::Ordering;

use num_traits::{Signed, Zero};

use super::decay::Decay;
use super::interval::Enclosure;
use super::laurent::Laurent;
use super::rational::{BigInt, Rational};

impl Laurent {
    /// An enclosure of Σ cᵢ·s^(d−i), the value divided by t^top, for s = 1/t in `s`.
    ///
    /// Horner's rule in intervals. With s ≤ 1 nothing grows beyond the sum of the coefficients.
    pub fn scaled_value(&self, s: &Enclosure) -> Enclosure {
        let mut value = Enclosure::integer(&BigInt::zero(), s.bits());
        for c in self.coefficients() {
            value = value.times(s).plus_integer(c);
        }
        value
    }

    /// The sign of the value at t = e^`unit`, for `unit` > 0.
    pub fn sign(&self, unit: &Rational) -> Ordering {
        self.sign_at(&Decay::new(unit.clone()))
    }

    /// The sign of the value at t = 1/s.
    ///
    /// Zero is decided by syntax: t is transcendental (Lindemann), so no other polynomial vanishes
    /// there. The value of any other has a positive distance from zero, while the widths of its
    /// enclosures tend to zero as s is refined; so the loop ends.
    pub fn sign_at(&self, decay: &Decay) -> Ordering {
        let (mut positive, mut negative) = (false, false);
        for c in self.coefficients() {
            positive |= c.is_positive();
            negative |= c.is_negative();
        }
        match (positive, negative) {
            (false, false) => return Ordering::Equal,
            (true, false) => return Ordering::Greater,
            (false, true) => return Ordering::Less,
            (true, true) => {}
        }
        if let Some(sign) = self.machine_sign(decay) {
            return sign;
        }
        let mut level = 0;
        loop {
            if let Some(sign) = self.scaled_value(&decay.at(level)).sign() {
                return sign;
            }
            level += 1;
        }
    }

    /// The sign, if 30 bits of s and 128-bit integers suffice: Horner's rule in intervals again.
    fn machine_sign(&self, decay: &Decay) -> Option<Ordering> {
        const BITS: u32 = 30;
        let (l, h) = decay.machine();
        let (l, h) = (i128::from(l >> (63 - BITS)), i128::from(h >> (63 - BITS)) + 1);
        let (mut low, mut high) = (0i128, 0i128);
        for c in self.coefficients() {
            let c = i128::from(i64::try_from(c).ok()?) << BITS;
            // Shifts round down, so the upper end is negated before and after.
            low = low.checked_mul(if low < 0 { h } else { l })? >> BITS;
            high = -(high.checked_mul(if high < 0 { -l } else { -h })? >> BITS);
            (low, high) = (low.checked_add(c)?, high.checked_add(c)?);
        }
        if low > 0 {
            Some(Ordering::Greater)
        } else if high < 0 {
            Some(Ordering::Less)
        } else {
            None
        }
    }
}

//! Certified logarithms at one precision, also of numbers with very many digits.

use num_traits::{One, Signed, Zero};

use littlestone_exact::{BigInt, BigUint, Enclosure, Rational, enclose_exp, enclose_ln};

/// Enclosures with a fixed number of bits after the point, and ln 2 at that precision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logs {
    bits: u64,
    ln_two: Enclosure,
    per_ln_two: Enclosure,
}

impl Logs {
    /// Logarithms with `bits` bits after the point, at least 8.
    pub fn new(bits: u64) -> Self {
        let bits = bits.max(8);
        let two = Rational::from_integer(2.into());
        let ln_two = enclose_ln(&two, bits).expect("2 is positive");
        let per_ln_two = ln_two.reciprocal().expect("ln 2 is above 1/2");
        Self { bits, ln_two, per_ln_two }
    }

    /// The number of bits after the point.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// The enclosure of a rational.
    pub fn number(&self, value: &Rational) -> Enclosure {
        Enclosure::of(value, self.bits)
    }

    /// The enclosure of an integer.
    pub fn integer(&self, value: impl Into<BigInt>) -> Enclosure {
        Enclosure::integer(&value.into(), self.bits)
    }

    /// ln 2.
    pub fn ln_two(&self) -> &Enclosure {
        &self.ln_two
    }

    /// ln q.
    ///
    /// # Panics
    /// Unless q > 0.
    pub fn ln(&self, q: &Rational) -> Enclosure {
        assert!(q.is_positive(), "logarithms are of positive numbers");
        let below = self.ln_natural(q.denom().magnitude());
        self.ln_natural(q.numer().magnitude()).plus(&below.times_integer(&BigInt::from(-1)))
    }

    /// ln n for n ≥ 1. Of a long n the leading digits are used: with n between f·2^e and
    /// (f + 1)·2^e, ln n is between ln f + e·ln 2 and ln(f + 1) + e·ln 2.
    fn ln_natural(&self, n: &BigUint) -> Enclosure {
        let shift = n.bits().saturating_sub(self.bits + 8);
        let leading = n >> shift;
        let of = |n: BigUint| {
            enclose_ln(&Rational::from_integer(n.into()), self.bits).expect("a positive number")
        };
        let low = of(leading.clone());
        let high = if shift == 0 { low.clone() } else { of(leading + 1u32) };
        let both = hull(&low, &high);
        both.plus(&self.ln_two.times_integer(&BigInt::from(shift)))
    }

    /// log2 q for q > 0.
    ///
    /// # Panics
    /// Unless q > 0.
    pub fn log2(&self, q: &Rational) -> Enclosure {
        self.ln(q).times(&self.per_ln_two)
    }

    /// log2 n for n ≥ 1.
    ///
    /// # Panics
    /// If n is 0.
    pub fn log2_natural(&self, n: &BigUint) -> Enclosure {
        assert!(!n.is_zero(), "logarithms are of positive numbers");
        self.ln_natural(n).times(&self.per_ln_two)
    }

    /// log2 x for an enclosed x whose lower end is positive.
    ///
    /// # Panics
    /// Unless the lower end is positive.
    pub fn log2_of(&self, x: &Enclosure) -> Enclosure {
        hull(&self.log2(&x.low()), &self.log2(&x.high()))
    }

    /// log2(2^x + 2^y). Where one of them is not negligible beside the other, 2^−(difference) is
    /// enclosed.
    #[must_use]
    pub fn log2_sum(&self, x: &Enclosure, y: &Enclosure) -> Enclosure {
        let (more, less) = if x.low() >= y.low() { (x, y) } else { (y, x) };
        let distance = more.plus(&less.times_integer(&BigInt::from(-1)));
        let bits = Rational::from_integer(BigInt::from(self.bits));
        let (least, most) = (distance.low(), distance.high());
        if least >= bits {
            // log2(1 + z) ≤ 2z, and z ≤ 2^−bits.
            return more.plus(&Enclosure::new(BigInt::zero(), BigInt::from(2), self.bits));
        }
        // log2(1 + z) with z = 2^−distance, which decreases.
        let at = |distance: &Rational| {
            let power = enclosed_power(&self.ln_two, &-distance, self.bits);
            self.log2_of(&power.plus_integer(&BigInt::one()))
        };
        more.plus(&hull(&at(&most), &at(&least)))
    }
}

/// 2^q for a rational q.
fn enclosed_power(ln_two: &Enclosure, q: &Rational, bits: u64) -> Enclosure {
    let (a, b) = (q * ln_two.low(), q * ln_two.high());
    let (low, high) = if a <= b { (a, b) } else { (b, a) };
    hull(&enclose_exp(&low, bits), &enclose_exp(&high, bits))
}

/// The least enclosure of both.
fn hull(a: &Enclosure, b: &Enclosure) -> Enclosure {
    let low = a.low_numerator().min(b.low_numerator()).clone();
    let high = a.high_numerator().max(b.high_numerator()).clone();
    Enclosure::new(low, high, a.bits())
}

/// The decimal with `digits` digits after the point that is the nearest below x, or above.
pub fn decimals(x: &Enclosure, digits: u32) -> [String; 2] {
    let scale = Rational::from_integer(BigInt::from(10).pow(digits));
    let low = (x.low() * &scale).floor().to_integer();
    let high = (x.high() * &scale).ceil().to_integer();
    [low, high].map(|n| pointed(&n, digits))
}

/// n/10^digits as a decimal.
fn pointed(n: &BigInt, digits: u32) -> String {
    let width = usize::try_from(digits).unwrap_or(usize::MAX);
    let text = n.magnitude().to_string();
    let text = format!("{text:0>width$}", width = width + 1);
    let (whole, part) = text.split_at(text.len() - width);
    let sign = if n.is_negative() { "-" } else { "" };
    let point = if part.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{part}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn q(n: i64, d: i64) -> Rational {
        Rational::new(n.into(), d.into())
    }

    /// Powers of two have logarithms that are known.
    #[test]
    fn powers_of_two_and_their_neighbours() {
        let logs = Logs::new(64);
        for e in [1u32, 5, 63, 200, 5000] {
            let power = BigUint::one() << e;
            let exact = q(i64::from(e), 1);
            assert!(logs.log2_natural(&power).contains(&exact), "2^{e}");
            assert!(logs.log2_natural(&(&power - 1u32)).low() < exact, "2^{e} - 1");
            assert!(logs.log2_natural(&(&power + 1u32)).high() > exact, "2^{e} + 1");
            let width = logs.log2_natural(&power).width();
            assert!(width < BigInt::from(1u64 << 20), "2^{e}: {width}");
        }
        assert!(logs.log2(&q(1, 8)).contains(&q(-3, 1)));
    }

    /// 2^5 + 2^5 = 2^6, 2^3 + 2^(log2 56) = 2^6, and a negligible summand.
    #[test]
    fn sums_of_powers() {
        let logs = Logs::new(64);
        let five = logs.integer(5);
        assert!(logs.log2_sum(&five, &five).contains(&q(6, 1)));
        let fifty_six = logs.log2(&q(56, 1));
        let sum = logs.log2_sum(&logs.integer(3), &fifty_six);
        assert!(sum.contains(&q(6, 1)) && sum.width() < BigInt::from(1u64 << 16));
        let sum = logs.log2_sum(&logs.integer(500), &logs.integer(3));
        assert!(sum.low() == q(500, 1) && sum.high() > q(500, 1));
    }

    #[test]
    fn decimals_are_rounded_outwards() {
        let x = Enclosure::new((-3).into(), 5.into(), 2);
        assert_eq!(decimals(&x, 1), ["-0.8", "1.3"]);
        assert_eq!(decimals(&x, 0), ["-1", "2"]);
        assert_eq!(decimals(&x, 3), ["-0.750", "1.250"]);
    }
}

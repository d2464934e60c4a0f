//! Enclosures of e⁻ᵘ for rational u ≥ 0: a plain partial sum with the classical remainder.
//!
//! Let v = u/2ᵏ with the least k that gives v ≤ 1. The terms of e⁻ᵛ = Σ (−v)ⁿ/n! alternate and do
//! not grow, so the remainder after an even number M of terms lies between 0 and the first term
//! left out, vᴹ/M! ≤ 1/M! (Leibniz). The partial sum is computed exactly; then e⁻ᵘ is e⁻ᵛ squared k
//! times, rounded outwards.

use littlestone_base::{BigInt, Rational};

/// `low`/2^bits ≤ e⁻ᵘ ≤ `high`/2^bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: BigInt,
    pub(super) high: BigInt,
}

/// Bounds on e^−`u` that come together as `bits` grows.
///
/// # Panics
/// Unless `u` ≥ 0.
pub(super) fn decay(u: &Rational, bits: u64) -> Bounds {
    let zero = BigInt::from(0);
    assert!(*u.numer() >= zero, "u is not negative");
    let one = BigInt::from(1);
    let mut denominator = u.denom().clone();
    let mut halvings = 0;
    while *u.numer() > denominator {
        denominator *= 2;
        halvings += 1;
    }
    // A squaring doubles the width of an enclosure of a number below 1, at most, but for rounding.
    let working = bits + 2 * halvings + 8;
    let scale = one.clone() << working;

    // The least even M with M! ≥ 2^working.
    let mut terms = 2u32;
    let mut factorial = BigInt::from(2);
    while factorial < scale {
        factorial *= (terms + 1) * (terms + 2);
        terms += 2;
    }
    // 1 − v/1·(1 − v/2·(… (1 − v/(M−1)))) as one fraction.
    let (mut numerator, mut below) = (one.clone(), one);
    for n in (1..terms).rev() {
        let whole = &denominator * n * below;
        numerator = &whole - u.numer() * numerator;
        below = whole;
    }
    let scaled = numerator * &scale;
    // Division truncates, and the partial sum of an even number of terms is not negative as v ≤ 1.
    let mut low = &scaled / &below;
    let mut high = &low + 2;
    for _ in 0..halvings {
        low = (&low * &low) >> working;
        high = ((&high * &high) >> working) + 1;
    }
    let dropped = working - bits;
    Bounds { low: low >> dropped, high: (high >> dropped) + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digits are those of the decimal expansions of 1/e, e^(-1/2) and e^(-10), from tables.
    #[test]
    fn known_digits_lie_between_the_bounds() {
        for (p, q, digits) in [
            (1, 1, "367879441171442321595523770161"),
            (1, 2, "606530659712633423603799534991"),
            (10, 1, "000045399929762484851535591515"),
        ] {
            let Bounds { low, high } = decay(&Rational::new(p.into(), q.into()), 96);
            let digits: BigInt = digits.parse().unwrap();
            let places = BigInt::from(10).pow(30);
            // digits/10^30 ≤ e^-u < (digits + 1)/10^30, and bounds must be consistent with it.
            assert!(&low * &places <= (&digits + 1) << 96u32, "{p}/{q}");
            assert!(&high * &places >= digits << 96u32, "{p}/{q}");
            assert!(high - low <= BigInt::from(4), "{p}/{q}");
        }
    }

    #[test]
    fn bounds_come_together() {
        for u in [Rational::new(0.into(), 1.into()), Rational::new(777.into(), 10.into())] {
            for bits in [1, 64, 500] {
                let Bounds { low, high } = decay(&u, bits);
                assert!(low <= high && &high - &low <= BigInt::from(4), "{u} at {bits}");
                let one = BigInt::from(1) << bits;
                assert!(u > Rational::new(0.into(), 1.into()) || (low <= one && one <= high));
            }
        }
    }
}

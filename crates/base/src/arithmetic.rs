//! Sums and products of rational numbers in lowest terms (Knuth, *The Art of Computer Programming*,
//! volume 2, 4.5.1).
//!
//! Most of the time of exact work goes into common divisors. Here they are those of numbers as small as
//! possible, in machine words where these fit, and by Lehmer's algorithm where they do not; `Ratio` finds
//! them bit by bit.

use num_bigint::Sign;
use num_integer::Integer as _;
use num_traits::{One as _, ToPrimitive as _};

use super::gcd::{gcd, small_gcd};
use super::rational::{BigInt, BigUint, Rational};

/// The sum of two numbers in lowest terms, in lowest terms.
#[must_use]
pub fn add(a: &Rational, b: &Rational) -> Rational {
    if let Some(sum) = words(a).zip(words(b)).and_then(|(a, b)| small_sum(a, b)) {
        return sum;
    }
    let common = divisor(a.denom(), b.denom());
    if common.is_one() {
        let numerator = a.numer() * b.denom() + b.numer() * a.denom();
        return Rational::new_raw(numerator, a.denom() * b.denom());
    }
    // What the numerator and the denominator of the sum have in common divides `common`.
    let rest = a.denom() / &common;
    let numerator = a.numer() * (b.denom() / &common) + b.numer() * &rest;
    let again = divisor(&numerator, &common);
    Rational::new_raw(numerator / &again, rest * (b.denom() / again))
}

/// The product of two numbers in lowest terms, in lowest terms.
#[must_use]
pub fn multiply(a: &Rational, b: &Rational) -> Rational {
    if let Some(product) = words(a).zip(words(b)).and_then(|(a, b)| small_product(a, b)) {
        return product;
    }
    let [first, second] = [divisor(a.numer(), b.denom()), divisor(b.numer(), a.denom())];
    let numerator = (a.numer() / &first) * (b.numer() / &second);
    Rational::new_raw(numerator, (a.denom() / second) * (b.denom() / first))
}

/// The greatest common divisor of the magnitudes.
fn divisor(a: &BigInt, b: &BigInt) -> BigInt {
    BigInt::from_biguint(Sign::Plus, of_magnitudes(a.magnitude(), b.magnitude()))
}

fn of_magnitudes(a: &BigUint, b: &BigUint) -> BigUint {
    match (a.to_u128(), b.to_u128()) {
        (Some(a), Some(b)) => small_gcd(a, b).into(),
        _ => gcd(a, b),
    }
}

/// A numerator and a denominator of 64 bits each.
type Words = (i64, i64);

fn words(value: &Rational) -> Option<Words> {
    Some((value.numer().to_i64()?, value.denom().to_i64()?))
}

fn small_sum((p, q): Words, (r, s): Words) -> Option<Rational> {
    let common = q.gcd(&s);
    let [rest, other] = [i128::from(q / common), i128::from(s / common)];
    let numerator = (i128::from(p) * other).checked_add(i128::from(r) * rest)?;
    // No more than the common part of both denominators is left to divide by.
    let again = i64::try_from(numerator % i128::from(common)).ok()?.gcd(&common);
    let denominator = rest.checked_mul(i128::from(s / again))?;
    Some(Rational::new_raw((numerator / i128::from(again)).into(), denominator.into()))
}

fn small_product((p, q): Words, (r, s): Words) -> Option<Rational> {
    // The gcd of i64::MIN and itself is no i64.
    if p == i64::MIN || r == i64::MIN {
        return None;
    }
    let [first, second] = [p.gcd(&s), r.gcd(&q)];
    let numerator = i128::from(p / first) * i128::from(r / second);
    let denominator = i128::from(q / second) * i128::from(s / first);
    Some(Rational::new_raw(numerator.into(), denominator.into()))
}

#[cfg(test)]
mod tests {
    use littlestone_properties::config;
    use proptest::prelude::*;

    use super::*;

    fn integers() -> impl Strategy<Value = BigInt> {
        let edges = [i64::MIN, i64::MIN + 1, -1, 0, 1, 2, i64::MAX - 1, i64::MAX];
        prop_oneof![
            (-30i64..30).prop_map(BigInt::from),
            prop::sample::select(edges.to_vec()).prop_map(BigInt::from),
            any::<i64>().prop_map(BigInt::from),
            any::<i128>().prop_map(BigInt::from),
            (any::<bool>(), proptest::collection::vec(any::<u32>(), 0..20)).prop_map(
                |(negative, digits)| {
                    let magnitude = BigInt::from(BigUint::new(digits));
                    if negative { -magnitude } else { magnitude }
                }
            ),
        ]
    }

    /// Pairs whose parts have factors in common.
    fn pairs() -> impl Strategy<Value = [Rational; 2]> {
        let one = BigInt::one;
        (integers(), integers(), integers(), integers(), integers()).prop_map(
            move |(a, b, c, d, e)| {
                let below = |n: BigInt| if n.sign() == Sign::NoSign { one() } else { n };
                [Rational::new(a * &c, below(b * &e)), Rational::new(e, below(d * c))]
            },
        )
    }

    proptest! {
        #![proptest_config(config(512))]

        /// The same as `Ratio` computes, in the same lowest terms.
        #[test]
        fn agrees_with_ratio([a, b] in pairs()) {
            for (ours, theirs) in [(add(&a, &b), &a + &b), (multiply(&a, &b), &a * &b)] {
                prop_assert_eq!(ours.numer(), theirs.numer());
                prop_assert_eq!(ours.denom(), theirs.denom());
            }
        }
    }
}

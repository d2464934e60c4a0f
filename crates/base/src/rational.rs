//! Rational numbers at the boundary: inputs, verdicts and certificates.

use std::cmp::Ordering;

use num_integer::Integer;
use num_traits::{Pow, Signed, Zero};

pub use num_bigint::{BigInt, BigUint};
pub use num_rational::BigRational as Rational;

/// The exact text of a rational in lowest terms: `p/q`, or `p` for an integer.
pub fn show(value: &Rational) -> String {
    value.reduced().to_string()
}

/// A decimal for the human eye, beside the exact text: at most `digits` digits after the point,
/// truncated towards zero, followed by `…` unless the decimal is the value itself.
///
/// A non-zero value below 10^−`digits` would read as zero; it is written with an exponent instead,
/// as in `7.88…e-31`.
pub fn decimal(value: &Rational, digits: u32) -> String {
    let sign = if value.is_negative() { "-" } else { "" };
    let magnitude = value.abs();
    if magnitude.is_zero() {
        return "0".to_owned();
    }
    let scale = BigInt::from(10u32).pow(digits);
    let (head, exact) = scaled(&magnitude, &scale);
    if !head.is_zero() {
        return format!("{sign}{}", pointed(&head, &scale, digits, exact));
    }
    let (mut numerator, denominator) = magnitude.into();
    let mut exponent = 0u64;
    while numerator < denominator {
        // The value is below 2^−gap, and 10 < 2^4, so that many tens leave it below 1.
        let gap = denominator.bits().saturating_sub(numerator.bits() + 1);
        let leap = (gap / 4).max(1);
        numerator *= BigInt::from(10u32).pow(leap);
        exponent += leap;
    }
    let (head, exact) = scaled(&Rational::new_raw(numerator, denominator), &scale);
    format!("{sign}{}e-{exponent}", pointed(&head, &scale, digits, exact))
}

/// ⌊`value`·`scale`⌋, and whether nothing was lost.
fn scaled(value: &Rational, scale: &BigInt) -> (BigInt, bool) {
    let (head, rest) = (value.numer() * scale).div_rem(value.denom());
    (head, rest.is_zero())
}

/// `head`/`scale` in decimal, `scale` = 10^`digits`; trailing zeros only when they are known digits.
fn pointed(head: &BigInt, scale: &BigInt, digits: u32, exact: bool) -> String {
    let (whole, part) = head.div_rem(scale);
    let width = usize::try_from(digits).unwrap_or(usize::MAX);
    let part = if digits == 0 { String::new() } else { format!("{part:0>width$}") };
    let part = if exact { part.trim_end_matches('0') } else { &part };
    let point = if part.is_empty() { "" } else { "." };
    let more = if exact { "" } else { "…" };
    format!("{whole}{point}{part}{more}")
}

/// The order of the numbers, by cross-multiplication.
///
/// The comparison of `Ratio` calls itself once for each step of Euclid's algorithm: long numbers that
/// agree in most digits exhaust the stack.
pub fn compare(a: &Rational, b: &Rational) -> Ordering {
    (a.numer() * b.denom()).cmp(&(b.numer() * a.denom()))
}

/// The non-negative generator of the subgroup of ℚ that `a` and `b` generate; 0 if both are 0.
///
/// With common denominator d, `a` = p/d and `b` = q/d generate gcd(p, q)/d · ℤ (Bézout).
pub fn gcd(a: &Rational, b: &Rational) -> Rational {
    let left = a.numer() * b.denom();
    let right = b.numer() * a.denom();
    Rational::new(left.gcd(&right), a.denom() * b.denom())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn q(p: i64, q: i64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    #[test]
    fn decimals_are_truncated_and_marked() {
        assert_eq!(decimal(&q(1, 4), 4), "0.25");
        assert_eq!(decimal(&q(2, 3), 4), "0.6666…");
        assert_eq!(decimal(&q(-2, 3), 4), "-0.6666…");
        assert_eq!(decimal(&q(7, 1), 4), "7");
        assert_eq!(decimal(&q(0, 1), 4), "0");
        assert_eq!(decimal(&q(10, 1), 0), "10");
        assert_eq!(decimal(&q(21, 2), 0), "10…");
        assert_eq!(decimal(&q(1_000_001, 10_000_000), 6), "0.100000…");
        assert_eq!(decimal(&q(1, 1000), 2), "1e-3");
        assert_eq!(decimal(&q(-1, 300), 2), "-3.33…e-3");
        assert_eq!(decimal(&q(1, 3), 0), "3…e-1");
        // 2^-100 = 7.888609052210118…e-31, from 5^100 = 7.888609052210118…e69.
        let tiny = Rational::new(1.into(), BigInt::from(1) << 100u32);
        assert_eq!(decimal(&tiny, 4), "7.8886…e-31");
        let vanishing = Rational::new(7.into(), BigInt::from(10).pow(10_000u32));
        assert_eq!(decimal(&vanishing, 4), "7e-10000");
    }

    #[test]
    fn exact_text_is_in_lowest_terms() {
        assert_eq!(show(&q(6, -8)), "-3/4");
        assert_eq!(show(&q(8, 4)), "2");
        assert_eq!(show(&Rational::new_raw(2.into(), 4.into())), "1/2");
    }

    #[test]
    fn gcd_generates_both() {
        assert_eq!(gcd(&q(1, 2), &q(1, 3)), q(1, 6));
        assert_eq!(gcd(&q(-3, 10), &q(9, 5)), q(3, 10));
        assert_eq!(gcd(&q(0, 1), &q(-2, 7)), q(2, 7));
        assert_eq!(gcd(&q(0, 1), &q(0, 1)), q(0, 1));
    }
}

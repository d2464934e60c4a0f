//! What the tests share.

use littlestone::exact::{BigInt, Number, Rational, exp};
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;

/// The rational p/q.
pub fn ratio(p: i64, q: i64) -> Rational {
    Rational::new(p.into(), q.into())
}

/// Rationals p/q with |p| ≤ `size` and q ≤ `size`.
pub fn rationals(size: i64) -> impl Strategy<Value = Rational> {
    (-size..=size, 1..=size).prop_map(|(p, q)| ratio(p, q))
}

/// Bounds on eᵠ by the plain partial sum of the exponential series, without halving or rounding.
///
/// For N + 2 ≥ 2|q| the remainder after the term N is at most 2|q|^(N+1)/(N+1)!.
pub fn exp_by_series(q: &Rational, bits: u32) -> (Rational, Rational) {
    let target = Rational::new(1.into(), BigInt::one() << bits);
    let (mut term, mut sum, mut n) = (Rational::one(), Rational::zero(), BigInt::zero());
    loop {
        let far_enough = Rational::from(&n + 1) >= q.abs() + q.abs();
        if far_enough && term.abs() < target {
            let rest = term.abs() + term.abs();
            return (&sum - &rest, sum + rest);
        }
        sum += &term;
        n += 1;
        term = term * q / Rational::from(n.clone());
    }
}

/// The first `count` convergents pₙ/qₙ of the continued fraction
/// e^(1/k) = [1; k−1, 1, 1, 3k−1, 1, 1, 5k−1, …] for k ≥ 2 (Euler 1737; see C. D. Olds, *The simple
/// continued fraction expansion of e*, American Mathematical Monthly 77, 1970).
///
/// pₙ/qₙ is below e^(1/k) for even n, above for odd n, and |pₙ − qₙ·e^(1/k)| < 1/qₙ.
pub fn convergents(k: i64, count: usize) -> Vec<(BigInt, BigInt)> {
    let quotients = (0i64..).map(|n| if n % 3 == 1 { (2 * (n / 3) + 1) * k - 1 } else { 1 });
    let (mut p, mut q) = ((BigInt::one(), BigInt::zero()), (BigInt::zero(), BigInt::one()));
    let mut all = Vec::new();
    for a in quotients.take(count) {
        p = (a * &p.0 + &p.1, p.0);
        q = (a * &q.0 + &q.1, q.0);
        all.push((p.0.clone(), q.0.clone()));
    }
    all
}

/// Sums of up to three terms c·exp(q) with few different q.
pub fn sums() -> impl Strategy<Value = Number> {
    let exponent = prop::sample::select(vec![(0, 1), (1, 2), (-1, 2), (1, 3), (1, 1), (-3, 2)]);
    prop::collection::vec((rationals(12), exponent), 1..4).prop_map(|terms| {
        terms.iter().fold(Number::zero(), |sum, (c, (p, q))| {
            &sum + &(&Number::from(c.clone()) * &exp(&ratio(*p, *q)))
        })
    })
}

/// Quotients of such sums.
pub fn numbers() -> impl Strategy<Value = Number> {
    (sums(), sums()).prop_map(|(a, b)| a.checked_div(&b).unwrap_or(a))
}

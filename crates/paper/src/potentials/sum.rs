//! Sums of many fractions.

use num_traits::Zero;

use littlestone_exact::{Arithmetic, BigInt, Number, Rational};

/// The sum. Rational summands are added up in pairs, and reduced once at the end: the denominators
/// of beliefs have few common factors, so that reducing on the way costs most of the time.
pub(super) fn sum(numbers: Vec<Number>) -> Number {
    let mut fractions: Vec<(BigInt, BigInt)> = Vec::new();
    let mut rest = Number::zero();
    for number in numbers {
        match number {
            Number::Rational(q) => fractions.push(q.into()),
            other @ Number::Exponential(_) => rest = &rest + &other,
        }
    }
    while fractions.len() > 1 {
        fractions = fractions
            .chunks(2)
            .map(|pair| match pair {
                [(a, b), (c, d)] if b == d => (a + c, b.clone()),
                [(a, b), (c, d)] => (a * d + c * b, b * d),
                _ => pair[0].clone(),
            })
            .collect();
    }
    let rational = fractions.pop().map_or_else(Rational::zero, |(p, q)| Rational::new(p, q));
    &Number::from(rational) + &rest
}

/// A difference of weights that are not negative.
#[derive(Debug, Clone)]
pub(super) struct Signed<W> {
    pub plus: W,
    pub minus: W,
}

impl<W> Signed<W> {
    pub(super) fn zero<A: Arithmetic<Weight = W>>(arithmetic: &A) -> Self {
        Self { plus: arithmetic.zero(), minus: arithmetic.zero() }
    }

    pub(super) fn add<A: Arithmetic<Weight = W>>(&mut self, a: &A, negative: bool, weight: &W) {
        a.add(if negative { &mut self.minus } else { &mut self.plus }, weight);
    }

    pub(super) fn number<A: Arithmetic<Weight = W>>(&self, a: &A, denominator: &W) -> Number {
        &a.weight_number(&self.plus, denominator) - &a.weight_number(&self.minus, denominator)
    }
}

//! The verifier's numbers: sums Σ cᵢ·e^(qᵢ) with rational cᵢ and qᵢ, and quotients of them.
//!
//! Exponentials of different rational numbers are linearly independent over ℚ (Lindemann and
//! Weierstrass). So a sum is zero only if it has no term, and enclosures that come together decide
//! the sign of any other.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use littlestone_base::{BigInt, Rational};

use super::exponential::{Bounds, decay};
use super::verify::{Limit, Work};

/// Σ c·e^q: the coefficients c ≠ 0 by exponent q.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Sum(BTreeMap<Rational, Rational>);

/// A quotient of sums with a positive denominator.
#[derive(Debug, Clone)]
pub(super) struct Quotient {
    pub(super) numerator: Sum,
    pub(super) denominator: Sum,
}

/// Computes, and counts the work: one state for each product of two terms, and for each 64 bits to
/// which a sum is enclosed.
#[derive(Debug)]
pub(super) struct Calculator {
    pub(super) work: Work,
    decays: BTreeMap<(Rational, u64), Bounds>,
}

fn zero() -> Rational {
    Rational::from(BigInt::from(0))
}

impl Sum {
    pub(super) fn one() -> Self {
        Self::term(Rational::from(BigInt::from(1)), zero())
    }

    /// `coefficient`·e^`exponent`.
    pub(super) fn term(coefficient: Rational, exponent: Rational) -> Self {
        let mut sum = Self::default();
        sum.add_term(coefficient, exponent);
        sum
    }

    pub(super) fn add_term(&mut self, coefficient: Rational, exponent: Rational) {
        let zero = zero();
        match self.0.entry(exponent) {
            Entry::Vacant(place) if coefficient != zero => {
                place.insert(coefficient);
            }
            Entry::Vacant(_) => {}
            Entry::Occupied(mut place) => {
                *place.get_mut() += coefficient;
                if *place.get() == zero {
                    place.remove();
                }
            }
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (exponent, coefficient) in &other.0 {
            self.add_term(coefficient.clone(), exponent.clone());
        }
    }

    pub(super) fn negated(&self) -> Self {
        Self(self.0.iter().map(|(q, c)| (q.clone(), -c)).collect())
    }

    /// The sum divided by its lowest term, and that term: equal ratios have equal quotients.
    fn normalised(&self) -> Option<(Self, (Rational, Rational))> {
        let (exponent, coefficient) = self.0.first_key_value()?;
        let divided = self.0.iter().map(|(q, c)| (q - exponent, c / coefficient)).collect();
        Some((Self(divided), (coefficient.clone(), exponent.clone())))
    }

    fn divided_by_term(&self, (coefficient, exponent): &(Rational, Rational)) -> Self {
        Self(self.0.iter().map(|(q, c)| (q - exponent, c / coefficient)).collect())
    }
}

impl Calculator {
    pub(super) fn new(work: Work) -> Self {
        Self { work, decays: BTreeMap::new() }
    }

    pub(super) fn product(&mut self, left: &Sum, right: &Sum) -> Result<Sum, Limit> {
        let mut product = Sum::default();
        for (q, c) in &left.0 {
            for (r, d) in &right.0 {
                self.work.step()?;
                product.add_term(c * d, q + r);
            }
        }
        Ok(product)
    }

    pub(super) fn power(&mut self, base: &Sum, exponent: usize) -> Result<Sum, Limit> {
        let mut power = Sum::one();
        for _ in 0..exponent {
            power = self.product(&power, base)?;
        }
        Ok(power)
    }

    /// The order relative to 0.
    ///
    /// The sum is divided by its greatest power of e first, which is positive. The loop ends: a sum
    /// with a term is not zero, and the width of its enclosure tends to zero with the bits.
    pub(super) fn sign(&mut self, sum: &Sum) -> Result<Ordering, Limit> {
        let Some((top, _)) = sum.0.last_key_value() else { return Ok(Ordering::Equal) };
        if sum.0.values().all(|c| *c > zero()) {
            return Ok(Ordering::Greater);
        }
        if sum.0.values().all(|c| *c < zero()) {
            return Ok(Ordering::Less);
        }
        let mut bits = 64;
        loop {
            self.work.charge(bits / 64)?;
            let (mut low, mut high) = (zero(), zero());
            for (q, c) in &sum.0 {
                let bounds = self.decay(top - q, bits);
                let ends = [&bounds.low, &bounds.high].map(|end| c * Rational::from(end.clone()));
                let [one, other] = ends;
                if *c > zero() {
                    low += one;
                    high += other;
                } else {
                    low += other;
                    high += one;
                }
            }
            if low > zero() {
                return Ok(Ordering::Greater);
            }
            if high < zero() {
                return Ok(Ordering::Less);
            }
            bits *= 2;
        }
    }

    fn decay(&mut self, u: Rational, bits: u64) -> &Bounds {
        self.decays.entry((u, bits)).or_insert_with_key(|(u, bits)| decay(u, *bits))
    }

    /// `numerator`/`denominator`; nothing when the denominator is zero.
    pub(super) fn quotient(
        &mut self,
        numerator: &Sum,
        denominator: &Sum,
    ) -> Result<Option<Quotient>, Limit> {
        let Some((denominator, lowest)) = denominator.normalised() else { return Ok(None) };
        let numerator = numerator.divided_by_term(&lowest);
        Ok(Some(if self.sign(&denominator)?.is_lt() {
            Quotient { numerator: numerator.negated(), denominator: denominator.negated() }
        } else {
            Quotient { numerator, denominator }
        }))
    }

    /// `left` − `right`.
    pub(super) fn difference(
        &mut self,
        left: &Quotient,
        right: &Quotient,
    ) -> Result<Quotient, Limit> {
        if left.denominator == right.denominator {
            let mut numerator = left.numerator.clone();
            numerator.add(&right.numerator.negated());
            return Ok(Quotient { numerator, denominator: left.denominator.clone() });
        }
        let mut numerator = self.product(&left.numerator, &right.denominator)?;
        numerator.add(&self.product(&right.numerator, &left.denominator)?.negated());
        let denominator = self.product(&left.denominator, &right.denominator)?;
        Ok(Quotient { numerator, denominator })
    }

    /// `left` + `right`.
    pub(super) fn sum(&mut self, left: &Quotient, right: &Quotient) -> Result<Quotient, Limit> {
        let Quotient { numerator, denominator } = right;
        let negated = Quotient { numerator: numerator.negated(), denominator: denominator.clone() };
        self.difference(left, &negated)
    }

    /// The order of two numbers.
    pub(super) fn compare(&mut self, left: &Quotient, right: &Quotient) -> Result<Ordering, Limit> {
        let difference = self.difference(left, right)?;
        self.sign(&difference.numerator)
    }

    /// `left`·`right`.
    pub(super) fn times(&mut self, left: &Quotient, right: &Quotient) -> Result<Quotient, Limit> {
        Ok(Quotient {
            numerator: self.product(&left.numerator, &right.numerator)?,
            denominator: self.product(&left.denominator, &right.denominator)?,
        })
    }

    /// All numbers over one denominator: the product of their different denominators.
    pub(super) fn common(&mut self, numbers: &[Quotient]) -> Result<(Vec<Sum>, Sum), Limit> {
        let mut different: Vec<&Sum> = Vec::new();
        for number in numbers {
            if number.denominator != Sum::one() && !different.contains(&&number.denominator) {
                different.push(&number.denominator);
            }
        }
        let mut numerators = Vec::with_capacity(numbers.len());
        for number in numbers {
            let mut numerator = number.numerator.clone();
            for denominator in different.iter().filter(|d| ***d != number.denominator) {
                numerator = self.product(&numerator, denominator)?;
            }
            numerators.push(numerator);
        }
        let mut denominator = Sum::one();
        for factor in different {
            denominator = self.product(&denominator, factor)?;
        }
        Ok((numerators, denominator))
    }
}

impl From<Sum> for Quotient {
    fn from(numerator: Sum) -> Self {
        Self { numerator, denominator: Sum::one() }
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        for (place, (exponent, coefficient)) in self.0.iter().enumerate() {
            let negative = *coefficient < zero();
            f.write_str(match (place, negative) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            let size = if negative { -coefficient } else { coefficient.clone() };
            if *exponent == zero() {
                write!(f, "{size}")?;
            } else if *size.numer() == *size.denom() {
                write!(f, "exp({exponent})")?;
            } else {
                write!(f, "{size}*exp({exponent})")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Quotient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == Sum::one() {
            return fmt::Display::fmt(&self.numerator, f);
        }
        write!(f, "({})/({})", self.numerator, self.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::super::verify::Limits;
    use super::*;

    fn rational(p: i64, q: i64) -> Rational {
        Rational::new(p.into(), q.into())
    }

    fn sum(terms: &[(i64, i64, i64, i64)]) -> Sum {
        let mut sum = Sum::default();
        for &(p, q, r, s) in terms {
            sum.add_term(rational(p, q), rational(r, s));
        }
        sum
    }

    fn sign(sum: &Sum) -> Ordering {
        Calculator::new(Work::new(Limits::default())).sign(sum).unwrap()
    }

    #[test]
    fn signs_are_decided_near_zero() {
        // Convergents of e on either side: 2721/1001 < e < 1457/536 (continued fraction of e).
        assert_eq!(sign(&sum(&[(1, 1, 1, 1), (-2721, 1001, 0, 1)])), Ordering::Greater);
        assert_eq!(sign(&sum(&[(1, 1, 1, 1), (-1457, 536, 0, 1)])), Ordering::Less);
        assert_eq!(sign(&sum(&[(1, 2, 1, 2), (-1, 2, 1, 2)])), Ordering::Equal);
        // cosh(1/2^40) − 1 > 0 needs 80 bits, the first enclosure has 64.
        let u = 1 << 40;
        let cosh = sum(&[(1, 2, 1, u), (1, 2, -1, u), (-1, 1, 0, 1)]);
        assert_eq!(sign(&cosh), Ordering::Greater);
    }

    #[test]
    fn a_limit_bounds_the_bits() {
        let u = 1 << 40;
        let cosh = sum(&[(1, 2, 1, u), (1, 2, -1, u), (-1, 1, 0, 1)]);
        let decide = |limit| {
            Calculator::new(Work::new(Limits { states: Some(limit), ..Limits::default() }))
                .sign(&cosh)
        };
        assert_eq!(decide(2), Err(Limit::States(2)));
        assert_eq!(decide(3), Ok(Ordering::Greater));
    }

    #[test]
    fn quotients_are_compared_and_shown() {
        let mut calculator = Calculator::new(Work::new(Limits::default()));
        // 1/(1 + e) = (1 − e)/(1 − e²), and the second denominator is negative.
        let a = calculator.quotient(&Sum::one(), &sum(&[(1, 1, 0, 1), (1, 1, 1, 1)]));
        let a = a.unwrap().unwrap();
        let b = calculator
            .quotient(&sum(&[(1, 1, 0, 1), (-1, 1, 1, 1)]), &sum(&[(1, 1, 0, 1), (-1, 1, 2, 1)]));
        let b = b.unwrap().unwrap();
        assert_eq!(calculator.compare(&a, &b), Ok(Ordering::Equal));
        assert_eq!(a.to_string(), "(1)/(1 + exp(1))");
        assert_eq!(b.to_string(), "(-1 + exp(1))/(-1 + exp(2))");
        assert_eq!(sum(&[(1, 2, 0, 1), (-1, 8, 1, 2)]).to_string(), "1/2 - 1/8*exp(1/2)");
    }
}

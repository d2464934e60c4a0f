//! The working arithmetic of a privacy verdict, behind one interface, and the choice of the
//! cheapest that is exact.

use std::cmp::Ordering;
use std::fmt::Debug;
use std::hash::Hash;

use num_traits::Zero;

use super::epsilon::Epsilon;
use super::log_rational::LogRational;
use super::number::Number;
use super::polynomial::Polynomial;
use super::rational::{self, BigUint, Rational};
use super::transcendental::TranscendentalRational;
use super::weight::Natural;

/// The scale-free arithmetic of one verdict, for one ε.
///
/// A belief is a vector of weights: numerators over a denominator that the caller keeps, for
/// example one per round. A divergence is a sum of positive parts P − e^ε·Q of weights over one
/// denominator. Nothing is reduced on the way; [`Arithmetic::number`] leaves the working arithmetic
/// at the end. All methods are exact.
pub trait Arithmetic: Clone + Send + Sync {
    /// A non-negative number without its denominator. Equality and hash are those of the numbers;
    /// the order is total and fixed, for sorting, and need not be that of the numbers.
    type Weight: Clone + Eq + Hash + Ord + Debug + Send + Sync;
    /// The numerator of P − e^ε·Q, of any sign. Equality and hash are those of the numbers; the
    /// order is total and fixed, for sorting.
    type Gap: Clone + Eq + Hash + Ord + Debug + Send + Sync;
    /// The numerator of a divergence. Equality and hash are those of the numbers.
    type Value: Clone + Eq + Hash + Debug + Send + Sync;

    /// The weight 0.
    fn zero(&self) -> Self::Weight;
    /// The weight 1.
    fn one(&self) -> Self::Weight;
    /// Whether a weight is 0.
    fn is_zero(&self, weight: &Self::Weight) -> bool;
    /// Adds `other` to `weight`.
    fn add(&self, weight: &mut Self::Weight, other: &Self::Weight);
    /// The product.
    fn mul(&self, a: &Self::Weight, b: &Self::Weight) -> Self::Weight;
    /// The order of the numbers.
    fn weight_cmp(&self, a: &Self::Weight, b: &Self::Weight) -> Ordering;
    /// A positive common divisor of the weights: the greatest one for integers; for polynomials
    /// that of the integer contents times the common power of t. It is 1 if all weights are 0.
    fn content<'a>(&self, weights: impl IntoIterator<Item = &'a Self::Weight>) -> Self::Weight
    where
        Self::Weight: 'a;
    /// The quotient by a divisor, such as a [`Arithmetic::content`].
    ///
    /// # Panics
    ///
    /// If `divisor` does not divide `weight`.
    fn divide(&self, weight: &Self::Weight, divisor: &Self::Weight) -> Self::Weight;

    /// P − e^ε·Q.
    fn gap(&self, p: &Self::Weight, q: &Self::Weight) -> Self::Gap;
    /// The gap 0.
    fn gap_zero(&self) -> Self::Gap;
    /// Adds `other` to `gap`.
    fn gap_add(&self, gap: &mut Self::Gap, other: &Self::Gap);
    /// The product.
    fn gap_scale(&self, gap: &Self::Gap, factor: &Self::Weight) -> Self::Gap;
    /// Whether the gap is below, equal to or above 0.
    fn gap_sign(&self, gap: &Self::Gap) -> Ordering;
    /// The gap as a divergence, if it is positive.
    fn gap_positive(&self, gap: &Self::Gap) -> Option<Self::Value>;
    /// As [`Arithmetic::content`].
    fn gap_content<'a>(&self, gaps: impl IntoIterator<Item = &'a Self::Gap>) -> Self::Weight
    where
        Self::Gap: 'a;
    /// As [`Arithmetic::divide`].
    ///
    /// # Panics
    ///
    /// If `divisor` does not divide `gap`.
    fn gap_divide(&self, gap: &Self::Gap, divisor: &Self::Weight) -> Self::Gap;

    /// P − e^ε·Q if it is positive.
    fn excess(&self, p: &Self::Weight, q: &Self::Weight) -> Option<Self::Value>;
    /// The value 0.
    fn value_zero(&self) -> Self::Value;
    /// Adds `other` to `value`.
    fn value_add(&self, value: &mut Self::Value, other: &Self::Value);
    /// The product with a weight: the same divergence over a denominator larger by that factor.
    fn value_scale(&self, value: &Self::Value, factor: &Self::Weight) -> Self::Value;
    /// The order of the numbers, over one denominator.
    fn value_cmp(&self, a: &Self::Value, b: &Self::Value) -> Ordering;

    /// The number `value`/`denominator`.
    ///
    /// # Panics
    ///
    /// If `denominator` is 0, here and below.
    fn number(&self, value: &Self::Value, denominator: &Self::Weight) -> Number;
    /// The number `weight`/`denominator`.
    fn weight_number(&self, weight: &Self::Weight, denominator: &Self::Weight) -> Number;
    /// Numerators of the numbers over a common denominator, which comes second.
    ///
    /// `None` if a number is negative or not one of this arithmetic. The numbers that went into
    /// [`choose`] are, unless negative.
    fn common(&self, numbers: &[Number]) -> Option<(Vec<Self::Weight>, Self::Weight)>;
}

/// The cheapest arithmetic that holds given probabilities and decides for a given ε.
#[derive(Debug, Clone)]
pub enum Choice {
    /// Rational weights, e^ε rational.
    LogRational(LogRational),
    /// Rational weights, ε rational and positive.
    TranscendentalRational(TranscendentalRational),
    /// Weights in some ℚ(eᵘ).
    Polynomial(Polynomial),
}

/// Chooses the arithmetic for a verdict about mechanisms with these probabilities, and for a δ if it
/// is among them.
pub fn choose<'a>(
    probabilities: impl IntoIterator<Item = &'a Number>,
    epsilon: &Epsilon,
) -> Choice {
    let mut unit = Rational::zero();
    for number in probabilities {
        if let Number::Exponential(x) = number {
            unit = rational::gcd(&unit, x.unit());
        }
    }
    match (epsilon, epsilon.factor()) {
        (Epsilon::Rational(q), Number::Exponential(_)) if unit.is_zero() => {
            Choice::TranscendentalRational(TranscendentalRational::new(q.clone()))
        }
        (_, Number::Rational(factor)) if unit.is_zero() => {
            Choice::LogRational(LogRational::new(&factor).expect("ε is not negative"))
        }
        _ => {
            if let Some((own, _)) = epsilon.exponents() {
                unit = rational::gcd(&unit, &own);
            }
            Choice::Polynomial(Polynomial::new(unit, epsilon).expect("a common unit"))
        }
    }
}

/// Numerators over the least common denominator, if all numbers are rational and not negative.
pub(super) fn common_naturals(numbers: &[Number]) -> Option<(Vec<Natural>, Natural)> {
    let natural = |n: &rational::BigInt| BigUint::try_from(n.clone()).ok().map(Natural::from);
    let mut fractions = Vec::with_capacity(numbers.len());
    let mut denominator = Natural::ONE;
    for number in numbers {
        let q = number.as_rational()?;
        let (numerator, own) = (natural(q.numer())?, natural(q.denom())?);
        denominator = denominator.lcm(&own);
        fractions.push((numerator, own));
    }
    let lift = |(n, d): &(Natural, Natural)| n * &denominator.exact_div(d);
    Some((fractions.iter().map(lift).collect(), denominator))
}

/// The greatest common divisor; 1 if all are 0.
pub(super) fn common_divisor<'a>(weights: impl IntoIterator<Item = &'a Natural>) -> Natural {
    let mut divisor = Natural::ZERO;
    for weight in weights {
        divisor = divisor.gcd(weight);
        if divisor.is_one() {
            break;
        }
    }
    if divisor.is_zero() { Natural::ONE } else { divisor }
}

/// The rational number `numerator`/`denominator`.
pub(super) fn quotient(numerator: &Natural, denominator: &Natural) -> Rational {
    Rational::new(numerator.to_bigint(), denominator.to_bigint())
}

/// A natural number as a weight.
///
/// # Panics
///
/// If `value` is negative.
pub fn natural<A: Arithmetic>(arithmetic: &A, value: &rational::BigInt) -> A::Weight {
    let number = Number::from(Rational::from_integer(value.clone()));
    let (mut weights, _) = arithmetic.common(&[number]).expect("a natural number is a weight");
    weights.pop().expect("one weight for one number")
}

/// Runs `$body` with the cheapest arithmetic that holds the numbers and ε, which is 0 where none is given.
#[macro_export]
macro_rules! with_arithmetic {
    ($numbers:expr, $arithmetic:ident => $body:expr) => {
        $crate::with_arithmetic!($numbers, &$crate::Epsilon::zero(), $arithmetic => $body)
    };
    ($numbers:expr, $epsilon:expr, $arithmetic:ident => $body:expr) => {
        match $crate::choose($numbers, $epsilon) {
            $crate::Choice::LogRational($arithmetic) => $body,
            $crate::Choice::TranscendentalRational($arithmetic) => $body,
            $crate::Choice::Polynomial($arithmetic) => $body,
        }
    };
}

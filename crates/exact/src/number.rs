//! The type of every probability, δ and result at the boundary.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

use num_traits::{One, Signed, Zero};

use super::exponential::Exponential;
use super::rational::{self, BigInt, Rational, decimal};

/// A rational number, or a rational function of powers of e.
///
/// The representation is canonical: equality and hash are those of the numbers, and the order is
/// that of the reals. [`fmt::Display`] shows `3/4`, `1/2 - 1/8*exp(1/2)` or a quotient of such sums.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Number {
    /// A rational number, in lowest terms.
    Rational(Rational),
    /// A number in some ℚ(eᵘ) that is not rational.
    Exponential(Box<Exponential>),
}

/// The error of dividing by zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("division by zero")]
pub struct DivisionByZero;

/// The number eᵠ, which is 1 for q = 0.
///
/// Inputs should pass [`exponents_fit`] first.
pub fn exp(q: &Rational) -> Number {
    Exponential::exp(q).map_or_else(Number::one, Number::from)
}

/// Whether numbers with these exponents of e can be computed with together.
///
/// They are powers of one eᵘ, where u is the greatest common divisor of the exponents, and sums of
/// them are polynomials in it. The exponents fit if they and their multiples of u are at most 2^16
/// in magnitude; `1/3` and `1/5` do, `1/3` and `0.123456789` do not. Whoever reads exponents from
/// an input asks here first, since polynomials that are too long make the arithmetic panic.
pub fn exponents_fit(exponents: &[Rational]) -> bool {
    let unit = exponents.iter().fold(Rational::zero(), |g, q| rational::gcd(&g, q));
    let limit = Rational::from(BigInt::from(1u32 << 16));
    exponents.iter().all(|q| q.abs() <= limit && q.abs() <= &limit * &unit)
}

impl Number {
    /// The number 0.
    pub fn zero() -> Self {
        Self::Rational(Rational::zero())
    }

    /// The number 1.
    pub fn one() -> Self {
        Self::Rational(Rational::one())
    }

    /// Whether this is 0.
    pub fn is_zero(&self) -> bool {
        matches!(self, Self::Rational(q) if q.is_zero())
    }

    /// Whether this is 1.
    pub fn is_one(&self) -> bool {
        matches!(self, Self::Rational(q) if q.is_one())
    }

    /// The order relative to 0.
    pub fn sign(&self) -> Ordering {
        match self {
            Self::Rational(q) => q.cmp(&Rational::zero()),
            Self::Exponential(x) => x.sign(),
        }
    }

    /// −1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match self.sign() {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        }
    }

    /// The value, if it is rational.
    pub fn as_rational(&self) -> Option<&Rational> {
        match self {
            Self::Rational(q) => Some(q),
            Self::Exponential(_) => None,
        }
    }

    /// The number as an element of some ℚ(eᵘ).
    pub fn to_exponential(&self) -> Exponential {
        match self {
            Self::Rational(q) => Exponential::constant(q),
            Self::Exponential(x) => x.as_ref().clone(),
        }
    }

    /// The quotient.
    ///
    /// # Errors
    ///
    /// If `divisor` is zero.
    pub fn checked_div(&self, divisor: &Self) -> Result<Self, DivisionByZero> {
        if let (Self::Rational(a), Self::Rational(b)) = (self, divisor) {
            if b.is_zero() {
                return Err(DivisionByZero);
            }
            return Ok(Self::Rational(littlestone_base::multiply(a, &b.recip())));
        }
        let inverse = divisor.to_exponential().reciprocal().ok_or(DivisionByZero)?;
        Ok(self.to_exponential().times(&inverse).into())
    }

    /// The power with an integer exponent; 0⁰ = 1.
    ///
    /// # Errors
    ///
    /// For a negative exponent of zero.
    pub fn pow(&self, exponent: i32) -> Result<Self, DivisionByZero> {
        let base = if exponent < 0 { Self::one().checked_div(self)? } else { self.clone() };
        let mut rest = exponent.unsigned_abs();
        if let Self::Rational(q) = &base {
            let (numerator, denominator) = (q.numer().pow(rest), q.denom().pow(rest));
            return Ok(Rational::new_raw(numerator, denominator).into());
        }
        let (mut square, mut power) = (base, Self::one());
        while rest > 0 {
            if rest & 1 == 1 {
                power = &power * &square;
            }
            rest >>= 1;
            if rest > 0 {
                square = &square * &square;
            }
        }
        Ok(power)
    }

    /// Rational bounds, `low` ≤ value ≤ `high`: both the value itself if it is rational, otherwise
    /// the neighbouring multiples of 2^−`bits`.
    pub fn enclosure(&self, bits: u64) -> (Rational, Rational) {
        match self {
            Self::Rational(q) => (q.clone(), q.clone()),
            Self::Exponential(x) => {
                let enclosure = x.enclosure(bits);
                (enclosure.low(), enclosure.high())
            }
        }
    }

    /// A decimal for the human eye, as [`decimal`] shows it: truncated, followed by `…` unless the
    /// decimal is the value itself.
    ///
    /// For a number that is not rational the enclosure is refined until both ends truncate to the
    /// same decimal; they do in the end, since the value is no decimal itself.
    pub fn decimal(&self, digits: u32) -> String {
        let mut bits = 64 + 4 * u64::from(digits);
        loop {
            let (low, high) = self.enclosure(bits);
            if low == high {
                return decimal(&low, digits);
            }
            let (below, above) = (decimal(&low, digits), decimal(&high, digits));
            let stem = below.replace('…', "");
            // An end that is a decimal itself shows no `…` and has lost its trailing zeros.
            if below.contains('…') && above.contains('…') && stem == above.replace('…', "") {
                return below;
            }
            bits *= 2;
        }
    }
}

/// The exact text of a number.
pub fn show(value: &Number) -> String {
    value.to_string()
}

impl From<Rational> for Number {
    fn from(value: Rational) -> Self {
        Self::Rational(value)
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::Rational(Rational::from(BigInt::from(value)))
    }
}

impl From<Exponential> for Number {
    fn from(value: Exponential) -> Self {
        match value.as_rational() {
            Some(q) => Self::Rational(q),
            None => Self::Exponential(Box::new(value)),
        }
    }
}

impl Add for &Number {
    type Output = Number;

    fn add(self, other: Self) -> Number {
        if let (Number::Rational(a), Number::Rational(b)) = (self, other) {
            return Number::Rational(littlestone_base::add(a, b));
        }
        self.to_exponential().plus(&other.to_exponential()).into()
    }
}

impl Mul for &Number {
    type Output = Number;

    fn mul(self, other: Self) -> Number {
        if let (Number::Rational(a), Number::Rational(b)) = (self, other) {
            return Number::Rational(littlestone_base::multiply(a, b));
        }
        self.to_exponential().times(&other.to_exponential()).into()
    }
}

impl Neg for &Number {
    type Output = Number;

    fn neg(self) -> Number {
        match self {
            Number::Rational(q) => Number::Rational(-q),
            Number::Exponential(x) => Number::Exponential(Box::new(x.negated())),
        }
    }
}

impl Sub for &Number {
    type Output = Number;

    fn sub(self, other: Self) -> Number {
        self + &-other
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Rational(a), Self::Rational(b)) => rational::compare(a, b),
            _ => self.to_exponential().compare(&other.to_exponential()),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rational(q) => fmt::Display::fmt(q, f),
            Self::Exponential(x) => fmt::Display::fmt(x, f),
        }
    }
}

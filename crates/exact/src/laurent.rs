//! Integer Laurent polynomials in t: arithmetic on the syntax, for any t. What they are worth at
//! t = eᵘ is decided in [`sign`](super::sign).

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::rational::BigInt;

/// The longest polynomial that is built, in coefficients.
const MAX_LENGTH: usize = 1 << 22;

/// A polynomial in t and 1/t with integer coefficients: Σ cᵢ·t^(offset + i).
///
/// The first and last coefficients are not zero (and the zero polynomial has offset 0), so equality
/// is that of polynomials. The order is a total order on the syntax for sorting and merging; the
/// order of values is [`Laurent::sign`] of the difference.
///
/// # Panics
///
/// Operations panic rather than build a polynomial of more than 2^22 coefficients. Inputs are kept
/// far below that by [`exponents_fit`](super::number::exponents_fit).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Laurent {
    offset: i64,
    coefficients: Vec<BigInt>,
}

/// A length or index as an exponent.
fn exponent(length: usize) -> i64 {
    i64::try_from(length).expect("a length fits an exponent")
}

impl Laurent {
    /// The polynomial Σ cᵢ·t^(offset + i).
    pub fn new(offset: i64, mut coefficients: Vec<BigInt>) -> Self {
        while coefficients.last().is_some_and(Zero::is_zero) {
            coefficients.pop();
        }
        let leading = coefficients.iter().take_while(|c| c.is_zero()).count();
        coefficients.drain(..leading);
        let offset = if coefficients.is_empty() { 0 } else { add(offset, exponent(leading)) };
        Self { offset, coefficients }
    }

    /// The zero polynomial.
    pub fn zero() -> Self {
        Self::default()
    }

    /// The polynomial 1.
    pub fn one() -> Self {
        Self::constant(BigInt::one())
    }

    /// A constant polynomial.
    pub fn constant(value: BigInt) -> Self {
        Self::monomial(value, 0)
    }

    /// The polynomial `coefficient`·t^`exponent`.
    pub fn monomial(coefficient: BigInt, exponent: i64) -> Self {
        Self::new(exponent, vec![coefficient])
    }

    /// Whether this is the zero polynomial.
    pub fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// The value, if it is the same for all t.
    pub fn as_constant(&self) -> Option<BigInt> {
        match self.coefficients.as_slice() {
            [] => Some(BigInt::zero()),
            [c] if self.offset == 0 => Some(c.clone()),
            _ => None,
        }
    }

    /// The lowest exponent; 0 for the zero polynomial.
    pub fn offset(&self) -> i64 {
        self.offset
    }

    /// The coefficients from t^offset on.
    pub fn coefficients(&self) -> &[BigInt] {
        &self.coefficients
    }

    /// The highest exponent minus the lowest; 0 for the zero polynomial.
    pub fn span(&self) -> usize {
        self.coefficients.len().saturating_sub(1)
    }

    /// The highest exponent; 0 for the zero polynomial.
    pub fn top(&self) -> i64 {
        add(self.offset, exponent(self.span()))
    }

    /// The coefficient of the highest power.
    pub fn leading(&self) -> Option<&BigInt> {
        self.coefficients.last()
    }

    /// The terms that are not zero, from the lowest exponent up.
    pub fn terms(&self) -> impl Iterator<Item = (i64, &BigInt)> {
        let numbered = self.coefficients.iter().enumerate();
        numbered.filter(|(_, c)| !c.is_zero()).map(|(i, c)| (add(self.offset, exponent(i)), c))
    }

    /// The product with t^`by`.
    #[must_use]
    pub fn shift(&self, by: i64) -> Self {
        if self.is_zero() {
            return Self::zero();
        }
        Self { offset: add(self.offset, by), coefficients: self.coefficients.clone() }
    }

    /// The product with an integer.
    #[must_use]
    pub fn scale(&self, factor: &BigInt) -> Self {
        if factor.is_zero() {
            return Self::zero();
        }
        let coefficients = self.coefficients.iter().map(|c| c * factor).collect();
        Self { offset: self.offset, coefficients }
    }

    /// The greatest common divisor of the coefficients; 0 for the zero polynomial.
    pub fn content(&self) -> BigInt {
        let mut content = BigInt::zero();
        for c in &self.coefficients {
            content = content.gcd(c);
            if content.is_one() {
                break;
            }
        }
        content
    }

    /// The quotient by an integer that divides every coefficient.
    ///
    /// # Panics
    ///
    /// If it does not: the result would be a wrong number.
    #[must_use]
    pub fn divide_integer(&self, divisor: &BigInt) -> Self {
        if divisor.is_one() {
            return self.clone();
        }
        let exact = |c: &BigInt| {
            let (quotient, rest) = c.div_rem(divisor);
            assert!(rest.is_zero(), "{c} is not a multiple of {divisor}");
            quotient
        };
        Self { offset: self.offset, coefficients: self.coefficients.iter().map(exact).collect() }
    }

    /// The polynomial divided by its content; the sign stays.
    #[must_use]
    pub fn primitive(&self) -> Self {
        if self.is_zero() { Self::zero() } else { self.divide_integer(&self.content()) }
    }

    /// The polynomial with t replaced by t^`by`, for `by` ≥ 1.
    #[must_use]
    pub fn stretch(&self, by: usize) -> Self {
        if by == 1 || self.is_zero() {
            return self.clone();
        }
        let length = self.span().checked_mul(by).and_then(|s| s.checked_add(1));
        let mut coefficients = vec![BigInt::zero(); checked_length(length)];
        for (slot, c) in coefficients.iter_mut().step_by(by).zip(&self.coefficients) {
            slot.clone_from(c);
        }
        let offset = self.offset.checked_mul(exponent(by)).expect("an exponent fits 64 bits");
        Self { offset, coefficients }
    }

    /// The inverse of [`Laurent::stretch`], if every exponent is a multiple of `by` ≥ 1.
    pub fn compress(&self, by: usize) -> Option<Self> {
        let divisor = exponent(by);
        let fits = self.terms().all(|(e, _)| e % divisor == 0);
        let coefficients = || self.coefficients.iter().step_by(by).cloned().collect();
        fits.then(|| Self { offset: self.offset / divisor, coefficients: coefficients() })
    }

    /// The quotient by a polynomial, if it is a Laurent polynomial with integer coefficients.
    pub fn checked_div(&self, divisor: &Self) -> Option<Self> {
        let lead = divisor.leading()?;
        if self.is_zero() {
            return Some(Self::zero());
        }
        let length = self.coefficients.len().checked_sub(divisor.span())?;
        let mut rest = self.coefficients.clone();
        let mut quotient = vec![BigInt::zero(); length];
        for i in (0..length).rev() {
            let (factor, remainder) = rest[i + divisor.span()].div_rem(lead);
            if !remainder.is_zero() {
                return None;
            }
            if !factor.is_zero() {
                for (slot, c) in rest[i..].iter_mut().zip(&divisor.coefficients) {
                    *slot -= &factor * c;
                }
            }
            quotient[i] = factor;
        }
        let offset = self.offset.checked_sub(divisor.offset).expect("an exponent fits 64 bits");
        rest.iter().all(Zero::is_zero).then(|| Self::new(offset, quotient))
    }

    /// The greatest common divisor over ℚ of two polynomials that are not both zero: primitive,
    /// with offset 0 and a positive leading coefficient. (Powers of t are units here.)
    ///
    /// Euclid's algorithm with pseudo-remainders: multiplying the dividend by constants and taking
    /// primitive parts changes no divisor over ℚ, and keeps the coefficients integers and small.
    #[must_use]
    pub fn gcd(&self, other: &Self) -> Self {
        let plain = |p: &Self| Self { offset: 0, coefficients: p.primitive().coefficients };
        let (mut a, mut b) = (plain(self), plain(other));
        if a.span() < b.span() {
            std::mem::swap(&mut a, &mut b);
        }
        while !b.is_zero() {
            if b.span() == 0 && !a.is_zero() {
                return Self::one();
            }
            // Both have a non-zero constant term, so no divisor is a power of t.
            let rest = plain(&a.pseudo_remainder(&b));
            a = std::mem::replace(&mut b, rest);
        }
        if a.leading().is_some_and(Signed::is_negative) { -&a } else { a }
    }

    /// A non-zero constant times `self`, minus a multiple of `divisor`, of lower degree than
    /// `divisor`; both have offset 0 and `divisor` is not zero.
    fn pseudo_remainder(&self, divisor: &Self) -> Self {
        let Some(lead) = divisor.leading() else { return self.clone() };
        let mut rest = self.coefficients.clone();
        while rest.len() >= divisor.coefficients.len() {
            let Some(top) = rest.pop() else { break };
            if top.is_zero() {
                continue;
            }
            let common = top.gcd(lead);
            let (up, down) = (lead / &common, top / common);
            for c in &mut rest {
                *c *= &up;
            }
            let shift = rest.len() - divisor.span();
            for (slot, c) in rest[shift..].iter_mut().zip(&divisor.coefficients) {
                *slot -= &down * c;
            }
        }
        Self::new(0, rest)
    }

    fn combine(&self, other: &Self, negate: bool) -> Self {
        let signed = |c: &BigInt| if negate { -c } else { c.clone() };
        if other.is_zero() {
            return self.clone();
        }
        if self.is_zero() {
            let coefficients = other.coefficients.iter().map(signed).collect();
            return Self { offset: other.offset, coefficients };
        }
        let offset = self.offset.min(other.offset);
        let place = |p: &Self| usize::try_from(p.offset.abs_diff(offset)).ok();
        let end = |p: &Self| place(p).and_then(|start| start.checked_add(p.coefficients.len()));
        let length = end(self).zip(end(other)).map(|(a, b)| a.max(b));
        let mut sum = vec![BigInt::zero(); checked_length(length)];
        let start = |p: &Self| place(p).unwrap_or(0);
        sum[start(self)..][..self.coefficients.len()].clone_from_slice(&self.coefficients);
        for (slot, c) in sum[start(other)..].iter_mut().zip(&other.coefficients) {
            if negate {
                *slot -= c;
            } else {
                *slot += c;
            }
        }
        Self::new(offset, sum)
    }
}

/// The sum of exponents.
fn add(a: i64, b: i64) -> i64 {
    a.checked_add(b).expect("an exponent fits 64 bits")
}

/// A length that may be allocated.
fn checked_length(length: Option<usize>) -> usize {
    let length = length.filter(|&n| n <= MAX_LENGTH);
    length.expect("exponents of e whose ratios are simple: at most 2^22 coefficients")
}

impl Add for &Laurent {
    type Output = Laurent;

    fn add(self, other: Self) -> Laurent {
        self.combine(other, false)
    }
}

impl AddAssign<&Laurent> for Laurent {
    fn add_assign(&mut self, other: &Laurent) {
        let start = other.offset.checked_sub(self.offset).and_then(|s| usize::try_from(s).ok());
        let slots = start.and_then(|start| self.coefficients.get_mut(start..));
        match slots.filter(|slots| slots.len() >= other.coefficients.len()) {
            // Nothing needs to grow; terms may cancel.
            Some(slots) => {
                for (slot, c) in slots.iter_mut().zip(&other.coefficients) {
                    *slot += c;
                }
                *self = Self::new(self.offset, std::mem::take(&mut self.coefficients));
            }
            None => *self = &*self + other,
        }
    }
}

impl Sub for &Laurent {
    type Output = Laurent;

    fn sub(self, other: Self) -> Laurent {
        self.combine(other, true)
    }
}

impl Neg for &Laurent {
    type Output = Laurent;

    fn neg(self) -> Laurent {
        let coefficients = self.coefficients.iter().map(|c| -c).collect();
        Laurent { offset: self.offset, coefficients }
    }
}

impl Mul for &Laurent {
    type Output = Laurent;

    fn mul(self, other: Self) -> Laurent {
        if self.is_zero() || other.is_zero() {
            return Laurent::zero();
        }
        if let [c] = self.coefficients.as_slice() {
            let shifted = other.shift(self.offset);
            return if c.is_one() { shifted } else { shifted.scale(c) };
        }
        let length = self.span().checked_add(other.span()).and_then(|s| s.checked_add(1));
        let mut coefficients = vec![BigInt::zero(); checked_length(length)];
        for (i, a) in self.coefficients.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
            for (slot, b) in coefficients[i..].iter_mut().zip(&other.coefficients) {
                *slot += a * b;
            }
        }
        // ℤ has no zero divisors: the ends are products of non-zero ends.
        Laurent { offset: add(self.offset, other.offset), coefficients }
    }
}

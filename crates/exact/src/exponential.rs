//! The field ℚ(t), t = eᵘ for a rational u > 0: quotients of integer Laurent polynomials.

use std::cmp::Ordering;
use std::fmt;

use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::decay::Decay;
use super::enclosure::enclose_exp;
use super::interval::Enclosure;
use super::laurent::Laurent;
use super::rational::{self, BigInt, Rational};

/// An element of ℚ(e^u) in normal form.
///
/// The normal form is unique, so equality of numbers is equality of fields:
/// * numerator and denominator have no common divisor, neither a polynomial nor an integer;
/// * the denominator has offset 0 and a positive leading coefficient (the units ±tᵐ);
/// * `unit` generates the group of the exponents that occur, as multiples of it; it is 1 if there
///   are none but 0.
///
/// As t = eᵘ is transcendental, ℚ(t) is the field of rational functions, whose reduced fractions
/// are unique up to those units. Two normal forms with units u and v can be written in one variable
/// e^gcd(u, v) by t ↦ t^j, which keeps fractions reduced; so equal numbers have equal exponents,
/// and equal units.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Exponential {
    unit: Rational,
    numerator: Laurent,
    denominator: Laurent,
}

/// The integer j with `unit` = j·`finer`.
fn ratio(unit: &Rational, finer: &Rational) -> usize {
    let ratio = unit / finer;
    assert!(ratio.is_integer() && ratio.is_positive(), "a unit is a multiple of a finer one");
    ratio.to_integer().to_usize().expect("units whose ratio fits the memory")
}

impl Exponential {
    /// The quotient of two polynomials in e^`unit`; `None` if the denominator is zero.
    ///
    /// # Panics
    ///
    /// Unless `unit` is positive.
    pub fn new(unit: Rational, numerator: Laurent, denominator: Laurent) -> Option<Self> {
        assert!(unit.is_positive(), "the unit of exponents is positive");
        if denominator.is_zero() {
            return None;
        }
        let mut value = Self { unit, numerator, denominator };
        value.reduce();
        value.coarsen_unit();
        Some(value)
    }

    fn reduce(&mut self) {
        let shift = self.denominator.offset();
        let (mut n, mut d) = (self.numerator.shift(-shift), self.denominator.shift(-shift));
        if n.is_zero() {
            d = Laurent::one();
        }
        if n.span() > 0 && d.span() > 0 {
            let common = n.gcd(&d);
            if common.span() > 0 {
                // A primitive divisor over ℚ divides over ℤ (Gauss).
                let divide = |p: &Laurent| p.checked_div(&common).expect("a divisor divides");
                (n, d) = (divide(&n), divide(&d));
            }
        }
        let mut common = n.content().gcd(&d.content());
        if d.leading().is_some_and(Signed::is_negative) {
            common = -common;
        }
        (self.numerator, self.denominator) = (n.divide_integer(&common), d.divide_integer(&common));
    }

    fn coarsen_unit(&mut self) {
        let terms = self.numerator.terms().chain(self.denominator.terms());
        let step = terms.fold(0u64, |g, (e, _)| g.gcd(&e.unsigned_abs()));
        if step == 0 {
            self.unit = Rational::one();
        } else if step > 1 {
            let by = usize::try_from(step).expect("an exponent fits the memory");
            let compress = |p: &Laurent| p.compress(by).expect("a common divisor of exponents");
            (self.numerator, self.denominator) =
                (compress(&self.numerator), compress(&self.denominator));
            self.unit *= Rational::from(BigInt::from(step));
        }
    }

    /// The number eᵠ for q ≠ 0; `None` for q = 0.
    pub fn exp(q: &Rational) -> Option<Self> {
        let sign = if q.is_negative() { -1 } else { 1 };
        let numerator = Laurent::monomial(BigInt::one(), sign);
        let unit = q.abs();
        (!q.is_zero()).then(|| Self { unit, numerator, denominator: Laurent::one() })
    }

    /// A rational number as an element of the field.
    pub fn constant(value: &Rational) -> Self {
        Self {
            unit: Rational::one(),
            numerator: Laurent::constant(value.numer().clone()),
            denominator: Laurent::constant(value.denom().clone()),
        }
    }

    /// The value, if it is rational.
    pub fn as_rational(&self) -> Option<Rational> {
        let parts = self.numerator.as_constant().zip(self.denominator.as_constant());
        parts.map(|(n, d)| Rational::new(n, d))
    }

    /// The rational u with t = eᵘ.
    pub fn unit(&self) -> &Rational {
        &self.unit
    }

    /// The numerator, in powers of t = e^unit.
    pub fn numerator(&self) -> &Laurent {
        &self.numerator
    }

    /// The denominator, in powers of t = e^unit. It may be a negative number.
    pub fn denominator(&self) -> &Laurent {
        &self.denominator
    }

    /// Numerator and denominator in powers of e^`finer`, where the unit is a multiple of `finer`
    /// or the value is rational.
    pub fn parts_in(&self, finer: &Rational) -> (Laurent, Laurent) {
        if self.numerator.as_constant().is_some() && self.denominator.as_constant().is_some() {
            return (self.numerator.clone(), self.denominator.clone());
        }
        let by = ratio(&self.unit, finer);
        (self.numerator.stretch(by), self.denominator.stretch(by))
    }

    /// The greatest unit for both.
    fn common_unit(&self, other: &Self) -> Rational {
        match (self.as_rational().is_some(), other.as_rational().is_some()) {
            (true, _) => other.unit.clone(),
            (_, true) => self.unit.clone(),
            _ => rational::gcd(&self.unit, &other.unit),
        }
    }

    /// A unit for both, and the parts of both in it.
    fn aligned(&self, other: &Self) -> (Rational, [Laurent; 4]) {
        let unit = self.common_unit(other);
        let ((a, b), (c, d)) = (self.parts_in(&unit), other.parts_in(&unit));
        (unit, [a, b, c, d])
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let (unit, [a, b, c, d]) = self.aligned(other);
        if b == d {
            return Self::quotient(unit, &a + &c, b);
        }
        Self::quotient(unit, &(&a * &d) + &(&c * &b), &b * &d)
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let (unit, [a, b, c, d]) = self.aligned(other);
        Self::quotient(unit, &a * &c, &b * &d)
    }

    /// The additive inverse.
    #[must_use]
    pub fn negated(&self) -> Self {
        Self { numerator: -&self.numerator, ..self.clone() }
    }

    /// The multiplicative inverse, unless this is zero.
    pub fn reciprocal(&self) -> Option<Self> {
        Self::new(self.unit.clone(), self.denominator.clone(), self.numerator.clone())
    }

    fn quotient(unit: Rational, numerator: Laurent, denominator: Laurent) -> Self {
        Self::new(unit, numerator, denominator).expect("a product of denominators is not zero")
    }

    /// The sign of the value.
    pub fn sign(&self) -> Ordering {
        let decay = Decay::new(self.unit.clone());
        product(self.numerator.sign_at(&decay), self.denominator.sign_at(&decay))
    }

    /// The order of the values, decided by the sign of a/b − c/d = (ad − cb)/(bd).
    ///
    /// Where ad − cb would be too long a polynomial in a common t, enclosures are compared. The
    /// normal forms differ, and so do the values: the loop ends, as the widths tend to zero.
    pub fn compare(&self, other: &Self) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        if self.is_far_from(other) {
            let mut bits = 64;
            loop {
                let [(a, b), (c, d)] = [self, other].map(|x| {
                    let enclosure = x.enclosure(bits);
                    (enclosure.low(), enclosure.high())
                });
                if b < c {
                    return Ordering::Less;
                }
                if d < a {
                    return Ordering::Greater;
                }
                bits *= 2;
            }
        }
        let (unit, [a, b, c, d]) = self.aligned(other);
        let decay = Decay::new(unit);
        let difference = (&(&a * &d) - &(&c * &b)).sign_at(&decay);
        product(difference, product(b.sign_at(&decay), d.sign_at(&decay)))
    }

    /// Whether [`Exponential::compare`] would need a polynomial of more than 2^16 coefficients.
    fn is_far_from(&self, other: &Self) -> bool {
        let unit = self.common_unit(other);
        let at = |x: &Self, exponent: i64| &x.unit * Rational::from(BigInt::from(exponent));
        // The ends of a·d and of c·b.
        let ends = [(self, other), (other, self)].map(|(x, y)| {
            let low = at(x, x.numerator.offset()) + at(y, y.denominator.offset());
            (low, at(x, x.numerator.top()) + at(y, y.denominator.top()))
        });
        let [(a, b), (c, d)] = ends;
        b.max(d) - a.min(c) > unit * Rational::from(BigInt::from(1 << 16))
    }

    /// The tightest enclosure of the value at `bits` bits.
    ///
    /// A value that is not rational is transcendental: a rational function of t that is algebraic
    /// is constant. So it is no multiple of 2^−bits, and enclosures whose widths tend to zero come
    /// to lie between two neighbouring multiples. The denominator is not zero, so from some
    /// precision on its enclosure excludes zero.
    pub fn enclosure(&self, bits: u64) -> Enclosure {
        if let Some(value) = self.as_rational() {
            return Enclosure::of(&value, bits);
        }
        let decay = Decay::new(self.unit.clone());
        let power = self.numerator.top() - self.denominator.top();
        let power = Rational::from(BigInt::from(power)) * &self.unit;
        for level in 0.. {
            let s = decay.at(level);
            if s.bits() < bits {
                continue;
            }
            let Some(inverse) = self.denominator.scaled_value(&s).reciprocal() else { continue };
            let value = self.numerator.scaled_value(&s).times(&inverse);
            let value = value.times(&enclose_exp(&power, s.bits())).coarsen(bits);
            if value.width() <= BigInt::one() {
                return value;
            }
        }
        unreachable!("the levels do not end")
    }
}

/// The sign of a product.
fn product(a: Ordering, b: Ordering) -> Ordering {
    match b {
        Ordering::Greater => a,
        Ordering::Less => a.reverse(),
        Ordering::Equal => Ordering::Equal,
    }
}

/// Σ cᵢ/`over`·exp(i·`unit`) from the lowest exponent up, as in `1/2 - 1/8*exp(1/2)`.
fn write_sum(
    f: &mut fmt::Formatter<'_>,
    sum: &Laurent,
    over: &BigInt,
    unit: &Rational,
) -> fmt::Result {
    if sum.is_zero() {
        return f.write_str("0");
    }
    for (place, (e, c)) in sum.terms().enumerate() {
        let coefficient = Rational::new(c.clone(), over.clone());
        let sign = match (place, coefficient.is_negative()) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        f.write_str(sign)?;
        let (size, power) = (coefficient.abs(), unit * Rational::from(BigInt::from(e)));
        if e == 0 {
            write!(f, "{size}")?;
        } else if size.is_one() {
            write!(f, "exp({power})")?;
        } else {
            write!(f, "{size}*exp({power})")?;
        }
    }
    Ok(())
}

impl fmt::Display for Exponential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(over) = self.denominator.as_constant() {
            return write_sum(f, &self.numerator, &over, &self.unit);
        }
        f.write_str("(")?;
        write_sum(f, &self.numerator, &BigInt::one(), &self.unit)?;
        f.write_str(")/(")?;
        write_sum(f, &self.denominator, &BigInt::one(), &self.unit)?;
        f.write_str(")")
    }
}

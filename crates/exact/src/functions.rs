//! The arithmetic that scripts and expressions share: operations that refuse what would be too large.
//!
//! # Errors
//! Every operation fails where the result does not exist, such as `1/0`, and where numbers are combined
//! that would fill the memory or the time: powers of e without a common unit of reasonable size, and
//! results beyond the limits of this file. The error says what was found, such as `a division by zero`.

#![allow(clippy::missing_errors_doc, reason = "the module says once what all of them refuse")]

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

use super::exponential::Exponential;
use super::laurent::Laurent;
use super::number::{Number, exp as power_of_e, exponents_fit};
use super::rational::{Rational, gcd};

/// The greatest exponent, in absolute value, of a power.
const EXPONENT: i64 = 100_000;
/// The greatest size of a number in bits. Together with the other limits it keeps a slip of the
/// pen from filling the memory, or the time: a fraction of this size is reduced in a tenth of a second.
const BITS: u64 = 1 << 17;
/// The greatest size of an exponent of e in bits. Sums of powers of e may agree in about as many
/// digits for each power, and a sign is decided only beyond them.
pub(super) const EXPONENT_BITS: u64 = 1024;
/// The greatest degree of a number in ℚ(t) as a polynomial in t = eᵘ.
const DEGREE: u32 = 1_000;

/// Roughly how many bits it takes to write the number down.
fn bits(number: &Number) -> u64 {
    match number {
        Number::Rational(q) => q.numer().bits().max(q.denom().bits()),
        Number::Exponential(x) => {
            polynomial_bits(x.numerator()).max(polynomial_bits(x.denominator()))
        }
    }
}

fn polynomial_bits(polynomial: &Laurent) -> u64 {
    polynomial.coefficients().iter().map(|c| c.bits() + 1).sum()
}

/// The unit u and the greatest exponent of e, in absolute value, of a number in ℚ(eᵘ) that is not
/// rational.
pub fn exponents(number: &Number) -> Option<(Rational, Rational)> {
    match number {
        Number::Rational(_) => None,
        Number::Exponential(x) => Some((x.unit().clone(), reach(x))),
    }
}

/// The greatest exponent of e in the number, in absolute value.
fn reach(x: &Exponential) -> Rational {
    let ends = [x.numerator().offset(), x.numerator().top(), x.denominator().top()];
    let end = ends.iter().map(|e| e.unsigned_abs()).max().unwrap_or(0);
    x.unit() * Rational::from(BigInt::from(end))
}

/// Refuses to combine powers of e that have no common unit of reasonable size, such as `exp(1/3)`
/// and `exp(1/100003)`.
fn compatible(a: &Number, b: &Number) -> Result<(), String> {
    let (unit, reach) = match (a, b) {
        (Number::Rational(_), Number::Rational(_)) => return Ok(()),
        (Number::Exponential(x), Number::Rational(_))
        | (Number::Rational(_), Number::Exponential(x)) => (x.unit().clone(), reach(x)),
        (Number::Exponential(x), Number::Exponential(y)) => {
            (gcd(x.unit(), y.unit()), reach(x) + reach(y))
        }
    };
    if reach <= unit * Rational::from(BigInt::from(DEGREE)) {
        Ok(())
    } else {
        Err(format!("powers of e of degree above {DEGREE} in their common unit"))
    }
}

/// Refuses a set of weights that cannot be computed with together; see [`exponents_fit`].
pub fn all_fit<'a>(numbers: impl Iterator<Item = &'a Number>) -> bool {
    let exponentials = numbers.filter_map(|number| match number {
        Number::Rational(_) => None,
        Number::Exponential(x) => Some(x),
    });
    let mut exponents: Vec<Rational> =
        exponentials.flat_map(|x| [x.unit().clone(), reach(x)]).collect();
    exponents.sort_unstable();
    exponents.dedup();
    exponents_fit(&exponents)
}

fn short(number: Number) -> Result<Number, String> {
    if bits(&number) > BITS {
        Err(format!("a number of more than {BITS} bits"))
    } else {
        Ok(number)
    }
}

/// An integer.
pub fn integer(n: i64) -> Number {
    Number::from(n)
}

/// 1/n; `None` for n = 0.
pub fn reciprocal(n: usize) -> Option<Number> {
    (n > 0).then(|| Rational::new(BigInt::one(), n.into()).into())
}

/// The number as a machine integer, if it is one.
pub fn as_integer(number: &Number) -> Option<i64> {
    number.as_rational().filter(|q| q.is_integer()).and_then(|q| q.numer().to_i64())
}

/// Whether the number is below 0.
pub fn is_negative(number: &Number) -> bool {
    number.sign().is_lt()
}

/// Whether the number is in [0, 1].
pub fn is_probability(p: &Number) -> bool {
    !is_negative(p) && *p <= Number::one()
}

/// a + b.
pub fn add(a: &Number, b: &Number) -> Result<Number, String> {
    compatible(a, b)?;
    short(a + b)
}

/// a − b.
pub fn subtract(a: &Number, b: &Number) -> Result<Number, String> {
    compatible(a, b)?;
    short(a - b)
}

/// a · b.
pub fn multiply(a: &Number, b: &Number) -> Result<Number, String> {
    compatible(a, b)?;
    short(a * b)
}

/// a / b.
pub fn divide(a: &Number, b: &Number) -> Result<Number, String> {
    compatible(a, b)?;
    short(a.checked_div(b).map_err(|error| format!("a {error}"))?)
}

/// The order of a and b.
pub fn compare(a: &Number, b: &Number) -> Result<std::cmp::Ordering, String> {
    compatible(a, b)?;
    Ok(a.cmp(b))
}

/// The lesser number.
pub fn min(a: &Number, b: &Number) -> Result<Number, String> {
    Ok(if compare(a, b)?.is_le() { a.clone() } else { b.clone() })
}

/// The greater number.
pub fn max(a: &Number, b: &Number) -> Result<Number, String> {
    Ok(if compare(a, b)?.is_ge() { a.clone() } else { b.clone() })
}

/// a^b for an integer b.
pub fn power(base: &Number, exponent: &Number) -> Result<Number, String> {
    let Some(n) = as_integer(exponent) else {
        return Err(format!("the exponent {exponent}, which is not an integer"));
    };
    if !(-EXPONENT..=EXPONENT).contains(&n) {
        return Err(format!("the exponent {n}, which is beyond ±{EXPONENT}"));
    }
    if bits(base).saturating_mul(n.unsigned_abs()) > BITS {
        return Err(format!("a power of more than {BITS} bits"));
    }
    if let Number::Rational(_) = base {
        let n = i32::try_from(n).expect("an exponent within the bounds above");
        return base.pow(n).map_err(|error| format!("a {error}"));
    }
    let mut square = if n < 0 { divide(&Number::one(), base)? } else { base.clone() };
    let mut result = Number::one();
    let mut rest = n.unsigned_abs();
    while rest > 0 {
        if rest % 2 == 1 {
            result = multiply(&result, &square)?;
        }
        rest /= 2;
        if rest > 0 {
            square = multiply(&square, &square)?;
        }
    }
    Ok(result)
}

/// |a|.
pub fn abs(a: &Number) -> Number {
    if is_negative(a) { -a } else { a.clone() }
}

/// e^a for a rational a.
pub fn exp(a: &Number) -> Result<Number, String> {
    let Some(q) = a.as_rational() else {
        return Err(format!("exp({a}), whose argument is not rational"));
    };
    if q.numer().bits().max(q.denom().bits()) > EXPONENT_BITS {
        return Err(format!("exp({a}), whose argument has more than {EXPONENT_BITS} bits"));
    }
    if !exponents_fit(std::slice::from_ref(q)) {
        return Err(format!("exp({a}), whose argument is too large"));
    }
    Ok(power_of_e(q))
}

/// The greatest integer that is at most a.
pub fn floor(a: &Number) -> Result<Number, String> {
    // Numbers that are not rational are no integers, so an enclosure that is fine enough lies
    // between two neighbouring integers.
    let mut bits = 64;
    loop {
        let (low, high) = a.enclosure(bits);
        if low.floor() == high.floor() {
            return Ok(low.floor().into());
        }
        bits *= 2;
    }
}

/// The least integer that is at least a.
pub fn ceil(a: &Number) -> Result<Number, String> {
    Ok(-&floor(&-a)?)
}

/// The binomial coefficient C(n, k): 0 for k outside 0..=n.
pub fn binomial(n: &Number, k: &Number) -> Result<Number, String> {
    let fault = || format!("binomial({n}, {k}), whose arguments are not integers with 0 ≤ n");
    let (Some(n_), Some(k_)) = (as_integer(n), as_integer(k)) else { return Err(fault()) };
    if n_ < 0 {
        return Err(fault());
    }
    if n_ > EXPONENT {
        return Err(format!("binomial({n}, {k}), whose first argument is above {EXPONENT}"));
    }
    if k_ < 0 || k_ > n_ {
        return Ok(integer(0));
    }
    let k_ = k_.min(n_ - k_);
    let value = (0..k_).fold(BigInt::one(), |product, i| product * (n_ - i) / (i + 1));
    Ok(Rational::from_integer(value).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pascal's rule, which the code does not use.
    #[test]
    fn binomials_satisfy_pascal() {
        let b = |n: i64, k: i64| binomial(&integer(n), &integer(k)).unwrap();
        for n in 1..20 {
            for k in -2..n + 3 {
                assert_eq!(b(n, k), &b(n - 1, k - 1) + &b(n - 1, k), "{n} {k}");
            }
        }
        assert!(binomial(&integer(-1), &integer(0)).is_err());
    }

    #[test]
    fn powers_are_repeated_products() {
        let half = reciprocal(2).unwrap();
        let mut product = integer(1);
        for n in 0..12 {
            assert_eq!(power(&half, &integer(n)).unwrap(), product);
            assert_eq!(&power(&half, &integer(-n)).unwrap() * &product, integer(1));
            product = &product * &half;
        }
        assert!(power(&integer(0), &integer(-1)).is_err());
        assert!(power(&integer(2), &half).is_err());
        assert!(power(&integer(2), &integer(EXPONENT + 1)).is_err());
        assert!(power(&integer(22), &integer(-65_536)).is_err());
    }

    #[test]
    fn floors_of_negative_numbers_go_down() {
        let x = divide(&integer(-7), &integer(2)).unwrap();
        assert_eq!((floor(&x), ceil(&x)), (Ok(integer(-4)), Ok(integer(-3))));
        assert_eq!(abs(&x), divide(&integer(7), &integer(2)).unwrap());
        assert_eq!((floor(&integer(3)), ceil(&integer(3))), (Ok(integer(3)), Ok(integer(3))));
        // e = 2.718…
        let e = exp(&integer(1)).unwrap();
        assert_eq!((floor(&e), ceil(&e)), (Ok(integer(2)), Ok(integer(3))));
    }

    #[test]
    fn incompatible_powers_of_e_are_refused_not_computed() {
        let e = |p: i64, q: i64| exp(&divide(&integer(p), &integer(q)).unwrap()).unwrap();
        assert!(add(&e(1, 3), &e(1, 5)).is_ok());
        assert!(add(&e(1, 3), &e(1, 100_003)).is_err());
        assert!(compare(&e(1, 3), &e(1, 100_003)).is_err());
        assert!(power(&add(&e(1, 1), &integer(1)).unwrap(), &integer(5_000)).is_err());
        assert!(exp(&integer(1_000_000)).is_err());
        assert!(all_fit([e(1, 2), e(1, 3)].iter()));
        assert!(!all_fit([e(1, 3), e(1, 100_003)].iter()));
    }
}

//! The field of numbers, its order, and how numbers are shown.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::support::config;
use littlestone::exact::{
    DivisionByZero, Number, Rational, decimal, exp, exponents_fit, parse_rational,
};
use num_traits::{One, Zero};
use proptest::prelude::*;

use super::tools::{exp_by_series, numbers, ratio, rationals, sums};

fn rational(p: i64, q: i64) -> Number {
    ratio(p, q).into()
}

#[test]
fn numbers_are_shown_as_expressions() {
    let root = exp(&ratio(1, 2));
    let sum = &rational(1, 2) - &(&rational(1, 8) * &root);
    assert_eq!(sum.to_string(), "1/2 - 1/8*exp(1/2)");
    assert_eq!((-&root).to_string(), "-exp(1/2)");
    assert_eq!((&exp(&ratio(-2, 3)) + &rational(3, 1)).to_string(), "exp(-2/3) + 3");
    assert_eq!(rational(-3, 4).to_string(), "-3/4");
    assert_eq!(Number::zero().to_string(), "0");
    // Randomized response tells the truth with probability e^ε/(1 + e^ε).
    let truth = root.checked_div(&(&Number::one() + &root)).unwrap();
    assert_eq!(truth.to_string(), "(exp(1/2))/(1 + exp(1/2))");
    let lie = Number::one().checked_div(&(&Number::one() + &root)).unwrap();
    assert_eq!(&truth + &lie, Number::one());
    assert_eq!(lie.checked_div(&truth), Ok(exp(&ratio(-1, 2))));
}

#[test]
fn decimals_of_numbers() {
    // OEIS A001113.
    assert_eq!(exp(&ratio(1, 1)).decimal(30), "2.718281828459045235360287471352…");
    assert_eq!((-&exp(&ratio(1, 1))).decimal(5), "-2.71828…");
    assert_eq!(rational(1, 8).decimal(5), "0.125");
    // e^−100 = 3.72007597602…·10^−44, computed independently with Python's `decimal`.
    assert_eq!(exp(&ratio(-100, 1)).decimal(9), "3.720075976…e-44");
}

#[test]
fn numbers_collapse_to_rationals() {
    let root = exp(&ratio(1, 2));
    assert_eq!(&root * &exp(&ratio(-1, 2)), Number::one());
    assert_eq!(&(&root + &rational(1, 3)) - &root, rational(1, 3));
    assert_eq!(root.pow(2), Ok(exp(&ratio(1, 1))));
    assert_eq!(root.pow(0), Ok(Number::one()));
    assert_eq!(rational(-2, 3).pow(-3), Ok(rational(-27, 8)));
    assert_eq!(Number::zero().pow(-1), Err(DivisionByZero));
    assert_eq!(root.checked_div(&Number::zero()), Err(DivisionByZero));
    assert_eq!(rational(1, 2).checked_div(&Number::zero()), Err(DivisionByZero));
    assert_eq!(root.checked_div(&(&root - &root)), Err(DivisionByZero));
    assert_eq!(exp(&Rational::zero()), Number::one());
}

#[test]
fn unwieldy_exponents_are_recognised_and_simple_ones_cheap() {
    let read = |text| parse_rational(text).unwrap();
    assert!(exponents_fit(&[]));
    assert!(exponents_fit(&[read("0"), read("1/3"), read("-1/5")]));
    assert!(exponents_fit(&[read("0.123456789012345")]));
    assert!(!exponents_fit(&[read("1/3"), read("0.123456789")]));
    assert!(!exponents_fit(&[read("65537")]));
    // One exponent is the unit, however many digits it has.
    let power = exp(&read("0.123456789012345"));
    let square = (&power + &Number::one()).pow(2).unwrap();
    assert_eq!(square, &(&(&power * &power) + &(&rational(2, 1) * &power)) + &Number::one());
    // Orders do not need the digits before the point.
    assert!(exp(&read("1e9")) > exp(&read("999999999")));
    assert!(exp(&read("-1e9")) > Number::zero());
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn field_axioms(a in numbers(), b in numbers(), c in sums()) {
        prop_assert_eq!(&a + &b, &b + &a);
        prop_assert_eq!(&a * &b, &b * &a);
        prop_assert_eq!(&(&a + &b) + &c, &a + &(&b + &c));
        prop_assert_eq!(&(&a * &b) * &c, &a * &(&b * &c));
        prop_assert_eq!(&a * &(&b + &c), &(&a * &b) + &(&a * &c));
        prop_assert_eq!(&(&a - &b) + &b, a.clone());
        prop_assert_eq!(&a + &-&a, Number::zero());
        if b.is_zero() {
            prop_assert_eq!(a.checked_div(&b), Err(DivisionByZero));
        } else {
            prop_assert_eq!(&a.checked_div(&b).unwrap() * &b, a.clone());
        }
        prop_assert_eq!(a.pow(3).unwrap(), &(&a * &a) * &a);
    }

    #[test]
    fn exponentials_are_a_homomorphism(a in rationals(6), b in rationals(6)) {
        prop_assert_eq!(&exp(&a) * &exp(&b), exp(&(&a + &b)));
        prop_assert_eq!(exp(&a).cmp(&exp(&b)), a.cmp(&b));
        prop_assert_eq!(exp(&a).pow(-3), Ok(exp(&(a * ratio(-3, 1)))));
    }

    /// The order agrees with enclosures of both sides, which share only the kernel of eᵠ.
    #[test]
    fn the_order_is_that_of_the_reals(a in numbers(), b in numbers()) {
        let ((low, high), (below, above)) = (a.enclosure(200), b.enclosure(200));
        match a.cmp(&b) {
            Ordering::Equal => prop_assert!(a == b && (low, high) == (below, above)),
            // Small formulas that differ at all differ by more than 2^−199.
            Ordering::Greater => prop_assert!(low > above),
            Ordering::Less => prop_assert!(high < below),
        }
        prop_assert_eq!(a.cmp(&b).reverse(), b.cmp(&a));
        prop_assert_eq!(a.signum(), (&a - &Number::zero()).signum());
        prop_assert_eq!((&a - &b).sign(), a.cmp(&b));
    }

    /// Σ cᵢ·eᵠⁱ and quotients of two such sums, against rational bounds by the plain series.
    #[test]
    fn enclosures_hold_the_value(
        terms in prop::collection::vec((rationals(9), rationals(4)), 1..4),
        (d, r) in (rationals(9), rationals(4)),
    ) {
        let bound = |terms: &[(Rational, Rational)]| {
            let (mut low, mut high) = (Rational::zero(), Rational::zero());
            for (c, q) in terms {
                let (a, b) = exp_by_series(q, 300);
                let (x, y) = (c * a, c * b);
                low += if x < y { &x } else { &y };
                high += if x < y { &y } else { &x };
            }
            (low, high)
        };
        let sum = |terms: &[(Rational, Rational)]| terms.iter().fold(Number::zero(), |sum, (c, q)| {
            &sum + &(&Number::from(c.clone()) * &exp(q))
        });
        let (low, high) = bound(&terms);
        let (below, above) = sum(&terms).enclosure(128);
        prop_assert!(below <= high && low <= above);
        prop_assert!(&above - &below <= ratio(1, 1 << 60).pow(2));

        let over = [(&d * &d, r), (Rational::one(), Rational::zero())];
        let (small, large) = bound(&over);
        let (below, above) = sum(&terms).checked_div(&sum(&over)).unwrap().enclosure(128);
        // The denominator is at least 1, so the quotient is below above·denominator.
        let ends = [&below * &small, &below * &large, &above * &small, &above * &large];
        let ends: BTreeSet<_> = ends.into_iter().collect();
        prop_assert!(*ends.first().unwrap() <= high && low <= *ends.last().unwrap());
    }

    #[test]
    fn decimals_are_those_of_a_close_rational(a in numbers(), digits in 1u32..20) {
        // Truncation towards zero of a number that is no decimal: both ends of a very narrow
        // enclosure truncate alike.
        let (low, _) = a.enclosure(400);
        if a.as_rational().is_none() {
            prop_assert_eq!(a.decimal(digits), decimal(&low, digits));
        }
    }
}

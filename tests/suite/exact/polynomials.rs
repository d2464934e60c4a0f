//! Laurent polynomials in t = eᵘ and their signs.

use std::cmp::Ordering;

use crate::support::config;
use littlestone::exact::{BigInt, Exponential, Laurent, Rational, sign_of_linear};
use num_traits::{One, Signed};
use proptest::prelude::*;

use super::tools::{convergents, ratio};

fn laurent(offset: i64, coefficients: &[i64]) -> Laurent {
    Laurent::new(offset, coefficients.iter().copied().map(BigInt::from).collect())
}

fn polynomials() -> impl Strategy<Value = Laurent> {
    (-4i64..4, prop::collection::vec(-6i64..6, 0..6)).prop_map(|(o, c)| laurent(o, &c))
}

fn nonzero() -> impl Strategy<Value = Laurent> {
    polynomials().prop_map(|p| if p.is_zero() { laurent(1, &[3, 0, -2]) } else { p })
}

/// Polynomials of degree 12 in t = e^(1/k) that are as close to zero as wanted, with the sign that
/// the continued fraction tells: (pₙ − qₙ·t)·(1 + t)^11·t^shift, within 2^12·t^11/qₙ of zero.
#[test]
fn polynomials_near_zero_are_decided_both_ways() {
    for k in [2, 7] {
        let power = (0..11).fold(Laurent::one(), |power, _| &power * &laurent(0, &[1, 1]));
        let mut close = [0, 0];
        for (n, (p, q)) in convergents(k, 170).into_iter().enumerate() {
            let linear = Laurent::new(0, vec![p, -&q]);
            let polynomial = (&linear * &power).shift(-3);
            assert_eq!(polynomial.span(), 12);
            let sign = if n % 2 == 0 { Ordering::Less } else { Ordering::Greater };
            assert_eq!(polynomial.sign(&ratio(1, k)), sign);
            assert_eq!((-&polynomial).sign(&ratio(1, k)), sign.reverse());

            let value = Exponential::new(ratio(1, k), polynomial, Laurent::one()).unwrap();
            assert_eq!(value.sign(), sign);
            let enclosure = value.enclosure(260);
            let size = enclosure.low().abs().max(enclosure.high().abs());
            for (count, bits) in close.iter_mut().zip([80u32, 200]) {
                *count += usize::from(size < Rational::new(1.into(), BigInt::one() << bits));
            }
        }
        assert!(close.iter().all(|&count| count > 10), "{close:?} within 2^−80 and 2^−200");
    }
}

#[test]
fn the_sign_of_simple_polynomials() {
    // e = 2.718…, e^(1/2) = 1.648…, e² = 7.389….
    for (polynomial, unit, sign) in [
        (laurent(0, &[]), ratio(1, 1), Ordering::Equal),
        (laurent(0, &[-3, 1]), ratio(1, 1), Ordering::Less),
        (laurent(0, &[-2, 1]), ratio(1, 1), Ordering::Greater),
        (laurent(5, &[7, 0, -1]), ratio(1, 1), Ordering::Less),
        (laurent(-9, &[8, 0, -1]), ratio(1, 1), Ordering::Greater),
        (laurent(0, &[17, -10]), ratio(1, 2), Ordering::Greater),
        (laurent(0, &[16, -10]), ratio(1, 2), Ordering::Less),
        (laurent(-3, &[-4]), ratio(1, 2), Ordering::Less),
    ] {
        assert_eq!(polynomial.sign(&unit), sign, "{polynomial:?}");
    }
}

/// Polynomials small enough for machine words (and some at their border): linear forms and their
/// products with a positive polynomial, against the comparison of a rational with eᵘ.
#[test]
fn small_polynomials_are_decided_as_linear_forms_are() {
    for (n, d) in [(1, 2), (1, 1), (5, 3), (40, 1), (1, 1000)] {
        let unit = ratio(n, d);
        for a in -30..30 {
            for b in -30..30 {
                let expected = sign_of_linear(&ratio(a, 1), &ratio(-b, 1), &unit);
                assert_eq!(laurent(0, &[a, b]).sign(&unit), expected, "{a} + {b}·exp({unit})");
                let positive = laurent(-2, &[2, 0, 0, 5, 1]);
                assert_eq!((&laurent(0, &[a, b]) * &positive).sign(&unit), expected);
                let large = laurent(0, &[a, b]).scale(&BigInt::from(i64::MAX / 30));
                assert_eq!(large.sign(&unit), expected);
            }
        }
    }
}

#[test]
fn normal_forms_are_unique() {
    let make = |unit, n, d| Exponential::new(unit, n, d).unwrap();
    // (t² − 1)/(t − 1) = t + 1, in t = e^(1/6), and in s = t^3 = e^(1/2) written with s = t'^2.
    let a = make(ratio(1, 6), laurent(0, &[-1, 0, 1]), laurent(0, &[-1, 1]));
    let b = make(ratio(1, 12), laurent(0, &[2, 0, 2]), laurent(0, &[2]));
    assert_eq!(a, b);
    assert_eq!(a.unit(), &ratio(1, 6));
    // −t/(−2t) = 1/2.
    let half = make(ratio(3, 5), laurent(1, &[-1]), laurent(1, &[-2]));
    assert_eq!(half.as_rational(), Some(ratio(1, 2)));
    assert_eq!(half, Exponential::constant(&ratio(1, 2)));
    // A negative power becomes part of the numerator.
    let c = make(ratio(1, 2), laurent(0, &[1]), laurent(4, &[-2, -2]));
    assert_eq!((c.numerator(), c.denominator()), (&laurent(-4, &[-1]), &laurent(0, &[2, 2])));
    assert_eq!(Exponential::new(ratio(1, 2), Laurent::one(), Laurent::zero()), None);
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn ring_axioms(a in polynomials(), b in polynomials(), c in polynomials(), m in -5i64..5) {
        prop_assert_eq!(&a + &b, &b + &a);
        prop_assert_eq!(&a * &b, &b * &a);
        prop_assert_eq!(&(&a + &b) + &c, &a + &(&b + &c));
        prop_assert_eq!(&(&a * &b) * &c, &a * &(&b * &c));
        prop_assert_eq!(&a * &(&b + &c), &(&a * &b) + &(&a * &c));
        prop_assert_eq!(&(&a - &b) + &b, a.clone());
        prop_assert_eq!(&a + &-&a, Laurent::zero());
        let mut in_place = a.clone();
        in_place += &b;
        prop_assert_eq!(in_place, &a + &b);
        let mut in_place = a.clone();
        in_place += &-&a;
        prop_assert_eq!(in_place, Laurent::zero());
        prop_assert_eq!(&a * &Laurent::one(), a.clone());
        prop_assert_eq!(a.shift(m), &a * &Laurent::monomial(BigInt::one(), m));
        prop_assert_eq!(a.scale(&m.into()), &a * &Laurent::constant(m.into()));
        prop_assert_eq!(a.primitive().scale(&a.content()), a.clone());
        prop_assert!(!a.content().is_negative());
    }

    #[test]
    fn evaluation_at_an_integer_is_a_homomorphism(a in polynomials(), b in polynomials(), t in 2i64..9) {
        let at = |p: &Laurent| p.terms().fold(ratio(0, 1), |sum, (e, c)| {
            sum + Rational::from(c.clone()) * ratio(t, 1).pow(i32::try_from(e).unwrap())
        });
        prop_assert_eq!(at(&(&a * &b)), at(&a) * at(&b));
        prop_assert_eq!(at(&(&a + &b)), at(&a) + at(&b));
        prop_assert_eq!(at(&(&a - &b)), at(&a) - at(&b));
    }

    #[test]
    fn exact_division(a in polynomials(), b in nonzero()) {
        prop_assert_eq!((&a * &b).checked_div(&b), Some(a.clone()));
        // A remainder that is a constant below a leading coefficient divides by nothing longer.
        if b.span() > 0 {
            let off = &(&a * &b) + &Laurent::monomial(BigInt::one(), a.offset() + b.offset());
            let quotient = off.checked_div(&b);
            prop_assert!(quotient.is_none_or(|q| &q * &b == off));
            prop_assert_eq!(Laurent::one().checked_div(&b), None);
        }
    }

    #[test]
    fn the_greatest_common_divisor(a in nonzero(), b in nonzero(), c in nonzero()) {
        let (x, y) = (&a * &c, &b * &c);
        let g = x.gcd(&y);
        prop_assert!(x.checked_div(&g).is_some() && y.checked_div(&g).is_some());
        prop_assert!(g.checked_div(&c.primitive()).is_some(), "a common divisor divides it");
        prop_assert_eq!(g.offset(), 0);
        prop_assert!(g.content().is_one() && g.leading().unwrap().is_positive());
        // The cofactors share nothing more.
        let (p, q) = (x.checked_div(&g).unwrap(), y.checked_div(&g).unwrap());
        prop_assert_eq!(p.gcd(&q), Laurent::one());
        prop_assert_eq!(y.gcd(&x), g);
    }

    #[test]
    fn stretching_and_compressing(a in polynomials(), by in 1usize..5) {
        prop_assert_eq!(a.stretch(by).compress(by), Some(a.clone()));
        prop_assert_eq!((&a * &a).stretch(by), &a.stretch(by) * &a.stretch(by));
    }

    #[test]
    fn fractions_reduce(n in polynomials(), d in nonzero(), c in nonzero(), by in 1usize..4) {
        let unit = ratio(3, 7);
        let plain = Exponential::new(unit.clone(), n.clone(), d.clone()).unwrap();
        let expanded = Exponential::new(unit.clone(), &n * &c, &d * &c).unwrap();
        prop_assert_eq!(&plain, &expanded);
        let finer = unit / Rational::from(BigInt::from(by));
        let stretched = Exponential::new(finer, n.stretch(by), d.stretch(by)).unwrap();
        prop_assert_eq!(plain, stretched);
    }
}

//! The working arithmetics: against the field of numbers, against each other, and near ties.

use std::cmp::Ordering;

use crate::support::config;
use littlestone::exact::{
    Arithmetic, BigInt, BigUint, Choice, Epsilon, Laurent, LogRational, Natural, Number,
    Polynomial, TranscendentalRational, choose, exp,
};
use proptest::prelude::*;

use super::tools::{convergents, ratio, sums};

/// Integers with a bias to the borders of the representations.
fn naturals() -> impl Strategy<Value = Natural> {
    prop_oneof![
        (0u64..20).prop_map(Natural::from),
        any::<u64>().prop_map(Natural::from),
        (any::<u128>(), 0u32..128).prop_map(|(a, s)| Natural::from(a >> s)),
        (any::<u128>(), any::<u64>()).prop_map(|(a, b)| &Natural::from(a) * &Natural::from(b)),
    ]
}

fn polynomial(n: &Natural) -> Laurent {
    Laurent::constant(n.to_bigint())
}

fn natural(n: &BigInt) -> Natural {
    BigUint::try_from(n.clone()).unwrap().into()
}

/// A small verdict in any arithmetic: the sum of the excesses of `pairs`, scaled, as a number, and
/// how that sum compares with the first excess alone; all recomputed in the field of numbers.
fn agrees<A: Arithmetic>(
    arithmetic: &A,
    epsilon: &Epsilon,
    pairs: &[(A::Weight, A::Weight)],
    denominator: &A::Weight,
) -> Result<Number, TestCaseError> {
    let one = arithmetic.one();
    let plain = |w: &A::Weight| arithmetic.weight_number(w, &one);
    let (mut sum, mut expected) = (arithmetic.value_zero(), Number::zero());
    let mut parts = Vec::new();
    for (p, q) in pairs {
        let excess = &plain(p) - &(&epsilon.factor() * &plain(q));
        match arithmetic.excess(p, q) {
            Some(value) => {
                prop_assert!(excess > Number::zero());
                prop_assert_eq!(arithmetic.number(&value, &one), excess.clone());
                arithmetic.value_add(&mut sum, &value);
                expected = &expected + &excess;
                parts.push((value, excess));
            }
            None => prop_assert!(excess <= Number::zero()),
        }
        prop_assert_eq!(arithmetic.weight_cmp(p, q), plain(p).cmp(&plain(q)));
        let mut total = p.clone();
        arithmetic.add(&mut total, q);
        prop_assert_eq!(plain(&total), &plain(p) + &plain(q));
        prop_assert_eq!(plain(&arithmetic.mul(p, q)), &plain(p) * &plain(q));
        prop_assert_eq!(arithmetic.is_zero(p), plain(p).is_zero());
    }
    parts.push((sum.clone(), expected.clone()));
    parts.push((arithmetic.value_zero(), Number::zero()));
    for (value, excess) in &parts {
        for (other, theirs) in &parts {
            prop_assert_eq!(arithmetic.value_cmp(value, other), excess.cmp(theirs));
            prop_assert_eq!(value == other, excess == theirs);
        }
    }
    let content = arithmetic.content(pairs.iter().flat_map(|(p, q)| [p, q]));
    for (p, q) in pairs {
        for w in [p, q] {
            let quotient = arithmetic.divide(w, &content);
            prop_assert_eq!(&arithmetic.mul(&quotient, &content), w);
        }
    }
    let scaled = arithmetic.value_scale(&sum, denominator);
    prop_assert_eq!(arithmetic.number(&scaled, denominator), expected.clone());
    let result = arithmetic.number(&sum, denominator);
    prop_assert_eq!(&result * &plain(denominator), expected);
    Ok(result)
}

fn constants(pairs: &[(Natural, Natural)]) -> Vec<(Laurent, Laurent)> {
    pairs.iter().map(|(p, q)| (polynomial(p), polynomial(q))).collect()
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn logarithms_agree_with_numbers_and_polynomials(
        pairs in prop::collection::vec((naturals(), naturals()), 1..4),
        denominator in naturals(),
        (a, b) in (1i64..60, 1i64..60),
    ) {
        let factor = ratio(a.max(b), a.min(b));
        let epsilon = Epsilon::ln(factor.clone()).unwrap();
        let denominator = &denominator + &Natural::ONE;
        let plain = LogRational::new(&factor).unwrap();
        let general = Polynomial::new(ratio(1, 3), &epsilon).unwrap();
        prop_assert_eq!(
            agrees(&plain, &epsilon, &pairs, &denominator)?,
            agrees(&general, &epsilon, &constants(&pairs), &polynomial(&denominator))?
        );
    }

    #[test]
    fn rational_epsilons_agree_with_numbers_and_polynomials(
        mut pairs in prop::collection::vec((naturals(), naturals()), 1..4),
        denominator in naturals(),
        (p, q) in (1i64..9, 1i64..9),
        near in naturals(),
    ) {
        let epsilon = ratio(p, q);
        // A pair with P/Q close to e^ε.
        let (low, _) = exp(&epsilon).enclosure(40);
        let low = natural(&(low * ratio(1 << 40, 1)).to_integer());
        pairs.push((&near * &low, &near * &Natural::from(1u64 << 40)));
        let denominator = &denominator + &Natural::ONE;
        let plain = TranscendentalRational::new(epsilon.clone());
        let general = Polynomial::new(&epsilon / ratio(2, 1), &Epsilon::Rational(epsilon.clone()));
        let epsilon = Epsilon::Rational(epsilon);
        prop_assert_eq!(
            agrees(&plain, &epsilon, &pairs, &denominator)?,
            agrees(&general.unwrap(), &epsilon, &constants(&pairs), &polynomial(&denominator))?
        );
    }

    #[test]
    fn polynomials_agree_with_numbers(
        values in prop::collection::vec(sums(), 2..5), p in 0i64..4, logarithm in any::<bool>()
    ) {
        let values: Vec<Number> =
            values.iter().map(|x| if x.signum() < 0 { -x } else { x.clone() }).collect();
        let epsilon = if logarithm {
            Epsilon::ln(ratio(p + 2, 2)).unwrap()
        } else {
            Epsilon::Rational(ratio(p, 3))
        };
        let general = Polynomial::new(ratio(1, 6), &epsilon).unwrap();
        let (weights, denominator) = general.common(&values).unwrap();
        for (weight, value) in weights.iter().zip(&values) {
            prop_assert_eq!(&general.weight_number(weight, &denominator), value);
        }
        let pairs: Vec<_> =
            weights.iter().zip(&weights[1..]).map(|(p, q)| (p.clone(), q.clone())).collect();
        agrees(&general, &epsilon, &pairs, &denominator)?;
    }
}

/// Comparisons that the machine-word enclosure cannot decide, with the answers of the continued
/// fraction, at scales that fit 64 bits, 128 bits and neither.
#[test]
fn near_ties_with_a_transcendental_factor() {
    for k in [2, 5] {
        let arithmetic = TranscendentalRational::new(ratio(1, k));
        for (n, (p, q)) in convergents(k, 120).iter().enumerate() {
            let above = n % 2 == 1;
            for shift in [0u64, 20, 90, 300] {
                let (p, q) = (natural(&(p << shift)), natural(&(q << shift)));
                assert_eq!(arithmetic.excess(&p, &q).is_some(), above, "{n} {shift}");
                // (x + p) − e^ε(x + q) against x − e^ε·x, in both orders.
                let x = Natural::from(u64::MAX);
                let (moved, base) = ((&x + &p, &x + &q), (x.clone(), x));
                let expected = if above { Ordering::Greater } else { Ordering::Less };
                assert_eq!(arithmetic.value_cmp(&moved, &base), expected);
                assert_eq!(arithmetic.value_cmp(&base, &moved), expected.reverse());
                assert_eq!(arithmetic.value_cmp(&moved, &moved), Ordering::Equal);
            }
        }
    }
}

#[test]
fn extreme_epsilons() {
    let (one, two) = (Natural::ONE, Natural::from(2u64));
    let huge = TranscendentalRational::new(ratio(1000, 1));
    // e^1000 is between 2^1442 and 2^1443 (1000/ln 2 = 1442.695…).
    for (bits, above) in [(1442u32, false), (1443, true)] {
        let p = Natural::from(BigUint::from(1u32) << bits);
        assert_eq!(huge.excess(&p, &one).is_some(), above);
    }
    let tiny = TranscendentalRational::new(ratio(1, i64::MAX));
    assert!(tiny.excess(&one, &one).is_none());
    assert!(tiny.excess(&two, &one).is_some());
    assert!(tiny.excess(&one, &Natural::ZERO).is_some());
    assert!(tiny.excess(&Natural::ZERO, &Natural::ZERO).is_none());
}

#[test]
fn the_cheapest_arithmetic_is_chosen() {
    let half = Number::from(ratio(1, 2));
    let power = exp(&ratio(1, 3));
    let rational = [half.clone()];
    let mixed = [half, power];
    let name = |numbers: &[Number], epsilon: &str| match choose(
        numbers,
        &Epsilon::parse(epsilon).unwrap(),
    ) {
        Choice::LogRational(_) => "logarithm".to_owned(),
        Choice::TranscendentalRational(_) => "transcendental".to_owned(),
        Choice::Polynomial(p) => format!("polynomial in exp({})", p.unit()),
    };
    assert_eq!(name(&rational, "0"), "logarithm");
    assert_eq!(name(&rational, "ln(3/2)"), "logarithm");
    assert_eq!(name(&rational, "1/2"), "transcendental");
    assert_eq!(name(&mixed, "0"), "polynomial in exp(1/3)");
    assert_eq!(name(&mixed, "ln 2"), "polynomial in exp(1/3)");
    assert_eq!(name(&mixed, "2/3"), "polynomial in exp(1/3)");
    assert_eq!(name(&mixed, "1/2"), "polynomial in exp(1/6)");
}

#[test]
fn the_content_of_nothing_is_one() {
    let rational = LogRational::new(&ratio(1, 1)).unwrap();
    assert_eq!(rational.content(&[Natural::ZERO, Natural::ZERO]), Natural::ONE);
    assert_eq!(rational.content(&[6u64, 0, 9].map(Natural::from)), Natural::from(3u64));
    let general = Polynomial::new(ratio(1, 2), &Epsilon::zero()).unwrap();
    assert_eq!(general.content(&[Laurent::zero()]), Laurent::one());
    // 6t² + 4t⁵ and 10t have the common divisor 2t.
    let monomial = |c: i64, e| Laurent::monomial(c.into(), e);
    let weights = [&monomial(6, 2) + &monomial(4, 5), Laurent::zero(), monomial(10, 1)];
    assert_eq!(general.content(&weights), monomial(2, 1));
}

#[test]
fn common_denominators() {
    let rational = LogRational::new(&ratio(1, 1)).unwrap();
    let numbers = [ratio(1, 6), ratio(3, 4), ratio(0, 1)].map(Number::from);
    let (weights, denominator) = rational.common(&numbers).unwrap();
    assert_eq!(weights, [2u64, 9, 0].map(Natural::from));
    assert_eq!(denominator, Natural::from(12u64));
    assert_eq!(rational.common(&[Number::from(-1)]), None);
    assert_eq!(rational.common(&[exp(&ratio(1, 1))]), None);

    // 1/(10 − e) has the normal form −1/(e − 10), with a denominator that is a negative number.
    let general = Polynomial::new(ratio(1, 2), &Epsilon::zero()).unwrap();
    let gap = &Number::from(10) - &exp(&ratio(1, 1));
    let number = Number::from(1).checked_div(&gap).unwrap();
    let (weights, denominator) = general.common(&[number.clone(), Number::from(1)]).unwrap();
    assert_eq!(general.weight_number(&weights[0], &denominator), number);
    for positive in [&weights[0], &weights[1], &denominator] {
        assert_eq!(positive.sign(&ratio(1, 2)), Ordering::Greater);
    }
    assert_eq!(general.common(&[-&number]), None);
    assert_eq!(general.common(&[exp(&ratio(1, 3))]), None, "not a power of e^(1/2)");
    assert!(Polynomial::new(ratio(1, 2), &Epsilon::Rational(ratio(1, 3))).is_none());
    assert!(Polynomial::new(ratio(0, 1), &Epsilon::zero()).is_none());
    assert!(LogRational::new(&ratio(1, 2)).is_none());
}

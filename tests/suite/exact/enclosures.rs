//! Enclosures of eᵠ, ln q and √c.

use std::cmp::Ordering;

use crate::support::config;
use littlestone::exact::{
    BigInt, Enclosure, Rational, decimal, enclose_exp, enclose_ln, enclose_root, sign_of_linear,
    sign_with_root,
};
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;

use super::tools::{convergents, exp_by_series, ratio, rationals};

/// Whether two intervals meet, as two enclosures of one number must.
fn meet(a: &Enclosure, low: &Rational, high: &Rational) -> bool {
    a.low() <= *high && *low <= a.high()
}

/// Whether `fine`, with at least as many bits, lies within `coarse`.
fn nested(coarse: &Enclosure, fine: &Enclosure) -> bool {
    coarse.low() <= fine.low() && fine.high() <= coarse.high()
}

#[test]
fn known_digits() {
    // OEIS A001113 (e), A002162 (ln 2), A002193 (√2).
    let cases = [
        (
            enclose_exp(&ratio(1, 1), 400),
            "2.7182818284590452353602874713526624977572470936999595749669676277240766303535475945713\
             821785251664274",
        ),
        (
            enclose_ln(&ratio(2, 1), 400).unwrap(),
            "0.6931471805599453094172321214581765680755001343602552541206800094933936219696947156058\
             633269964186875",
        ),
        (
            enclose_root(&ratio(2, 1), 400).unwrap(),
            "1.4142135623730950488016887242096980785696718753769480731766797379907324784621070388503\
             875343276415727",
        ),
    ];
    for (enclosure, digits) in cases {
        for end in [enclosure.low(), enclosure.high()] {
            assert_eq!(decimal(&end, 100), format!("{digits}…"));
        }
    }
}

#[test]
fn exact_values() {
    let point = |e: &Enclosure| (e.low() == e.high()).then(|| e.low());
    assert_eq!(point(&enclose_exp(&ratio(0, 1), 64)), Some(ratio(1, 1)));
    assert_eq!(point(&enclose_ln(&ratio(1, 1), 64).unwrap()), Some(ratio(0, 1)));
    assert_eq!(point(&enclose_root(&ratio(9, 16), 64).unwrap()), Some(ratio(3, 4)));
    assert_eq!(point(&enclose_root(&ratio(0, 1), 64).unwrap()), Some(ratio(0, 1)));
    assert_eq!(enclose_ln(&ratio(0, 1), 64), None);
    assert_eq!(enclose_ln(&ratio(-1, 1), 64), None);
    assert_eq!(enclose_root(&ratio(-1, 1), 64), None);
}

#[test]
fn extreme_exponents_are_cheap() {
    let vast = Rational::from(BigInt::from(10u32).pow(30));
    let unit = Rational::new(1.into(), BigInt::one() << 64u32);
    let tiny = enclose_exp(&-&vast, 64);
    assert_eq!((tiny.low(), tiny.high()), (Rational::zero(), unit));
    let one = Rational::one();
    assert_eq!(sign_of_linear(&one, &one, &vast), Ordering::Less);
    assert_eq!(sign_of_linear(&one, &one, &-&vast), Ordering::Greater);
    assert_eq!(sign_of_linear(&-&one, &-&one, &vast), Ordering::Greater);
    // |e^x − 1| is about x = 10^−30.
    assert_eq!(sign_of_linear(&one, &one, &vast.recip()), Ordering::Less);
    assert_eq!(sign_of_linear(&one, &one, &-vast.recip()), Ordering::Greater);
}

#[test]
fn the_sign_of_a_linear_form_on_both_sides_of_zero() {
    for k in [2, 3, 10] {
        let q = ratio(1, k);
        for (n, (p, d)) in convergents(k, 150).into_iter().enumerate() {
            let (p, d) = (Rational::from(p), Rational::from(d));
            // pₙ − qₙ·e^(1/k) < 0 exactly for even n; the last are within 2^−200 of zero.
            let sign = if n % 2 == 0 { Ordering::Less } else { Ordering::Greater };
            assert_eq!(sign_of_linear(&p, &d, &q), sign);
            assert_eq!(sign_of_linear(&-&p, &-&d, &q), sign.reverse());
            // qₙ − pₙ·e^(−1/k) has the other sign.
            assert_eq!(sign_of_linear(&d, &p, &-&q), sign.reverse());
        }
        let (_, last) = convergents(k, 150).pop().unwrap();
        assert!(last.bits() > 200);
    }
}

proptest! {
    #![proptest_config(config(128))]

    #[test]
    fn exponentials_agree_with_the_plain_series(q in rationals(40), bits in 0u64..200) {
        let enclosure = enclose_exp(&q, bits);
        prop_assert!(enclosure.width() <= BigInt::one());
        let (low, high) = exp_by_series(&q, 260);
        prop_assert!(meet(&enclosure, &low, &high));
    }

    #[test]
    fn exponentials_multiply(a in rationals(30), b in rationals(30), bits in 8u64..150) {
        let product = enclose_exp(&a, bits).times(&enclose_exp(&b, bits));
        let sum = enclose_exp(&(a + b), bits);
        prop_assert!(meet(&product, &sum.low(), &sum.high()));
    }

    #[test]
    fn logarithms_invert_exponentials(q in rationals(1000), bits in 1u64..120) {
        let q = q.abs() + ratio(1, 1000);
        let ln = enclose_ln(&q, bits).unwrap();
        prop_assert!(ln.width() <= BigInt::one());
        // e^low ≤ q ≤ e^high.
        let one = Rational::one();
        prop_assert_ne!(sign_of_linear(&q, &one, &ln.low()), Ordering::Less);
        prop_assert_ne!(sign_of_linear(&q, &one, &ln.high()), Ordering::Greater);
        let inverse = enclose_ln(&q.recip(), bits).unwrap();
        prop_assert_eq!((inverse.low(), inverse.high()), (-ln.high(), -ln.low()));
    }

    #[test]
    fn roots_invert_squares(c in rationals(1000), bits in 0u64..200) {
        let c = c.abs();
        let root = enclose_root(&c, bits).unwrap();
        prop_assert!(root.width() <= BigInt::one());
        prop_assert!(!root.low().is_negative());
        prop_assert!(root.low().pow(2) <= c && c <= root.high().pow(2));
        let square = enclose_root(&(&c * &c), bits).unwrap();
        prop_assert_eq!(square, Enclosure::of(&c, bits));
    }

    #[test]
    fn enclosures_are_nested(q in rationals(300), bits in 0u64..100, more in 0u64..100) {
        prop_assert!(nested(&enclose_exp(&q, bits), &enclose_exp(&q, bits + more)));
        let c = q.abs() + ratio(1, 7);
        let both = |f: fn(&Rational, u64) -> Option<Enclosure>| {
            nested(&f(&c, bits).unwrap(), &f(&c, bits + more).unwrap())
        };
        prop_assert!(both(enclose_ln));
        prop_assert!(both(enclose_root));
    }

    #[test]
    fn linear_signs_agree_with_the_plain_series(
        a in rationals(60), b in rationals(60), q in rationals(20)
    ) {
        let (low, high) = exp_by_series(&q, 100);
        let (x, y) = (&a - &b * &low, &a - &b * &high);
        let sign = sign_of_linear(&a, &b, &q);
        if x.signum() == y.signum() {
            prop_assert_eq!(sign, x.cmp(&Rational::zero()));
        } else {
            prop_assert!(q.is_zero() && sign == a.cmp(&b));
        }
    }

    #[test]
    fn root_signs_agree_with_enclosures(a in rationals(60), b in rationals(60), c in rationals(60)) {
        let c = c.abs();
        let root = enclose_root(&c, 100).unwrap();
        let (x, y) = (&a + &b * root.low(), &a + &b * root.high());
        // With these sizes |a + b√c| is 0 or above 2^−60: its product with |a − b√c| is a
        // rational with a denominator below 60^5.
        let expected = if x.signum() == y.signum() { x.cmp(&Rational::zero()) } else { Ordering::Equal };
        prop_assert_eq!(sign_with_root(&a, &b, &c), Some(expected));
    }

    #[test]
    fn rational_roots_cancel(b in rationals(60), r in rationals(60)) {
        let (r, tiny) = (r.abs(), ratio(1, i64::MAX));
        let (a, c) = (-&b * &r, &r * &r);
        prop_assert_eq!(sign_with_root(&a, &b, &c), Some(Ordering::Equal));
        prop_assert_eq!(sign_with_root(&(&a + &tiny), &b, &c), Some(Ordering::Greater));
        prop_assert_eq!(sign_with_root(&(a - tiny), &b, &c), Some(Ordering::Less));
        prop_assert_eq!(sign_with_root(&b, &b, &-(c + ratio(1, 2))), None);
    }
}

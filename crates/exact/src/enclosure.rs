//! Enclosures of eᵠ, ln q and √c by integers alone, and the exact signs that rest on them.
//!
//! Every enclosure is the *tightest at its number of bits*: for a real x it is the interval from
//! ⌊2^b·x⌋/2^b to ⌈2^b·x⌉/2^b. So it depends on nothing but x and b, its width is at most 2^−b,
//! and enclosures of x are nested as b grows (⌊2^(b+1)·x⌋ ≥ 2⌊2^b·x⌋, and likewise above).

use std::cmp::Ordering;

use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::interval::Enclosure;
use super::rational::{BigInt, BigUint, Rational};

/// Rounds ever finer enclosures of an *irrational* number x to the tightest one at `bits` bits.
///
/// `at(w)` must hold x, with a width that tends to 0 as w grows. Once an enclosure rounded outwards
/// is one unit wide, its ends are ⌊2^b·x⌋ and ⌈2^b·x⌉, as x itself is none of the multiples of
/// 2^−b. For the same reason the loop ends: x has a positive distance from those multiples.
fn refine(bits: u64, guard: u64, at: impl Fn(u64) -> Enclosure) -> Enclosure {
    let mut guard = guard;
    loop {
        let rounded = at(bits + guard).coarsen(bits);
        if rounded.width() <= BigInt::one() {
            return rounded;
        }
        guard *= 2;
    }
}

/// How often |q| must be halved to be at most 2^−8.
///
/// With p < 2^(bits of p) and d ≥ 2^(bits of d − 1): p·2^8 ≤ d·2^h once h is the number below.
fn halvings(p: &BigUint, d: &BigUint) -> u64 {
    (p.bits() + 9).saturating_sub(d.bits())
}

/// Bounds on 2^`w`·e^(`p`/`d`), for positive `p` and `d`.
///
/// Let r = p/(d·2^h) ≤ 2^−8. The terms T₀ = 1, Tₙ = Tₙ₋₁·r/n of Taylor's series are bounded by
/// integers, rounded down and up, in units of 2^−w. As r/(n+1) ≤ 1/2, what follows a term is at
/// most that term, Tₙ(1/2 + 1/4 + …) ≤ Tₙ, so the upper bound of the last term, counted twice,
/// covers the tail. Squaring h times gives (eʳ)^(2^h) = e^(p/d); squaring is monotone on positive
/// numbers, so it keeps bounds that are rounded down and up.
///
/// The loop ends since the upper bounds shrink to 1. The bounds converge: with N terms they differ
/// by at most 2N + 2 units before the squarings, and N grows only linearly in w.
fn exp_bounds(p: &BigUint, d: &BigUint, w: u64) -> (BigUint, BigUint) {
    let h = halvings(p, d);
    let divisor = d << h;
    let unit = BigUint::one() << w;
    let (mut term_low, mut term_high) = (unit.clone(), unit.clone());
    let (mut low, mut high) = (unit.clone(), unit);
    let mut n = BigUint::one();
    loop {
        let by = &divisor * &n;
        term_low = term_low * p / &by;
        term_high = (term_high * p).div_ceil(&by);
        low += &term_low;
        high += &term_high;
        if term_high <= BigUint::one() {
            break;
        }
        n += 1u32;
    }
    high += term_high;
    let mask = (BigUint::one() << w) - 1u32;
    for _ in 0..h {
        low = (&low * &low) >> w;
        high = (&high * &high + &mask) >> w;
    }
    (low, high)
}

/// An enclosure of eᵠ for q ≠ 0 at `w` bits, not yet the tightest.
fn exp_at(q: &Rational, w: u64) -> Enclosure {
    let (p, d) = (q.numer().magnitude(), q.denom().magnitude());
    if q.is_positive() {
        let (low, high) = exp_bounds(p, d, w);
        return Enclosure::new(low.into(), high.into(), w);
    }
    // As e > 2, e^−x < 2^−x ≤ 2^−w for x ≥ w.
    if *p >= d * w {
        return Enclosure::new(BigInt::zero(), BigInt::one(), w);
    }
    // 1/e^x decreases in e^x, which is at least 1 here, so the lower bound is not 0.
    let (low, high) = exp_bounds(p, d, w);
    let square = BigUint::one() << (2 * w);
    Enclosure::new((&square / high).into(), square.div_ceil(&low).into(), w)
}

/// The tightest enclosure of eᵠ at `bits` bits; exact for q = 0.
///
/// For rational q ≠ 0, eᵠ is irrational (Lambert 1761), which is what the refinement needs.
/// The time and memory grow with q itself when it is positive, as eᵠ has about 1.44·q binary
/// digits before the point; [`sign_of_linear`] does not have this cost.
///
/// # Panics
///
/// If q is 2^64 or more.
pub fn enclose_exp(q: &Rational, bits: u64) -> Enclosure {
    if q.is_zero() {
        return Enclosure::integer(&BigInt::one(), bits);
    }
    let size = if q.is_positive() {
        q.ceil().to_integer().to_u64().expect("e^q with q below 2^64 can be written down")
    } else {
        0
    };
    let guard = 32 + halvings(q.numer().magnitude(), q.denom().magnitude()) + 2 * size;
    refine(bits, guard, |w| exp_at(q, w))
}

/// Bounds on 2^`w`·artanh(`u`/`v`), for 0 ≤ `u`/`v` ≤ 1/3.
///
/// artanh z = Σ z^(2i+1)/(2i+1). The powers are bounded by integers, rounded down and up. What
/// follows from the term with exponent n on is at most zⁿ/n·(1 + z² + z⁴ + …) ≤ zⁿ/n · 9/8 ≤ zⁿ.
fn artanh_bounds(u: &BigUint, v: &BigUint, w: u64) -> (BigUint, BigUint) {
    let (mut power_low, rest) = (u << w).div_rem(v);
    let mut power_high = &power_low + u32::from(!rest.is_zero());
    let (u2, v2) = (u * u, v * v);
    let (mut low, mut high) = (power_low.clone(), power_high.clone());
    let mut n = BigUint::one();
    loop {
        power_low = power_low * &u2 / &v2;
        power_high = (power_high * &u2).div_ceil(&v2);
        if power_high <= BigUint::one() {
            return (low, high + power_high);
        }
        n += 2u32;
        low += &power_low / &n;
        high += power_high.div_ceil(&n);
    }
}

/// An enclosure of ln q for q > 0 at `w` bits, not yet the tightest.
///
/// With q = 2^e·m and 1 ≤ m < 2: ln q = e·ln 2 + ln m, where ln m = 2·artanh((m−1)/(m+1)) and the
/// argument is below 1/3; in particular ln 2 = 2·artanh(1/3).
fn ln_at(q: &Rational, e: i64, w: u64) -> Enclosure {
    let two_artanh = |u: &BigUint, v: &BigUint| {
        let (low, high) = artanh_bounds(u, v, w);
        Enclosure::new((low << 1u32).into(), (high << 1u32).into(), w)
    };
    let (mut p, mut d) = (q.numer().magnitude().clone(), q.denom().magnitude().clone());
    if e >= 0 {
        d <<= e.unsigned_abs();
    } else {
        p <<= e.unsigned_abs();
    }
    let mantissa = two_artanh(&(&p - &d), &(&p + &d));
    if e == 0 {
        return mantissa;
    }
    let ln_two = two_artanh(&BigUint::one(), &BigUint::from(3u32));
    mantissa.plus(&ln_two.times_integer(&BigInt::from(e)))
}

/// ⌊log₂ q⌋ for q > 0.
fn floor_log2(q: &Rational) -> i64 {
    let size = |n: &BigInt| i64::try_from(n.bits()).expect("the length of a number fits");
    // q lies strictly between 2^(e−1) and 2^(e+1).
    let e = size(q.numer()) - size(q.denom());
    let (mut p, mut d) = (q.numer().clone(), q.denom().clone());
    if e >= 0 {
        d <<= e.unsigned_abs();
    } else {
        p <<= e.unsigned_abs();
    }
    if p < d { e - 1 } else { e }
}

/// The tightest enclosure of ln q at `bits` bits, exact for q = 1; `None` unless q > 0.
///
/// For rational q > 0 other than 1, ln q is irrational: if it were p/d, then e^p = q^d would be
/// rational, against Lambert.
pub fn enclose_ln(q: &Rational, bits: u64) -> Option<Enclosure> {
    if !q.is_positive() {
        return None;
    }
    if q.is_one() {
        return Some(Enclosure::integer(&BigInt::zero(), bits));
    }
    let e = floor_log2(q);
    let guard = 32 + BigInt::from(e).bits();
    Some(refine(bits, guard, |w| ln_at(q, e, w)))
}

/// The tightest enclosure of √c at `bits` bits; `None` for negative c.
///
/// ⌊2^b·√(p/d)⌋ = ⌊√⌊4^b·p/d⌋⌋, since an integer is at most √x exactly if its square is at most
/// ⌊x⌋; the root is that integer exactly if its square is 4^b·p/d.
pub fn enclose_root(c: &Rational, bits: u64) -> Option<Enclosure> {
    if c.is_negative() {
        return None;
    }
    let lifted = c.numer() << (2 * bits);
    let low = (&lifted / c.denom()).sqrt();
    let exact = &low * &low * c.denom() == lifted;
    let high = if exact { low.clone() } else { &low + 1 };
    Some(Enclosure::new(low, high, bits))
}

/// The sign of a − b·eᵠ.
///
/// For q = 0 or when a or b is zero this is arithmetic. Otherwise a − b·eᵠ ≠ 0, since by Lindemann's
/// theorem eᵠ is transcendental, and in particular not the rational a/b; so the enclosures, whose
/// widths tend to 0, exclude zero after finitely many refinements. Of e^q and e^−q the one below 1
/// is enclosed, so that a large q costs nothing.
pub fn sign_of_linear(a: &Rational, b: &Rational, q: &Rational) -> Ordering {
    if q.is_zero() {
        return a.cmp(b);
    }
    if q.is_positive() {
        // e^q > 0 times the sign of a·e^−q − b.
        sign_of_decayed(a, b, &-q)
    } else {
        sign_of_decayed(b, a, q).reverse()
    }
}

/// The sign of u·s − v, where s = eᵠ for q < 0.
fn sign_of_decayed(u: &Rational, v: &Rational, q: &Rational) -> Ordering {
    let zero = Rational::zero();
    if u.is_zero() || v.is_zero() || u.is_positive() != v.is_positive() {
        // The two terms do not compete: u·s has the sign of u.
        return match u.cmp(&zero) {
            Ordering::Equal => zero.cmp(v),
            sign => sign,
        };
    }
    let (left, right) = (u.numer() * v.denom(), v.numer() * u.denom());
    let mut bits = 64;
    loop {
        let s = exp_at(q, bits);
        if let Some(sign) = s.times_integer(&left).plus_integer(&-&right).sign() {
            return sign;
        }
        bits *= 2;
    }
}

/// The sign of a + b√c, by squaring; `None` for negative c.
///
/// If a and b√c have opposite signs, the larger magnitude decides, and magnitudes compare as their
/// squares a² and b²c do.
pub fn sign_with_root(a: &Rational, b: &Rational, c: &Rational) -> Option<Ordering> {
    if c.is_negative() {
        return None;
    }
    let zero = Rational::zero();
    let first = a.cmp(&zero);
    let second = if c.is_zero() { Ordering::Equal } else { b.cmp(&zero) };
    Some(match (first, second) {
        (sign, Ordering::Equal) | (Ordering::Equal, sign) => sign,
        (x, y) if x == y => x,
        _ => match (a * a).cmp(&(b * b * c)) {
            Ordering::Greater => first,
            Ordering::Less => second,
            Ordering::Equal => Ordering::Equal,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At few bits the terms are often exact, so that nothing but the tail covers the remainder.
    /// The references have 64 more bits and a guard besides; the integration tests hold them
    /// against the plain series.
    #[test]
    fn kernels_hold_the_value_at_every_precision() {
        let holds = |coarse: &Enclosure, fine: &Enclosure| {
            coarse.low() <= fine.low() && fine.high() <= coarse.high()
        };
        for d in (1..40).chain([64, 256, 512, 1 << 12]) {
            for p in (1..12).chain([64, 256]) {
                let q = Rational::new(p.into(), d.into());
                for w in 0..20 {
                    let fine = enclose_exp(&q, w + 64);
                    assert!(holds(&exp_at(&q, w), &fine), "e^{q} at {w} bits");
                    let fine = enclose_exp(&-&q, w + 64);
                    assert!(holds(&exp_at(&-&q, w), &fine), "e^-{q} at {w} bits");
                    let fine = enclose_ln(&q, w + 64).unwrap();
                    assert!(holds(&ln_at(&q, floor_log2(&q), w), &fine), "ln {q} at {w} bits");
                }
            }
        }
    }

    #[test]
    fn binary_logarithms_are_rounded_down() {
        for (p, d, e) in [(1, 1, 0), (2, 1, 1), (3, 1, 1), (1, 3, -2), (1, 4, -2), (7, 8, -1)] {
            assert_eq!(floor_log2(&Rational::new(p.into(), d.into())), e, "{p}/{d}");
        }
    }
}

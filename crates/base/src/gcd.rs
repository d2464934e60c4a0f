//! The greatest common divisor of large naturals: Lehmer's algorithm, as in Knuth, *The Art of Computer
//! Programming*, volume 2, 4.5.2, Algorithm L.
//!
//! The quotients that Euclid's algorithm divides two large numbers with are for a while those of their
//! leading 63 bits: as long as rounding these up or down makes no difference. So many of its steps are
//! done on words, and applied to the large numbers at once. Where not one step is certain, the numbers
//! are divided as they are, which also brings numbers of unequal size together.

use num_integer::Integer as _;
use num_traits::ToPrimitive as _;

use super::rational::BigUint;

/// The leading bits that steps are done on.
const LEADING: u64 = 63;

/// The greatest common divisor; gcd(0, a) = a.
pub(crate) fn gcd(first: &BigUint, second: &BigUint) -> BigUint {
    let [mut a, mut b] = if first < second {
        [second.clone(), first.clone()]
    } else {
        [first.clone(), second.clone()]
    };
    loop {
        if let Some(small) = b.to_u128() {
            let Some(rest) = (small != 0).then(|| (&a % small).to_u128().unwrap_or(0)) else {
                return a;
            };
            return BigUint::from(small_gcd(small, rest));
        }
        if let Some(steps) = Steps::certain(&a, &b) {
            [a, b] = steps.apply(&a, &b);
        } else {
            a %= &b;
            std::mem::swap(&mut a, &mut b);
        }
    }
}

/// Euclid on 64-bit words where the numbers allow it: most weights do.
pub(crate) fn small_gcd(a: u128, b: u128) -> u128 {
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => u128::from(a.gcd(&b)),
        _ => a.gcd(&b),
    }
}

/// What several steps of Euclid's algorithm make of two numbers a and b: `p·a + q·b` and `r·a + s·b`,
/// where p and q have opposite signs, and r and s too.
#[derive(Debug, Clone, Copy)]
struct Steps {
    rows: [[i128; 2]; 2],
}

impl Steps {
    /// The steps that the leading bits of a ≥ b decide; none when there is not one.
    fn certain(a: &BigUint, b: &BigUint) -> Option<Self> {
        let shift = a.bits().saturating_sub(LEADING);
        let leading = |n: &BigUint| (n >> shift).to_i128();
        let [mut x, mut y] = [leading(a)?, leading(b)?];
        // The true leading parts are between x + rows[0][0] and x + rows[0][1], in some order.
        let [[mut p, mut q], [mut r, mut s]] = [[1, 0], [0, 1]];
        while y + r != 0 && y + s != 0 {
            let quotient = (x + p) / (y + r);
            if quotient != (x + q) / (y + s) {
                break;
            }
            (p, r) = (r, p - quotient * r);
            (q, s) = (s, q - quotient * s);
            (x, y) = (y, x - quotient * y);
        }
        (q != 0).then_some(Self { rows: [[p, q], [r, s]] })
    }

    fn apply(self, a: &BigUint, b: &BigUint) -> [BigUint; 2] {
        self.rows.map(|[p, q]| {
            let [of_a, of_b] = [a * p.unsigned_abs(), b * q.unsigned_abs()];
            if q < 0 { of_a - of_b } else { of_b - of_a }
        })
    }
}

#[cfg(test)]
mod tests {
    use littlestone_properties::config;
    use num_integer::Integer as _;
    use proptest::prelude::*;

    use super::*;

    fn numbers() -> impl Strategy<Value = BigUint> {
        prop_oneof![
            proptest::collection::vec(any::<u32>(), 0..40),
            // Long runs of ones and zeros, where rounding matters.
            proptest::collection::vec(prop_oneof![Just(0), Just(u32::MAX), Just(1)], 0..20),
        ]
        .prop_map(BigUint::new)
    }

    /// `F_n`, with which Euclid's algorithm takes the most steps (Lamé).
    fn fibonacci(n: usize) -> BigUint {
        let [mut a, mut b] = [BigUint::ZERO, BigUint::from(1u32)];
        for _ in 0..n {
            [a, b] = [b.clone(), a + b];
        }
        a
    }

    #[test]
    fn divisors_of_fibonacci_numbers_are_fibonacci_numbers() {
        // gcd(F_m, F_n) = F_gcd(m, n) (Lucas 1876).
        for (m, n) in [(1000, 999), (1200, 900), (2000, 1999), (1024, 512), (600, 0)] {
            assert_eq!(gcd(&fibonacci(m), &fibonacci(n)), fibonacci(m.gcd(&n)));
        }
    }

    /// Each application of steps on leading bits takes off about as many bits as the cofactors have, half
    /// of a word: so numbers of 1,400 bits, which need 2,000 divisions, need no more than 60 of these.
    #[test]
    fn steps_on_leading_bits_take_off_half_a_word() {
        let [mut a, mut b] = [fibonacci(2000), fibonacci(1999)];
        let mut applied = 0;
        while b.bits() > 128 {
            let before = a.bits();
            let steps = Steps::certain(&a, &b).expect("quotients of 1 are certain");
            [a, b] = steps.apply(&a, &b);
            assert!(b < a && a.bits() + 20 < before, "{before} to {} bits", a.bits());
            applied += 1;
        }
        assert!((20..60).contains(&applied), "{applied}");
    }

    proptest! {
        #![proptest_config(config(256))]

        #[test]
        fn agrees_with_the_binary_algorithm(a in numbers(), b in numbers(), c in numbers()) {
            let [a, b] = [a * &c, b * c];
            prop_assert_eq!(gcd(&a, &b), a.gcd(&b));
            prop_assert_eq!(gcd(&b, &a), a.gcd(&b));
        }
    }
}

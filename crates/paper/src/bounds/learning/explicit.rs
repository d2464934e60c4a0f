//! Theorem 1 with the constants of its proof.
//!
//! The proof shows `E[I_m]` ≤ 120p² + 40mp³ + 60mpδ, of which (1) is a simpler form. If that is at most 1/4 at
//! m = L − 1 for L = ⌊log₃ T⌋, it is for all t < L, and by Lemma 1 each of the L stages contributes at least
//! (p/6)(1 − 1/2) mistakes: Lp/12 in all. And for every T, a fair bit as the label of the first round costs 1/2.

use num_traits::One;

use littlestone_exact::{BigInt, BigUint, Rational};

/// Binary digits of p after its leading ones.
const BITS: u64 = 64;

/// ⌊log₃ `rounds`⌋ for `rounds` ≥ 1.
pub fn stages(rounds: &BigUint) -> u64 {
    // 0.63 < log₃ 2, so the first power is not too large: 3^(0.63·(bits − 1)) < 2^(bits − 1).
    let mut stages = (rounds.bits().max(1) - 1) * 63 / 100;
    let three = BigUint::from(3u8);
    let exponent = u32::try_from(stages).expect("T has fewer than 2^32 digits");
    let mut power = three.pow(exponent) * &three;
    while power <= *rounds {
        power *= &three;
        stages += 1;
    }
    stages
}

/// A p in (0, 1] with 120p² + 40mp³ + 60mpδ ≤ 1/4 for m = L − 1, within a part in 2^64 of the greatest, and Lp/12.
///
/// `stages` is L ≥ 1, `delta` is δ ≥ 0.
pub fn probability(stages: u64, delta: &Rational) -> (Rational, Rational) {
    let l = Rational::from(BigInt::from(stages));
    let bound = Rational::new(1.into(), 4.into());
    let fits = |p: &Rational| left(stages, p, delta) <= bound;
    // All three terms grow with p, and p = 1 does not fit, as already p² = 1 is too much.
    let denominator = BigInt::one() << (BITS + 64 - u64::from(stages.leading_zeros()));
    let (mut low, mut high) = (BigInt::from(0), denominator.clone());
    while &high - &low > BigInt::one() {
        let middle: BigInt = (&low + &high) >> 1;
        if fits(&Rational::new(middle.clone(), denominator.clone())) {
            low = middle;
        } else {
            high = middle;
        }
    }
    let p = Rational::new(low, denominator);
    let value = &l * &p / Rational::from(BigInt::from(12));
    (p, value)
}

/// 120p² + 40mp³ + 60mpδ for m = `stages` − 1.
fn left(stages: u64, p: &Rational, delta: &Rational) -> Rational {
    let whole = |n: u64| Rational::from(BigInt::from(n));
    let m = whole(stages.saturating_sub(1));
    let square = p * p;
    whole(120) * &square + whole(40) * &m * square * p + whole(60) * m * p * delta
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_whole_logarithms() {
        for (rounds, expected) in [(1u32, 0), (2, 0), (3, 1), (8, 1), (9, 2), (26, 2), (27, 3)] {
            assert_eq!(stages(&rounds.into()), expected, "{rounds}");
        }
        for exponent in [40u32, 500, 1001] {
            let power = BigUint::from(3u8).pow(exponent);
            assert_eq!(stages(&power), u64::from(exponent));
            assert_eq!(stages(&(power - 1u8)), u64::from(exponent - 1));
        }
    }

    /// By hand: at δ = 0 the bound Lp/12 passes 1/2 where p = 6/L satisfies
    /// 120·36/L² + 40(L − 1)·216/L³ ≤ 1/4, so L³ ≥ 51840 L − 34560, from L = 227.4 on.
    #[test]
    fn the_bound_passes_a_half_at_228_stages() {
        let half = Rational::new(1.into(), 2.into());
        let zero = Rational::from(BigInt::from(0));
        assert!(probability(227, &zero).1 < half);
        assert!(probability(228, &zero).1 > half);
    }

    #[test]
    fn the_probability_is_nearly_the_greatest() {
        for (stages, delta) in [(1, "0"), (12, "1/20"), (100_000, "1/4"), (7, "0")] {
            let delta = littlestone_exact::parse_rational(delta).unwrap();
            let p = probability(stages, &delta).0;
            let bound = Rational::new(1.into(), 4.into());
            let more = &p * Rational::new((BigInt::one() << 50) + 1, BigInt::one() << 50);
            let [least, next] = [&p, &more].map(|p| left(stages, p, &delta));
            assert!(least <= bound && next > bound, "{stages} {delta}");
        }
    }
}

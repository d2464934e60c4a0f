//! An explicit lower bound for every private learner: one point with one unknown label, shown again and again.
//!
//! Let two functions differ at x, and compare the streams (x,0), (x,0), … and (x,1), (x,1), …. Before round
//! k + 1 they differ in k records. With `e_0` and `e_1` the probabilities of a mistake there and
//! `δ_k = δ Σ_{j<k} e^{jε}`, Fact 1 says `1 − e_0 ≤ e^{kε} e_1 + δ_k`, and the same with `e_0` and `e_1`
//! exchanged. Both together give `e_0 + e_1 ≥ 2(1 − δ_k)/(e^{kε} + 1)`. So one of the two streams of n rounds costs
//! at least `S(n) = Σ_{k<n} max{0, 1 − δ_k}/(e^{kε} + 1)`.
//!
//! In a tree of depth d that is shattered, a node on a path gives such a point whatever the labels before it
//! are (Theorem 2): d phases of ⌊T/d⌋ rounds, or one more, cost the sum.
//!
//! All is computed with rational numbers that are rounded so that the bound can only become smaller. Only the
//! first rounds are added one by one; after them the least term of a block stands for all of it.

use num_traits::{One, Zero};

use littlestone_exact::{BigInt, BigUint, Rational};

/// Binary digits after the point.
const BITS: u64 = 96;

/// So many terms are added with one size of blocks, before it doubles.
const TERMS: u32 = 256;

/// A number of rounds, with upper bounds on e^{kε} and on Σ_{j<k} e^{jε} for them.
#[derive(Debug, Clone)]
struct Step {
    rounds: BigUint,
    power: Rational,
    sum: Rational,
}

impl Step {
    /// Both one after the other.
    fn then(&self, other: &Self) -> Self {
        Self {
            rounds: &self.rounds + &other.rounds,
            power: above(&(&self.power * &other.power)),
            sum: above(&(&self.sum + &self.power * &other.sum)),
        }
    }
}

fn scaled(value: &Rational) -> Rational {
    value * Rational::from_integer(BigInt::one() << BITS)
}

/// The next number of [`BITS`] digits that is not below.
fn above(value: &Rational) -> Rational {
    Rational::new(scaled(value).ceil().to_integer(), BigInt::one() << BITS)
}

/// The next one that is not above.
fn below(value: &Rational) -> Rational {
    Rational::new(scaled(value).floor().to_integer(), BigInt::one() << BITS)
}

/// A rational number that is at most S(`rounds`), for `factor` ≥ e^ε and `delta` ≥ δ.
fn phase(rounds: &BigUint, factor: &Rational, delta: &Rational) -> Rational {
    let one = Rational::one;
    if factor.is_one() {
        return without_epsilon(rounds, delta);
    }
    let term = |at: &Step| {
        let left = one() - delta * &at.sum;
        if left <= Rational::zero() {
            Rational::zero()
        } else {
            below(&(left / (&at.power + one())))
        }
    };
    let single = Step { rounds: BigUint::one(), power: above(factor), sum: one() };
    // Blocks of 1, 2, 4, … rounds.
    let mut steps = vec![single];
    let mut at = Step { rounds: BigUint::zero(), power: one(), sum: Rational::zero() };
    let (mut total, mut terms, mut level) = (Rational::zero(), 0, 0);
    while at.rounds < *rounds {
        let left = rounds - &at.rounds;
        while steps[level].rounds > left {
            level -= 1;
        }
        let next = at.then(&steps[level]);
        // The first term of a block of one round, and less than the last one of a longer block.
        let value = term(if level == 0 { &at } else { &next });
        if value.is_zero() {
            break;
        }
        total += value * Rational::from_integer(BigInt::from(steps[level].rounds.clone()));
        at = next;
        terms += 1;
        if terms % TERMS == 0 && steps[level].rounds <= left {
            let double = steps[level].then(&steps[level]);
            steps.truncate(level + 1);
            steps.push(double);
            level += 1;
        }
    }
    total
}

/// S(`rounds`) at ε = 0, where its terms (1 − kδ)/2 do not decay, so that there may be as many as rounds.
fn without_epsilon(rounds: &BigUint, delta: &Rational) -> Rational {
    let mut terms = BigInt::from(rounds.clone());
    if !delta.is_zero() {
        terms = terms.min(delta.recip().ceil().to_integer());
    }
    let terms = Rational::from_integer(terms);
    let half = Rational::new(1.into(), 2.into());
    &terms * &half - delta * &terms * (&terms - Rational::one()) * &half * &half
}

/// A rational number that is at most the expected mistakes of every private learner on its worst realisable
/// stream of `rounds` records, for a class of dimension `dimension` ≥ 1, `factor` ≥ e^ε and `delta` ≥ δ.
pub fn bound(dimension: usize, rounds: &BigUint, factor: &Rational, delta: &Rational) -> Rational {
    let phases = BigUint::from(dimension.max(1));
    let (each, longer) = (rounds / &phases, rounds % &phases);
    let count = |phases: BigUint| Rational::from_integer(BigInt::from(phases));
    let shorter = count(&phases - &longer) * phase(&each, factor, delta);
    if longer.is_zero() {
        return shorter;
    }
    shorter + count(longer) * phase(&(each + 1u8), factor, delta)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rational(text: &str) -> Rational {
        littlestone_exact::parse_rational(text).unwrap()
    }

    fn of(dimension: usize, rounds: u32, factor: &str, delta: &str) -> Rational {
        bound(dimension, &rounds.into(), &rational(factor), &rational(delta))
    }

    /// Less than the exact number by at most what rounding takes.
    fn nearly(found: &Rational, exact: &str) {
        let exact = rational(exact);
        assert!(*found <= exact && &exact - found < rational("1/10^20"), "{found} {exact}");
    }

    /// By hand: 1/2, 1/2 + 1/3 and 1/2 + 1/3 + 1/5 at e^ε = 2; with δ = 1/4 the terms are (3/4)/3 and
    /// (1 − 3/4)/5; and with d = 2 three rounds are two phases, of two and of one.
    #[test]
    fn sums_by_hand() {
        nearly(&of(1, 1, "2", "0"), "1/2");
        nearly(&of(1, 2, "2", "0"), "5/6");
        nearly(&of(1, 3, "2", "0"), "31/30");
        nearly(&of(1, 3, "2", "1/4"), "4/5");
        nearly(&of(1, 9, "2", "1"), "1/2");
        nearly(&of(2, 3, "2", "0"), "4/3");
        nearly(&of(3, 2, "2", "0"), "1");
        nearly(&of(1, 7, "1", "0"), "7/2");
        // 1/2 + 3/8 + 1/4 + 1/8, and nothing after.
        nearly(&of(1, 3, "1", "1/4"), "9/8");
        nearly(&of(1, 9, "1", "1/4"), "5/4");
        nearly(&of(2, 4, "1", "2/3"), "4/3");
    }

    /// With blocks, too, the sum is below the one that is added term by term, and near it.
    #[test]
    fn blocks_lose_little() {
        let factor = rational("1001/1000");
        for rounds in [255u32, 256, 257, 300, 1000, 3000] {
            let found = bound(1, &rounds.into(), &factor, &Rational::zero());
            let (mut exact, mut power) = (Rational::zero(), Rational::one());
            for _ in 0..rounds {
                exact += below(&(Rational::one() / (&power + Rational::one())));
                power = below(&(&power * &factor));
            }
            let margin = rational("1/10^9") + &exact / Rational::from_integer(100.into());
            assert!(found <= &exact + rational("1/10^9") && &exact - &found < margin, "{rounds}");
        }
        // Without ε every round costs 1/2, however many there are.
        let many = BigUint::from(10u8).pow(30);
        let half = bound(1, &many, &Rational::one(), &Rational::zero());
        assert_eq!(half, Rational::new(BigInt::from(many), 2.into()));
    }
}

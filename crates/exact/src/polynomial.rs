//! The arithmetic for weights in ℚ(t), t = eᵘ: integer Laurent polynomials.

use std::cmp::Ordering;

use num_integer::Integer;
use num_traits::{One, Zero};

use super::decay::Decay;
use super::epsilon::Epsilon;
use super::exponential::Exponential;
use super::laurent::Laurent;
use super::number::Number;
use super::rational::{BigInt, Rational};
use super::ring::Arithmetic;

/// Weights in ℤ[t, 1/t], with e^ε = a/b for such a and b: divergences are b·P − a·Q.
#[derive(Debug, Clone)]
pub struct Polynomial {
    /// 1/t = e^−u, shared by all clones.
    decay: Decay,
    a: Laurent,
    b: Laurent,
}

impl Polynomial {
    /// The arithmetic with t = e^`unit`; `None` unless `unit` is positive and e^ε is in ℚ(t).
    pub fn new(unit: Rational, epsilon: &Epsilon) -> Option<Self> {
        if unit <= Rational::zero() {
            return None;
        }
        let any = Self { decay: Decay::new(unit), a: Laurent::one(), b: Laurent::one() };
        any.with_factor(&epsilon.factor())
    }

    /// The same arithmetic for another e^ε; `None` unless it is a positive number of ℚ(t).
    pub fn with_factor(&self, factor: &Number) -> Option<Self> {
        let (a, b) = self.parts(factor).filter(|(a, _)| !a.is_zero())?;
        Some(Self { decay: self.decay.clone(), a, b })
    }

    /// The rational u with t = eᵘ.
    pub fn unit(&self) -> &Rational {
        self.decay.unit()
    }

    /// Numerator and positive denominator in powers of t, if the number has them.
    fn parts(&self, number: &Number) -> Option<(Laurent, Laurent)> {
        let (n, d) = match number {
            Number::Rational(q) => {
                (Laurent::constant(q.numer().clone()), Laurent::constant(q.denom().clone()))
            }
            Number::Exponential(x) if (x.unit() / self.unit()).is_integer() => {
                x.parts_in(self.unit())
            }
            Number::Exponential(_) => return None,
        };
        let (n, d) = match d.sign_at(&self.decay) {
            Ordering::Less => (-&n, -&d),
            _ => (n, d),
        };
        (n.sign_at(&self.decay) != Ordering::Less).then_some((n, d))
    }

    fn over(&self, numerator: &Laurent, denominator: Laurent) -> Number {
        let value = Exponential::new(self.unit().clone(), numerator.clone(), denominator);
        value.expect("a denominator that is not zero").into()
    }
}

/// A least common multiple of two polynomials that are not zero, in ℤ[t, 1/t].
fn lcm(a: &Laurent, b: &Laurent) -> Laurent {
    let content = a.content().lcm(&b.content());
    let (a, b) = (a.primitive(), b.primitive());
    let rest = b.checked_div(&a.gcd(&b)).expect("a divisor divides");
    (&a * &rest).scale(&content)
}

impl Arithmetic for Polynomial {
    type Weight = Laurent;
    type Gap = Laurent;
    type Value = Laurent;

    fn zero(&self) -> Laurent {
        Laurent::zero()
    }

    fn one(&self) -> Laurent {
        Laurent::one()
    }

    fn is_zero(&self, weight: &Laurent) -> bool {
        weight.is_zero()
    }

    fn add(&self, weight: &mut Laurent, other: &Laurent) {
        *weight += other;
    }

    fn mul(&self, a: &Laurent, b: &Laurent) -> Laurent {
        a * b
    }

    fn weight_cmp(&self, a: &Laurent, b: &Laurent) -> Ordering {
        (a - b).sign_at(&self.decay)
    }

    fn content<'a>(&self, weights: impl IntoIterator<Item = &'a Laurent>) -> Laurent {
        let mut divisor = BigInt::zero();
        let mut lowest: Option<i64> = None;
        for weight in weights.into_iter().filter(|w| !w.is_zero()) {
            if !divisor.is_one() {
                divisor = divisor.gcd(&weight.content());
            }
            lowest = Some(lowest.map_or(weight.offset(), |e| e.min(weight.offset())));
        }
        lowest.map_or_else(Laurent::one, |e| Laurent::monomial(divisor, e))
    }

    fn divide(&self, weight: &Laurent, divisor: &Laurent) -> Laurent {
        if let [c] = divisor.coefficients() {
            return weight.divide_integer(c).shift(-divisor.offset());
        }
        weight.checked_div(divisor).expect("a divisor divides")
    }

    fn gap(&self, p: &Laurent, q: &Laurent) -> Laurent {
        &(&self.b * p) - &(&self.a * q)
    }

    fn gap_zero(&self) -> Laurent {
        Laurent::zero()
    }

    fn gap_add(&self, gap: &mut Laurent, other: &Laurent) {
        *gap += other;
    }

    fn gap_scale(&self, gap: &Laurent, factor: &Laurent) -> Laurent {
        gap * factor
    }

    fn gap_sign(&self, gap: &Laurent) -> Ordering {
        gap.sign_at(&self.decay)
    }

    fn gap_positive(&self, gap: &Laurent) -> Option<Laurent> {
        (gap.sign_at(&self.decay) == Ordering::Greater).then(|| gap.clone())
    }

    fn gap_content<'a>(&self, gaps: impl IntoIterator<Item = &'a Laurent>) -> Laurent {
        self.content(gaps)
    }

    fn gap_divide(&self, gap: &Laurent, divisor: &Laurent) -> Laurent {
        self.divide(gap, divisor)
    }

    fn excess(&self, p: &Laurent, q: &Laurent) -> Option<Laurent> {
        let difference = &(&self.b * p) - &(&self.a * q);
        (difference.sign_at(&self.decay) == Ordering::Greater).then_some(difference)
    }

    fn value_zero(&self) -> Laurent {
        Laurent::zero()
    }

    fn value_add(&self, value: &mut Laurent, other: &Laurent) {
        *value += other;
    }

    fn value_scale(&self, value: &Laurent, factor: &Laurent) -> Laurent {
        value * factor
    }

    fn value_cmp(&self, a: &Laurent, b: &Laurent) -> Ordering {
        (a - b).sign_at(&self.decay)
    }

    fn number(&self, value: &Laurent, denominator: &Laurent) -> Number {
        self.over(value, &self.b * denominator)
    }

    fn weight_number(&self, weight: &Laurent, denominator: &Laurent) -> Number {
        self.over(weight, denominator.clone())
    }

    fn common(&self, numbers: &[Number]) -> Option<(Vec<Laurent>, Laurent)> {
        let parts: Option<Vec<_>> = numbers.iter().map(|n| self.parts(n)).collect();
        let parts = parts?;
        let mut denominator = parts.iter().fold(Laurent::one(), |all, (_, d)| lcm(&all, d));
        if denominator.sign_at(&self.decay) == Ordering::Less {
            denominator = -&denominator;
        }
        let lift = |(n, d): &(Laurent, Laurent)| {
            n * &denominator.checked_div(d).expect("a multiple of each denominator")
        };
        Some((parts.iter().map(lift).collect(), denominator))
    }
}

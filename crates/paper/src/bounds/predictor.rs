//! Theorem 3 in numbers: the parameters of Algorithms 2, 3 and 4 and the mistake bound of the
//! predictor that they make up (Sections 3 and 7).
//!
//! Algorithm 2 is run with ε' = ε/4, δ' = δ/8 and β = δ, as in Lemma 3; everything else has the
//! target parameters ε and δ. With a dimension d ≥ 1 and constants C0, C1, C and C':
//!
//! | name | value |
//! | --- | --- |
//! | n, s, N | ⌈C0 (d+1)^6⌉, (2^d n)^d 2^(d²), 2(d+1)s + 2 |
//! | k, K | ⌈C1 N² (n + 1/ε') ln(100Nn/(ε'δ'β))⌉, 2kn |
//! | `ε_0`, `δ_0` | ε'/(8N(N+d+1)), δ'/(8eN(N+d+1)) |
//! | `D_0`, `D_N` | ⌈C (K + (N²/ε²) ln²(32N/δ))⌉, 9^N `D_0` |
//! | a, b | ε/(4N), δ/(8N) |
//! | B, γ, D | K + 2·9^N `D_0`, δ/4, ⌈C' ε^(−2) ln(2/δ)⌉ |
//!
//! and the bound is 3B + 12d + 2D. The constants are unspecified in the paper. With C = 960 and C' = 615
//! the steps that need them are proved; of C0 and C1 each hypothesis says what it needs.

mod hypotheses;

use num_traits::{One, Pow, Signed, Zero};

use littlestone_base::error::{Error, Result};
use littlestone_exact::{BigInt, BigUint, Enclosure, Rational, show};

use super::size::EXACT_BITS;
use super::{Logs, Size};

pub use hypotheses::{Hypothesis, Status};

/// The greatest number of bits of N for which k is computed exactly: it takes a logarithm of N with
/// twice as many.
const EXACT_CANDIDATES: u64 = 4_096;

/// The greatest dimension.
pub const GREATEST_DIMENSION: u32 = 1_000_000;

/// Bits after the point of logarithms, beyond those that a multiple of them needs.
const BITS: u64 = 192;

/// The constants that the paper leaves unspecified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constants {
    /// C0 of n, above 0.
    pub c0: Rational,
    /// C1 of k, above 0.
    pub c1: Rational,
    /// C of `D_0` in (11), above 0.
    pub c: Rational,
    /// C' of Combine's D, above 0.
    pub combine: Rational,
}

/// What the bound is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The Littlestone dimension d, at most [`GREATEST_DIMENSION`].
    pub d: u32,
    /// ε in (0, 1], as in Theorem 3.
    pub epsilon: Rational,
    /// δ in (0, 1/10).
    pub delta: Rational,
    /// The constants.
    pub constants: Constants,
}

/// Which part of the predictor a quantity belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Algorithm 2.
    Candidates,
    /// Algorithm 3.
    Online,
    /// Algorithm 4, and the predictor of Fact 5.
    Combined,
}

/// A number with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quantity {
    /// Where it belongs.
    pub part: Part,
    /// Its name in JSON.
    pub key: &'static str,
    /// Its name in the paper.
    pub name: &'static str,
    /// How it is computed.
    pub formula: &'static str,
    /// What it is.
    pub value: Value,
}

/// A number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A natural number.
    Size(Size),
    /// A rational number.
    Rational(Rational),
    /// log2 of a positive number that is not shown exactly.
    Log2(Enclosure),
}

/// Theorem 3 at chosen parameters, for d ≥ 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Predictor {
    /// All parameters.
    pub quantities: Vec<Quantity>,
    /// What the proof needs of them.
    pub hypotheses: Vec<Hypothesis>,
    /// 3B + 12d + 2D.
    pub bound: Size,
    /// The least natural number c ≥ 1 with 3B + 12d + 2D ≤ 2^(2^(c(d+1)²)) ε^(−2) ln²(2/(εδ)); `None`
    /// where the enclosures do not decide it.
    pub least_c: Option<BigUint>,
    /// The precision of all enclosures.
    pub logs: Logs,
}

/// The parameters and the bound of Theorem 3; `None` for d = 0, when a fixed hypothesis makes no
/// mistake.
///
/// # Errors
/// As [`Asked::check`].
pub fn predictor(asked: &Asked) -> Result<Option<Predictor>> {
    asked.check()?;
    if asked.d == 0 {
        return Ok(None);
    }
    let numbers = Numbers::of(asked);
    let bound = numbers.bound();
    Ok(Some(Predictor {
        quantities: numbers.quantities(),
        hypotheses: hypotheses::of(&numbers),
        least_c: numbers.least_c(&bound),
        bound,
        logs: numbers.logs,
    }))
}

impl Asked {
    /// Checks that Theorem 3 speaks of them.
    ///
    /// # Errors
    /// When d is above [`GREATEST_DIMENSION`], a constant is not positive, or ε and δ are not as there;
    /// the message begins with the name of the option.
    pub fn check(&self) -> Result<()> {
        let refuse = |name: &str, expected: &str, found: &Rational| {
            Err(Error::argument(format!("{name}: expected {expected}, found {}", show(found))))
        };
        if self.d > GREATEST_DIMENSION {
            return Err(Error::argument(format!(
                "d: expected a dimension of at most {GREATEST_DIMENSION}, found {}",
                self.d
            )));
        }
        if !self.epsilon.is_positive() || self.epsilon > Rational::one() {
            return refuse("epsilon", "0 < ε ≤ 1 (Theorem 3)", &self.epsilon);
        }
        if !self.delta.is_positive() || self.delta >= Rational::new(1.into(), 10.into()) {
            return refuse("delta", "0 < δ < 1/10 (Theorem 3)", &self.delta);
        }
        let Constants { c0, c1, c, combine } = &self.constants;
        for (name, value) in [("c0", c0), ("c1", c1), ("c", c), ("combine_c", combine)] {
            if !value.is_positive() {
                return refuse(name, "a rational number above 0", value);
            }
        }
        Ok(())
    }
}

/// Everything that is computed, in the order of its computation.
#[derive(Debug)]
struct Numbers<'a> {
    asked: &'a Asked,
    logs: Logs,
    n: BigUint,
    s: Size,
    candidates: Size,
    groups: Size,
    batch: Size,
    first_delay: Size,
    last_delay: Size,
    mistakes: Size,
    combine: BigUint,
}

impl<'a> Numbers<'a> {
    fn of(asked: &'a Asked) -> Self {
        let d = BigUint::from(asked.d);
        let n = ceiling(&(&asked.constants.c0 * integer(&(&d + 1u32).pow(6u32))));
        let s = lists(asked.d, &n);
        let twice = (&d + 1u32) * 2u32;
        // Multiples of a logarithm by N are taken.
        let precision = s.exact().map_or(BITS, |s| BITS + s.bits() + twice.bits());
        let logs = Logs::new(precision);
        let candidates = if let Size::Exact(s) = &s {
            Size::Exact(&twice * s + 2u32)
        } else {
            let product = known(&s, &logs).plus(&logs.log2_natural(&twice));
            Size::Power(logs.log2_sum(&product, &logs.integer(1)))
        };
        let groups = groups(asked, &n, &candidates, &logs);
        let batch = match &groups {
            Size::Exact(k) => Size::Exact(k * &n * 2u32),
            _ => Size::Power(
                known(&groups, &logs).plus(&logs.log2_natural(&n)).plus_integer(&BigInt::one()),
            ),
        };
        let first_delay = first_delay(asked, &candidates, &batch, &logs);
        let last_delay = last_delay(&candidates, &first_delay, &logs);
        let mistakes = match (&last_delay, &batch) {
            (Size::Exact(delay), Size::Exact(batch)) => Size::Exact(batch + delay * 2u32),
            // 1 ≤ log2 B − log2 D_N ≤ 2, since 1/C is written down and 9^N is beyond all that can be.
            (Size::Tower(x), _) => Size::Tower(increased(x, 1, &logs)),
            _ => Size::Power(logs.log2_sum(
                &known(&last_delay, &logs).plus_integer(&BigInt::one()),
                &known(&batch, &logs),
            )),
        };
        let combine = combine_delay(asked);
        Self {
            asked,
            logs,
            n,
            s,
            candidates,
            groups,
            batch,
            first_delay,
            last_delay,
            mistakes,
            combine,
        }
    }

    /// log2 of a number that is not a tower.
    fn log2(&self, size: &Size) -> Enclosure {
        known(size, &self.logs)
    }

    /// N + d + 1.
    fn calls(&self) -> Size {
        let more = BigUint::from(self.asked.d) + 1u32;
        match &self.candidates {
            Size::Exact(n) => Size::Exact(n + more),
            other => {
                let logs = &self.logs;
                Size::Power(logs.log2_sum(&known(other, logs), &logs.log2_natural(&more)))
            }
        }
    }

    /// 3B + 12d + 2D.
    fn bound(&self) -> Size {
        let more = BigUint::from(self.asked.d) * 12u32 + &self.combine * 2u32;
        match &self.mistakes {
            Size::Exact(mistakes) => Size::Exact(mistakes * 3u32 + more),
            // log2(3B + 12d + 2D) − log2 B ≤ 2, for the same reason.
            Size::Tower(x) => Size::Tower(increased(x, 1, &self.logs)),
            Size::Power(x) => {
                let three = self.logs.log2_natural(&BigUint::from(3u32));
                Size::Power(self.logs.log2_sum(&x.plus(&three), &self.logs.log2_natural(&more)))
            }
        }
    }

    /// See [`Predictor::least_c`].
    fn least_c(&self, bound: &Size) -> Option<BigUint> {
        let logs = &self.logs;
        let Asked { d, epsilon, delta, .. } = self.asked;
        // 2^(c(d+1)²) is to be at least the following, and c(d+1)² at least its log2.
        let exponent = if let Size::Tower(x) = bound {
            x.clone()
        } else {
            let inner = logs.ln(&(Rational::from_integer(2.into()) / (epsilon * delta)));
            let rest = logs.log2_of(&inner).times_integer(&2.into());
            let scale = logs.log2(epsilon).times_integer(&(-2).into());
            let rest = rest.plus(&scale).times_integer(&(-1).into());
            let needed = self.log2(bound).plus(&rest);
            if needed.high() <= Rational::one() {
                return Some(BigUint::one());
            }
            if needed.low() <= Rational::one() {
                return None;
            }
            logs.log2_of(&needed)
        };
        let side = BigInt::from(*d) + 1;
        let square = Rational::from_integer(&side * &side);
        let (low, high) = (exponent.low() / &square, exponent.high() / &square);
        let least = [low, high].map(|c| c.ceil().to_integer().max(BigInt::one()));
        (least[0] == least[1]).then(|| least[0].magnitude().clone())
    }

    fn quantities(&self) -> Vec<Quantity> {
        let Asked { epsilon, delta, .. } = self.asked;
        let size = |size: &Size| Value::Size(size.clone());
        let exact = |n: &BigUint| Value::Size(Size::Exact(n.clone()));
        let share = |whole: &Rational, parts: u32| {
            let whole = whole / Rational::from_integer(parts.into());
            let many = &self.candidates;
            match many {
                Size::Exact(n) => Value::Rational(whole / integer(n)),
                _ => Value::Log2(
                    self.logs.log2(&whole).plus(&self.log2(many).times_integer(&(-1).into())),
                ),
            }
        };
        let eighth = Value::Rational(delta / Rational::from_integer(8.into()));
        let quarter = |x: &Rational| Value::Rational(x / Rational::from_integer(4.into()));
        let (candidates, online, combined) = (Part::Candidates, Part::Online, Part::Combined);
        let all = [
            (candidates, "epsilon_candidates", "ε'", "ε/4", quarter(epsilon)),
            (candidates, "delta_candidates", "δ'", "δ/8", eighth),
            (candidates, "beta", "β", "δ", Value::Rational(delta.clone())),
            (candidates, "n", "n", "⌈C0 (d+1)^6⌉", exact(&self.n)),
            (candidates, "s", "s", "(2^d n)^d 2^(d^2)", size(&self.s)),
            (candidates, "candidates", "N", "2(d+1)s + 2", size(&self.candidates)),
            (candidates, "k", "k", "⌈C1 N^2 (n + 1/ε') ln(100Nn/(ε'δ'β))⌉", size(&self.groups)),
            (candidates, "batch", "K", "2kn", size(&self.batch)),
            (candidates, "epsilon_0", "ε_0", "ε'/(8N(N+d+1))", self.selection_epsilon()),
            (
                candidates,
                "delta_0",
                "δ_0",
                "δ'/(8eN(N+d+1))",
                Value::Log2(self.log2_selection_delta()),
            ),
            (
                online,
                "first_delay",
                "D_0",
                "⌈C (K + (N/ε)^2 ln^2(32N/δ))⌉",
                size(&self.first_delay),
            ),
            (online, "last_delay", "D_N", "9^N D_0", size(&self.last_delay)),
            (online, "a", "a", "ε/(4N)", share(epsilon, 4)),
            (online, "b", "b", "δ/(8N)", share(delta, 8)),
            (online, "mistakes", "B", "K + 2·9^N D_0", size(&self.mistakes)),
            (combined, "gamma", "γ", "δ/4", quarter(delta)),
            (combined, "combine_delay", "D", "⌈C' ε^(-2) ln(2/δ)⌉", exact(&self.combine)),
        ];
        all.into_iter()
            .map(|(part, key, name, formula, value)| Quantity { part, key, name, formula, value })
            .collect()
    }

    fn selection_epsilon(&self) -> Value {
        let whole = &self.asked.epsilon / Rational::from_integer(32.into());
        match (&self.candidates, self.calls()) {
            (Size::Exact(n), Size::Exact(calls)) => Value::Rational(whole / integer(&(n * calls))),
            _ => Value::Log2(self.log2_selection_epsilon()),
        }
    }

    /// log2 `ε_0`.
    fn log2_selection_epsilon(&self) -> Enclosure {
        let whole = &self.asked.epsilon / Rational::from_integer(32.into());
        let below = self.log2(&self.candidates).plus(&self.log2(&self.calls()));
        self.logs.log2(&whole).plus(&below.times_integer(&(-1).into()))
    }

    /// log2 `δ_0`.
    fn log2_selection_delta(&self) -> Enclosure {
        let whole = &self.asked.delta / Rational::from_integer(64.into());
        let e = self.logs.ln_two().reciprocal().expect("ln 2 is above 1/2");
        let below = self.log2(&self.candidates).plus(&self.log2(&self.calls())).plus(&e);
        self.logs.log2(&whole).plus(&below.times_integer(&(-1).into()))
    }
}

/// log2 of a number that is no tower.
fn known(size: &Size, logs: &Logs) -> Enclosure {
    size.log2(logs).expect("only what has 9^N in it is a tower")
}

/// log2 of 2^x after something between 0 and 2^`most` was added to it.
fn increased(x: &Enclosure, most: u32, logs: &Logs) -> Enclosure {
    let more = logs.log2_sum(x, &logs.integer(most));
    Enclosure::new(x.low_numerator().clone(), more.high_numerator().clone(), logs.bits())
}

/// log2 ⌈2^x⌉.
fn rounded_up(x: &Enclosure, logs: &Logs) -> Enclosure {
    increased(x, 0, logs)
}

fn integer(n: &BigUint) -> Rational {
    Rational::from_integer(n.clone().into())
}

fn ceiling(q: &Rational) -> BigUint {
    q.ceil().to_integer().magnitude().clone()
}

/// ⌈`base` + `factor`·(ln q)^`power`⌉ for q > 1. The loop ends: powers of ln q are irrational, since ln q
/// is transcendental (Lindemann), so the value has a distance from the integers.
fn ceiling_of_logarithm(base: &Rational, factor: &Rational, q: &Rational, power: u32) -> BigUint {
    let mut bits = BITS + factor.numer().bits();
    loop {
        let ln = littlestone_exact::enclose_ln(q, bits).expect("q is above 1");
        let at = |end: Rational| (base + factor * end.pow(power)).ceil().to_integer();
        let (low, high) = (at(ln.low()), at(ln.high()));
        if low == high {
            return low.magnitude().clone();
        }
        bits *= 2;
    }
}

/// s = (2^d n)^d 2^(d²).
fn lists(d: u32, n: &BigUint) -> Size {
    let square = u64::from(d) * u64::from(d);
    let bits = 2 * square + u64::from(d) * n.bits();
    if bits <= EXACT_CANDIDATES {
        return Size::Exact(n.pow(d) << (2 * square));
    }
    let logs = Logs::new(BITS);
    let power = logs.log2_natural(n).times_integer(&d.into());
    Size::Power(power.plus_integer(&(2 * square).into()))
}

/// k.
fn groups(asked: &Asked, n: &BigUint, candidates: &Size, logs: &Logs) -> Size {
    let four = Rational::from_integer(4.into());
    let weight = &asked.constants.c1 * (integer(n) + four / &asked.epsilon);
    // 100n/(ε'δ'β) with ε' = ε/4, δ' = δ/8 and β = δ.
    let inner = integer(&(n * 3200u32)) / (&asked.epsilon * &asked.delta * &asked.delta);
    if let Size::Exact(many) = candidates {
        let factor = weight * integer(&many.pow(2u32));
        let inner = inner * integer(many);
        return Size::Exact(ceiling_of_logarithm(&Rational::zero(), &factor, &inner, 1));
    }
    let many = known(candidates, logs);
    let ln = many.times(logs.ln_two()).plus(&logs.ln(&inner));
    let squares = many.times_integer(&2.into());
    let all = logs.log2(&weight).plus(&squares).plus(&logs.log2_of(&ln));
    Size::Power(rounded_up(&all, logs))
}

/// `D_0`.
fn first_delay(asked: &Asked, candidates: &Size, batch: &Size, logs: &Logs) -> Size {
    let Asked { epsilon, delta, constants, .. } = asked;
    let inner = Rational::from_integer(32.into()) / delta;
    if let (Size::Exact(many), Size::Exact(batch)) = (candidates, batch) {
        let ratio = integer(many) / epsilon;
        let factor = &constants.c * &ratio * &ratio;
        let base = &constants.c * integer(batch);
        return Size::Exact(ceiling_of_logarithm(&base, &factor, &(inner * integer(many)), 2));
    }
    let many = known(candidates, logs);
    let ln = many.times(logs.ln_two()).plus(&logs.ln(&inner));
    let twice = BigInt::from(2);
    let squares = many
        .plus(&logs.log2(epsilon).times_integer(&(-1).into()))
        .plus(&logs.log2_of(&ln))
        .times_integer(&twice);
    let sum = logs.log2_sum(&known(batch, logs), &squares).plus(&logs.log2(&constants.c));
    Size::Power(rounded_up(&sum, logs))
}

/// `D_N` = 9^N `D_0`.
fn last_delay(candidates: &Size, first: &Size, logs: &Logs) -> Size {
    let nine = logs.log2_natural(&BigUint::from(9u32));
    let Size::Exact(many) = candidates else {
        let exponent = known(candidates, logs).plus(&logs.log2_of(&nine));
        let first = logs.log2_of(&known(first, logs));
        return Size::Tower(logs.log2_sum(&exponent, &first));
    };
    // 9^N has at most 4N bits.
    if let (Ok(power), Size::Exact(first)) = (u32::try_from(many), first)
        && u64::from(power) * 4 + first.bits() <= EXACT_BITS
    {
        return Size::Exact(BigUint::from(9u32).pow(power) * first);
    }
    let many = BigInt::from(many.clone());
    Size::Power(nine.times_integer(&many).plus(&known(first, logs)))
}

/// Combine's D.
fn combine_delay(asked: &Asked) -> BigUint {
    let Asked { epsilon, delta, constants, .. } = asked;
    let factor = &constants.combine / (epsilon * epsilon);
    let inner = Rational::from_integer(2.into()) / delta;
    ceiling_of_logarithm(&Rational::zero(), &factor, &inner, 1)
}

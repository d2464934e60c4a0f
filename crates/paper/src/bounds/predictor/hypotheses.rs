//! What the proof of Theorem 3 needs of its parameters, as inequalities with explicit constants.
//! `docs/bounds.md` proves the constants.

use num_traits::One;

use littlestone_exact::{BigInt, BigUint, Enclosure, Rational};

use super::{Numbers, Size};

/// Whether a hypothesis is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It is.
    Met,
    /// It is not.
    NotMet,
    /// Its constant is unspecified, also here: it is met if the constant is small enough.
    Open,
    /// The enclosures do not decide it.
    Undecided,
}

impl Status {
    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::NotMet => "not met",
            Self::Open => "open",
            Self::Undecided => "undecided",
        }
    }
}

/// An inequality left ≥ right between positive numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hypothesis {
    /// The item of the paper that needs it.
    pub item: &'static str,
    /// What it says.
    pub statement: &'static str,
    /// Whether it is met.
    pub status: Status,
    /// log2(left/right). For [`Status::Open`] the right side is without its constant: the hypothesis
    /// is met for constants up to left/right.
    pub margin: Enclosure,
}

/// All hypotheses that are not true by definition.
pub(super) fn of(numbers: &Numbers<'_>) -> Vec<Hypothesis> {
    let mut all = vec![
        (
            "Fact 4",
            "a ≤ 1, with a = ε/(4N)",
            false,
            size(numbers, &numbers.candidates).plus(&rational(numbers, 4, 1)),
            log2(numbers, &numbers.asked.epsilon),
        ),
        (
            "Fact 4",
            "b < 1/10, with b = δ/(8N)",
            false,
            size(numbers, &numbers.candidates).plus(&rational(numbers, 8, 10)),
            log2(numbers, &numbers.asked.delta),
        ),
        (
            "Claim 1",
            "D_0 > 4K",
            false,
            size(numbers, &numbers.first_delay),
            size(numbers, &numbers.batch).plus(&rational(numbers, 4, 1)),
        ),
    ];
    all.push(replacement(numbers));
    all.extend(selection(numbers));
    all.extend(batches(numbers));
    all.push(comparison(numbers));
    let minus = BigInt::from(-1);
    all.into_iter()
        .map(|(item, statement, open, left, right)| {
            let margin = left.plus(&right.times_integer(&minus));
            let status = match margin.sign() {
                _ if open => Status::Open,
                // Equal only if both sides are exact and equal, as in 2Nε_0 ≤ 1; ≥ is meant then.
                Some(std::cmp::Ordering::Less) => Status::NotMet,
                Some(_) => Status::Met,
                None => Status::Undecided,
            };
            Hypothesis { item, statement, status, margin }
        })
        .collect()
}

/// Item, statement, whether the constant is open, log2 of both sides.
type Row = (&'static str, &'static str, bool, Enclosure, Enclosure);

/// Mirror's window ends within the first 2D disagreements, by the table of coins with W ≤ 15 a^(−2)
/// ln²(2/b) at (a/2, b/2); the truncation of the noise costs no more than b/2 then.
fn replacement(numbers: &Numbers<'_>) -> Row {
    let inner = size(numbers, &numbers.candidates).plus(&log2_quotient(numbers, 32, 1));
    let squares = size(numbers, &numbers.candidates)
        .plus(&log2(numbers, &numbers.asked.epsilon.recip()))
        .plus(&log2_of_ln(numbers, &inner))
        .times_integer(&2.into());
    (
        "Definition 10",
        "D_0 ≥ 60 a^(-2) ln^2(4/b), with a = ε/(4N) and b = δ/(8N)",
        false,
        size(numbers, &numbers.first_delay),
        squares.plus(&rational(numbers, 960, 1)),
    )
}

/// Fact 3 as it is used in Lemma 7, with the constant that the sparse exponential mechanism has.
fn selection(numbers: &Numbers<'_>) -> [Row; 2] {
    let more = |size: &Size| match size {
        Size::Exact(n) => numbers.logs.log2_natural(&(n + 1u32)),
        Size::Power(x) | Size::Tower(x) => numbers.logs.log2_sum(x, &numbers.logs.integer(0)),
    };
    let calls = size(numbers, &numbers.calls());
    let groups = size(numbers, &numbers.groups);
    let minus = BigInt::from(-1);
    // 2k(s + 1)(N + d + 1)/(βδ_0), with β = δ.
    let inner = groups
        .plus_integer(&BigInt::one())
        .plus(&more(&numbers.s))
        .plus(&calls)
        .plus(&log2(numbers, &numbers.asked.delta.recip()))
        .plus(&numbers.log2_selection_delta().times_integer(&minus));
    let needed = rational(numbers, 40, 3)
        .plus(&numbers.log2_selection_epsilon().times_integer(&minus))
        .plus(&log2_of_ln(numbers, &inner));
    // 2Nε_0 = ε'/(4(N + d + 1)).
    let power = calls.plus(&rational(numbers, 16, 1));
    [
        ("Lemma 7", "k ≥ (40/3) ln(2k(s+1)(N+d+1)/(βδ_0)) / ε_0", false, groups, needed),
        ("Lemma 10", "2Nε_0 ≤ 1", false, power, log2(numbers, &numbers.asked.epsilon)),
    ]
}

/// Lemma 6. Changing one of the K choices moves the number of unsuccessful groups by at most 2, and
/// k/(100N) is 9k/(1000N) above its mean: bounded differences give exp(−81k/(4·10^6 N² n)).
fn batches(numbers: &Numbers<'_>) -> [Row; 2] {
    let logs = &numbers.logs;
    let d = numbers.asked.d;
    let many = size(numbers, &numbers.candidates);
    let thousand = many.plus(&rational(numbers, 1000, 1));
    let ln = |x: &Enclosure| x.times(logs.ln_two());
    let classes = logs.ln(&Rational::from_integer((d + 1).into())).times_integer(&d.into());
    let sum = logs.log2_of(&classes.plus(&ln(&thousand)));
    let square = logs.log2_natural(&BigUint::from(d + 1)).times_integer(&2.into());
    let n = logs.log2_natural(&numbers.n);
    let inner = many.plus(&log2_quotient(numbers, 2, 1));
    let needed = many
        .times_integer(&2.into())
        .plus(&n)
        .plus(&log2_of_ln(numbers, &inner))
        .plus(&rational(numbers, 4_000_000, 81));
    [
        (
            "Lemma 6",
            "n ≥ C (d+1)^2 (d ln(d+1) + ln(1000N)), for a constant C of uniform convergence",
            true,
            n,
            square.plus(&sum),
        ),
        (
            "Lemma 6",
            "k ≥ (4·10^6/81) N^2 n ln(2N/β)",
            false,
            size(numbers, &numbers.groups),
            needed,
        ),
    ]
}

/// Lemma 13 with the constant for which its proof goes through.
fn comparison(numbers: &Numbers<'_>) -> Row {
    let logs = &numbers.logs;
    let ln = logs.ln(&(Rational::from_integer(2.into()) / &numbers.asked.delta));
    let squares = log2(numbers, &numbers.asked.epsilon.recip()).times_integer(&2.into());
    (
        "Lemma 13",
        "D ≥ 615 ε^(-2) ln(2/δ)",
        false,
        logs.log2_natural(&numbers.combine),
        squares.plus(&logs.log2_of(&ln)).plus(&rational(numbers, 615, 1)),
    )
}

fn size(numbers: &Numbers<'_>, size: &Size) -> Enclosure {
    numbers.log2(size)
}

fn log2(numbers: &Numbers<'_>, q: &Rational) -> Enclosure {
    numbers.logs.log2(q)
}

/// log2(p/q).
fn rational(numbers: &Numbers<'_>, p: i64, q: i64) -> Enclosure {
    log2(numbers, &Rational::new(p.into(), q.into()))
}

/// log2(p/(qδ)).
fn log2_quotient(numbers: &Numbers<'_>, p: i64, q: i64) -> Enclosure {
    log2(numbers, &(Rational::new(p.into(), q.into()) / &numbers.asked.delta))
}

/// log2 ln 2^x for x > 0.
fn log2_of_ln(numbers: &Numbers<'_>, x: &Enclosure) -> Enclosure {
    numbers.logs.log2_of(&x.times(numbers.logs.ln_two()))
}

//! What is known about private online learning at given d, T, ε and δ: Theorems A, B, 1 and 2, the
//! rows of Table 1, and the curves of Figure 1.
//!
//! | module | idea |
//! | --- | --- |
//! | [`lower`] | bounds that no private learner beats |
//! | [`upper`] | bounds that some private learner attains |
//! | [`explicit`] | Theorem 1 with the constants of its proof |
//! | [`repeated`] | one unknown label, shown again and again: an explicit bound for every learner |
//! | [`figure`] | Figure 1's ranges of δ, the crossings, and Table 1 |

pub mod explicit;
pub mod figure;
pub mod lower;
pub mod repeated;
pub mod upper;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::Real;
use littlestone_class::Class;
use littlestone_exact::{BigInt, BigUint, Epsilon, Number, Rational};

/// The names of the constants that the sources leave unspecified.
pub const CONSTANTS: [&str; 8] =
    ["theorem-1", "theorem-2", "dss24", "cln24", "lwy24", "figure-1", "lwy25", "lyu26"];

/// Values for constants that a source calls absolute without giving them; 1 unless set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Constants(BTreeMap<&'static str, Rational>);

impl Constants {
    /// Sets one constant; whether there is one of that name.
    pub fn set(&mut self, name: &str, value: Rational) -> bool {
        let known = CONSTANTS.iter().find(|known| **known == name);
        known.is_some_and(|name| {
            self.0.insert(name, value);
            true
        })
    }

    /// Whether the constant of that name was set.
    pub fn is_set(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The constant of that name.
    pub fn get(&self, name: &str) -> Real {
        self.0.get(name).map_or_else(|| Real::integer(1), |value| Real::Exact(value.clone()))
    }
}

/// What is known of the class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The Littlestone dimension d.
    pub dimension: usize,
    /// Whether two functions agree at one point and differ at another, which is what the proof of
    /// Theorem 1 uses of `POINT3`; `None` if d alone does not tell.
    pub agreeing: Option<bool>,
    /// The number of points n, if the class consists of all point functions on its n points.
    pub points: Option<usize>,
}

impl Subject {
    /// A class of which only the dimension is known.
    ///
    /// From d ≥ 2 two functions agree at the root of a shattered tree and differ at its child; a
    /// class with d = 0 has one function.
    pub fn of_dimension(dimension: usize) -> Self {
        let agreeing = match dimension {
            0 => Some(false),
            1 => None,
            _ => Some(true),
        };
        Self { dimension, agreeing, points: None }
    }

    /// A class with its dimension.
    pub fn of_class(class: &Class, dimension: usize) -> Self {
        let (rows, columns) = (class.hypotheses(), class.points());
        // Of three functions, two agree at any given point; and they differ, as rows of a class do.
        let agreeing =
            rows > 2 || rows == 2 && (0..columns).any(|x| class.label(0, x) == class.label(1, x));
        let ones = |f: usize| (0..columns).filter(|&x| class.label(f, x)).count();
        let points = rows == columns && (0..rows).all(|f| ones(f) == 1);
        Self { dimension, agreeing: Some(agreeing), points: points.then_some(columns) }
    }
}

/// The parameters of the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The class.
    pub subject: Subject,
    /// T ≥ 1.
    pub rounds: BigUint,
    /// ε ≥ 0.
    pub epsilon: Epsilon,
    /// δ in [0, 1).
    pub delta: Number,
    /// How concentrated a learner is, for the bound on concentrated learners: β in [0, 1].
    pub beta: Number,
    /// The unspecified constants.
    pub constants: Constants,
}

impl Question {
    fn d(&self) -> Real {
        Real::integer(self.subject.dimension)
    }

    fn t(&self) -> Real {
        Real::integer(BigInt::from(self.rounds.clone()))
    }

    fn epsilon(&self) -> Real {
        Real::epsilon(&self.epsilon)
    }

    fn delta(&self) -> Real {
        Real::number(&self.delta)
    }
}

/// Which side of the least number of mistakes a bound is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// No learner in its scope makes fewer expected mistakes on every realisable stream.
    Lower,
    /// Some learner makes at most so many expected mistakes on every realisable stream.
    Upper,
}

/// Whether a hypothesis of a theorem holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// It holds.
    Holds,
    /// It does not.
    Violated,
    /// What was given does not tell.
    Unknown,
}

impl Truth {
    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Violated => "violated",
            Self::Unknown => "not known",
        }
    }
}

/// A hypothesis of a theorem, decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hypothesis {
    /// The hypothesis, as the source states it.
    pub text: &'static str,
    /// Whether it holds.
    pub truth: Truth,
}

/// A bound on the expected number of mistakes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// A short name.
    pub name: &'static str,
    /// Where it is from, and for which learners and classes.
    pub scope: &'static str,
    /// The formula.
    pub formula: &'static str,
    /// The name of its unspecified constant `c`, if it has one.
    pub constant: Option<&'static str>,
    /// Lower or upper.
    pub side: Side,
    /// What must hold.
    pub hypotheses: Vec<Hypothesis>,
    /// The value of the formula; meaningless unless the hypotheses hold.
    pub value: Real,
}

impl Bound {
    /// Whether all hypotheses hold.
    pub fn applies(&self) -> bool {
        self.hypotheses.iter().all(|hypothesis| hypothesis.truth == Truth::Holds)
    }
}

/// All bounds, lower ones first, in the order in which they are presented; those that do not apply
/// say why.
pub fn bounds(question: &Question) -> Vec<Bound> {
    let mut bounds = lower::bounds(question);
    bounds.extend(upper::bounds(question));
    bounds
}

/// Of the bounds on one side that apply and have no unspecified constant, the best.
pub fn best_explicit(bounds: &[Bound], side: Side) -> Option<&Bound> {
    let explicit =
        |bound: &&Bound| bound.side == side && bound.constant.is_none() && bound.applies();
    bounds.iter().filter(explicit).reduce(|best, other| {
        let better = match side {
            Side::Lower => Ordering::Greater,
            Side::Upper => Ordering::Less,
        };
        if other.value.compare(&best.value) == Some(better) { other } else { best }
    })
}

fn hypothesis(text: &'static str, truth: Truth) -> Hypothesis {
    Hypothesis { text, truth }
}

fn plain(text: &'static str, holds: bool) -> Hypothesis {
    hypothesis(text, if holds { Truth::Holds } else { Truth::Violated })
}

/// The hypothesis a ≤ b.
fn at_most(text: &'static str, a: &Real, b: &Real) -> Hypothesis {
    hypothesis(
        text,
        match a.compare(b) {
            Some(Ordering::Less | Ordering::Equal) => Truth::Holds,
            Some(Ordering::Greater) => Truth::Violated,
            None => Truth::Unknown,
        },
    )
}

fn agreeing(question: &Question) -> Hypothesis {
    hypothesis(
        "two functions of the class agree at one point and differ at another",
        match question.subject.agreeing {
            Some(true) => Truth::Holds,
            Some(false) => Truth::Violated,
            None => Truth::Unknown,
        },
    )
}

#[cfg(test)]
mod tests;

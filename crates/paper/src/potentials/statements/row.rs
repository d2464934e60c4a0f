//! One instance of a statement, and what it comes to.

use super::super::side::Side;
use littlestone_exact::Number;

/// How the two sides compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// left ≤ right.
    AtMost,
    /// left ≥ right.
    AtLeast,
    /// left = right.
    Equal,
}

impl Relation {
    /// The sign.
    pub fn sign(self) -> &'static str {
        match self {
            Self::AtMost => "≤",
            Self::AtLeast => "≥",
            Self::Equal => "=",
        }
    }
}

/// What an instance comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is true, and could be false for another learner.
    Holds,
    /// It is false.
    Refuted,
    /// The right side reaches the trivial bound on the left one: it says nothing.
    Vacuous,
}

impl Verdict {
    /// The verdict's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Refuted => "refuted",
            Self::Vacuous => "vacuous",
        }
    }
}

/// One instance of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The number t of completed stages.
    pub stage: usize,
    /// `J_1`, …, `J_t`; `None` for a statement about expectations over them.
    pub thirds: Option<Vec<u8>>,
    /// Which of several instances this is, the one with the least slack: `s = 4`, `u = 1, v = 5`.
    pub place: String,
    /// The left side.
    pub left: Number,
    /// The relation.
    pub relation: Relation,
    /// The right side.
    pub right: Side,
    /// The greatest value (the least one, for a lower bound) that the left side can have whatever
    /// the learner.
    pub trivial: Number,
    /// The δ on the right side.
    pub delta: Number,
}

impl Row {
    /// How far the statement is from being false; negative where it is.
    pub fn slack(&self) -> Side {
        match (&self.right, self.relation) {
            (Side::Exact(right), Relation::AtMost) => Side::Exact(right - &self.left),
            (right, Relation::AtLeast | Relation::Equal) => right.below(&self.left),
            (Side::Root { first, factor, under }, Relation::AtMost) => Side::Root {
                first: first - &self.left,
                factor: factor.clone(),
                under: under.clone(),
            },
        }
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        let slack = self.slack().sign();
        // right − trivial.
        let beyond = self.right.below(&self.trivial).sign().reverse();
        match self.relation {
            Relation::Equal if slack.is_eq() => Verdict::Holds,
            Relation::AtMost | Relation::AtLeast if slack.is_ge() => {
                let idle = match self.relation {
                    Relation::AtMost => beyond.is_ge(),
                    _ => beyond.is_le(),
                };
                if idle { Verdict::Vacuous } else { Verdict::Holds }
            }
            _ => Verdict::Refuted,
        }
    }
}

/// The instance that comes nearest to being false: among those that say something, if there are any.
/// Only which one is shown depends on this.
pub fn tightest<'r>(rows: impl Iterator<Item = &'r Row>) -> Option<&'r Row> {
    let rank = |row: &&Row| {
        let verdict = match row.verdict() {
            Verdict::Refuted => 0,
            Verdict::Holds => 1,
            Verdict::Vacuous => 2,
        };
        (verdict, row.slack().enclosure(256).0)
    };
    rows.min_by_key(rank)
}

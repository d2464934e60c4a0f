//! Facts about compressed matrices: which follow from which, and which are evident from the numbers
//! of rows alone. `docs/certificates.md` proves both.

use std::fmt;

use super::bounds::Bounds;
use super::format;
use super::littlestone_dimension::GREATEST_OPEN_BOUND;
use super::matrix::Matrix;
use super::verify::{Limit, Work};

/// Something that is true of a compressed matrix A.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fact {
    /// Ldim(A) ≥ the number.
    AtLeast(i32),
    /// Ldim(A) < the number.
    Below(u32),
    /// However so many columns are asked one after the other, there are answers that leave a
    /// dimension of at least `dimension`.
    Keeps { dimension: i32, queries: u128 },
    /// A at this depth is not the root of a valid subtree with leaves of dimension at most `leaves`.
    NoTree { depth: u128, leaves: i32 },
    /// A at this depth is not a leaf of a valid tree with leaves of dimension at most `leaves`.
    NoLeaf { depth: u128, leaves: i32 },
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(bound) => write!(f, "Ldim ≥ {bound}"),
            Self::Below(bound) => write!(f, "Ldim < {bound}"),
            Self::Keeps { dimension, queries } => {
                let queries =
                    if *queries == 1 { "1 query" } else { &*format!("{queries} queries") };
                write!(f, "Ldim ≥ {dimension} is kept by {queries}")
            }
            Self::NoTree { depth, leaves } => {
                write!(f, "no subtree at depth {depth} has only leaves of Ldim ≤ {leaves}")
            }
            Self::NoLeaf { depth, leaves } => {
                write!(f, "a leaf of Ldim ≤ {leaves} cannot stand at depth {depth}")
            }
        }
    }
}

impl From<&format::Fact> for Fact {
    fn from(fact: &format::Fact) -> Self {
        match fact {
            format::Fact::AtLeast(fact) => Self::AtLeast(fact.bound),
            format::Fact::Below(fact) => Self::Below(fact.bound),
            format::Fact::Keeps(fact) => {
                Self::Keeps { dimension: fact.dimension, queries: fact.queries.into() }
            }
            format::Fact::NoTree(fact) => {
                Self::NoTree { depth: fact.depth.into(), leaves: fact.leaves }
            }
        }
    }
}

impl Fact {
    /// Whether the other fact follows for the same matrix.
    pub(super) fn implies(self, other: Self, bounds: Bounds) -> bool {
        match self {
            Self::AtLeast(q) => kept_implies(q, 0, other, bounds),
            Self::Keeps { dimension, queries } => kept_implies(dimension, queries, other, bounds),
            Self::Below(bound) => matches!(other, Self::Below(other) if bound <= other),
            Self::NoTree { depth, leaves } => match other {
                Self::NoTree { depth: deeper, leaves: fewer } => depth <= deeper && leaves >= fewer,
                _ => false,
            },
            Self::NoLeaf { .. } => false,
        }
    }

    /// Whether the fact can be read off the numbers of rows of a matrix that has rows, or is an
    /// upper bound that is left to the verifier.
    pub(super) fn is_evident(
        self,
        matrix: &Matrix,
        bounds: Bounds,
        work: &mut Work,
    ) -> Result<bool, Limit> {
        if let Self::Below(bound) = self {
            return if bound <= GREATEST_OPEN_BOUND {
                matrix.dimension_below(bound, work)
            } else {
                Ok(matrix.has_fewer_rows_than_power(bound))
            };
        }
        // A dimension q needs 2^q rows.
        let greatest = i32::try_from(matrix.rows().checked_ilog2().map_or(0, |q| q + 1))
            .expect("a logarithm fits");
        Ok((-1..=greatest).any(|q| {
            let queries = match self {
                Self::Keeps { queries, .. } => queries,
                // One query more than nodes of dimension q may have left.
                Self::NoTree { depth, .. } => (bounds.node(q) + 1).saturating_sub(depth),
                _ => 0,
            };
            kept_implies(q, queries, self, bounds) && matrix.evidently_keeps(q, queries)
        }))
    }
}

/// Whether the fact follows when answers to so many queries leave a dimension of at least q.
fn kept_implies(q: i32, queries: u128, fact: Fact, bounds: Bounds) -> bool {
    match fact {
        Fact::AtLeast(bound) => q >= bound,
        Fact::Keeps { dimension, queries: fewer } => q >= dimension && queries >= fewer,
        Fact::NoTree { depth, leaves } => {
            bounds.forbids_leaf(q, depth, leaves) && depth.saturating_add(queries) > bounds.node(q)
        }
        Fact::NoLeaf { depth, leaves } => bounds.forbids_leaf(q, depth, leaves),
        Fact::Below(_) => false,
    }
}

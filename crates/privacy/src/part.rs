//! A part of a question, for spreading one verdict over machines, and how answers to all parts are
//! put together.
//!
//! The pairs of streams are parted by the two records of the round in which they differ: all pairs
//! with the same two records are in one part, and so are those whose records a renaming takes to one
//! another, as far as renamings are known. So no part does work that another one does as well. The
//! worst δ is the greatest of those of the parts, and the lexicographically least pair that attains
//! it is the least of theirs.
//!
//! A search over a part may leave out pairs that a renaming takes to lesser ones, which may be in
//! another part. It may thus report less than the worst δ of its part, or no pair. What all parts
//! together report is right: of the pairs that attain the worst δ, the least is left out by none.

use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;
use littlestone_exact::limits::Stopped;

use super::question::Neighbour;
use super::search::Records;
use super::symmetry::Symmetries;
use super::verdict::{Decision, Worst};

/// One of several parts of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    index: usize,
    count: usize,
}

impl Part {
    /// The whole question.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Part `index` of `count`, counted from 1.
    ///
    /// # Errors
    /// Unless 1 ≤ `index` ≤ `count`.
    pub fn new(index: usize, count: usize) -> Result<Self> {
        if (1..=count).contains(&index) {
            return Ok(Self { index, count });
        }
        Err(Error::argument(format!("there is no part {index} of {count}")))
    }

    /// Which part it is, from 1.
    pub fn index(self) -> usize {
        self.index
    }

    /// Into how many parts the question is cut.
    pub fn count(self) -> usize {
        self.count
    }

    /// The pairs of records that belong to this part, in their order: classes under renaming are
    /// dealt out in turn.
    pub(super) fn of(self, differing: Vec<Records>, symmetries: &Symmetries) -> Vec<Records> {
        if self.count == 1 {
            return differing;
        }
        let mut classes: Vec<Records> = differing.iter().map(|r| symmetries.least(*r)).collect();
        classes.sort_unstable();
        classes.dedup();
        let dealt = |records: &Records| {
            let class = classes.binary_search(&symmetries.least(*records));
            class.expect("it is among the classes") % self.count == self.index - 1
        };
        differing.into_iter().filter(dealt).collect()
    }
}

/// The worst δ at each length, from the answers to all parts of a question.
pub fn merge_worst(parts: &[Vec<Worst>]) -> Vec<Worst> {
    let lengths = parts.first().map_or(0, Vec::len);
    (0..lengths).map(|length| merge_length(parts.iter().map(|part| &part[length]))).collect()
}

fn merge_length<'w>(answers: impl Iterator<Item = &'w Worst>) -> Worst {
    let mut delta = Number::zero();
    let mut upper = Number::zero();
    let mut attained_by: Option<Neighbour> = None;
    let mut limit: Option<Stopped> = None;
    for answer in answers {
        let (lower, pair, most) = match answer {
            Worst::Exact { delta, attained_by } => (delta, attained_by, delta),
            Worst::Between { lower, attained_by, upper, stopped } => {
                limit = limit.or(Some(*stopped));
                (lower, attained_by, upper)
            }
        };
        if *lower > delta {
            delta = lower.clone();
            attained_by = None;
        }
        if *lower == delta
            && let Some(pair) = pair
            && attained_by.as_ref().is_none_or(|best| key(pair) < key(best))
        {
            attained_by = Some(pair.clone());
        }
        upper = upper.max(most.clone());
    }
    match limit {
        None => Worst::Exact { delta, attained_by },
        Some(stopped) => Worst::Between { lower: delta, attained_by, upper, stopped },
    }
}

/// Whether δ suffices, from the decisions about all parts of a question.
pub fn merge_decisions(parts: &[Decision]) -> Decision {
    let refuting = parts.iter().filter_map(|decision| match decision {
        Decision::Refuted(pair) => Some(pair),
        _ => None,
    });
    if let Some(pair) = refuting.min_by_key(|pair| (pair.first.len(), key(pair))) {
        return Decision::Refuted(pair.clone());
    }
    let undecided = parts.iter().filter_map(|decision| match decision {
        Decision::Undecided { rounds, stopped } => Some((*rounds, *stopped)),
        _ => None,
    });
    match undecided.min_by_key(|(rounds, _)| *rounds) {
        Some((rounds, stopped)) => Decision::Undecided { rounds, stopped },
        None => Decision::Holds,
    }
}

fn key(pair: &Neighbour) -> (&[usize], &[usize]) {
    (&pair.first, &pair.second)
}

//! The irreducibility order of a state: the least number δ of SOA-labelled points that lower its
//! dimension, so that the class is k-irreducible exactly for k < δ (Definition 7).
//!
//! Where some point lowers the dimension on both sides, δ is 1. Elsewhere SOA-labels are those of
//! the side that keeps the dimension, and remain so while it is kept, so one may go on with that
//! side alone: δ(A) = 1 + min δ(A|(x, SOA(x))).

use littlestone_exact::limits::Stopped;

use super::states::{Id, States};

/// One query on the way to a smaller dimension.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub column: u32,
    /// The state of the side that keeps the dimension, unless both sides lower it.
    pub keeper: Option<Id>,
}

impl States<'_> {
    /// Whether δ ≤ k for the state.
    pub fn delta_at_most(&mut self, id: Id, k: u32) -> Result<bool, Stopped> {
        let (lower, upper) = self.state(id).delta;
        if upper <= k {
            return Ok(true);
        }
        if lower > k {
            return Ok(false);
        }
        let answer = self.search_delta(id, k)?;
        let delta = &mut self.state_mut(id).delta;
        if answer {
            delta.1 = delta.1.min(k);
        } else {
            delta.0 = delta.0.max(k + 1);
        }
        Ok(answer)
    }

    /// δ of the state; [`NEVER`](super::states::NEVER) for a single function.
    pub fn delta(&mut self, id: Id) -> Result<u32, Stopped> {
        loop {
            let (lower, upper) = self.state(id).delta;
            if lower == upper {
                return Ok(lower);
            }
            self.delta_at_most(id, lower)?;
        }
    }

    /// The first step of a set of at most `limit` SOA-labelled points that lowers the dimension,
    /// which is at least 1; of a least set without a limit. There must be such a set.
    pub fn step(&mut self, id: Id, limit: Option<u32>) -> Result<Step, Stopped> {
        let limit = match limit {
            Some(limit) => limit,
            None => self.delta(id)?,
        };
        for i in 0..self.state(id).order.len() {
            let column = self.state(id).order[i].0;
            let keeper = self.keeper(id, column)?;
            let done = match keeper {
                None => true,
                Some(child) => self.delta_at_most(child, limit - 1)?,
            };
            if done {
                return Ok(Step { column, keeper });
            }
        }
        unreachable!("{limit} points lower the dimension")
    }

    fn search_delta(&mut self, id: Id, k: u32) -> Result<bool, Stopped> {
        if k == 0 {
            return Ok(false);
        }
        let state = self.state(id);
        let (rows, columns) = (state.matrix.rows, state.matrix.columns);
        let dimension = usize::try_from(state.dimension).expect("at least 2 here");
        // By Sauer's lemma for the Littlestone dimension, that many rows at most are left over on
        // the columns that are not asked for.
        let left = columns.saturating_sub(k as usize);
        let excess = rows.saturating_sub(sauer(left, dimension));
        // What each query removes, and the state that it leaves.
        let mut removals = Vec::with_capacity(columns);
        for i in 0..columns {
            let column = self.state(id).order[i].0;
            match self.keeper(id, column)? {
                None => {
                    self.state_mut(id).delta = (1, 1);
                    return Ok(true);
                }
                Some(child) => removals.push((rows - self.state(child).matrix.rows, child)),
            }
        }
        if k == 1 {
            return Ok(false);
        }
        self.state_mut(id).delta.0 = self.state(id).delta.0.max(2);
        removals.sort_unstable_by_key(|&(removed, child)| (std::cmp::Reverse(removed), child));
        for first in 0..removals.len() {
            // The member of the set that removes most is asked first: the others remove no more.
            let most: usize =
                removals[first..].iter().take(k as usize).map(|&(removed, _)| removed).sum();
            if most < excess {
                return Ok(false);
            }
            // Columns whose kept sides are alike lead to the same state.
            let seen = first > 0 && removals[first] == removals[first - 1];
            if !seen && self.delta_at_most(removals[first].1, k - 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The greatest number of functions on n points with Littlestone dimension below q:
/// Σ C(n, i) for i < q, cut off at `usize::MAX`.
pub(super) fn sauer(n: usize, q: usize) -> usize {
    let (mut sum, mut term) = (0usize, 1usize);
    for i in 0..q.min(n + 1) {
        sum = sum.saturating_add(term);
        match term.checked_mul(n - i) {
            Some(product) => term = product / (i + 1),
            None => return usize::MAX,
        }
    }
    sum
}

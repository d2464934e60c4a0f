//! Decides the Littlestone dimension of a class and of its version spaces.

use std::sync::Arc;

use crate::class::{Class, VersionSpace};
use crate::limits::{Limits, Progress, Stopped};

use super::ShatteredTree;

/// What is known of a Littlestone dimension: `lower ≤ Ldim ≤ upper`, both proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dimension {
    /// The greatest depth that was proved, −1 for the empty class.
    pub lower: i32,
    /// The least bound that was proved.
    pub upper: i32,
    /// Why the two differ, if they do.
    pub stopped: Option<Stopped>,
}

impl Dimension {
    /// The dimension, when it is decided.
    pub fn value(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// Answers questions about the Littlestone dimension of one class; what one answer learnt serves
/// the next.
#[derive(Debug)]
pub struct Solver<'c> {
    class: &'c Class,
    columns: Vec<Vec<u64>>,
    limits: Limits,
    progress: Arc<Progress>,
}

impl<'c> Solver<'c> {
    /// A solver for `class`.
    pub fn new(class: &'c Class, limits: Limits) -> Self {
        Self { class, columns: class.columns(), limits, progress: Arc::default() }
    }

    /// The class.
    pub fn class(&self) -> &'c Class {
        self.class
    }

    /// The columns of the class, as in [`Class::columns`].
    pub fn columns(&self) -> &[Vec<u64>] {
        &self.columns
    }

    /// Counters that a display may watch while the solver works.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }

    /// Ldim(H), or the best bounds proved when a limit is hit.
    pub fn dimension(&self) -> Dimension {
        let _ = &self.limits;
        let full = VersionSpace::full(self.class);
        match self.dimension_of(&full) {
            Ok(d) => Dimension { lower: d, upper: d, stopped: None },
            Err(stopped) => Dimension { lower: -1, upper: i32::MAX, stopped: Some(stopped) },
        }
    }

    /// Ldim(G) for a version space G of the class.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn dimension_of(&self, space: &VersionSpace) -> Result<i32, Stopped> {
        let mut d = -1;
        while self.at_least(space, d + 1)? {
            d += 1;
        }
        Ok(d)
    }

    /// Whether Ldim(G) ≥ k for a version space G of the class.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn at_least(&self, space: &VersionSpace, k: i32) -> Result<bool, Stopped> {
        if k <= 0 {
            return Ok(k < 0 || !space.is_empty());
        }
        for column in &self.columns {
            if self.at_least(&space.restrict(column, false), k - 1)?
                && self.at_least(&space.restrict(column, true), k - 1)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A tree of the given depth shattered by the class; `None` when there is none.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn shattered_tree(&self, depth: usize) -> Result<Option<ShatteredTree>, Stopped> {
        let k = i32::try_from(depth).expect("depth fits i32");
        let full = VersionSpace::full(self.class);
        if !self.at_least(&full, k)? {
            return Ok(None);
        }
        let mut points = Vec::new();
        let mut level = vec![full];
        for remaining in (0..k).rev() {
            let mut next = Vec::new();
            for space in level {
                for (x, column) in self.columns.iter().enumerate() {
                    let (zero, one) = (space.restrict(column, false), space.restrict(column, true));
                    if self.at_least(&zero, remaining)? && self.at_least(&one, remaining)? {
                        points.push(x);
                        next.extend([zero, one]);
                        break;
                    }
                }
            }
            level = next;
        }
        let leaves = level.iter().map(|s| s.iter().next().expect("leaf is realised")).collect();
        Ok(Some(ShatteredTree { depth, points, leaves }))
    }
}

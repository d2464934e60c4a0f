//! Shattered trees: the proof that a Littlestone dimension is at least a number.

use crate::VersionSpace;
use littlestone_exact::limits::Stopped;

use super::Solver;

/// A complete binary tree of depth `depth` shattered by a class (Definition 6): every
/// root-to-leaf path is realised by the hypothesis named at its leaf.
///
/// Inner nodes stand in heap order: the root is node 0 and node `i` has the child `2i + 1` along
/// the edge labelled 0 and `2i + 2` along the edge labelled 1. Leaf `j`, counted from the left,
/// ends the path whose edge labels are the `depth` binary digits of `j`, root first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShatteredTree {
    /// Number of inner nodes on each path.
    pub depth: usize,
    /// The point queried at each inner node: `2^depth − 1` indices of points.
    pub points: Vec<usize>,
    /// The hypothesis that realises the path to each leaf: `2^depth` indices of hypotheses.
    pub leaves: Vec<usize>,
}

impl Solver<'_> {
    /// A tree of the given depth shattered by the class; `None` when there is none.
    ///
    /// The tree is a function of the class alone: each node queries the point that splits its
    /// version space most evenly among those that work, the first of them on a tie, and each leaf
    /// names the first hypothesis that realises its path.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn shattered_tree(&self, depth: usize) -> Result<Option<ShatteredTree>, Stopped> {
        let full = VersionSpace::full(self.class());
        let k = i32::try_from(depth).expect("a depth fits i32");
        if !self.at_least(&full, k)? {
            return Ok(None);
        }
        let mut points = Vec::new();
        let mut level = vec![full];
        for remaining in (0..k).rev() {
            let mut next = Vec::with_capacity(2 * level.len());
            for space in level {
                let (x, zero, one) = self.split(&space, remaining)?;
                points.push(x);
                next.extend([zero, one]);
            }
            level = next;
        }
        let leaves = level.iter().map(|s| s.iter().next().expect("a realised path")).collect();
        Ok(Some(ShatteredTree { depth, points, leaves }))
    }

    /// A point both of whose sides have dimension at least `remaining`, where one exists.
    fn split(
        &self,
        space: &VersionSpace,
        remaining: i32,
    ) -> Result<(usize, VersionSpace, VersionSpace), Stopped> {
        let mut order: Vec<(usize, usize)> = (0..self.columns().len())
            .map(|x| {
                let ones = space.restrict(&self.columns()[x], true).len();
                (space.len() - ones.min(space.len() - ones), x)
            })
            .collect();
        order.sort_unstable();
        for (_, x) in order {
            let zero = space.restrict(&self.columns()[x], false);
            let one = space.restrict(&self.columns()[x], true);
            let (small, large) =
                if zero.len() <= one.len() { (&zero, &one) } else { (&one, &zero) };
            if self.at_least(small, remaining)? && self.at_least(large, remaining)? {
                return Ok((x, zero, one));
            }
        }
        unreachable!("the version space has dimension at least {}", remaining + 1)
    }
}

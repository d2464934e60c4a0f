//! The VC dimension: the greatest number of points on which the class shows every labelling.

use crate::class::{Class, VersionSpace};
use crate::limits::{Limits, Stopped};

use super::Dimension;
use super::meter::Meter;

/// The VC dimension of `class`, −1 for the empty class.
///
/// `at_most` is a bound the caller knows, such as the Littlestone dimension; the search ends when
/// it is reached. When a limit is hit, the bounds proved so far are returned. The search runs on
/// one thread.
pub fn vc_dimension(class: &Class, at_most: Option<i32>, limits: &Limits) -> Dimension {
    if class.hypotheses() == 0 {
        return Dimension { lower: -1, upper: -1, stopped: None };
    }
    let columns = class.columns();
    let full = VersionSpace::full(class);
    // A shattered set of k points needs 2^k hypotheses.
    let bound = log2(full.len()).min(columns.len());
    let known = at_most.and_then(|d| usize::try_from(d).ok()).unwrap_or(bound);
    let mut search =
        Search { columns: &columns, meter: Meter::new(limits), best: 0, bound: bound.min(known) };
    let points: Vec<usize> = (0..columns.len()).collect();
    let stopped = search.extend(&[full], 0, &points).err();
    let number = |n: usize| i32::try_from(n).expect("a dimension fits i32");
    let lower = number(search.best);
    let upper = if stopped.is_some() { number(search.bound) } else { lower };
    Dimension { lower, upper, stopped: stopped.filter(|_| lower < upper) }
}

/// ⌊log2 n⌋ for n ≥ 1.
fn log2(n: usize) -> usize {
    n.ilog2() as usize
}

struct Search<'a> {
    columns: &'a [Vec<u64>],
    meter: Meter<'a>,
    best: usize,
    bound: usize,
}

impl Search<'_> {
    /// Tries all shattered sets that extend the one whose `size` points cut the class into
    /// `blocks`, by points of `candidates`.
    fn extend(
        &mut self,
        blocks: &[VersionSpace],
        size: usize,
        candidates: &[usize],
    ) -> Result<(), Stopped> {
        self.meter.tick()?;
        self.best = self.best.max(size);
        // Every labelling of j further points must occur in the smallest block.
        let smallest = blocks.iter().map(VersionSpace::len).min().unwrap_or(1);
        if self.best >= self.bound || size + log2(smallest) <= self.best {
            return Ok(());
        }
        // Subsets of shattered sets are shattered: a point that fails here fails further down.
        // The cut blocks are made again below, since all of them at once could fill the memory.
        let mut points = Vec::new();
        for &x in candidates {
            self.meter.tick()?;
            if self.split(blocks, x).is_some() {
                points.push(x);
            }
        }
        for (index, &x) in points.iter().enumerate() {
            if size + points.len() - index <= self.best {
                break;
            }
            if let Some(split) = self.split(blocks, x) {
                self.extend(&split, size + 1, &points[index + 1..])?;
            }
        }
        Ok(())
    }

    /// The blocks cut by the point `x`, unless one of them does not show both labels.
    fn split(&self, blocks: &[VersionSpace], x: usize) -> Option<Vec<VersionSpace>> {
        let mut split = Vec::with_capacity(2 * blocks.len());
        for block in blocks {
            let zero = block.restrict(&self.columns[x], false);
            if zero.is_empty() || zero.len() == block.len() {
                return None;
            }
            split.push(zero);
            split.push(block.restrict(&self.columns[x], true));
        }
        Some(split)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::ClassBuilder;
    use itertools::Itertools;

    fn class_of(points: usize, members: &[usize]) -> Class {
        let mut builder = ClassBuilder::new((0..points).map(|x| x.to_string()).collect());
        for h in members {
            builder.push(None, (0..points).map(|x| h >> x & 1 == 1));
        }
        builder.build()
    }

    /// The definition: the greatest set of points with all its traces.
    fn naive(points: usize, members: &[usize]) -> i32 {
        (0..1usize << points)
            .filter(|set| members.iter().map(|h| h & set).unique().count() == 1 << set.count_ones())
            .map(|set| set.count_ones().cast_signed())
            .max()
            .unwrap_or(-1)
    }

    #[test]
    fn agrees_with_the_definition_on_every_class_over_three_points() {
        for mask in 0..256u32 {
            let members: Vec<usize> = (0..8).filter(|h| mask >> h & 1 == 1).collect();
            let found = vc_dimension(&class_of(3, &members), None, &Limits::default());
            assert_eq!(found.value(), Some(naive(3, &members)), "class {mask:08b}");
        }
    }

    #[test]
    fn subsets_of_size_k_shatter_min_k_n_minus_k_points() {
        // Short proof: k points are shattered by k-subsets iff k ≤ n − k, by complementation.
        for n in 1..8usize {
            for k in 0..=n {
                let members: Vec<usize> =
                    (0..1usize << n).filter(|h| h.count_ones() as usize == k).collect();
                let found = vc_dimension(&class_of(n, &members), None, &Limits::default());
                assert_eq!(found.lower, i32::try_from(k.min(n - k)).expect("small"));
                assert_eq!(found.stopped, None);
            }
        }
    }

    #[test]
    fn a_limit_gives_bounds_that_hold() {
        let members: Vec<usize> = (0..64).collect();
        let limits = Limits { states: Some(3), ..Limits::default() };
        let found = vc_dimension(&class_of(6, &members), None, &limits);
        assert!(found.lower <= 6 && 6 <= found.upper, "{found:?}");
        assert_eq!((found.value(), found.stopped), (None, Some(Stopped::States)));
    }
}

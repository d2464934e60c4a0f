//! The textbook recursion with a size cut and an early stop.

use littlestone::class::Class;
use rustc_hash::FxHashMap;

use super::rows::Rows;
use super::{Budget, Cap, Capped};

/// Which side of a point is examined first. When it has too small a dimension, the other is not
/// examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// The side of label 0.
    Zero,
    /// The side with fewer hypotheses: a device of the engine, for comparison.
    Smaller,
}

/// Ldim(H) for a class with a hypothesis, as [`memoised`](super::memoised), except that
///
/// - a point is passed over when the smaller of its sides has too few hypotheses to improve on
///   the best point so far, since Ldim(G) ≤ log2 |G|;
/// - it is given up when the side that is examined first has too small a dimension, and the search
///   ends at the first point that attains the bound log2 |G|.
///
/// # Errors
/// When the cap is reached.
pub fn pruned(class: &Class, cap: Cap, first: First) -> Result<i32, Capped> {
    if class.hypotheses() <= 64 {
        run::<u64>(class, cap, first)
    } else {
        run::<Box<[u64]>>(class, cap, first)
    }
}

fn run<R: Rows>(class: &Class, cap: Cap, first: First) -> Result<i32, Capped> {
    let full = R::full(class.hypotheses());
    let size = u32::try_from(class.hypotheses()).expect("a class has at most 2^24 hypotheses");
    let mut recursion = Pruned {
        columns: class.columns(),
        known: FxHashMap::default(),
        budget: Budget::new(cap),
        levels: Vec::new(),
        first,
    };
    recursion.dimension(&full, size, 0)
}

struct Pruned<R> {
    columns: Vec<Vec<u64>>,
    known: FxHashMap<R, i32>,
    budget: Budget,
    /// The two sides at each depth.
    levels: Vec<Option<[R; 2]>>,
    first: First,
}

impl<R: Rows> Pruned<R> {
    fn dimension(&mut self, rows: &R, size: u32, depth: usize) -> Result<i32, Capped> {
        // One hypothesis has dimension 0; two or three have dimension 1.
        if size < 4 {
            return Ok(bound(size));
        }
        if let Some(&known) = self.known.get(rows) {
            return Ok(known);
        }
        self.budget.spend(rows.stored())?;
        if self.levels.len() == depth {
            self.levels.push(None);
        }
        let mut sides = self.levels[depth].take().unwrap_or_else(|| [rows.clone(), rows.clone()]);
        let mut best = 0;
        for x in 0..self.columns.len() {
            let column = &self.columns[x];
            let ones = rows.side(column, true, &mut sides[1]);
            let small = ones.min(size - ones);
            if small == 0 || bound(small) < best {
                continue;
            }
            rows.side(column, false, &mut sides[0]);
            let sizes = [size - ones, ones];
            let first = usize::from(self.first == First::Smaller && ones == small);
            let one = self.dimension(&sides[first], sizes[first], depth + 1)?;
            if one < best {
                continue;
            }
            let other = self.dimension(&sides[1 - first], sizes[1 - first], depth + 1)?;
            best = best.max(1 + one.min(other));
            if best == bound(size) {
                break;
            }
        }
        self.levels[depth] = Some(sides);
        self.known.insert(rows.clone(), best);
        Ok(best)
    }
}

/// The bound ⌊log2 |G|⌋.
fn bound(size: u32) -> i32 {
    i32::try_from(size.ilog2()).expect("a logarithm fits i32")
}

//! The textbook recursion.

use littlestone::class::Class;
use rustc_hash::FxHashMap;

use super::rows::Rows;
use super::{Budget, Cap, Capped};

/// Ldim(H) for a class with a hypothesis: the greatest 1 + min(Ldim(G|x=0), Ldim(G|x=1)) over the
/// points x on which G is not constant, or 0, remembered for each set G that is met.
///
/// # Errors
/// When the cap is reached.
pub fn memoised(class: &Class, cap: Cap) -> Result<i32, Capped> {
    if class.hypotheses() <= 64 { run::<u64>(class, cap) } else { run::<Box<[u64]>>(class, cap) }
}

fn run<R: Rows>(class: &Class, cap: Cap) -> Result<i32, Capped> {
    let full = R::full(class.hypotheses());
    let mut recursion = Memoised {
        columns: class.columns(),
        known: FxHashMap::default(),
        budget: Budget::new(cap),
        levels: Vec::new(),
    };
    recursion.dimension(&full, 0)
}

struct Memoised<R> {
    columns: Vec<Vec<u64>>,
    known: FxHashMap<R, i32>,
    budget: Budget,
    /// The two sides at each depth.
    levels: Vec<Option<[R; 2]>>,
}

impl<R: Rows> Memoised<R> {
    fn dimension(&mut self, rows: &R, depth: usize) -> Result<i32, Capped> {
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
            let sizes =
                [false, true].map(|label| rows.side(column, label, &mut sides[usize::from(label)]));
            if sizes.contains(&0) {
                continue;
            }
            let [zero, one] = &sides;
            let (zero, one) = (self.dimension(zero, depth + 1)?, self.dimension(one, depth + 1)?);
            best = best.max(1 + zero.min(one));
        }
        self.levels[depth] = Some(sides);
        self.known.insert(rows.clone(), best);
        Ok(best)
    }
}

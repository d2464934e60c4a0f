//! The threshold dimension: the longest chain of points and hypotheses that compare like numbers.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::class::Class;
use crate::limits::{Limits, Stopped};

use super::Dimension;
use super::meter::Meter;

/// The threshold dimension of `class`: the largest k with points `x_1, …, x_k` and hypotheses
/// `h_1, …, h_k` such that `h_i(x_j) = 1` iff `i ≤ j`. Columns are not complemented. It is 0 for a
/// class without a label 1, the empty class among them.
///
/// When a limit is hit, the bounds proved so far are returned. The search runs on one thread.
pub fn threshold_dimension(class: &Class, limits: &Limits) -> Dimension {
    let words = class.hypotheses().div_ceil(64);
    let mut rows = vec![u64::MAX; words];
    if let Some(last) = rows.last_mut()
        && !class.hypotheses().is_multiple_of(64)
    {
        *last = (1 << (class.hypotheses() % 64)) - 1;
    }
    let state = State { rows, points: (0..class.points()).collect() };
    let mut search = Search {
        class,
        columns: class.columns(),
        meter: Meter::new(limits),
        known: HashMap::with_hasher(FxBuildHasher),
    };
    let number = |n: usize| i32::try_from(n).expect("a dimension fits i32");
    let mut lower = 0;
    let limit = class.hypotheses().min(class.points());
    loop {
        match search.at_least(&state, lower + 1) {
            Ok(true) => lower += 1,
            Ok(false) => {
                return Dimension { lower: number(lower), upper: number(lower), stopped: None };
            }
            Err(stopped) => {
                return Dimension {
                    lower: number(lower),
                    upper: number(limit),
                    stopped: (lower < limit).then_some(stopped),
                };
            }
        }
    }
}

/// What is left for the rest of a chain: the hypotheses that give 0 at all points chosen so far,
/// and the points to which all hypotheses chosen so far give 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    rows: Vec<u64>,
    points: Vec<usize>,
}

struct Search<'a> {
    class: &'a Class,
    columns: Vec<Vec<u64>>,
    meter: Meter<'a>,
    /// Proved bounds (at least, at most) by state.
    known: HashMap<State, (usize, usize), FxBuildHasher>,
}

impl Search<'_> {
    /// Whether a chain of length `k` can be chosen from `state`.
    fn at_least(&mut self, state: &State, k: usize) -> Result<bool, Stopped> {
        if k == 0 {
            return Ok(true);
        }
        let state = self.reduce(state);
        let rows: usize = state.rows.iter().map(|w| w.count_ones() as usize).sum();
        if rows.min(state.points.len()) < k {
            return Ok(false);
        }
        if k == 1 {
            return Ok(true);
        }
        let (least, most) = self.known.get(&state).copied().unwrap_or((1, usize::MAX));
        if least >= k || most < k {
            return Ok(least >= k);
        }
        self.meter.tick()?;
        let found = self.search(&state, k)?;
        let entry = self.known.entry(state).or_insert((1, usize::MAX));
        if found {
            entry.0 = entry.0.max(k);
        } else {
            entry.1 = entry.1.min(k - 1);
        }
        Ok(found)
    }

    /// Tries every first pair (h, x) with h(x) = 1.
    fn search(&mut self, state: &State, k: usize) -> Result<bool, Stopped> {
        for &x in &state.points {
            let rows: Vec<u64> =
                state.rows.iter().zip(&self.columns[x]).map(|(r, c)| r & !c).collect();
            let heads: Vec<usize> =
                members(&state.rows).filter(|&h| self.class.label(h, x)).collect();
            let mut tails: Vec<Vec<usize>> = Vec::new();
            for h in heads {
                let points: Vec<usize> = state
                    .points
                    .iter()
                    .copied()
                    .filter(|&y| y != x && self.class.label(h, y))
                    .collect();
                if points.len() + 1 >= k {
                    tails.push(points);
                }
            }
            tails.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
            tails.dedup();
            for points in tails {
                if self.at_least(&State { rows: rows.clone(), points }, k - 1)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Drops points that no hypothesis left gives 1, all but one of points with equal columns, and
    /// hypotheses that are 0 on all points left: none of them can lengthen a chain.
    fn reduce(&self, state: &State) -> State {
        let mut seen: HashMap<Vec<u64>, (), FxBuildHasher> = HashMap::with_hasher(FxBuildHasher);
        let mut points = Vec::new();
        let mut covered = vec![0u64; state.rows.len()];
        for &x in &state.points {
            let column: Vec<u64> =
                state.rows.iter().zip(&self.columns[x]).map(|(r, c)| r & c).collect();
            if column.iter().any(|&w| w != 0) {
                for (c, w) in covered.iter_mut().zip(&column) {
                    *c |= w;
                }
                if seen.insert(column, ()).is_none() {
                    points.push(x);
                }
            }
        }
        State { rows: covered, points }
    }
}

/// The numbers of the set bits.
fn members(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(block, &word)| {
        (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| block * 64 + bit)
    })
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

    /// The definition, by trying all sequences.
    fn naive(points: usize, members: &[usize]) -> i32 {
        let longest = (1..=points.min(members.len()))
            .filter(|&k| {
                (0..points).permutations(k).any(|xs| {
                    (0..k).all(|i| {
                        members.iter().any(|h| (0..k).all(|j| (h >> xs[j] & 1 == 1) == (i <= j)))
                    })
                })
            })
            .max();
        longest.map_or(0, |k| i32::try_from(k).expect("small"))
    }

    #[test]
    fn agrees_with_the_definition_on_every_class_over_three_points() {
        for mask in 0..256u32 {
            let members: Vec<usize> = (0..8).filter(|h| mask >> h & 1 == 1).collect();
            let found = threshold_dimension(&class_of(3, &members), &Limits::default());
            assert_eq!(found.value(), Some(naive(3, &members)), "class {mask:08b}");
        }
    }

    #[test]
    fn agrees_with_the_definition_on_classes_over_five_points() {
        for seed in 1..40usize {
            let members: Vec<usize> = (0..32).filter(|h| (h * h * 7 + h * seed) % 11 < 5).collect();
            let found = threshold_dimension(&class_of(5, &members), &Limits::default());
            assert_eq!(found.value(), Some(naive(5, &members)), "seed {seed}");
        }
    }

    #[test]
    fn thresholds_form_the_longest_chain_and_point_functions_the_shortest() {
        // x ≥ t on n points: the chain is the class itself without the zero function. Two point
        // functions agree on every point but two, so a chain of length 2 needs h_1 = 1 twice.
        let thresholds: Vec<usize> = (0..=70usize).collect();
        let mut builder = ClassBuilder::new((0..70).map(|x: usize| x.to_string()).collect());
        for &t in &thresholds {
            builder.push(None, (0..70).map(|x| x >= t));
        }
        let found = threshold_dimension(&builder.build(), &Limits::default());
        assert_eq!(found.value(), Some(70));
        let found = threshold_dimension(&class_of(4, &[1, 2, 4, 8]), &Limits::default());
        assert_eq!(found.value(), Some(1));
    }

    #[test]
    fn a_limit_gives_bounds_that_hold() {
        let members: Vec<usize> = (0..64).collect();
        let limits = Limits { states: Some(0), ..Limits::default() };
        let found = threshold_dimension(&class_of(6, &members), &limits);
        // All functions on six points: the chain of initial segments has length 6.
        assert!(found.lower < 6 && 6 <= found.upper, "{found:?}");
        assert_eq!(found.stopped, Some(Stopped::States));
    }
}

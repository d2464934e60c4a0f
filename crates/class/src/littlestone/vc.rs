//! The VC dimension: the most points on which a class shows every labelling.
//!
//! *Idea.* Points are chosen one after the other, in a fixed order; the hypotheses fall into a block for
//! each labelling of those chosen, and a choice is pursued only while all 2^k blocks are there. Sets
//! of k + 1 points are looked for only when one of k points is found.
//!
//! *Invariant.* A part of a shattered set is shattered, so a candidate that splits some block of a
//! smaller set badly never comes back below it. Of a column and its complement one is tried.
//!
//! *Not here.* There is no table of positions met before, as the search for the Littlestone dimension
//! has; that dimension, where it is known, bounds the search from above.

use rustc_hash::FxHashSet;

use crate::{Class, VersionSpace};
use littlestone_exact::limits::{Limits, Meter, Stopped};

use super::Dimension;

/// What is known of a VC dimension, with its proof from below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShatteredSet {
    /// The bounds that were proved.
    pub dimension: Dimension,
    /// As many points as the lower bound says, in increasing order, on which the class shows every
    /// labelling.
    pub points: Vec<usize>,
}

/// The VC dimension of `class`, −1 for the empty class, or the best bounds proved when a limit is
/// hit. The search runs on one thread; a state is a shattered set whose extensions are tried.
pub fn vc_dimension(class: &Class, limits: &Limits) -> Dimension {
    shattered_set(class, None, limits).dimension
}

/// A largest set of points shattered by `class`, as [`vc_dimension`].
///
/// `at_most` is an upper bound that the caller has proved, such as the Littlestone dimension: it
/// can save the search for a larger set, which is nearly all of the work.
pub fn shattered_set(class: &Class, at_most: Option<i32>, limits: &Limits) -> ShatteredSet {
    if class.hypotheses() == 0 {
        let dimension = Dimension { lower: -1, upper: -1, stopped: None };
        return ShatteredSet { dimension, points: Vec::new() };
    }
    let columns = distinct_columns(class);
    // A shattered set of k points needs 2^k hypotheses and k columns.
    let bound = (class.hypotheses().ilog2() as usize).min(columns.len());
    let bound = at_most.and_then(|d| usize::try_from(d).ok()).map_or(bound, |d| d.min(bound));
    let mut search = Search { columns: &columns, meter: limits.meter(), chosen: Vec::new() };
    let all = [Block::new(VersionSpace::full(class).words().to_vec())];
    let candidates: Vec<usize> = (0..columns.len()).collect();
    let mut found = Vec::new();
    let mut stopped = None;
    while found.len() < bound {
        match search.extend(&all, &candidates, found.len() + 1) {
            Ok(true) => found = std::mem::take(&mut search.chosen),
            Ok(false) => break,
            Err(reason) => {
                stopped = Some(reason);
                break;
            }
        }
    }
    let number = |n: usize| i32::try_from(n).expect("a dimension fits i32");
    let upper = if stopped.is_some() { bound } else { found.len() };
    let mut points: Vec<usize> = found.iter().map(|&c| columns[c].0).collect();
    points.sort_unstable();
    ShatteredSet {
        dimension: Dimension { lower: number(found.len()), upper: number(upper), stopped },
        points,
    }
}

/// One point for each non-constant column, columns and their complements counted once, with the
/// column; the most balanced first, which are the likeliest to be shattered together.
fn distinct_columns(class: &Class) -> Vec<(usize, Vec<u64>)> {
    let m = class.hypotheses();
    let mut seen = FxHashSet::default();
    let mut columns = Vec::new();
    for (x, column) in class.columns().into_iter().enumerate() {
        let ones: usize = column.iter().map(|w| w.count_ones() as usize).sum();
        // Of a column and its complement, the one that is 0 in the first row stands for both.
        let flip = if column[0] & 1 == 1 { u64::MAX } else { 0 };
        let mut key: Vec<u64> = column.iter().map(|w| w ^ flip).collect();
        if !m.is_multiple_of(64) {
            key[m / 64] &= (1 << (m % 64)) - 1;
        }
        if ones != 0 && ones != m && seen.insert(key) {
            columns.push((ones.min(m - ones), x, column));
        }
    }
    columns.sort_by_key(|&(minority, x, _)| (std::cmp::Reverse(minority), x));
    columns.into_iter().map(|(_, x, column)| (x, column)).collect()
}

/// The hypotheses with one labelling of the chosen points. Which form is smaller is also quicker to
/// go through.
enum Block {
    Listed(Vec<u32>),
    Packed(Vec<u64>),
}

impl Block {
    fn new(words: Vec<u64>) -> Self {
        let len: usize = words.iter().map(|w| w.count_ones() as usize).sum();
        if len >= words.len() {
            return Self::Packed(words);
        }
        let mut rows = Vec::with_capacity(len);
        for (block, &word) in words.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let row = block * 64 + rest.trailing_zeros() as usize;
                rows.push(u32::try_from(row).expect("rows fit u32"));
                rest &= rest - 1;
            }
        }
        Self::Listed(rows)
    }

    /// Number of steps to go through it.
    fn len(&self) -> usize {
        match self {
            Self::Listed(rows) => rows.len(),
            Self::Packed(words) => words.len(),
        }
    }

    /// The members with label 0 in the column, and those with label 1.
    fn cut(&self, column: &[u64]) -> [Self; 2] {
        match self {
            Self::Listed(rows) => {
                let (one, zero) = rows.iter().partition(|&&row| bit(column, row));
                [Self::Listed(zero), Self::Listed(one)]
            }
            Self::Packed(words) => {
                let side = |flip: u64| words.iter().zip(column).map(move |(w, c)| w & (c ^ flip));
                [Self::new(side(u64::MAX).collect()), Self::new(side(0).collect())]
            }
        }
    }

    /// Whether it has at least `need` members with either label in the column, and how many steps
    /// it took to see that.
    fn splits(&self, column: &[u64], need: usize) -> (bool, usize) {
        let mut counts = [0usize; 2];
        match self {
            Self::Listed(rows) => {
                for (step, &row) in rows.iter().enumerate() {
                    counts[usize::from(bit(column, row))] += 1;
                    if counts[0] >= need && counts[1] >= need {
                        return (true, step + 1);
                    }
                }
            }
            Self::Packed(words) => {
                for (step, (word, labels)) in words.iter().zip(column).enumerate() {
                    counts[0] += (word & !labels).count_ones() as usize;
                    counts[1] += (word & labels).count_ones() as usize;
                    if counts[0] >= need && counts[1] >= need {
                        return (true, step + 1);
                    }
                }
            }
        }
        (false, self.len())
    }
}

fn bit(column: &[u64], row: u32) -> bool {
    column[row as usize / 64] >> (row % 64) & 1 == 1
}

struct Search<'c> {
    columns: &'c [(usize, Vec<u64>)],
    meter: Meter<'static>,
    chosen: Vec<usize>,
}

impl Search<'_> {
    /// Whether the chosen columns, which cut the class into `blocks`, are part of a shattered set
    /// of `k` columns whose others are among `candidates`. If so, `chosen` becomes that set.
    fn extend(
        &mut self,
        blocks: &[Block],
        candidates: &[usize],
        k: usize,
    ) -> Result<bool, Stopped> {
        self.meter.count()?;
        let missing = k - self.chosen.len();
        // After the next column, each block must still hold every labelling of the rest.
        let need = 1usize << (missing - 1);
        let mut fit = Vec::new();
        for &candidate in candidates {
            if self.splits(blocks, candidate, need)? {
                if missing == 1 {
                    self.chosen.push(candidate);
                    return Ok(true);
                }
                fit.push(candidate);
            }
        }
        // What does not fit here fits no larger set, so only the columns that do are passed on.
        for (index, &candidate) in fit.iter().enumerate() {
            if fit.len() - index < missing {
                break;
            }
            let column = &self.columns[candidate].1;
            let mut cut: Vec<Block> = blocks.iter().flat_map(|block| block.cut(column)).collect();
            self.meter.work(cut.iter().map(Block::len).sum())?;
            // The smallest block is the likeliest to rule a column out.
            cut.sort_by_key(Block::len);
            self.chosen.push(candidate);
            if self.extend(&cut, &fit[index + 1..], k)? {
                return Ok(true);
            }
            self.chosen.pop();
        }
        Ok(false)
    }

    /// Whether each block has at least `need` rows with either label in the column.
    fn splits(&mut self, blocks: &[Block], candidate: usize, need: usize) -> Result<bool, Stopped> {
        let column = &self.columns[candidate].1;
        let mut seen = 0;
        let all = blocks.iter().all(|block| {
            let (splits, steps) = block.splits(column, need);
            seen += steps;
            splits
        });
        self.meter.work(seen)?;
        Ok(all)
    }
}

//! The decision "Ldim ≥ k" on compressed matrices.
//!
//! The recursion is the definition: Ldim(A) ≥ k iff some point splits A into two sides of
//! dimension at least k − 1. What makes it fast: sides are compressed and looked up in a table,
//! the side more likely to fail goes first, sizes two questions ahead rule out most points, and
//! the last levels are bit-parallel loops without a table.

use std::cmp::{Ordering, Reverse};
use std::sync::atomic::{AtomicBool, Ordering as Memory};

use littlestone_exact::limits::{Limits, Progress, Stopped};

use super::kernels::Kernels;
use super::matrix::{Matrix, Scratch};
use super::table::{self, Table};

/// How many states pass between two looks at the clock and at the other threads.
const LOOK: u64 = 16;

/// Buffers of one level of the recursion.
#[derive(Debug, Default)]
struct Level {
    matrix: Matrix,
    counts: Vec<u32>,
    meets: Vec<u32>,
    order: Vec<u32>,
    mask: Vec<u64>,
}

/// One thread's search.
pub(crate) struct Search<'s> {
    kernels: Kernels,
    table: &'s Table,
    limits: &'s Limits,
    progress: &'s Progress,
    /// Set when another thread has answered the question.
    finished: Option<&'s AtomicBool>,
    /// From this level of k upward, points are tried in the opposite order. All points of a
    /// matrix that fails must be refuted, in whatever order, so threads that start from opposite
    /// ends share the work through the table.
    reverse_from: usize,
    levels: Vec<Level>,
    scratch: Scratch,
    states: u64,
}

impl<'s> Search<'s> {
    pub(super) fn new(
        kernels: Kernels,
        table: &'s Table,
        limits: &'s Limits,
        progress: &'s Progress,
    ) -> Self {
        Self {
            kernels,
            table,
            limits,
            progress,
            finished: None,
            reverse_from: usize::MAX,
            levels: Vec::new(),
            scratch: Scratch::default(),
            states: 0,
        }
    }

    /// Makes this search one of several on the same question.
    pub fn in_team(mut self, finished: &'s AtomicBool, reverse_from: usize) -> Self {
        self.finished = Some(finished);
        self.reverse_from = reverse_from;
        self
    }

    /// Whether the selected rows of a class have Littlestone dimension at least `k`.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn at_least(
        &mut self,
        columns: (&[u64], usize),
        mask: &[u64],
        count: usize,
        k: usize,
    ) -> Result<bool, Stopped> {
        if count == 0 || k == 0 {
            return Ok(count > 0);
        }
        // Hypotheses are distinct, so two of them differ at some point; and dimension k takes 2^k.
        if k == 1 || count >> k == 0 {
            return Ok(count >> k > 0);
        }
        if self.levels.len() <= k {
            self.levels.resize_with(k + 1, Level::default);
        }
        self.levels[k].matrix.compress_from(self.kernels, columns, mask, count, &mut self.scratch);
        self.decide(k)
    }

    /// Whether the class of a compressed matrix has Littlestone dimension at least `k`.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn matrix_at_least(&mut self, matrix: &Matrix, k: usize) -> Result<bool, Stopped> {
        if matrix.rows == 0 || k == 0 {
            return Ok(matrix.rows > 0);
        }
        if self.levels.len() <= k {
            self.levels.resize_with(k + 1, Level::default);
        }
        self.levels[k].matrix.copy_from(matrix);
        self.decide(k)
    }

    /// Whether the matrix at level `k` has dimension at least `k`, for k ≥ 1.
    fn decide(&mut self, k: usize) -> Result<bool, Stopped> {
        let matrix = &self.levels[k].matrix;
        if matrix.columns < k || matrix.rows >> k == 0 {
            return Ok(false);
        }
        if k == 1 {
            return Ok(true);
        }
        if matrix.words == 1 && k == 3 {
            return Ok(self.kernels.at_least_3(&matrix.data, matrix.all_rows()));
        }
        if matrix.words == 1 && k == 4 {
            self.count_state()?;
            let matrix = &self.levels[k].matrix;
            return Ok(self.kernels.at_least_4(&matrix.data, matrix.all_rows()));
        }
        // By Sauer's lemma that many rows have VC dimension at least k already.
        if more_than_sauer(matrix.rows, matrix.columns, k) {
            return Ok(true);
        }
        let mut level = std::mem::take(&mut self.levels[k]);
        let answer = self.expand(&mut level, k);
        self.levels[k] = level;
        answer
    }

    fn expand(&mut self, level: &mut Level, k: usize) -> Result<bool, Stopped> {
        let Level { matrix, counts, meets, order, mask } = level;
        let rows = u32::try_from(matrix.rows).expect("rows fit u32");
        self.kernels.count(&matrix.data, matrix.words, counts);
        let enough = |level: usize| u32::try_from(1u64 << level).unwrap_or(u32::MAX);
        let minority = |c: usize| counts[c].min(rows - counts[c]);
        let candidates = (0..matrix.columns).filter(|&c| minority(c) >= enough(k - 1)).count();
        if candidates == 0 {
            return Ok(false);
        }
        if k == 2 {
            return Ok(true);
        }
        let remember = k > 3;
        let hash = if remember { table::hash(matrix) } else { 0 };
        if remember {
            let known = self.table.get(hash, matrix);
            if usize::from(known.lo) >= k {
                return Ok(true);
            }
            if usize::from(known.hi) < k {
                return Ok(false);
            }
            self.count_state()?;
        }
        // Only columns that split off enough rows can matter to the two-ply test below; the ones
        // that can be asked now come first, the most balanced of them first of all.
        order.clear();
        order.extend(
            (0u32..).take(matrix.columns).filter(|&c| minority(c as usize) >= enough(k - 2)),
        );
        order.sort_unstable_by_key(|&c| (Reverse(minority(c as usize)), c));
        if k >= self.reverse_from {
            order[..candidates].reverse();
        }
        let width = order.len();
        meets.clear();
        let mut answer = false;
        for i in 0..candidates {
            let x = order[i];
            meets.resize((i + 1) * width, 0);
            let row = &mut meets[i * width..(i + 1) * width];
            self.kernels.count_meets(
                &matrix.data,
                matrix.words,
                x,
                &order[i + 1..],
                &mut row[i + 1..],
            );
            let x = x as usize;
            let (zero_split, one_split) = best_splits(counts, (meets, order), i, rows);
            if zero_split.min(one_split) < enough(k - 2) {
                continue;
            }
            if k == 3 {
                answer = true;
                break;
            }
            let ones = counts[x];
            let one_first = (one_split, ones) < (zero_split, rows - ones);
            let mut both = true;
            for label in [one_first, !one_first] {
                matrix.side(x, label, mask);
                let count = (if label { ones } else { rows - ones }) as usize;
                let source = (matrix.data.as_slice(), matrix.words);
                let child = &mut self.levels[k - 1].matrix;
                child.compress_from(self.kernels, source, mask, count, &mut self.scratch);
                if !self.decide(k - 1)? {
                    both = false;
                    break;
                }
            }
            if both {
                answer = true;
                break;
            }
        }
        if remember {
            let k = u8::try_from(k).expect("a dimension is at most 24");
            self.table.learn(hash, matrix, k, answer);
        }
        Ok(answer)
    }

    /// Counts one state, of this search or of one that builds on it, against the limits.
    pub fn count_state(&mut self) -> Result<(), Stopped> {
        self.states += 1;
        if let Some(limit) = self.limits.states {
            // Exact and in a fixed order: a search with a state limit runs on one thread.
            if self.progress.states.fetch_add(1, Memory::Relaxed) >= limit {
                return Err(Stopped::States);
            }
        } else if self.states.is_multiple_of(LOOK) {
            self.progress.states.fetch_add(LOOK, Memory::Relaxed);
        }
        // Also at the first state: many searches are short.
        if self.states % LOOK == 1 {
            self.limits.check()?;
            if self.finished.is_some_and(|f| f.load(Memory::Relaxed)) {
                return Err(Stopped::Elsewhere);
            }
        }
        Ok(())
    }
}

impl Drop for Search<'_> {
    fn drop(&mut self) {
        if self.limits.states.is_none() {
            self.progress.states.fetch_add(self.states % LOOK, Memory::Relaxed);
        }
    }
}

/// For the two sides of column `order[i]`, the size of the smaller part in the most even split by
/// another column: a side can have dimension k − 1 only if this is at least 2^(k − 2).
///
/// Row `i` of `meets` counts common ones of `order[i]` and `order[j]` for j > i.
fn best_splits(
    counts: &[u32],
    (meets, order): (&[u32], &[u32]),
    i: usize,
    rows: u32,
) -> (u32, u32) {
    let width = order.len();
    let ones = counts[order[i] as usize];
    let zeros = rows - ones;
    let (mut zero_split, mut one_split) = (0, 0);
    for (j, &y) in order.iter().enumerate() {
        let meet = match j.cmp(&i) {
            Ordering::Less => meets[j * width + i],
            Ordering::Equal => continue,
            Ordering::Greater => meets[i * width + j],
        };
        let rest = counts[y as usize] - meet;
        one_split = one_split.max(meet.min(ones - meet));
        zero_split = zero_split.max(rest.min(zeros - rest));
    }
    (zero_split, one_split)
}

/// Whether `rows` exceeds Σ_{i<k} C(columns, i), the greatest size of a class of VC dimension
/// less than k on that many points.
fn more_than_sauer(rows: usize, columns: usize, k: usize) -> bool {
    let (mut sum, mut term) = (0u128, 1u128);
    for i in 0..k {
        sum += term;
        if sum >= rows as u128 {
            return false;
        }
        // Below this line term ≤ sum < rows ≤ 2^64, so the product fits.
        term = term * (columns as u128).saturating_sub(i as u128) / (i as u128 + 1);
    }
    true
}

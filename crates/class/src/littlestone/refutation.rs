//! Refutations: the proof that a Littlestone dimension is at most a number, written as a directed
//! acyclic graph of compressed matrices.
//!
//! The format and its soundness are described in `docs/certificates.md`. The graph is a function
//! of the class alone: the questions asked of the search have one answer each, whatever the table
//! holds, and they are asked in a fixed order.

use std::cmp::Ordering;
use std::io::{self, Write};

use rustc_hash::FxHashMap;

use crate::VersionSpace;
use littlestone_exact::limits::Stopped;

use super::Solver;
use super::matrix::{Matrix, Scratch};
use super::search::Search;

/// Children whose bound is at most this are left to the verifier.
const LEFT_TO_THE_VERIFIER: usize = 3;

/// How the writing of a refutation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// The refutation is complete.
    Complete {
        /// Number of states of the graph.
        states: usize,
    },
    /// It would have been larger than allowed; what was written is a fragment.
    TooLarge,
    /// A limit on the search was hit; what was written is a fragment.
    Stopped(Stopped),
}

/// States of the graph that are still to be written, in the order of their numbers.
#[derive(Default)]
struct Queue {
    numbers: FxHashMap<(usize, Matrix), usize>,
    pending: std::collections::VecDeque<(usize, Matrix)>,
}

impl Queue {
    /// The number of the state that shows Ldim(matrix) < k.
    fn number(&mut self, k: usize, matrix: &Matrix) -> usize {
        let key = (k, matrix.clone());
        let next = self.numbers.len();
        *self.numbers.entry(key).or_insert_with_key(|key| {
            self.pending.push_back(key.clone());
            next
        })
    }
}

impl Solver<'_> {
    /// Writes the states of a refutation of "Ldim(H) ≥ `k`" as a JSON array, at most
    /// `limit` bytes of it. The class must have Littlestone dimension less than `k`, k ≥ 1, and
    /// at least one hypothesis.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_refutation(
        &self,
        k: usize,
        limit: u64,
        out: &mut impl Write,
    ) -> io::Result<Written> {
        let mut search = self.search();
        let (mut queue, mut scratch) = (Queue::default(), Scratch::default());
        let full = VersionSpace::full(self.class());
        let mut matrix = Matrix::default();
        let source = (self.flat(), full.words().len());
        matrix.compress_from(self.kernels(), source, full.words(), full.len(), &mut scratch);
        sort_by_rows(&mut matrix);
        queue.number(k, &matrix);
        let mut bytes = 0u64;
        let mut states = 0usize;
        while let Some((k, matrix)) = queue.pending.pop_front() {
            let entries = match self.entries(&mut search, &mut queue, &mut scratch, k, &matrix) {
                Ok(entries) => entries,
                Err(stopped) => return Ok(Written::Stopped(stopped)),
            };
            let line = serde_json::to_string(&entries)?;
            bytes += line.len() as u64 + 2;
            if bytes > limit {
                return Ok(Written::TooLarge);
            }
            write!(out, "{}{line}", if states == 0 { "[" } else { ",\n" })?;
            states += 1;
        }
        out.write_all(b"]")?;
        Ok(Written::Complete { states })
    }

    /// The entries of one state: for each column that splits off enough rows on both sides, a
    /// side of too small a dimension and the state that shows it.
    fn entries(
        &self,
        search: &mut Search<'_>,
        queue: &mut Queue,
        scratch: &mut Scratch,
        k: usize,
        matrix: &Matrix,
    ) -> Result<Vec<(usize, u8, Option<usize>)>, Stopped> {
        let mut entries = Vec::new();
        if matrix.rows >> k == 0 {
            return Ok(entries);
        }
        let (mut mask, mut child) = (Vec::new(), Matrix::default());
        let source = (matrix.data.as_slice(), matrix.words);
        for c in 0..matrix.columns {
            let ones: usize = matrix.column(c).iter().map(|w| w.count_ones() as usize).sum();
            let sizes = [matrix.rows - ones, ones];
            if sizes.iter().any(|size| size >> (k - 1) == 0) {
                continue;
            }
            let weaker = usize::from(sizes[1] < sizes[0]);
            let mut side = weaker;
            matrix.side(c, side == 1, &mut mask);
            if search.at_least(source, &mask, sizes[side], k - 1)? {
                side = 1 - weaker;
                matrix.side(c, side == 1, &mut mask);
            }
            let number = if k - 1 <= LEFT_TO_THE_VERIFIER {
                None
            } else {
                child.compress_from(self.kernels(), source, &mask, sizes[side], scratch);
                sort_by_rows(&mut child);
                Some(queue.number(k - 1, &child))
            };
            entries.push((c, u8::from(side == 1), number));
        }
        Ok(entries)
    }
}

/// Sorts the columns of a compressed matrix as the certificate format asks: lexicographically,
/// row 0 first.
fn sort_by_rows(matrix: &mut Matrix) {
    let mut columns: Vec<&[u64]> = (0..matrix.columns).map(|c| matrix.column(c)).collect();
    columns.sort_unstable_by(|a, b| by_rows(a, b));
    matrix.data = columns.concat();
}

/// Compares two columns by their labels from row 0 on.
pub(crate) fn by_rows(a: &[u64], b: &[u64]) -> Ordering {
    let differ = a.iter().zip(b).find(|(x, y)| x != y);
    differ.map_or(Ordering::Equal, |(x, y)| {
        let first = (x ^ y).trailing_zeros();
        (x >> first & 1).cmp(&(y >> first & 1))
    })
}

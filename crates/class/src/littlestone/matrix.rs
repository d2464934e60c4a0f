//! Compressed classes: what remains of a class once everything that cannot change its Littlestone
//! dimension is gone.

use super::kernels::Kernels;

/// A class as a table of bits: `rows` distinct hypotheses, one column a point, columns one after
/// the other, `words` words each, row `i` at bit `i % 64` of word `i / 64`.
///
/// In a *compressed* matrix every column is non-constant, has a zero in row 0, and occurs once;
/// columns are sorted. Dropping constant and repeated columns and complementing columns changes
/// no Littlestone dimension, so two classes with equal compressed matrices have equal dimensions.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Matrix {
    pub rows: usize,
    pub columns: usize,
    pub words: usize,
    pub data: Vec<u64>,
}

/// Buffers that [`Matrix::compress_from`] reuses.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    squeezed: Vec<u64>,
    order: Vec<u32>,
}

impl Matrix {
    /// The column at position `c`.
    pub fn column(&self, c: usize) -> &[u64] {
        &self.data[c * self.words..(c + 1) * self.words]
    }

    /// Makes `self` equal to `other`, in the memory that it has.
    pub fn copy_from(&mut self, other: &Self) {
        (self.rows, self.columns, self.words) = (other.rows, other.columns, other.words);
        self.data.clear();
        self.data.extend_from_slice(&other.data);
    }

    /// Makes `self` the compressed matrix of the rows of `columns` selected by `mask`
    /// (`count` many, at least one).
    pub fn compress_from(
        &mut self,
        kernels: Kernels,
        (columns, words): (&[u64], usize),
        mask: &[u64],
        count: usize,
        scratch: &mut Scratch,
    ) {
        self.rows = count;
        self.words = count.div_ceil(64);
        let last = if count.is_multiple_of(64) { u64::MAX } else { (1 << (count % 64)) - 1 };
        if self.words == 1 {
            kernels.squeeze(columns, words, mask, 1, &mut self.data);
            for v in &mut self.data {
                *v ^= (*v & 1).wrapping_neg() & last;
            }
            self.data.sort_unstable();
            self.data.dedup();
            if self.data.first() == Some(&0) {
                self.data.remove(0);
            }
            self.columns = self.data.len();
            return;
        }
        kernels.squeeze(columns, words, mask, self.words, &mut scratch.squeezed);
        let (width, squeezed) = (self.words, &mut scratch.squeezed);
        for column in squeezed.chunks_exact_mut(width) {
            if column[0] & 1 == 1 {
                for v in column.iter_mut() {
                    *v = !*v;
                }
                column[width - 1] &= last;
            }
        }
        let at = |c: u32| &squeezed[c as usize * width..(c as usize + 1) * width];
        let order = &mut scratch.order;
        order.clear();
        let total = u32::try_from(squeezed.len() / width).expect("columns fit u32");
        order.extend((0..total).filter(|&c| at(c).iter().any(|&v| v != 0)));
        order.sort_unstable_by(|&a, &b| at(a).cmp(at(b)));
        order.dedup_by(|a, b| at(*a) == at(*b));
        self.columns = order.len();
        self.data.clear();
        for &c in order.iter() {
            self.data.extend_from_slice(at(c));
        }
    }

    /// Writes into `mask` the rows of column `c` with the given label.
    pub fn side(&self, c: usize, label: bool, mask: &mut Vec<u64>) {
        mask.clear();
        if label {
            mask.extend_from_slice(self.column(c));
        } else {
            mask.extend(self.column(c).iter().map(|v| !v));
            if !self.rows.is_multiple_of(64) {
                mask[self.words - 1] &= (1 << (self.rows % 64)) - 1;
            }
        }
    }

    /// The mask of all rows, for matrices of at most 64 rows.
    pub fn all_rows(&self) -> u64 {
        if self.rows == 64 { u64::MAX } else { (1 << self.rows) - 1 }
    }
}

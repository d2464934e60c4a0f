//! The class as a relation between items, which the search collects, and rows, which witness.

use rustc_hash::FxHashSet;

use crate::Class;

use super::Pair;

/// The labels 1 of a class, without the columns and rows that no sequence needs: those without a
/// label 1, and repeated columns.
///
/// Items are the points, or the hypotheses if there are fewer of them: the transposed relation has
/// the same sequences, read backwards.
#[derive(Debug)]
pub(super) struct Relation {
    /// The items of each row, packed.
    by_row: Vec<Vec<u64>>,
    /// The rows of each item, packed.
    by_item: Vec<Vec<u64>>,
    points: Vec<usize>,
    hypotheses: Vec<usize>,
    transposed: bool,
}

impl Relation {
    pub(super) fn new(class: &Class) -> Self {
        let columns = class.columns();
        let mut seen = FxHashSet::default();
        let points: Vec<usize> = (0..class.points())
            .filter(|&x| columns[x].iter().any(|&w| w != 0) && seen.insert(&columns[x]))
            .collect();
        let hypotheses: Vec<usize> =
            (0..class.hypotheses()).filter(|&h| class.row(h).iter().any(|&w| w != 0)).collect();
        let by_hypothesis = pack(&hypotheses, &points, |h, x| class.label(h, x));
        let by_point = pack(&points, &hypotheses, |x, h| class.label(h, x));
        let transposed = hypotheses.len() < points.len();
        let (by_row, by_item) =
            if transposed { (by_point, by_hypothesis) } else { (by_hypothesis, by_point) };
        Self { by_row, by_item, points, hypotheses, transposed }
    }

    pub(super) fn rows(&self) -> usize {
        self.by_row.len()
    }

    pub(super) fn items(&self) -> usize {
        self.by_item.len()
    }

    /// Number of words of a set of items.
    pub(super) fn stride(&self) -> usize {
        self.items().div_ceil(64)
    }

    /// The items of a row.
    pub(super) fn row(&self, row: usize) -> &[u64] {
        &self.by_row[row]
    }

    /// The rows of an item.
    pub(super) fn column(&self, item: usize) -> &[u64] {
        &self.by_item[item]
    }

    pub(super) fn row_weight(&self, row: usize) -> usize {
        weight(self.row(row))
    }

    pub(super) fn column_weight(&self, item: usize) -> usize {
        weight(self.column(item))
    }

    pub(super) fn holds(&self, row: usize, item: usize) -> bool {
        self.by_row[row][item / 64] >> (item % 64) & 1 == 1
    }

    /// The points and hypotheses of the class that `pairs` stand for.
    pub(super) fn sequence(&self, pairs: &[Pair]) -> (Vec<usize>, Vec<usize>) {
        if self.transposed {
            pairs.iter().rev().map(|&(row, item)| (self.points[row], self.hypotheses[item])).unzip()
        } else {
            pairs.iter().map(|&(row, item)| (self.points[item], self.hypotheses[row])).unzip()
        }
    }
}

fn pack(outer: &[usize], inner: &[usize], label: impl Fn(usize, usize) -> bool) -> Vec<Vec<u64>> {
    outer
        .iter()
        .map(|&a| {
            let mut words = vec![0u64; inner.len().div_ceil(64)];
            for (at, &b) in inner.iter().enumerate() {
                words[at / 64] |= u64::from(label(a, b)) << (at % 64);
            }
            words
        })
        .collect()
}

fn weight(words: &[u64]) -> usize {
    words.iter().map(|w| w.count_ones() as usize).sum()
}

/// The positions of the set bits of `words`, each masked by `mask`.
pub(super) fn members<'w>(words: &'w [u64], mask: &'w [u64]) -> impl Iterator<Item = usize> + 'w {
    words.iter().zip(mask).enumerate().flat_map(|(block, (&word, &mask))| {
        std::iter::successors(Some(word & mask), |w| w.checked_sub(1).map(|below| w & below))
            .take_while(|&w| w != 0)
            .map(move |w| block * 64 + w.trailing_zeros() as usize)
    })
}

//! Compressed classes, and the plain recursion that follows Definition 6 without any table.

use super::verify::{Limit, Work};

/// A class up to what does not change its Littlestone dimension; made by [`Matrix::compress`].
///
/// Each column holds one bit per row, 64 rows a word, the first row in the most significant bit of
/// the first word. So the order of columns as lists of numbers is the lexicographic order of their
/// labels read from the first row on, with 0 before 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Matrix {
    rows: usize,
    columns: Vec<Vec<u64>>,
}

/// Mask of row `r` within its word.
fn bit(r: usize) -> u64 {
    1 << (63 - r % 64)
}

/// The label in row `r` of a column.
fn label(column: &[u64], r: usize) -> bool {
    column[r / 64] & bit(r) != 0
}

/// Number of rows in a set of rows packed like a column.
fn size(set: &[u64]) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

/// Whether `rows < 2^k`.
fn fewer_than_power(rows: usize, k: u32) -> bool {
    1usize.checked_shl(k).is_none_or(|power| rows < power)
}

/// The greatest number of functions on n points with a dimension below q: Σ C(n, i) for i < q, or
/// more where that is beyond all numbers of rows.
fn sauer(n: usize, q: usize) -> usize {
    let (mut sum, mut term) = (0usize, 1usize);
    for i in 0..q.min(n + 1) {
        sum = sum.saturating_add(term);
        match term.checked_mul(n - i) {
            Some(product) => term = product / (i + 1),
            None => return usize::MAX,
        }
    }
    sum
}

impl Matrix {
    /// The compressed matrix of a class with `rows` hypotheses; `columns` yields the labels of
    /// each point.
    ///
    /// Constant columns are dropped, columns with a 1 in row 0 are complemented, the rest are
    /// sorted, and of equal columns one is kept.
    pub(super) fn compress<C>(rows: usize, columns: impl IntoIterator<Item = C>) -> Self
    where
        C: IntoIterator<Item = bool>,
    {
        let mut kept = Vec::new();
        for labels in columns {
            let mut column = vec![0u64; rows.div_ceil(64)];
            let mut first = false;
            for (r, label) in labels.into_iter().enumerate() {
                if r == 0 {
                    first = label;
                }
                // Complementing by the first label makes a constant column all zero.
                if label != first {
                    column[r / 64] |= bit(r);
                }
            }
            if column.iter().any(|&word| word != 0) {
                kept.push(column);
            }
        }
        kept.sort_unstable();
        kept.dedup();
        Self { rows, columns: kept }
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns. With distinct rows there is none exactly when there is at most one row.
    pub(super) fn columns(&self) -> usize {
        self.columns.len()
    }

    /// Number of rows with the label `side` in column `c`.
    fn side_size(&self, c: usize, side: bool) -> usize {
        let ones = size(&self.columns[c]);
        if side { ones } else { self.rows - ones }
    }

    /// The columns both of whose sides have at least `2^k` rows, in increasing order.
    pub(super) fn columns_with_sides_of_power(&self, k: u32) -> Vec<usize> {
        (0..self.columns.len())
            .filter(|&c| {
                !fewer_than_power(self.side_size(c, false), k)
                    && !fewer_than_power(self.side_size(c, true), k)
            })
            .collect()
    }

    /// Whether there are fewer than `2^k` rows, and so a dimension below k.
    pub(super) fn has_fewer_rows_than_power(&self, k: u32) -> bool {
        fewer_than_power(self.rows, k)
    }

    /// The side of column `c` with more rows.
    pub(super) fn larger_side(&self, c: usize) -> bool {
        self.side_size(c, true) > self.side_size(c, false)
    }

    /// The column of the points with these labels or their complements, in the order of the rows,
    /// and whether it was complemented.
    pub(super) fn column_of(&self, labels: impl Iterator<Item = bool>) -> Option<(usize, bool)> {
        let labels: Vec<bool> = labels.collect();
        let one = Self::compress(self.rows, [labels.iter().copied()]);
        let column = self.columns.binary_search(one.columns.first()?).ok()?;
        Some((column, labels[0]))
    }

    /// Whether counting rows shows that answers to `queries` queries can leave a dimension of at
    /// least q: the larger sides of that many columns have more rows in common than a class of
    /// smaller dimension has on the other columns, by the lemma of Sauer and Shelah. An answer that
    /// leaves a row there is always.
    pub(super) fn evidently_keeps(&self, q: i32, queries: u128) -> bool {
        let Ok(q) = usize::try_from(q) else { return true };
        if q == 0 {
            return self.rows > 0;
        }
        let Some(left) =
            usize::try_from(queries).ok().and_then(|k| self.columns.len().checked_sub(k))
        else {
            return false;
        };
        let mut removed: Vec<usize> = (0..self.columns.len())
            .map(|c| self.side_size(c, false).min(self.side_size(c, true)))
            .collect();
        removed.sort_unstable();
        let removed = removed[left..].iter().fold(0usize, |sum, &n| sum.saturating_add(n));
        self.rows.saturating_sub(removed) > sauer(left, q)
    }

    /// The rows with the label `side` in column `c`, compressed again.
    pub(super) fn restrict(&self, c: usize, side: bool) -> Self {
        let chosen = &self.columns[c];
        let rows: Vec<usize> = (0..self.rows).filter(|&r| label(chosen, r) == side).collect();
        let columns = self.columns.iter().map(|column| rows.iter().map(|&r| label(column, r)));
        Self::compress(rows.len(), columns)
    }

    /// Whether the dimension is less than `k`, by the definition.
    pub(super) fn dimension_below(&self, k: u32, work: &mut Work) -> Result<bool, Limit> {
        let mut all = vec![0u64; self.rows.div_ceil(64)];
        for r in 0..self.rows {
            all[r / 64] |= bit(r);
        }
        self.below(&all, k, work)
    }

    /// Whether the rows in `alive` have dimension less than `k`: no point splits them into two
    /// sides of dimension at least `k − 1` each. A tree of depth `k` has `2^k` leaves with
    /// different hypotheses, so fewer rows never shatter one.
    fn below(&self, alive: &[u64], k: u32, work: &mut Work) -> Result<bool, Limit> {
        if fewer_than_power(size(alive), k) {
            return Ok(true);
        }
        if k == 0 {
            return Ok(false);
        }
        work.step()?;
        for column in &self.columns {
            let one: Vec<u64> = alive.iter().zip(column).map(|(a, c)| a & c).collect();
            let zero: Vec<u64> = alive.iter().zip(column).map(|(a, c)| a & !c).collect();
            // The smaller side is the likelier one to have a small dimension.
            let (first, second) = if size(&one) <= size(&zero) { (one, zero) } else { (zero, one) };
            if !self.below(&first, k - 1, work)? && !self.below(&second, k - 1, work)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::verify::Limits;
    use super::*;

    fn matrix(rows: &[&str]) -> Matrix {
        let width = rows.first().map_or(0, |row| row.len());
        Matrix::compress(
            rows.len(),
            (0..width).map(|x| rows.iter().map(move |row| row.as_bytes()[x] == b'1')),
        )
    }

    /// Reads the columns back as strings.
    fn columns(m: &Matrix) -> Vec<String> {
        let digit = |column: &Vec<u64>, r| if label(column, r) { '1' } else { '0' };
        m.columns.iter().map(|c| (0..m.rows).map(|r| digit(c, r)).collect()).collect()
    }

    /// By hand: the columns are 0000, 1111 (constant), 0110, 1001 (its complement), 0011, 0110.
    #[test]
    fn compression_drops_complements_sorts_and_merges() {
        let m = matrix(&["010100", "011001", "011011", "010110"]);
        assert_eq!(columns(&m), ["0011", "0110"].map(String::from));
    }

    /// Row 0 decides first, and words do not disturb the order.
    #[test]
    fn columns_are_sorted_by_their_labels_from_the_first_row_on() {
        let rows: Vec<String> = (0..130usize)
            .map(|r| (0..7).map(|x| if r >> x & 1 == 1 { '1' } else { '0' }).collect())
            .collect();
        let m = matrix(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        let mut sorted = columns(&m);
        sorted.sort();
        assert_eq!(columns(&m), sorted);
        assert_eq!(m.columns.len(), 7);
    }

    #[test]
    fn the_empty_class_and_a_single_hypothesis_have_no_columns() {
        assert_eq!(columns(&matrix(&[])), Vec::<String>::new());
        assert_eq!(columns(&matrix(&["0110"])), Vec::<String>::new());
    }

    /// Definition 6 on classes whose dimension is plain: the cube on 3 points has 3, point
    /// functions have 1, the empty class −1.
    #[test]
    fn the_plain_recursion_follows_the_definition() {
        let mut work = Work::new(Limits::default());
        let mut below = |rows: &[&str], k| matrix(rows).dimension_below(k, &mut work).unwrap();
        let cube = ["000", "001", "010", "011", "100", "101", "110", "111"];
        assert!(!below(&cube, 3));
        assert!(below(&cube, 4));
        let point = ["1000", "0100", "0010", "0001"];
        assert!(!below(&point, 1));
        assert!(below(&point, 2));
        assert!(below(&[], 0));
        assert!(!below(&["01"], 0));
        assert!(below(&["01"], 1));
    }

    /// The binomials by hand.
    #[test]
    fn the_number_of_functions_of_small_dimension() {
        assert_eq!([0, 1, 2, 3, 9].map(|q| sauer(4, q)), [0, 1, 5, 11, 16]);
        assert_eq!(sauer(0, 5), 1);
        assert_eq!(sauer(usize::MAX - 1, 3), usize::MAX);
    }

    /// Point functions on n points keep dimension 1 for n − 2 queries, one of which removes one.
    #[test]
    fn counting_rows_shows_the_irreducibility_of_point_functions() {
        let rows = ["10000", "01000", "00100", "00010", "00001"];
        let m = matrix(&rows);
        assert_eq!(
            [0, 3, 4, 5, 9].map(|k| m.evidently_keeps(1, k)),
            [true, true, false, false, false]
        );
        assert!(m.evidently_keeps(0, u128::MAX) && m.evidently_keeps(-1, u128::MAX));
        assert!(!m.evidently_keeps(2, 0));
        // A single function keeps dimension 0 only.
        let single = matrix(&["01"]);
        assert!(single.evidently_keeps(0, 7) && !single.evidently_keeps(1, 0));
    }

    #[test]
    fn the_column_of_a_point() {
        let m = matrix(&["010100", "011001", "011011", "010110"]);
        let of = |text: &str| m.column_of(text.bytes().map(|b| b == b'1'));
        assert_eq!(of("0110"), Some((1, false)));
        assert_eq!(of("1100"), Some((0, true)));
        assert_eq!(of("1111"), None);
        assert_eq!(of("0101"), None);
    }

    #[test]
    fn huge_bounds_do_not_overflow() {
        assert!(fewer_than_power(usize::MAX, usize::BITS));
        assert!(fewer_than_power(usize::MAX, u32::MAX));
        assert!(!fewer_than_power(8, 3));
        assert!(fewer_than_power(7, 3));
    }
}

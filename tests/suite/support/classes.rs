//! Small classes as plain tables: families with a known shape, and random ones for proptest.

use proptest::prelude::*;

/// A class on at most 64 points: bit `x` of a row is the label of point `x`. Rows are distinct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub points: usize,
    pub rows: Vec<u64>,
}

impl Table {
    /// The table with the distinct rows among `rows`, in order of first appearance; bits past the
    /// last point are cleared.
    pub fn new(points: usize, rows: impl IntoIterator<Item = u64>) -> Self {
        let mut table = Self { points, rows: Vec::new() };
        for row in rows.into_iter().map(|row| row & mask(points)) {
            if !table.rows.contains(&row) {
                table.rows.push(row);
            }
        }
        table
    }

    /// The label of row `h` at point `x`.
    pub fn label(&self, h: usize, x: usize) -> bool {
        self.rows[h] >> x & 1 == 1
    }

    /// Each row as a string of 0 and 1 in point order.
    pub fn strings(&self) -> Vec<String> {
        let digit = |h, x| if self.label(h, x) { '1' } else { '0' };
        (0..self.rows.len()).map(|h| (0..self.points).map(|x| digit(h, x)).collect()).collect()
    }

    /// The table with the given rows of 0 and 1 in point order.
    pub fn parse(points: usize, rows: &[String]) -> Self {
        let word = |row: &String| {
            assert_eq!(row.len(), points, "length of {row}");
            row.bytes().enumerate().fold(0, |w, (x, byte)| w | u64::from(byte == b'1') << x)
        };
        Self::new(points, rows.iter().map(word))
    }
}

/// The word with a bit for each point.
pub fn mask(points: usize) -> u64 {
    if points == 0 { 0 } else { u64::MAX >> (64 - points) }
}

/// All classes on `points` points, at most 4, the empty one included: each set of rows once.
pub fn all_classes(points: usize) -> impl Iterator<Item = Table> {
    let functions = 1u64 << points;
    (0..1u64 << functions).map(move |set| {
        Table::new(points, (0..functions).filter(move |function| set >> function & 1 == 1))
    })
}

/// Thresholds: `points + 1` functions, the first j points labelled 1.
pub fn thresholds(points: usize) -> Table {
    Table::new(points, (0..=points).map(mask))
}

/// Intervals of consecutive points, the empty one included.
pub fn intervals(points: usize) -> Table {
    let ends = (0..=points).flat_map(|b| (0..=b).map(move |a| (a, b)));
    Table::new(points, ends.map(|(a, b)| mask(b) & !mask(a)))
}

/// XORs of two intervals: the functions that change their label at most four times, when a 0 is
/// put before the first point and after the last.
pub fn xor_intervals(points: usize) -> Table {
    let changes = |row: u64| (row ^ row << 1).count_ones();
    Table::new(points, (0..=mask(points)).filter(|&row| changes(row) <= 4))
}

/// Boxes of a `width × height` grid, the empty one included.
pub fn boxes(width: usize, height: usize) -> Table {
    let (across, up) = (intervals(width), intervals(height));
    let cell = |h: u64, v: u64, x: usize| h >> (x % width) & v >> (x / width) & 1;
    let product = across.rows.iter().flat_map(|&h| up.rows.iter().map(move |&v| (h, v)));
    Table::new(
        width * height,
        product.map(|(h, v)| (0..width * height).fold(0, |row, x| row | cell(h, v, x) << x)),
    )
}

/// The sets of exactly `size` of the points.
pub fn subsets(points: usize, size: u32) -> Table {
    Table::new(points, (0..=mask(points)).filter(|row| row.count_ones() == size))
}

/// The Hamming ball of the given radius around the zero function.
pub fn ball(points: usize, radius: u32) -> Table {
    Table::new(points, (0..=mask(points)).filter(|row| row.count_ones() <= radius))
}

/// All functions.
pub fn cube(points: usize) -> Table {
    Table::new(points, 0..=mask(points))
}

/// `count` rows from a fixed multiplicative congruential generator (modulus 2^61 − 1).
pub fn scattered(count: usize, points: usize, seed: u64) -> Table {
    let mut state = u128::from(seed) + 1;
    let mut word = move || {
        state = state * 437_799_614_237_992_725 % ((1 << 61) - 1);
        u64::try_from(state >> 20).expect("below 2^41")
    };
    Table::new(points, (0..count).map(|_| word()))
}

/// Random classes with at most `max_rows` rows (before merging) on at most `max_points` points:
/// uniform, sparse, and structured (translates and subsets of balls, thresholds and intervals,
/// which have balanced columns and a small dimension). The empty class and the class without
/// points occur.
pub fn random_classes(max_rows: usize, max_points: usize) -> impl Strategy<Value = Table> {
    (0..=max_points).prop_flat_map(move |points| {
        let uniform = prop::collection::vec(any::<u64>(), 0..=max_rows)
            .prop_map(move |rows| Table::new(points, rows));
        let sparse = prop::collection::vec(any::<[u64; 3]>(), 0..=max_rows)
            .prop_map(move |rows| Table::new(points, rows.iter().map(|[a, b, c]| a & b & c)));
        prop_oneof![uniform, sparse, structured(max_rows, points)]
    })
}

fn structured(max_rows: usize, points: usize) -> impl Strategy<Value = Table> {
    let shape = prop_oneof![
        Just(ball(points, 1)),
        Just(ball(points, 2)),
        Just(thresholds(points)),
        Just(intervals(points)),
    ];
    // One or two shapes, each with a random set of columns complemented; then some rows of all.
    prop::collection::vec((shape, any::<u64>()), 1..=2).prop_flat_map(move |parts| {
        let rows = parts.iter().flat_map(|(t, flip)| t.rows.iter().map(move |row| row ^ flip));
        let all = Table::new(points, rows).rows;
        let least = all.len().min(max_rows) / 2;
        let most = all.len().min(max_rows);
        prop::sample::subsequence(all, least..=most).prop_map(move |rows| Table { points, rows })
    })
}

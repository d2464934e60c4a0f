//! Slow references: the definitions, written out. Rows are packed as in
//! [`Table`](super::classes::Table), repeated rows count once.

use std::collections::HashMap;

/// Ldim by the textbook recursion, memoised on the set of rows that are left: −1 for no row, 0 for
/// one, else the greatest of 1 + min(Ldim(H|x=0), Ldim(H|x=1)) over the points x, or 0.
pub fn littlestone_dimension(rows: &[u64], points: usize) -> i32 {
    fn recurse(rows: &[u64], points: usize, memo: &mut HashMap<Vec<u64>, i32>) -> i32 {
        if rows.is_empty() {
            return -1;
        }
        if let Some(&known) = memo.get(rows) {
            return known;
        }
        let mut best = 0;
        for x in 0..points {
            let (zero, one) = split(rows, x);
            // A point with an empty side gives 1 + −1 = 0, and leaves the same set on the other.
            if !zero.is_empty() && !one.is_empty() {
                let sides = [recurse(&zero, points, memo), recurse(&one, points, memo)];
                best = best.max(1 + sides[0].min(sides[1]));
            }
        }
        memo.insert(rows.to_vec(), best);
        best
    }
    recurse(&distinct(rows), points, &mut HashMap::new())
}

/// Ldim by the same recursion asked as a question, "is it at least k?", with the size cut
/// |H| ≥ 2^k, a stop at the first point that answers yes, and no memory.
pub fn littlestone_dimension_pruned(rows: &[u64], points: usize) -> i32 {
    let rows = distinct(rows);
    let mut d = -1;
    let mut k = 0;
    while at_least(&rows, points, k) {
        d += 1;
        k += 1;
    }
    d
}

/// Whether Ldim ≥ k, for distinct rows.
pub fn at_least(rows: &[u64], points: usize, k: u32) -> bool {
    if rows.len() < 1 << k {
        return false;
    }
    k == 0
        || (0..points).any(|x| {
            let (zero, one) = split(rows, x);
            let (small, large) = if zero.len() <= one.len() { (zero, one) } else { (one, zero) };
            at_least(&small, points, k - 1) && at_least(&large, points, k - 1)
        })
}

/// Whether some complete binary tree of depth k is shattered, by listing all trees (each inner
/// node labelled by any point) and testing each against Definition 6 with [`is_shattered`]. There
/// are points^(2^k − 1) of them.
pub fn shattered_by_enumeration(rows: &[u64], points: usize, k: u32) -> bool {
    let nodes = (1usize << k) - 1;
    if nodes > 0 && points == 0 {
        return false;
    }
    let mut tree = vec![0; nodes];
    loop {
        if is_shattered(rows, &tree, k) {
            return true;
        }
        // The next tree, counting in base `points`.
        let Some(node) = tree.iter().position(|&point| point + 1 < points) else {
            return false;
        };
        tree[..node].fill(0);
        tree[node] += 1;
    }
}

/// Whether the tree with the given points in heap order is shattered: for each word of k labels
/// there is a row that gives, at each node on the path, the label of the edge that follows.
pub fn is_shattered(rows: &[u64], tree: &[usize], k: u32) -> bool {
    (0..1usize << k).all(|word| rows.iter().any(|&row| realises(row, tree, k, word)))
}

/// Whether a row realises the path whose labels are the k binary digits of `word`, root first.
pub fn realises(row: u64, tree: &[usize], k: u32, word: usize) -> bool {
    let mut node = 0;
    (0..k).rev().all(|digit| {
        let label = word >> digit & 1;
        let agrees = row >> tree[node] & 1 == label as u64;
        node = 2 * node + 1 + label;
        agrees
    })
}

/// The Vapnik–Chervonenkis dimension: the greatest size of a set of points on which all labellings
/// occur, −1 for the empty class.
pub fn vc_dimension(rows: &[u64], points: usize) -> i32 {
    if rows.is_empty() {
        return -1;
    }
    assert!(points <= 16, "all sets of points are listed");
    let shattered = |set: &u64| {
        let patterns = distinct(&rows.iter().map(|row| row & set).collect::<Vec<_>>());
        patterns.len() == 1 << set.count_ones()
    };
    let sizes = (0..1u64 << points).filter(shattered).map(u64::count_ones);
    i32::try_from(sizes.max().expect("the empty set is shattered")).expect("at most 16")
}

/// The threshold dimension: the greatest k with points `x_1`, …, `x_k` and rows `h_1`, …, `h_k`
/// such that `h_i(x_j)` = 1 iff i ≤ j.
pub fn threshold_dimension(rows: &[u64], points: usize) -> usize {
    fn extend(rows: &[u64], points: usize, chosen: &mut Vec<(u64, usize)>) -> usize {
        let mut best = chosen.len();
        for &h in rows {
            for x in 0..points {
                let label = |row: u64, point: usize| row >> point & 1 == 1;
                let fits = label(h, x) && chosen.iter().all(|&(g, y)| label(g, x) && !label(h, y));
                if fits {
                    chosen.push((h, x));
                    best = best.max(extend(rows, points, chosen));
                    chosen.pop();
                }
            }
        }
        best
    }
    extend(rows, points, &mut Vec::new())
}

/// The rows with label 0 at `x`, and those with label 1, each in the given order.
pub fn split(rows: &[u64], x: usize) -> (Vec<u64>, Vec<u64>) {
    rows.iter().partition(|&row| row >> x & 1 == 0)
}

fn distinct(rows: &[u64]) -> Vec<u64> {
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    rows.dedup();
    rows
}

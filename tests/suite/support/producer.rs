//! A naive producer of `littlestone-dimension` certificates, written from `docs/certificates.md`
//! alone: it works on lists of Booleans and shares nothing with the verifier.

use std::collections::{HashMap, VecDeque};

use serde_json::{Value, json};

use super::classes::Table;
use super::reference;

/// A certificate that the dimension of `table` is exactly what it is.
pub fn certificate(table: &Table) -> Value {
    let d = reference::littlestone_dimension_pruned(&table.rows, table.points);
    bounds(table, Some(d), Some(d))
}

/// A certificate that claims the given bounds. When a bound is false the certificate is a forgery,
/// as well-formed as can be: it fails only where a step of the proof is false.
pub fn bounds(table: &Table, at_least: Option<i32>, at_most: Option<i32>) -> Value {
    json!({
        "format": 1,
        "kind": "littlestone-dimension",
        "producer": "the naive producer of the tests",
        "source": "a table",
        "points": (1..=table.points).map(|x| x.to_string()).collect::<Vec<_>>(),
        "hypotheses": table.strings(),
        "names": (1..=table.rows.len()).map(|h| format!("f{h}")).collect::<Vec<_>>(),
        "claim": { "at_least": at_least, "at_most": at_most },
        "lower": at_least.and_then(|d| u32::try_from(d).ok()).map(|depth| lower(table, depth)),
        "upper": at_most.map(|d| {
            let k = u32::try_from(d + 1).expect("bounds are at least -1");
            json!({ "states": states(table, k) })
        }),
    })
}

/// A tree of the given depth: shattered as far as can be, and with hypothesis 0 at the leaves that
/// no hypothesis reaches.
fn lower(table: &Table, depth: u32) -> Value {
    let mut points = Vec::new();
    let mut level = vec![table.rows.clone()];
    for remaining in (0..depth).rev() {
        let mut next = Vec::new();
        for rows in level {
            let splits = || (0..table.points).map(|x| (x, reference::split(&rows, x)));
            let deep = |side: &Vec<u64>| reference::at_least(side, table.points, remaining);
            let (x, (zero, one)) = splits()
                .find(|(_, (zero, one))| deep(zero) && deep(one))
                .or_else(|| splits().max_by_key(|(_, (zero, one))| zero.len().min(one.len())))
                .unwrap_or_default();
            points.push(x);
            next.extend([zero, one]);
        }
        level = next;
    }
    let index = |row: &u64| table.rows.iter().position(|r| r == row);
    let leaf = |rows: &Vec<u64>| rows.first().and_then(index).unwrap_or(0);
    let leaves: Vec<usize> = level.iter().map(leaf).collect();
    json!({ "depth": depth, "points": points, "leaves": leaves })
}

/// The columns of a compressed matrix, and its number of rows.
type Matrix = (usize, Vec<Vec<bool>>);

fn compress(rows: usize, columns: &[Vec<bool>]) -> Matrix {
    let mut kept: Vec<Vec<bool>> = columns
        .iter()
        .filter(|column| column.contains(&false) && column.contains(&true))
        .map(|column| column.iter().map(|&label| label != column[0]).collect())
        .collect();
    kept.sort();
    kept.dedup();
    (rows, kept)
}

fn restrict((_, columns): &Matrix, c: usize, side: bool) -> Matrix {
    let keep = |column: &Vec<bool>| -> Vec<bool> {
        column.iter().zip(&columns[c]).filter(|(_, by)| **by == side).map(|(l, _)| *l).collect()
    };
    let rows = columns[c].iter().filter(|&&label| label == side).count();
    compress(rows, &columns.iter().map(keep).collect::<Vec<_>>())
}

/// Whether the class of a matrix has dimension at least k, by the reference.
fn at_least((rows, columns): &Matrix, k: u32) -> bool {
    let word = |r: usize| columns.iter().enumerate().fold(0, |w, (x, c)| w | u64::from(c[r]) << x);
    let table: Vec<u64> = (0..*rows).map(word).collect();
    reference::at_least(&table, columns.len(), k)
}

/// The states of a refutation of Ldim ≥ k, breadth first, equal classes merged.
fn states(table: &Table, k: u32) -> Value {
    if k == 0 {
        return json!([]);
    }
    let rows = table.rows.len();
    let column = |x| (0..rows).map(|h| table.label(h, x)).collect::<Vec<_>>();
    let root = compress(rows, &(0..table.points).map(column).collect::<Vec<_>>());
    let mut index = HashMap::from([((root.clone(), k), 0)]);
    let mut queue = VecDeque::from([(root, k)]);
    let mut states = Vec::new();
    while let Some((matrix, k)) = queue.pop_front() {
        let mut entries = Vec::new();
        for (c, column) in matrix.1.iter().enumerate() {
            let ones = column.iter().filter(|&&label| label).count();
            if k > 63 || ones.min(matrix.0 - ones) < 1 << (k - 1) {
                continue;
            }
            // In a forgery no side need be small; then side 1 is as good a lie as side 0.
            let sides = || [1, 0].map(|side| (side, restrict(&matrix, c, side == 1))).into_iter();
            let small = sides().find(|(_, class)| !at_least(class, k - 1));
            let (side, class) = small.or_else(|| sides().next()).expect("two sides");
            let child = (k - 1 > 3).then(|| {
                let next = index.len();
                *index.entry((class.clone(), k - 1)).or_insert_with(|| {
                    queue.push_back((class, k - 1));
                    next
                })
            });
            entries.push(json!([c, side, child]));
        }
        states.push(Value::Array(entries));
    }
    Value::Array(states)
}

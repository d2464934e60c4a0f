//! Bounds on the threshold dimension that cost little: they meet on chains and near-chains.

use littlestone_exact::limits::{Meter, Stopped};

use super::Pair;
use super::relation::{Relation, members};

/// An upper bound. In a sequence of length k, all of h₁, …, hₖ hold xₖ, and hᵢ holds at least
/// k − i + 1 items: so some item is held by rows with at least 1, 2, …, k items. The same is true
/// with rows and items exchanged (all of x₁, …, xₖ belong to h₁).
pub(super) fn upper(relation: &Relation) -> usize {
    let mut rows: Vec<usize> = (0..relation.rows()).collect();
    rows.sort_by_key(|&row| relation.row_weight(row));
    let row_weights: Vec<usize> = rows.iter().map(|&row| relation.row_weight(row)).collect();
    let by_items = (0..relation.items()).map(|item| {
        let held = rows.iter().zip(&row_weights).filter(|&(&row, _)| relation.holds(row, item));
        staircase(held.map(|(_, &weight)| weight))
    });
    let mut items: Vec<usize> = (0..relation.items()).collect();
    items.sort_by_key(|&item| relation.column_weight(item));
    let item_weights: Vec<usize> = items.iter().map(|&item| relation.column_weight(item)).collect();
    let by_rows = (0..relation.rows()).map(|row| {
        let held = items.iter().zip(&item_weights).filter(|&(&item, _)| relation.holds(row, item));
        staircase(held.map(|(_, &weight)| weight))
    });
    by_items.max().unwrap_or(0).min(by_rows.max().unwrap_or(0))
}

/// The largest k such that k of the numbers, which increase, are at least 1, 2, …, k.
fn staircase(numbers: impl Iterator<Item = usize>) -> usize {
    numbers.fold(0, |k, number| if number > k { k + 1 } else { k })
}

/// Appends a sequence that is found by giving up least at each step: the item held by the fewest
/// rows that are left, and among its rows the one that keeps most items. Every prefix is a
/// sequence, so what is there counts even when a limit cuts the dive short.
pub(super) fn dive(
    relation: &Relation,
    meter: &mut Meter<'_>,
    sequence: &mut Vec<Pair>,
) -> Result<(), Stopped> {
    let mut rows = vec![u64::MAX; relation.rows().div_ceil(64)];
    let mut items = vec![u64::MAX; relation.stride()];
    clear_past(&mut rows, relation.rows());
    clear_past(&mut items, relation.items());
    // How many of the rows left hold each item, and how many of the items left each row holds.
    let mut held: Vec<usize> = (0..relation.items()).map(|i| relation.column_weight(i)).collect();
    let mut holds: Vec<usize> = (0..relation.rows()).map(|r| relation.row_weight(r)).collect();
    loop {
        meter.work(relation.rows() + relation.items())?;
        let next = members(&items, &items).filter(|&i| held[i] > 0).min_by_key(|&i| (held[i], i));
        let Some(item) = next else { return Ok(()) };
        let row = members(relation.column(item), &rows)
            .max_by_key(|&r| (holds[r], std::cmp::Reverse(r)))
            .expect("the item is held by a row that is left");
        sequence.push((row, item));
        let gone_rows: Vec<usize> = members(relation.column(item), &rows).collect();
        for r in gone_rows {
            rows[r / 64] &= !(1 << (r % 64));
            members(relation.row(r), &items).for_each(|i| held[i] -= 1);
        }
        let kept = relation.row(row);
        let outside: Vec<u64> = kept.iter().map(|w| !w).collect();
        let gone_items: Vec<usize> = members(&items, &outside).collect();
        for i in gone_items {
            items[i / 64] &= !(1 << (i % 64));
            members(relation.column(i), &rows).for_each(|r| holds[r] -= 1);
        }
    }
}

fn clear_past(words: &mut [u64], len: usize) {
    if let Some(last) = words.last_mut()
        && !len.is_multiple_of(64)
    {
        *last = (1 << (len % 64)) - 1;
    }
}

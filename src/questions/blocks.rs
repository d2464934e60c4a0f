//! The blocks that the text of answers is made of.

use std::collections::BTreeSet;

use crate::class::Class;
use crate::exact::Number;
use crate::mechanism::{Interface, stream};
use crate::text::Lines;

/// The first line about a class.
pub(crate) fn class_line(name: &str, class: &Class) -> String {
    sizes_line(name, class.hypotheses(), class.points())
}

/// [`class_line`] of a class with these numbers of hypotheses and points.
pub(crate) fn sizes_line(name: &str, hypotheses: usize, points: usize) -> String {
    format!(
        "class: {name} ({}, {})",
        count(hypotheses, "hypothesis", "hypotheses"),
        count(points, "point", "points")
    )
}

/// `1 point`, `2 points`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A table with its columns aligned to the right.
pub(crate) fn table<const N: usize>(text: &mut Lines, header: [&str; N], rows: &[[String; N]]) {
    let header = header.map(str::to_owned);
    let all = || std::iter::once(&header).chain(rows);
    let widths: [usize; N] = std::array::from_fn(|column| {
        all().map(|row| row[column].chars().count()).max().unwrap_or(0)
    });
    for row in all() {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:>width$}")).collect();
        text.push(&cells.join("  "));
    }
}

/// How many members of a set are shown.
const SHOWN: usize = 16;

/// A set, cut off where it is long.
pub(crate) fn set(members: &BTreeSet<&str>) -> String {
    let shown: Vec<&str> = members.iter().take(SHOWN).copied().collect();
    let more = members.len().saturating_sub(SHOWN);
    let more = if more == 0 { String::new() } else { format!(", and {more} more") };
    format!("{{{}{more}}}", shown.join(", "))
}

/// The exact number, and a decimal where that says more.
pub(crate) fn with_decimal(number: &Number) -> String {
    const DIGITS: u32 = 6;
    let (exact, decimal) = (number.to_string(), number.decimal(DIGITS));
    if exact == decimal { exact } else { format!("{exact} (= {decimal})") }
}

/// A stream as `(1:0, 2:1)`.
pub(crate) fn tuple(interface: &Interface, records: &[usize]) -> String {
    let records: Vec<String> =
        records.iter().map(|&record| stream::name(interface, record)).collect();
    format!("({})", records.join(", "))
}

/// A table with its columns aligned to the left.
pub(crate) fn left(text: &mut Lines, rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let length = |row: &Vec<String>, k: usize| row.get(k).map_or(0, |cell| cell.chars().count());
    let widths: Vec<usize> =
        (0..columns).map(|k| rows.iter().map(|row| length(row, k)).max().unwrap_or(0)).collect();
    for row in rows {
        let padded = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        text.push(padded.collect::<Vec<_>>().join("  ").trim_end());
    }
}

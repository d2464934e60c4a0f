//! Plain text: one hypothesis a line.

use super::Loaded;
use super::collect::Rows;
use crate::size;
use littlestone_base::error::{Result, Source, show};

/// Reads a class in plain text.
pub(super) fn read(source: &Source<'_>) -> Result<Loaded> {
    let mut rows: Option<Rows<'_>> = None;
    let mut points = 0;
    let mut start = 0;
    for line in source.text.split_inclusive('\n') {
        let row = line.split('#').next().unwrap_or_default().trim_end();
        if !row.is_empty() {
            if rows.is_none() {
                points = row.chars().filter(|c| !c.is_whitespace()).count();
                size::check(source.name, 0, points as u128)?;
                let names = (1..=points).map(|x| x.to_string()).collect();
                rows = Some(Rows::new(source, names)?);
            }
            if let Some(rows) = &mut rows {
                read_row(source, rows, points, row, start)?;
            }
        }
        start += line.len();
    }
    match rows {
        Some(rows) => rows.finish(),
        None => Err(source.malformed_whole("at least one hypothesis", "only comments")),
    }
}

fn read_row(
    source: &Source<'_>,
    rows: &mut Rows<'_>,
    points: usize,
    row: &str,
    start: usize,
) -> Result<()> {
    let mut count = 0;
    let mut surplus = None;
    for (at, symbol) in row.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        let label = match symbol {
            '0' => false,
            '1' => true,
            other => {
                let found = show(other.encode_utf8(&mut [0; 4]));
                return Err(source.malformed(start + at, "0 or 1", found));
            }
        };
        if count < points {
            rows.set(count, label);
        } else if surplus.is_none() {
            surplus = Some(start + at);
        }
        count += 1;
    }
    if count != points {
        let at = surplus.unwrap_or(start + row.len());
        return Err(source.malformed(at, format!("{points} labels"), count.to_string()));
    }
    let indent = row.len() - row.trim_start().len();
    rows.end_row(start + indent, None)
}

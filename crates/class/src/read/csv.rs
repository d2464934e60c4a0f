//! Comma-separated values with a header.

use ::csv::{ReaderBuilder, StringRecord};

use super::collect::{Points, Rows};
use super::{Header, Loaded};
use crate::size::MAX_POINTS;
use littlestone_base::error::{Error, Result, Source, show};

/// Reads a class in CSV.
pub(super) fn read(source: &Source<'_>, header: Option<Header>) -> Result<Loaded> {
    refuse_wide_lines(source)?;
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .from_reader(source.text.as_bytes());
    let mut record = StringRecord::new();
    let mut table: Option<Table<'_>> = None;
    while reader.read_record(&mut record).map_err(|error| unreadable(source, &error))? {
        if record.len() == 1 && record[0].trim().is_empty() {
            continue;
        }
        let row = Row { source, record: &record };
        match &mut table {
            None => table = Some(Table::begin(source, row, header)?),
            Some(table) => table.push(row)?,
        }
    }
    match table {
        Some(table) => table.rows.finish(),
        None => Err(source.malformed_whole("a header with the names of the points", "none")),
    }
}

/// The header, and the rows read under it.
struct Table<'s> {
    /// 1 when the first column holds names, else 0.
    first: usize,
    points: usize,
    rows: Rows<'s>,
}

impl<'s> Table<'s> {
    /// Begins with the first line, a header or a hypothesis.
    fn begin(source: &'s Source<'s>, first: Row<'_>, header: Option<Header>) -> Result<Self> {
        let labels = first.record.iter().all(|cell| matches!(cell.trim(), "0" | "1"));
        match header {
            None if labels => Err(ambiguous(source, first)),
            None | Some(Header::Yes) => Self::new(source, first),
            Some(Header::No) => {
                let points = first.record.len();
                let names = (1..=points).map(|x| x.to_string()).collect();
                let mut table = Self { first: 0, points, rows: Rows::new(source, names)? };
                table.push(first)?;
                Ok(table)
            }
        }
    }

    fn new(source: &'s Source<'s>, header: Row<'_>) -> Result<Self> {
        let first = usize::from(header.record[0].trim() == "name");
        let mut points = Points::default();
        for (i, cell) in header.record.iter().enumerate().skip(first) {
            points.push(source, cell, || header.offset(i))?;
        }
        let names = points.finish();
        Ok(Self { first, points: names.len(), rows: Rows::new(source, names)? })
    }

    fn push(&mut self, row: Row<'_>) -> Result<()> {
        let expected = self.first + self.points;
        if row.record.len() != expected {
            let cells = match self.first {
                0 => format!("{expected} cells"),
                _ => format!("{expected} cells (a name and {} labels)", self.points),
            };
            let at = row.offset(expected.min(row.record.len()));
            return Err(row.source.malformed(at, cells, row.record.len().to_string()));
        }
        for (x, cell) in row.record.iter().skip(self.first).enumerate() {
            let label = match cell.trim() {
                "0" => false,
                "1" => true,
                other => {
                    let found = match other {
                        "" => "an empty cell".to_owned(),
                        _ => show(other),
                    };
                    return Err(row.source.malformed(row.offset(self.first + x), "0 or 1", found));
                }
            };
            self.rows.set(x, label);
        }
        let start = row.start();
        match self.first {
            0 => self.rows.end_row(start, None),
            _ => self.rows.end_row(start, Some((&row.record[0], start))),
        }
    }
}

/// One record and the text it stands in.
#[derive(Clone, Copy)]
struct Row<'r> {
    source: &'r Source<'r>,
    record: &'r StringRecord,
}

impl Row<'_> {
    /// Where the record begins. The position that comes with a record lies before the blank lines
    /// and comments that precede it.
    fn start(&self) -> usize {
        let text = self.source.text.as_bytes();
        let before = self.record.position().map_or(0, ::csv::Position::byte);
        let mut start = usize::try_from(before).unwrap_or(text.len()).min(text.len());
        let mut in_comment = false;
        while let Some(&byte) = text.get(start) {
            match byte {
                b'\n' | b'\r' => in_comment &= byte != b'\n',
                b'#' => in_comment = true,
                _ if in_comment => {}
                _ => break,
            }
            start += 1;
        }
        start
    }

    /// Where cell `i` begins, white space skipped; past the last cell, the end of the record.
    fn offset(&self, i: usize) -> usize {
        let text = self.source.text.as_bytes();
        let mut at = self.start();
        for _ in 0..i {
            let end = cell_end(text, at);
            if text.get(end) != Some(&b',') {
                return end;
            }
            at = end + 1;
        }
        let blank = |b: &&u8| matches!(b, b' ' | b'\t');
        at + text[at.min(text.len())..].iter().take_while(blank).count()
    }
}

/// Where the cell that begins at `at` ends: at a comma, at the end of the line or of the text. A
/// quotation mark means something only at the very beginning of a cell.
fn cell_end(text: &[u8], at: usize) -> usize {
    let mut end = at;
    if text.get(end) == Some(&b'"') {
        end += 1;
        while let Some(&byte) = text.get(end) {
            end += 1;
            if byte == b'"' {
                if text.get(end) != Some(&b'"') {
                    break;
                }
                end += 1;
            }
        }
    }
    while let Some(&byte) = text.get(end) {
        if matches!(byte, b',' | b'\n' | b'\r') {
            break;
        }
        end += 1;
    }
    end
}

/// The error of a first line of nothing but labels.
fn ambiguous(source: &Source<'_>, first: Row<'_>) -> Error {
    let cells: Vec<&str> = first.record.iter().take(20).map(str::trim).collect();
    let line = show(&cells.join(","));
    let place = source.at(first.start());
    Error::argument_with_help(
        format!("{place}: the first line {line} may hold names of points or labels"),
        "`--header yes` says that they are names, `--header no` that they are the labels of a \
         hypothesis; in a claim, `header = \"no\"`",
    )
}

/// Refuses a line with more cells than a class may have points, before the cells are stored.
fn refuse_wide_lines(source: &Source<'_>) -> Result<()> {
    for line in source.text.split('\n') {
        let cells = line.bytes().filter(|&b| b == b',').count() + 1;
        if cells > MAX_POINTS + 1 {
            return Err(Error::TooLarge {
                what: source.name.to_owned(),
                size: format!("a line of {cells} cells"),
                limit: format!("{MAX_POINTS} points"),
            });
        }
    }
    Ok(())
}

fn unreadable(source: &Source<'_>, error: &::csv::Error) -> Error {
    source.malformed_whole("comma-separated values", &error.to_string())
}

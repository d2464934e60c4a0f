//! Reads hypothesis classes from files: CSV, plain 0/1 text and JSON.
//!
//! In every format rows are hypotheses and columns are points; equal rows are merged, with a
//! note. White space around names does not belong to them. A byte-order mark and Windows line
//! ends are accepted.
//!
//! * **CSV**: the header holds the names of the points. When its first cell is `name`, the first
//!   column holds the names of the hypotheses. Blank lines, and lines that begin with `#`, are
//!   skipped. A first line of nothing but 0 and 1 may be a header or a hypothesis: [`Header`] has to
//!   say which. Without a header the points are called `1`, `2`, …
//! * **Plain text**: one hypothesis a line, such as `0110` or `0 1 1 0`; the points are called
//!   `1`, `2`, … A `#` starts a comment; blank lines are skipped.
//! * **JSON**: `{"points": ["a", "b"], "hypotheses": [{"name": "f", "labels": "01"}]}`. The names
//!   are optional, but either all hypotheses have one or none; a point may also be an integer.

mod collect;
mod csv;
mod json;
#[cfg(test)]
mod tests;
mod text;

use std::path::Path;

use super::Class;
use littlestone_base::error::{Result, Source};
use littlestone_base::file::{decode, read, read_stdin};

/// Greatest size of a file that is read, in bytes (256 MiB).
pub const MAX_FILE_BYTES: u64 = 1 << 28;

/// A class as it was read, and what is worth telling about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// The class.
    pub class: Class,
    /// Remarks for the user, one a line, such as which hypotheses were merged.
    pub notes: Vec<String>,
}

/// The formats of class files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a header.
    Csv,
    /// Rows of 0 and 1.
    Text,
    /// A JSON object with `points` and `hypotheses`.
    Json,
}

/// Whether the first line of comma-separated values holds the names of the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Header {
    /// It holds names, even if they are 0 and 1.
    Yes,
    /// It is a hypothesis.
    No,
}

impl Header {
    /// Both, as they are written.
    pub const ALL: [(&'static str, Self); 2] = [("yes", Self::Yes), ("no", Self::No)];

    /// As it is written: `yes` or `no`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
        }
    }

    /// The one that is written so.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find_map(|(known, header)| (known == name).then_some(header))
    }
}

impl Format {
    /// The format that the extension of `path` names (`csv`, `txt` or `json`, in any case).
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        [("csv", Self::Csv), ("txt", Self::Text), ("json", Self::Json)]
            .into_iter()
            .find_map(|(name, format)| extension.eq_ignore_ascii_case(name).then_some(format))
    }

    /// The format that a text has, judged by its first line that is neither blank nor a comment:
    /// JSON when it begins with a bracket, plain text when it holds nothing but 0, 1 and white
    /// space, and CSV otherwise.
    fn sniff(text: &str) -> Self {
        let first = text.lines().map(str::trim).find(|l| !l.is_empty() && !l.starts_with('#'));
        let Some(first) = first else { return Self::Csv };
        if first.starts_with(['{', '[']) {
            return Self::Json;
        }
        let row = first.split('#').next().unwrap_or_default();
        if row.chars().all(|c| matches!(c, '0' | '1') || c.is_whitespace()) {
            Self::Text
        } else {
            Self::Csv
        }
    }
}

/// Reads the class in the file at `path`; `-` stands for the standard input.
///
/// The extension decides the format, and the content where the extension says nothing.
///
/// # Errors
/// When the file cannot be read, is longer than [`MAX_FILE_BYTES`], or is not a class in its
/// format; the latter with line and column.
pub fn read_class(path: &Path) -> Result<Loaded> {
    read_class_as(path, None).map(|(loaded, _)| loaded)
}

/// As [`read_class`], with what is known of the header; also returns the format.
pub(super) fn read_class_as(path: &Path, header: Option<Header>) -> Result<(Loaded, Format)> {
    if path == Path::new("-") {
        let bytes = read_stdin(MAX_FILE_BYTES)?;
        return read_text("stdin", &bytes, None, header);
    }
    let bytes = read(path, MAX_FILE_BYTES)?;
    read_text(&path.display().to_string(), &bytes, Format::of_path(path), header)
}

/// Reads a class from bytes; `source` names them in messages, and without a `format` the content
/// decides.
///
/// # Errors
/// When the bytes are no class in this format, with line and column.
pub fn read_bytes(source: &str, bytes: &[u8], format: Option<Format>) -> Result<Loaded> {
    read_text(source, bytes, format, None).map(|(loaded, _)| loaded)
}

fn read_text(
    source: &str,
    bytes: &[u8],
    format: Option<Format>,
    header: Option<Header>,
) -> Result<(Loaded, Format)> {
    let text = decode(source, bytes)?;
    let source = Source { name: source, text };
    if text.trim().is_empty() {
        return Err(source.malformed_whole("a class", "an empty file"));
    }
    let format = format.unwrap_or_else(|| match Format::sniff(text) {
        // One column of 0 and 1 is comma-separated too, and only such files have a header.
        Format::Text if header == Some(Header::Yes) => Format::Csv,
        sniffed => sniffed,
    });
    if format != Format::Json
        && let Some(offset) = lone_carriage_return(text)
    {
        let found = "a carriage return alone";
        return Err(source.malformed(offset, "a line feed at the end of the line", found));
    }
    let loaded = match format {
        Format::Csv => csv::read(&source, header),
        Format::Text => text::read(&source),
        Format::Json => json::read(&source),
    }?;
    Ok((loaded, format))
}

fn lone_carriage_return(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    (0..bytes.len()).find(|&i| bytes[i] == b'\r' && bytes.get(i + 1) != Some(&b'\n'))
}

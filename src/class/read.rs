//! Reads hypothesis classes from files: CSV, plain 0/1 text and JSON.
//!
//! In every format rows are hypotheses and columns are points; equal rows are merged, with a
//! note. White space around names does not belong to them. A byte-order mark and Windows line
//! ends are accepted.
//!
//! * **CSV**: the header holds the names of the points. When its first cell is `name`, the first
//!   column holds the names of the hypotheses. Blank lines, and lines that begin with `#`, are
//!   skipped.
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

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::Class;
use super::source::{Source, position};
use crate::error::{Error, Result};
use crate::text::without_mark;

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
    if path == Path::new("-") {
        let bytes = read_stdin(MAX_FILE_BYTES)?;
        return read_bytes("stdin", &bytes, None);
    }
    let bytes = read_file(path, MAX_FILE_BYTES)?;
    read_bytes(&path.display().to_string(), &bytes, Format::of_path(path))
}

/// Reads a class from bytes; `source` names them in messages, and without a `format` the content
/// decides.
///
/// # Errors
/// When the bytes are no class in this format, with line and column.
pub fn read_bytes(source: &str, bytes: &[u8], format: Option<Format>) -> Result<Loaded> {
    let text = decode(source, bytes)?;
    let source = Source { name: source, text };
    if text.trim().is_empty() {
        return Err(source.malformed_whole("a class", "an empty file"));
    }
    let format = format.unwrap_or_else(|| Format::sniff(text));
    if format != Format::Json
        && let Some(offset) = lone_carriage_return(text)
    {
        let found = "a carriage return alone";
        return Err(source.malformed(offset, "a line feed at the end of the line", found));
    }
    match format {
        Format::Csv => csv::read(&source),
        Format::Text => text::read(&source),
        Format::Json => json::read(&source),
    }
}

/// The text that the bytes encode, without a byte-order mark.
///
/// # Errors
/// When they are not UTF-8, or hold a NUL.
pub(crate) fn decode<'b>(source: &str, bytes: &'b [u8]) -> Result<&'b str> {
    let bytes = without_mark(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        let found = format!("the byte 0x{:02x}", bytes[offset]);
        Error::malformed(position(source, bytes, offset), "text in UTF-8", found)
    })?;
    match text.find('\0') {
        Some(offset) => Err(Source { name: source, text }.malformed(offset, "text", "a NUL byte")),
        None => Ok(text),
    }
}

/// Reads the whole file at `path`, which may have `limit` bytes.
///
/// # Errors
/// When it cannot be read, is a directory or is too long.
pub(crate) fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let name = path.display().to_string();
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => file_error(path, "no such file"),
        io::ErrorKind::IsADirectory => file_error(path, "is a directory, not a file"),
        _ => Error::file(path, &error),
    };
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if metadata.is_dir() {
        return Err(file_error(path, "is a directory, not a file"));
    }
    if metadata.len() > limit {
        return Err(too_long(&name, format!("{} bytes", metadata.len()), limit));
    }
    // The file may be a pipe or may grow: its size is not trusted.
    read_bounded(&name, File::open(path).map_err(failed)?, limit)?.map_err(failed)
}

/// Reads the standard input, which may have `limit` bytes.
///
/// # Errors
/// When it cannot be read or is too long.
pub(crate) fn read_stdin(limit: u64) -> Result<Vec<u8>> {
    read_bounded("stdin", io::stdin().lock(), limit)?
        .map_err(|error| Error::file(Path::new("stdin"), &error))
}

/// The outer error is a stream that is too long, the inner one a failure to read.
fn read_bounded(name: &str, stream: impl Read, limit: u64) -> Result<io::Result<Vec<u8>>> {
    let mut bytes = Vec::new();
    if let Err(error) = stream.take(limit + 1).read_to_end(&mut bytes) {
        return Ok(Err(error));
    }
    if bytes.len() as u128 > u128::from(limit) {
        return Err(too_long(name, format!("at least {} bytes", limit + 1), limit));
    }
    Ok(Ok(bytes))
}

fn too_long(name: &str, size: String, limit: u64) -> Error {
    Error::TooLarge { what: name.to_owned(), size, limit: format!("{limit} bytes") }
}

/// A fault of the file at `path` as a whole.
pub(super) fn file_error(path: &Path, reason: &str) -> Error {
    Error::File { path: path.to_path_buf(), reason: reason.to_owned() }
}

fn lone_carriage_return(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    (0..bytes.len()).find(|&i| bytes[i] == b'\r' && bytes.get(i + 1) != Some(&b'\n'))
}

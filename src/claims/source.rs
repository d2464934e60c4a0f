//! The text of one claim file, and the places in it.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::error::Position;

/// A claim file's name, folder and text.
#[derive(Debug)]
pub(super) struct Source<'t> {
    /// The file as results and errors name it.
    pub(super) name: String,
    /// The folder that paths in the file are relative to.
    pub(super) folder: PathBuf,
    text: &'t str,
    line_starts: Vec<usize>,
    /// Characters before each block of [`BLOCK`] bytes: a line may be as long as the file, and each
    /// value of a grid in it asks for its column.
    characters: Vec<usize>,
}

/// So many bytes are counted through to find a column.
const BLOCK: usize = 256;

/// The number of characters that begin in these bytes of UTF-8.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

impl<'t> Source<'t> {
    pub(super) fn new(path: &Path, text: &'t str) -> Self {
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let mut before = 0;
        let mut counts = vec![0];
        for block in text.as_bytes().chunks(BLOCK) {
            before += characters(block);
            counts.push(before);
        }
        let name = path.display().to_string();
        Self { name, folder, text, line_starts, characters: counts }
    }

    /// The line, counted from 1, of the byte at `offset`.
    pub(super) fn line(&self, offset: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= offset)
    }

    /// The line and column of the byte at `offset`.
    pub(super) fn position(&self, offset: usize) -> Position {
        let line = self.line(offset);
        let column = self.characters(offset) - self.characters(self.line_starts[line - 1]) + 1;
        Position::at(&self.name, line, column)
    }

    /// The number of characters that begin before the byte at `offset`.
    fn characters(&self, offset: usize) -> usize {
        let bytes = self.text.as_bytes();
        let offset = offset.min(bytes.len());
        let block = offset / BLOCK;
        self.characters[block] + characters(&bytes[block * BLOCK..offset])
    }

    /// The place of the first character of the string at `span`, after its quotation marks.
    pub(super) fn inside(&self, span: Range<usize>) -> Position {
        let text = self.text.get(span.clone()).unwrap_or("");
        let quote = ["\"\"\"", "'''"].into_iter().find(|quote| text.starts_with(quote));
        let mut start = span.start;
        if let Some(quote) = quote {
            start += quote.len();
            // A line end right after the quotation marks is not part of the string.
            let rest = text.get(quote.len()..).unwrap_or("");
            start +=
                ["\r\n", "\n"].iter().find(|end| rest.starts_with(**end)).map_or(0, |e| e.len());
        } else if text.starts_with(['"', '\'']) {
            start += 1;
        }
        self.position(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let source = Source::new(Path::new("a/b.toml"), "x\nγ = é\n");
        let offset = "x\nγ = ".len();
        assert_eq!(source.position(offset), Position::at("a/b.toml", 2, 5));
        assert_eq!(source.position(0), Position::at("a/b.toml", 1, 1));
        assert_eq!(source.folder, Path::new("a"));
    }

    /// Lines that are longer than what is counted through at once.
    #[test]
    fn columns_are_right_in_long_lines() {
        let text = format!("{}\n{}", "γ".repeat(300), "aé".repeat(1000));
        let source = Source::new(Path::new("t"), &text);
        for (offset, line, column) in
            [(0, 1, 1), (598, 1, 300), (601, 2, 1), (604, 2, 3), (601 + 3 * 999, 2, 1999)]
        {
            assert_eq!(source.position(offset), Position::at("t", line, column), "{offset}");
        }
    }

    #[test]
    fn strings_begin_after_their_quotation_marks() {
        let text = "a = \"x\"\nb = '''\ny'''\nc = '''z'''\nd = 3\n";
        let source = Source::new(Path::new("t"), text);
        for (string, line, column) in
            [("\"x\"", 1, 6), ("'''\ny'''", 3, 1), ("'''z'''", 4, 8), ("3", 5, 5)]
        {
            let start = text.find(string).unwrap();
            let found = source.inside(start..start + string.len());
            assert_eq!(found, Position::at("t", line, column), "{string}");
        }
    }
}

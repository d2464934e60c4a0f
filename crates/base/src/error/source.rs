//! An input text with a name, and how places and fragments of it are shown.

use super::{Error, Position};

/// A text and where it comes from.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The file, or a short description.
    pub name: &'a str,
    /// The whole text, without a byte-order mark.
    pub text: &'a str,
}

impl Source<'_> {
    /// The place at a byte offset: lines end at line feeds, columns count characters.
    pub fn at(&self, offset: usize) -> Position {
        position(self.name, self.text.as_bytes(), offset)
    }

    /// The number of the line that holds the byte at `offset`.
    pub fn line(&self, offset: usize) -> usize {
        self.at(offset).line.unwrap_or(1)
    }

    /// A malformed input at a byte offset.
    pub fn malformed(
        &self,
        offset: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Error {
        Error::malformed(self.at(offset), expected, found)
    }

    /// A malformed input as a whole.
    pub fn malformed_whole(&self, expected: &str, found: &str) -> Error {
        Error::malformed(Position::whole(self.name), expected, found)
    }

    /// What stands at a byte offset, for an error: a character, or the end of the line or input.
    pub fn character(&self, offset: usize) -> String {
        match self.text.get(offset..).and_then(|rest| rest.chars().next()) {
            Some('\n' | '\r') => "the end of the line".to_owned(),
            Some(c) => show(c.encode_utf8(&mut [0; 4])),
            None => "the end of the input".to_owned(),
        }
    }
}

/// The place at a byte offset of bytes that need not be UTF-8.
pub fn position(name: &str, bytes: &[u8], offset: usize) -> Position {
    let before = &bytes[..offset.min(bytes.len())];
    let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |end| end + 1);
    let line = before.split(|&b| b == b'\n').count();
    // Bytes of the form 10xxxxxx continue a character.
    let column = 1 + before[start..].iter().filter(|&&b| b & 0xc0 != 0x80).count();
    Position::at(name, line, column)
}

/// A fragment of an input as it appears in a message: on one line, and not too long.
pub fn show(fragment: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String =
        fragment.chars().take(LONGEST).flat_map(char::escape_debug).collect::<String>();
    // `escape_debug` also escapes quotation marks, which are harmless here.
    shown = shown.replace("\\\"", "\"").replace("\\'", "'");
    let more = if fragment.chars().nth(LONGEST).is_some() { "…" } else { "" };
    format!("`{shown}{more}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_end_at_line_feeds() {
        let source = Source { name: "s", text: "añ€b\r\nc" };
        assert_eq!(source.at(0).to_string(), "s:1:1");
        assert_eq!(source.at("añ€".len()).to_string(), "s:1:4");
        assert_eq!(source.at("añ€b\r\n".len()).to_string(), "s:2:1");
        assert_eq!(source.at(1000).to_string(), "s:2:2");
        assert_eq!((source.line(3), source.line(1000)), (1, 2));
    }

    #[test]
    fn fragments_are_shown_on_one_line_and_cut() {
        assert_eq!(show("a\tb\"\n"), "`a\\tb\"\\n`");
        assert_eq!(show(&"x".repeat(41)), format!("`{}…`", "x".repeat(40)));
    }
}

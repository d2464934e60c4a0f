//! Files of text that people have written: they may begin with a byte-order mark, which is no part
//! of the text.

use std::io;
use std::path::Path;

/// What follows the byte-order mark of UTF-8, if there is one.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// The text of the file at `path`.
///
/// # Errors
/// When the file cannot be read or is not UTF-8.
pub(crate) fn read(path: &Path) -> io::Result<String> {
    let text = std::fs::read_to_string(path)?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

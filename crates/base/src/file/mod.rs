//! Files: read up to a limit whatever they are, and written whole or not at all.

mod place;
mod write;

use std::path::Path;

use crate::error::{Error, Result, Source, position};
use crate::text::{self, Unreadable, without_mark};

pub use place::Place;
pub use write::{discard, expect_writable, write};

/// Greatest size of a file that people write by hand, such as a script or a claim file, in bytes
/// (16 MiB).
pub const MAX_TEXT_BYTES: u64 = 1 << 24;

/// Greatest size of a file that programs write, such as a table or a class, in bytes (256 MiB).
pub const MAX_DATA_BYTES: u64 = 1 << 28;

/// The bytes of the file at `path`, of which there may be `limit`. Of what is no text only the
/// beginning is read.
///
/// # Errors
/// When it cannot be read, is a directory or is too long.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>> {
    text::read(path, limit).map_err(|reason| refused(path, reason))
}

/// The text of the file at `path`, which may have `limit` bytes, without a byte-order mark.
///
/// # Errors
/// As [`read`] and [`decode`].
pub fn read_text(path: &Path, limit: u64) -> Result<String> {
    let bytes = read(path, limit)?;
    decode(&path.display().to_string(), &bytes).map(str::to_owned)
}

/// The bytes of the standard input, of which there may be `limit`.
///
/// # Errors
/// When it cannot be read or is too long.
pub fn read_stdin(limit: u64) -> Result<Vec<u8>> {
    text::read_stdin(limit).map_err(|reason| refused(Path::new("stdin"), reason))
}

fn refused(path: &Path, reason: Unreadable) -> Error {
    match reason {
        Unreadable::TooLong { found, limit } => Error::TooLarge {
            what: path.display().to_string(),
            size: found,
            limit: format!("{limit} bytes"),
        },
        reason => Error::File { path: path.to_path_buf(), reason: reason.to_string() },
    }
}

/// The text that the bytes encode, without a byte-order mark.
///
/// # Errors
/// When they are not UTF-8, or hold a NUL.
pub fn decode<'b>(source: &str, bytes: &'b [u8]) -> Result<&'b str> {
    let bytes = without_mark(bytes);
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    // What comes before a NUL may end within a character, which is not its fault.
    let text = match std::str::from_utf8(&bytes[..end]) {
        Ok(text) => text,
        Err(error) => {
            let offset = error.valid_up_to();
            let found = format!("the byte 0x{:02x}", bytes[offset]);
            return Err(Error::malformed(position(source, bytes, offset), "text in UTF-8", found));
        }
    };
    if end < bytes.len() {
        return Err(Source { name: source, text }.malformed(end, "text", "a NUL byte"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_is_refused_where_it_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let fault = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let fault = read_text(&path, 10).unwrap_err().to_string();
            fault.replace(&path.display().to_string(), "x")
        };
        assert_eq!(fault(b"a\nb\xff"), "x:2:2: expected text in UTF-8, found the byte 0xff");
        assert_eq!(fault(b"\xef\xbb\xbfa\0"), "x:1:2: expected text, found a NUL byte");
        assert_eq!(fault(&[b'x'; 11]), "x has 11 bytes, more than the limit of 10 bytes");
    }
}

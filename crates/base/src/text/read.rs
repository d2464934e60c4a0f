//! Files and streams of bytes, each read up to a limit.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// What follows the byte-order mark of UTF-8, if there is one: it is no part of the text.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// Why there is nothing to read at a path.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// There is no such file.
    #[error("no such file")]
    Missing,
    /// It is a directory.
    #[error("is a directory, not a file")]
    Directory,
    /// It has more bytes than are read.
    #[error("has {found}, more than the limit of {limit} bytes")]
    TooLong {
        /// How many it has, as far as that is known.
        found: String,
        /// How many are read.
        limit: u64,
    },
    /// The operating system refuses.
    #[error("{0}")]
    Refused(io::Error),
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::IsADirectory => Self::Directory,
            _ => Self::Refused(error),
        }
    }
}

/// The bytes of the file at `path`, of which there may be `limit`. Of what holds a NUL byte, which no
/// text does, only the beginning is read: so an endless device ends.
///
/// # Errors
/// When the file cannot be read or is longer.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Unreadable> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(Unreadable::Directory);
    }
    if metadata.len() > limit {
        return Err(Unreadable::TooLong { found: format!("{} bytes", metadata.len()), limit });
    }
    // The file may be a pipe or may grow: its size is not trusted.
    read_bounded(File::open(path)?, limit)
}

/// The standard input, which may have `limit` bytes, as [`read`].
///
/// # Errors
/// When it cannot be read or is longer.
pub fn read_stdin(limit: u64) -> Result<Vec<u8>, Unreadable> {
    read_bounded(io::stdin().lock(), limit)
}

/// How many bytes are read before they are looked at.
const CHUNK: u64 = 1 << 16;

fn read_bounded(mut stream: impl Read, limit: u64) -> Result<Vec<u8>, Unreadable> {
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        let read = stream.by_ref().take(CHUNK).read_to_end(&mut bytes)?;
        if bytes.len() as u128 > u128::from(limit) {
            let found = format!("at least {} bytes", limit + 1);
            return Err(Unreadable::TooLong { found, limit });
        }
        if read == 0 || bytes[before..].contains(&0) {
            return Ok(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_read_up_to_its_limit() {
        assert_eq!(read_bounded(&b"0123"[..], 4).unwrap(), b"0123");
        let error = read_bounded(io::repeat(b'0'), 100_000).unwrap_err().to_string();
        assert_eq!(error, "has at least 100001 bytes, more than the limit of 100000 bytes");
    }

    #[test]
    fn a_stream_of_zeros_ends_at_once() {
        let read = read_bounded(io::repeat(0), u64::MAX).unwrap();
        assert_eq!(read.len() as u64, CHUNK);
    }
}

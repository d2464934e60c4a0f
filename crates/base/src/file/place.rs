//! Where a path leads, so that two names of one file are seen to be one.

use std::io;
use std::path::{Path, PathBuf};

/// How many symbolic links that lead nowhere are followed.
const LINKS: usize = 40;

/// Where a path leads: through symbolic links, `.` and `..`, whether or not there is a file yet.
#[derive(Debug, Clone)]
pub struct Place {
    path: PathBuf,
    /// The file that is there, by which hard links are known.
    file: Option<(u64, u64)>,
    /// Whether something is there that is no regular file, such as a terminal.
    special: bool,
}

impl Place {
    /// Where `path` leads.
    ///
    /// # Errors
    /// When its folder does not exist, or links lead in a circle.
    pub fn of(path: &Path) -> io::Result<Self> {
        let path = resolve(path, LINKS)?;
        let metadata = std::fs::metadata(&path).ok();
        let special = metadata.as_ref().is_some_and(|metadata| !metadata.is_file());
        Ok(Self { file: metadata.as_ref().and_then(identity), special, path })
    }

    /// The path without links.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is something that is written to as it is, such as a device or a pipe.
    pub(super) fn is_special(&self) -> bool {
        self.special
    }

    /// Whether writing to one place would destroy what is written to or read from the other. What is
    /// no regular file has no content that is replaced.
    pub fn same(&self, other: &Self) -> bool {
        let linked = self.file.is_some() && self.file == other.file;
        !self.special && (linked || self.path == other.path)
    }
}

/// The path of the file, whose last component need not exist.
fn resolve(path: &Path, links: usize) -> io::Result<PathBuf> {
    if let Ok(path) = path.canonicalize() {
        return Ok(path);
    }
    if let (Ok(target), Some(links)) = (std::fs::read_link(path), links.checked_sub(1)) {
        let folder = path.parent().unwrap_or(Path::new(""));
        return resolve(&folder.join(target), links);
    }
    let name = path.file_name().ok_or(io::ErrorKind::NotFound)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    Ok(folder.unwrap_or(Path::new(".")).canonicalize()?.join(name))
}

/// The number of the file on its device, where there is one.
#[cfg_attr(
    unix,
    expect(clippy::unnecessary_wraps, reason = "the standard library knows it on Unix alone")
)]
fn identity(metadata: &std::fs::Metadata) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        None
    }
}

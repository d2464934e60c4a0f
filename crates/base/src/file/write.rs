//! Writing a file whole or not at all.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use super::Place;
use crate::error::{Error, Result};

/// Folders in which names stand for what is open already.
const OPEN_FILES: [&str; 2] = ["/dev", "/proc"];

/// Makes the file at `path` of what `content` writes, and returns what that returns. The file appears
/// when all of it is written, under a temporary name in the same folder until then; a file that was
/// there keeps its permissions, and a symbolic link stays one. What is no regular file, such as a
/// pipe, is written to directly.
///
/// # Errors
/// When the file cannot be written.
pub fn write<T>(path: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> Result<T> {
    (|| {
        let place = Place::of(path)?;
        if is_open_file(path) || place.is_special() {
            return fill(OpenOptions::new().append(true).open(path)?, content).map(|(_, t)| t);
        }
        let (file, result) = fill(beside(place.path())?, content)?;
        if let Ok(metadata) = std::fs::metadata(place.path()) {
            file.as_file().set_permissions(metadata.permissions())?;
        }
        // Whoever ends the process ends it before the file is in its place, or after.
        let mut unfinished = unfinished();
        let name = file.path().to_path_buf();
        file.persist(place.path())?;
        unfinished.remove(&name);
        Ok(result)
    })()
    .map_err(|error: io::Error| Error::file(path, &error))
}

/// Checks that [`write()`] could make a file at `path`, so that a name that is wrong does not cost a
/// search first.
///
/// # Errors
/// When it could not.
pub fn expect_writable(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let reason = format!("there is no folder `{}`", folder.display());
        return Err(Error::File { path: path.to_path_buf(), reason });
    }
    (|| {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let place = Place::of(path)?;
        if is_open_file(path) || place.is_special() {
            return Ok(());
        }
        if place.path().exists() {
            // A file that may not be written is not replaced either.
            OpenOptions::new().append(true).open(place.path())?;
        }
        beside(place.path()).map(drop)
    })()
    .map_err(|error: io::Error| Error::file(path, &error))
}

/// Whether a path is one of the names of an open file: of a file behind it, such as the one to which
/// the standard output is redirected, nothing may be lost.
fn is_open_file(path: &Path) -> bool {
    OPEN_FILES.iter().any(|folder| path.starts_with(folder))
}

/// A new file in the folder of `path`, with the permissions of one that is made there.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".littlestone-");
    #[cfg(unix)]
    let permissions = <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(permissions);
    let mut unfinished = unfinished();
    let file = builder.tempfile_in(path.parent().unwrap_or(Path::new(".")))?;
    unfinished.insert(file.path().to_path_buf());
    Ok(file)
}

/// The files that are not in their places, under their temporary names.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the files that are not finished, for a process that ends at once. While the result lives,
/// no other file is begun or finished.
pub fn discard() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    let unfinished = unfinished();
    for path in unfinished.iter() {
        // It may be gone by itself, and there is nobody to tell.
        let _ = std::fs::remove_file(path);
    }
    unfinished
}

/// A file that can be filled.
trait Target: Write {
    fn complete(&self) -> io::Result<()>;
}

impl Target for NamedTempFile {
    fn complete(&self) -> io::Result<()> {
        self.as_file().sync_all()
    }
}

impl Target for File {
    fn complete(&self) -> io::Result<()> {
        Ok(())
    }
}

fn fill<F: Target, T>(
    file: F,
    content: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<(F, T)> {
    let mut buffered = BufWriter::new(file);
    let result = content(&mut buffered)?;
    let file = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.complete()?;
    Ok((file, result))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn put(path: &Path, text: &str) {
        write(path, |out| out.write_all(text.as_bytes())).unwrap();
    }

    #[test]
    fn a_failure_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        put(&path, "old");
        let error = write(&path, |out| {
            out.write_all(b"new")?;
            Err::<(), _>(io::Error::other("no more"))
        });
        assert_eq!(error.unwrap_err().to_string(), format!("{}: no more", path.display()));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
        put(&path, "new");
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        put(&path("plain"), "x");
        let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
        fs::write(path("usual"), "x").unwrap();
        assert_eq!(mode("plain"), mode("usual"), "the mask of the process holds");
        fs::set_permissions(path("plain"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("plain", path("link")).unwrap();
        symlink("none-yet", path("dangling")).unwrap();
        put(&path("link"), "y");
        put(&path("dangling"), "z");
        assert_eq!(fs::read_to_string(path("plain")).unwrap(), "y");
        assert_eq!(fs::read_to_string(path("none-yet")).unwrap(), "z");
        assert!(path("link").is_symlink() && path("dangling").is_symlink());
        assert_eq!(mode("plain"), 0o640);
        put(Path::new("/dev/null"), "gone");
    }

    #[cfg(unix)]
    #[test]
    fn names_of_one_file_are_one_place() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), "").unwrap();
        fs::write(path("b"), "").unwrap();
        fs::hard_link(path("a"), path("hard")).unwrap();
        symlink("a", path("soft")).unwrap();
        symlink("new", path("ahead")).unwrap();
        let same =
            |a: &str, b: &str| Place::of(&path(a)).unwrap().same(&Place::of(&path(b)).unwrap());
        for (a, b) in [("a", "./a"), ("a", "hard"), ("soft", "a"), ("new", "ahead")] {
            assert!(same(a, b) && same(b, a), "{a} {b}");
        }
        assert!(!same("a", "b") && !same("a", "new"));
        let null = Place::of(Path::new("/dev/null")).unwrap();
        assert!(!null.same(&null));
    }
}

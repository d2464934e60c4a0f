//! Finds claim files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::error::Error;

use super::paper::FILE;

/// The files at `paths`, each once: files as they are, folders recursively for `*.toml` without declarations of papers, sorted by
/// name within each folder. Hidden entries and linked folders below a given folder are passed over.
pub(super) fn claim_files(paths: &[PathBuf], faults: &mut Vec<Error>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => walk(path, &mut files, faults),
            Ok(_) => files.push(path.clone()),
            Err(reason) => faults.push(Error::file(path, &reason)),
        }
    }
    let mut seen = BTreeSet::new();
    files.retain(|file| seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    files
}

/// Whether a file of a folder holds claims, by its name.
fn is_claims(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "toml")
        && path.file_name().is_none_or(|name| name != FILE)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>, faults: &mut Vec<Error>) {
    let entries: Result<Vec<_>, _> = std::fs::read_dir(folder).and_then(Iterator::collect);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(reason) => return faults.push(Error::file(folder, &reason)),
    };
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            walk(&path, files, faults);
        } else if is_claims(&path) && path.is_file() {
            files.push(path);
        }
    }
}

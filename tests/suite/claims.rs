//! Claim files through the library: reading, grids, verdicts, reports.

mod decompositions;
mod faults;
mod lower_bounds;
mod mechanisms;
mod reports;
mod results;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use littlestone::claims::{self, CheckOptions, Faults, Outcome};
use littlestone::limits::Limits;
use tempfile::TempDir;

/// A folder with the given files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder is made");
        std::fs::write(path, text).expect("a file is written");
    }
    folder
}

/// Options for that many threads.
fn jobs(jobs: usize) -> CheckOptions {
    let limits =
        Limits { jobs: NonZeroUsize::new(jobs).expect("at least one"), ..Limits::default() };
    CheckOptions { limits, ..CheckOptions::default() }
}

fn check(folder: &Path, options: &CheckOptions) -> Result<Outcome, Faults> {
    claims::check(&[folder.to_path_buf()], options)
}

/// The results of one claim file.
fn outcome(text: &str) -> Outcome {
    let folder = folder(&[("a.toml", text)]);
    check(folder.path(), &CheckOptions::default()).expect("the file is well formed")
}

/// `text` without the path of the temporary folder.
fn relative(text: &str, folder: &Path) -> String {
    let prefix = format!("{}/", folder.display());
    text.replace(&prefix, "")
}

/// The claim `[[claim]]` with a name, a paper item, `expect = "holds"` and the given lines.
fn claim(name: &str, lines: &str) -> String {
    format!("[[claim]]\nname = \"{name}\"\npaper = \"Definition 6\"\nexpect = \"holds\"\n{lines}\n")
}

fn manifest(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

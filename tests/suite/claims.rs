//! Claim files through the library: reading, grids, verdicts, reports.

mod decompositions;
mod faults;
mod lower_bounds;
mod mechanisms;
mod reports;
mod results;
mod slack;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use littlestone::claims::{self, CheckOptions, Outcome};
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

fn check(folder: &Path, options: &CheckOptions) -> Outcome {
    claims::check(&[folder.to_path_buf()], options)
}

/// What is wrong with the files of a folder.
fn errors(outcome: &Outcome) -> Vec<String> {
    outcome.faults.iter().map(|fault| fault.error.to_string()).collect()
}

/// The results of one claim file.
fn outcome(text: &str) -> Outcome {
    let folder = folder(&[("a.toml", text)]);
    let outcome = check(folder.path(), &CheckOptions::default());
    assert_eq!(errors(&outcome), [""; 0], "the file is well formed");
    outcome
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

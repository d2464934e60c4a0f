//! Claim files: what a paper says about a tiny instance, and what is expected of it.
//!
//! A claim file is TOML with `[[claim]]` tables; `docs/claims.md` describes it. Lists in a claim
//! are grids, with one check for each combination. [`check`] does everything: it finds the files,
//! reads them, loads the classes and runs the checks. [`load`] and the methods of [`Suite`] do the
//! same step by step.
//!
//! ```
//! use littlestone::claims::{self, CheckOptions, Status};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("points.toml");
//! std::fs::write(&file, r#"
//!     [[claim]]
//!     name = "POINT3 has Littlestone dimension one"
//!     paper = "Definition 5"
//!     kind = "littlestone-dimension"
//!     class = "point:3"
//!     equals = 1
//!     expect = "holds"
//! "#)?;
//! let outcome = claims::check(&[file], &CheckOptions::default())?;
//! assert_eq!(outcome.status(), Status::AsExpected);
//! assert_eq!(outcome.results[0].finding.found, "Ldim(point:3) = 1; claimed 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod fields;
mod file;
mod grid;
pub mod kinds;
mod outcome;
pub(crate) mod paper;
mod run;
mod source;
mod value;
mod walk;

use std::path::PathBuf;

use crate::file::{MAX_TEXT_BYTES, read_text};

pub use fields::{Fields, Located};
pub use outcome::{CheckInfo, CheckResult, Expect, Faults, Finding, Outcome, Status, Verdict};
pub use run::{CheckOptions, Suite};

/// Reads the claim files at `paths`: files as they are, folders recursively for `*.toml` in
/// sorted order. Classes are not loaded yet and nothing is run.
///
/// # Errors
/// Every fault of every file, when there is one.
pub fn load(paths: &[PathBuf]) -> Result<Suite, Faults> {
    let mut faults = Vec::new();
    let mut checks = Vec::new();
    for path in walk::claim_files(paths, &mut faults) {
        match read_text(&path, MAX_TEXT_BYTES) {
            Ok(text) => checks.extend(file::read(&path, &text, &mut faults)),
            Err(fault) => faults.push(fault),
        }
    }
    Faults::none_or(faults)?;
    Ok(Suite::new(checks))
}

/// Reads the claim files at `paths` (see [`load`]) and runs the selected checks.
///
/// # Errors
/// Every fault of every file, when there is one; no result is given then. An empty selection is no
/// error but [`Status::NothingSelected`].
pub fn check(paths: &[PathBuf], options: &CheckOptions) -> Result<Outcome, Faults> {
    let mut suite = load(paths)?;
    suite.select(&options.only);
    suite.run(options, &|_| {})
}

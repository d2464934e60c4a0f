//! The project's own claim files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use littlestone::claims::{self, CheckOptions, Expect, Status};
use littlestone::limits::Limits;
use littlestone::report::check::{Detail, human};

fn checks() -> Vec<PathBuf> {
    vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("checks")]
}

/// Folders whose claims take long without optimisation. `littlestone check checks/` has them too, and
/// continuous integration runs both.
const LONG: [&str; 5] = ["broken", "decomposition", "lower-bounds", "minimax", "predictor"];

/// The other folders of claims.
fn short() -> Vec<PathBuf> {
    let folders = std::fs::read_dir(&checks()[0]).expect("a folder");
    let mut folders: Vec<PathBuf> =
        folders.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).collect();
    folders.retain(|path| !LONG.iter().any(|long| path.ends_with(long)));
    assert!(folders.len() >= 5, "{folders:?}");
    folders.sort();
    folders
}

#[test]
fn every_verdict_is_the_expected_one() {
    let outcome = claims::check(&short(), &CheckOptions::default());
    let text = human(&outcome, Detail::Failures);
    assert_eq!(outcome.status(), Status::AsExpected, "{text}{:?}", outcome.faults);
}

/// A checker that says `holds` to everything must not pass any file, nor one that says `refuted`.
#[test]
fn every_file_has_claims_that_hold_and_twins_that_are_refuted() {
    let suite = claims::load(&checks(), &Limits::default());
    assert_eq!(suite.faults().next(), None, "the files are well formed");
    let mut expectations: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for check in suite.checks() {
        let counts = expectations.entry(&check.file).or_default();
        counts[usize::from(check.expect == Expect::Refuted)] += 1;
    }
    assert!(expectations.len() >= 6, "{expectations:?}");
    for (file, counts) in expectations {
        assert!(counts.iter().all(|&count| count > 0), "{file}: {counts:?}");
    }
}

//! The project's own claim files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use littlestone::claims::{self, CheckOptions, Expect, Status};
use littlestone::report::check::{Detail, human};

fn checks() -> Vec<PathBuf> {
    vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("checks")]
}

/// Claim 1 at the paper's constants has half a million situations, which takes minutes without
/// optimisation. `littlestone check checks/` has it too, and continuous integration runs both.
const LONG: &str = "claim1.toml";

/// All claim files but the long one.
fn short(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(short(&path));
        } else if path.extension().is_some_and(|ending| ending == "toml") && !path.ends_with(LONG) {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn every_verdict_is_the_expected_one() {
    match claims::check(&short(&checks()[0]), &CheckOptions::default()) {
        Ok(outcome) => {
            let text = human(&outcome, Detail::Failures);
            assert_eq!(outcome.status(), Status::AsExpected, "{text}");
        }
        Err(faults) => panic!("{faults}"),
    }
}

/// A checker that says `holds` to everything must not pass any file, nor one that says `refuted`.
#[test]
fn every_file_has_claims_that_hold_and_twins_that_are_refuted() {
    let suite = claims::load(&checks()).expect("the files are well formed");
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

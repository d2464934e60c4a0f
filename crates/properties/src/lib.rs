//! One configuration for all properties, here and in the library's own tests.

use std::sync::LazyLock;

use proptest::test_runner::{Config, FileFailurePersistence};

/// The number of cases of the long mode, where none is given.
const LONG: u32 = 100_000;

/// How many cases `LITTLESTONE_LONG` asks for: `1` stands for 10^5, another number for itself.
static CASES: LazyLock<Option<u32>> =
    LazyLock::new(|| cases(std::env::var("LITTLESTONE_LONG").ok().as_deref()));

fn cases(asked: Option<&str>) -> Option<u32> {
    match asked.map(str::trim) {
        None | Some("" | "0") => None,
        Some("1") => Some(LONG),
        Some(number) => Some(number.parse().expect("LITTLESTONE_LONG is 1 or a number of cases")),
    }
}

/// The configuration for a property that tries `few` cases, or as many as `LITTLESTONE_LONG` says.
/// Seeds that have failed are kept in `proptest-regressions/` and tried first from then on.
pub fn config(few: u32) -> Config {
    let cases = CASES.unwrap_or(few);
    Config {
        cases,
        max_global_rejects: cases.saturating_mul(4).max(1024),
        failure_persistence: Some(Box::new(kept())),
        ..Config::default()
    }
}

/// Where failing seeds are kept: beside `src/` and beside `tests/suite/`, under version control.
fn kept() -> FileFailurePersistence {
    FileFailurePersistence::SourceParallel("proptest-regressions")
}

#[cfg(test)]
mod tests {
    use proptest::test_runner::{FailurePersistence, PersistedSeed};

    use super::*;

    #[test]
    fn the_long_mode_is_a_number_of_cases() {
        assert_eq!(cases(None), None);
        assert_eq!(cases(Some("1")), Some(100_000));
        assert_eq!(cases(Some("250")), Some(250));
    }

    /// A failing seed of a property is written to a file of the folder, and read from there.
    #[test]
    fn failing_seeds_are_kept_and_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("suite");
        std::fs::create_dir(&root).expect("a folder");
        std::fs::write(root.join("main.rs"), "").expect("a file");
        std::fs::write(root.join("some.rs"), "").expect("a file");
        let source: &'static str =
            Box::leak(root.join("some.rs").display().to_string().into_boxed_str());
        let seed: PersistedSeed =
            "cc 00000000000000000000000000000000000000000000000000000000000000ff"
                .parse()
                .expect("a seed");
        kept().save_persisted_failure2(Some(source), seed.clone(), &"a value");
        let file = folder.path().join("proptest-regressions/some.txt");
        assert!(file.is_file(), "{file:?}");
        assert_eq!(kept().load_persisted_failures2(Some(source)), [seed]);
    }
}

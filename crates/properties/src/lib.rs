//! One configuration for the properties of all parts.

use std::sync::LazyLock;

use proptest::test_runner::{Config, FileFailurePersistence};

/// The number of cases of the long mode, where none is given.
const LONG: u32 = 100_000;

/// How many cases `LITTLESTONE_LONG` asks for: `1` stands for 10^5, another number for itself.
static CASES: LazyLock<Option<u32>> =
    LazyLock::new(|| cases(std::env::var("LITTLESTONE_LONG").ok().as_deref()));

/// How many cases the text of the variable asks for, if it asks for any.
pub fn cases(asked: Option<&str>) -> Option<u32> {
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

/// Where failing seeds are kept: beside `src/` of a part and beside `tests/suite/`, under version control.
pub fn kept() -> FileFailurePersistence {
    FileFailurePersistence::SourceParallel("proptest-regressions")
}

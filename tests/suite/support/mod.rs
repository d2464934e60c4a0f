//! What the tests share: classes, slow references that follow the definitions, and a naive
//! producer of certificates. Nothing here uses the library's searches.
pub mod candidates;
pub mod classes;
pub mod decomposition;
pub mod literal;
pub mod producer;
pub mod program;
pub mod reference;

use proptest::test_runner::{Config, FileFailurePersistence};

/// Proptest's configuration for a number of cases; failing cases are kept beside the test.
pub fn config(cases: u32) -> Config {
    let kept = FileFailurePersistence::WithSource("regressions");
    Config { cases, failure_persistence: Some(Box::new(kept)), ..Config::default() }
}

//! The configuration of properties: how many cases, and where failing seeds are kept.

use littlestone_properties::{cases, kept};
use proptest::test_runner::{FailurePersistence, PersistedSeed};

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
    let seed: PersistedSeed = "cc 00000000000000000000000000000000000000000000000000000000000000ff"
        .parse()
        .expect("a seed");
    kept().save_persisted_failure2(Some(source), seed.clone(), &"a value");
    let file = folder.path().join("proptest-regressions/some.txt");
    assert!(file.is_file(), "{file:?}");
    assert_eq!(kept().load_persisted_failures2(Some(source)), [seed]);
}

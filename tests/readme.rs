//! Every command of the README does what the README shows.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

/// What stands before the arguments of the binary when the package is not installed.
const CARGO_RUN: &str = "$ cargo run --release -- ";

/// Commands that a test cannot run, because they run the tests or fill the user's folders. The
/// first is the one that `.ci/run` runs.
const NOT_RUN: [&str; 2] = ["cargo test --locked", "cargo install --locked --path ."];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("readable")
}

/// The code blocks of a text, each with its language.
fn blocks(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            found.push((language, lines.by_ref().take_while(|line| *line != "```").collect()));
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a new folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("readable").path();
        let copied = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &copied);
        } else {
            fs::copy(&path, &copied).expect("a copy");
        }
    }
}

/// Runs the blocks marked `console` in a copy of the folders that they read. `cargo run` stands
/// for the binary that is under test.
#[test]
fn commands_print_what_is_shown() {
    let folder = tempfile::tempdir().expect("temporary folder");
    for name in ["examples", "checks"] {
        copy(&root().join(name), &folder.path().join(name));
    }
    let readme = read("README.md");
    let commands = readme.replace(CARGO_RUN, "$ littlestone ");
    assert_ne!(commands, readme, "the README shows how to run it without installing");
    let case = folder.path().join("README.md");
    fs::write(&case, commands).expect("written");
    // Only this test of this process asks for the current folder.
    std::env::set_current_dir(folder.path()).expect("the folder exists");
    trycmd::TestCases::new()
        .register_bin("littlestone", Path::new(env!("CARGO_BIN_EXE_littlestone")))
        .register_bin("cat", Path::new("/bin/cat"))
        .case(case);
}

#[test]
fn no_command_is_left_out() {
    let readme = read("README.md");
    let mut not_run = Vec::new();
    let mut run = 0;
    for (language, lines) in blocks(&readme) {
        match language {
            "console" => run += lines.iter().filter(|line| line.starts_with("$ ")).count(),
            "sh" => not_run.extend(lines),
            "toml" | "yaml" | "rust" => {}
            _ => panic!("a block without a known language: {lines:?}"),
        }
    }
    assert_eq!(not_run, NOT_RUN);
    assert!(run >= 10, "{run} commands are run");
}

/// What the README tells people to run is what continuous integration runs.
#[test]
fn the_test_command_is_that_of_continuous_integration() {
    let script = read(".ci/run");
    let steps: Vec<&str> = script.lines().filter_map(|line| line.strip_prefix("step ")).collect();
    assert!(steps.contains(&NOT_RUN[0]), "{steps:?}");
}

/// The claim and the workflow that the README shows are what the tool reads and accepts.
#[test]
fn the_claim_and_the_workflow_work() {
    let readme = read("README.md");
    let folder = tempfile::tempdir().expect("temporary folder");
    let claims: Vec<String> = blocks(&readme)
        .into_iter()
        .filter(|(language, _)| *language == "toml")
        .map(|(_, lines)| lines.join("\n"))
        .collect();
    assert!(!claims.is_empty());
    fs::create_dir(folder.path().join("checks")).expect("a new folder");
    fs::write(folder.path().join("checks/readme.toml"), claims.join("\n")).expect("written");
    let (_, workflow) =
        blocks(&readme).into_iter().find(|(language, _)| *language == "yaml").expect("a workflow");
    let command = workflow
        .iter()
        .find_map(|line| line.trim().strip_prefix("- run: littlestone "))
        .expect("a step that runs littlestone");
    assert_cmd::Command::new(env!("CARGO_BIN_EXE_littlestone"))
        .args(command.split(' '))
        .current_dir(folder.path())
        .assert()
        .code(0)
        .stdout(predicates::str::ends_with("5 passed, 0 failed\n"));
}

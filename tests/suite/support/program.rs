//! The program under test, run from outside.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};

/// The program with the given arguments, whatever the environment says of colours.
pub fn littlestone(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("littlestone").unwrap();
    command.args(args).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// The words of a line. A shell would do more; no argument of these tests has a space in it.
pub fn words(line: &str) -> Vec<&str> {
    line.split(' ').filter(|word| !word.is_empty()).collect()
}

/// The program with the arguments of a line.
pub fn run(line: &str) -> Command {
    littlestone(&words(line))
}

/// What is printed for a line of arguments, with the given exit code.
#[track_caller]
pub fn stdout(line: &str, code: i32) -> String {
    let output = run(line).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{line}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The JSON that is printed for a line of arguments, with the given exit code.
#[track_caller]
pub fn json(line: &str, code: i32) -> serde_json::Value {
    serde_json::from_str(&stdout(&format!("{line} --format json"), code)).unwrap()
}

/// Malformed input: exit code 2, nothing on standard output, and one `error:` line.
#[track_caller]
pub fn refused(args: &[&str], message: &str) {
    refuses(littlestone(args), message);
}

/// As [`refused`], of a command that is ready.
#[track_caller]
pub fn refuses(mut command: Command, message: &str) {
    command
        .assert()
        .code(2)
        .stdout(is_empty())
        .stderr(starts_with("error: ").and(contains(message)));
}

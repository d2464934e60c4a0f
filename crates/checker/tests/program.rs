//! The binary on files: what it prints, and the gravest exit code.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The first certificate of the manual, by hand: both labels of point 1 are taken, so Ldim ≥ 1.
const LOWER: &str = r#"{
    "format": 1, "kind": "littlestone-dimension", "producer": "by hand", "source": "",
    "points": ["1"], "hypotheses": ["0", "1"], "names": null,
    "claim": {"at_least": 1, "at_most": null},
    "lower": {"depth": 1, "points": [0], "leaves": [0, 1]}, "upper": null
}"#;

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("writable");
    path
}

fn run(arguments: &[&Path]) -> Output {
    let program = Command::new(env!("CARGO_BIN_EXE_littlestone-checker")).args(arguments).output();
    program.expect("the program runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

#[test]
fn the_gravest_file_decides_the_exit_code() {
    let proved = file("proved.json", LOWER);
    // The leaves lie on the wrong sides.
    let unproved = file("unproved.json", &LOWER.replace("[0, 1]}", "[1, 0]}"));
    let malformed = file("malformed.json", "{");
    let one = run(&[&proved]);
    assert_eq!((one.status.code(), text(&one.stderr)), (Some(0), ""));
    let lines: Vec<&str> = text(&one.stdout).lines().collect();
    assert_eq!(lines[0], format!("certificate: {}", proved.display()));
    assert_eq!((lines[1], lines[lines.len() - 1]), ("proved: Ldim ≥ 1", "verdict: holds"));
    let two = run(&[&unproved, &proved]);
    assert_eq!(two.status.code(), Some(1));
    let verdicts: Vec<&str> =
        text(&two.stdout).lines().filter(|line| line.starts_with("verdict")).collect();
    assert_eq!(verdicts, ["verdict: refuted", "verdict: holds"]);
    let three = run(&[&unproved, &malformed, &proved]);
    assert_eq!(three.status.code(), Some(2));
    let fault = format!("error: {}: ", malformed.display());
    assert!(text(&three.stderr).starts_with(&fault), "{}", text(&three.stderr));
}

#[test]
fn what_is_no_file_is_refused() {
    for arguments in [&[][..], &[Path::new("--deny")], &[Path::new("no-such-file.json")]] {
        let output = run(arguments);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{arguments:?}");
        assert!(text(&output.stderr).starts_with("error: "), "{arguments:?}");
    }
    let help = run(&[Path::new("--help")]);
    assert_eq!(help.status.code(), Some(0));
    assert!(text(&help.stdout).contains("Usage: littlestone-checker FILE..."));
}

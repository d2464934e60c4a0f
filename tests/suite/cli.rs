//! The command line from outside: exit codes, what goes to which stream, messages for bad input.

use std::fs;
use std::process::Stdio;

use predicates::prelude::*;
use predicates::str::{contains, is_empty, is_match, starts_with};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::program::{littlestone, refused};

fn folder() -> TempDir {
    tempfile::tempdir().expect("temporary folder")
}

#[test]
fn dim_prints_the_dimension_last() {
    // Definition 5: POINT3 has three functions, three points and dimension one.
    littlestone(&["dim", "point:3"])
        .assert()
        .code(0)
        .stdout("class: point:3 (3 hypotheses, 3 points)\nLittlestone dimension: 1\n")
        .stderr(is_empty());
}

#[test]
fn dim_prints_further_dimensions_after_it() {
    // Thresholds on 8 points: ⌊log2 9⌋ = 3 (binary search), VC dimension 1, and a chain of 8.
    littlestone(&["dim", "threshold:8", "--vc", "--threshold-dimension"]).assert().code(0).stdout(
        "class: threshold:8 (9 hypotheses, 8 points)\nLittlestone dimension: 3\n\
         VC dimension: 1\nthreshold dimension: 8\n",
    );
}

#[test]
fn json_has_sorted_keys() {
    let output =
        littlestone(&["dim", "point:3", "--format", "json", "--vc"]).output().expect("runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let keys: Vec<&str> =
        text.lines().filter_map(|l| l.trim().split_once(':')).map(|k| k.0).collect();
    assert!(keys.is_sorted(), "{keys:?}");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        value,
        serde_json::json!({
            "class": "point:3", "command": "dim", "format": 1, "hypotheses": 3, "points": 3,
            "littlestone_dimension": 1, "vc_dimension": 1,
        })
    );
}

#[test]
fn a_state_limit_leaves_the_question_undecided_at_the_same_place() {
    let run = |jobs: &str, format: &str| {
        let args = ["dim", "threshold:400", "--limit-states", "2", "--jobs", jobs];
        littlestone(&[&args[..], &["--format", format]].concat()).output().expect("runs")
    };
    let one = run("1", "human");
    assert_eq!(one.status.code(), Some(3));
    let text = String::from_utf8(one.stdout.clone()).expect("UTF-8");
    assert!(text.ends_with("≤ 8\nverdict: undecided\n"), "{text}");
    let warning = String::from_utf8(one.stderr).expect("UTF-8");
    assert!(warning.starts_with("warning: "), "{warning}");
    assert_eq!(one.stdout, run("4", "human").stdout);
    let json: Value = serde_json::from_slice(&run("4", "json").stdout).expect("JSON");
    assert_eq!(json["littlestone_dimension"], Value::Null);
    // Two proved bounds: |H| = 401 gives at most ⌊log2 401⌋ = 8, which is the dimension.
    assert_eq!(json["upper"], 8);
    assert!(json["lower"].as_i64().is_some_and(|lower| lower < 8));
}

#[test]
fn output_is_the_same_for_any_number_of_threads() {
    let folder = folder();
    for class in ["threshold:300", "point:90", "interval:27", "ball:10,3"] {
        let run = |jobs: &str| {
            let (tree, proof) = (folder.path().join("tree.json"), folder.path().join("proof.json"));
            let output = littlestone(&["dim", class, "--jobs", jobs, "--format", "json", "--vc"])
                .arg("--tree")
                .arg(&tree)
                .arg("--certificate")
                .arg(&proof)
                .output()
                .expect("runs");
            assert_eq!(output.status.code(), Some(0));
            (output.stdout, fs::read(tree).expect("tree"), fs::read(proof).expect("proof"))
        };
        assert_eq!(run("1"), run("4"), "{class}");
    }
}

#[test]
fn certificates_are_verified_and_forgeries_refuted() {
    let folder = folder();
    let path = folder.path().join("proof.json");
    let file = path.to_str().expect("UTF-8");
    littlestone(&["dim", "threshold:8", "--certificate", file])
        .assert()
        .code(0)
        .stderr(starts_with("note: certificate written"));
    littlestone(&["recheck", file]).assert().code(0).stdout(
        contains("proved: Ldim ≥ 3\nproved: Ldim ≤ 3\n")
            .and(is_match("verdict: holds\n$").unwrap()),
    );
    // The certificate of three says nothing about four.
    let forged =
        fs::read_to_string(&path).expect("written").replace("\"at_least\":3", "\"at_least\":4");
    fs::write(&path, forged).expect("writable");
    littlestone(&["recheck", file])
        .assert()
        .code(1)
        .stdout(is_match("verdict: refuted\n$").unwrap());
    fs::write(&path, "{").expect("writable");
    littlestone(&["recheck", file]).assert().code(2).stderr(starts_with("error: "));
    let missing = folder.path().join("none.json");
    littlestone(&["recheck", missing.to_str().expect("UTF-8")]).assert().code(2);
}

#[test]
fn a_certificate_over_the_size_limit_proves_the_lower_bound_only() {
    let folder = folder();
    let path = folder.path().join("proof.json");
    let file = path.to_str().expect("UTF-8");
    let args = ["dim", "threshold:8", "--certificate", file, "--certificate-limit", "1"];
    littlestone(&[&args[..], &["--format", "json"]].concat())
        .assert()
        .code(0)
        .stdout(contains("\"at_most\": false"))
        .stderr(contains("searched, not certified"));
    littlestone(&["recheck", file])
        .assert()
        .code(0)
        .stdout(contains("≥ 3").and(contains("≤").not()));
}

#[test]
fn trees_are_written_as_their_ending_says() {
    let folder = folder();
    for (ending, begins) in [("txt", ""), ("dot", "graph"), ("svg", "<svg"), ("json", "{")] {
        let path = folder.path().join(format!("tree.{ending}"));
        let file = path.to_str().expect("UTF-8");
        littlestone(&["dim", "threshold:8", "--tree", file, "--quiet"])
            .assert()
            .code(0)
            .stderr(is_empty());
        let text = fs::read_to_string(&path).expect("written");
        assert!(!text.is_empty() && text.contains(begins), "{ending}: {text}");
    }
    refused(&["dim", "point:3", "--tree", "tree.pdf"], "tree.pdf");
    refused(&["dim", "point:3", "--tree", "/no/such/folder/tree.txt"], "/no/such/folder/tree.txt");
    refused(&["dim", "point:3", "--certificate", "/"], "/: ");
}

#[test]
fn bad_classes_are_named() {
    let folder = folder();
    let missing = folder.path().join("none.csv");
    refused(&["dim", missing.to_str().expect("UTF-8")], "none.csv");
    refused(&["dim", folder.path().to_str().expect("UTF-8")], "irectory");
    refused(&["dim", "cube:60"], "cube:60");
    refused(&["dim", "pionts:3"], "pionts");
    refused(&["dim", "point:x"], "point");
    let ragged = folder.path().join("ragged.csv");
    fs::write(&ragged, "a,b\n0,1\n0\n").expect("writable");
    refused(&["dim", ragged.to_str().expect("UTF-8")], "ragged.csv:3");
}

#[test]
fn class_files_are_read_with_notes_on_standard_error() {
    let folder = folder();
    let path = folder.path().join("class.csv");
    fs::write(&path, "name,a,b\nf,0,1\ng,0,1\nh,1,1\n").expect("writable");
    let file = path.to_str().expect("UTF-8");
    // Two functions are left once the equal ones are merged; two functions have dimension 1.
    littlestone(&["dim", file])
        .assert()
        .code(0)
        .stdout(contains("(2 hypotheses, 2 points)\nLittlestone dimension: 1\n"))
        .stderr(starts_with("note: "));
    littlestone(&["dim", file, "--quiet"]).assert().code(0).stderr(is_empty());
}

#[test]
fn bad_options_are_usage_errors() {
    refused(&["dim", "point:3", "--jobs", "0"], "at least 1");
    refused(&["dim", "point:3", "--jobs", "many"], "--jobs");
    refused(&["dim", "point:3", "--timeout", "5parsecs"], "--timeout");
    refused(&["dim", "point:3", "--certificate-limit", "1M"], "--certificate");
    refused(&["dim", "point:3", "--limit-states", "-1"], "-1");
    refused(&["dim"], "<CLASS>");
    refused(&["frobnicate"], "frobnicate");
    refused(&["list", "nothing"], "nothing");
    littlestone(&[]).assert().code(2).stdout(is_empty()).stderr(contains("Usage:"));
}

#[test]
fn a_timeout_leaves_the_question_undecided() {
    // A class that takes many seconds; a machine that decides it in one would be a
    // reason to choose another.
    littlestone(&["dim", "xor-thresholds:24,4", "--timeout", "1s"])
        .assert()
        .code(3)
        .stdout(is_match("≤ Littlestone dimension ≤ 13\nverdict: undecided\n$").unwrap())
        .stderr(contains("the time limit was reached"));
}

#[test]
fn help_and_version_are_results() {
    littlestone(&["--version"]).assert().code(0).stdout(concat!(
        "littlestone ",
        env!("CARGO_PKG_VERSION"),
        "\n"
    ));
    for command in ["dim", "soa", "check", "recheck", "list", "explain"] {
        littlestone(&[command, "--help"])
            .assert()
            .code(0)
            .stdout(contains("Examples:\n  littlestone "))
            .stderr(is_empty());
    }
}

#[test]
fn the_soa_is_shown_round_by_round() {
    // After (3,0) f1 and f2 are left; at point 1 both labels leave one function, so the tie
    // predicts 1, and label 0 is the one mistake that dimension 1 allows.
    littlestone(&["soa", "point:3", "--stream", "3:0,1:0,2:1"]).assert().code(0).stdout(
        "class: point:3 (3 hypotheses, 3 points)\n\
         round  point  hypotheses  Littlestone dimension  prediction  label  mistake\n    \
         1      3           3                      1           0      0       no\n    \
         2      1           2                      1           1      0      yes\n    \
         3      2           1                      0           1      1       no\n\
         mistakes: 1\n",
    );
}

#[test]
fn a_stream_that_leaves_the_class_is_refused_or_met_with_the_public_function() {
    let stream = "1:1,2:1,3:1";
    refused(&["soa", "point:3", "--stream", stream], "up to and including round 2");
    let fixed = ["soa", "point:3", "--stream", stream, "--on-inconsistent", "fixed"];
    let predictions = |extra: &[&str]| -> Vec<i64> {
        let args = [&fixed[..], &["--format", "json"], extra].concat();
        let output = littlestone(&args).output().expect("runs");
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let rounds = json["rounds"].as_array().expect("rounds");
        rounds.iter().filter_map(|round| round["prediction"].as_i64()).collect()
    };
    // Round 1: label 0 keeps the dimension. Round 2: only f1 is left. Round 3: the function rules.
    assert_eq!(predictions(&[]), [0, 0, 0]);
    assert_eq!(predictions(&["--public", "001"]), [0, 0, 1]);
    refused(&[&fixed[..], &["--public", "01"]].concat(), "3 labels");
    refused(&[&fixed[..], &["--public", "0x1"]].concat(), "`0x1`");
    refused(&["soa", "point:3", "--stream", stream, "--public", "001"], "--on-inconsistent");
}

#[test]
fn streams_are_read_from_files_and_their_faults_have_a_place() {
    let folder = folder();
    let path = folder.path().join("stream.txt");
    let file = path.to_str().expect("UTF-8");
    fs::write(&path, "# dummy examples\n3:0\n3:0,1:1\n").expect("writable");
    littlestone(&["soa", "point:3", "--stream", file])
        .assert()
        .code(0)
        .stdout(contains("mistakes: 0"));
    fs::write(&path, "3:0\n3:0,9:1\n").expect("writable");
    refused(&["soa", "point:3", "--stream", file], "stream.txt:2:5");
    refused(&["soa", "point:3", "--stream", "3:0,1"], "--stream:1:6");
    refused(&["soa", "point:3", "--stream", "no-such-file"], "no-such-file");
}

#[test]
fn claims_are_run_with_the_promised_exit_codes() {
    let folder = folder();
    let path = folder.path().join("claims.toml");
    let file = path.to_str().expect("UTF-8");
    let claim = |equals: u32, expect: &str| {
        format!(
            "[[claim]]\nname = \"n\"\npaper = \"Definition 5\"\nkind = \"littlestone-dimension\"\n\
             class = \"point:3\"\nequals = {equals}\nexpect = \"{expect}\"\n"
        )
    };
    fs::write(&path, claim(1, "holds")).expect("writable");
    littlestone(&["check", file])
        .assert()
        .code(0)
        .stdout(is_match("1 passed, 0 failed\n$").unwrap());
    littlestone(&["check", file, "--list"]).assert().code(0).stdout(contains("Definition 5"));
    littlestone(&["check", file, "--only", "Lemma 99"]).assert().code(4);
    fs::write(&path, claim(2, "refuted")).expect("writable");
    littlestone(&["check", file]).assert().code(0);
    fs::write(&path, claim(2, "holds")).expect("writable");
    littlestone(&["check", file])
        .assert()
        .code(1)
        .stdout(is_match("0 passed, 1 failed\n$").unwrap());
    for format in ["json", "junit", "github"] {
        littlestone(&["check", file, "--format", format]).assert().code(1);
    }
    fs::write(&path, claim(2, "maybe")).expect("writable");
    littlestone(&["check", file])
        .assert()
        .code(2)
        .stdout(is_match("^error .*claims.toml:7:10\n0 passed, 0 failed, 1 error\n$").unwrap())
        .stderr(contains("claims.toml:7:10: expected `holds` or `refuted`"));
}

#[test]
fn the_report_of_claims_is_the_same_for_any_number_of_threads() {
    let checks = concat!(env!("CARGO_MANIFEST_DIR"), "/checks/privacy");
    let broken = concat!(env!("CARGO_MANIFEST_DIR"), "/checks/broken/counters.toml");
    let run = |jobs: &str, format: &str| {
        let args = ["check", checks, broken, "--jobs", jobs, "--format", format];
        littlestone(&args).output().expect("runs").stdout
    };
    for format in ["human", "json", "junit"] {
        let one = run("1", format);
        assert!(!one.is_empty());
        assert_eq!(one, run("4", format), "{format}");
    }
}

#[test]
fn items_are_explained_and_unknown_ones_have_a_neighbour() {
    littlestone(&["explain", "def", "6"]).assert().code(0).stdout(
        starts_with("Definition 6: Littlestone dimension\n").and(contains("status: computed")),
    );
    littlestone(&["explain", "Theorem 2"]).assert().code(0).stdout(contains("status: "));
    littlestone(&["explain", "projective-plane"]).assert().code(0).stdout(contains("example: "));
    littlestone(&["list", "families"]).assert().code(0).stdout(contains("point: "));
    littlestone(&["list", "kinds"]).assert().code(0).stdout(contains("littlestone-dimension: "));
    refused(&["explain", "lema 3"], "did you mean `Lemma 3`?");
    // The exit codes that are explained are the constants.
    let output = littlestone(&["explain", "exit-codes"]).output().expect("runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    for (code, meaning) in ::littlestone::cli::exit::TABLE {
        assert!(text.contains(&format!("{code}  {meaning}\n")), "{code}: {text}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let program = assert_cmd::cargo::cargo_bin("littlestone");
    let mut child = std::process::Command::new(program)
        .args(["list", "explanations"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    // Closed before anything is read: the program's first write may meet a broken pipe.
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let program = assert_cmd::cargo::cargo_bin("littlestone");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let output = std::process::Command::new(program)
        .args(["list", "items"])
        .stdout(full)
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: standard output: "));
}

#[test]
fn colours_are_for_terminals_unless_asked_for() {
    let bad = ["dim", "point:3", "--stream"];
    littlestone(&bad).assert().code(2).stderr(contains('\u{1b}').not());
    littlestone(&[&["--color", "always"], &bad[..]].concat())
        .assert()
        .code(2)
        .stderr(contains('\u{1b}'));
    let missing = ["recheck", "/no/such/file", "--color", "always"];
    littlestone(&missing).assert().code(2).stderr(contains("\u{1b}[").and(contains("error:")));
}

#[test]
fn formulas_are_exported_for_other_solvers() {
    for language in ["dimacs", "qdimacs"] {
        let args = ["export", "point:3", "--at-least", "1", "--to", language];
        littlestone(&args)
            .assert()
            .code(0)
            .stdout(contains("\np cnf "))
            .stderr(starts_with("note: "));
        refused(&[&args[..], &["--max-clauses", "1"]].concat(), "1 clauses");
    }
    refused(&["export", "point:3", "--at-least", "1", "--to", "smt"], "smt");
}

#[test]
fn packagers_get_completions_and_a_manual_page() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        littlestone(&["generate", "completions", shell])
            .assert()
            .code(0)
            .stdout(contains("littlestone"));
    }
    littlestone(&["generate", "man"]).assert().code(0).stdout(contains(".TH littlestone"));
    littlestone(&["--help"]).assert().code(0).stdout(contains("generate").not());
}

//! Limits hold for every command, and what is undecided says so in every format.
//!
//! Nothing here measures time: a limit that is over before a command begins must end it, however fast
//! the machine is.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::program::littlestone;
use crate::support::schema::validate;

/// Files that commands read: a certificate, a counterexample, the parts of a job array, a claim.
fn files() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let make = |line: &str| {
        let line = line.replace("DIR", folder.path().to_str().unwrap());
        let args: Vec<&str> = line.split_whitespace().collect();
        let code = littlestone(&args).output().unwrap().status.code();
        assert!(matches!(code, Some(0 | 1)), "{line}");
    };
    make("dim cube:3 --certificate DIR/dim.json");
    make(
        "verify subsampled-soa:gamma=1/4 --class point:3 --rounds 2 --epsilon 0 --delta 1/9 \
         --counterexample DIR/refuted.json",
    );
    let claim = "[[claim]]\nname = \"a\"\npaper = \"Definition 6\"\nexpect = \"holds\"\n\
                 kind = \"vc-dimension\"\nclass = \"threshold:40\"\nequals = 1\n";
    std::fs::write(folder.path().join("claim.toml"), claim).unwrap();
    folder
}

/// Every command that searches, with the formats it has and whether it is stopped by a limit of one
/// state; where it is not, its work is counted in no states, or there is too little of it.
const COMMANDS: [(&str, &[&str], bool); 24] = [
    ("dim cube:4 --vc --threshold-dimension", &["human", "json"], true),
    ("soa cube:3 --stream 1:0,2:1", &["human", "json"], false),
    ("verify soa --class point:3 --rounds 3 --epsilon 0", &["human", "json"], true),
    ("verify soa --class point:3 --rounds 1..3 --epsilon 0 --delta 1/9", &["human", "json"], true),
    (
        "verify soa --class point:3 --rounds 3 --epsilon 0 --delta 1/9 --decide-only",
        &["human", "json"],
        true,
    ),
    ("verify soa --class point:3 --rounds all --epsilon 0", &["human", "json"], true),
    ("verify soa --class point:3 --rounds all --epsilon 0 --delta 1/9", &["human", "json"], true),
    (
        "verify soa --class point:3 --rounds 3 --epsilon 0 --streams realisable",
        &["human", "json"],
        true,
    ),
    (
        "profile subsampled-soa:gamma=1/4 --class point:3 --rounds 2",
        &["human", "json", "csv"],
        true,
    ),
    ("replay DIR/refuted.json", &[], false),
    ("compile soa --class point:3", &["json", "dot"], true),
    ("decompose cube:3 --p 2", &["human", "json"], true),
    ("candidates cube:3 --stream 1:0,2:1 --B 2", &["human", "json"], true),
    ("atlas --points 2", &[], true),
    ("table combine --d 1..2 --rounds 1 --epsilon 0", &["human", "json", "csv"], true),
    (
        "bounds learning --class cube:3 --rounds 100 --epsilon 1/100 --delta 1/20",
        &["human", "json"],
        false,
    ),
    ("check DIR/claim.toml", &[], true),
    ("mistakes soa --class point:3 --worst --rounds 3", &["human", "json"], true),
    ("mistakes soa-learner --class cube:3 --rounds 8 --adversary phases", &["human", "json"], true),
    (
        "potentials absorbing:E=9/8,beta=1/8 --class point:3 --rounds 9 --epsilon ln(9/8)",
        &["human", "json", "csv"],
        true,
    ),
    ("adversary thirds --rounds 9", &["human", "json"], true),
    ("concentrated absorbing:E=9/8,beta=1/8 --class point:3 --rounds 9", &["human", "json"], true),
    ("recheck DIR/dim.json", &[], false),
    ("export point:3 --at-least 1 --to qdimacs", &[], false),
];

/// Runs a command under a limit that is over; what it prints on standard output.
fn undecided(line: &str, format: Option<&str>, limit: &[&str], folder: &Path) -> String {
    let line = line.replace("DIR", folder.to_str().unwrap());
    let mut args: Vec<&str> = line.split(' ').collect();
    args.extend(format.map(|_| "--format"));
    args.extend(format);
    args.extend(limit);
    let output = littlestone(&args).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{args:?}: {text}");
    text
}

fn says_undecided(line: &str, format: Option<&str>, text: &str) {
    let json = format == Some("json") || (line.starts_with("compile") && format.is_none());
    if json {
        let object: Value = serde_json::from_str(text).unwrap();
        assert_eq!(object["verdict"], "undecided", "{line}: {text}");
        assert_eq!(object["format"], 1, "{line}");
        let command = object["command"].as_str().unwrap();
        assert!(line.starts_with(command), "{line}: {command}");
        return;
    }
    let last = text.lines().last().unwrap_or_default();
    let expected = match line.split(' ').next() {
        // A comment, as in every row that is no record.
        _ if format == Some("csv") => "# verdict: undecided",
        // A comment in DIMACS.
        Some("export") => "c verdict: undecided",
        Some("check") => "0 passed, 0 failed, 1 undecided",
        _ => "verdict: undecided",
    };
    assert_eq!(last, expected, "{line} {format:?}: {text}");
}

#[test]
fn a_limit_that_is_over_ends_every_command_in_every_format() {
    let folder = files();
    for (line, formats, counts) in COMMANDS {
        let mut limits = vec![["--timeout", "0s"], ["--limit-memory", "1K"]];
        limits.extend(counts.then_some(["--limit-states", "1"]));
        let formats: Vec<Option<&str>> = match formats {
            [] => vec![None],
            formats => formats.iter().copied().map(Some).collect(),
        };
        for limit in &limits {
            for &format in &formats {
                let text = undecided(line, format, limit, folder.path());
                says_undecided(line, format, &text);
            }
        }
    }
}

/// States are counted in a fixed order, and so are the bytes of one thread: the same limit cuts at the
/// same place for any number of threads, and what is printed is the same.
#[test]
fn limits_cut_at_the_same_place_for_any_number_of_threads() {
    let folder = files();
    let verify = "verify subsampled-soa:gamma=1/4 --class cube:3 --rounds 4 --epsilon ln(2)";
    let mistakes = "mistakes subsampled-soa:gamma=1/4 --class cube:3 --worst --rounds 9";
    let dim = "dim xor-thresholds:24,4";
    for (line, limit) in [
        (verify, ["--limit-states", "60"]),
        (verify, ["--limit-memory", "400K"]),
        (mistakes, ["--limit-states", "20"]),
        (dim, ["--limit-states", "60"]),
        (dim, ["--limit-memory", "1M"]),
    ] {
        let run = |jobs: &'static str| {
            let limit = [&limit[..], &["--jobs", jobs]].concat();
            undecided(line, Some("json"), &limit, folder.path())
        };
        assert_eq!(run("1"), run("4"), "{line} {limit:?}");
    }
}

/// The limit on memory is printed where it is hit.
#[test]
fn the_limit_on_memory_is_named() {
    let folder = files();
    let line = "compile soa --class point:3";
    let text = undecided(line, None, &["--limit-memory", "1K"], folder.path());
    let object: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(object["limit_memory"], 1024);
    assert_eq!(object["stopped"], "memory");
    assert!(object["reason"].as_str().unwrap().contains("1024 bytes"), "{text}");
}

#[test]
fn undecided_answers_fit_their_schema() {
    let schema = include_str!("../../docs/schemas/undecided.schema.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    let folder = files();
    for limit in [["--timeout", "0s"], ["--limit-memory", "1K"]] {
        let command = "adversary thirds --rounds 9";
        let text = undecided(command, Some("json"), &limit, folder.path());
        let object: Value = serde_json::from_str(&text).unwrap();
        validate(&schema, &object).unwrap();
        for key in object.as_object().unwrap().keys().filter(|key| *key != "limit_memory") {
            let mut changed = object.clone();
            changed.as_object_mut().unwrap().remove(key);
            validate(&schema, &changed).unwrap_err();
        }
    }
}

/// A limit that strikes in a mechanism's own question about the class, the dimension of a version
/// space, is a limit and no fault of the input.
#[test]
fn limits_within_a_mechanism_stay_limits() {
    let folder = tempfile::tempdir().unwrap();
    let soa = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/mechanisms/subsampled-soa.rhai");
    let claim = "[[claim]]\nname = \"a\"\npaper = \"Definition 2\"\nexpect = \"holds\"\n\
                 kind = \"privacy\"\nclass = \"interval:27\"\nmechanism = \"soa-learner\"\n\
                 rounds = 2\nepsilon = 0\ndelta = \"1/2\"\n";
    let path = folder.path().join("claim.toml");
    std::fs::write(&path, claim).unwrap();
    let rest = ["--class", "interval:27", "--limit-states", "1"];
    for args in [
        &["verify", "soa-learner", "--rounds", "2", "--epsilon", "0"][..],
        &["verify", soa, "--rounds", "2", "--epsilon", "0", "--format", "json"],
        &["profile", "soa-learner", "--rounds", "2"],
        &["mistakes", "soa", "--rounds", "2", "--worst"],
        &["mistakes", "soa", "--stream", "1:1"],
        &["compile", "soa"],
    ] {
        let found = littlestone(&[args, &rest].concat()).output().unwrap();
        let text = String::from_utf8(found.stdout).unwrap();
        assert_eq!(found.status.code(), Some(3), "{args:?}");
        assert!(text.contains("undecided"), "{args:?}: {text}");
    }
    let found =
        littlestone(&["check", path.to_str().unwrap(), "--limit-states", "1"]).output().unwrap();
    assert_eq!(found.status.code(), Some(3));
}

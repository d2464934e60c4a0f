//! Everything that one command writes another one reads: the matrix of files, and streams as they are
//! printed. Row `verify sparse-vector:…` of the list of failing inputs, whose counterexample `replay`
//! refused.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::program::littlestone;

/// Runs arguments in `folder`; standard output, with the exit code that is expected.
#[track_caller]
fn ends(folder: &Path, args: &[&str], code: i32) -> String {
    let output = littlestone(args).current_dir(folder).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{args:?}\n{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn line(folder: &Path, line: &str, code: i32) -> String {
    let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
    ends(folder, &words, code)
}

/// A class whose names need quoting wherever they stand among others.
const NAMES: &str = r#"{"points": ["x,y", "p:q", "a \"b\"", "c|d #e", "f;\\g"], "hypotheses":
    [{"name": "h, 1", "labels": "01010"}, {"name": "verdict: holds", "labels": "10011"}]}"#;

/// Questions that are refuted: a mechanism of each kind, with each relation of neighbours, each scope
/// and both notions. What refutes them is found by `verify`; `replay` computes it again.
const REFUTED: [&str; 12] = [
    "sparse-vector:variant=6,queries=3,threshold=1/4,query=1/4 --neighbours adjacent \
     --epsilon ln(16) --delta 0",
    "randomised-response-one-shot:flip=1/3 --rounds 1 --epsilon 0 --delta 0",
    "discrete-laplace:ratio=1/2,from=0,to=2 --rounds 2 --neighbours add-remove --epsilon 0 --delta 0",
    "randomised-response-one-shot:flip=1/3 --neighbours pairs.txt --epsilon 0 --delta 0",
    "randomised-response:flip=1/3 --rounds 2 --epsilon 0 --delta 0",
    "soa --class names.json --rounds 2 --epsilon 0 --delta 0",
    "soa --class names.json --rounds 2 --epsilon 0 --delta 0 --joint",
    "soa --class names.json --rounds 2 --epsilon 0 --delta 0 --joint --streams realisable",
    "soa-learner --class names.json --rounds 3 --epsilon 0 --delta 0",
    "soa-learner --class names.json --rounds 3 --epsilon 0 --delta 0 --streams realisable",
    "soa-learner --class rows.csv --header no --rounds 2 --epsilon 0 --delta 0",
    "soa --class names.json --rounds all --epsilon 0 --delta 0 --joint",
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("names.json"), NAMES).unwrap();
    fs::write(folder.path().join("rows.csv"), "0,1\n1,0\n").unwrap();
    fs::write(folder.path().join("pairs.txt"), "0,0 | 0,1\n").unwrap();
    folder
}

#[test]
fn counterexamples_are_replayed_and_certificates_rechecked() {
    let folder = folder();
    let here = folder.path();
    for (number, question) in REFUTED.into_iter().enumerate() {
        let (x, c) = (format!("x{number}.json"), format!("c{number}.json"));
        line(here, &format!("verify {question} --counterexample {x} --certificate {c}"), 1);
        let replayed = line(here, &format!("replay {x}"), 0);
        assert!(replayed.ends_with("verdict: confirmed\n"), "{question}\n{replayed}");
        let checked = line(here, &format!("recheck {c}"), 0);
        assert!(checked.ends_with("verdict: holds\n"), "{question}\n{checked}");
        if !question.contains("rounds all") {
            let json = line(here, &format!("verify {question} --format json"), 1);
            fs::write(here.join(&x), json).unwrap();
            line(here, &format!("replay {x}"), 0);
        }
    }
}

/// Two vectors whose first answers differ by 2 are no adjacent data sets.
#[test]
fn a_pair_that_is_not_adjacent_is_not_confirmed() {
    let folder = folder();
    let here = folder.path();
    line(here, &format!("verify {} --counterexample x.json", REFUTED[0]), 1);
    let text = fs::read_to_string(here.join("x.json")).unwrap();
    let mut value: Value = serde_json::from_str(&text).unwrap();
    value["counterexample"]["first"] = "---".into();
    value["counterexample"]["second"] = "+++".into();
    fs::write(here.join("x.json"), value.to_string()).unwrap();
    let replayed = line(here, "replay x.json", 1);
    assert!(replayed.contains("no adjacent vectors"), "{replayed}");
}

#[test]
fn tables_are_mechanisms_again() {
    let folder = folder();
    let here = folder.path();
    line(here, "compile soa --class names.json --rounds 3 -o soa.json", 0);
    line(here, "compile soa-learner --class names.json --rounds 3 -o learner.json", 0);
    line(here, "compile randomised-response-one-shot:flip=1/3 --rounds 2 -o bits.json", 0);
    // The same question about the table and about what it is the table of.
    let same = |table: &str, named: &str| {
        let numbers = |text: String| -> Vec<String> {
            let lines =
                text.lines().filter(|l| !l.starts_with("mechanism:") && !l.starts_with("class:"));
            lines.map(str::to_owned).collect()
        };
        assert_eq!(numbers(line(here, table, 0)), numbers(line(here, named, 0)), "{table}");
    };
    for question in ["verify M --rounds 2 --epsilon 0", "profile M --rounds 2"] {
        same(&question.replace('M', "soa.json"), &question.replace('M', "soa --class names.json"));
        same(
            &question.replace('M', "bits.json"),
            &question.replace('M', "randomised-response-one-shot:flip=1/3"),
        );
    }
    same(
        "mistakes learner.json --class names.json --rounds 3 --worst",
        "mistakes soa-learner --class names.json --rounds 3 --worst",
    );
    // The best learner is a table that is as private, and makes as few mistakes, as the game says.
    line(
        here,
        "minimax names.json --rounds 2 --epsilon 1 --save-learner best.json --certificate m.json",
        0,
    );
    line(here, "verify best.json --rounds 2 --epsilon 1 --delta 0", 0);
    line(here, "mistakes best.json --class names.json --rounds 2 --worst", 0);
    line(here, "recheck m.json", 0);
    let minimax = "minimax names.json --rounds 2 --epsilon 1 --learner best.json";
    line(here, minimax, 0);
}

#[test]
fn parts_are_merged_into_what_one_run_prints() {
    let folder = folder();
    let here = folder.path();
    for question in [REFUTED[1], REFUTED[5], REFUTED[9], REFUTED[10]] {
        for part in 1..=2 {
            line(here, &format!("verify {question} --shard {part}/2 --partial {part}.json"), 0);
        }
        let merged = line(here, "merge 1.json 2.json --counterexample x.json", 1);
        assert_eq!(merged, line(here, &format!("verify {question}"), 1), "{question}");
        line(here, "replay x.json", 0);
    }
}

#[test]
fn certificates_of_dimensions_and_trees_are_rechecked() {
    let folder = folder();
    let here = folder.path();
    line(here, "dim names.json --certificate d.json --tree t.json", 0);
    line(here, "decompose names.json --p 1 --certificate e.json", 0);
    line(here, "decompose names.json --irreducible 1 --certificate i.json", 0);
    line(
        here,
        "verify constant-learner --class names.json --rounds all --epsilon 0 --delta 0 --certificate a.json",
        0,
    );
    line(here, "recheck d.json e.json i.json a.json", 0);
}

/// `mistakes --certificate` writes the kind `expected-mistakes`; its number is that of the report.
#[test]
fn expected_mistakes_are_certified() {
    let folder = folder();
    let here = folder.path();
    let weighted = "1/2 \"x,y\":0,\"p:q\":1; 1/2 \"a \\\"b\\\"\":1,\"f;\\\\g\":0";
    let independent = "1/3 \"x,y\":0; 2/3 \"c|d #e\":1";
    let soa = ["mistakes", "subsampled-soa:gamma=1/2", "--class", "names.json"];
    let questions: [&[&str]; 6] = [
        &["--stream", "\"x,y\":0,\"f;\\\\g\":1"],
        &["--worst", "--rounds", "3"],
        &["--worst", "--rounds", "3", "--streams", "all"],
        &["--distribution", weighted],
        &["--iid", independent, "--rounds", "3"],
        // Theorem 2 is about learners.
        &["--rounds", "2", "--adversary", "phases"],
    ];
    let learner = ["mistakes", "soa-learner", "--class", "cube:2"];
    for question in questions {
        let asked = if question.contains(&"phases") { learner } else { soa };
        let args = [&asked, question, &["--certificate", "m.json", "--format", "json"]].concat();
        let report: Value = serde_json::from_str(&ends(here, &args, 0)).unwrap();
        let text = fs::read_to_string(here.join("m.json")).unwrap();
        let certificate: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(certificate["kind"], "expected-mistakes");
        assert_eq!(
            certificate["claim"]["expected_mistakes"], report["expected_mistakes"],
            "{question:?}\n{report}"
        );
        assert!(line(here, "recheck m.json", 0).ends_with("verdict: holds\n"), "{question:?}");
        // A twin with another number is refuted.
        let mut forged = certificate.clone();
        forged["claim"]["expected_mistakes"] = "1/97".into();
        fs::write(here.join("m.json"), forged.to_string()).unwrap();
        line(here, "recheck m.json", 1);
    }
    for question in
        ["--worst --rounds 1..2", "--rounds 3 --adversary thirds:p=1,dummy=1:0,informative=2"]
    {
        let args = format!("mistakes soa --class point:2 {question} --certificate m.json");
        line(here, &args, 2);
    }
}

/// Streams are printed as they are typed: in `--stream`, in a file of pairs, in a claim.
#[test]
fn printed_streams_can_be_typed() {
    let folder = folder();
    let here = folder.path();
    let worst = line(here, "mistakes soa --class names.json --rounds 2 --worst --format json", 0);
    let worst: Value = serde_json::from_str(&worst).unwrap();
    let stream: Vec<&str> = worst["stream"]
        .as_array()
        .unwrap()
        .iter()
        .map(|example| example.as_str().unwrap())
        .collect();
    let stream = &*stream.join(",");
    assert!(stream.contains('"'), "the names need quoting: {stream}");
    let mistakes =
        ["mistakes", "soa", "--class", "names.json", "--stream", stream, "--format", "json"];
    let again: Value = serde_json::from_str(&ends(here, &mistakes, 0)).unwrap();
    assert_eq!(again["expected_mistakes"], worst["expected_mistakes"]);
    ends(here, &["soa", "names.json", "--stream", stream], 0);
    fs::write(here.join("stream.txt"), format!("{stream}\n")).unwrap();
    ends(here, &["soa", "names.json", "--stream", "stream.txt"], 0);
    let claim = format!(
        "[[claim]]\nname = \"a\"\npaper = \"Definition 3\"\nkind = \"mistakes\"\nmechanism = \"soa\"\n\
         class = \"names.json\"\nstream = {}\nequals = {}\nexpect = \"holds\"\n",
        serde_json::to_string(stream).unwrap(),
        worst["expected_mistakes"],
    );
    fs::write(here.join("claim.toml"), claim).unwrap();
    ends(here, &["check", "claim.toml"], 0);
    // The streams of a counterexample, in the files of a verdict and of a law.
    line(
        here,
        "verify soa --class names.json --rounds 2 --epsilon 0 --delta 0 --counterexample x.json",
        1,
    );
    let text = fs::read_to_string(here.join("x.json")).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    for side in ["first", "second"] {
        let stream = value["counterexample"][side].as_str().unwrap();
        let law = format!("1 {stream}");
        for args in [["--stream", stream], ["--distribution", &law]] {
            ends(here, &[&mistakes[..4], &args].concat(), 0);
        }
    }
    // Records of one-shot mechanisms, in pairs.
    let table = line(here, "compile randomised-response-one-shot:flip=1/3 --rounds 2", 0);
    let table = table.replace("\"0\"", "\"u|v, w\"");
    fs::write(here.join("bits.json"), table).unwrap();
    let found = line(here, "verify bits.json --rounds 2 --epsilon 0 --delta 0 --format json", 1);
    let found: Value = serde_json::from_str(&found).unwrap();
    let [first, second] =
        ["first", "second"].map(|side| found["counterexample"][side].as_str().unwrap());
    assert!(format!("{first}{second}").contains("\"u|v, w\""), "{first} {second}");
    fs::write(here.join("pairs.txt"), format!("{first} | {second}\n")).unwrap();
    let listed = line(here, "verify bits.json --neighbours pairs.txt --epsilon 0 --format json", 0);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["worst_delta"], found["worst_delta"]);
}

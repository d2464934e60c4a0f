//! `verify` and `replay` from outside: exact verdicts, counterexamples, exit codes, bad input.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use num_bigint::BigInt;
use num_rational::BigRational;
use predicates::prelude::*;
use predicates::str::{contains, ends_with, is_empty, starts_with};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::program::{littlestone, refuses};
use crate::support::schema::validate;

fn verify(mechanism: &str, rest: &str) -> Command {
    let mut args = vec!["verify", mechanism];
    args.extend(rest.split(' ').filter(|word| !word.is_empty()));
    littlestone(&args)
}

fn on_point3(mechanism: &str, rest: &str) -> Command {
    verify(mechanism, &format!("--class point:3 {rest}"))
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("temporary folder")
}

fn json_of(mut command: Command, code: i32) -> Value {
    let output = command.args(["--format", "json"]).output().expect("runs");
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Fact 5 is tight: the worst δ of the joint claim is γ. For S = (1:0, 1:0) the SOA answers 0 at
/// the point 1 whatever is retained, as label 0 keeps the dimension of all three point functions
/// and of the two that are 0 at 1; for S' = (1:1, 1:0) it answers 1 iff the first example is
/// retained, with probability γ.
#[test]
fn fact_5_holds_with_delta_gamma() {
    let expected = "\
mechanism: subsampled-soa:gamma=1/4 (predictor, 32 states)
class: point:3
notion: joint (ε,δ)-differential privacy, Definition 4, the answer of the differing round is dropped on both sides
neighbours: replacement of one record, all streams
rounds: 4
ε: 0
δ: 1/4
worst δ: 1/4 = 0.25
attained by: streams S and S', which differ in round 1
  S: 1:0,1:0,1:0,1:0
  S': 1:1,1:0,1:0,1:0
  event E: {·000}
  P[A(S) ∈ E]: 1
  P[A(S') ∈ E]: 3/4
verdict: holds
";
    on_point3("subsampled-soa:gamma=1/4", "--rounds 4 --epsilon 0 --delta 1/4 --joint")
        .assert()
        .code(0)
        .stdout(expected)
        .stderr(is_empty());
}

/// At T = 1 the joint output is empty, so two rounds are the least that refute; the pair is that
/// of the test above.
#[test]
fn a_refuted_claim_has_the_shortest_counterexample() {
    on_point3("subsampled-soa:gamma=1/4", "--rounds 4 --epsilon 0 --delta 1/5 --joint")
        .assert()
        .code(1)
        .stdout(ends_with(
            "\
counterexample: streams S and S', which differ in round 1
  S: 1:0,1:0
  S': 1:1,1:0
  event E: {·0}
  P[A(S) ∈ E]: 1
  P[A(S') ∈ E]: 3/4
  P[A(S) ∈ E] > e^ε · P[A(S') ∈ E] + δ: 1 > 1 · 3/4 + 1/5 = 19/20
verdict: refuted
",
        ))
        .stderr(is_empty());
}

/// With all three bits compared, the third answer sees two retained examples and its own point:
/// 15/64 at γ = 1/8 was found by two independent computations (1 − (7/8)² by hand: S' asks at
/// the point 2, where the SOA answers 1 as soon as one of two examples 1:0 is retained).
#[test]
fn whole_outputs_of_the_predictor_are_worse() {
    let command = on_point3("subsampled-soa:gamma=1/8", "--rounds 3 --epsilon 0 --delta 1/8");
    let value = json_of(command, 1);
    assert_eq!(value["worst_delta"], "15/64");
    assert_eq!(value["verdict"], "refuted");
    assert_eq!(value["notion"], "differential-privacy");
    let event = json!({ "count": 1, "words": [["0", "0", "0"]] });
    let counterexample = json!({
        "differing_round": 3, "divergence": "15/64", "event": event,
        "first": "1:0,1:0,1:0", "first_probability": "1",
        "inequality": "1 > 1 · 49/64 + 1/8 = 57/64",
        "second": "1:0,1:0,2:0", "second_probability": "49/64",
    });
    assert_eq!(value["counterexample"], counterexample);
}

/// Fact 5 for the learner: each example is retained with probability γ, and whatever is released
/// is a function of the retained sample.
#[test]
fn the_learner_is_private_with_delta_gamma() {
    on_point3("subsampled-soa-learner:gamma=1/8", "--rounds 3 --epsilon 0 --delta 1/8")
        .assert()
        .code(0)
        .stdout(contains("\nworst δ: 1/8 = 0.125\n").and(ends_with("verdict: holds\n")));
}

/// The answer to 2 is 1 iff the example 1:0 was retained: P = γ against Q = 0, so that no ε helps.
#[test]
fn a_script_of_ten_lines_is_refuted_at_every_epsilon() {
    let script = "examples/mechanisms/subsampled-soa.rhai";
    for epsilon in ["ln(3/2)", "1/2", "100"] {
        let rest = format!("--rounds 3 --epsilon {epsilon} --delta 0 --joint");
        let value = json_of(on_point3(script, &rest), 1);
        assert_eq!(value["worst_delta"], "1/4", "{epsilon}");
        assert_eq!(value["counterexample"]["second_probability"], "0", "{epsilon}");
        assert_eq!(value["counterexample"]["first"], "1:0,2:0", "{epsilon}");
    }
}

/// Randomised response on one bit: the worst δ is 3/4 − e^ε/4, and 0 from ε = ln 3 on.
#[test]
fn randomised_response_has_its_textbook_delta() {
    let worst = |epsilon: &str| {
        let rest = format!("--rounds 1 --epsilon {epsilon}");
        let value = json_of(verify("randomised-response-one-shot", &rest), 0);
        assert_eq!(value["verdict"], Value::Null);
        assert_eq!(value["delta"], Value::Null);
        value
    };
    assert_eq!(worst("0")["worst_delta"], "1/2");
    assert_eq!(worst("ln(2)")["worst_delta"], "1/4");
    assert_eq!(worst("ln(3)")["worst_delta"], "0");
    let irrational = worst("1/2");
    assert_eq!(irrational["worst_delta"], "3/4 - 1/4*exp(1/2)");
    // e^(1/2) = 1.64872127070012814684865…, so the worst δ is 0.33781968232496796328783….
    let ends = json!(["0.33781968232496796328", "0.33781968232496796329"]);
    assert_eq!(irrational["worst_delta_enclosure"], ends);
    verify("randomised-response-one-shot", "--rounds 1 --epsilon 1/2 --delta 1/10")
        .assert()
        .code(1)
        .stdout(contains("3/4 > exp(1/2) · 1/4 + 1/10 = 0.512180317675…\n"));
}

/// e^(1/2) lies between a partial sum of its series and the same plus twice the next term, as each
/// term is less than half of the one before.
#[test]
fn a_difference_below_two_to_the_minus_200_is_decided_both_ways() {
    let integer = |n: i64| BigRational::from_integer(BigInt::from(n));
    let (mut sum, mut term) = (integer(0), integer(1));
    for n in 1..=60 {
        sum += &term;
        term /= integer(2 * n);
    }
    let above = &sum + &term * integer(2);
    let delta = |e: &BigRational| (integer(3) - e) / integer(4);
    let (high, low) = (delta(&sum), delta(&above));
    let gap = BigRational::new(1.into(), BigInt::from(1) << 200u32);
    assert!(&high - &low < gap && high > low);
    for (delta, code) in [(high, 0), (low, 1)] {
        for more in ["", "--decide-only"] {
            let rest = format!("--rounds 1 --epsilon 1/2 --delta {delta} {more}");
            verify("randomised-response-one-shot", &rest).assert().code(code);
        }
    }
}

#[test]
fn a_range_of_rounds_is_a_table() {
    let rest = "--rounds 1..3 --epsilon 0 --joint";
    on_point3("subsampled-soa:gamma=1/4", rest).assert().code(0).stdout(contains(
        "\nT  worst δ\n1  0\n2  1/4 = 0.25\n3  1/4 = 0.25\nworst δ: 1/4 = 0.25\n",
    ));
    let rest = "--rounds 1..3 --epsilon 0 --delta 1/8 --joint";
    let value = json_of(on_point3("subsampled-soa:gamma=1/4", rest), 1);
    let column = |key: &str| -> Vec<Value> {
        value["table"].as_array().expect("a table").iter().map(|row| row[key].clone()).collect()
    };
    assert_eq!(column("rounds"), [1, 2, 3]);
    assert_eq!(column("verdict"), ["holds", "refuted", "refuted"]);
    assert_eq!(column("worst_delta"), ["0", "1/4", "1/4"]);
    assert_eq!(value["counterexample"]["first"], "1:0,1:0");
    assert_eq!(value["rounds"], json!([1, 3]));
}

/// Noisy max on two answers at half the noise that its proof asks for: 44/17 is the greatest ratio,
/// by a second computation, by direct summation over the winning value.
#[test]
fn adjacent_vectors_of_answers_are_neighbours() {
    let mechanism = "report-noisy-max:queries=2,ratio=1/2";
    let rest = |epsilon: &str| format!("--epsilon {epsilon} --delta 0 --neighbours adjacent");
    let value = json_of(verify(mechanism, &rest("ln(44/17)")), 0);
    assert_eq!((&value["worst_delta"], &value["neighbours"]), (&json!("0"), &json!("adjacent")));
    let value = json_of(verify(mechanism, &rest("ln(2)")), 1);
    assert_eq!(value["verdict"], "refuted");
    refuses(
        verify("randomised-response-one-shot", &rest("0")),
        "adjacent data sets are vectors of answers such as `-0+`, not `1`",
    );
    refuses(verify("randomised-response", &rest("0")), "for one-shot mechanisms");
}

/// The bits of a data set are reported with probability 3/4 each, and their number is released:
/// for (0,0) it is 0, 1, 2 with 9, 6, 1 sixteenths, for (1,1) the other way round, and for one
/// record 1 it is 0, 1 with 1, 3 quarters.
#[test]
fn one_shot_mechanisms_have_other_neighbours() {
    let script = "examples/mechanisms/noisy-count.rhai";
    let folder = folder();
    let path = folder.path().join("pairs.txt");
    fs::write(&path, "# apart\n0,0 | 1,1\n").expect("written");
    let listed = |epsilon: &str, code| {
        let rest = format!("--epsilon {epsilon} --delta 1/4 --neighbours {}", path.display());
        json_of(verify(script, &rest), code)
    };
    assert_eq!(listed("0", 1)["worst_delta"], "1/2");
    assert_eq!(listed("ln(3)", 1)["worst_delta"], "3/8");
    assert_eq!(listed("ln(3)", 1)["neighbours"], "listed");
    assert_eq!(listed("ln(9)", 0)["worst_delta"], "0");
    // 2 with 9/16 against 0: a count of two needs two records.
    let rest = "--rounds 2 --epsilon ln(9) --delta 1/2 --neighbours add-remove";
    let value = json_of(verify(script, rest), 1);
    assert_eq!(value["worst_delta"], "9/16");
    let pair = &value["counterexample"];
    assert_eq!((&pair["first"], &pair["second"]), (&json!("1,1"), &json!("1")));
    // A smaller data set is no counterexample: with one record, 0 or 1 has 3/4 against 1/4.
    let rest = "--rounds 2 --epsilon ln(3) --delta 0";
    for more in ["", " --decide-only"] {
        verify(script, &format!("{rest}{more}")).assert().code(0);
    }
}

/// Over one point, streams that a function fits repeat one example, so no two are neighbours
/// unless they have one round.
#[test]
fn realisable_streams_are_fewer() {
    let rest = "--class cube:1 --epsilon 0 --delta 0 --streams realisable --rounds 2";
    verify("soa", rest).assert().code(0).stdout(
        contains("neighbours: replacement of one record, realisable streams only\n")
            .and(contains("attained by: nothing, for there are no neighbours\n")),
    );
    let rest = "--class cube:1 --epsilon 0 --delta 1/2 --rounds 2";
    verify("soa", rest).assert().code(1);
}

#[test]
fn deciding_alone_gives_the_same_verdict_without_a_worst_delta() {
    for (delta, code) in [("1/4", 0), ("1/5", 1)] {
        let rest = format!("--rounds 3 --epsilon 0 --delta {delta} --joint --decide-only");
        let value = json_of(on_point3("subsampled-soa:gamma=1/4", &rest), code);
        assert!(value.get("worst_delta").is_none() && value.get("attained_by").is_none());
        assert_eq!(value["counterexample"].is_null(), code == 0);
    }
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    for rest in [
        "--rounds 4 --epsilon ln(3/2) --delta 1/100 --joint",
        "--rounds 1..3 --epsilon 1/3",
        "--rounds 3 --epsilon 0 --delta 1/9 --limit-states 40",
    ] {
        for format in ["human", "json"] {
            let run = |jobs: &str| {
                let rest = format!("{rest} --jobs {jobs} --format {format}");
                let output = on_point3("subsampled-soa:gamma=1/8,flip=1/4", &rest).output();
                let output = output.expect("runs");
                (output.status.code(), output.stdout)
            };
            assert_eq!(run("1"), run("4"), "{rest}");
        }
    }
}

#[test]
fn a_limit_leaves_an_interval() {
    let rest = "--rounds 4 --epsilon 0 --joint --delta 1/8 --limit-states 3";
    let command = || on_point3("subsampled-soa:gamma=1/4,flip=1/8", rest);
    command()
        .assert()
        .code(3)
        .stdout(contains(" ≤ worst δ ≤ ").and(ends_with("verdict: undecided\n")))
        .stderr("warning: the worst δ is not known: the limit on states was reached\n");
    let value = json_of(command(), 3);
    assert_eq!(value["verdict"], "undecided");
    assert_eq!(value["worst_delta"], Value::Null);
    assert!(value["lower"].is_string() && value["upper"].is_string());
    let rest = "--rounds 4 --epsilon 0 --joint --limit-states 3";
    on_point3("subsampled-soa:gamma=1/4,flip=1/8", rest).assert().code(3);
}

#[test]
fn json_has_sorted_keys_and_no_more_than_the_schema_says() {
    let schema: Value =
        serde_json::from_str(include_str!("../../docs/schemas/privacy.schema.json")).expect("JSON");
    for rest in ["--rounds 2 --delta 1/9", "--rounds 1..2 --delta 1/9 --joint", "--rounds 2"] {
        let code = i32::from(rest.contains("delta"));
        let rest = format!("{rest} --epsilon 1/2");
        let value = json_of(on_point3("subsampled-soa:gamma=1/4", &rest), code);
        validate(&schema, &value).expect("what the schema says");
    }
    let rest = "--rounds all --delta 1/9 --epsilon 1/2";
    let value = json_of(on_point3("subsampled-soa:gamma=1/4", rest), 1);
    validate(&schema, &value).expect("what the schema says");
    let rest = "--rounds 1..1 --epsilon 1/2 --delta 1/10";
    let value = json_of(verify("randomised-response-one-shot", rest), 1);
    validate(&schema, &value).expect("what the schema says");
    assert!(value["counterexample"]["divergence_enclosure"].is_array());
    let text = on_point3("soa", "--rounds 2 --epsilon 0 --format json").output().expect("runs");
    let text = String::from_utf8(text.stdout).expect("UTF-8");
    let keys: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("  \""))
        .filter_map(|line| line.split_once(':').map(|pair| pair.0))
        .collect();
    assert!(keys.len() > 10 && keys.is_sorted(), "{keys:?}");
}

#[test]
fn faults_of_the_arguments() {
    let soa = "subsampled-soa:gamma=1/4";
    let ask = |rest: &str| on_point3(soa, rest);
    refuses(ask("--rounds 2 --epsilon -1"), "an ε that is not negative, found `-1`");
    refuses(ask("--rounds 2 --epsilon ln(1/2)"), "so that ε is not negative, found `1/2`");
    refuses(ask("--rounds 2 --epsilon 0 --delta -1/2"), "expected a number of at least 0");
    refuses(
        ask("--rounds 2 --epsilon 0 --delta x"),
        "expected a number, found the unknown name `x`",
    );
    refuses(ask("--rounds 0 --epsilon 0"), "expected a number of rounds, at least 1");
    refuses(ask("--epsilon 0"), "`rounds` is missing");
    refuses(ask("--rounds 2 --epsilon 0 --decide-only"), "there is no `delta`");
    refuses(ask("--rounds 2 --epsilon 0 --neighbours nearby"), "expected replacement, add-remove");
    refuses(ask("--rounds 2 --epsilon 0 --neighbours add-remove"), "this is a predictor");
    refuses(verify(soa, "--rounds 2 --epsilon 0"), "needs a class");
    refuses(verify(soa, "--class pointless:3 --rounds 2 --epsilon 0"), "pointless");
    refuses(
        on_point3("subsampled-soa-learner:gamma=1/4", "--rounds 2 --epsilon 0 --joint"),
        "this is a learner",
    );
    refuses(
        on_point3("randomised-response", "--rounds 2 --epsilon 0 --streams realisable"),
        "this is a transducer",
    );
    refuses(
        verify("examples/mechanisms/constant.rhai", "--rounds 2 --epsilon 0 --streams realisable"),
        "class",
    );
    refuses(
        ask("--rounds 1..2 --epsilon 0 --certificate x.json"),
        "a table over several numbers of rounds has none",
    );
    refuses(ask("--rounds 2 --epsilon 0 --certificate nowhere/x.json"), "nowhere");
    refuses(
        verify("randomised-response:flip=1/(1+exp(1/3))", "--rounds 2 --epsilon 0.123456789"),
        "have no common unit",
    );
}

#[test]
fn faults_of_a_file_of_pairs_are_placed() {
    let folder = folder();
    let path = folder.path().join("pairs.txt");
    let ask = |mechanism: &str, rest: &str| {
        verify(mechanism, &format!("--epsilon 0 --neighbours {} {rest}", path.display()))
    };
    let count = "examples/mechanisms/noisy-count.rhai";
    fs::write(&path, "0 | 1\n0,7 | 1\n").expect("written");
    refuses(ask(count, ""), "pairs.txt:2:3: expected one of the records 0, 1, found `7`");
    fs::write(&path, "0 | 1\n").expect("written");
    verify(count, &format!("--epsilon 0 --neighbours {} --rounds 1", path.display()))
        .assert()
        .code(0);
    fs::write(&path, "0,0 | 1\n").expect("written");
    refuses(ask(count, "--rounds 1"), "data sets of at most `rounds` records");
    fs::write(&path, "0 | 1\n").expect("written");
    refuses(ask(count, "--joint"), "this is a one-shot");
    refuses(ask("fair-bits", "--class point:3"), "this is a predictor");
}

fn counterexample(folder: &Path, mechanism: &str, rest: &str) -> Value {
    let path = folder.join("refuted.json");
    let mut command = on_point3(mechanism, rest);
    command.arg("--counterexample").arg(&path);
    command.assert().code(1).stderr(starts_with("note: counterexample written to "));
    serde_json::from_str(&fs::read_to_string(path).expect("written")).expect("JSON")
}

fn replay(folder: &Path, value: &Value) -> Command {
    let path = folder.join("replayed.json");
    fs::write(&path, value.to_string()).expect("written");
    let mut command = littlestone(&["replay"]);
    command.arg(path);
    command
}

#[test]
fn a_counterexample_is_confirmed() {
    let folder = folder();
    let rest = "--rounds 4 --epsilon 0 --delta 1/5 --joint";
    let value = counterexample(folder.path(), "subsampled-soa:gamma=1/4", rest);
    replay(folder.path(), &value)
        .assert()
        .code(0)
        .stderr(is_empty())
        .stdout(contains("δ: 1 > 1 · 3/4 + 1/5 = 19/20\n").and(ends_with("verdict: confirmed\n")));
    // The whole JSON output is read as well, and irrational numbers are.
    let rest = "--rounds 2 --epsilon 1/2 --delta 1/100";
    let value = json_of(on_point3("subsampled-soa-learner:gamma=1/4", rest), 1);
    replay(folder.path(), &value).assert().code(0);
    // Without the words, the event is given by its rule.
    let mut value = value;
    value["counterexample"]["event"] = json!({ "count": null, "words": null });
    replay(folder.path(), &value).assert().code(0);
}

#[test]
fn a_tampered_counterexample_is_not_confirmed() {
    let folder = folder();
    let rest = "--rounds 4 --epsilon 0 --delta 1/5 --joint";
    let original = counterexample(folder.path(), "subsampled-soa:gamma=1/4", rest);
    let check = |tamper: &dyn Fn(&mut Value), message: &str| {
        let mut value = original.clone();
        tamper(&mut value);
        replay(folder.path(), &value)
            .assert()
            .code(1)
            .stdout(contains(message).and(ends_with("verdict: not confirmed\n")));
    };
    check(
        &|v| v["counterexample"]["second_probability"] = "1/2".into(),
        "not confirmed: `counterexample.second_probability`: expected 3/4, found 1/2\n",
    );
    check(&|v| v["delta"] = "1/4".into(), "not confirmed: the inequality does not hold\n");
    check(&|v| v["epsilon"] = "ln(4/3)".into(), "not confirmed: the inequality does not hold\n");
    check(
        &|v| v["counterexample"]["second"] = "1:1,1:1".into(),
        "not confirmed: the streams differ in 2 records, not in one\n",
    );
    check(
        &|v| v["counterexample"]["second"] = "1:1".into(),
        "not confirmed: the streams have different lengths\n",
    );
    check(
        &|v| v["counterexample"]["event"]["words"] = json!([[null, "1"]]),
        "not confirmed: `counterexample.first_probability`: expected 0, found 1\n",
    );
    check(
        &|v| v["mechanism"] = "subsampled-soa:gamma=1/8".into(),
        "`counterexample.second_probability`: expected 7/8, found 3/4\n",
    );
    check(
        &|v| {
            v["streams"] = "realisable".into();
            v["counterexample"]["first"] = "1:0,1:1".into();
            v["counterexample"]["second"] = "1:1,1:1".into();
        },
        "not confirmed: S is not realisable\n",
    );
}

#[test]
fn malformed_counterexamples_are_refused() {
    let folder = folder();
    let rest = "--rounds 4 --epsilon 0 --delta 1/5 --joint";
    let original = counterexample(folder.path(), "subsampled-soa:gamma=1/4", rest);
    let check = |tamper: &dyn Fn(&mut Value), message: &str| {
        let mut value = original.clone();
        tamper(&mut value);
        refuses(replay(folder.path(), &value), message);
    };
    check(&|v| v["command"] = "dim".into(), "expected format 1 of the command `verify`");
    check(&|v| v["delta"] = "-1".into(), "delta: expected a number of at least 0");
    check(&|v| v["delta"] = "1".into(), "a number in [0, 1)");
    check(&|v| v["counterexample"] = Value::Null, "which only a refuted claim has");
    check(&|v| v["mechanism"] = "nothing-of-the-kind".into(), "there is no mechanism");
    check(&|v| v["notion"] = "none".into(), "notion: expected `differential-privacy` or");
    check(
        &|v| v["counterexample"]["first"] = "9:0".into(),
        "counterexample.first: expected one of the records 1:0, 1:1, 2:0",
    );
    check(&|v| v["counterexample"]["first"] = "1:1,1:0".into(), "found the same");
    check(
        &|v| v["counterexample"]["event"]["words"] = json!([["0", "0"]]),
        "words[0]: expected null in the differing round, found `0`",
    );
    check(
        &|v| v["counterexample"]["event"]["words"] = json!([[null, "2"]]),
        "words[0]: expected one of the outputs 0, 1, found `2`",
    );
    check(
        &|v| v["counterexample"]["event"]["words"] = json!([[null]]),
        "words[0]: expected 2 symbols, found 1",
    );
    check(
        &|v| v["counterexample"]["event"]["words"] = json!([[null, "0"], [null, "0"]]),
        "expected each word once",
    );
    check(&|v| v["mechanism"] = "subsampled-soa-learner:gamma=1/4".into(), "found a learner");
    check(&|v| v["delta"] = "1/".into(), "delta: ");
    let path = folder.path().join("bad.json");
    fs::write(&path, "{\n  \"format\": 1,").expect("written");
    refuses(littlestone(&["replay", path.to_str().expect("UTF-8")]), "bad.json:2:");
    refuses(littlestone(&["replay", "missing.json"]), "missing.json: ");
}

#[test]
fn certificates_are_verified() {
    let folder = folder();
    let path = folder.path().join("proof.json");
    for (delta, code) in [("1/4", 0), ("1/5", 1)] {
        let rest = format!("--rounds 2 --epsilon 0 --delta {delta} --joint");
        let mut command = on_point3("subsampled-soa:gamma=1/4", &rest);
        command.arg("--certificate").arg(&path).assert().code(code);
        let mut recheck = littlestone(&["recheck"]);
        recheck.arg(&path).assert().code(0).stdout(contains("is 1/4\n").and(contains(delta)));
    }
}

/// The three ways to the probabilities of an event: word by word over integers, over merged
/// histories, and from the table of the automaton.
#[test]
fn the_probabilities_of_an_event_agree() {
    use std::collections::BTreeMap;
    use std::rc::Rc;

    use littlestone::catalogue::Standard;
    use littlestone::exact::{Epsilon, Number};
    use littlestone::limits::{Limits, Meter};
    use littlestone::mechanism::spec::{Context, Spec};
    use littlestone::mechanism::{Options, Tools, compile};
    use littlestone::privacy::{
        Neighbour, Neighbours, Notion, Question, direct, event, event_unlisted,
    };

    let class = Rc::new(littlestone::class::load("point:2").expect("a family").class);
    for (mechanism, notions) in [
        ("subsampled-soa:gamma=1/3,flip=1/5", &[Notion::Whole, Notion::Joint][..]),
        ("subsampled-soa-learner:gamma=1/3", &[Notion::Whole]),
    ] {
        let spec = Spec::parse(mechanism, Path::new("")).expect("a mechanism");
        let tools = Some(Tools::new(class.clone(), Limits::default()));
        let context = Context { tools, catalogue: &Standard, limits: Limits::default() };
        let boxed = context.resolve(&spec).expect("in the catalogue");
        let automaton = compile(&boxed, &Options::rounds(4, 1000)).expect("small");
        for &notion in notions {
            for epsilon in ["0", "ln(3/2)", "1/3"] {
                let epsilon: Epsilon = epsilon.parse().expect("an ε");
                let question = Question { notion, neighbours: Neighbours::Replacement, epsilon };
                for (first, second) in [
                    ([0, 2, 1, 3], [0, 2, 3, 3]),
                    ([1, 0, 2, 2], [2, 0, 2, 2]),
                    ([3, 3, 0, 1], [3, 3, 0, 2]),
                ] {
                    let pair = Neighbour { first: first.to_vec(), second: second.to_vec() };
                    let listed = event(&automaton, &question, &pair, &mut Meter::default())
                        .expect("neighbours");
                    let merged =
                        event_unlisted(&automaton, &question, &pair, &mut Meter::default())
                            .expect("neighbours");
                    assert_eq!(listed.divergence, merged.divergence);
                    assert_eq!(
                        (&listed.first, &listed.second, listed.round),
                        (&merged.first, &merged.second, merged.round)
                    );
                    let omitted = (notion == Notion::Joint).then_some(listed.round);
                    let words = &listed.words;
                    let by_table = |stream: &[usize]| {
                        let law: BTreeMap<Vec<usize>, Number> =
                            direct::law(&automaton, stream, omitted);
                        let sum = law
                            .iter()
                            .filter(|(word, _)| words.contains(word))
                            .fold(Number::zero(), |sum, (_, mass)| &sum + mass);
                        let total = law.values().fold(Number::zero(), |sum, mass| &sum + mass);
                        assert!(total.is_one());
                        assert_eq!(sum, direct::probability(&automaton, stream, omitted, words));
                        sum
                    };
                    assert_eq!(listed.first, by_table(&first));
                    assert_eq!(listed.second, by_table(&second));
                }
            }
        }
    }
}

#[test]
fn a_limit_on_the_states_of_a_mechanism_is_no_fault_of_the_input() {
    littlestone(&[
        "compile",
        "subsampled-soa:gamma=1/4",
        "--class",
        "point:3",
        "--limit-states",
        "2",
    ])
    .assert()
    .code(3)
    .stdout(contains("\"verdict\": \"undecided\""))
    .stderr(contains("error: the mechanism has more than 2 states"));
}

#[test]
fn absurd_numbers_of_rounds_are_refused_before_anything_is_built() {
    let folder = folder();
    let claim = |kind: &str| {
        format!(
            "[[claim]]\nname = \"a\"\npaper = \"Fact 5\"\nkind = \"{kind}\"\nclass = \"point:3\"\n\
             mechanism = \"subsampled-soa:gamma=1/4\"\nrounds = 99999999999\nepsilon = 0\n\
             delta = \"1/2\"\nexpect = \"holds\"\n"
        )
    };
    for kind in ["privacy", "joint-privacy"] {
        let path = folder.path().join(format!("{kind}.toml"));
        fs::write(&path, claim(kind)).expect("written");
        let path = path.to_str().expect("UTF-8");
        littlestone(&["check", path])
            .assert()
            .code(2)
            .stderr(contains("the number of rounds must be from 1 to 256, not 99999999999"));
    }
}

/// The acceptance of Fact 5 at every number of rounds, and its certificate.
#[test]
fn every_number_of_rounds_at_once() {
    let folder = folder();
    let proof = folder.path().join("proof.json");
    let proof = proof.to_str().expect("UTF-8");
    let rest = "--rounds all --epsilon 0 --delta 1/4 --joint";
    on_point3("subsampled-soa:gamma=1/4", &format!("{rest} --certificate {proof}"))
        .assert()
        .code(0)
        .stdout(
            contains("bound from one step: δ ≤ 1/4 = 0.25, from each of 8 states before a round")
                .and(ends_with("verdict: holds for every T\n")),
        );
    littlestone(&["recheck", proof]).assert().code(0).stdout(contains(
        "proved: (0, 1/4)-jointly differentially private over all streams of every length",
    ));
    let value = json_of(on_point3("subsampled-soa:gamma=1/4", rest), 0);
    assert_eq!(value["rounds"], "all");
    assert_eq!(value["verdict"], "holds");
    assert_eq!(value["step"]["bound"], "1/4");
    assert_eq!(value["decided_rounds"], 0);
    // The bound alone.
    let rest = "--rounds all --epsilon 0 --joint";
    let value = json_of(on_point3("subsampled-soa:gamma=1/4", rest), 0);
    assert_eq!(value["verdict"], Value::Null);
    assert_eq!(value["step"]["bound"], "1/4");
}

/// On whole outputs T = 3 refutes: 1 − (3/4)² = 7/16 > 1/4, while T = 2 has 1/4. The file of the
/// counterexample is about three rounds.
#[test]
fn a_length_that_refutes_is_the_witness_for_every_length() {
    let folder = folder();
    let files = ["proof.json", "counterexample.json"].map(|name| folder.path().join(name));
    let [proof, pair] = files.each_ref().map(|path| path.to_str().expect("UTF-8"));
    let rest = "--rounds all --epsilon 0 --delta 1/4";
    let files = format!("--certificate {proof} --counterexample {pair}");
    on_point3("subsampled-soa:gamma=1/4", &format!("{rest} {files}")).assert().code(1).stdout(
        contains("decided directly: holds for T = 1, …, 2\ncounterexample: streams S and S'")
            .and(ends_with("verdict: refuted\n")),
    );
    littlestone(&["recheck", proof]).assert().code(0).stdout(contains("of 3 records"));
    littlestone(&["replay", pair]).assert().code(0).stdout(contains("verdict: confirmed"));
    let value = json_of(on_point3("subsampled-soa:gamma=1/4", rest), 1);
    assert_eq!(value["decided_rounds"], 3);
    assert_eq!(value["verdict"], "refuted");
    assert!(value["counterexample"]["first"].is_string());
}

/// Flipped answers hide something of the record at e^ε = 3/2, but a state that kept it does not:
/// the bound is γ, and no short stream reaches it.
#[test]
fn a_bound_that_is_too_wide_leaves_the_question_open() {
    let rest = "--rounds all --epsilon ln(3/2) --delta 1/9 --joint";
    let mechanism = "subsampled-soa:gamma=1/8,flip=1/4";
    on_point3(mechanism, rest).assert().code(3).stdout(
        contains("bound from one step: δ ≤ 1/8 = 0.125, from each of 8 states before a round\n  state: {100, 010, 001}\n  records: 1:0 against 1:1\n")
            .and(contains("decided directly: holds for T = 1, …, 6\n"))
            .and(ends_with("verdict: undecided\n")),
    );
    let value = json_of(on_point3(mechanism, rest), 3);
    assert_eq!(value["decided_rounds"], 6);
    let limited = format!("{rest} --limit-states 3");
    on_point3(mechanism, &limited).assert().code(3).stdout(ends_with("verdict: undecided\n"));
    for wrong in ["--rounds all --epsilon 0 --delta 1/4 --decide-only", "--rounds any --epsilon 0"]
    {
        on_point3(mechanism, wrong).assert().code(2);
    }
}

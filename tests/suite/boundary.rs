//! Wrong answers at the boundary that were found once: streams of one hypothesis, tables with a bound
//! on their rounds, parts of a verdict that were changed by hand, every number of rounds. The values
//! are by hand; the files are those of `checks/former-bugs`.

use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::support::program::{json, littlestone, refused, run, stdout, words};

const FOLDER: &str = "checks/former-bugs";

fn saw_a(rest: &str) -> String {
    format!("verify {FOLDER}/saw-a.rhai --class {FOLDER}/one.csv --streams realisable {rest}")
}

/// The row of `saw-a.rhai`: the hypothesis 11 fits no example with label 0, and without one the
/// learner never tells anything.
#[test]
fn one_hypothesis_has_its_own_streams() {
    for rounds in ["3", "1..4", "7"] {
        let value = json(&saw_a(&format!("--rounds {rounds} --epsilon 0 --delta 0")), 0);
        assert_eq!((&value["worst_delta"], &value["verdict"]), (&"0".into(), &"holds".into()));
    }
    for rest in
        ["--rounds 3 --epsilon 0 --delta 0 --decide-only", "--rounds all --epsilon 0 --delta 0"]
    {
        assert_eq!(json(&saw_a(rest), 0)["verdict"], "holds");
    }
    let twice = saw_a("--rounds 3 --epsilon 0").replace("one.csv", "one-twice.csv");
    assert_eq!(json(&twice, 0)["worst_delta"], "0");
    let profile = saw_a("--rounds 3").replace("verify", "profile");
    assert!(stdout(&profile, 0).contains("δ at ε = 0: 0\n"));
    // Over all streams a:0,b:0,… is told from b:0,b:0,….
    let all = saw_a("--rounds 3 --epsilon 0").replace("realisable", "all");
    assert_eq!(json(&all, 0)["worst_delta"], "1");
}

/// The certificate of every T is about realisable streams, and the verifier accepts it.
#[test]
fn one_hypothesis_at_every_length_has_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let proof = folder.path().join("proof.json");
    let proof = proof.to_str().unwrap();
    let rest = format!("--rounds all --epsilon 0 --delta 0 --certificate {proof}");
    run(&saw_a(&rest)).assert().code(0);
    littlestone(&["recheck", proof]).assert().code(0).stdout(contains("verdict: holds"));
}

/// The row of `absorbing`: the pair that attains the worst δ is one that the hypothesis 11 fits.
#[test]
fn the_pair_that_attains_is_realisable() {
    let line = format!(
        "verify absorbing:E=9/8,beta=1/8 --class {FOLDER}/one.csv --rounds 3 --epsilon 0 \
         --streams realisable"
    );
    let value = json(&line, 0);
    assert_eq!(value["worst_delta"], "1/136");
    for key in ["first", "second"] {
        let stream = value["attained_by"][key].as_str().unwrap();
        assert!(stream.split(',').all(|example| example.ends_with(":1")), "{stream}");
    }
}

/// The row of two.csv: every stream of one round is realisable, and a fair label costs 1/2. In two
/// rounds the dummy example must fit as well.
#[test]
fn one_round_of_algorithm_1_needs_no_dummy_example() {
    let line = |rounds: usize| {
        format!(
            "mistakes constant --class {FOLDER}/two.csv --rounds {rounds} \
             --adversary thirds:p=1,dummy=2:0,informative=1"
        )
    };
    assert!(stdout(&line(1), 0).contains("expected mistakes: 1/2 (= 0.5)"));
    refused(&words(&line(2)), "no two hypotheses have the label 0 at 2");
}

/// A complete table of one state with `"rounds": 1`.
fn bounded(folder: &Path) -> String {
    let table = r#"{"format": 1, "kind": "predictor", "points": ["a"], "rounds": 1,
        "start": [{"to": "s", "weight": "1"}],
        "states": [{"name": "s",
          "respond": {"a": [{"output": "0", "to": "s", "weight": "1"}]},
          "observe": {"0": [{"to": "s", "weight": "1"}], "1": [{"to": "s", "weight": "1"}]}}]}"#;
    let file = folder.join("table.json");
    std::fs::write(&file, table).unwrap();
    file.to_str().unwrap().to_owned()
}

/// The row of the key `rounds`.
#[test]
fn a_table_is_not_asked_beyond_its_rounds() {
    let folder = tempfile::tempdir().unwrap();
    let table = bounded(folder.path());
    let covers = "the table covers streams of at most 1 round";
    run(&format!("verify {table} --rounds 1 --epsilon 0 --delta 0")).assert().code(0);
    for question in [
        "verify TABLE --rounds 2 --epsilon 0 --delta 0",
        "verify TABLE --rounds 1..3 --epsilon 0",
        "verify TABLE --rounds all --epsilon 0 --delta 0",
        "verify TABLE --rounds all --epsilon 0",
        "profile TABLE --rounds 2",
        "mistakes TABLE --rounds 2 --worst --streams all",
        "mistakes TABLE --stream a:0,a:1",
        "compile TABLE --rounds 2",
    ] {
        let line = question.replace("TABLE", &table);
        refused(&words(&line), covers);
    }
    // Without a number of rounds the table comes out as it is.
    assert!(stdout(&format!("compile {table}"), 0).contains("\"rounds\": 1"));
    // The bound goes with a mechanism that has the table inside.
    let inside = format!("combined:A=({table}),F=({table}),D=1");
    let class = folder.path().join("class.csv");
    std::fs::write(&class, "a\n1\n").unwrap();
    let class = class.to_str().unwrap();
    let args = ["verify", &inside, "--class", class, "--rounds", "2", "--epsilon", "0"];
    refused(&args, covers);
}

/// The row of `merge`: a part whose δ, pair or bound was changed by hand is refused.
#[test]
fn parts_are_recomputed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("1.json");
    let file = file.to_str().unwrap();
    let question = "verify randomised-response:flip=1/4 --rounds 2 --epsilon 0 --delta 1/4 --shard 1/1 --partial";
    littlestone(&[&words(question)[..], &[file]].concat()).assert().code(0);
    let trust = "taken on trust: that the automaton";
    littlestone(&["merge", file]).assert().code(1).stderr(contains(trust));
    let original: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let delta = original["answers"][1]["delta"].clone();
    let changed = |change: &dyn Fn(&mut Value), message: &str| {
        let mut part = original.clone();
        change(&mut part["answers"][1]);
        assert_ne!(part, original);
        std::fs::write(file, part.to_string()).unwrap();
        refused(&["merge", file], message);
    };
    changed(&|answer| answer["delta"] = "1/7".into(), "the pair has the divergence 1/2, not 1/7");
    changed(&|answer| answer["pair"][1] = answer["pair"][0].clone(), "differ in 0 records");
    changed(&|answer| answer["pair"] = Value::Null, "no pair of streams shows the divergence 1/2");
    changed(
        &|answer| {
            answer["upper"] = "1/3".into();
            answer["stopped"] = "states".into();
        },
        "a bound of 1/3 is less than the divergence 1/2",
    );
    changed(
        &|answer| {
            answer["delta"] = "0".into();
            answer["pair"] = Value::Null;
        },
        "the parts contradict one another",
    );
    // Randomised response with flip 1/4: 3/4 − 1/4.
    assert_eq!(delta, "1/2");
}

/// A decision that a pair refutes is recomputed as well.
#[test]
fn decisions_are_recomputed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("1.json");
    let file = file.to_str().unwrap();
    let question = "verify randomised-response:flip=1/4 --rounds 2 --epsilon 0 --delta 1/4 \
                    --decide-only --shard 1/1 --partial";
    littlestone(&[&words(question)[..], &[file]].concat()).assert().code(0);
    littlestone(&["merge", file]).assert().code(1);
    let mut part: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    part["question"]["delta"] = "1/2".into();
    std::fs::write(file, part.to_string()).unwrap();
    refused(&["merge", file], "which refutes nothing");
}

/// The row of `smart-sum.rhai`. The bit of round 1 is in three of four sums: all of them are 0 with
/// probability (2/3)³ against (1/3)³, and 8/27 − 4/27 = 4/27.
#[test]
fn infinitely_many_states_are_refuted_by_four_rounds() {
    let line = |mechanism: &str, rest: &str| {
        format!("verify {FOLDER}/{mechanism} --rounds all --epsilon ln(4) --delta 0 {rest}")
    };
    let value = json(&line("smart-sum.rhai:reset=no", "--limit-states 1000"), 1);
    assert_eq!(value["verdict"], "refuted");
    assert_eq!(value["decided_rounds"], 4);
    assert_eq!(value["worst_delta"], "4/27");
    assert_eq!(json(&line("smart-sum.rhai", ""), 0)["verdict"], "holds");
    // At a greater ε no small number of rounds refutes, and the limit ends the search.
    let open =
        line("smart-sum.rhai:reset=no", "--limit-states 2000").replace("ln(4)", "ln(1000000)");
    assert_eq!(json(&open, 3)["verdict"], "undecided");
}

/// The row of `count-or-nothing.rhai`: the empty data set is told with certainty.
#[test]
fn a_one_shot_mechanism_with_infinitely_many_states_is_refuted_by_one_record() {
    let line = format!(
        "verify {FOLDER}/count-or-nothing.rhai --neighbours add-remove --rounds all \
         --epsilon ln(2) --delta 0"
    );
    let value = json(&line, 1);
    assert_eq!(value["verdict"], "refuted");
    assert_eq!(value["decided_rounds"], 1);
    assert_eq!(value["worst_delta"], "1");
}

/// Randomised response of a parity: 3/4 against 1/4 at every size. The certificate would have to be
/// about outputs, which certificates of every length are not.
#[test]
fn noise_at_the_end_counts_at_every_size() {
    let line = format!("verify {FOLDER}/parity.rhai --rounds all --epsilon ln(3) --delta 0");
    let value = json(&line, 0);
    assert_eq!((&value["end_bound"], &value["step"]["bound"]), (&"0".into(), &"1".into()));
    let folder = tempfile::tempdir().unwrap();
    let proof = folder.path().join("proof.json");
    let args = format!("{line} --certificate {}", proof.display());
    refused(&words(&args), "no certificate for this argument");
    assert!(!proof.exists());
}

/// A learner that compares what is never equal releases the same on every stream, and is told so. One
/// round tells nothing: a learner has seen nothing then.
#[test]
fn outputs_that_do_not_depend_on_the_stream_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("deaf.rhai");
    let text = "fn kind() { \"learner\" }\nfn start() { 0 }\nfn release(s) { \"000\" }\n\
                fn observe(s, x, y) { if s < 2 { s + 1 } else { 0 } }\n";
    std::fs::write(&script, text).unwrap();
    let script = script.to_str().unwrap();
    let note = || contains("note: the output does not depend on the stream");
    for rest in [
        "verify --rounds 2 --epsilon 1",
        "verify --rounds all --epsilon 0 --delta 0",
        "profile --rounds 3",
        "mistakes --rounds 2 --worst",
        "compile",
    ] {
        let mut args = words(rest);
        args.splice(1..1, [script, "--class", "point:3"]);
        littlestone(&args).assert().code(0).stderr(note()).stdout(note().not());
    }
    let one = ["verify", script, "--class", "point:3", "--rounds", "1", "--epsilon", "0"];
    littlestone(&one).assert().code(0).stderr(note().not());
    let listens = "verify soa-learner --class point:3 --rounds 2 --epsilon 0";
    run(listens).assert().code(0).stderr(note().not());
}

/// Joint privacy is no property of learners, and no more of one that a part speaks of.
#[test]
fn a_part_asks_what_can_be_asked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("1.json");
    let file = file.to_str().unwrap();
    let question =
        "verify soa-learner --class point:3 --rounds 2 --epsilon 0 --shard 1/1 --partial";
    littlestone(&[&words(question)[..], &[file]].concat()).assert().code(0);
    let mut part: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    part["question"]["joint"] = true.into();
    std::fs::write(file, part.to_string()).unwrap();
    refused(&["merge", file], "joint privacy (Definition 4) is a property of predictors");
}

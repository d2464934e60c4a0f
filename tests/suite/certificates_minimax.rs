//! The verifier of `minimax` certificates, on proofs that were found by hand.

use littlestone::certificate::{Limits, Outcome, Rejection, Report, verify};
use serde_json::{Value, json};

/// Two functions on one point, T = 2, e^ε = 2, by hand: the first output is a fair bit, the second is
/// the label that was seen with probability 2/3, and V = 1/2 + 1/3. The adversary repeats an example
/// with a fair label; each multiplier is 1/6 so that both answers of round 2 cost 1/6.
fn learner() -> Value {
    json!({
        "format": 1,
        "kind": "minimax",
        "producer": "by hand",
        "source": "by hand",
        "points": ["a"],
        "hypotheses": ["0", "1"],
        "notion": "whole",
        "streams": "all",
        "rounds": 2,
        "epsilon": "ln(2)",
        "delta": "0",
        "columns": [0],
        "constant": null,
        "symmetries": [[[0], [0]], [[0], [1]]],
        "claim": { "at_least": "5/6", "at_most": "5/6" },
        "lower": {
            "factor": "2",
            "denominator": "6",
            "streams": [[[0, 0], "3"]],
            "multipliers": [
                [[0], [1], ["0", "0"], "1"],
                [[0], [1], ["1", "0"], "1"],
            ],
        },
        "upper": {
            "factor": "2",
            "denominator": "6",
            "outputs": [
                [[0], ["0", "0"], "2"],
                [[0], ["0", "1"], "1"],
                [[0], ["1", "0"], "2"],
                [[0], ["1", "1"], "1"],
            ],
        },
    })
}

/// The same for prediction: the output of the round that differs is dropped.
fn predictor() -> Value {
    let mut file = learner();
    file["notion"] = "joint".into();
    file["lower"]["multipliers"] = json!([[[0, 0], [1, 0], [null, "0"], "1"]]);
    for row in file["upper"]["outputs"].as_array_mut().unwrap() {
        row[0] = json!([0, 0]);
    }
    file
}

/// With a second point whose column is constant (the example 2), and a third that is the complement
/// of the first. In eighths: after a label the second output is that label in 6, after the constant
/// point it is a fair bit.
fn with_points() -> Value {
    let mut file = learner();
    file["points"] = json!(["a", "dummy", "b"]);
    file["hypotheses"] = json!(["001", "100"]);
    file["constant"] = 1.into();
    file["upper"]["denominator"] = "8".into();
    file["upper"]["outputs"] = json!([
        [[0], ["0", "0"], "3"],
        [[0], ["0", "1"], "1"],
        [[0], ["1", "0"], "3"],
        [[0], ["1", "1"], "1"],
        [[2], ["0", "0"], "2"],
        [[2], ["1", "0"], "2"],
    ]);
    file
}

fn proved(file: &Value) -> Report {
    let outcome = verify(file.to_string().as_bytes(), Limits::default()).unwrap();
    let Outcome::Proved(report) = outcome else { unreachable!("no limit was set: {outcome:?}") };
    report
}

fn refused(file: &Value) -> String {
    verify(file.to_string().as_bytes(), Limits::default()).unwrap_err().to_string()
}

#[test]
fn the_proofs_by_hand_pass() {
    for file in [learner(), predictor()] {
        let report = proved(&file);
        let shown: Vec<String> = report.proved.iter().map(ToString::to_string).collect();
        assert!(
            shown[0].starts_with("V ≥ 5/6, ") && shown[1].starts_with("V ≤ 5/6, "),
            "{shown:?}"
        );
        assert_eq!(report.taken_on_trust, Vec::<String>::new());
    }
}

/// Symmetry shortens tables and proves nothing: with the identity alone and all rows written out,
/// the same bounds are proved.
#[test]
fn tables_without_symmetries_prove_the_same() {
    let mut file = learner();
    file["symmetries"] = json!([[[0], [0]]]);
    file["lower"]["streams"] = json!([[[0, 0], "3"], [[1, 1], "3"]]);
    let swapped = |row: &Value| {
        let mut row = row.clone();
        for value in row.as_array_mut().unwrap() {
            for entry in value.as_array_mut().into_iter().flatten() {
                *entry = match &*entry {
                    Value::Number(n) => (1 - n.as_u64().unwrap()).into(),
                    Value::String(bit) => if bit == "0" { "1" } else { "0" }.into(),
                    other => other.clone(),
                };
            }
        }
        row
    };
    for (half, table) in [("lower", "multipliers"), ("upper", "outputs")] {
        let rows = file[half][table].as_array_mut().unwrap();
        let images: Vec<Value> = rows.iter().map(swapped).collect();
        rows.extend(images);
    }
    assert_eq!(proved(&file).proved.len(), 2);
}

#[test]
fn better_bounds_are_refused() {
    for file in [learner(), predictor()] {
        for (bound, value, word) in
            [("at_least", "6/7", "a bound of at most 5/6"), ("at_most", "4/5", "no more than 4/5")]
        {
            let mut file = file.clone();
            file["claim"][bound] = value.into();
            assert!(refused(&file).contains(word), "{}", refused(&file));
        }
        // Weaker ones are true.
        let mut file = file.clone();
        file["claim"] = json!({ "at_least": "1/2", "at_most": "1" });
        assert_eq!(proved(&file).proved.len(), 2);
    }
}

/// More privacy than there is: e^ε = 3/2, or a factor that does not fit.
#[test]
fn factors_must_be_on_their_side_of_epsilon() {
    let mut file = learner();
    file["epsilon"] = "ln(3/2)".into();
    assert!(refused(&file).contains("upper.factor"), "2 is above 3/2");
    file["upper"]["factor"] = "3/2".into();
    assert!(refused(&file).contains("expected a δ of at most 0 between"));
    let mut file = learner();
    file["epsilon"] = "ln(3)".into();
    assert!(refused(&file).contains("lower.factor"), "2 is below 3");
    // e^0.69 < 2 < e^0.7: the halves hold for different rational ε.
    let mut file = learner();
    (file["epsilon"], file["claim"]["at_most"], file["upper"]) =
        ("69/100".into(), Value::Null, Value::Null);
    assert_eq!(proved(&file).proved.len(), 1);
    let mut file = learner();
    (file["epsilon"], file["claim"]["at_least"], file["lower"]) =
        ("7/10".into(), Value::Null, Value::Null);
    assert_eq!(proved(&file).proved.len(), 1);
}

/// Every integer of the tables bumped by one, and every row dropped: refused, as both bounds are
/// tight and the tables have no slack.
#[test]
fn no_entry_can_change() {
    for file in [learner(), predictor()] {
        for (half, table) in [("lower", "streams"), ("lower", "multipliers"), ("upper", "outputs")]
        {
            let rows = file[half][table].as_array().unwrap().len();
            for i in 0..rows {
                let mut dropped = file.clone();
                dropped[half][table].as_array_mut().unwrap().remove(i);
                refused(&dropped);
                let mut twice = file.clone();
                let row = twice[half][table][i].clone();
                twice[half][table].as_array_mut().unwrap().push(row);
                assert!(refused(&twice).contains("an image of an earlier row"));
                let last = file[half][table][i].as_array().unwrap().len() - 1;
                for change in [-1i64, 1] {
                    let mut bumped = file.clone();
                    let number: i64 = file[half][table][i][last].as_str().unwrap().parse().unwrap();
                    bumped[half][table][i][last] = (number + change).to_string().into();
                    refused(&bumped);
                }
            }
        }
    }
}

#[test]
fn outputs_must_not_know_the_future() {
    // Round 1 answers the label of its own example: no mistakes in round 1, and not causal.
    let mut file = learner();
    file["lower"] = Value::Null;
    file["claim"] = json!({ "at_least": null, "at_most": "1/3" });
    file["upper"]["outputs"] = json!([[[0], ["0", "0"], "4"], [[0], ["0", "1"], "2"]]);
    assert!(refused(&file).contains("do not depend on later examples"));
}

#[test]
fn malformed_files_are_told_apart_from_false_ones() {
    let change = |path: &[&str], value: Value| {
        let mut file = learner();
        let mut at = &mut file;
        for key in path {
            at = &mut at[*key];
        }
        *at = value;
        file
    };
    for (file, word) in [
        (change(&["notion"], "both".into()), "notion"),
        (change(&["rounds"], 0.into()), "rounds"),
        (change(&["delta"], "1".into()), "below 1"),
        (change(&["columns"], json!([1])), "columns[0]"),
        (change(&["columns"], json!([])), "every column"),
        (change(&["constant"], 0.into()), "a constant column"),
        (change(&["symmetries"], json!([[[0], [1]]])), "the identity"),
        (change(&["symmetries"], json!([[[0], [0]], [[0], [0]]])), "symmetries[1]"),
        (change(&["symmetries"], json!([[[1], [0]]])), "a permutation"),
        (change(&["claim"], json!({ "at_least": null, "at_most": null })), "claims nothing"),
        (change(&["hypotheses"], json!(["0"])), "neither constant"),
        (change(&["lower", "streams"], json!([[[0, 5], "6"]])), "below 2"),
        (change(&["lower", "streams"], json!([[[0], "6"]])), "expected 2 examples"),
        (change(&["lower", "denominator"], "0".into()), "a positive integer"),
        (change(&["lower", "multipliers"], json!([[[0], [0], ["0", "0"], "1"]])), "one example"),
        (change(&["upper", "outputs"], json!([[[0], ["0", "2"], "6"]])), "outputs of 0 and 1"),
        (change(&["upper", "outputs"], json!([[[0], ["0"], "6"]])), "expected 2 outputs"),
    ] {
        let rejection = verify(file.to_string().as_bytes(), Limits::default()).unwrap_err();
        assert!(matches!(rejection, Rejection::Malformed { .. }), "{rejection}");
        assert!(rejection.to_string().contains(word), "{rejection}");
    }
    // A stream that no function realises is a fault of the proof.
    let file = change(&["lower", "streams"], json!([[[0, 1], "3"]]));
    let rejection = verify(file.to_string().as_bytes(), Limits::default()).unwrap_err();
    assert!(matches!(rejection, Rejection::Unproved { .. }), "{rejection}");
}

/// By hand: after a (0 or 1) the law of round 2 is (3, 1)/4, after the dummy (1, 1)/2, so the ratios
/// are 3, 3/2 and 2: private at e^ε = 3, and V ≤ 1/2 + 1/4 there.
#[test]
fn points_that_say_nothing() {
    let mut file = with_points();
    file["lower"] = Value::Null;
    file["claim"] = json!({ "at_least": null, "at_most": "1" });
    file["epsilon"] = "ln(3)".into();
    file["upper"]["factor"] = "3".into();
    assert_eq!(proved(&file).taken_on_trust, Vec::<String>::new());
    // The stream dummy, a costs 1/2 in round 2; the stream a, a 1/2 + 1/4.
    file["claim"]["at_most"] = "3/4".into();
    assert_eq!(proved(&file).proved.len(), 1);
    file["claim"]["at_most"] = "2/3".into();
    assert!(refused(&file).contains("no more than 2/3"));
    file["epsilon"] = "ln(2)".into();
    file["upper"]["factor"] = "2".into();
    file["claim"]["at_most"] = "3/4".into();
    assert!(refused(&file).contains("expected a δ of at most 0"));
}

/// The adversary for one point proves the same for a class that has this point, its complement and a
/// constant one: it plays at the point, and does not look at the other outputs.
#[test]
fn an_adversary_on_the_columns_is_one_for_the_class() {
    for mut file in [learner(), predictor()] {
        (file["points"], file["hypotheses"]) = (json!(["a", "dummy", "b"]), json!(["001", "100"]));
        (file["constant"], file["upper"], file["claim"]["at_most"]) =
            (1.into(), Value::Null, Value::Null);
        let report = proved(&file);
        assert!(report.proved[0].to_string().starts_with("V ≥ 5/6, "));
        assert_eq!(report.taken_on_trust, Vec::<String>::new());
        file["claim"]["at_least"] = "6/7".into();
        assert!(refused(&file).contains("a bound of at most 5/6"));
    }
}

/// With eight points the game has 16·2^16 pairs of a history and two outputs: more than are looked at, so
/// the lemmas are named, for each half those that it needs.
#[test]
fn large_games_rest_on_lemmas() {
    let mut file = with_points();
    file["points"] = json!(["a", "dummy", "b", "c", "d", "e", "f", "g"]);
    file["hypotheses"] = json!(["00100000", "10000000"]);
    file["lower"] = Value::Null;
    file["claim"] = json!({ "at_least": null, "at_most": "3/4" });
    (file["epsilon"], file["upper"]["factor"]) = ("ln(3)".into(), "3".into());
    let trusted = proved(&file).taken_on_trust;
    assert!(trusted.len() == 2 && trusted[0].contains("private memory"), "{trusted:?}");
    assert!(trusted[1].contains("constant, equal"), "{trusted:?}");
    file["claim"]["at_most"] = "2/3".into();
    assert!(refused(&file).contains("no more than 2/3"));
    file["lower"] = learner()["lower"].clone();
    (file["upper"], file["epsilon"]) = (Value::Null, "ln(2)".into());
    file["claim"] = json!({ "at_least": "5/6", "at_most": null });
    let trusted = proved(&file).taken_on_trust;
    assert!(trusted.len() == 1 && trusted[0].contains("constant, equal"), "{trusted:?}");
}

#[test]
fn limits_are_not_verdicts() {
    let limits = Limits { states: Some(3), ..Limits::default() };
    let outcome = verify(learner().to_string().as_bytes(), limits).unwrap();
    assert!(matches!(outcome, Outcome::Undecided { .. }));
}

//! The verifier case by case: each rule broken once, limits, the manual and the schema.

use crate::support::classes::{Table, intervals, subsets, xor_intervals};
use crate::support::producer;
use littlestone::certificate::format::LittlestoneDimension;
use littlestone::certificate::{
    Limit, Limits, Outcome, Rejection, Report, Statement, recheck, verify,
};
use serde_json::{Value, json};

fn check(certificate: &Value) -> Result<Outcome, Rejection> {
    verify(certificate.to_string().as_bytes(), Limits::default())
}

fn report(certificate: &Value) -> Report {
    match check(certificate) {
        Ok(Outcome::Proved(report)) => report,
        other => panic!("expected a proof, found {other:?}"),
    }
}

/// The JSON examples of the manual that are about classes.
fn manual_examples() -> Vec<Value> {
    let text = include_str!("../../docs/certificates.md");
    text.split("```json\n")
        .skip(1)
        .map(|rest| rest.split("```").next().expect("a first part"))
        .map(|block| serde_json::from_str(block).expect("JSON in the manual"))
        .filter(|example: &Value| example["kind"] == json!("littlestone-dimension"))
        .collect()
}

/// The class of Definition 5 with the certificate of the manual.
fn point3() -> Value {
    manual_examples().remove(0)
}

#[test]
fn the_examples_of_the_manual_are_accepted() {
    let examples = manual_examples();
    assert_eq!(examples.len(), 2);
    let first = report(&examples[0]);
    let expected =
        [Statement::LittlestoneDimensionAtLeast(1), Statement::LittlestoneDimensionAtMost(1)];
    assert_eq!(first.proved, expected);
    assert_eq!((first.hypotheses, first.points, first.states), (3, 3, 1));
    assert_eq!(
        first.not_checked,
        [
            "whether the class in the certificate is the class that is meant",
            "producer: littlestone 0.1.0",
            "source: point:3",
            "names of the hypotheses"
        ]
    );
    assert_eq!(first.taken_on_trust, Vec::<String>::new());
    let second = report(&examples[1]);
    assert_eq!(second.proved, [Statement::LittlestoneDimensionAtMost(2)]);
    assert_eq!(second.not_checked.len(), 3);
}

/// The second example was worked out by hand; the naive producer must come to the same states.
#[test]
fn the_naive_producer_agrees_with_the_manual() {
    let example = &manual_examples()[1];
    let rows: Vec<String> = serde_json::from_value(example["hypotheses"].clone()).unwrap();
    let produced = producer::bounds(&Table::parse(5, &rows), None, Some(2));
    assert_eq!(produced["upper"], example["upper"]);
}

#[test]
fn statements_read_as_in_the_paper() {
    assert_eq!(Statement::LittlestoneDimensionAtLeast(6).to_string(), "Ldim ≥ 6");
    assert_eq!(Statement::LittlestoneDimensionAtMost(-1).to_string(), "Ldim ≤ −1");
}

/// Applies an edit and returns the rejection as `malformed` or `unproved`, and the message.
fn rejection(mut certificate: Value, edit: impl Fn(&mut Value)) -> (&'static str, String) {
    edit(&mut certificate);
    let rejection = check(&certificate).expect_err("a broken certificate");
    let kind = match rejection {
        Rejection::Malformed { .. } => "malformed",
        Rejection::Unproved { .. } => "unproved",
        _ => panic!("an unknown rejection"),
    };
    (kind, rejection.to_string())
}

type Case = (fn(&mut Value), &'static str);

/// The message without the column, which depends on how the JSON happens to be written.
fn without_column(message: &str) -> String {
    let Some((line, rest)) = message.split_once(", column ") else {
        return message.to_owned();
    };
    format!(
        "{line}:{}",
        rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(':')
    )
}

#[test]
fn what_is_not_a_certificate() {
    let cases: [Case; 20] = [
        (|c| c["format"] = json!(2), "format: expected format 1, found 2"),
        (
            |c| c["kind"] = json!("maximin"),
            "kind: expected a kind among littlestone-dimension, privacy, privacy-every-length, expected-mistakes, \
             minimax, irreducible, decomposition-dimension, essential-hypotheses, found `maximin`",
        ),
        (|c| c["points"][2] = json!("1"), "points[2]: is the same as points[0]"),
        (|c| c["hypotheses"][2] = json!("010"), "hypotheses[2]: is the same as hypotheses[1]"),
        (|c| c["hypotheses"][1] = json!("01"), "hypotheses[1]: expected 3 labels, found 2"),
        (
            |c| c["hypotheses"][1] = json!("01x"),
            "hypotheses[1]: expected labels 0 and 1, found `x`",
        ),
        (|c| c["names"] = json!(["f1"]), "names: expected 3 names, found 1"),
        (|c| c["claim"] = json!({"at_least": null, "at_most": null}), "claim: claims nothing"),
        (
            |c| {
                c["claim"]["at_least"] = json!(-1);
                c["lower"] = Value::Null;
            },
            "claim.at_least: claims nothing",
        ),
        (
            |c| c["claim"]["at_most"] = json!(-2),
            "claim.at_most: expected a bound of at least -1, found -2",
        ),
        (
            |c| c["claim"]["at_least"] = Value::Null,
            "lower: expected null, as the claim needs no such proof",
        ),
        (
            |c| c["claim"]["at_most"] = Value::Null,
            "upper: expected null, as the claim needs no such proof",
        ),
        (
            |c| c["extra"] = Value::Null,
            "line 1: unknown field `extra`, expected one of `format`, `kind`, \
             `producer`, `source`, `points`, `hypotheses`, `names`, `claim`, `lower`, `upper`",
        ),
        (
            |c| {
                c.as_object_mut().unwrap().remove("names");
            },
            "line 1: missing field `names`",
        ),
        (
            |c| {
                c["claim"].as_object_mut().unwrap().remove("at_most");
            },
            "line 1: missing field `at_most`",
        ),
        (
            |c| c["lower"]["depth"] = json!(1.0),
            "line 1: invalid type: floating point `1.0`, expected u32",
        ),
        (
            |c| c["upper"]["states"] = json!([[[0, 1]]]),
            "line 1: invalid length 2, expected an entry [column, side, child]",
        ),
        (
            |c| *c = json!([1, "littlestone-dimension"]),
            "line 1: invalid type: sequence, expected an object",
        ),
        (|c| c["claim"] = json!([1, 1]), "line 1: invalid type: sequence, expected an object"),
        (|c| c["upper"] = json!([[[]]]), "line 1: invalid type: sequence, expected an object"),
    ];
    for (edit, message) in cases {
        let (kind, found) = rejection(point3(), edit);
        assert_eq!((kind, without_column(&found).as_str()), ("malformed", message));
    }
}

#[test]
fn a_fault_of_the_json_is_given_with_line_and_column() {
    let text = "{\n  \"format\": 1,\n  \"kind\": nil\n}";
    let rejection = verify(text.as_bytes(), Limits::default()).expect_err("not JSON");
    assert_eq!(rejection.to_string(), "line 3, column 12: expected ident");
}

#[test]
fn what_is_not_a_proof_of_the_lower_bound() {
    let cases: [Case; 7] = [
        (|c| c["lower"] = Value::Null, "lower: expected a proof of the claim, found null"),
        (|c| c["lower"]["depth"] = json!(2), "lower.depth: expected depth 1 as claimed, found 2"),
        (
            |c| c["lower"]["points"] = json!([0, 0]),
            "lower: expected 2^1 - 1 points and 2^1 leaves, found 2 points and 2 leaves",
        ),
        (
            |c| {
                c["lower"]["depth"] = json!(4_000_000);
                c["claim"]["at_least"] = json!(4_000_000);
            },
            "lower: expected 2^4000000 - 1 points and 2^4000000 leaves, \
             found 1 points and 2 leaves",
        ),
        (
            |c| c["lower"]["points"] = json!([3]),
            "lower.points[0]: expected an index below 3, found 3",
        ),
        (
            |c| c["lower"]["leaves"] = json!([1, 7]),
            "lower.leaves[1]: expected an index below 3, found 7",
        ),
        (
            |c| c["lower"]["leaves"] = json!([1, 2]),
            "lower.leaves[1]: hypothesis 2 does not realise its path: expected label 1 at point 0 \
             (node 0), found 0",
        ),
    ];
    for (edit, message) in cases {
        assert_eq!(rejection(point3(), edit), ("unproved", message.to_owned()));
    }
}

#[test]
fn what_is_not_a_proof_of_the_upper_bound() {
    let cases: [Case; 6] = [
        (|c| c["upper"] = Value::Null, "upper: expected a proof of the claim, found null"),
        (
            |c| c["upper"]["states"] = json!([]),
            "upper.states: expected at least one state, found none",
        ),
        (
            |c| c["upper"]["states"] = json!([[], []]),
            "upper.states[1]: no earlier state refers to this state",
        ),
        (
            |c| c["upper"]["states"] = json!([[[0, 0, null]]]),
            "upper.states[0][0]: expected no further entry, found one for column 0",
        ),
        (
            |c| c["claim"]["at_most"] = json!(0),
            "upper.states[0]: expected an entry for column 0, found no further entry",
        ),
        (
            |c| {
                c["claim"]["at_most"] = json!(0);
                c["upper"]["states"] = json!([[[0, 1, null]]]);
            },
            "upper.states[0][0]: expected a side of dimension below 0, but side 1 of column 0 \
             shatters a tree of that depth",
        ),
    ];
    for (edit, message) in cases {
        assert_eq!(rejection(point3(), edit), ("unproved", message.to_owned()));
    }
    let (kind, message) = rejection(point3(), |c| c["claim"]["at_most"] = json!(-1));
    assert_eq!(kind, "unproved");
    assert_eq!(
        message,
        "hypotheses: expected no hypothesis under the claim that Ldim is at most -1, found 3"
    );
}

/// The middle columns of intervals on 8 points have 20 and 17 rows on their sides, and 16 are
/// needed against depth 5; the others have fewer than 16.
#[test]
fn what_is_not_a_refutation() {
    let honest = producer::certificate(&intervals(8));
    let first = honest["upper"]["states"][0][0].clone();
    assert!(first[2] == json!(1), "the first entry refers to state 1: {honest}");
    let column = first[0].as_u64().unwrap();
    let last = honest["upper"]["states"].as_array().unwrap().len();

    let edit = |path: usize, value: Value| {
        rejection(honest.clone(), |c| c["upper"]["states"][0][0][path] = value.clone())
    };
    let unproved = |message: String| ("unproved", message);
    let place = "upper.states[0][0]";
    assert_eq!(
        edit(0, json!(column + 1)),
        unproved(format!(
            "{place}: expected an entry for column {column}, found one for column {}",
            column + 1
        ))
    );
    assert_eq!(edit(1, json!(2)), ("malformed", format!("{place}: expected side 0 or 1, found 2")));
    assert_eq!(
        edit(2, Value::Null),
        unproved(format!(
            "{place}: expected a child, as only bounds up to 3 may be left open, found null for \
             bound 4"
        ))
    );
    for child in [0, last] {
        assert_eq!(
            edit(2, json!(child)),
            unproved(format!(
                "{place}: expected a child after state 0 and below {last}, found {child}"
            ))
        );
    }
}

/// State 1 is awaited for the first entry's class; an entry of another class or another bound must
/// not use it.
#[test]
fn a_child_stands_for_one_class_and_one_bound() {
    let honest = producer::certificate(&xor_intervals(7));
    let states = honest["upper"]["states"].as_array().unwrap();
    let referring = |s: usize, child: usize| {
        states[s].as_array().unwrap().iter().position(|entry| entry[2] == json!(child))
    };
    // Two entries of the root with different children, the second redirected to the first.
    let second = referring(0, 2).expect("the root has two children at least");
    let (kind, message) =
        rejection(honest.clone(), |c| c["upper"]["states"][0][second][2] = json!(1));
    assert_eq!(
        (kind, message),
        ("unproved", format!("upper.states[0][{second}]: child 1 has another matrix"))
    );
    // An entry of state 1 redirected to state 2, which is awaited with the greater bound.
    assert!(states[1][0][2].is_u64(), "state 1 has a child: {}", states[1]);
    let (kind, message) = rejection(honest, |c| c["upper"]["states"][1][0][2] = json!(2));
    assert_eq!(
        (kind, message.as_str()),
        ("unproved", "upper.states[1][0]: expected a child with bound 4, but state 2 has bound 5")
    );
}

#[test]
fn keys_that_stand_twice_and_text_after_the_end_are_malformed() {
    let text = point3().to_string();
    let twice = text.replacen("{\"claim\":", "{\"format\":1,\"claim\":", 1);
    for bad in [twice, format!("{text} x"), String::new(), format!("\u{feff}\u{feff}{text}")] {
        let rejection = verify(bad.as_bytes(), Limits::default()).expect_err("not a certificate");
        assert!(matches!(rejection, Rejection::Malformed { .. }), "{rejection}");
    }
    // A byte-order mark is no part of the text.
    let marked = verify(format!("\u{feff}{text}").as_bytes(), Limits::default());
    assert!(matches!(marked, Ok(Outcome::Proved(_))), "{marked:?}");
}

/// A limit counts states in a fixed order: exactly the number examined suffices, one less does
/// not. The lower bound needs none.
#[test]
fn a_limit_on_states_leaves_the_upper_bound_undecided() {
    let certificate = producer::certificate(&subsets(9, 4));
    let bytes = certificate.to_string().into_bytes();
    let examined = report(&certificate).examined;
    assert!(examined > 10, "{examined}");
    for limit in [0, 1, examined - 1] {
        let Ok(Outcome::Undecided { report, limit: reached }) =
            verify(&bytes, Limits { states: Some(limit), ..Limits::default() })
        else {
            panic!("limit {limit} of {examined} suffices");
        };
        assert_eq!(reached, Limit::States(limit));
        assert_eq!(report.examined, limit);
        assert_eq!(report.proved, [Statement::LittlestoneDimensionAtLeast(4)]);
    }
    let enough = verify(&bytes, Limits { states: Some(examined), ..Limits::default() });
    assert!(matches!(enough, Ok(Outcome::Proved(_))), "{enough:?}");
}

#[test]
fn files_are_read_and_missing_files_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("point3.json");
    std::fs::write(&path, point3().to_string()).unwrap();
    assert!(matches!(recheck(&path, Limits::default()), Ok(Outcome::Proved(_))));
    let missing = folder.path().join("missing.json");
    let rejection = recheck(&missing, Limits::default()).expect_err("no such file");
    assert!(matches!(rejection, Rejection::Malformed { .. }), "{rejection}");
    assert!(rejection.to_string().starts_with(&missing.display().to_string()), "{rejection}");
}

#[test]
fn what_is_read_is_what_is_written() {
    let format: LittlestoneDimension =
        serde_json::from_value(point3()).expect("the example of the manual");
    assert_eq!(serde_json::to_value(&format).expect("structs can be written"), point3());
}

//! Small certificates of every kind in `corpus/`, and all their copies with one value changed.
//!
//! Whoever writes another verifier can use them too: [`PROVED`] says what each proves.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use littlestone_checker::{Limits, Outcome, verify};
use serde_json::Value;

/// The certificates, with what they prove.
const PROVED: &[(&str, &str)] = &[
    // One record more turns the parity, which is flipped with 1/4: ratios of 3 and 1/3.
    (
        "add-remove",
        "(ln(3), 0)-differentially private over all streams of 2 records, neighbours by add-remove",
    ),
    // Fact 5.
    (
        "every-length",
        "(0, 1/4)-jointly differentially private over all streams of every length, neighbours by replacement",
    ),
    (
        "joint-holds",
        "(0, 1/4)-jointly differentially private over all streams of 2 records, neighbours by replacement",
    ),
    // Two labels of POINT4 leave a point function, and that has the dimension of a class of two or more.
    ("irreducible-point4", "the class is 2-irreducible"),
    // The SOA labels point 2 of the thresholds 0, …, 3 so that fewer than the four of dimension 2 are left.
    ("irreducible-threshold3", "the class is not 1-irreducible"),
    // floor(log2 7) = 2, and the first mistake on a singleton among all leaves no more than one more.
    ("ldim-interval3", "Ldim ≤ 2"),
    // POINT3: one mistake on the label 1 gives the function away (Definition 5).
    ("ldim-point3", "Ldim ≤ 1"),
    // δ = 3/4 − 2 · 1/4 at e^ε = 2.
    (
        "listed",
        "the least δ for which the mechanism is (ln(2), δ)-differentially private over the listed pairs of data sets of at most 2 records is 1/4",
    ),
    (
        "whole-refuted",
        "the least δ for which the mechanism is (ln(2), δ)-differentially private over all streams of 2 records, neighbours by replacement is 1/4",
    ),
    (
        "whole-holds",
        "(ln(3), 0)-differentially private over all streams of 2 records, neighbours by replacement",
    ),
    // 1/2 in round 1, and 1/(1 + e^ε) = 1/3 in round 2: no learner does better on two labels of one point.
    (
        "minimax",
        "V ≥ 5/6, the expected mistakes of the best (ln(2), 0)-differentially private learner on the worst realisable stream of 2 examples (oblivious adversary)",
    ),
    (
        "minimax-joint",
        "V ≤ 5/6, the expected mistakes of the best (ln(2), 0)-jointly differentially private predictor on the worst realisable stream of 2 examples (oblivious adversary)",
    ),
    // Nothing is known before round 1.
    (
        "minimax-delta",
        "V ≥ 1/2, the expected mistakes of the best (ln(2), 1/4)-differentially private learner on the worst realisable stream of 1 example (oblivious adversary)",
    ),
    // 1 in round 1, and in round 2 unless the example was retained, with 1/4.
    (
        "mistakes",
        "greatest expected mistakes on a realisable stream of 2 records: 7/4 (oblivious adversary)",
    ),
    // On a tie the SOA of POINT2 predicts 1: right on 1:1, and wrong on 2:0 unless 1:1 was retained, with 1/4.
    ("mistakes-stream", "expected mistakes on the stream: 3/4 (oblivious adversary)"),
    // The SOA shows the function that 1:0 gives away, and so it does after 2:0, with the same 1:0 to follow.
    (
        "realisable",
        "the least δ for which the mechanism is (1/2, δ)-differentially private over realisable \
         streams of 2 records, neighbours by replacement is 1",
    ),
    // Examples of one function of POINT2 that can stand before the same third one mean the same function.
    (
        "realisable-point2",
        "the least δ for which the mechanism is (0, δ)-differentially private over realisable \
         streams of 2 records, neighbours by replacement is 0",
    ),
    // Definitions 8 and 9: all four functions are left where nothing lowers the dimension by splitting.
    ("rho-cube2", "C_1 = {00, 01, 10, 11} (d = 2)"),
    ("rho-threshold3", "ρ_1 ≤ 0 (d = 2)"),
    // By a second program, as in the claims about these classes: seven functions of dimension 2, of which none is
    // at a leaf of every optimal tree, and three whose one essential hypothesis is none of them.
    ("essential-centre", "C_1 = {0100} (d = 1)"),
    ("essential-seven", "C_1 = ∅ (d = 2)"),
    ("rho-seven", "ρ_1 ≥ 1 (d = 2)"),
    // By brute force over all valid trees, in a second program.
    ("essential-query", "C_1 = {1111} (d = 2)"),
    // The lines of the Fano plane: one label leaves the lines through a point, or beside it.
    ("irreducible-fano", "the class is 1-irreducible"),
    // At most two of five labels differ from those of the centre.
    ("ldim-ball52", "Ldim ≤ 2"),
    // The same with a state for the functions that differ from the centre at the first point.
    ("ldim-child", "Ldim ≤ 2"),
    // 3/4 − 2 · 1/4.
    (
        "transducer",
        "the least δ for which the mechanism is (ln(2), δ)-differentially private over all streams of 1 record, neighbours by replacement is 1/4",
    ),
    (
        "every-length-transducer",
        "(ln(3), 0)-differentially private over all streams of every length, neighbours by replacement",
    ),
    // The chances 1/4 and 1/2 of a change, and 3/4 and 1/2 of none.
    (
        "every-length-one-shot",
        "(ln(2), 0)-differentially private over all streams of every length, neighbours by replacement",
    ),
    // The label 1 at point 1 with probability 2/3, where it is 0.
    (
        "mistakes-learner",
        "greatest expected mistakes on a stream of 1 record: 2/3 (oblivious adversary)",
    ),
];

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

fn read(name: &str) -> Value {
    let text =
        std::fs::read(corpus().join(name).with_extension("json")).expect("a file of the corpus");
    serde_json::from_slice(&text).expect("JSON")
}

/// What a certificate proves; nothing when it is rejected.
fn proved(certificate: &Value) -> Option<Vec<String>> {
    match verify(certificate.to_string().as_bytes(), Limits::default()) {
        Ok(Outcome::Proved(report)) => {
            Some(report.proved.iter().map(ToString::to_string).collect())
        }
        _ => None,
    }
}

/// The copies of a value with one part changed, with the path of that part and how it was changed.
fn changed(value: &Value) -> Vec<(String, Value)> {
    let mut copies = Vec::new();
    match value {
        Value::Object(map) => {
            for (key, part) in map {
                for (path, part) in changed(part) {
                    let mut copy = map.clone();
                    copy.insert(key.clone(), part);
                    copies.push((format!("/{key}{path}"), copy.into()));
                }
                let mut copy = map.clone();
                copy.remove(key);
                copies.push((format!("/{key} left out"), copy.into()));
            }
        }
        Value::Array(list) => {
            for (place, part) in list.iter().enumerate() {
                for (path, part) in changed(part) {
                    let mut copy = list.clone();
                    copy[place] = part;
                    copies.push((format!("/{place}{path}"), copy.into()));
                }
                let mut copy = list.clone();
                copy.remove(place);
                copies.push((format!("/{place} left out"), copy.into()));
                let mut copy = list.clone();
                copy.insert(place, part.clone());
                copies.push((format!("/{place} twice"), copy.into()));
                if place > 0 && list[place - 1] != list[place] {
                    let mut copy = list.clone();
                    copy.swap(place - 1, place);
                    copies.push((format!("/{place} before its neighbour"), copy.into()));
                }
            }
        }
        Value::String(text) => {
            let mut others = vec![format!("{text}x"), String::new()];
            if text.bytes().any(|b| b.is_ascii_digit()) {
                others.extend(["0", "1", "1/7", "6/7", "2", "-1/7"].map(str::to_owned));
            }
            others.retain(|other| other != text);
            copies.extend(others.into_iter().map(|other| (format!(" = {other:?}"), other.into())));
        }
        Value::Number(number) => {
            let number = number.as_i64().expect("a whole number");
            for other in [number - 1, number + 1, number + 1000, -1] {
                copies.push((format!(" = {other}"), other.into()));
            }
        }
        Value::Bool(truth) => copies.push((format!(" = {}", !truth), (!truth).into())),
        Value::Null => copies.extend([0.into(), "".into()].map(|v: Value| (format!(" = {v}"), v))),
    }
    if !value.is_null() {
        copies.push((" = null".into(), Value::Null));
    }
    copies
}

#[test]
fn each_certificate_proves_what_is_said_of_it() {
    for (name, statement) in PROVED {
        let statements = proved(&read(name)).unwrap_or_default();
        assert!(statements.iter().any(|proved| proved == statement), "{name}: {statements:?}");
    }
}

/// Most copies with one value changed are rejected. `accepted.txt` has the others: each was looked at, and
/// what it proves is true. It has another order or another name in a place where that does not matter, or
/// claims less, or about more than is needed, or what is left is another class or mechanism of which the
/// same is true. Copies with another `producer` or `source` prove the same.
#[test]
fn copies_with_one_value_changed_prove_nothing_false() {
    let mut accepted = Vec::new();
    for (name, _) in PROVED {
        let whole = read(name);
        let statements = proved(&whole);
        for (path, copy) in changed(&whole) {
            let Some(found) = proved(&copy) else { continue };
            let same = Some(&found) == statements.as_ref();
            if path.starts_with("/producer") || path.starts_with("/source") {
                assert!(same, "{name} {path}");
            } else {
                let found = if same { "the same".into() } else { found.join("; ") };
                accepted.push(format!("{name} {path}: {found}"));
            }
        }
    }
    let known = std::fs::read_to_string(corpus().join("accepted.txt")).expect("the list");
    let known: BTreeSet<&str> = known.lines().collect();
    let accepted: BTreeSet<&str> = accepted.iter().map(String::as_str).collect();
    let [new, gone] = [accepted.difference(&known), known.difference(&accepted)];
    let differences: Vec<String> =
        new.map(|line| format!("+ {line}")).chain(gone.map(|line| format!("- {line}"))).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

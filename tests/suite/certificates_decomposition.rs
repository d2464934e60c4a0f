//! Certificates about decompositions: those of the writers are accepted and say what literal
//! enumeration says, forged ones are rejected unless what they state is true.

use std::collections::BTreeMap;

use crate::support::decomposition::{Definitions, Enumeration, Functions, Queries, function, text};
use littlestone::certificate::{Limit, Limits, Outcome, Rejection, Report, Statement, verify};
use littlestone::class::{Class, ClassBuilder};
use littlestone::decomposition::certify::{self, Frame};
use littlestone::decomposition::{Decomposition, irreducible};
use littlestone::littlestone::Solver;
use serde_json::{Value, json};

fn check(certificate: &Value, limits: Limits) -> Result<Outcome, Rejection> {
    verify(certificate.to_string().as_bytes(), limits)
}

#[track_caller]
fn proved(certificate: &Value) -> Report {
    match check(certificate, Limits::default()) {
        Ok(Outcome::Proved(report)) => report,
        other => panic!("expected a proof of {certificate}, found {other:?}"),
    }
}

fn built(functions: &[String]) -> Class {
    let points = (1..=functions[0].len()).map(|x| x.to_string()).collect();
    let mut builder = ClassBuilder::new(points);
    for function in functions {
        builder.push(None, function.bytes().map(|b| b == b'1'));
    }
    builder.build()
}

const FRAME: Frame<'static> = Frame { source: "test", limit: 1 << 24 };

/// The certificates of the library's writers: k-irreducibility for k = 0, …, n + 1, bounds on ρ,
/// and the essential hypotheses.
fn written(functions: &[String], p: u32, d: Option<i32>) -> Vec<Value> {
    let class = built(functions);
    let solver = Solver::new(&class, littlestone::limits::Limits::default());
    let mut certificates = Vec::new();
    for k in 0..=u64::try_from(class.points()).expect("few points") + 1 {
        let found = irreducible(&solver, k).expect("no limit");
        let certificate = certify::irreducibility(&solver, FRAME, k, &found).expect("no limit");
        certificates.push(serde_json::to_value(certificate).expect("JSON"));
    }
    let mut found = Decomposition::new(&solver, p, d).expect("a class");
    let (dimension, tree) = (found.dimension(), found.tree().expect("no limit"));
    let essential = found.essential().expect("no limit");
    let bounds = certify::dimension(&mut found, FRAME, Some(dimension), Some(&tree));
    let bounds = bounds.expect("no limit").expect("a claim");
    certificates.push(serde_json::to_value(bounds).expect("JSON"));
    let essential = certify::essential(&mut found, FRAME, &essential, &tree).expect("no limit");
    certificates.push(serde_json::to_value(essential).expect("JSON"));
    certificates
}

/// ρ and C.
type Decomposed = (i32, Vec<String>);

/// Decides statements by literal enumeration, with a memory of answers.
#[derive(Default)]
struct Truth {
    decomposed: BTreeMap<(usize, Functions, u32, i32), Decomposed>,
}

impl Truth {
    fn decompose(&mut self, n: usize, set: Functions, p: u32, d: i32) -> Decomposed {
        self.decomposed
            .entry((n, set, p, d))
            .or_insert_with(|| {
                let mut definitions = Definitions::new(n);
                let mut enumeration = Enumeration::new(&mut definitions, p, d, Queries::Splitting);
                let (rho, soas) = enumeration.decompose(set);
                let mut texts: Vec<String> = soas.iter().map(|&f| text(f, n)).collect();
                texts.sort_unstable();
                (rho, texts)
            })
            .clone()
    }

    /// Whether the statement about the class in the certificate is true.
    fn holds(&mut self, certificate: &Value, statement: &Statement) -> bool {
        let functions = certificate["hypotheses"].as_array().expect("a list");
        let texts = functions.iter().map(|f| f.as_str().expect("a string"));
        let set = texts.fold(0, |set, text| set | 1 << function(text));
        let n = certificate["points"].as_array().expect("a list").len();
        match statement {
            Statement::Irreducible { k } => Definitions::new(n).irreducible(set, (*k).into()),
            Statement::NotIrreducible { k } => !Definitions::new(n).irreducible(set, (*k).into()),
            Statement::DecompositionDimensionAtLeast { parameters, bound } => {
                self.decompose(n, set, parameters.p, parameters.ambient).0 >= *bound
            }
            Statement::DecompositionDimensionAtMost { parameters, bound } => {
                self.decompose(n, set, parameters.p, parameters.ambient).0 <= *bound
            }
            Statement::EssentialHypotheses { parameters, essential } => {
                self.decompose(n, set, parameters.p, parameters.ambient).1 == *essential
            }
            other => panic!("another statement: {other}"),
        }
    }

    /// The certificate is accepted, and all it states is true.
    #[track_caller]
    fn accept(&mut self, certificate: &Value) {
        let report = proved(certificate);
        assert!(!report.proved.is_empty());
        for statement in &report.proved {
            assert!(self.holds(certificate, statement), "{statement}: {certificate}");
        }
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// The sets of the given sizes of n points.
fn sets(n: usize, sizes: &[u32]) -> Vec<String> {
    let chosen = (0..1u64 << n).filter(|set| sizes.contains(&set.count_ones()));
    chosen.map(|set| text(set, n)).collect()
}

/// Classes with parameters at which they are not degenerate.
fn classes() -> Vec<(Vec<String>, u32, Option<i32>)> {
    vec![
        (sets(4, &[1]), 1, None),
        (sets(4, &[1]), 2, Some(2)),
        (sets(5, &[1]), 2, None),
        (sets(4, &[1, 2]), 1, None),
        (sets(5, &[2]), 1, None),
        (sets(5, &[0, 1, 2]), 1, None),
        (sets(5, &[0, 1, 2]), 2, None),
        (owned(&["00", "10", "11"]), 1, None),
        (owned(&["0000", "0110", "1100"]), 1, None),
        (owned(&["0000", "0001", "0011", "0101", "1000", "1010", "1100"]), 1, None),
        (owned(&["0000", "0001", "0011", "0101", "1000", "1010", "1100"]), 2, None),
    ]
}

#[test]
fn what_is_written_is_accepted_and_true() {
    let mut truth = Truth::default();
    for (functions, p, d) in classes() {
        for certificate in written(&functions, p, d) {
            truth.accept(&certificate);
        }
    }
}

/// Every class on at most 3 points, at its own dimension and the next, and classes on 4 and 5
/// points by a linear congruential generator.
#[test]
fn small_classes_exhaustively_and_larger_ones_sampled() {
    let mut truth = Truth::default();
    for n in 1..=3 {
        for set in 1u64..1 << (1 << n) {
            let members = (0..1 << n).filter(|f| set >> f & 1 == 1);
            let functions: Vec<String> = members.map(|f| text(f, n)).collect();
            let d = Definitions::new(n).dimension(set);
            for (p, d) in [(1, d), (1, d + 1), (2, d)] {
                for certificate in written(&functions, p, Some(d)) {
                    truth.accept(&certificate);
                }
            }
        }
    }
    let mut seed = 1u64;
    let mut draw = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    };
    for i in 0..120 {
        let n = 4 + i % 2;
        let mut members: Vec<u64> = (0..4 + i % 7).map(|_| draw() % (1 << n)).collect();
        members.sort_unstable();
        members.dedup();
        let functions: Vec<String> = members.iter().map(|&f| text(f, n)).collect();
        for certificate in written(&functions, 1 + u32::from(i % 5 == 0), None) {
            truth.accept(&certificate);
        }
    }
}

/// Steps from the root of a JSON value: keys and indices.
type Place = Vec<String>;

/// All changes of one value inside a certificate: numbers to their neighbours, labels and booleans
/// flipped, null and not null exchanged, items left out, doubled and appended.
fn mutations(certificate: &Value) -> Vec<(Place, Value)> {
    fn below(value: &Value) -> Vec<(Place, Value)> {
        let mut found = Vec::new();
        let mut here = |value: Value| found.push((Place::new(), value));
        match value {
            Value::Null => {
                here(json!(0));
                here(json!([]));
                here(json!([null]));
                here(json!([[0, 0]]));
            }
            Value::Bool(truth) => here(json!(!truth)),
            Value::Number(number) => {
                let number = number.as_i64().expect("an integer");
                for change in [-2, -1, 1, 2] {
                    here(json!(number + change));
                }
                here(Value::Null);
            }
            Value::String(labels) => {
                for (i, label) in labels.bytes().enumerate() {
                    let flipped = if label == b'0' { "1" } else { "0" };
                    here(json!(format!("{}{flipped}{}", &labels[..i], &labels[i + 1..])));
                }
            }
            Value::Array(items) => {
                here(Value::Null);
                for i in 0..items.len() {
                    let mut fewer = items.clone();
                    fewer.remove(i);
                    here(Value::Array(fewer));
                    let mut more = items.clone();
                    more.insert(i, items[i].clone());
                    here(Value::Array(more));
                }
                for (i, item) in items.iter().enumerate() {
                    for (mut place, inner) in below(item) {
                        let mut changed = items.clone();
                        changed[i] = inner;
                        place.insert(0, i.to_string());
                        found.push((place, Value::Array(changed)));
                    }
                }
            }
            Value::Object(map) => {
                for (key, item) in map {
                    for (mut place, inner) in below(item) {
                        let mut changed = map.clone();
                        changed.insert(key.clone(), inner);
                        place.insert(0, key.clone());
                        found.push((place, Value::Object(changed)));
                    }
                }
            }
        }
        found
    }
    below(certificate)
}

/// Every change of every field is rejected, or leaves a certificate of something true. Of the
/// changes to what is claimed and to its proof at least nine in ten are rejected; the others leave
/// another proof of the same claim, or a weaker claim. The class and the parameters may be changed
/// into others of which the same is true, so they are not counted.
#[test]
fn forged_certificates_are_rejected_or_true() {
    const LOAD: [&str; 10] = [
        "claim",
        "tree",
        "violating",
        "excluded",
        "avoiding",
        "proof",
        "below",
        "no_tree",
        "members",
        "states",
    ];
    let mut truth = Truth::default();
    let mut counted: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let (mut changes, mut rejected) = (0u32, 0u32);
    for (functions, p, d) in classes() {
        for certificate in written(&functions, p, d) {
            for (place, forged) in mutations(&certificate) {
                if ["producer", "source", "points"].contains(&place[0].as_str()) {
                    continue;
                }
                let refused = match check(&forged, Limits::default()) {
                    Err(_) => true,
                    Ok(Outcome::Proved(report)) => {
                        for statement in &report.proved {
                            assert!(
                                truth.holds(&forged, statement),
                                "{place:?}: {statement}: {forged}"
                            );
                        }
                        false
                    }
                    Ok(other) => panic!("no limit was set: {other:?}"),
                };
                let kind = certificate["kind"].as_str().expect("a string");
                let key = format!("{kind}/{}", place[0]);
                let (all, some) = counted.entry(key).or_default();
                *all += 1;
                *some += u32::from(refused);
                if LOAD.contains(&place[0].as_str()) {
                    changes += 1;
                    rejected += u32::from(refused);
                }
            }
        }
    }
    assert!(changes > 1000);
    assert!(rejected * 10 >= changes * 9, "{rejected} of {changes}: {counted:#?}");
}

/// The examples of the manual, which are worked out by hand there.
fn manual_examples() -> Vec<Value> {
    let text = include_str!("../../docs/certificates.md");
    let kinds = ["irreducible", "decomposition-dimension", "essential-hypotheses"];
    text.split("```json\n")
        .skip(1)
        .map(|rest| rest.split("```").next().expect("a first part"))
        .map(|block| serde_json::from_str(block).expect("JSON in the manual"))
        .filter(|example: &Value| kinds.iter().any(|&kind| example["kind"] == json!(kind)))
        .collect()
}

#[test]
fn the_examples_of_the_manual_are_accepted() {
    let expected: [&[&str]; 5] = [
        &["the class is not 2-irreducible"],
        &["ρ_1 ≤ 1 (d = 2)", "ρ_1 ≥ 1 (d = 2)"],
        &["ρ_1 ≤ 1 (d = 2)", "ρ_1 ≥ 1 (d = 2)", "C_1 = ∅ (d = 2)"],
        &["ρ_1 ≤ 1 (d = 1)", "ρ_1 ≥ 1 (d = 1)", "C_1 = {0100} (d = 1)"],
        &["the class is 1-irreducible"],
    ];
    let examples = manual_examples();
    assert_eq!(examples.len(), expected.len());
    for (example, expected) in examples.iter().zip(expected) {
        let found: Vec<String> = proved(example).proved.iter().map(ToString::to_string).collect();
        assert_eq!(found, expected);
    }
}

/// The index of an example of the manual, what is changed in it, and the message.
type Case = (usize, fn(&mut Value), &'static str);

#[track_caller]
fn rejected(cases: &[Case]) {
    let examples = manual_examples();
    for (example, edit, message) in cases {
        let mut forged = examples[*example].clone();
        edit(&mut forged);
        let rejection = check(&forged, Limits::default()).expect_err(message);
        assert_eq!(rejection.to_string(), *message);
    }
}

#[test]
fn each_rule_of_irreducibility_has_its_message() {
    rejected(&[
        (
            0,
            |c| c["violating"] = json!(null),
            "violating: expected a proof of the claim, found null",
        ),
        (
            0,
            |c| c["claim"]["irreducible"] = json!(true),
            "violating: expected null, as the claim needs no such proof",
        ),
        (
            0,
            |c| {
                c["claim"]["irreducible"] = json!(true);
                c["violating"] = json!(null);
            },
            "proof: expected a proof `kept`, found `lowered`",
        ),
        (
            0,
            |c| {
                c["claim"]["irreducible"] = json!(true);
                c["violating"] = json!(null);
                c["proof"] = json!({ "kept": { "dimension": 1, "below": null, "keeps": null } });
            },
            "proof.kept.keeps: expected a state that shows Ldim ≥ 1 is kept by 2 queries, found \
             null, and it is not evident",
        ),
        (0, |c| c["k"] = json!(1), "violating: expected at most 1 examples, found 2"),
        (
            0,
            |c| c["violating"][1][1] = json!(1),
            "proof.lowered.labels[1]: expected a state that shows Ldim < 1, found null, and it is \
             not evident",
        ),
        (
            0,
            |c| c["violating"] = json!([[2, 0], [2, 0]]),
            "proof.lowered.left: expected a state that shows Ldim < 1, found null, and it is not \
             evident",
        ),
        (
            0,
            |c| c["violating"][0][0] = json!(3),
            "violating[0]: expected an index below 3, found 3",
        ),
        (
            0,
            |c| c["proof"]["lowered"]["labels"] = json!([null]),
            "proof.lowered.labels: expected an item for each of 2 examples, found 1",
        ),
        (
            0,
            |c| c["proof"]["lowered"]["dimension"] = json!(-1),
            "proof.lowered.dimension: expected a dimension of at least 0, found -1",
        ),
        (
            4,
            |c| c["proof"]["kept"]["dimension"] = json!(1),
            "proof.kept.below: expected a state that shows Ldim < 2, found null, and it is not \
             evident",
        ),
        (
            4,
            |c| c["k"] = json!(2),
            "proof.kept.keeps: expected a state that shows Ldim ≥ 2 is kept by 2 queries, but state \
             0 shows Ldim ≥ 2 is kept by 1 query",
        ),
        (
            4,
            |c| c["states"][0]["keeps"]["sides"][3] = json!([0, 1]),
            "states[0].sides[3]: child 1 has another matrix",
        ),
        (
            4,
            |c| c["states"][0]["keeps"]["sides"][3] = json!([1, 0]),
            "states[0].sides[3]: expected a child after state 0 and below 2, found 0",
        ),
        (
            4,
            |c| c["states"][1]["at_least"]["bound"] = json!(3),
            "states[1].sides[0]: expected a state that shows Ldim ≥ 2, found null, and it is not \
             evident",
        ),
    ]);
}

#[test]
fn each_rule_of_decompositions_has_its_message() {
    rejected(&[
        (1, |c| c["p"] = json!(0), "p: expected at least 1, found 0"),
        (1, |c| c["ambient"] = json!(65), "ambient: expected a dimension from 0 to 64, found 65"),
        (
            1,
            |c| c["ambient"] = json!(1),
            "below: expected a state that shows Ldim < 2, found null, and it is not evident",
        ),
        (
            1,
            |c| c["hypotheses"] = json!([]),
            "hypotheses: expected at least one hypothesis, found none",
        ),
        (
            1,
            |c| {
                c["tree"] = json!({
                    "nodes": [3, null, null], "below": [null, null, null],
                    "leaves": [[1, null], [1, null]],
                });
            },
            "tree.leaves[1]: expected a state that shows Ldim ≥ 1 is kept by 2 queries, found null, \
             and it is not evident",
        ),
        (
            1,
            |c| c["claim"]["at_most"] = json!(0),
            "tree.leaves[0]: expected a leaf of dimension at most 0, found dimension 1",
        ),
        (
            1,
            |c| c["claim"]["at_least"] = json!(2),
            "no_tree: expected a state that shows no subtree at depth 0 has only leaves of Ldim ≤ \
             1, but state 0 shows no subtree at depth 0 has only leaves of Ldim ≤ 0",
        ),
        (1, |c| c["claim"]["at_least"] = json!(0), "claim.at_least: claims nothing"),
        (
            1,
            |c| c["tree"]["nodes"] = json!([3, null]),
            "tree: expected the list to go on, as 1 subtrees are missing",
        ),
        (
            // Asking point 4 again moves a leaf of dimension 1 to depth 2.
            1,
            |c| {
                c["tree"]["nodes"] = json!([3, 3, null, null, 2, 1, null, null, null]);
                c["tree"]["below"] = json!(vec![Value::Null; 9]);
            },
            "tree.leaves[0]: expected a leaf of dimension 1 at depth at most 1, found depth 2",
        ),
        (
            2,
            |c| c["excluded"] = json!([]),
            "claim.essential: expected the essential and the excluded functions to be 1000, the \
             SOAs of the leaves of dimension ρ, found ",
        ),
        (
            2,
            |c| c["avoiding"][0] = c["tree"].clone(),
            "excluded[0].tree: expected tree 0 to avoid the function, but a leaf of it has that SOA",
        ),
        (
            2,
            |c| {
                c["claim"]["essential"] = json!(["1000"]);
                c["excluded"] = json!([]);
                c["avoiding"] = json!([]);
                c["members"] = json!([[{ "no_tree": { "depth": 0, "no_tree": 0 } }]]);
            },
            "members[0][0].no_tree: expected a state that shows no subtree at depth 0 has only \
             leaves of Ldim ≤ 1, but state 0 shows no subtree at depth 0 has only leaves of Ldim ≤ 0",
        ),
        (
            3,
            |c| c["avoiding"] = json!([c["tree"].clone()]),
            "avoiding[0]: expected an excluded function that this tree avoids",
        ),
        (3, |c| c["members"] = json!([]), "members: expected 1 tables, found 0"),
        (3, |c| c["members"][0] = json!([]), "members[0]: expected at least one state, found none"),
        (
            3,
            |c| c["members"][0][0]["only"]["depth"] = json!(1),
            "members[0][0]: expected a row for depth at most 0, found one for depth 1",
        ),
        (
            3,
            |c| c["states"][1]["no_tree"]["sides"] = json!([]),
            "states[1]: expected an entry for column 0, found no further entry",
        ),
        (
            3,
            |c| c["states"][1]["no_tree"]["depth"] = json!(2),
            "states[0].sides[0]: expected a state that shows no subtree at depth 1 has only leaves \
             of Ldim ≤ 0, but state 1 shows no subtree at depth 2 has only leaves of Ldim ≤ 0",
        ),
    ]);
}

/// At every limit the answer is `undecided` or the whole proof, and what an undecided report lists
/// is true.
#[test]
fn limits_leave_what_was_proved() {
    let mut truth = Truth::default();
    for certificate in written(&sets(5, &[0, 1, 2]), 1, None) {
        let needed = proved(&certificate).examined;
        for states in (0..needed).step_by(7) {
            match check(&certificate, Limits { states: Some(states), ..Limits::default() }) {
                Ok(Outcome::Undecided { report, limit }) => {
                    assert_eq!(limit, Limit::States(states));
                    for statement in &report.proved {
                        assert!(truth.holds(&certificate, statement));
                    }
                }
                other => panic!("expected no decision within {states} states, found {other:?}"),
            }
        }
        let enough = check(&certificate, Limits { states: Some(needed), ..Limits::default() });
        assert!(matches!(enough, Ok(Outcome::Proved(_))));
    }
}

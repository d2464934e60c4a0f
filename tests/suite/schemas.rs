//! The schemas: those in docs/schemas are those that are derived, and what is printed and read fits them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use littlestone::certificate::format;
use littlestone::questions::registry;
use littlestone::schemas;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::support::program::littlestone;
use crate::support::schema::validate;

/// `littlestone generate schemas docs/schemas` writes the files anew.
#[test]
fn the_files_are_those_that_are_derived() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas");
    for (name, schema) in schemas::all() {
        let text = std::fs::read_to_string(folder.join(&name)).unwrap_or_default();
        let found: Value = serde_json::from_str(&text).unwrap_or_default();
        assert!(found == schema, "{name} is not what `littlestone generate schemas` writes");
    }
}

/// Commands, with the question that each asks.
const COMMANDS: &[(&str, &str)] = &[
    ("dimension", "dim point:3 --vc --threshold-dimension"),
    ("dimension", "dim threshold:400 --limit-states 2"),
    ("minimax", "minimax cube:1 --rounds 2 --epsilon ln(2) --show learner"),
    ("minimax", "minimax cube:1 --rounds 2 --epsilon ln(2) --joint --learner fair-bits"),
    ("minimax", "minimax cube:1 --rounds 1..2 --epsilon ln(3),ln(2) --curve rounds"),
    ("minimax", "minimax examples/classes/bit.csv --rounds 6 --epsilon ln(3/2) --timeout 0s"),
    ("candidates", "candidates point:3 --stream 1:1,2:0 --k 2"),
    ("candidates", "candidates point:3 --stream 1:1 --all"),
    ("candidates", "candidates point:3 --rounds 2 --property nested --B 1"),
    ("candidates", "candidates point:3 --rounds 2 --property success --K 1"),
    ("identity", "identity 2^d hypotheses --class cube:2"),
    ("identity", "identity 1 2"),
    ("mistakes", "mistakes soa --class point:3 --stream 3:0,1:1"),
    ("mistakes", "mistakes soa --class point:3 --rounds 1..2 --worst"),
    ("mistakes", "mistakes soa --class point:3 --rounds 4 --worst --limit-states 2"),
    ("atlas", "atlas --points 2"),
    ("decomposition", "decompose point:8 --p 2"),
    ("decomposition", "decompose subsets:4,2 --irreducible 2"),
    ("fact2", "fact2 P4 --class ball:4,1 --subclasses none --p 1"),
    ("combine-table", "table combine --epsilon ln(3/2) --rounds 4 --d 7..8"),
    (
        "bounds-learning",
        "bounds learning --class point:3 --rounds 10^6 --epsilon 1/100 --delta 1/20",
    ),
    ("bounds-learning", "bounds learning --d 0 --rounds 1 --epsilon 0 --delta 0"),
    ("bounds-predictor", "bounds predictor --d 1 --epsilon 1 --delta 1/20"),
    ("bounds-predictor", "bounds predictor --d 100 --epsilon 1 --delta 1/20"),
    ("bounds-predictor", "bounds predictor --d 0 --epsilon 1 --delta 1/20"),
    ("causal", "causal soa-learner --class point:2 --rounds 2"),
    ("profile", "profile randomised-response:flip=1/4 --rounds 1"),
    ("privacy", "verify fair-bits --class point:2 --rounds 2 --epsilon 0 --delta 0 --joint"),
    ("privacy", "verify soa --class point:2 --rounds 2 --epsilon 0 --joint"),
    ("privacy", "verify soa --class point:2 --rounds 1..2 --epsilon 0 --joint"),
    ("soa", "soa point:3 --stream 3:0,1:1"),
    ("phases", "adversary phases soa-learner --class cube:4 --rounds 7"),
    ("thirds", "adversary thirds --rounds 9 --p 1/2"),
    (
        "blocks",
        "adversary blocks subsampled-soa-learner:gamma=1/4 --class point:3 --q 2 --w 4 --dummy 3:0 --informative 1:1 --epsilon 0 --delta 1/4",
    ),
    (
        "lemma5",
        "adversary lemma5 soa-learner --class point:3 --rounds 12 --regime blocks --q 2 --w 2 --adversary thirds",
    ),
    ("concentrated", "concentrated soa-learner --class point:3 --rounds 9"),
    (
        "potentials",
        "potentials absorbing:E=9/8,beta=1/8 --class point:3 --rounds 9 --epsilon ln(9/8)",
    ),
    ("regret", "regret combine:D=1 --rounds 4 --factor 3"),
    (
        "threshold",
        "threshold combined:A=(constant:labels=10),F=(subsampled-soa:gamma=1/4),D=1 --first \
         constant:labels=10 --second subsampled-soa:gamma=1/4 --class cube:2 --rounds 2",
    ),
];

#[test]
fn what_commands_print_fits_the_schema_of_the_answer() {
    let all: BTreeMap<String, Value> = schemas::all().into_iter().collect();
    for (question, line) in COMMANDS {
        let args: Vec<&str> = line.split(' ').chain(["--format", "json"]).collect();
        let output = littlestone(&args).output().expect("runs");
        let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let schema = &all[&format!("{question}.schema.json")];
        validate(schema, &value).unwrap_or_else(|fault| panic!("{line}: {fault}"));
        // The schema is not so loose that it takes anything.
        for (key, wrong) in [("format", json!(2)), ("command", json!(1)), ("new", json!(1))] {
            let mut changed = value.clone();
            changed[key] = wrong;
            validate(schema, &changed).expect_err(line);
        }
    }
}

/// Requests that are answered, by question.
fn requests() -> Vec<Value> {
    vec![
        json!({ "question": "dimension", "class": "point:3", "id": 1, "vc": true }),
        json!({ "question": "minimax", "class": "cube:1", "rounds": 1, "epsilon": "ln(2)" }),
        json!({ "question": "candidates", "class": "point:3", "stream": "1:1", "n": 1, "K": "2" }),
        json!({ "question": "mistakes", "mechanism": "soa", "class": "point:3", "stream": "3:0" }),
        json!({ "question": "phases", "mechanism": "soa-learner", "class": "cube:4", "rounds": 7 }),
        json!({ "question": "regret", "mechanism": "combine:D=1", "rounds": 2, "factor": 3 }),
        json!({ "question": "concentrated", "mechanism": "soa-learner", "class": "point:3", "rounds": 3 }),
        json!({ "question": "identity", "left": "g", "right": "1/2", "with": { "g": "1/2" } }),
    ]
}

#[test]
fn requests_fit_their_schema() {
    let all: BTreeMap<String, Value> = schemas::all().into_iter().collect();
    for request in requests() {
        let name = request["question"].as_str().expect("a name");
        let schema = &all[&format!("{name}-request.schema.json")];
        validate(schema, &request).unwrap_or_else(|fault| panic!("{request}: {fault}"));
        for (key, wrong) in [("question", json!("other")), ("new", json!(1))] {
            let mut changed = request.clone();
            changed[key] = wrong;
            validate(schema, &changed).expect_err(name);
        }
        let input = format!("{request}\n");
        let output = littlestone(&["ask"]).write_stdin(input).output().expect("runs");
        assert_eq!(output.status.code(), Some(0), "{request}: {output:?}");
    }
}

/// Each question stands above.
#[test]
fn every_question_is_tried() {
    for question in registry::all() {
        // Certificates are verified by `recheck`, whose output is its own; monitors are files.
        let others = ["certificate", "always", "probability"];
        let known = COMMANDS.iter().map(|(name, _)| *name).chain(others);
        let tried = known.into_iter().any(|name| name == question.name);
        assert!(tried, "{} is not tried", question.name);
    }
}

/// Schemas and readers agree on every certificate of the corpus, and on its copies in which a key is missing
/// or unknown somewhere.
#[test]
fn certificates_are_read_where_they_fit_their_schema() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/checker/tests/corpus");
    let all: BTreeMap<String, Value> = schemas::all().into_iter().collect();
    let (mut kinds, mut refused) = (BTreeSet::new(), 0);
    for entry in std::fs::read_dir(corpus).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        let original: Value = serde_json::from_str(&text).expect("JSON");
        let kind = original["kind"].as_str().expect("a kind");
        kinds.insert(kind.to_owned());
        let schema = &all[&format!("certificate-{kind}.schema.json")];
        validate(schema, &original).unwrap_or_else(|fault| panic!("{path:?}: {fault}"));
        for changed in perturbed(&original) {
            let fits = validate(schema, &changed).is_ok();
            assert_eq!(fits, is_read(kind, changed.clone()), "{path:?}: {changed}");
            refused += usize::from(!fits);
        }
    }
    assert_eq!(kinds.len(), 8, "a certificate of every kind");
    assert!(refused > 1000, "{refused} were refused");
}

fn is_read(kind: &str, value: Value) -> bool {
    fn of<T: DeserializeOwned>(value: Value) -> bool {
        serde_json::from_value::<T>(value).is_ok()
    }
    match kind {
        format::LITTLESTONE_DIMENSION => of::<format::LittlestoneDimension>(value),
        format::IRREDUCIBLE => of::<format::Irreducibility>(value),
        format::DECOMPOSITION_DIMENSION => of::<format::DecompositionDimension>(value),
        format::ESSENTIAL_HYPOTHESES => of::<format::EssentialHypotheses>(value),
        format::PRIVACY => of::<format::Privacy>(value),
        format::PRIVACY_EVERY_LENGTH => of::<format::EveryLength>(value),
        format::EXPECTED_MISTAKES => of::<format::ExpectedMistakes>(value),
        format::MINIMAX => of::<format::Minimax>(value),
        other => panic!("a certificate of the kind {other}"),
    }
}

/// The copies of a value in which one object has a key more or less, or a list is none.
fn perturbed(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match value {
        Value::Object(map) => {
            for (key, item) in map {
                let mut fewer = map.clone();
                fewer.remove(key);
                found.push(fewer.into());
                for item in perturbed(item) {
                    let mut changed = map.clone();
                    changed[key] = item;
                    found.push(changed.into());
                }
            }
            let mut more = map.clone();
            more.insert("unknown".into(), 1.into());
            found.push(more.into());
        }
        Value::Array(list) => {
            found.push(json!(1));
            for (i, item) in list.iter().enumerate() {
                for item in perturbed(item) {
                    let mut changed = list.clone();
                    changed[i] = item;
                    found.push(changed.into());
                }
            }
        }
        _ => {}
    }
    found
}

#[test]
fn trees_and_tables_fit_their_schema() {
    let all: BTreeMap<String, Value> = schemas::all().into_iter().collect();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tree.json");
    for (schema, line) in [
        ("shattered-tree", "dim threshold:6 --tree"),
        ("decomposition-tree", "decompose point:8 --p 2 --tree"),
    ] {
        let output = littlestone(&line.split(' ').collect::<Vec<_>>()).arg(&path).output();
        assert_eq!(output.expect("runs").status.code(), Some(0), "{line}");
        let text = std::fs::read_to_string(&path).expect("a tree");
        refuses_changes(&all[&format!("{schema}.schema.json")], &text);
    }
    for line in [
        "compile soa --class point:2",
        "compile fair-bits --class point:2",
        "compile randomised-response:flip=1/4",
    ] {
        let output = littlestone(&line.split(' ').collect::<Vec<_>>()).output().expect("runs");
        let text = String::from_utf8(output.stdout).expect("text");
        refuses_changes(&all["mechanism.schema.json"], &text);
    }
}

/// A document fits its schema, and does not with a key that is unknown.
fn refuses_changes(schema: &Value, text: &str) {
    let value: Value = serde_json::from_str(text).expect("JSON");
    validate(schema, &value).unwrap_or_else(|fault| panic!("{fault}: {text}"));
    for (key, wrong) in [("format", json!(2)), ("kind", json!("other")), ("unknown", json!(1))] {
        let mut changed = value.clone();
        changed[key] = wrong;
        validate(schema, &changed).expect_err(key);
    }
}

//! Forged certificates: honest ones with every part changed in turn. Whatever the verifier accepts
//! must be true, by the literal reference, of the mechanism in the certificate.

use std::collections::BTreeMap;

use littlestone::certificate::{Limits, Outcome, Statement, verify};
use littlestone::class::Class;
use littlestone::mechanism::Automaton;
use littlestone::privacy::{Neighbours, Notion, Question};
use serde_json::{Value, json};

use super::every_length::certified;
use super::oracle::is_true;
use super::tools::{
    certify, closed, example, number, on_streams, parse, question, singletons, worst_stream,
};

/// A predictor on one point whose state after a label 1 keeps it with probability 2/3.
pub(super) const SMALL: &str = r#"{
  "format": 1, "kind": "predictor", "points": ["a"],
  "start": [{"to": "s", "weight": "1/3"}, {"to": "t", "weight": "2/3"}],
  "states": [
    {"name": "s",
     "observe": {"0": [{"to": "s", "weight": "1"}],
                 "1": [{"to": "s", "weight": "1/3"}, {"to": "t", "weight": "2/3"}]},
     "respond": {"a": [{"output": "0", "to": "s", "weight": "1"}]}},
    {"name": "t",
     "observe": {"0": [{"to": "s", "weight": "exp(-1/2)"},
                       {"to": "t", "weight": "1 - exp(-1/2)"}],
                 "1": [{"to": "t", "weight": "1"}]},
     "respond": {"a": [{"output": "0", "to": "t", "weight": "1/4"},
                       {"output": "1", "to": "t", "weight": "3/4"}]}}
  ]
}"#;

fn certificates() -> Vec<Value> {
    let value = |certificate| serde_json::to_value(&certificate).unwrap();
    let small = parse(SMALL);
    let response = example("randomised-response.rhai:p=3/4", 2, 2);
    let soa = example("subsampled-soa.rhai:gamma=1/4", 2, 2);
    let learner = example("subsampled-soa-learner.rhai:gamma=1/4", 2, 2);
    let count = example("noisy-count.rhai:most=2", 2, 2);
    let class = singletons(2);
    let joint = question(Notion::Joint, Neighbours::Replacement, "0");
    let whole = question(Notion::Whole, Neighbours::Replacement, "1/10");
    let added = question(Notion::Whole, Neighbours::AddRemove, "ln(3/2)");
    let on = |stream: &[usize]| super::literal::expected_mistakes(&small, stream);
    let worst = super::literal::streams(2, 2).into_iter().max_by_key(|s| on(s)).unwrap();
    vec![
        value(certify(&small, &joint, None, 2, Some("1/10"))),
        value(certify(&small, &whole, None, 2, Some("1/2"))),
        value(certify(&response, &whole, None, 2, Some("1/4"))),
        value(certify(&soa, &joint, Some(&class), 2, Some("1/8"))),
        value(certify(&learner, &whole, None, 2, Some("1/100"))),
        value(certify(&count, &added, None, 2, Some("1/10"))),
        every_length(&small, &joint, None),
        every_length(&closed("randomised-response.rhai:p=3/4", 2), &whole, None),
        every_length(&closed("subsampled-soa.rhai:gamma=1/4", 2), &joint, Some(&class)),
        every_length(&closed("subsampled-soa-learner.rhai:gamma=1/4", 2), &whole, None),
        serde_json::to_value(on_streams(
            &small,
            &[(&[0, 1], "1/3"), (&[1, 1], "2/3")],
            &(&(&on(&[0, 1]) * &number("1/3")) + &(&on(&[1, 1]) * &number("2/3"))),
        ))
        .unwrap(),
        serde_json::to_value(worst_stream(&small, None, &worst, &on(&worst))).unwrap(),
        serde_json::to_value(worst_stream(&soa, Some(&class), &[0, 0], &number("7/4"))).unwrap(),
    ]
}

/// The certificate of the bound from one step, which leaves no room.
fn every_length(automaton: &Automaton, question: &Question, class: Option<&Class>) -> Value {
    serde_json::to_value(certified(automaton, question, class)).unwrap()
}

/// What an accepted certificate proves; `None` for a rejected one.
fn proved(certificate: &Value) -> Option<Vec<Statement>> {
    match verify(&serde_json::to_vec(certificate).unwrap(), Limits::default()) {
        Ok(Outcome::Proved(report)) => Some(report.proved),
        Ok(Outcome::Undecided { .. }) => unreachable!("no limit was set"),
        Err(_) => None,
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Step {
    Key(String),
    Index(usize),
}

/// Every place in a certificate.
fn paths(value: &Value) -> Vec<Vec<Step>> {
    let children: Vec<(Step, &Value)> = match value {
        Value::Array(items) => {
            items.iter().enumerate().map(|(i, item)| (Step::Index(i), item)).collect()
        }
        Value::Object(map) => map.iter().map(|(k, item)| (Step::Key(k.clone()), item)).collect(),
        _ => Vec::new(),
    };
    let mut all = vec![Vec::new()];
    for (step, child) in children {
        all.extend(paths(child).into_iter().map(|rest| [vec![step.clone()], rest].concat()));
    }
    all
}

fn at<'v>(value: &'v mut Value, path: &[Step]) -> &'v mut Value {
    path.iter().fold(value, |value, step| match step {
        Step::Key(key) => &mut value[key.as_str()],
        Step::Index(i) => &mut value[*i],
    })
}

/// The last two keys of a path, without the symbols of laws. The witness and the pair that attains
/// the worst δ follow one rule and are one field.
fn field(path: &[Step]) -> String {
    let mut keys = Vec::new();
    let mut symbol = false;
    for step in path {
        if let Step::Key(key) = step {
            if !symbol {
                let pair = matches!(key.as_str(), "witness" | "attained_by");
                keys.push(if pair { "pair" } else { key.as_str() });
            }
            symbol = !symbol && matches!(key.as_str(), "respond" | "observe");
        }
    }
    let depth = path.iter().rev().take_while(|step| matches!(step, Step::Index(_))).count();
    format!("{}{}", keys[keys.len().saturating_sub(2)..].join("."), "[]".repeat(depth))
}

/// Other values of the same type: those that a check of types does not catch.
fn plausible(certificate: &Value, field: &str, value: &Value) -> Vec<Value> {
    let strings = |list: &[&str]| list.iter().map(|text| json!(text)).collect::<Vec<_>>();
    let automaton = &certificate["automaton"];
    let listed = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let end = field.rsplit('.').next().unwrap_or(field);
    let mut others = match (end, value) {
        (
            "delta" | "worst_delta" | "first_probability" | "second_probability" | "weight"
            | "expected_mistakes",
            Value::String(text),
        ) => {
            let near = [" + 1/1000", " - 1/1000", " + 2^-100", " - 2^-100"];
            let mut others = strings(&["0", "1", "1/2", "1/3", "2/3", "exp(-1)", "3"]);
            if !text.starts_with('(') {
                others.extend(near.map(|near| json!(format!("{text}{near}"))));
            }
            others.retain(|other| number(other.as_str().unwrap()) != number(text));
            others
        }
        ("to", _) => {
            listed(&automaton["states"]).iter().map(|state| state["name"].clone()).collect()
        }
        ("output" | "event[][]", _) => {
            let outputs = listed(&automaton["outputs"]);
            if outputs.is_empty() { strings(&["0", "1"]) } else { outputs }
        }
        ("first[]" | "second[]" | "pair[]" | "stream[]", _) => {
            let alphabets = ["records", "before"].map(|key| listed(&automaton[key])).concat();
            let example =
                |x: &Value| ["0", "1"].map(|y| json!(format!("{}:{y}", x.as_str().unwrap())));
            [alphabets, listed(&automaton["points"]).iter().flat_map(example).collect()].concat()
        }
        ("hypotheses[]", _) => strings(&["00", "01", "10", "11"]),
        ("epsilon", _) => strings(&["0", "1/2", "ln(2)", "1", "1/1000"]),
        ("verdict", _) => strings(&["holds", "refuted"]),
        ("notion", _) => strings(&["whole", "joint"]),
        ("neighbours", _) => strings(&["replacement", "add-remove"]),
        ("streams", _) => strings(&["all", "realisable", "listed"]),
        ("rounds", Value::Number(_)) => vec![json!(1), json!(2), json!(3)],
        _ => Vec::new(),
    };
    others.retain(|other| other != value);
    others
}

/// Every other change to a value: type, presence, length, order, text.
fn crude(value: &Value) -> Vec<Value> {
    let mut others =
        vec![Value::Null, json!(true), json!(1.5), json!(-7), json!("1"), json!([]), json!({})];
    match value {
        Value::String(text) => {
            others.extend(
                [format!("{text}x"), format!("{text}0"), format!("-{text}")].map(Value::from),
            );
        }
        Value::Array(items) => {
            for i in 0..items.len() {
                let mut removed = items.clone();
                removed.remove(i);
                let mut doubled = items.clone();
                doubled.insert(i, items[i].clone());
                others.extend([Value::from(removed), Value::from(doubled)]);
                if i > 0 {
                    let mut swapped = items.clone();
                    swapped.swap(i - 1, i);
                    others.push(swapped.into());
                }
                // Two weights of one law exchanged, so that it still sums to 1.
                if i > 0 && items[i].get("weight").is_some() {
                    let mut exchanged = items.clone();
                    exchanged[i]["weight"] = items[i - 1]["weight"].clone();
                    exchanged[i - 1]["weight"] = items[i]["weight"].clone();
                    others.push(exchanged.into());
                }
            }
        }
        Value::Object(map) => {
            for key in map.keys() {
                let mut removed = map.clone();
                removed.remove(key);
                others.push(removed.into());
            }
            let mut surplus = map.clone();
            surplus.insert("extra".into(), Value::Null);
            others.push(surplus.into());
        }
        _ => {}
    }
    others.retain(|other| other != value);
    others
}

#[derive(Debug, Default)]
struct Count {
    all: u32,
    rejected: u32,
}

/// Fields of which at least nine in ten plausible changes must be rejected. The others leave more
/// true statements: a greater δ holds too, ε matters little where an event has probability 0 under
/// one stream, and where the last observation leads matters to no output.
const LOAD_BEARING: [&str; 19] = [
    "claim.worst_delta",
    "claim.verdict",
    "claim.expected_mistakes",
    "claim.pair[]",
    "pair.first[]",
    "pair.second[]",
    "pair.event[][]",
    "pair.first_probability",
    "pair.second_probability",
    "listed.weight",
    "start.to",
    "start.weight",
    "respond.weight",
    "observe.weight",
    "finish.output",
    "finish.weight",
    "notion",
    "neighbours",
    "streams",
];

#[test]
fn every_mutation_is_rejected_or_still_true() {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for honest in certificates() {
        let statements = proved(&honest);
        assert!(statements.is_some(), "{honest}");
        for (place, path) in paths(&honest).into_iter().enumerate() {
            let field = field(&path);
            let original = at(&mut honest.clone(), &path).clone();
            let plausible = plausible(&honest, &field, &original);
            // What is of another form is alike wherever it stands.
            let crude = if place % 3 == 0 { crude(&original) } else { Vec::new() };
            let kinds = plausible.iter().map(|v| (true, v)).chain(crude.iter().map(|v| (false, v)));
            for (counted, value) in kinds {
                let mut forged = honest.clone();
                *at(&mut forged, &path) = value.clone();
                let accepted = proved(&forged);
                for statement in accepted.iter().flatten() {
                    let unchanged = forged["automaton"] == honest["automaton"]
                        && forged["hypotheses"] == honest["hypotheses"]
                        && forged["listed"] == honest["listed"]
                        && statements.as_ref().is_some_and(|all| all.contains(statement));
                    let is_true = unchanged || is_true(&forged, statement);
                    assert!(is_true, "{statement} is false: {path:?} := {value} in {honest}");
                }
                // Where a mechanism starts, for one, matters little at every length.
                if counted && honest["kind"] != "privacy-every-length" {
                    let count = counts.entry(field.clone()).or_default();
                    count.all += 1;
                    count.rejected += u32::from(accepted.is_none());
                }
            }
        }
    }
    for name in LOAD_BEARING {
        let count = &counts[name];
        assert!(count.all >= 6, "{name}: {count:?}");
        assert!(10 * count.rejected >= 9 * count.all, "{name}: {count:?}");
    }
}

/// Every byte of a small certificate replaced and removed: no panic, and nothing false accepted.
#[test]
fn every_change_of_a_byte_is_rejected_or_still_true() {
    let joint = question(Notion::Joint, Neighbours::Replacement, "1/10");
    let honest = certify(&parse(SMALL), &joint, None, 2, Some("1/10"));
    let text = serde_json::to_vec(&honest).unwrap();
    let mut accepted = 0;
    for i in 0..text.len() {
        let mut changes: Vec<Vec<u8>> = vec![[&text[..i], &text[i + 1..]].concat()];
        for replacement in b"0129-/*.,:[]{}\"n\\)\xff" {
            let mut changed = text.clone();
            changed[i] = *replacement;
            changes.push(changed);
        }
        for changed in changes.into_iter().filter(|changed| *changed != text) {
            let Ok(Outcome::Proved(report)) = verify(&changed, Limits::default()) else { continue };
            let certificate: Value = serde_json::from_slice(&changed).unwrap();
            accepted += 1;
            for statement in &report.proved {
                assert!(is_true(&certificate, statement), "{statement} is false: {certificate}");
            }
        }
    }
    assert!(accepted > 0, "the informative keys can be changed");
}

//! Forged certificates: honest ones with every part changed in turn, and well-formed ones for
//! false claims. Whatever the verifier accepts must be true, by the slow reference, of the class
//! in the certificate.

use std::collections::BTreeMap;

use crate::support::classes::{
    Table, all_classes, ball, boxes, intervals, random_classes, scattered, subsets, thresholds,
    xor_intervals,
};
use crate::support::config;
use crate::support::{producer, reference};
use littlestone::certificate::{Limits, Outcome, Rejection, Statement, Unproved, verify};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Classes of dimension 3 to 5. The first five have so many rows that the refutation has states
/// below the root; most of these are shared between columns, and those of `xor_intervals` have
/// children in their turn.
fn tables() -> Vec<Table> {
    vec![
        subsets(9, 4),
        ball(8, 4),
        xor_intervals(7),
        intervals(8),
        intervals(12),
        boxes(3, 3),
        thresholds(31),
        subsets(7, 3),
        scattered(40, 9, 7),
    ]
}

fn check(certificate: &Value) -> Result<Outcome, Rejection> {
    let bytes = serde_json::to_vec(certificate).expect("a value can be written");
    verify(&bytes, Limits::default())
}

/// What an accepted certificate proves; `None` for a rejected one.
fn proved(certificate: &Value) -> Option<Vec<Statement>> {
    match check(certificate) {
        Ok(Outcome::Proved(report)) => Some(report.proved),
        Ok(Outcome::Undecided { .. }) => panic!("no limit was set"),
        Err(_) => None,
    }
}

/// The dimension of the class in an accepted certificate, by the reference.
fn dimension_in(certificate: &Value) -> i32 {
    let strings = |key: &str| -> Vec<String> {
        serde_json::from_value(certificate[key].clone()).expect("accepted, so a list of strings")
    };
    let table = Table::parse(strings("points").len(), &strings("hypotheses"));
    reference::littlestone_dimension_pruned(&table.rows, table.points)
}

fn is_true(statement: &Statement, dimension: i32) -> bool {
    match statement {
        Statement::LittlestoneDimensionAtLeast(bound) => dimension >= *bound,
        Statement::LittlestoneDimensionAtMost(bound) => dimension <= *bound,
        other => panic!("{other:?} is not about the Littlestone dimension"),
    }
}

/// What the claim of a certificate says, as statements.
fn claimed(certificate: &Value) -> Vec<Statement> {
    let bound = |key: &str| {
        certificate["claim"][key].as_i64().map(|b| i32::try_from(b).expect("a small bound"))
    };
    let least = bound("at_least").map(Statement::LittlestoneDimensionAtLeast);
    let most = bound("at_most").map(Statement::LittlestoneDimensionAtMost);
    least.into_iter().chain(most).collect()
}

#[test]
fn honest_certificates_are_accepted() {
    let (mut children, mut shared) = (0, 0);
    for table in tables() {
        let certificate = producer::certificate(&table);
        assert_eq!(proved(&certificate), Some(claimed(&certificate)), "{certificate}");
        let states = certificate["upper"]["states"].as_array().expect("a list");
        let references = states
            .iter()
            .flat_map(|state| state.as_array().expect("a list"))
            .filter(|entry| !entry[2].is_null())
            .count();
        children += references;
        shared += references - (states.len() - 1);
    }
    assert!(children > 50, "the proofs exercise children: {children}");
    assert!(shared > 20, "some are shared: {shared}");
}

/// A certificate may claim less than is true, and one bound alone.
#[test]
fn weaker_claims_are_accepted() {
    let table = intervals(8);
    for (least, most) in
        [(Some(4), None), (None, Some(4)), (Some(2), Some(6)), (None, Some(90)), (Some(0), None)]
    {
        let certificate = producer::bounds(&table, least, most);
        assert_eq!(proved(&certificate), Some(claimed(&certificate)), "{least:?} {most:?}");
    }
}

/// Every class on at most 3 points: the true bounds are accepted, the next ones are not, however
/// well-formed.
#[test]
fn true_and_false_claims_about_every_class_on_at_most_three_points() {
    for points in 0..=3 {
        for table in all_classes(points) {
            let d = reference::littlestone_dimension(&table.rows, points);
            assert_bounds_are_sharp(&table, d);
        }
    }
}

/// The same for larger classes, where the false step lies deep in the refutation.
#[test]
fn true_and_false_claims_about_larger_classes() {
    for table in tables() {
        let d = reference::littlestone_dimension_pruned(&table.rows, table.points);
        assert_bounds_are_sharp(&table, d);
        for most in 0..d {
            assert_eq!(proved(&producer::bounds(&table, None, Some(most))), None, "{table:?}");
        }
    }
}

fn assert_bounds_are_sharp(table: &Table, d: i32) {
    let honest = producer::bounds(table, Some(d), Some(d));
    assert_eq!(proved(&honest), Some(claimed(&honest)), "{honest}");
    let too_deep = producer::bounds(table, Some(d + 1), None);
    assert!(check(&too_deep).is_err(), "{too_deep}");
    if d >= 0 {
        let too_low = producer::bounds(table, None, Some(d - 1));
        assert!(check(&too_low).is_err(), "{too_low}");
    }
}

proptest! {
    #![proptest_config(config(128))]

    #[test]
    fn true_and_false_claims_about_random_classes(table in random_classes(60, 8)) {
        let d = reference::littlestone_dimension_pruned(&table.rows, table.points);
        assert_bounds_are_sharp(&table, d);
    }
}

/// How many mutations of a field there were, and how many of them were rejected.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    all: u32,
    rejected: u32,
}

/// One step of a path into a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

/// The path to every value in a certificate, the root included.
fn paths(value: &Value) -> Vec<Vec<Step>> {
    fn walk(value: &Value, here: &mut Vec<Step>, all: &mut Vec<Vec<Step>>) {
        all.push(here.clone());
        let children: Vec<(Step, &Value)> = match value {
            Value::Array(items) => {
                items.iter().enumerate().map(|(i, item)| (Step::Index(i), item)).collect()
            }
            Value::Object(map) => {
                map.iter().map(|(key, item)| (Step::Key(key.clone()), item)).collect()
            }
            _ => Vec::new(),
        };
        for (step, child) in children {
            here.push(step);
            walk(child, here, all);
            here.pop();
        }
    }
    let mut all = Vec::new();
    walk(value, &mut Vec::new(), &mut all);
    all
}

fn at<'v>(value: &'v mut Value, path: &[Step]) -> &'v mut Value {
    path.iter().fold(value, |value, step| match step {
        Step::Key(key) => &mut value[key],
        Step::Index(i) => &mut value[*i],
    })
}

/// The field of a path: its keys, with `column`, `side` and `child` for the parts of an entry.
fn field(path: &[Step]) -> String {
    let mut name = String::new();
    for step in path {
        match step {
            Step::Key(key) => {
                name.push('.');
                name.push_str(key);
            }
            Step::Index(_) => name.push_str("[]"),
        }
    }
    if let (".upper.states[][][]", Some(Step::Index(i))) = (name.as_str(), path.last()) {
        return format!("upper.states: {}", ["column", "side", "child"][*i]);
    }
    name.trim_start_matches('.').to_owned()
}

/// Other values of the same type for a number or a null: those that a type check does not catch.
fn plausible(value: &Value, field: &str) -> Vec<Value> {
    let numbers = match value {
        Value::Number(n) => {
            let n = n.as_i64().expect("a small integer");
            vec![n - 1, n + 1, n - 2, n + 2, 0, 1 - n, n / 2, 2 * n]
        }
        Value::Null => vec![0, 1, 2, 5],
        _ => return Vec::new(),
    };
    let least = if field.starts_with("claim") { -1 } else { 0 };
    let mut others: Vec<Value> =
        numbers.into_iter().filter(|&n| n >= least).map(Value::from).collect();
    if value.is_number() && (field.ends_with("child") || field.starts_with("claim")) {
        others.push(Value::Null);
    }
    others.retain(|other| other != value);
    others.dedup();
    others
}

/// Every other change to a value: type, presence, length, order, text.
fn crude(value: &Value) -> Vec<Value> {
    let mut others =
        vec![Value::Null, json!(true), json!(1.5), json!(-7), json!("1"), json!([]), json!({})];
    match value {
        Value::String(text) => {
            others.extend(
                [format!("{text}x"), format!("{text}0"), text.chars().skip(1).collect()]
                    .map(Value::from),
            );
            for (i, symbol) in text.char_indices().filter(|(_, symbol)| "01".contains(*symbol)) {
                let flipped = if symbol == '0' { "1" } else { "0" };
                let mut changed = text.clone();
                changed.replace_range(i..=i, flipped);
                others.push(changed.into());
            }
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
            }
            let mut reversed = items.clone();
            reversed.reverse();
            others.push(reversed.into());
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

/// Fields whose change must break the proof, or very nearly always. Sides and the points and
/// leaves of a tree can be replaced by others that serve as well.
const LOAD_BEARING: [&str; 8] = [
    "claim.at_least",
    "claim.at_most",
    "lower.depth",
    "lower.points[]",
    "lower.leaves[]",
    "upper.states: column",
    "upper.states: side",
    "upper.states: child",
];

#[test]
fn every_mutation_is_rejected_or_still_true() {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut falsified = 0;
    for table in tables() {
        let honest = producer::certificate(&table);
        let honest_dimension = dimension_in(&honest);
        for (place, path) in paths(&honest).into_iter().enumerate() {
            let field = field(&path);
            let original = at(&mut honest.clone(), &path).clone();
            let plausible = plausible(&original, &field);
            // What is of another form is alike wherever it stands.
            let crude = if place % 3 == 0 { crude(&original) } else { Vec::new() };
            let kinds = plausible.iter().map(|v| (true, v)).chain(crude.iter().map(|v| (false, v)));
            for (counted, value) in kinds {
                let mut forged = honest.clone();
                *at(&mut forged, &path) = value.clone();
                let accepted = proved(&forged);
                if let Some(statements) = &accepted {
                    let same_class = forged["hypotheses"] == honest["hypotheses"];
                    let d = if same_class { honest_dimension } else { dimension_in(&forged) };
                    assert_eq!(*statements, claimed(&forged), "{path:?} := {value}");
                    for statement in statements {
                        assert!(is_true(statement, d), "{statement} is false: {path:?} := {value}");
                    }
                } else if field == "hypotheses[]" && value.is_string() {
                    // Only to count: the assertion above has no case where the claim is false.
                    falsified += u32::from(is_class_with_false_claim(&forged));
                }
                if counted {
                    let count = counts.entry(field.clone()).or_default();
                    count.all += 1;
                    count.rejected += u32::from(accepted.is_none());
                }
            }
        }
    }
    for name in LOAD_BEARING {
        let count = counts[name];
        assert!(count.all >= 30, "{name}: {count:?}");
        assert!(10 * count.rejected >= 9 * count.all, "{name}: {count:?}");
    }
    assert!(falsified >= 100, "labels whose change makes the claim false: {falsified}");
}

/// Whether a certificate with one changed hypothesis still holds a class, and its claim is false.
fn is_class_with_false_claim(certificate: &Value) -> bool {
    let rows: Vec<String> =
        serde_json::from_value(certificate["hypotheses"].clone()).expect("strings");
    let points = certificate["points"].as_array().expect("a list").len();
    let well_formed =
        rows.iter().all(|row| row.len() == points && row.bytes().all(|b| b == b'0' || b == b'1'));
    well_formed && {
        let table = Table::parse(points, &rows);
        let d = reference::littlestone_dimension_pruned(&table.rows, points);
        claimed(certificate).into_iter().any(|statement| !is_true(&statement, d))
    }
}

/// Every byte of a small certificate replaced and removed: no panic, and nothing false accepted.
#[test]
fn every_change_of_a_byte_is_rejected_or_still_true() {
    for table in [subsets(3, 1), thresholds(3), Table::new(2, []), Table::new(0, [0])] {
        let text = producer::certificate(&table).to_string().into_bytes();
        for i in 0..text.len() {
            for replacement in b"0123-.e,:[]{}\"n\\x\xff" {
                let mut changed = text.clone();
                changed[i] = *replacement;
                assert_true_if_accepted(&changed);
            }
            let mut shorter = text.clone();
            shorter.remove(i);
            assert_true_if_accepted(&shorter);
            assert!(verify(&text[..i], Limits::default()).is_err(), "cut off at byte {i}");
        }
    }
}

fn assert_true_if_accepted(text: &[u8]) {
    if let Ok(Outcome::Proved(report)) = verify(text, Limits::default()) {
        let certificate: Value = serde_json::from_slice(text).expect("accepted, so JSON");
        let d = dimension_in(&certificate);
        for statement in report.proved {
            assert!(is_true(&statement, d), "{statement} is false: {certificate}");
        }
    }
}

/// A child of bound 0 would have to be empty, which no side with an entry is.
#[test]
fn a_child_with_bound_zero_is_rejected() {
    let mut forged = producer::bounds(&subsets(3, 1), None, Some(0));
    forged["upper"]["states"] = json!([[[0, 1, 1], [1, 1, 1]], []]);
    let Err(Rejection::Unproved { place, fault }) = check(&forged) else {
        panic!("a false claim is accepted");
    };
    assert_eq!(place, "upper.states[0][0]");
    assert_eq!(fault, Unproved::SideTooLarge { column: 0, side: 1, bound: 0 });
}

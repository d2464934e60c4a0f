//! The closed tables of certificates about decompositions: forged ones, and claims that no table
//! can prove.

use std::collections::BTreeMap;

use crate::support::decomposition::{Definitions, Enumeration, Functions, Queries, function, text};
use littlestone::certificate::{Limits, Outcome, Statement, verify};
use littlestone::class::{self, Class, ClassBuilder};
use littlestone::decomposition::certify::{self, Frame};
use littlestone::decomposition::{Decomposition, Irreducible, irreducible};
use littlestone::littlestone::Solver;
use littlestone::littlestone::certify::Missing;
use serde_json::{Value, json};

const FRAME: Frame<'static> = Frame { source: "test", limit: 1 << 24 };

fn accepted(certificate: &Value) -> Option<Vec<Statement>> {
    match verify(certificate.to_string().as_bytes(), Limits::default()) {
        Ok(Outcome::Proved(report)) => Some(report.proved),
        Ok(other) => panic!("no limit was set: {other:?}"),
        Err(_) => None,
    }
}

fn solver(class: &Class) -> Solver<'_> {
    Solver::new(class, littlestone::limits::Limits::default())
}

fn family(spec: &str) -> Class {
    class::load(spec).expect("a family").class
}

fn built(set: Functions, n: usize) -> Class {
    let mut builder = ClassBuilder::new((1..=n).map(|x| x.to_string()).collect());
    for f in (0..1 << n).filter(|f| set >> f & 1 == 1) {
        builder.push(None, (0..n).map(|x| f >> x & 1 == 1));
    }
    builder.build()
}

/// The certificate of ρ and C.
fn essential(class: &Class, p: u32, d: Option<i32>) -> Value {
    let solver = solver(class);
    let mut found = Decomposition::new(&solver, p, d).expect("a class");
    let (tree, hypotheses) =
        (found.tree().expect("no limit"), found.essential().expect("no limit"));
    let written = certify::essential(&mut found, FRAME, &hypotheses, &tree).expect("no limit");
    serde_json::to_value(written).expect("JSON")
}

/// The certificate that the class is, or is not, k-irreducible.
fn irreducibility(class: &Class, k: u64) -> Value {
    let solver = solver(class);
    let found = irreducible(&solver, k).expect("no limit");
    let written = certify::irreducibility(&solver, FRAME, k, &found).expect("no limit");
    serde_json::to_value(written).expect("JSON")
}

/// ρ and C of the library, which `tests/suite/decomposition.rs` compares with literal enumeration.
fn decomposed(class: &Class, p: u32, d: i32) -> (i32, Vec<String>) {
    let solver = solver(class);
    let mut found = Decomposition::new(&solver, p, Some(d)).expect("a class");
    let rho = found.dimension().value().expect("no limit");
    (rho, found.essential().expect("no limit").hypotheses)
}

/// Whether a statement about the class in a certificate is true.
fn is_true(certificate: &Value, statement: &Statement) -> bool {
    let rows: Vec<String> =
        serde_json::from_value(certificate["hypotheses"].clone()).expect("rows");
    let points = certificate["points"].as_array().expect("a list").len();
    let mut builder = ClassBuilder::new((1..=points).map(|x| x.to_string()).collect());
    for row in rows {
        builder.push(None, row.bytes().map(|b| b == b'1'));
    }
    let class = builder.build();
    let holds = |k: &u64| irreducible(&solver(&class), *k).expect("no limit") == Irreducible::Yes;
    match statement {
        Statement::Irreducible { k } => holds(k),
        Statement::NotIrreducible { k } => !holds(k),
        Statement::DecompositionDimensionAtLeast { parameters, bound } => {
            decomposed(&class, parameters.p, parameters.ambient).0 >= *bound
        }
        Statement::DecompositionDimensionAtMost { parameters, bound } => {
            decomposed(&class, parameters.p, parameters.ambient).0 <= *bound
        }
        Statement::EssentialHypotheses { parameters, essential } => {
            decomposed(&class, parameters.p, parameters.ambient).1 == *essential
        }
        other => panic!("another statement: {other}"),
    }
}

/// Certificates whose tables have states and rows of every kind.
fn written() -> Vec<Value> {
    let mut found: Vec<Value> = [
        ("subsets:5,2", 1, None),
        ("subsets:6,2", 2, None),
        ("projective-plane:3", 1, None),
        ("permutation:4", 1, None),
        ("permutation:4", 1, Some(4)),
        ("sparse:28,16,12,1", 1, None),
    ]
    .into_iter()
    .map(|(class, p, d)| essential(&family(class), p, d))
    .collect();
    // Found by a search over small classes: ρ < d, and an essential hypothesis for which points
    // have to be tried.
    found.extend(queried().into_iter().take(3));
    found.push(irreducibility(&family("projective-plane:3"), 2));
    found.push(irreducibility(&family("permutation:4"), 2));
    found.push(irreducibility(&family("permutation:4"), 3));
    found
}

/// Certificates of classes on 5 points of a linear congruential generator in which some row of a
/// table of a member tries all points.
fn queried() -> Vec<Value> {
    let mut found = Vec::new();
    for set in sampled(5, 400) {
        let certificate = essential(&built(set, 5), 1, None);
        if certificate["members"].to_string().contains("query") {
            found.push(certificate);
        }
    }
    found
}

/// Classes on n points of a linear congruential generator.
fn sampled(n: usize, count: usize) -> Vec<Functions> {
    let mut seed = 7u64;
    let mut draw = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    };
    (0..count).map(|i| (0..5 + i % 9).fold(0, |set, _| set | 1 << (draw() % (1 << n)))).collect()
}

/// Every kind of state and of row stands in some certificate below, or tests would say nothing of it.
#[test]
fn tables_have_states_of_every_kind() {
    let all = written();
    let kinds = |key: &str| {
        let lists = all.iter().flat_map(|certificate| match &certificate[key] {
            Value::Array(items) => items.clone(),
            _ => Vec::new(),
        });
        let mut counted: BTreeMap<String, usize> = BTreeMap::new();
        for item in lists.flat_map(|item| match item {
            Value::Array(rows) => rows,
            item => vec![item],
        }) {
            let kind = item.as_object().expect("an object").keys().next().expect("a key").clone();
            *counted.entry(kind).or_default() += 1;
        }
        counted
    };
    let states = kinds("states");
    for kind in ["at_least", "below", "keeps", "no_tree"] {
        assert!(states.get(kind).is_some_and(|&n| n > 1), "{kind}: {states:?}");
    }
    let rows = kinds("members");
    for kind in ["no_tree", "only", "query"] {
        assert!(rows.contains_key(kind), "{kind}: {rows:?}");
    }
    for certificate in &all {
        let proved = accepted(certificate).expect("what is written is accepted");
        assert!(proved.iter().all(|statement| is_true(certificate, statement)));
    }
}

/// Where a value may be changed: the arrays and objects of the tables and trees.
fn places(value: &Value, place: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            found.push(place.to_owned());
            for (i, item) in items.iter().enumerate() {
                places(item, &format!("{place}/{i}"), found);
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                places(item, &format!("{place}/{key}"), found);
            }
        }
        _ => found.push(place.to_owned()),
    }
}

/// The changes of one place in the tables: a row dropped or doubled, neighbours exchanged, a bound
/// raised or lowered, a child redirected or left out.
fn changes(value: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    match value {
        Value::Array(items) if !items.is_empty() => {
            for i in (0..items.len()).step_by(items.len().div_ceil(6)) {
                let mut fewer = items.clone();
                fewer.remove(i);
                found.push(fewer.into());
                let mut doubled = items.clone();
                doubled.insert(i, items[i].clone());
                found.push(doubled.into());
                if i > 0 {
                    let mut swapped = items.clone();
                    swapped.swap(i - 1, i);
                    found.push(swapped.into());
                }
            }
        }
        Value::Number(number) => {
            let number = number.as_i64().expect("an integer");
            found.extend([number - 1, number + 1, 0, 1 - number, 2 * number].map(Value::from));
            found.push(Value::Null);
        }
        Value::Null => found.extend([json!(0), json!(1), json!(4)]),
        _ => {}
    }
    found.retain(|other| other != value);
    found
}

/// Every change of the tables is rejected, or what is left is still a proof of something true. A
/// change that leaves a proof is a rare thing: of 100 changes at most 25 do, most of them an exchange
/// of what is alike, a weaker demand, or a state in the place of what is evident.
#[test]
fn forged_tables_are_rejected_or_true() {
    let (mut all, mut rejected) = (0u32, 0u32);
    for certificate in written() {
        let mut found = Vec::new();
        for key in ["states", "members", "tree", "proof", "below", "no_tree"] {
            if let Some(value) = certificate.get(key) {
                places(value, &format!("/{key}"), &mut found);
            }
        }
        // As many places of every certificate, spread over it.
        let step = found.len().div_ceil(60);
        for place in found.iter().step_by(step) {
            let original = certificate.pointer(place).expect("a place").clone();
            for value in changes(&original) {
                let mut forged = certificate.clone();
                *forged.pointer_mut(place).expect("a place") = value;
                if forged == certificate {
                    continue;
                }
                all += 1;
                match accepted(&forged) {
                    None => rejected += 1,
                    // The claim and the class are the same.
                    Some(proved) => {
                        assert_eq!(Some(proved), accepted(&certificate), "{place}: {forged}");
                    }
                }
            }
        }
    }
    assert!(all > 2000, "{all}");
    assert!(rejected * 100 >= all * 75, "{rejected} of {all}");
}

/// With a label of the class flipped, a hypothesis left out, two labels exchanged, or other p and d,
/// a table is rejected or proves what is true of the other class.
#[test]
fn a_table_of_another_class_is_rejected_or_true() {
    let (mut all, mut rejected) = (0u32, 0u32);
    for certificate in written() {
        let hypotheses = certificate["hypotheses"].as_array().expect("a list");
        let mut forged = Vec::new();
        for h in (0..hypotheses.len()).step_by(hypotheses.len().div_ceil(6)) {
            let mut fewer = certificate.clone();
            fewer["hypotheses"].as_array_mut().expect("a list").remove(h);
            forged.push(fewer);
            let labels = hypotheses[h].as_str().expect("labels").to_owned();
            for x in [0, labels.len() / 2, labels.len() - 1] {
                let mut flipped: Vec<u8> = labels.clone().into_bytes();
                flipped[x] ^= 1;
                let mut other = certificate.clone();
                other["hypotheses"][h] = json!(String::from_utf8(flipped).expect("ASCII"));
                forged.push(other);
            }
            let mut swapped = certificate.clone();
            swapped["hypotheses"].as_array_mut().expect("a list").swap(0, h);
            forged.push(swapped);
        }
        for (key, change) in [("p", 1), ("p", -1), ("ambient", 1), ("ambient", -1), ("k", 1)] {
            if let Some(number) = certificate.get(key).and_then(Value::as_i64) {
                let mut other = certificate.clone();
                other[key] = json!(number + change);
                forged.push(other);
            }
        }
        for other in forged {
            all += 1;
            match accepted(&other) {
                None => rejected += 1,
                Some(proved) => {
                    for statement in &proved {
                        assert!(is_true(&other, statement), "{statement}: {other}");
                    }
                }
            }
        }
    }
    assert!(rejected * 2 > all, "{rejected} of {all}");
}

/// Claims beyond the truth, with the tables that a forger has at hand: nothing at all, the table of
/// the true claim, and that table with its bounds raised.
#[test]
fn no_table_proves_more_than_is_true() {
    let mut counted = [0u32; 2];
    let classes = (1..1u64 << 8)
        .step_by(3)
        .map(|set| (set, 3))
        .chain(sampled(4, 30).into_iter().map(|set| (set, 4)));
    for (set, n) in classes {
        let mut definitions = Definitions::new(n);
        let least = definitions.dimension(set);
        let class = built(set, n);
        for (p, d) in [(1, least), (1, least + 1), (2, least)] {
            let certificate = essential(&class, p, Some(d));
            let mut enumeration = Enumeration::new(&mut definitions, p, d, Queries::Splitting);
            let (rho, _) = enumeration.decompose(set);
            for bound in 1..=d + 2 {
                for states in
                    [json!([]), certificate["states"].clone(), raised(&certificate, bound)]
                {
                    for no_tree in [json!(null), json!(0), json!(1)] {
                        let forged = json!({
                            "format": 1, "kind": "decomposition-dimension", "producer": "",
                            "source": "", "points": certificate["points"],
                            "hypotheses": certificate["hypotheses"], "p": p, "ambient": d,
                            "claim": { "at_least": bound, "at_most": null },
                            "below": certificate["below"], "tree": null, "no_tree": no_tree,
                            "states": states,
                        });
                        counted[0] += 1;
                        if accepted(&forged).is_some() {
                            assert!(bound <= rho, "{forged}");
                        }
                    }
                }
            }
        }
        for k in 0..=u64::try_from(n).expect("few points") + 1 {
            for dimension in -1..=3 {
                let honest = irreducibility(&class, k);
                for states in [json!([]), honest["states"].clone()] {
                    let mut forged = honest.clone();
                    forged["claim"]["irreducible"] = json!(true);
                    forged["violating"] = json!(null);
                    forged["states"] = states;
                    let kept = json!({ "dimension": dimension, "below": null, "keeps": null });
                    forged["proof"] = json!({ "kept": kept });
                    counted[1] += 1;
                    if accepted(&forged).is_some() {
                        assert!(definitions.irreducible(set, k.into()), "{forged}");
                    }
                }
            }
        }
    }
    assert!(counted.iter().all(|&n| n > 1000), "{counted:?}");
}

/// A function that some optimal tree avoids is not proved essential, by no table that is at hand.
#[test]
fn no_table_makes_an_excluded_function_essential() {
    // The first has no essential hypothesis: the smallest such class, found by exhaustion.
    let seven = ["0000", "1000", "0100", "1010", "0110", "1001", "0101"];
    let seven = seven.iter().fold(0, |set, f| set | 1 << function(f));
    let classes = std::iter::once(seven).chain(sampled(4, 4000));
    let mut counted = 0;
    let n = 4;
    for set in classes {
        let certificate = essential(&built(set, n), 1, None);
        let excluded = certificate["excluded"].as_array().expect("a list");
        if excluded.is_empty() {
            continue;
        }
        let mut definitions = Definitions::new(n);
        let d = definitions.dimension(set);
        let mut enumeration = Enumeration::new(&mut definitions, 1, d, Queries::Splitting);
        let truth: Vec<String> = enumeration.decompose(set).1.iter().map(|&f| text(f, n)).collect();
        for excluded in excluded {
            let function = &excluded["hypothesis"];
            assert!(!truth.contains(&function.as_str().expect("a string").to_owned()));
            for rows in member_rows(&certificate, n) {
                let mut forged = certificate.clone();
                let essential = forged["claim"]["essential"].as_array_mut().expect("a list");
                let at = essential.partition_point(|f| f.as_str() < function.as_str());
                essential.insert(at, function.clone());
                let list = forged["excluded"].as_array_mut().expect("a list");
                list.retain(|other| other["hypothesis"] != *function);
                if list.is_empty() {
                    forged["avoiding"] = json!([]);
                }
                forged["members"].as_array_mut().expect("a list").insert(at, rows);
                counted += 1;
                assert_eq!(accepted(&forged), None, "{forged}");
            }
        }
    }
    assert!(counted > 100, "{counted}");
}

/// The states of a certificate, all of them about trees whose leaves may have one dimension more.
fn raised(certificate: &Value, bound: i32) -> Value {
    let mut states = certificate["states"].clone();
    for state in states.as_array_mut().expect("a list") {
        if let Some(fact) = state.get_mut("no_tree") {
            fact["leaves"] = json!(bound - 1);
        }
        if let Some(fact) = state.get_mut("keeps") {
            fact["dimension"] = json!(bound);
        }
    }
    states
}

/// Tables for a member, of one row and of those that stand in the certificate.
fn member_rows(certificate: &Value, points: usize) -> Vec<Value> {
    let nulls = vec![Value::Null; points];
    let mut found = vec![json!([])];
    for no_tree in [json!(null), json!(0), certificate["no_tree"].clone()] {
        found.push(json!([{ "no_tree": { "depth": 0, "no_tree": no_tree } }]));
        found.push(json!([{ "only": { "depth": 0, "below": nulls, "no_tree": no_tree } }]));
        for label in [0, 1] {
            let side = json!([label, no_tree]);
            let query = json!({ "depth": 0, "leaf": null, "points": vec![side; points] });
            found.push(json!([{ "query": query }]));
        }
    }
    found.extend(certificate["members"].as_array().expect("a list").iter().cloned());
    found
}

/// A table beyond the limit on its size is no table, and one without its lower bound is smaller.
#[test]
fn a_proof_that_is_too_large_is_not_written() {
    let class = family("permutation:5");
    let solver = solver(&class);
    let frame = |limit| Frame { source: "test", limit };
    let mut found = Decomposition::new(&solver, 1, None).expect("a class");
    let (tree, dimension) = (found.tree().expect("no limit"), found.dimension());
    let hypotheses = found.essential().expect("no limit");
    let too_large = certify::essential(&mut found, frame(1000), &hypotheses, &tree);
    assert_eq!(too_large, Err(Missing::TooLarge));
    let too_large = certify::dimension(&mut found, frame(1000), Some(dimension), Some(&tree));
    assert_eq!(too_large, Err(Missing::TooLarge));
    let irreducible = irreducible(&solver, 3).expect("no limit");
    let too_large = certify::irreducibility(&solver, frame(100), 3, &irreducible);
    assert_eq!(too_large, Err(Missing::TooLarge));
    let none = certify::dimension(&mut found, FRAME, None, None).expect("no limit");
    assert_eq!(none, None);
}

/// The table is a function of the class: it does not depend on what else was asked before.
#[test]
fn tables_do_not_depend_on_the_search() {
    let class = family("sparse:28,16,12,1");
    let first = essential(&class, 1, None);
    let solver = solver(&class);
    let mut found = Decomposition::new(&solver, 1, None).expect("a class");
    let tree = found.tree().expect("no limit");
    let zero = "0".repeat(class.points());
    found.avoiding(&zero).expect("no limit");
    let hypotheses = found.essential().expect("no limit");
    certify::essential(&mut found, FRAME, &hypotheses, &tree).expect("no limit");
    let second = certify::essential(&mut found, FRAME, &hypotheses, &tree).expect("no limit");
    assert_eq!(serde_json::to_value(second).expect("JSON"), first);
}

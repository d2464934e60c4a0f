//! `table combine` from outside: formats, agreement with `verify`, limits, drawings, bad input.

use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use serde_json::Value;

use crate::support::program::{json, run, stdout};

const FOUR: &str = "table combine --epsilon ln(3/2) --rounds 4 --delta 1/20";

/// All streams of four triples, enumerated by a program that shares nothing with this one.
const VALUES: [&str; 8] = [
    "31/52",
    "119/325",
    "42159/174250",
    "339519/2113345",
    "1418109/13659364",
    "235728/3121625",
    "7003341/126950980",
    "43092/1076045",
];

#[test]
fn every_format_has_the_exact_values() {
    let text = stdout(&format!("{FOUR} --d 1..8"), 0);
    let csv = stdout(&format!("{FOUR} --d 1..8 --format csv"), 0);
    let found = json(&format!("{FOUR} --d 1..8"), 0);
    assert_eq!(csv.lines().next(), Some("D,worst_delta,decimal"));
    assert_eq!(csv.lines().count(), 9);
    for (place, value) in VALUES.iter().enumerate() {
        let d = place + 1;
        assert!(
            text.lines().any(|line| line.starts_with(&format!("{d}  ")) && line.ends_with(value))
        );
        assert!(csv.lines().any(|line| line.starts_with(&format!("{d},{value},0."))), "{csv}");
        let row = &found["rows"][place];
        assert_eq!((&row["d"], &row["worst_delta"]), (&d.into(), &(*value).into()));
        assert!(row.get("worst_delta_enclosure").is_none());
    }
    assert!(text.ends_with("smallest D that is private: 8\n"), "{text}");
    let expected: [(&str, Value); 6] = [
        ("command", "table combine".into()),
        ("complete", true.into()),
        ("delta", "1/20".into()),
        ("epsilon", "ln(3/2)".into()),
        ("rounds", 4.into()),
        ("smallest", 8.into()),
    ];
    for (key, value) in expected {
        assert_eq!(found[key], value, "{key}");
    }
}

#[test]
fn a_power_of_e_is_exact_and_enclosed() {
    let found = json("table combine --epsilon 1/2 --rounds 3 --d 2..3", 0);
    assert!(found.get("smallest").is_none() && found.get("delta").is_none());
    for row in found["rows"].as_array().unwrap() {
        let line = format!("verify combine:D={} --rounds 3 --epsilon 1/2 --joint", row["d"]);
        assert_eq!(row["worst_delta"], json(&line, 0)["worst_delta"]);
        assert!(row["worst_delta"].as_str().unwrap().contains("exp(1/2)"));
        let ends = row["worst_delta_enclosure"].as_array().unwrap();
        assert_eq!(ends.len(), 2);
    }
    assert_eq!(
        json("table combine --epsilon 1/2 --rounds 3 --d 2..3 --delta 0", 0)["smallest"],
        Value::Null
    );
}

#[test]
fn output_does_not_depend_on_the_threads() {
    for format in ["human", "csv", "json"] {
        let of = |jobs: u8| stdout(&format!("{FOUR} --d 1..4 --format {format} --jobs {jobs}"), 0);
        assert_eq!(of(1), of(3));
    }
}

#[test]
fn a_limit_ends_the_table() {
    let line = "table combine --epsilon ln(3/2) --rounds 6 --d 1..3 --limit-states 2";
    run(line)
        .assert()
        .code(3)
        .stderr(contains("the worst δ for D = 1 is not known: the limit on states was reached"));
    let found = json(line, 3);
    assert_eq!((&found["complete"], &found["rows"]), (&false.into(), &Value::Array(Vec::new())));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.svg");
    run(&format!("{line} --svg {}", path.display())).assert().code(3);
    assert!(!path.exists());
}

#[test]
fn a_drawing_is_well_formed_and_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for (name, jobs) in [("a.svg", 1), ("b.svg", 2)] {
        run(&format!("{FOUR} --d 1..9 --svg {} --jobs {jobs}", path(name)))
            .assert()
            .success()
            .stderr(contains("drawing written to "));
    }
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    let svg = read("a.svg");
    assert_eq!(svg, read("b.svg"));
    let mut reader = quick_xml::Reader::from_str(&svg);
    while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
    assert_eq!(svg.matches("<circle ").count(), 9);
    // One point is filled: the smallest D.
    assert_eq!(svg.matches("fill=\"#0072b2\"").count(), 1);
    assert!(svg.contains("<title>D = 8: worst δ = 43092/1076045</title>"));
    assert!(svg.contains(">δ = 1/20</text>") && svg.contains("Combine, joint, ε = ln(3/2), T = 4"));
}

#[test]
fn bad_input_is_an_error_with_its_place() {
    for (line, part) in [
        ("table combine --rounds 4", "--epsilon"),
        ("table combine --epsilon 1/2", "--rounds"),
        (
            "table combine --epsilon 1/2 --rounds 1..4",
            "expected one number of rounds, found a range",
        ),
        ("table combine --epsilon 1/2 --rounds 4 --d 3..1", "expected a value of D, at least 1"),
        ("table combine --epsilon 1/2 --rounds 4 --svg d.png", "ends in .svg"),
        ("table combine --epsilon 1/2 --rounds 0", "0"),
        ("table combine --epsilon -1 --rounds 4", "-1"),
        ("table combine --epsilon 1/2 --rounds 4 --d 0..3", "0..3"),
        ("table combine --epsilon 1/2 --rounds 4 --d 3..1", "3..1"),
        ("table combine --epsilon 1/2 --rounds 4 --delta 1", "--delta"),
        ("table combine --epsilon 1/2 --rounds 4 --format xml", "xml"),
        ("table combine --epsilon 1/2 --rounds 4 --svg /nowhere/at/all.svg", "/nowhere/at/all.svg"),
        ("table replacement --epsilon 1/2 --rounds 4", "replacement"),
    ] {
        let assert = run(line).assert().code(2).stdout(predicate::str::is_empty());
        assert.stderr(starts_with("error").and(contains(part)));
    }
}

//! `bounds learning` from outside: hypotheses, values, Table 1, Figure 1, drawings, bad input.

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::support::program::{json, run};

const POINT3: &str = "bounds learning --class point:3 --rounds 10^6 --epsilon 1/100 --delta 1/20";

fn bound<'a>(found: &'a Value, side: &str, name: &str) -> &'a Value {
    let bounds = found[side].as_array().unwrap();
    bounds.iter().find(|bound| bound["name"] == name).unwrap()
}

/// Constants that nobody gave are recalled, and those that were given are not.
#[test]
fn stand_ins_for_constants_are_noted() {
    let remark = |line: &str| json(line, 0)["remarks"].as_array().unwrap().first().cloned();
    let found = remark(POINT3).unwrap();
    let found = found.as_str().unwrap();
    assert!(found.contains("theorem-1") && found.contains("may exceed an upper one"), "{found}");
    // The other constants are those of bounds that do not apply there.
    let given = ["theorem-1", "lwy25", "lyu26", "figure-1"];
    let given: Vec<String> = given.iter().map(|name| format!("--constant {name}=1/100")).collect();
    assert_eq!(remark(&format!("{POINT3} {}", given.join(" "))), None);
}

/// (log(2·10^6))^(2/3) = 5.948646439024042 in double precision, by Python.
#[test]
fn theorem_1_has_its_value_and_its_hypotheses() {
    let found = json(POINT3, 0);
    let theorem = bound(&found, "lower", "Theorem 1 (Theorem A)");
    assert_eq!(theorem["applies"], true);
    assert!(theorem["value"]["decimal"].as_str().unwrap().starts_with("5.948646439024"));
    let general = bound(&found, "lower", "Theorem 2");
    assert_eq!((&general["applies"], &general["value"]), (&Value::from(false), &Value::Null));
    assert_eq!(general["hypotheses"][0]["hypothesis"], "d ≥ 2");
    assert_eq!(general["hypotheses"][0]["truth"], "violated");
    assert_eq!(found["table_1"].as_array().unwrap().len(), 4);
    run(POINT3)
        .assert()
        .success()
        .stdout(contains("Theorem 1 (Theorem A): 5.948646…\n"))
        .stdout(contains("Theorem 2: not applicable\n"))
        .stdout(contains("    violated: d ≥ 2\n"));
}

#[test]
fn constants_scale_their_bounds_alone() {
    let line = format!("{POINT3} --constant theorem-1=1/2");
    let found = json(&line, 0);
    let theorem = &bound(&found, "lower", "Theorem 1 (Theorem A)")["value"]["decimal"];
    assert!(theorem.as_str().unwrap().starts_with("2.974323219512"));
    let other = &bound(&found, "upper", "name and shame [DSS24]")["value"]["at_least"];
    assert_eq!(other, "20");
}

#[test]
fn that_no_lower_bound_applies_is_noted() {
    run("bounds learning --d 0 --rounds 9 --epsilon 1/2 --delta 1/4")
        .assert()
        .success()
        .stdout(contains("fair bits: "))
        .stdout(contains("note: no lower bound applies"));
}

/// δ = 1/log T is above 1/4 for T ≤ e^4 = 54.6, and Theorem A needs ε ≤ 1/100.
#[test]
fn theorem_a_is_in_table_1_where_it_applies() {
    for (rounds, epsilon, applies) in
        [("54", "1/100", false), ("55", "1/100", true), ("55", "1/50", false)]
    {
        let line = format!("bounds learning --class point:3 --rounds {rounds} --epsilon {epsilon}");
        let found = json(&format!("{line} --delta 1/4"), 0);
        let row = &found["table_1"][3];
        assert_eq!(row["name"], "Theorem A");
        assert_eq!(row["value"].is_null(), !applies, "{line}");
    }
}

#[test]
fn the_figure_is_drawn_from_the_formulas() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.svg");
    run(&format!("{POINT3} --plot {}", path.display())).assert().success();
    let svg = std::fs::read_to_string(&path).unwrap();
    let mut reader = quick_xml::Reader::from_str(&svg);
    while !matches!(reader.read_event().unwrap(), quick_xml::events::Event::Eof) {}
    for name in ["Theorem 1 (Theorem A)", "[LWY24]", "name and shame [DSS24]", "[GL21], [LWY24]"] {
        assert!(svg.contains(&format!(">{name}</text>")), "{name}");
    }
    assert!(svg.contains("fill=\"#e4e4e4\""), "the gap");
    run(&format!("{POINT3} --plot f.png")).assert().code(2);
}

#[test]
fn bad_input_is_refused() {
    for (line, expected) in [
        ("--class point:3 --rounds 0 --epsilon 1 --delta 0", "at least 1"),
        ("--class point:3 --rounds 1/2 --epsilon 1 --delta 0", "at least 1"),
        ("--class point:3 --rounds 10^20000 --epsilon 1 --delta 0", "below 2^65536"),
        ("--d 1 --rounds 9 --epsilon 1 --delta 0 --constant lwy24=1 --constant lwy24=2", "twice"),
        ("--class point:3 --rounds x --epsilon 1 --delta 0", "x"),
        ("--class point:3 --rounds 9 --epsilon -1 --delta 0", "not negative"),
        ("--class point:3 --rounds 9 --epsilon 1 --delta 1", "less than 1"),
        ("--class point:3 --rounds 9 --epsilon 1 --delta 0 --beta 2", "in [0, 1]"),
        ("--class point:3 --rounds 9 --epsilon 1 --delta 0 --constant x=1", "lwy24"),
        ("--class point:3 --rounds 9 --epsilon 1 --delta 0 --constant lwy24=0", "positive"),
        (
            "--class point:3 --d 2 --rounds 9 --epsilon 1 --delta 0",
            "--class: expected it or `d`, found both",
        ),
        ("--rounds 9 --epsilon 1 --delta 0", "--class: expected it or `d`, found neither"),
    ] {
        run(&format!("bounds learning {line}"))
            .assert()
            .code(2)
            .stdout(predicate::str::is_empty())
            .stderr(contains(expected));
    }
}

//! `profile` from outside: formats, agreement with `verify`, limits, drawings, bad input.

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::support::program::{json, run, stdout};

const SOA: &str = "subsampled-soa:gamma=1/8,flip=1/4 --class point:3 --rounds 3 --joint";

/// By hand: one bit with two outputs of ratios 3 and 1/3, 3/4 − α/4; it is 1/10 at α = 13/5.
#[test]
fn randomised_response_is_one_piece() {
    let text = stdout("profile randomised-response:flip=1/4 --rounds 1 --delta 1/10", 0);
    for line in [
        "1         0                  1/2 = 0.5  3/4 − 1/4·e^ε  0 | 1\n",
        "3         ln(3) = 1.098612…  0          0              every pair, for no output is too \
         likely\n",
        "δ at ε = 0: 1/2 = 0.5\n",
        "least ε for δ = 1/10: ln(13/5) = 0.955511445027…\n",
        "least ε for δ = 0: ln(3) = 1.098612288668…\n",
    ] {
        assert!(text.contains(line), "{line:?} in\n{text}");
    }
}

#[test]
fn the_value_at_an_epsilon_is_that_of_verify() {
    for epsilon in ["0", "1/3", "ln(3/2)", "ln(61/32)", "5"] {
        let verified = json(&format!("verify {SOA} --epsilon {epsilon}"), 0);
        let found = json(&format!("profile {SOA} --epsilon {epsilon}"), 0);
        let answer = &found["profiles"][0]["delta_at_epsilon"];
        assert_eq!(answer["delta"], verified["worst_delta"], "{epsilon}");
        assert_eq!(answer["exact"], true);
    }
}

/// 1/16 and 13/512 come from two computations that share nothing with this one.
#[test]
fn json_and_csv_list_all_breakpoints() {
    let found = json(&format!("profile {SOA} --epsilon ln(3/2) --jobs 1"), 0);
    assert_eq!(found, json(&format!("profile {SOA} --epsilon ln(3/2) --jobs 3"), 0));
    let profile = &found["profiles"][0];
    assert_eq!(profile["delta_at_epsilon_0"]["delta"], "1/16");
    assert_eq!(profile["delta_at_epsilon"]["delta"], "13/512");
    assert_eq!((&profile["limit"], &profile["complete"]), (&"0".into(), &true.into()));
    let breakpoints = profile["breakpoints"].as_array().unwrap();
    assert_eq!(breakpoints[0]["exp_epsilon"], "1");
    assert_eq!(breakpoints[0]["epsilon"], "0");
    let last = &breakpoints[breakpoints.len() - 1];
    assert_eq!(last["epsilon"], profile["pure_epsilon"]["epsilon"]);
    assert_eq!((&last["attained_by"], &last["slope"]), (&Value::Null, &"0".into()));
    let text = stdout(&format!("profile {SOA} --format csv"), 0);
    let rows: Vec<csv::StringRecord> =
        csv::Reader::from_reader(text.as_bytes()).records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), breakpoints.len());
    for (row, breakpoint) in rows.iter().zip(breakpoints) {
        assert_eq!(&row[0], "subsampled-soa:gamma=1/8,flip=1/4");
        assert_eq!(
            [&row[1], &row[4]].map(Value::from),
            [breakpoint["exp_epsilon"].clone(), breakpoint["delta"].clone()]
        );
    }
}

#[test]
fn without_a_pure_epsilon_the_limit_is_told() {
    let line = "profile subsampled-soa:gamma=1/8 --class point:3 --rounds 2 --joint --delta 1/9";
    let text = stdout(line, 0);
    let none = "none, for δ tends to 1/8 = 0.125 as ε grows\n";
    assert!(text.contains(&format!("least ε for δ = 1/9: {none}")), "{text}");
    assert!(text.ends_with(&format!("least ε for δ = 0: {none}")), "{text}");
    assert_eq!(json(line, 0)["profiles"][0]["pure_epsilon"]["epsilon"], Value::Null);
}

#[test]
fn a_limit_leaves_a_lower_bound() {
    let text = stdout(&format!("profile {SOA} --limit-states 5"), 3);
    assert!(text.contains("≥ ") && text.ends_with("verdict: undecided\n"), "{text}");
    let found = json(&format!("profile {SOA} --limit-states 5 --epsilon 0"), 3);
    assert_eq!(found["profiles"][0]["complete"], false);
    assert_eq!(found["profiles"][0]["delta_at_epsilon"]["exact"], false);
    run(&format!("profile {SOA} --timeout 0s"))
        .assert()
        .code(3)
        .stderr(contains("the time limit was reached"));
}

/// One bit, kept with 3/4: the profile of randomised response, for one record more or less and for
/// a listed pair; without a record the output is 0, so an added 1 has 3/4 against 0.
#[test]
fn one_shot_mechanisms_have_all_neighbours() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let script = "fn kind() { \"one-shot\" }\n\
                  fn alphabet() { #{ record: [0, 1], output: [0, 1] } }\n\
                  fn start() { -1 }\n\
                  fn observe(n, r) { r }\n\
                  fn finish(n) { if n < 0 { 0 } else if flip(1/4) { 1 - n } else { n } }\n";
    std::fs::write(path("bit.rhai"), script).unwrap();
    std::fs::write(path("pairs.txt"), "1 | 0\n").unwrap();
    let breakpoints = |rest: &str| -> Vec<(String, String)> {
        let found = json(&format!("profile {} {rest}", path("bit.rhai")), 0);
        let points = found["profiles"][0]["breakpoints"].as_array().unwrap().clone();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        points.iter().map(|p| (text(&p["exp_epsilon"]), text(&p["delta"]))).collect()
    };
    let point = |factor: &str, delta: &str| (factor.to_owned(), delta.to_owned());
    let expected = [point("1", "1/2"), point("3", "0")];
    assert_eq!(breakpoints("--rounds 1"), expected);
    assert_eq!(breakpoints(&format!("--neighbours {}", path("pairs.txt"))), expected);
    assert_eq!(breakpoints("--rounds 1 --neighbours add-remove"), [point("1", "3/4")]);
}

#[test]
fn a_drawing_is_well_formed_and_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let two = format!("profile subsampled-soa:gamma=1/8 {SOA}");
    for (name, rest) in [("a.svg", ""), ("b.svg", "--jobs 2"), ("c.svg", "--log-y")] {
        run(&format!("{two} --plot {} {rest}", path(name))).assert().success();
    }
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    assert_eq!(read("a.svg"), read("b.svg"));
    for svg in [read("a.svg"), read("c.svg")] {
        let mut reader = quick_xml::Reader::from_str(&svg);
        while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
        assert_eq!(svg.matches("<path ").count(), 2);
        assert!(svg.contains("subsampled-soa:gamma=1/8,flip=1/4</text>"));
        assert!(svg.contains(">joint, point:3, T = 3</text>"));
    }
    // One mark for each breakpoint with ε > 0: 10/7 and 61/32; at the latter, δ = 0.
    assert_eq!(read("a.svg").matches("<circle ").count(), 2);
    assert_eq!(read("c.svg").matches("<circle ").count(), 1);
}

#[test]
fn bad_input_is_refused() {
    for (line, message) in [
        ("profile randomised-response", "`rounds` is missing"),
        ("profile randomised-response --rounds 0", "expected a number of rounds"),
        ("profile randomised-response --rounds 1 --plot p.png", "a file that ends in .svg"),
        ("profile randomised-response --rounds 1 --log-y", "--plot"),
        ("profile randomised-response --rounds 1 --delta 1", "at least 0 and less than 1"),
        ("profile randomised-response --rounds 1 --neighbours add-remove", "one-shot"),
        ("profile randomised-response --rounds 300", "from 1 to 256"),
        ("profile --rounds 1", "MECHANISM"),
        ("profile soa soa-learner --class point:2 --rounds 2 --joint", "this is a learner"),
    ] {
        run(line).assert().code(2).stderr(contains(message)).stdout(predicate::str::is_empty());
    }
}

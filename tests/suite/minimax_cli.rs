//! `minimax` from outside: formats, files, curves, limits, bad input.

use assert_cmd::Command;
use littlestone::exact::{Rational, parse_rational};
use serde_json::Value;

fn run(line: &str, code: i32) -> (String, String) {
    let mut command = Command::cargo_bin("littlestone").unwrap();
    command.args(line.split(' ').filter(|word| !word.is_empty()));
    let output = command.env_remove("NO_COLOR").output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{line}: {output:?}");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

fn json(line: &str) -> Value {
    json_with(line, 0)
}

fn json_with(line: &str, code: i32) -> Value {
    serde_json::from_str(&run(&format!("{line} --format json"), code).0).unwrap()
}

/// 49/52 was found by a second program.
#[test]
fn a_value_for_reading_and_as_json() {
    let line = "minimax point:3 --rounds 2 --epsilon ln(2) --delta 0";
    let (text, _) = run(line, 0);
    assert!(text.contains("\nvalue: 49/52 (0.942307692307…)\n"), "{text}");
    assert!(text.contains("\nreduced to: 3 columns, 6 symmetries\n"), "{text}");
    let found = json(line);
    assert_eq!(found["value"], "49/52");
    assert_eq!((&found["lower"], &found["upper"]), (&found["value"], &found["value"]));
    assert_eq!(run(&format!("{line} --jobs 1"), 0).0, run(&format!("{line} --jobs 3"), 0).0);
}

/// The other engines confirm the learner that is saved: private, and 1/2 + 2/3 mistakes.
#[test]
fn the_saved_learner_is_confirmed_by_verify_and_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("l.json");
    let (file, class) = (path.to_str().unwrap(), "cube:1");
    run(&format!("minimax {class} --rounds 3 --epsilon ln(2) --save-learner {file}"), 0);
    let verified = json(&format!("verify {file} --rounds 3 --epsilon ln(2) --delta 0"));
    assert_eq!((&verified["verdict"], &verified["worst_delta"]), (&"holds".into(), &"0".into()));
    let (_, error) = run(&format!("verify {file} --rounds 4 --epsilon ln(2) --delta 0"), 2);
    assert!(error.contains("the table covers streams of at most 3 rounds, not of 4"), "{error}");
    let smaller = format!("verify {file} --rounds 3 --epsilon ln(19/10) --delta 0");
    assert!(run(&smaller, 1).0.ends_with("verdict: refuted\n"));
    let mistakes = json(&format!("mistakes {file} --class {class} --rounds 3 --worst"));
    assert_eq!(mistakes["expected_mistakes"], "7/6");
}

/// All corners of the curve were found by a second program: (0, 7/6), (1/4, 7/8), (1/2, 2/3), and
/// 1/2 where nothing is private.
#[test]
fn curves_as_text_csv_and_drawing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.svg");
    let file = path.to_str().unwrap();
    let line = "minimax examples/classes/bit.csv --rounds 3 --epsilon ln(2) --curve delta";
    let (csv, _) = run(&format!("{line} --format csv --plot {file}"), 0);
    assert_eq!(
        csv,
        "delta,lower,upper,decimal\n0,7/6,7/6,1.166666666666…\n1/4,7/8,7/8,0.875\n\
         1/2,2/3,2/3,0.666666666666…\n1,1/2,1/2,0.5\n"
    );
    let svg = std::fs::read_to_string(&path).unwrap();
    assert_eq!(svg.matches("<circle").count(), 4);
    let (text, _) = run("minimax cube:1 --rounds 1..3 --epsilon ln(3) --curve rounds", 0);
    assert!(text.ends_with("1  1/2  0.5\n2  3/4  0.75\n3  1    1\n"), "{text}");
    let grid = "minimax cube:1 --rounds 1..2 --epsilon ln(3),ln(2) --curve";
    let (csv, _) = run(&format!("{grid} rounds --format csv --plot {file}"), 0);
    assert_eq!(
        csv,
        "epsilon,rounds,lower,upper,decimal\nln(2),1,1/2,1/2,0.5\nln(2),2,5/6,5/6,0.833333333333…\n\
         ln(3),1,1/2,1/2,0.5\nln(3),2,3/4,3/4,0.75\n"
    );
    assert!(std::fs::read_to_string(&path).unwrap().contains("ε = ln(3)"));
    assert_eq!(json(&format!("{grid} epsilon"))["table"][3]["series"], "2");
    let (text, _) = run("minimax cube:1 --rounds 2 --epsilon ln(3),ln(2) --curve epsilon", 0);
    assert!(text.ends_with("ln(2)  5/6  0.833333333…\nln(3)  3/4  0.75\n"), "{text}");
}

/// Against fair labels of one point in two rounds the first output costs 1/2, and the second what
/// randomised response does, 1/3; against a known stream nothing.
#[test]
fn best_responses() {
    let line = "minimax cube:1 --rounds 2 --epsilon ln(2) --against";
    let mut command = Command::cargo_bin("littlestone").unwrap();
    command.args(line.split(' ')).arg("1/2 1:0,1:0; 1/2 1:1,1:1");
    let output = command.args(["--format", "json"]).output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["value"], "5/6");
    let mut command = Command::cargo_bin("littlestone").unwrap();
    let output = command.args(line.split(' ')).arg("1 1:0,1:0").output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("\nvalue: 0\n"));
    let mut command = Command::cargo_bin("littlestone").unwrap();
    let output = command.args(line.split(' ')).arg("1 1:0,1:1").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// At T = 3 Algorithm 1 costs every learner p/6 (Lemma 1 at t = 0), and fair bits no more.
#[test]
fn the_best_response_to_algorithm_1() {
    for (p, value) in [("1", "1/6"), ("1/2", "1/12")] {
        let line = format!(
            "minimax examples/classes/bit.csv --rounds 3 --epsilon ln(2) \
             --against thirds:p={p},dummy=a:0,informative=b"
        );
        assert_eq!(json(&line)["value"], value);
    }
}

/// Fair bits are private and err half of the time; the best predictor makes 13/12 mistakes.
#[test]
fn a_given_predictor_beside_the_best_one() {
    let line =
        "minimax examples/classes/bit.csv --rounds 3 --epsilon ln(2) --joint --learner fair-bits";
    let found = json(line);
    assert_eq!(found["value"], "13/12");
    assert_eq!(
        (&found["learner"]["mistakes"], &found["learner"]["private"]),
        (&"3/2".into(), &true.into())
    );
}

#[test]
fn what_is_too_large_is_refused_with_its_size() {
    let (_, error) = run("minimax point:3 --rounds 7 --epsilon ln(2)", 3);
    assert!(error.contains("97844723712 probabilities"), "{error}");
    let (_, error) = run("minimax cube:1 --rounds 3 --epsilon ln(2) --limit-states 10", 3);
    assert!(error.contains("64 constraints of privacy, up to 2 symmetries"), "{error}");
    let (_, error) = run("minimax point:9 --rounds 2 --epsilon ln(2)", 3);
    assert!(error.contains("9 columns"), "{error}");
    let (text, _) =
        run("minimax examples/classes/bit.csv --rounds 3 --epsilon ln(2) --timeout 0s", 3);
    assert!(text.contains("lower bound: 1/2 (0.5)\nupper bound: 3/2 (1.5)\n"), "{text}");
    assert!(text.ends_with("verdict: undecided\n"), "{text}");
}

/// Numbers that floating point does not hold: at e^ε = 10^400 the guess fails and the bounds are the
/// trivial ones; at δ = 10^−300 the learner for δ = 0 is close to the best one, whose value is 7/6.
#[test]
fn extreme_parameters() {
    let (text, error) = run("minimax cube:1 --rounds 3 --epsilon ln(1e400)", 3);
    assert!(text.contains("lower bound: 1/2 (0.5)\nupper bound: 3/2 (1.5)\n"), "{text}");
    assert!(text.ends_with("verdict: undecided\n") && error.contains("guess failed"), "{error}");
    let found = json_with("minimax cube:1 --rounds 3 --epsilon ln(1e400)", 3);
    assert_eq!((&found["stopped"], &found["undecided"]), (&"guess".into(), &true.into()));
    let tiny = format!("minimax cube:1 --rounds 3 --epsilon ln(2) --delta 1/1{}", "0".repeat(300));
    let found = json(&tiny);
    let number = |key: &str| parse_rational(found[key].as_str().unwrap()).unwrap();
    let (lower, upper, value) =
        (number("lower"), number("upper"), Rational::new(7.into(), 6.into()));
    assert!(lower < value && &upper - &lower < Rational::new(1.into(), 1_000_000.into()));
    assert_eq!(found["stopped"], Value::Null);
}

/// One function on one point: the first output is a fair bit, the second the label that was seen, with
/// probability 2/3; the adversary repeats one example.
#[test]
fn the_best_learner_and_the_adversary_are_shown() {
    let line = "minimax cube:1 --rounds 2 --epsilon ln(2)";
    let (text, _) = run(line, 0);
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("  ")).collect();
    assert_eq!(
        lines,
        [
            "  1/2  1:0,1:0 and 1 image",
            "  round 1 after nothing: 0 1/2, 1 1/2",
            "  round 2 after 1:0: 0 2/3, 1 1/3",
        ]
    );
    let found = json(&format!("{line} --show learner,adversary"));
    assert_eq!(found["best_learner"][1]["law"][0]["probability"], "2/3");
    assert_eq!(found["best_learner"][1]["images"], 2);
    let line = "minimax threshold:2 --rounds 3 --epsilon ln(3)";
    let (short, _) = run(line, 0);
    assert!(short.contains("  … 3 more (--show learner)\n"), "{short}");
    let (long, _) = run(&format!("{line} --show learner,adversary"), 0);
    assert!(!long.contains("--show") && long.lines().count() > short.lines().count());
    let (joint, _) = run("minimax cube:1 --rounds 2 --epsilon ln(2) --joint", 0);
    assert!(joint.contains("\n  round 2 after 1:0 at 1: 0 2/3, 1 1/3\n"), "{joint}");
}

/// 25/18 was found by a second program. The game on both points has 16384 pairs of a history and four
/// outputs, and five rounds have 262144 of them.
#[test]
fn small_certificates_carry_nothing_on_trust() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.json");
    let file = path.to_str().unwrap();
    run(
        &format!(
            "minimax examples/classes/bit.csv --rounds 4 --epsilon ln(2) --certificate {file}"
        ),
        0,
    );
    let (text, _) = run(&format!("recheck {file} --deny-trusted"), 0);
    assert!(text.contains("proved: V ≥ 25/18") && text.contains("proved: V ≤ 25/18"), "{text}");
    assert!(!text.contains("on trust"), "{text}");
    run(
        &format!(
            "minimax threshold:4 --rounds 2 --epsilon ln(2) --streams realisable --certificate {file}"
        ),
        0,
    );
    let (text, _) = run(&format!("recheck {file} --deny-trusted"), 0);
    assert!(!text.contains("on trust"), "{text}");
    // Eight points, of which one is not constant: 16·2^16 pairs in two rounds.
    let class = folder.path().join("class.txt");
    std::fs::write(&class, "00000000\n10000000\n").unwrap();
    let class = class.to_str().unwrap();
    run(&format!("minimax {class} --rounds 2 --epsilon ln(2) --certificate {file}"), 0);
    let (text, error) = run(&format!("recheck {file} --deny-trusted"), 1);
    assert_eq!(text.matches("taken on trust: ").count(), 2, "{text}");
    assert!(error.contains("rests on trust"), "{error}");
    assert!(run(&format!("recheck {file}"), 0).0.contains("proved: V ≤ 5/6"));
}

#[test]
fn bad_input() {
    for (line, part) in [
        ("minimax cube:1 --rounds 1..2 --epsilon ln(2)", "`curve` over rounds go together"),
        ("minimax cube:1 --rounds 2 --epsilon ln(2),ln(3)", "is for `curve` over epsilon"),
        ("minimax cube:1 --rounds 2 --epsilon ln(2) --against 1 --learner x", "not together"),
        ("minimax cube:1 --rounds 2 --epsilon 1/2 --curve delta", "rational e^ε"),
        ("minimax cube:1 --rounds 2 --epsilon ln(2) --delta 1", "delta"),
        ("minimax cube:1 --rounds 2 --epsilon ln(2) --curve delta --delta 0", "leave --delta out"),
        ("minimax cube:1 --rounds 0 --epsilon ln(2)", "at least 1"),
        ("minimax cube:1 --rounds 2 --epsilon ln(2) --save-learner l.rhai", "ends in .json"),
        ("minimax cube:1 --rounds 2 --epsilon ln(2) --learner fair-bits", "expected a learner"),
    ] {
        let (_, error) = run(line, 2);
        assert!(error.contains(part), "{line}: {error}");
    }
}

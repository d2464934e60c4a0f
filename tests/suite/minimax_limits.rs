//! Rows about `minimax`: bounds that meet without a program, and limits that hold.

use littlestone::class::load;
use littlestone::exact::{Epsilon, parse_rational};
use littlestone::limits::{Limits, Stopped};
use littlestone::minimax::{Bounds, Game, Neighbours, Privacy, orbits, solve};
use littlestone::privacy::Notion;
use serde_json::Value;

use crate::support::program::littlestone;

fn run(line: &[&str]) -> (i32, String) {
    let output = littlestone(line).output().expect("runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    (output.status.code().expect("a code"), text)
}

/// The row `minimax cube:2 --rounds 2 --epsilon 1`. By hand: all labels are possible at T different
/// points, so fair labels there cost T/2 whatever a learner does, and uniform outputs cost no more.
/// The same for a tree that is no cube: the class of 4 thresholds shatters one of depth 2.
#[test]
fn bounds_that_meet_without_a_program_are_the_value() {
    let sizes = [("cube:1", "1", "1/2"), ("cube:2", "2", "1"), ("cube:3", "3", "3/2")];
    for (class, rounds, value) in sizes.into_iter().chain([("threshold:3", "2", "1")]) {
        for epsilon in ["1", "0", "1/1000", "ln(2)"] {
            for more in [&[][..], &["--joint"], &["--streams", "realisable"], &["--delta", "1/3"]] {
                let line = ["minimax", class, "--rounds", rounds, "--epsilon", epsilon];
                let (code, text) = run(&[&line[..], more, &["--format", "json"]].concat());
                let json: Value = serde_json::from_str(&text).expect("JSON");
                assert_eq!((code, &json["value"]), (0, &value.into()), "{line:?} {more:?}: {text}");
                assert_eq!(json["stopped"], Value::Null);
            }
        }
    }
}

#[test]
fn the_proofs_of_bounds_that_meet_are_certificates() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("v.json");
    let file = path.to_str().expect("UTF-8");
    for class in ["cube:2", "threshold:3"] {
        let line = ["minimax", class, "--rounds", "2", "--epsilon", "1", "--certificate", file];
        assert_eq!(run(&line).0, 0);
        let (code, text) = run(&["recheck", file]);
        assert_eq!(code, 0, "{text}");
        assert!(text.contains("V ≥ 1, ") && text.contains("V ≤ 1, "), "{text}");
    }
}

fn bounds(class: &str, rounds: usize, limits: &Limits) -> Bounds {
    let class = load(class).expect("a class").class;
    let game = Game::new(&class, Notion::Whole, Neighbours::All, rounds).expect("a game");
    let epsilon = Epsilon::ln(parse_rational("3/2").expect("a number")).expect("ε ≥ 0");
    let privacy = Privacy::new(&epsilon, parse_rational("1/7").expect("a number"));
    solve(&game, &orbits::symmetries(&game), &privacy, limits)
}

/// The row of six rounds: when the time is over the bounds are those that need no program, 1/2 by a
/// tree of depth 1 and 6/2 by uniform outputs, and no program is built.
#[test]
fn nothing_is_built_after_the_time() {
    let class = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classes/bit.csv");
    let limits = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
    let found = bounds(class, 6, &limits);
    assert_eq!(found.stopped, Some(Stopped::Deadline));
    assert_eq!(found.program, None);
    let shown = [&found.lower.bound, &found.upper.bound].map(ToString::to_string);
    assert_eq!(shown, ["1/2", "3"]);
    // Where the bounds meet nothing is undecided.
    assert_eq!(bounds("cube:2", 2, &limits).stopped, None);
}

#[test]
fn proved_bounds_and_the_verdict_are_in_every_format() {
    let class = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classes/bit.csv");
    let asked = ["minimax", class, "--rounds", "6", "--epsilon", "ln(3/2)", "--timeout", "0s"];
    let with = |more: &[&str]| run(&[&asked[..], more].concat());
    let (code, text) = with(&["--delta", "1/7"]);
    assert_eq!(code, 3);
    assert!(text.contains("lower bound: 1/2 (0.5)\nupper bound: 3\n"), "{text}");
    assert!(text.ends_with("verdict: undecided\n"), "{text}");
    let (code, text) = with(&["--format", "json"]);
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((code, &json["lower"], &json["upper"]), (3, &"1/2".into(), &"3".into()));
    assert_eq!((&json["verdict"], &json["stopped"]), (&"undecided".into(), &"time".into()));
    let (code, text) = with(&["--curve", "delta", "--format", "csv"]);
    let rows = "delta,lower,upper,decimal\n0,1/2,3,0.5\n# verdict: undecided\n";
    assert_eq!((code, &*text), (3, rows));
    let (code, text) = with(&["--curve", "delta", "--format", "json"]);
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((code, &json["verdict"]), (3, &"undecided".into()));
}

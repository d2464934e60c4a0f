//! What is printed, and exit codes.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

fn littlestone(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("littlestone").unwrap().args(args).assert()
}

const SOA: &[&str] =
    &["mistakes", "subsampled-soa-learner:gamma=1/2", "--class", "cube:4", "--adversary", "phases"];

/// The numbers are those of `subsampled_soa_on_a_cube`.
#[test]
fn theorem_2_is_played() {
    littlestone(&[SOA, &["--rounds", "7"]].concat()).code(0).stdout(
        contains("streams: phases\n")
            .and(contains("tree: depth d = 4"))
            .and(contains("phase 3, rounds 5 to 6: node "))
            .and(contains("in rounds 5, 6; expected mistakes on informative examples: 3/2"))
            .and(contains("realised by: "))
            .and(contains("expected mistakes: 11/2 (= 5.5)\n")),
    );
    littlestone(&[SOA, &["--rounds", "2"]].concat())
        .code(0)
        .stdout(contains("phase 2, round 2: ").and(contains("expected mistakes: 2\n")));
    littlestone(&[SOA, &["--rounds", "1..4", "--format", "json"]].concat())
        .code(0)
        .stdout(contains("\"hypothesis\"").and(contains("\"informative_rounds\"")));
}

#[test]
fn theorem_2_says_nothing_elsewhere() {
    let args = ["mistakes", "soa-learner", "--rounds", "4", "--adversary", "phases"];
    littlestone(&args).code(2).stderr(contains("needs a class"));
    littlestone(&[&args[..], &["--class", "point:3"]].concat())
        .code(2)
        .stdout("")
        .stderr(contains("dimension at least 2"));
    littlestone(&[SOA, &["--rounds", "64"]].concat())
        .code(3)
        .stdout(predicates::str::ends_with("verdict: undecided\n"))
        .stderr(contains("2^21"));
    let args = ["mistakes", "soa", "--class", "cube:3", "--rounds", "4", "--adversary", "phases"];
    littlestone(&args).code(2).stderr(contains("this is a predictor"));
}

#[test]
fn the_path_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("path.svg");
    let plot = ["--plot", path.to_str().unwrap()];
    littlestone(&[SOA, &["--rounds", "7"], &plot].concat()).code(0);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut reader = quick_xml::Reader::from_str(&text);
    while !matches!(reader.read_event().unwrap(), quick_xml::events::Event::Eof) {}
    assert!(text.contains("expected mistakes: 11/2"));
    littlestone(&[SOA, &["--rounds", "6..7"], &plot].concat()).code(2);
    let worst = ["mistakes", "soa", "--class", "cube:3", "--rounds", "2", "--worst"];
    littlestone(&[&worst[..], &plot].concat()).code(2);
}

/// Fair bits keep a label for T rounds with probability 2^(−T).
#[test]
fn concentration_is_decided() {
    let args = ["concentrated", "constant-learner:flip=1/2", "--class", "cube:2", "--rounds", "3"];
    littlestone(&args).code(0).stdout(
        contains("with probability 1/8 ≈ 0.125\n")
            .and(contains("β-concentrated exactly for β ≥ 7/8")),
    );
    let with = |beta: &'static str| [&args[..], &["--beta", beta]].concat();
    littlestone(&with("7/8")).code(0).stdout(contains("verdict: holds\n"));
    littlestone(&with("3/4")).code(1).stdout(contains("verdict: refuted\n"));
    littlestone(&with("5/4")).code(2);
    littlestone(&[&with("3/4")[..], &["--format", "json"]].concat())
        .code(1)
        .stdout(contains("\"least_beta\": \"7/8\"").and(contains("\"verdict\": \"refuted\"")));
    littlestone(&args[..2]).code(2);
    // No two hypotheses of a class with one point are as needed.
    littlestone(&["concentrated", "constant-learner", "--class", "cube:1", "--rounds", "1"])
        .code(0)
        .stdout(contains("the class has no hypotheses"));
}

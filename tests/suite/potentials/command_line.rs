//! The subcommands: what they print, and their exit codes.

use assert_cmd::Command;
use predicates::prelude::*;

fn littlestone(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("littlestone").unwrap().args(args).assert()
}

const ABSORBING: &str = "absorbing:E=9/8,beta=1/8";

/// T = 3, by hand as in `three_rounds_by_hand`.
#[test]
fn the_law_is_printed() {
    littlestone(&["adversary", "thirds", "--rounds", "3", "--p", "1/2"]).code(0).stdout(
        predicate::str::contains("expected number of informative examples: 1/6 = Lp/3")
            .and(predicate::str::contains("  1:1 in round 1: 1/12"))
            .and(predicate::str::contains("streams: 3, all realisable")),
    );
    littlestone(&["adversary", "thirds", "--rounds", "3", "--format", "json"])
        .code(0)
        .stdout(predicate::str::contains("\"expected_informative\": \"1/3\""));
    for wrong in [
        &["--rounds", "0"][..],
        &["--rounds", "3..9"],
        &["--rounds", "9", "--p", "0"],
        &["--rounds", "9", "--p", "3/2"],
        &["--rounds", "9", "--dummy", "1:0"],
        &["--rounds", "9", "--dummy", "x:0"],
        // The label 1 at 2 leaves one hypothesis of POINT3.
        &["--rounds", "9", "--dummy", "2:1"],
        &["--rounds", "9", "--class", "threshold:1"],
    ] {
        let args = [&["adversary", "thirds"], wrong].concat();
        littlestone(&args).code(2).stdout("").stderr(predicate::str::contains("error"));
    }
}

/// Fair bits against T = 9, p = 1: Lp/6 = 1/3; and a table for several T.
#[test]
fn mistakes_take_the_adversary() {
    let fair = ["mistakes", "absorbing:E=1,beta=0", "--class", "point:3"];
    let args = [&fair[..], &["--rounds", "9", "--adversary", "thirds:p=1"]].concat();
    littlestone(&args).code(0).stdout(
        predicate::str::contains("on the examples of stage 2: 1/6")
            .and(predicate::str::contains("expected mistakes: 1/3")),
    );
    let args = [&fair[..], &["--rounds", "1..3", "--adversary", "thirds"]].concat();
    littlestone(&args)
        .code(0)
        .stdout(predicate::str::contains("1/2").and(predicate::str::contains("     3  1/6")));
    for wrong in ["halves", "thirds:p=0", "thirds:dummy=1:0"] {
        let args = [&fair[..], &["--rounds", "9", "--adversary", wrong]].concat();
        littlestone(&args).code(2).stdout("");
    }
    let args = [&fair[..], &["--adversary", "thirds"]].concat();
    littlestone(&args).code(2);
}

#[test]
fn potentials_are_tables() {
    let base = ["potentials", ABSORBING, "--class", "point:3", "--rounds", "3"];
    let with = |more: &[&str]| littlestone(&[&base[..], more].concat());
    with(&["--epsilon", "ln(9/8)"]).code(0).stdout(predicate::str::ends_with("verdict: holds\n"));
    // I_1 = 1/2312 after the middle third, from a second program.
    with(&["--epsilon", "ln(9/8)", "--format", "json"])
        .code(0)
        .stdout(predicate::str::contains("\"information\": \"1/2312\""));
    with(&["--epsilon", "ln(9/8)", "--format", "csv"])
        .code(0)
        .stdout(predicate::str::contains("(2),0,-,,1/6936,≤,"));
    // Not private, but declared so.
    let soa = ["potentials", "soa-learner", "--class", "point:3", "--rounds", "3"];
    littlestone(&[&soa[..], &["--epsilon", "1/100", "--delta", "0"]].concat())
        .code(1)
        .stdout(predicate::str::ends_with("verdict: refuted\n"));
    littlestone(&[&soa[..], &["--epsilon", "1/100", "--limit-states", "3"]].concat()).code(3);
    for wrong in [&["--epsilon", "-1"][..], &["--epsilon", "1/100", "--p", "2"]] {
        with(wrong).code(2).stdout("");
    }
    littlestone(&["potentials", "soa", "--class", "point:3", "--rounds", "3", "--epsilon", "0"])
        .code(2)
        .stderr(predicate::str::contains("this is a predictor"));
    littlestone(&[
        "potentials",
        ABSORBING,
        "--class",
        "point:3",
        "--rounds",
        "2",
        "--epsilon",
        "0",
    ])
    .code(2)
    .stderr(predicate::str::contains("at least 3 rounds"));
}

/// A law of any length is described; nothing is listed or played that does not fit.
#[test]
fn long_laws_and_limits() {
    let thirds = |rounds: &'static str| littlestone(&["adversary", "thirds", "--rounds", rounds]);
    thirds("2187").code(0).stdout(
        predicate::str::contains("L = 7, on the rounds 1 to 2187")
            .and(predicate::str::contains("all realisable; too many to list")),
    );
    thirds("1000000000000").code(0).stdout(predicate::str::contains("streams: more than 10^"));
    let learner = [ABSORBING, "--class", "point:3", "--rounds"];
    let played = [&["mistakes"], &learner[..], &["27", "--adversary", "thirds"]].concat();
    let concentrated = [&["concentrated"], &learner[..], &["27"]].concat();
    let phases =
        ["mistakes", "soa-learner", "--class", "cube:3", "--rounds", "8", "--adversary", "phases"];
    let potentials = [&["potentials"], &learner[..], &["9", "--epsilon", "ln(9/8)"]].concat();
    for args in [&played, &concentrated, &phases.to_vec(), &potentials] {
        littlestone(args).code(0);
        for limit in [&["--limit-states", "20"][..], &["--timeout", "0s"]] {
            littlestone(&[&args[..], limit].concat())
                .code(3)
                .stdout(predicate::str::ends_with("verdict: undecided\n"))
                .stderr(predicate::str::contains("limit"));
        }
    }
}

/// Both sides, what bounds the left one anyhow, and δ; a false claim is told from a false lemma.
#[test]
fn reports_say_what_is_behind_a_verdict() {
    let base = ["potentials", ABSORBING, "--class", "point:3", "--rounds", "3", "--p", "1"];
    // By hand: W_0 = 1/13005, D_0 = 1/2890 and I_1 = 1/2312 after the middle third alone give
    // E[I_1] / D_0 = 2890/6936 in (2), and W_0/D_0 = 2/9 in the variance decomposition.
    littlestone(&[&base[..], &["--epsilon", "ln(9/8)"]].concat()).code(0).stdout(
        predicate::str::contains("slack          trivial")
            .and(predicate::str::contains("(2): 0.41666666… in place of 20 in 20p²D_t\n"))
            .and(predicate::str::contains("decomposition: 0.22222222… in place of 1/6 in D_t/6")),
    );
    let soa = ["potentials", "soa-learner", "--class", "point:3", "--rounds", "3"];
    littlestone(&[&soa[..], &["--epsilon", "1/100", "--delta", "0"]].concat()).code(1).stdout(
        predicate::str::contains("the claimed δ = 0 is below the δ = 1 that the learner has")
            .and(predicate::str::contains("the hypothesis of the inequalities is violated")),
    );
}

/// Drawings are well-formed XML, and the same for every run.
#[test]
fn drawings_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |name: &str, args: &[&str]| {
        let path = folder.path().join(name);
        littlestone(&[args, &["--plot", path.to_str().unwrap()]].concat()).code(0);
        let text = std::fs::read_to_string(&path).unwrap();
        let mut reader = quick_xml::Reader::from_str(&text);
        loop {
            if let quick_xml::events::Event::Eof = reader.read_event().unwrap() {
                break;
            }
        }
        assert!(text.ends_with("</svg>\n"));
    };
    for rounds in ["1", "3", "10", "27", "81", "6561", "1000000000000"] {
        draw("thirds.svg", &["adversary", "thirds", "--rounds", rounds, "--p", "1/2"]);
    }
    draw(
        "potentials.svg",
        &["potentials", ABSORBING, "--class", "point:3", "--rounds", "9", "--epsilon", "ln(9/8)"],
    );
}

//! `littlestone decompose` and `littlestone atlas` from outside.

use std::fs;

use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::{Value, json};

use crate::support::program::{littlestone, refused};

/// The JSON of a run with the given exit code; its keys are sorted and known to the schema.
#[track_caller]
fn json(args: &[&str], code: i32) -> Value {
    let output = littlestone(args).args(["--format", "json"]).output().expect("runs");
    assert_eq!(output.status.code(), Some(code));
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let keys: Vec<&str> = text
        .lines()
        .filter(|l| l.starts_with("  \""))
        .filter_map(|l| l.split('"').nth(1))
        .collect();
    assert!(keys.is_sorted(), "{keys:?}");
    value
}

#[test]
fn point_functions_have_the_zero_function_as_essential_hypothesis() {
    // n = 8 > p(2^d − 1) + 1 = 3: ρ_2 = 1, C = {0}; two functions are left after six exclusions,
    // and the seventh lowers the dimension.
    littlestone(&["decompose", "point:8", "--p", "2"])
        .assert()
        .code(0)
        .stdout(
            "class: point:8 (8 hypotheses, 8 points)\nLittlestone dimension: 1\n\
             ambient dimension: 1\np: 2\ndecomposition dimension: 1\nessential hypotheses: 1\n\
             essential hypothesis: 00000000\nirreducibility order: 7\n\
             dimension-lowering examples: 1:0,2:0,3:0,4:0,5:0,6:0,7:0\n",
        )
        .stderr(is_empty());
}

#[test]
fn json_has_the_keys_of_the_schema() {
    // The ball of radius 2 on 6 points: δ = 5 = n − r + 1, ρ_3 = 2, C = {centre}.
    let value = json(&["decompose", "ball:6,2", "--p", "3", "--irreducible", "4"], 0);
    assert_eq!(value["decomposition_dimension"], json!(2));
    assert_eq!(value["essential_hypotheses"], json!(["000000"]));
    assert_eq!(value["ambient_dimension"], json!(2));
    assert_eq!(value["p"], json!(3));
    assert_eq!(value["irreducibility_order"], json!(5));
    assert_eq!(value["irreducible"], json!({ "holds": true, "k": 4 }));
    // ρ = 0: the essential hypotheses are the class itself (P4 of Fact 2), sorted.
    let value = json(&["decompose", "point:3", "--p", "2"], 0);
    assert_eq!(value["essential_hypotheses"], json!(["001", "010", "100"]));
    assert_eq!(value["decomposition_dimension"], json!(0));
}

#[test]
fn irreducibility_alone_needs_no_p() {
    // Definition 5: POINT3 is 1-irreducible; two labels of its SOA, the zero function, leave one
    // hypothesis.
    let shown =
        littlestone(&["decompose", "point:3", "--irreducible", "2"]).output().expect("runs");
    assert_eq!(
        String::from_utf8(shown.stdout).expect("UTF-8"),
        "class: point:3 (3 hypotheses, 3 points)\n2-irreducible: no\nviolating examples: 1:0,2:0\n"
    );
    littlestone(&["decompose", "point:3", "--irreducible", "1"])
        .assert()
        .code(0)
        .stdout(contains("1-irreducible: yes"));
    let value = json(&["decompose", "point:3", "--irreducible", "9"], 0);
    assert_eq!(value["irreducible"]["holds"], json!(false));
    assert!(value.get("p").is_none());
}

#[test]
fn single_functions_are_infinitely_irreducible() {
    let value = json(&["decompose", "ball:3,0", "--p", "1"], 0);
    assert_eq!(value["irreducibility_order"], json!("infinite"));
    assert_eq!(value["essential_hypotheses"], json!(["000"]));
}

#[test]
fn bad_questions_are_refused() {
    refused(&["decompose", "point:3", "--p", "0"], "p: expected at least 1, found 0");
    refused(
        &["decompose", "ball:6,2", "--p", "1", "--ambient", "1"],
        "expected at least 2, the Littlestone dimension of the class, found 1",
    );
    refused(&["decompose", "point:3", "--p", "1", "--ambient", "99"], "expected at most 64");
    refused(&["decompose", "point:3"], "--p <P>");
    refused(&["decompose", "point:3", "--p", "1", "--tree", "t.png"], ".txt, .dot, .svg or .json");
    refused(&["atlas", "--points", "5"], "expected from 1 to 4 points, found 5");
    refused(&["atlas", "--points", "0"], "expected from 1 to 4 points, found 0");
}

#[test]
fn a_limit_leaves_bounds_and_says_so() {
    littlestone(&["decompose", "ball:6,2", "--p", "3", "--limit-states", "1"])
        .assert()
        .code(3)
        .stdout(
            contains("decomposition dimension ≤")
                .and(predicates::str::ends_with("verdict: undecided\n")),
        );
    let value = json(&["decompose", "sparse:58,20,10,1", "--p", "2", "--limit-states", "600"], 3);
    assert_eq!(value["decomposition_dimension"], Value::Null);
    assert_eq!(value["essential_hypotheses"], Value::Null);
    assert!(value["lower"].as_i64() < value["upper"].as_i64());
}

#[test]
fn trees_are_written_in_every_format() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let written = |name: &str| {
        let path = folder.path().join(name);
        let path = path.to_str().expect("UTF-8");
        littlestone(&["decompose", "examples/classes/empty-essential-set.txt", "--p", "1"])
            .args(["--tree", path])
            .assert()
            .code(0)
            .stdout(contains("essential hypotheses: 0\n"))
            .stderr(contains("decomposition tree written to"));
        fs::read_to_string(path).expect("written")
    };
    // A tree that a reader can check: label 0 at point 1 leaves 0000, 0100, 0110 and 0101, which have
    // dimension 1, SOA 0100 and depth 1 = 2 − 1; label 1 leaves 1000, 1010 and 1001.
    assert_eq!(
        written("tree.txt"),
        "\
1
├─0─ 0100  4 hypotheses  Ldim 1  depth ≤ 1
└─1─ 3
     ├─0─ 4
     │    ├─0─ 1000  h2  Ldim 0  depth ≤ 3
     │    └─1─ 1001  h6  Ldim 0  depth ≤ 3
     └─1─ 1010  h4  Ldim 0  depth ≤ 3
"
    );
    assert!(written("tree.dot").starts_with("graph {"));
    assert!(written("tree.svg").contains("<title>Decomposition tree for p = 1 and d = 2</title>"));
    let value: Value = serde_json::from_str(&written("tree.json")).expect("JSON");
    assert_eq!(value["kind"], json!("decomposition-tree"));
    assert_eq!(value["decomposition_dimension"], json!(1));
    assert_eq!(value["tree"]["zero"]["depth_bound"], json!("1"));
    assert_eq!(value["tree"]["zero"]["littlestone_dimension"], json!(1));
}

#[test]
fn the_atlas_of_three_points_is_the_beginning_of_that_of_four() {
    let output = littlestone(&["atlas", "--points", "3"]).output().expect("runs");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    // 2, 5 and 21 classes up to symmetry, and the header.
    assert_eq!(text.lines().count(), 1 + 2 + 5 + 21);
    assert!(include_str!("../data/atlas-4.csv").starts_with(&text));
}

/// A certificate of each kind is written and verified; one that asks for what the question does not
/// give is refused before the search.
#[test]
fn certificates_are_written_and_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("proof.json");
    let path = path.to_str().expect("UTF-8");
    // Worked values as in the tests above: ρ_2 = 1 and C = {0} for 8 points, δ = 5 for the ball.
    let cases: [(&[&str], &str); 3] = [
        (
            &["decompose", "point:8", "--p", "2"],
            "proved: ρ_2 ≤ 1 (d = 1)\nproved: ρ_2 ≥ 1 (d = 1)\nproved: C_2 = {00000000} (d = 1)\n",
        ),
        (
            &["decompose", "ball:6,2", "--p", "3", "--certify", "dimension"],
            "proved: ρ_3 ≤ 2 (d = 2)\nproved: ρ_3 ≥ 2 (d = 2)\nnot checked",
        ),
        (&["decompose", "ball:6,2", "--irreducible", "4"], "proved: the class is 4-irreducible\n"),
    ];
    for (args, proved) in cases {
        let wrote = contains("note: certificate written to");
        littlestone(args).args(["--certificate", path]).assert().code(0).stderr(wrote);
        let holds = contains(proved).and(contains("verdict: holds"));
        littlestone(&["recheck", path]).assert().code(0).stdout(holds);
    }
    let point = ["decompose", "point:4", "--certificate", path];
    refused(
        &[&point[..], &["--p", "1", "--certify", "irreducible"]].concat(),
        "--certify irreducible: expected --irreducible K, found none",
    );
    refused(
        &[&point[..], &["--irreducible", "1", "--certify", "dimension"]].concat(),
        "--certify: expected --p P, found none",
    );
}

/// JSON says what the file proves: all, or the upper bound alone when the tables are too large, or
/// nothing.
#[test]
fn what_is_certified_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("proof.json");
    let path = path.to_str().expect("UTF-8");
    let certified = |args: &[&str], code| json(args, code)["certified"].clone();
    let parts = |at_least: bool, at_most: bool, essential: bool| json!({ "at_least": at_least, "at_most": at_most, "essential_hypotheses": essential });
    let point = ["decompose", "point:8", "--p", "2", "--certificate", path];
    assert_eq!(certified(&point, 0), parts(true, true, true));
    assert_eq!(
        certified(&[&point[..], &["--certify", "dimension"]].concat(), 0),
        parts(true, true, false)
    );
    // The table of the lower bound has more than a hundred states, the tree a single node.
    let plane = [
        "decompose",
        "projective-plane:4",
        "--p",
        "1",
        "--certificate",
        path,
        "--certificate-limit",
    ];
    assert_eq!(certified(&[&plane[..], &["2000"]].concat(), 0), parts(false, true, false));
    let proved = contains("proved: ρ_1 ≤ 2 (d = 2)\nnot checked");
    littlestone(&["recheck", path]).assert().code(0).stdout(proved);
    littlestone(&[&plane[..], &["2000"]].concat()).assert().code(0).stderr(contains(
        "warning: searched, not certified: the lower bound: the proof is larger than 2000 bytes",
    ));
    fs::remove_file(path).expect("a file");
    assert_eq!(certified(&[&plane[..], &["10"]].concat(), 0), parts(false, false, false));
    assert!(!std::path::Path::new(path).exists());
    let ball = ["decompose", "ball:6,2", "--irreducible", "4", "--certificate", path];
    assert_eq!(certified(&ball, 0), json!({ "irreducible": true }));
    let limited = ["decompose", "projective-plane:5", "--p", "3", "--limit-states", "5"];
    let limited = [&limited[..], &["--certificate", path]].concat();
    assert_eq!(certified(&limited, 3), parts(false, false, false));
}

/// The certificate does not depend on the number of threads, nor on what else is asked for.
#[test]
fn certificates_are_the_same_for_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = ["a.json", "b.json"].map(|name| folder.path().join(name));
    let [a, b] = paths.each_ref().map(|path| path.to_str().expect("UTF-8"));
    let class = ["decompose", "sparse:28,16,12,1", "--p", "1", "--certificate"];
    littlestone(&[&class[..], &[a, "--jobs", "1"]].concat()).assert().code(0);
    let avoid = ["--jobs", "4", "--irreducible", "2", "--avoid", "0000000000000000"];
    littlestone(&[&class[..], &[b], &avoid[..]].concat()).assert().code(0);
    let [a, b] = paths.map(|path| fs::read(path).expect("written"));
    assert_eq!(a, b);
}

/// A function of the empty set of essential hypotheses is avoided, and the tree is drawn; the zero
/// function of points is not.
#[test]
fn avoiding_trees_are_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let class = folder.path().join("seven.txt");
    fs::write(&class, "0000\n0001\n0011\n0101\n1000\n1010\n1100\n").expect("written");
    let class = class.to_str().expect("UTF-8");
    // The tree of the worked example in the manual of certificates: point 1 first.
    let seven = ["decompose", class, "--p", "1", "--avoid", "1000"];
    littlestone(&seven)
        .assert()
        .code(0)
        .stdout(contains("avoidable: 1000: yes\n  1\n  ├─0─ 0001  4 hypotheses"));
    let avoided = json(&seven, 0)["avoid"].clone();
    assert_eq!(avoided["avoidable"], json!(true));
    assert_eq!(avoided["tree"]["kind"], json!("decomposition-tree"));
    assert_eq!(avoided["tree"]["decomposition_dimension"], json!(1));
    for name in ["t.txt", "t.dot", "t.svg", "t.json"] {
        let path = folder.path().join(name);
        let tree = ["--tree", path.to_str().expect("UTF-8")];
        littlestone(&[&seven[..], &tree[..]].concat())
            .assert()
            .code(0)
            .stdout(contains("avoidable: 1000: yes\nirreducibility order"));
        let text = fs::read_to_string(path).expect("written");
        assert!(text.contains("0001") && text.contains("1100"), "{text}");
    }
    let point = ["decompose", "point:5", "--p", "1", "--avoid", "00000"];
    let path = folder.path().join("none.svg");
    let tree = ["--tree", path.to_str().expect("UTF-8")];
    littlestone(&[&point[..], &tree[..]].concat())
        .assert()
        .code(0)
        .stdout(contains("avoidable: 00000: no\n"))
        .stderr(contains("warning: no tree: every optimal tree has a leaf"));
    assert!(!path.exists());
    let none = json(&point, 0)["avoid"].clone();
    assert_eq!(none, json!({ "avoidable": false, "hypothesis": "00000", "tree": null }));
    refused(
        &["decompose", "point:5", "--p", "1", "--avoid", "0a000"],
        "expected labels 0 or 1 in point order, found `0a000`",
    );
}

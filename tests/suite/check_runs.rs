//! Rows about `check`: errors beside results in every format, and limits of a run and of a claim.

use std::fs;
use std::path::Path;

use predicates::str::contains;
use serde_json::Value;

use crate::support::program::littlestone;

/// By hand: Ldim(point:3) = 1, as no tree of depth 2 has 4 branches with 3 hypotheses.
const GOOD: &str = "kind = \"littlestone-dimension\"\nclass = \"point:3\"\nequals = 1";

fn claim(name: &str, lines: &str) -> String {
    format!("[[claim]]\nname = \"{name}\"\npaper = \"Definition 6\"\nexpect = \"holds\"\n{lines}\n")
}

/// A folder with a claim file `a.toml` and a script that fails when it runs.
fn folder(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.toml");
    fs::write(&path, text).expect("writable");
    let constant = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/mechanisms/constant.rhai");
    let script = fs::read_to_string(constant).expect("there");
    let fails = script.replace("{ state }", "{ let list = [0]; list[7] }");
    fs::write(folder.path().join("fails.rhai"), fails).expect("writable");
    let path = path.to_str().expect("UTF-8").to_owned();
    (folder, path)
}

/// One claim of each sort, in this order: one that holds; a bad key; a class that does not load; a
/// script that fails when it runs; one that differs; one that a limit cuts short.
fn mixed() -> (tempfile::TempDir, String) {
    let privacy = "kind = \"privacy\"\nmechanism = \"fails.rhai\"\nclass = \"point:3\"\n\
                   rounds = 2\nepsilon = 0\ndelta = 0";
    let long = "kind = \"vc-dimension\"\nclass = \"threshold:40\"\nequals = 1";
    folder(
        &[
            claim("good", GOOD),
            claim("key", &GOOD.replace("equals", "equal")),
            claim("class", &GOOD.replace("point:3", "missing.csv")),
            claim("script", privacy),
            claim("differs", &GOOD.replace("= 1", "= 2")),
            claim("long", long),
        ]
        .concat(),
    )
}

fn run(args: &[&str]) -> (i32, String, String) {
    let output = littlestone(args).output().expect("runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
}

const LIMITS: [&str; 2] = ["--limit-states", "30"];

/// The claims begin in lines 1, 8, 15, 22, 32 and 39: 7 lines each, and 10 the fourth.
#[test]
fn errors_stand_beside_the_results_for_people() {
    let (_folder, path) = mixed();
    for jobs in ["1", "4"] {
        let (code, stdout, stderr) = run(&["check", &path, "--jobs", jobs, LIMITS[0], LIMITS[1]]);
        assert_eq!(code, 2, "{stdout}{stderr}");
        let lines: Vec<&str> = stdout.lines().filter(|line| !line.starts_with(' ')).collect();
        let starts = [
            ("holds", ":1  "),
            ("error", ":14:1"),
            ("error", ":20:9"),
            ("error", ":27:13"),
            ("refuted", ":32  "),
            ("undecided", ":39  "),
        ];
        assert_eq!(lines.len(), 8, "{stdout}");
        for (line, (word, place)) in lines.iter().zip(starts) {
            assert!(line.starts_with(word) && line.contains(place), "{line}: {word} {place}");
        }
        assert_eq!(lines[6], "inequalities that hold: 1 tight");
        assert_eq!(lines[7], "1 passed, 1 failed, 1 undecided, 3 errors");
        let errors: Vec<&str> = stderr.lines().filter(|l| l.starts_with("error: ")).collect();
        assert_eq!(errors.len(), 3, "{stderr}");
        assert!(errors[1].contains("missing.csv"), "{stderr}");
    }
}

#[test]
fn errors_stand_beside_the_results_in_every_other_format() {
    let (_folder, path) = mixed();
    let of = |format| run(&["check", &path, "--format", format, LIMITS[0], LIMITS[1]]);
    let (code, json, stderr) = of("json");
    let value: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((code, value["checks"].as_array().map(Vec::len)), (2, Some(3)));
    for (key, count) in [("passed", 1), ("failed", 1), ("undecided", 1)] {
        assert_eq!(value[key], count, "{key}");
    }
    let errors = value["errors"].as_array().expect("a list");
    let places: Vec<_> = errors.iter().map(|e| (&e["line"], &e["file"])).collect();
    let file = Value::from(&*path);
    assert_eq!(places, [(&14.into(), &file), (&20.into(), &file), (&27.into(), &file)]);
    assert_eq!(stderr.matches("error: ").count(), 3);
    let (code, junit, _) = of("junit");
    assert_eq!(code, 2);
    // The three faults and the check that a limit cut short.
    assert!(junit.contains("tests=\"6\" skipped=\"0\" failures=\"1\" errors=\"4\""), "{junit}");
    let (code, github, _) = of("github");
    assert_eq!(code, 2);
    assert_eq!(github.matches("::error file=").count(), 5, "{github}");
    assert!(github.contains("a.toml,line=20,col=9::"), "{github}");
    assert!(github.ends_with("\n1 passed, 1 failed, 1 undecided, 3 errors\n"), "{github}");
}

/// An error before a difference before a limit before an empty selection.
#[test]
fn the_exit_code_is_that_of_the_gravest() {
    let (_folder, path) = mixed();
    let only = |names: &[&str]| {
        let mut args = vec!["check", &*path, LIMITS[0], LIMITS[1]];
        args.extend(names.iter().flat_map(|name| ["--only", name]));
        run(&args).0
    };
    // What cannot be read is an error whatever is selected.
    assert_eq!(only(&["good"]), 2);
    let text = fs::read_to_string(&path).expect("there").replace("equal =", "equals =");
    fs::write(&path, text).expect("writable");
    assert_eq!(only(&["good"]), 0);
    assert_eq!(only(&["good", "long"]), 3);
    assert_eq!(only(&["good", "long", "differs"]), 1);
    assert_eq!(only(&["long", "differs", "script"]), 2);
    assert_eq!(only(&["nothing"]), 4);
}

/// The text before the claim that is no TOML is TOML.
#[test]
fn claims_before_a_fault_of_toml_are_run() {
    let text =
        [claim("a", GOOD), claim("b", GOOD), "[[claim]]\nname = \n".into(), claim("c", GOOD)];
    let (_folder, path) = folder(&text.concat());
    let (code, stdout, stderr) = run(&["check", &path]);
    assert_eq!(code, 2);
    assert!(stderr.contains("a.toml:16:"), "{stderr}");
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(lines[0].starts_with("holds") && lines[1].starts_with("holds"), "{stdout}");
    assert!(lines[2].starts_with("error") && lines[2].contains("a.toml:16:"), "{stdout}");
    assert_eq!(lines[3..], ["inequalities that hold: 2 tight", "2 passed, 0 failed, 1 error"]);
}

/// A fault in one value of a grid spoils that check alone, though a later one repeats it.
#[test]
fn a_fault_in_a_grid_leaves_the_other_checks() {
    let lines =
        "kind = \"littlestone-dimension\"\nequals = [1, 1.5]\nclass = [\"point:3\", \"point:4\"]";
    let (_folder, path) = folder(&claim("a", lines));
    let (code, stdout, _) = run(&["check", &path]);
    assert_eq!(code, 2);
    assert!(stdout.ends_with("\n2 passed, 0 failed, 1 error\n"), "{stdout}");
}

/// The time of the run is over at once: nothing is run, and all is told.
#[test]
fn what_the_time_of_the_run_leaves_out_is_undecided() {
    let rounds: Vec<String> = (1..=10_000).map(|round| round.to_string()).collect();
    let grid = format!(
        "kind = \"privacy\"\nmechanism = \"soa\"\nclass = \"point:3\"\nepsilon = 0\ndelta = 1\n\
         rounds = [{}]",
        rounds.join(", ")
    );
    let (_folder, path) = folder(&[claim("a", GOOD), claim("grid", &grid)].concat());
    let (code, stdout, _) = run(&["check", &path, "--timeout", "0s"]);
    assert_eq!(code, 3);
    // The grid is not expanded: it is one line.
    assert_eq!(stdout.matches("not run: the time limit of the run").count(), 2, "{stdout}");
    assert!(stdout.ends_with("0 passed, 0 failed, 2 undecided\n"), "{stdout}");
}

/// The time of a claim is its own: the next one has it again.
#[test]
fn the_time_of_a_claim_is_not_that_of_the_run() {
    let long = "kind = \"vc-dimension\"\nclass = [\"threshold:40\", \"threshold:41\"]\nequals = 1";
    let (_folder, path) = folder(&claim("a", long));
    let (code, stdout, _) = run(&["check", &path, "--claim-timeout", "0s"]);
    assert_eq!(code, 3);
    assert_eq!(stdout.matches("the time limit was reached").count(), 2, "{stdout}");
    assert!(!stdout.contains("not run"), "{stdout}");
    littlestone(&["check", "--help"]).assert().stdout(contains("--claim-timeout"));
}

#[test]
fn a_folder_of_claims_is_listed_with_its_errors() {
    let (folder, _) = mixed();
    let (code, stdout, stderr) =
        run(&["check", Path::new(folder.path()).to_str().unwrap(), "--list"]);
    assert_eq!((code, stdout.lines().count()), (2, 5));
    assert!(stderr.contains("a.toml:14:1: expected a key"), "{stderr}");
}

/// A table over the points 1, 2, 3 and the class point:4: the same fault through both doors.
#[test]
fn a_table_over_other_points_than_the_class_is_refused_everywhere() {
    let (folder, path) = folder(&claim(
        "table",
        "kind = \"privacy\"\nmechanism = \"t.json\"\nclass = \"point:4\"\nrounds = 1\nepsilon = 0\n\
         delta = 0",
    ));
    let table = folder.path().join("t.json");
    let table = table.to_str().expect("UTF-8");
    littlestone(&["compile", "soa", "--class", "point:3", "-o", table]).assert().code(0);
    let fault = "the table is over the points 1, 2, 3, the class over 1, 2, 3, 4";
    let asked = ["verify", table, "--rounds", "1", "--epsilon", "0"];
    littlestone(&asked).args(["--class", "point:4"]).assert().code(2).stderr(contains(fault));
    littlestone(&["check", &path]).assert().code(2).stderr(contains(fault));
    littlestone(&asked).args(["--class", "point:3"]).assert().stdout(contains("worst δ"));
}

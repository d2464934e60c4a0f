//! What all commands have in common: limits are no faults, messages are short, files may begin with
//! a byte-order mark, and what a file says is checked.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::{contains, ends_with, starts_with};
use serde_json::{Value, json};

use crate::support::program::littlestone;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("temporary folder")
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("written");
    path.to_str().expect("UTF-8").to_owned()
}

fn claim(paper: &str, lines: &str) -> String {
    format!("[[claim]]\nname = \"a\"\npaper = \"{paper}\"\nexpect = \"holds\"\n{lines}\n")
}

/// 6^30 > 2^48.
#[test]
fn too_many_streams_are_undecided_in_the_same_words() {
    const MESSAGE: &str = "the set of all streams of 30 rounds has 6^30 members, more than the \
                           limit of 2^48";
    let soa = "subsampled-soa:gamma=1/4";
    let rest = ["--class", "point:3", "--rounds", "30", "--epsilon", "0", "--delta", "1/4"];
    littlestone(&[&["verify", soa], &rest[..]].concat())
        .assert()
        .code(3)
        .stdout(ends_with("verdict: undecided\n"))
        .stderr(contains(MESSAGE));
    let folder = folder();
    let lines = format!(
        "kind = \"privacy\"\nclass = \"point:3\"\nmechanism = \"{soa}\"\nrounds = 30\n\
         epsilon = 0\ndelta = \"1/4\""
    );
    let path = write(folder.path(), "a.toml", &claim("Fact 5", &lines));
    littlestone(&["check", &path])
        .assert()
        .code(3)
        .stdout(contains("undecided").and(contains(MESSAGE)));
}

/// Thresholds on n points: Ldim = floor(log2(n + 1)) = 3 for n = 7, with n + 1 = 8 hypotheses;
/// the VC dimension is 1, and a chain has all n thresholds.
#[test]
fn integers_in_claims_are_expressions() {
    let folder = folder();
    let check = |lines: &str| {
        let path = write(folder.path(), "a.toml", &claim("Definition 6", lines));
        littlestone(&["check", &path])
    };
    for lines in [
        "kind = \"littlestone-dimension\"\nclass = \"threshold:7\"\nequals = \"2^2 - 1\"",
        "kind = \"vc-dimension\"\nclass = \"threshold:7\"\nequals = \"hypotheses - points\"",
        "kind = \"threshold-dimension\"\nclass = [\"threshold:3\", \"threshold:7\"]\nequals = \"points\"",
        "kind = \"decomposition-dimension\"\nclass = \"point:5\"\np = \"2 - 1\"\nequals = \"p * d\"",
    ] {
        check(lines).assert().code(0).stdout(ends_with(" passed, 0 failed\n"));
    }
    let ldim = "kind = \"littlestone-dimension\"\nclass = \"threshold:7\"\nequals = ";
    for (value, message) in [
        ("\"7/2\"", ":7:11: expected an expression whose value is an integer, found `7/2` = 7/2"),
        ("\"2^64\"", ":7:11: expected an integer of at most 64 bits, found `2^64` = 184467"),
        ("\"3 * x\"", ":7:15: expected a number or a name in scope, found the unknown name `x`"),
    ] {
        let message = message.replace("found `7/2` = 7/2", "found 7/2");
        check(&format!("{ldim}{value}")).assert().code(2).stderr(contains(&*message));
    }
    let p = "kind = \"decomposition-dimension\"\nclass = \"point:5\"\nequals = 1\np = \"1/2\"";
    check(p)
        .assert()
        .code(2)
        .stderr(contains(":8:5: expected a number from 0 to 4294967295, found `1/2`"));
}

#[test]
fn claims_name_an_item_of_the_paper() {
    let folder = folder();
    write(folder.path(), "paper.toml", "title = \"T\"\nitems = \"built-in\"\n");
    let lines = "kind = \"littlestone-dimension\"\nclass = \"point:3\"\nequals = 1";
    let check = |paper: &str| {
        let path = write(folder.path(), "a.toml", &claim(paper, lines));
        littlestone(&["check", &path])
    };
    for paper in ["Theorem A", "Fact 2, P1", "Equation (4)", "Section 7.1"] {
        check(paper).assert().code(0);
    }
    check("Fact 2, Defintion 6").assert().code(2).stderr(
        contains("a.toml:3:18: expected an item of the paper")
            .and(contains("found `Defintion 6` (did you mean `Definition 6`?)")),
    );
}

/// The enumeration of the streams of 3 rounds takes more than 2 states.
#[test]
fn recheck_has_limits() {
    let folder = folder();
    let path = folder.path().join("proof.json");
    let path = path.to_str().expect("UTF-8");
    littlestone(&["verify", "subsampled-soa:gamma=1/4", "--class", "point:3", "--rounds", "3"])
        .args(["--epsilon", "0", "--joint", "--certificate", path])
        .assert()
        .code(0);
    littlestone(&["recheck", path]).assert().code(0);
    for (limit, message) in [
        (["--limit-states", "2"], "the limit of 2 states was reached"),
        (["--timeout", "0s"], "the time limit was reached"),
    ] {
        littlestone(&["recheck", path])
            .args(limit)
            .assert()
            .code(3)
            .stdout(ends_with("verdict: undecided\n"))
            .stderr(contains(message));
    }
    littlestone(&["recheck", "--help"]).assert().stdout(contains("100000000 states"));
}

/// Every field is changed in turn. By Fact 5 at γ = 1/4: the shortest streams have 2 rounds and
/// differ in round 1, the event has probabilities 1 and 3/4, and 1 − 3/4 = 1/4 is the worst δ.
#[test]
fn replay_compares_every_field() {
    let folder = folder();
    let args = ["verify", "subsampled-soa:gamma=1/4", "--class", "point:3", "--rounds", "3"];
    let rest = ["--epsilon", "0", "--delta", "1/5", "--joint", "--format", "json"];
    let output = littlestone(&[&args[..], &rest].concat()).output().expect("runs");
    let original: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let replay = |value: &Value| {
        let path = write(folder.path(), "replayed.json", &value.to_string());
        littlestone(&["replay", &path])
    };
    replay(&original).assert().code(0);
    let fields = [
        ("/rounds", json!(1), "a number of at least 2, the length of S"),
        ("/kind", json!("learner"), "\"predictor\""),
        ("/states", json!(7), "32"),
        ("/verdict", json!("holds"), "\"refuted\""),
        ("/worst_delta", json!("1/3"), "1/4"),
        ("/counterexample/differing_round", json!(2), "1"),
        ("/counterexample/divergence", json!("1/3"), "1/4"),
        ("/counterexample/event/count", json!(2), "1"),
        ("/counterexample/inequality", json!("1 > 0"), "\"1 > 1 · 3/4 + 1/5 = 19/20\""),
        ("/attained_by/differing_round", json!(3), "1"),
        ("/attained_by/divergence", json!("1/5"), "1/4"),
        ("/attained_by/first_probability", json!("1/5"), "1"),
    ];
    for (field, changed, expected) in fields {
        let mut value = original.clone();
        *value.pointer_mut(field).expect(field) = changed.clone();
        let found = changed.as_str().filter(|text| !matches!(*text, "learner" | "holds" | "1 > 0"));
        let found = found.map_or(changed.to_string(), str::to_owned);
        let key = field[1..].replace('/', ".");
        let message = format!("not confirmed: `{key}`: expected {expected}, found {found}\n");
        replay(&value)
            .assert()
            .code(1)
            .stdout(contains(message).and(ends_with("verdict: not confirmed\n")));
    }
}

#[test]
fn negative_numbers_get_an_explanation() {
    let soa = ["soa", "--class", "point:3"];
    for (args, message) in [
        (vec!["verify", "--epsilon", "0", "--rounds", "-1"], "a number of rounds, at least 1"),
        (vec!["verify", "--rounds", "1", "--epsilon", "-1"], "an ε that is not negative"),
        (
            vec!["verify", "--rounds", "1", "--epsilon", "0", "--delta", "-1/4"],
            "a number of at least 0",
        ),
        (vec!["mistakes", "--worst", "--rounds", "-1"], "a number of rounds, at least 1"),
        (vec!["compile", "--rounds", "-1"], "at least 1"),
    ] {
        littlestone(&args).args(soa).assert().code(2).stderr(
            contains(format!("expected {message}").as_str())
                .or(contains(message))
                .and(contains("tip: to pass").not()),
        );
    }
    for (args, message) in [
        (["decompose", "point:3", "--p", "-1"], "a number from 0 to 4294967295"),
        (["dim", "point:3", "--limit-states", "-1"], "a number from 0 to"),
        (["dim", "point:3", "--jobs", "-1"], "expected a number of threads, at least 1"),
    ] {
        littlestone(&args).assert().code(2).stderr(contains(message));
    }
    littlestone(&["atlas", "--points", "0"])
        .assert()
        .code(2)
        .stderr(contains("expected from 1 to 4 points, found 0").and(contains("5 points").not()));
}

#[test]
fn long_input_is_not_echoed() {
    let long = "x".repeat(5000);
    let stream = format!("{long}:0");
    let epsilon = format!("1/{}x", "3".repeat(5000));
    for args in [
        &["dim", &long][..],
        &["explain", &long],
        &[long.as_str()],
        &["soa", "point:3", "--stream", &stream],
        &["verify", &long, "--class", "point:3", "--rounds", "2", "--epsilon", "0"],
        &["verify", "soa", "--class", "point:3", "--rounds", "2", "--epsilon", &epsilon],
    ] {
        let output = littlestone(args).output().expect("runs");
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8(output.stderr).expect("UTF-8");
        let words = text.split_whitespace().map(|word| word.chars().count());
        assert!(words.max().is_some_and(|longest| longest < 100), "{text}");
        assert!(text.contains('…'), "{text}");
    }
}

/// The same file with and without a mark, for every command that reads one.
#[test]
fn files_may_begin_with_a_byte_order_mark() {
    let folder = folder();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = fs::read_to_string(root.join("examples/mechanisms/constant.rhai")).expect("there");
    let count =
        fs::read_to_string(root.join("examples/mechanisms/noisy-count.rhai")).expect("there");
    let proof = folder.path().join("proof.json");
    let proof = proof.to_str().expect("UTF-8");
    littlestone(&["dim", "point:3", "--certificate", proof]).assert().code(0);
    let table = folder.path().join("soa.json");
    let table = table.to_str().expect("UTF-8");
    littlestone(&["compile", "soa", "--class", "point:3", "-o", table]).assert().code(0);
    let lines = "kind = \"littlestone-dimension\"\nclass = \"point:3\"\nequals = 1";
    let count = write(folder.path(), "count.rhai", &count);
    let verify = ["--class", "point:3", "--rounds", "2", "--epsilon", "0"];
    let pairs = ["--epsilon", "0", "--neighbours"];
    let files: [(&str, String, Vec<&str>, &[&str]); 7] = [
        ("class.csv", "a,b\n0,1\n1,1\n".into(), vec!["dim"], &[]),
        ("a.toml", claim("Definition 6", lines), vec!["check"], &[]),
        ("m.rhai", script, vec!["verify"], &verify),
        ("t.json", fs::read_to_string(table).expect("written"), vec!["verify"], &verify),
        ("m.toml", "use = \"soa\"\n".into(), vec!["verify"], &verify),
        ("p.json", fs::read_to_string(proof).expect("written"), vec!["recheck"], &[]),
        ("pairs.txt", "0,0 | 1,0\n".into(), [&["verify", &count], &pairs[..]].concat(), &[]),
    ];
    for (name, text, before, after) in files {
        let run = |text: &str| {
            let path = write(folder.path(), name, text);
            let output = littlestone(&before).arg(&path).args(after).output().expect("runs");
            assert_eq!(output.status.code(), Some(0), "{name}: {output:?}");
            output.stdout
        };
        assert_eq!(run(&format!("\u{feff}{text}")), run(&text), "{name}");
    }
}

/// Three bits, each kept with probability 3/4: the listed pairs differ in all records. For the
/// data sets 0,0 and 1,1 the count 0 has probabilities 9/16 and 1/16, and count 1 has 6/16 under
/// both, so at ε = 0 the divergence is 9/16 − 1/16 = 1/2.
#[test]
fn listed_neighbours_have_certificates() {
    let folder = folder();
    let pairs = write(folder.path(), "pairs.txt", "0,0 | 1,1\n0 | 1\n");
    let proof = folder.path().join("proof.json");
    let proof = proof.to_str().expect("UTF-8");
    let count = "examples/mechanisms/noisy-count.rhai";
    for (delta, code, proved) in [
        ("1/2", 0, "proved: (0, 1/2)-differentially private over the listed pairs"),
        ("1/3", 1, "proved: not (0, 1/3)-differentially private over the listed pairs"),
    ] {
        littlestone(&["verify", count, "--epsilon", "0", "--delta", delta])
            .args(["--neighbours", &pairs, "--certificate", proof])
            .assert()
            .code(code);
        littlestone(&["recheck", proof]).assert().code(0).stdout(
            contains(proved)
                .and(contains("the pairs in the certificate are the neighbours that are meant")),
        );
    }
    let original: Value =
        serde_json::from_str(&fs::read_to_string(proof).expect("written")).expect("JSON");
    let forged = |tamper: &dyn Fn(&mut Value), code: i32, message: &str| {
        let mut value = original.clone();
        tamper(&mut value);
        fs::write(proof, value.to_string()).expect("written");
        let output = littlestone(&["recheck", proof]).output().expect("runs");
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let text = [&output.stdout[..], &output.stderr].concat();
        assert!(String::from_utf8_lossy(&text).contains(message), "{output:?}");
    };
    // A pair that is not in the list, and one with a greater divergence than the worst.
    forged(&|v| v["pairs"] = json!([[["0", "1"], ["1", "1"]]]), 1, "claim.witness");
    forged(&|v| v["pairs"][1] = json!([["0", "0", "0"], ["1", "1", "1"]]), 2, "rounds");
    forged(&|v| v["pairs"] = Value::Null, 2, "pairs");
    forged(&|v| v["pairs"][0][1] = json!(["0", "0"]), 2, "two data sets that differ");
    forged(&|v| v["pairs"][0][1] = json!(["2"]), 2, "pairs[0][1]");
    forged(&|v| v["neighbours"] = "replacement".into(), 2, "pairs");
    forged(&|v| v["claim"]["worst_delta"] = "1/3".into(), 1, "claim.worst_delta");
    forged(
        &|v| {
            v["claim"]["attained_by"] = json!({
                "first": ["0"], "second": ["1"], "event": [["0"]],
                "first_probability": "3/4", "second_probability": "1/4",
            });
            v["pairs"][0] = json!([["0", "1"], ["0", ""]]);
        },
        2,
        "pairs[0][1]",
    );
}

/// A range of one number is one question.
#[test]
fn a_table_of_one_number_of_rounds_has_a_certificate() {
    let folder = folder();
    let proof = folder.path().join("proof.json");
    let proof = proof.to_str().expect("UTF-8");
    littlestone(&["verify", "subsampled-soa:gamma=1/4", "--class", "point:3", "--joint"])
        .args(["--rounds", "3..3", "--epsilon", "0", "--certificate", proof])
        .assert()
        .code(0);
    littlestone(&["recheck", proof]).assert().code(0).stdout(starts_with("certificate: "));
}

#[test]
fn messages_about_tables_and_names_read_well() {
    let folder = folder();
    let script = "fn kind() { \"one-shot\" }\nfn alphabet() { #{ record: [0], output: [\"\"] } }\n\
        fn start() { 0 }\nfn observe(s, r) { s }\nfn finish(s) { \"\" }\n";
    let path = write(folder.path(), "empty.rhai", script);
    littlestone(&["compile", &path])
        .assert()
        .code(2)
        .stderr(contains("found an empty name among the outputs"));
}

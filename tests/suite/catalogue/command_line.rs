//! `littlestone compile`, `list mechanisms` and `explain` of mechanisms.

use std::fs;

use littlestone::catalogue::ENTRIES;
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};

use crate::support::program::littlestone;

fn printed(args: &[&str]) -> String {
    let output = littlestone(args).assert().code(0).get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

#[test]
fn compile_prints_a_table_that_can_be_compiled_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("automaton.json");
    let path = path.to_str().unwrap();
    let subsampled = "subsampled-soa:gamma=1/4";
    for args in [
        &[subsampled, "--class", "point:3"][..],
        &[subsampled, "--class", "point:3", "--rounds", "2"],
        &["randomised-response-one-shot", "--rounds", "2"],
    ] {
        let text = printed(&[&["compile", "-q"], args].concat());
        fs::write(path, &text).unwrap();
        let rounds = args.iter().position(|a| *a == "--rounds").map_or(&[][..], |i| &args[i..]);
        assert_eq!(printed(&[&["compile", "-q", path], rounds].concat()), text, "{args:?}");
    }
}

#[test]
fn compile_writes_files_and_graphs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("automaton.dot");
    let args = ["compile", "randomised-response", "--format", "dot", "-o", path.to_str().unwrap()];
    littlestone(&args)
        .assert()
        .code(0)
        .stdout(is_empty())
        .stderr(contains("automaton written to").and(contains("1 state, 6 transitions")));
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("digraph {") && text.contains("1 / 1 (3/4)"), "{text}");
    // Both functions are 0, so that no stream shows the switch.
    let switched = ["compile", "switch-at-mistake:after=0", "--class", "point:3"];
    littlestone(&switched).assert().code(0).stderr(contains("2 states"));
    littlestone(&[&switched[..], &["--minimise"]].concat())
        .assert()
        .code(0)
        .stderr(contains("1 state,"));
}

#[test]
fn compile_refuses_what_it_cannot_do() {
    for (args, message) in [
        (&["soa"][..], "the mechanism `soa` needs a class"),
        (&["soa", "--class", "point:3", "--rounds", "0"], "at least 1"),
        (&["sao", "--class", "point:3"], "the nearest is `soa`"),
        (&["soa", "--class", "point:3", "-o", "no/such/folder/x.json"], "no/such/folder"),
    ] {
        littlestone(&[&["compile"], args].concat())
            .assert()
            .code(2)
            .stdout(is_empty())
            .stderr(starts_with("error: ").and(contains(message)));
    }
}

#[test]
fn mechanisms_are_listed_and_explained() {
    let list = printed(&["list", "mechanisms"]);
    for entry in ENTRIES {
        assert!(list.contains(&format!("{}: {}\n", entry.name, entry.law)), "{}", entry.name);
        let text = printed(&["explain", entry.name]);
        assert!(text.contains(&format!("mechanism {}: {}", entry.name, entry.law)), "{text}");
        assert_eq!(text.contains("twin, for the misreading"), entry.twin.is_some(), "{text}");
        for parameter in entry.parameters {
            assert!(text.contains(&format!("  {}: {}", parameter.name, parameter.meaning)));
        }
    }
    // The word comes first, the mechanism of the same name after it.
    let soa = printed(&["explain", "soa"]);
    assert!(soa.starts_with("SOA: ") && soa.contains("mechanism soa: "), "{soa}");
}

//! Papers that folders declare: what claims may cite, and what `explain` and `list items` show of them.

use std::path::Path;

use littlestone::claims::{self, CheckOptions, Status};
use tempfile::TempDir;

use crate::support::program::littlestone;

const PAPER: &str = "title = \"T\"\n[[item]]\nname = \"Theorem 1\"\nstatement = \"S.\"\n\
                     also = [\"main\"]\nparts = [\"(i)\"]\n[[item]]\nname = \"Lemma 2\"\nstatement = \"L.\"\n";

fn claim(paper: &str) -> String {
    format!(
        "[[claim]]\nname = \"a\"\n{paper}kind = \"littlestone-dimension\"\nclass = \"point:3\"\n\
         equals = 1\nexpect = \"holds\"\n"
    )
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }
    folder
}

/// What is wrong with the claims of a folder, without its path; and the items of those that were read.
fn found(folder: &Path) -> (Vec<String>, Vec<String>) {
    let outcome = claims::check(&[folder.to_path_buf()], &CheckOptions::default());
    let prefix = format!("{}/", folder.display());
    let faults = outcome.faults.iter().map(|f| f.error.to_string().replace(&prefix, "")).collect();
    (faults, outcome.results.iter().map(|result| result.check.paper.clone()).collect())
}

#[test]
fn without_a_declaration_the_paper_is_free_text_or_left_out() {
    for paper in ["", "paper = \"Satz 7, and what follows it\"\n"] {
        let folder = folder(&[("a.toml", &claim(paper))]);
        let (faults, papers) = found(folder.path());
        assert_eq!((faults.len(), papers.len()), (0, 1), "{paper}: {faults:?}");
    }
    let folder = folder(&[("a.toml", &claim(""))]);
    let path = folder.path().to_str().expect("text");
    let output = littlestone(&["check", path, "--format", "json"]).output().expect("runs");
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"paper\": null"));
    let output = littlestone(&["check", path]).output().expect("runs");
    let line = format!("holds      {path}/a.toml:1  a\n");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with(&line));
}

#[test]
fn claims_cite_items_of_the_nearest_paper() {
    for (paper, fault) in [
        ("paper = \"Theorem 1\"\n", None),
        ("paper = \"main\"\n", None),
        ("paper = \"Theorem 1, (i), Lemma 2\"\n", None),
        (
            "paper = \"Lemma 2, (i)\"\n",
            Some("below/a.toml:3:19: expected an item of \"T\", found `(i)`"),
        ),
        (
            "paper = \"Theorm 1\"\n",
            Some(
                "below/a.toml:3:10: expected an item of \"T\", found `Theorm 1` (did you mean `Theorem 1`?)",
            ),
        ),
        ("", Some("below/a.toml:1:1: expected text at `paper`, found a claim without it")),
    ] {
        let folder = folder(&[("paper.toml", PAPER), ("below/a.toml", &claim(paper))]);
        let (faults, _) = found(folder.path());
        match fault {
            None => assert_eq!(faults, [""; 0], "{paper}"),
            Some(fault) if paper.is_empty() => assert_eq!(faults.len(), 1, "{faults:?} {fault}"),
            Some(fault) => assert_eq!(faults, [fault], "{paper}"),
        }
    }
    // The folder that is nearer has its own, and the items that this program knows are one of them.
    let built_in = "title = \"U\"\nitems = \"built-in\"\n";
    let files = [
        ("paper.toml", PAPER),
        ("below/paper.toml", built_in),
        ("below/a.toml", &claim("paper = \"Fact 5\"\n")),
        ("b.toml", &claim("paper = \"Lemma 2\"\n")),
    ];
    let (faults, papers) = found(folder(&files).path());
    assert_eq!((faults.len(), papers), (0, vec!["Lemma 2".to_owned(), "Fact 5".to_owned()]));
}

#[test]
fn declarations_that_are_malformed_are_refused_with_their_place() {
    for (text, fault) in [
        ("title = \"T\"\n", "paper.toml:1:1: expected at least one `[[item]]`, found none"),
        ("title = 1\n", "paper.toml:1:9: expected the declaration of a paper, found invalid type"),
        (
            "titel = \"T\"\n",
            "paper.toml:1:1: expected the declaration of a paper, found unknown field `titel`",
        ),
        (
            "title = \"T\"\nitems = \"own\"\n",
            "paper.toml:2:9: expected `[[item]]` tables, or `items = \"built-in\"` without them, found `own`",
        ),
        (
            "title = \"T\"\n[[item]]\nname = \"A\"\nstatement = \"\"\n[[item]]\nname = \"B\"\nalso = [\"A\"]\nstatement = \"\"\n",
            "paper.toml:7:9: expected a name that no other item has, found `A`, as in line 3",
        ),
        (
            "title = \"T\"\n[[item]]\nname = \"A, B\"\nstatement = \"\"\n",
            "paper.toml:3:8: expected the name of an item, without commas, found `A, B`",
        ),
        ("title = \"T\n", "paper.toml:1:"),
    ] {
        let folder = folder(&[("paper.toml", text), ("a.toml", &claim("paper = \"A\"\n"))]);
        let (faults, _) = found(folder.path());
        assert!(faults.len() == 1 && faults[0].starts_with(fault), "{text}: {faults:?}");
    }
}

#[test]
fn the_second_paper_is_checked_and_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/papers/folklore");
    let options = CheckOptions { perturb: true, ..CheckOptions::default() };
    let outcome = claims::check(std::slice::from_ref(&folder), &options);
    assert_eq!((outcome.status(), outcome.passed()), (Status::AsExpected, 18));
    let printed = |args: &[&str]| {
        let output = littlestone(args).current_dir(&folder).output().expect("runs");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let items = printed(&["list", "items"]);
    assert!(
        items.starts_with("Three facts that everyone uses\nFact 1     7 checks  The N + 1"),
        "{items}"
    );
    let item = printed(&["explain", "halving"]);
    assert!(
        item.starts_with("Fact 2 of Three facts that everyone uses\n\nThe halving algorithm"),
        "{item}"
    );
    assert!(item.contains("refuted    ./claims.toml:"), "{item}");
    // What it does not have is looked for where it always was.
    assert!(printed(&["explain", "Theorem 3"]).starts_with("Theorem 3: "));
    let from_elsewhere =
        littlestone(&["list", "items", "--paper"]).arg(&folder).output().expect("runs");
    let text = String::from_utf8(from_elsewhere.stdout).expect("text");
    assert_eq!(text, items);
    let missing = littlestone(&["list", "items", "--paper", "/nowhere"]).output().expect("runs");
    assert_eq!(missing.status.code(), Some(2));
}

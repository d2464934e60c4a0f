//! Malformed claim files: every fault is found, with its place.

use littlestone::claims::{CheckOptions, Status};

use super::{check, claim, errors, folder, jobs, relative};

/// The faults of a file `a.toml`, a line each.
fn faults(text: &str) -> Vec<String> {
    let folder = folder(&[("a.toml", text)]);
    let outcome = check(folder.path(), &CheckOptions::default());
    assert_eq!(outcome.status(), Status::Faulty);
    errors(&outcome).iter().map(|fault| relative(fault, folder.path())).collect()
}

const LDIM: &str = "kind = \"littlestone-dimension\"\nclass = \"point:3\"\nequals = 1";

#[test]
fn an_unknown_kind_is_named_with_its_neighbour() {
    let text = claim("a", "kind = \"littlestone-dimensoin\"\nclass = \"point:3\"");
    assert_eq!(
        faults(&text),
        [
            "a.toml:5:8: expected a kind of claim (one of always, atlas, blocks, bounds-learning, bounds-predictor, candidates, causal, certificate, \
          combine-table, concentrated, decomposition, decomposition-dimension, dimension, essential-hypotheses, fact2, identity, \
          irreducible, joint-privacy, lemma5, littlestone-dimension, minimax, mistakes, phases, \
          potentials, privacy, probability, profile, regret, soa, thirds, threshold, \
          threshold-dimension, vc-dimension), found `littlestone-dimensoin` \
          (did you mean \
          `littlestone-dimension`?)"
        ]
    );
}

#[test]
fn an_unknown_key_is_named_with_its_neighbour() {
    let text = claim("a", &LDIM.replace("class", "clas"));
    assert_eq!(
        faults(&text),
        ["a.toml:6:1: expected a key of `littlestone-dimension` (name, paper, kind, expect, \
          cases, slack, tier, class, header, equals, at_least, at_most, with, answer), found `clas` (did you mean `class`?)"]
    );
    let [top] = &faults("[[claims]]\nname = \"a\"\n")[..] else { panic!("one fault") };
    assert_eq!(
        top,
        "a.toml:1:3: expected `[[claim]]` tables only, found `claims` (did you mean `claim`?)"
    );
}

#[test]
fn every_missing_key_is_reported() {
    assert_eq!(
        faults("\n[[claim]]\n"),
        ["name", "kind", "expect"]
            .map(|key| format!("a.toml:2:1: expected the key `{key}`, found a claim without it"))
    );
    let text = claim("a", LDIM).replace("expect = \"holds\"\n", "");
    assert_eq!(faults(&text), ["a.toml:1:1: expected the key `expect`, found a claim without it"]);
    let text = claim("a", "kind = \"vc-dimension\"");
    assert_eq!(
        faults(&text),
        [
            "a.toml:1:1: expected the key `class`, found a claim without it",
            "a.toml:1:1: expected one of the keys `equals`, `at_least` and `at_most`, found a \
             claim without it"
        ]
    );
}

const EXACT: &str = "an exact expression at `equals`, as a string or an integer";

#[test]
fn wrong_types_are_reported_where_they_stand() {
    for (value, expected, found) in [
        ("1.0", EXACT, "the decimal number 1.0"),
        ("\" \"", EXACT, "the string \" \""),
        ("true", EXACT, "the truth value true"),
        ("{}", EXACT, "a table"),
        ("[[1]]", EXACT, "a list"),
    ] {
        let text = claim("a", &LDIM.replace("equals = 1", &format!("equals = {value}")));
        let column = if value == "[[1]]" { 11 } else { 10 };
        assert_eq!(
            faults(&text),
            [format!("a.toml:7:{column}: expected {expected}, found {found}")],
            "{value}"
        );
    }
    let text = claim("a", LDIM).replace("\"holds\"", "\"hold\"");
    assert_eq!(
        faults(&text),
        ["a.toml:4:10: expected `holds` or `refuted` at `expect`, found `hold` (did you mean \
          `holds`?)"]
    );
    let text = claim("a", LDIM).replace("\"a\"", "[\"a\", \"b\"]");
    assert_eq!(faults(&text), ["a.toml:2:8: expected a string at `name`, found a list"]);
    let text = claim("a", LDIM).replace("\"Definition 6\"", "\" \"");
    assert_eq!(faults(&text), ["a.toml:3:9: expected text at `paper`, found an empty string"]);
    assert_eq!(
        faults("claim = 3"),
        ["a.toml:1:1: expected `[[claim]]` tables, found the integer 3 at `claim`"]
    );
    assert_eq!(
        faults("claim = [3]"),
        ["a.toml:1:10: expected a `[[claim]]` table, found the integer 3"]
    );
}

#[test]
fn grids_that_check_nothing_are_faults() {
    for empty in ["", "claim = []"] {
        assert_eq!(
            faults(empty),
            ["a.toml:1:1: expected at least one `[[claim]]` table, found none"]
        );
    }
    let text = claim("a", &LDIM.replace("\"point:3\"", "[]"));
    assert_eq!(
        faults(&text),
        ["a.toml:6:9: expected at least one value in the list at `class`, found an empty list, \
          which checks nothing"]
    );
    let text = claim("a", &LDIM.replace("equals = 1", "cases = []"));
    assert_eq!(
        faults(&text),
        ["a.toml:7:9: expected at least one table in `cases`, found an empty list, which checks \
          nothing"]
    );
    let text = claim("a", &LDIM.replace("equals = 1", "cases = [{}]"));
    assert_eq!(
        faults(&text),
        ["a.toml:7:10: expected a key in each table of `cases`, found an empty table"]
    );
}

#[test]
fn huge_grids_are_refused_before_they_are_built() {
    let list = vec!["1"; 1000].join(", ");
    let text = claim("a", "kind = \"vc-dimension\"\nclass = \"point:3\"\n")
        + format!("at_least = [{list}]\nat_most = [{list}]\n").as_str();
    assert_eq!(
        faults(&text),
        ["a.toml:1:1: the grid of this claim has at least 1000×1000 checks, more than the limit \
          of 100000 checks"]
    );
}

#[test]
fn cases_may_set_only_keys_of_the_kind() {
    let cases = "kind = \"vc-dimension\"\nequals = 1\ncases = [\n{class = \"point:3\", expect = \
                 \"refuted\"},\n{klass = \"point:3\"},\n3,\n]";
    assert_eq!(
        faults(&claim("a", cases)),
        [
            "a.toml:8:21: expected in `cases` only class, header, equals, at_least, at_most, with, answer, found \
             `expect`, which is the whole claim's",
            "a.toml:9:2: expected a key of `vc-dimension` (class, header, equals, at_least, at_most, with, answer), \
             found `klass` (did you mean `class`?)",
            "a.toml:10:1: expected a table in `cases`, found the integer 3"
        ]
    );
}

#[test]
fn a_name_is_used_once_in_a_file() {
    let text = claim("a", LDIM) + claim("a", LDIM).as_str();
    assert_eq!(
        faults(&text),
        ["a.toml:9:8: expected a name used once in the file, found `a`, as in line 1"]
    );
}

#[test]
fn what_is_not_toml_is_reported_with_its_place() {
    let found = faults("[[claim]]\nname = \nkind = \"vc-dimension");
    assert_eq!(found.len(), 2, "both faults are found: {found:?}");
    assert!(found[0].starts_with("a.toml:2:"), "{found:?}");
    assert!(found[1].starts_with("a.toml:3:"), "{found:?}");
    let folder = folder(&[]);
    std::fs::write(folder.path().join("b.toml"), b"\xff\xfe").unwrap();
    let faults = errors(&check(folder.path(), &CheckOptions::default()));
    assert!(
        faults[0].ends_with("b.toml:1:1: expected text in UTF-8, found the byte 0xff"),
        "{faults:?}"
    );
}

#[test]
fn a_class_that_cannot_be_loaded_is_a_fault_of_the_claim() {
    let text = claim("a", &LDIM.replace("\"point:3\"", "[\"point:3\", \"pointless\"]"));
    let [fault] = &faults(&text)[..] else { panic!("one fault") };
    assert!(fault.starts_with("a.toml:6:21: no file or family is called `pointless`"), "{fault}");
}

#[test]
fn a_certificate_that_is_none_is_a_fault_of_the_claim() {
    let lines = "kind = \"certificate\"\nfile = [\"missing.json\", \"a.toml\"]";
    let found = faults(&claim("a", lines));
    assert_eq!(found.len(), 2);
    assert!(found[0].starts_with("a.toml:6:9: expected a certificate, found `missing.json`: "));
    assert!(found[1].starts_with("a.toml:6:25: expected a certificate, found `a.toml`: "));
}

#[test]
fn faults_of_all_files_stand_beside_the_results_of_the_others() {
    let good = claim("a", LDIM);
    let bad = good.replace("expect", "except");
    let files = [("a.toml", &*good), ("b/c.toml", &*bad), ("b/d.toml", "x ="), ("e.toml", "")];
    let folder = folder(&files);
    for threads in [1, 4] {
        let outcome = check(folder.path(), &jobs(threads));
        let places: Vec<String> = errors(&outcome)
            .iter()
            .map(|fault| relative(fault, folder.path()))
            .map(|fault| fault.split(": expected").next().unwrap().to_owned())
            .collect();
        // The missing `expect`, the unknown `except`, the syntax error, the file without claims.
        assert_eq!(places, ["b/c.toml:1:1", "b/c.toml:4:1", "b/d.toml:1:4", "e.toml:1:1"]);
        assert_eq!((outcome.passed(), outcome.results.len()), (1, 1));
    }
}

#[test]
fn a_path_that_is_not_there_is_a_fault_but_an_empty_folder_selects_nothing() {
    let folder = folder(&[("readme.md", "no claims")]);
    let missing = folder.path().join("nowhere");
    let faults = errors(&check(&missing, &CheckOptions::default()));
    assert!(faults[0].starts_with(&format!("{}: ", missing.display())));
    let outcome = check(folder.path(), &CheckOptions::default());
    assert_eq!(outcome.status(), Status::NothingSelected);
}

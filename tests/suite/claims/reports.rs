//! The report formats, their schema, and the manual's examples.

use littlestone::claims::{self, CheckOptions, Fault, Outcome, Status, kinds};
use littlestone::error::{Error, Position};
use littlestone::report::check::{self as report, Detail};
use serde_json::Value;

use super::{claim, folder, manifest, relative};
use crate::support::schema::validate;

/// One check as expected, one that differs, and one that is vacuous.
fn example() -> (tempfile::TempDir, Outcome) {
    let kind = "kind = \"vc-dimension\"\nclass = \"point:3\"\n";
    let text = claim("100% <fine>", &format!("{kind}equals = 1"))
        + claim("wrong", &format!("{kind}cases = [{{equals = 2}}]")).as_str()
        + claim("empty", &format!("{kind}at_least = 0")).as_str();
    let folder = folder(&[("a,b.toml", &text)]);
    let paths = [folder.path().to_path_buf()];
    let outcome = claims::check(&paths, &CheckOptions::default());
    (folder, outcome)
}

#[test]
fn the_human_report_has_a_line_for_each_check_and_details_of_failures() {
    let (folder, outcome) = example();
    let human = |detail| relative(&report::human(&outcome, detail), folder.path());
    let failures = "\
refuted    a,b.toml:14  Definition 6: wrong [equals=2]
    FAILED: expected holds, found refuted
    VCdim(point:3) = 1; claimed 2
vacuous    a,b.toml:15  Definition 6: empty
    FAILED: expected holds, found vacuous
    VCdim(point:3) = 1; claimed at least 0
    slack of VCdim(point:3): 0 ≤ 1, difference 1 (slack)
    vacuous: |H| = 3 and |X| = 3 alone give 0 ≤ VCdim ≤ 1, so this claim says nothing
inequalities that hold: 1 tight
1 passed, 2 failed
";
    assert_eq!(human(Detail::Failures), failures);
    let passed = "holds      a,b.toml:1  Definition 6: 100% <fine>\n";
    assert_eq!(human(Detail::Lines), format!("{passed}{failures}"));
    let everything = format!(
        "{passed}    VCdim(point:3) = 1; claimed 1\n    not vacuous: |H| = 3 and |X| = 3 alone \
         give 0 ≤ VCdim ≤ 1\n{failures}"
    );
    assert_eq!(human(Detail::Everything), everything);
}

#[test]
fn the_line_of_a_refuted_twin_shows_the_refutation() {
    let kind = "kind = \"littlestone-dimension\"\nclass = \"point:3\"\nequals = 2";
    let text = claim("twin", kind).replace("\"holds\"", "\"refuted\"");
    let folder = folder(&[("a.toml", &text)]);
    let paths = [folder.path().to_path_buf()];
    let outcome = claims::check(&paths, &CheckOptions::default());
    let human = |detail| relative(&report::human(&outcome, detail), folder.path());
    assert_eq!(
        human(Detail::Lines),
        "refuted    a.toml:1  Definition 6: twin: Ldim(point:3) = 1; claimed 2\n1 passed, 0 failed\n"
    );
    assert_eq!(human(Detail::Failures), "1 passed, 0 failed\n");
}

#[test]
fn the_list_names_every_check() {
    let (folder, outcome) = example();
    let list = report::list(outcome.results.iter().map(|r| &r.check));
    assert_eq!(
        relative(&list, folder.path()),
        "holds      a,b.toml:1  Definition 6: 100% <fine>  (vc-dimension)\n\
         holds      a,b.toml:14  Definition 6: wrong [equals=2]  (vc-dimension)\n\
         holds      a,b.toml:15  Definition 6: empty  (vc-dimension)\n"
    );
}

#[test]
fn github_annotations_are_escaped() {
    let (folder, outcome) = example();
    let text = relative(&report::github(&outcome), folder.path());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4);
    let prefix = format!("::error file={}/", folder.path().display());
    assert_eq!(
        report::github(&outcome).lines().next().unwrap().strip_prefix(&prefix).unwrap(),
        "a%2Cb.toml,line=14,title=Definition 6::wrong [equals=2]: expected holds, found \
         refuted%0AVCdim(point:3) = 1; claimed 2"
    );
    assert_eq!(lines[2..], ["inequalities that hold: 1 tight", "1 passed, 2 failed"]);
    let fault = Error::malformed(Position::at("a.toml", 3, 4), "100%", "x\ny");
    let faults = [fault, Error::argument("no")].map(|error| Fault { error, after: 0 }).to_vec();
    assert_eq!(
        report::github(&Outcome { faults, ..Outcome::default() }),
        "::error file=a.toml,line=3,col=4::a.toml:3:4: expected 100%25, found x\\ny\n\
         ::error::no\n0 passed, 0 failed, 2 errors\n"
    );
}

#[test]
fn junit_has_one_suite_for_each_file_and_no_times() {
    let (folder, outcome) = example();
    let text = relative(&report::junit(&outcome, false), folder.path());
    assert!(text.contains(
        "<testsuites name=\"littlestone check\" tests=\"3\" skipped=\"0\" failures=\"2\" \
         errors=\"0\">"
    ));
    assert!(text.contains("<testcase name=\"Definition 6: 100% &lt;fine&gt;\""), "{text}");
    assert!(text.contains("message=\"expected holds, found refuted\" type=\"refuted\""), "{text}");
    assert_eq!(text.matches("<testsuite ").count(), 1);
    assert!(!text.contains("time"), "{text}");
}

/// Fails unless the keys of every object are sorted as they stand in the text.
fn assert_sorted(text: &str) {
    // Values in the example contain no braces, brackets or escaped quotes before a colon.
    let mut stack: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some((key, _)) = line.split_once("\": ") {
            let last = stack.last_mut().expect("a key stands in an object");
            assert!(last.as_str() < key, "{key} after {last}");
            key.clone_into(last);
        }
        if line.ends_with('{') || line.ends_with('[') {
            stack.push(String::new());
        } else if line.starts_with('}') || line.starts_with(']') {
            stack.pop();
        }
    }
    assert!(stack.is_empty());
}

#[test]
fn json_has_sorted_keys_and_fits_its_schema() {
    let (_folder, outcome) = example();
    let text = report::json(&outcome, false);
    assert_sorted(&text);
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["format"], 1);
    assert_eq!(value["command"], "check");
    assert_eq!((&value["passed"], &value["failed"]), (&1.into(), &2.into()));
    assert_eq!(value["checks"][1]["values"]["vc_dimension"], "1");
    assert_eq!(value["checks"][1]["case"]["equals"], "2");
    let schema = std::fs::read_to_string(manifest("docs/schemas/check.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    validate(&schema, &value).unwrap();
    // The schema is not so loose that it takes anything.
    for (key, wrong) in [("format", 2.into()), ("passed", "1".into()), ("new", 1.into())] {
        let mut changed = value.clone();
        changed[key] = wrong;
        validate(&schema, &changed).unwrap_err();
    }
    let mut changed = value.clone();
    changed["checks"][0]["verdict"] = "perhaps".into();
    validate(&schema, &changed).unwrap_err();
}

#[test]
fn the_manual_describes_every_kind_and_its_examples_are_as_they_say() {
    let manual = std::fs::read_to_string(manifest("docs/claims.md")).unwrap();
    let reference = std::fs::read_to_string(manifest("docs/questions.md")).unwrap();
    assert_eq!(
        reference,
        littlestone::questions::reference::markdown(),
        "docs/questions.md is old"
    );
    for kind in kinds::all() {
        let described = [format!("| `{}` |", kind.name), format!("## {}\n", kind.name)];
        let pages = [&manual, &reference];
        let told = pages.iter().any(|page| described.iter().any(|text| page.contains(text)));
        assert!(told, "{} is missing", kind.name);
    }
    let examples: Vec<&str> = manual
        .split("```toml\n")
        .skip(1)
        .map(|rest| rest.split_once("```").expect("a block ends").0)
        .collect();
    assert!(examples.len() >= 3);
    // Examples refer to the project's own certificates.
    let folder = folder(&[]);
    for entry in std::fs::read_dir(manifest("checks/certificates")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    for (i, example) in examples.iter().enumerate() {
        let path = folder.path().join(format!("example-{i}.toml"));
        std::fs::write(&path, example).unwrap();
        let outcome = claims::check(&[path], &CheckOptions::default());
        let text = report::human(&outcome, Detail::Lines);
        assert_eq!(outcome.status(), Status::AsExpected, "{text}");
    }
}

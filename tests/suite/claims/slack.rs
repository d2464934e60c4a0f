//! Slack, what may be as slack as it is, and claims that hold when they are made stronger.

use littlestone::claims::{CheckOptions, CheckResult, Outcome, Status, Verdict};
use littlestone::exact::Rational;
use littlestone::limits::Limits;
use littlestone::questions::slack::Tightness;
use littlestone::report::check::{self as report, Detail};
use serde_json::Value;

use super::{check, claim, folder};
use crate::support::program::littlestone;

/// Randomised response that keeps a bit with probability 3/4: its worst δ at ε = 0 is 3/4 − 1/4 = 1/2, and at
/// ln(2) it is 3/4 − 2/4 = 1/4.
fn response(lines: &str) -> String {
    let kind = "kind = \"privacy\"\nmechanism = \"randomised-response:flip=1/4\"\nrounds = 1\n";
    claim("a", &format!("{kind}{lines}"))
}

fn run(text: &str, options: &CheckOptions) -> Outcome {
    let folder = folder(&[("a.toml", text)]);
    let outcome = check(folder.path(), options);
    assert_eq!(outcome.faults, [], "{text}");
    outcome
}

fn only(outcome: &Outcome) -> &CheckResult {
    assert_eq!(outcome.results.len(), 1);
    &outcome.results[0]
}

fn perturb() -> CheckOptions {
    CheckOptions { perturb: true, ..CheckOptions::default() }
}

fn at_most(factor: i64) -> CheckOptions {
    let factor = Rational::from_integer(factor.into());
    CheckOptions { max_slack: Some(factor), ..CheckOptions::default() }
}

#[test]
fn a_claim_is_as_slack_as_its_slackest_inequality() {
    for (lines, tightness, line) in [
        ("epsilon = \"ln(2)\"\ndelta = \"1/4\"", Tightness::Tight, "1/4 ≤ 1/4, ratio 1 (tight)"),
        ("epsilon = \"ln(2)\"\ndelta = \"3/8\"", Tightness::Near, "1/4 ≤ 3/8, ratio 3/2 (near)"),
        ("epsilon = \"ln(2)\"\ndelta = \"3/4\"", Tightness::Slack, "1/4 ≤ 3/4, ratio 3 (slack)"),
        (
            "epsilon = \"ln(3)\"\ndelta = \"1/9\"",
            Tightness::Slack,
            "0 ≤ 1/9, difference 1/9 (slack)",
        ),
        ("epsilon = \"ln(3)\"\ndelta = 0", Tightness::Tight, "0 ≤ 0, difference 0 (tight)"),
    ] {
        let outcome = run(&response(lines), &CheckOptions::default());
        let finding = &only(&outcome).finding;
        assert_eq!((finding.verdict, finding.tightness()), (Verdict::Holds, Some(tightness)));
        assert_eq!(finding.slackest().expect("one").line(), format!("worst δ: {line}"));
    }
}

/// Where the value itself is claimed, a bound on it says no more.
#[test]
fn a_bound_beside_the_value_does_not_count() {
    let lines = "epsilon = \"ln(2)\"\ndelta = \"3/4\"\nworst_delta = \"1/4\"";
    let outcome = run(&response(lines), &at_most(1));
    assert_eq!(only(&outcome).finding.tightness(), Some(Tightness::Tight));
    assert_eq!(outcome.status(), Status::AsExpected);
}

#[test]
fn a_claim_that_is_slacker_than_it_may_be_fails() {
    let slack = response("epsilon = \"ln(2)\"\ndelta = \"3/4\"");
    let near = response("epsilon = \"ln(2)\"\ndelta = \"3/8\"");
    assert_eq!(run(&slack, &at_most(3)).status(), Status::AsExpected);
    assert_eq!(run(&near, &at_most(2)).status(), Status::AsExpected);
    let outcome = run(&slack, &at_most(2));
    assert_eq!((outcome.status(), outcome.failed()), (Status::Differs, 1));
    let text = report::human(&outcome, Detail::Failures).to_string();
    let line = "    FAILED: slacker than 2: worst δ: 1/4 ≤ 3/4, ratio 3 (slack)\n";
    assert!(text.contains(line), "{text}");
    // Twins are not asked, for what they say is false.
    let twin = response("epsilon = \"ln(2)\"\ndelta = \"1/8\"").replace("\"holds\"", "\"refuted\"");
    assert_eq!(run(&twin, &at_most(1)).status(), Status::AsExpected);
}

/// What a claim says of itself takes the place of what the run allows, also where the run allows anything.
#[test]
fn a_claim_may_say_how_slack_it_is() {
    let claim =
        |own: &str| response(&format!("epsilon = \"ln(2)\"\ndelta = \"3/4\"\nslack = {own}"));
    let own = "{ at_most = 3, because = \"the next denominator is 5\" }";
    assert_eq!(run(&claim(own), &at_most(2)).status(), Status::AsExpected);
    let less = own.replace('3', "\"5/2\"");
    assert_eq!(run(&claim(&less), &CheckOptions::default()).status(), Status::Differs);
    let any = own.replace('3', "\"any\"");
    assert_eq!(run(&claim(&any), &at_most(2)).status(), Status::AsExpected);
    let text = report::human(&run(&claim(own), &at_most(2)), Detail::Everything).to_string();
    assert!(text.contains("    it is slack because the next denominator is 5\n"), "{text}");
    for wrong in [
        "2",
        "{ at_most = 3 }",
        "{ because = \"x\" }",
        "{ at_most = \"1/2\", because = \"x\" }",
        "{ at_most = 3, because = \" \" }",
        "{ at_most = 3, because = \"x\", other = 1 }",
        "{ at_most = \"exp(1)\", because = \"x\" }",
    ] {
        let folder = folder(&[("a.toml", &claim(wrong))]);
        let outcome = check(folder.path(), &CheckOptions::default());
        let fault = outcome.faults.first().unwrap_or_else(|| panic!("{wrong}")).error.to_string();
        assert!(fault.contains("a.toml:") && fault.contains("because"), "{wrong}: {fault}");
    }
}

#[test]
fn stronger_claims_that_hold_are_listed() {
    // At ε = 0 nothing is smaller, and the bound is tight.
    let exact = run(&response("epsilon = 0\ndelta = \"1/2\""), &perturb());
    assert_eq!(only(&exact).perturbed.as_deref(), Some(&[][..]));
    assert_eq!((exact.survivors(), exact.status()), ((0, 0), Status::AsExpected));
    // At ln(2) the δ is 1/4, at ln(3/2) it is 3/4 − 3/8 = 3/8.
    let tight = run(&response("epsilon = \"ln(2)\"\ndelta = \"1/4\""), &perturb());
    let tried = only(&tight).perturbed.as_ref().expect("asked for");
    assert_eq!(tried[0].change, "epsilon ln(2) → ln(3/2)");
    assert_eq!((tried[0].verdict, tight.survivors()), (Verdict::Refuted, (0, 0)));
    // ln(5) is more than is needed, ln(3) would do.
    let slack = run(&response("epsilon = \"ln(5)\"\ndelta = 0"), &perturb());
    assert_eq!((slack.survivors(), slack.status()), ((1, 1), Status::Differs));
    assert_eq!(only(&slack).survivors(), ["it holds with epsilon ln(5) → ln(3)"]);
    let text = report::human(&slack, Detail::Failures).to_string();
    assert!(
        text.contains("made stronger: of 1 claims 1 still hold, 1 of them do not say why\n"),
        "{text}"
    );
    // The bound alone, by its value.
    let bound = run(&response("epsilon = \"ln(2)\"\ndelta = \"3/4\""), &perturb());
    let [line, other] = &only(&bound).survivors()[..] else { panic!("two ways") };
    assert_eq!(line, "worst δ would hold with a bound 3 times stronger");
    assert_eq!(other, "it holds with epsilon ln(2) → ln(3/2)");
    // A claim that says why is listed, and is no failure.
    let why = "epsilon = \"ln(5)\"\ndelta = 0\nslack = { at_most = 1, because = \"as printed\" }";
    let explained = run(&response(why), &perturb());
    assert_eq!((explained.survivors(), explained.status()), ((1, 0), Status::AsExpected));
}

#[test]
fn constants_of_other_kinds_are_made_stronger() {
    // Definition 7: two labels 0 of POINT4 leave two functions, three leave one.
    let irreducible = "kind = \"irreducible\"\nclass = \"point:4\"\nk = ";
    let claim_of = |k: u32| claim("a", &format!("{irreducible}{k}"));
    let changed = |text: &str| {
        let outcome = run(text, &perturb());
        only(&outcome).survivors()
    };
    assert_eq!(changed(&claim_of(1)), ["it holds with irreducible 1 → 2"]);
    assert!(changed(&claim_of(2)).is_empty());
}

/// The command: its options, its exit codes, and JSON that is the same for any number of threads.
#[test]
fn the_command_reports_slack_in_every_format() {
    let text = response("epsilon = \"ln(2)\"\ndelta = \"3/4\"");
    let folder = folder(&[("a.toml", &text)]);
    let path = folder.path().to_str().expect("text");
    let printed = |args: &[&str], code: i32| {
        let output = littlestone(&[&["check", path], args].concat()).output().expect("runs");
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let json = printed(&["--format", "json", "--perturb", "--max-slack", "4"], 1);
    assert_eq!(
        json,
        printed(&["--format", "json", "--perturb", "--max-slack", "4", "--jobs", "2"], 1)
    );
    let value: Value = serde_json::from_str(&json).expect("JSON");
    let check = &value["checks"][0];
    assert_eq!(check["tightness"], "slack");
    assert_eq!(check["inequalities"][0]["slack"], "3");
    assert_eq!(check["inequalities"][0]["left"], serde_json::json!(["1/4"]));
    assert_eq!(check["survivors"].as_array().expect("a list").len(), 2);
    assert_eq!(check.get("seconds"), None);
    let timed: Value =
        serde_json::from_str(&printed(&["--format", "json", "--times"], 0)).expect("JSON");
    assert!(timed["checks"][0]["seconds"].as_str().expect("text").contains('.'));
    let junit = printed(&["--format", "junit", "--max-slack", "2"], 1);
    assert!(junit.contains("slacker than 2: worst δ: 1/4 ≤ 3/4, ratio 3 (slack)"), "{junit}");
    assert!(printed(&["--format", "junit", "--times"], 0).contains("time=\""));
    let github = printed(&["--format", "github", "--perturb"], 1);
    assert!(github.contains("::warning file=") && github.contains("3 times stronger"), "{github}");
    for wrong in ["1/2", "x", "exp(1)", ""] {
        let output = littlestone(&["check", path, "--max-slack", wrong]).output().expect("runs");
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

/// The first rows, corners and tables of a search that a limit cut are not what was looked for: claims about
/// them are undecided, whatever they say, and so are twins.
#[test]
fn what_a_cut_search_has_so_far_decides_nothing() {
    let subsampled = "class = \"point:3\"\nmechanism = \"subsampled-soa:gamma=1/4\"\n";
    let range = format!("kind = \"joint-privacy\"\n{subsampled}rounds = \"1..4\"\nepsilon = 0\n");
    let profile = format!("kind = \"profile\"\n{subsampled}rounds = 3\n");
    let combine = "kind = \"combine-table\"\nepsilon = \"ln(3/2)\"\nrounds = 3\nd = \"1..3\"\n";
    for lines in [
        format!("{combine}answer.rows = []"),
        format!("{profile}answer.profiles.0.breakpoints.0.delta = 0"),
        format!("{profile}answer.profiles.0.breakpoints.0.delta = \"7/16\""),
        format!("{profile}answer.profiles.0.delta_at_epsilon_0.delta.at_most = \"1/100\""),
        format!("{range}delta = \"1/5\"\nanswer.table.0.verdict = \"holds\""),
        format!("{range}answer.table.0.lower = 0"),
        format!("{}delta = \"1/5\"\nanswer.decided_rounds = 2", range.replace("1..4", "all")),
    ] {
        for states in [0, 2, 5] {
            for expect in ["holds", "refuted"] {
                let limits = Limits { states: Some(states), ..Limits::default() };
                let options = CheckOptions { limits, ..CheckOptions::default() };
                let text =
                    claim("a", &lines).replace("\"holds\"\nkind", &format!("\"{expect}\"\nkind"));
                let outcome = run(&text, &options);
                assert_eq!(outcome.status(), Status::Undecided, "{text} within {states} states");
            }
        }
    }
}

/// Labels and names of points are compared as they are written, though they have the value of a number.
#[test]
fn names_are_no_numbers() {
    let essential = "kind = \"essential-hypotheses\"\nclass = \"point:8\"\np = 2\n";
    for (claimed, verdict) in [
        ("\"00000000\"", Verdict::Holds),
        ("\"0\"", Verdict::Refuted),
        ("\"000\"", Verdict::Refuted),
        ("\"1-1\"", Verdict::Refuted),
        ("0", Verdict::Refuted),
    ] {
        let text = claim("a", &format!("{essential}answer.essential_hypotheses.0 = {claimed}"));
        let outcome = run(&text, &CheckOptions::default());
        assert_eq!(only(&outcome).finding.verdict, verdict, "{claimed}");
    }
    let soa = "kind = \"soa\"\nclass = \"c.csv\"\nheader = \"yes\"\nstream = \"01:1\"\n";
    for (claimed, verdict) in [("\"01\"", Verdict::Holds), ("\"1\"", Verdict::Refuted)] {
        let text = claim("a", &format!("{soa}answer.rounds.0.point = {claimed}"));
        let folder = folder(&[("a.toml", &text), ("c.csv", "1,01\n0,0\n0,1\n")]);
        let outcome = check(folder.path(), &CheckOptions::default());
        assert_eq!(outcome.faults, []);
        assert_eq!(only(&outcome).finding.verdict, verdict, "{claimed}");
    }
}

#[test]
fn no_pairs_and_no_verdict_are_refused() {
    let one_shot = "kind = \"privacy\"\nmechanism = \"report-noisy-max:queries=2,ratio=1/2\"\nrounds = 1\nepsilon = 0\n";
    for (lines, fault) in [
        (
            format!("{one_shot}delta = 0\npairs = []"),
            "expected at least one pair, found an empty list",
        ),
        (
            format!("{one_shot}delta = 0\nanswer.verdict = \"Refuted\""),
            "expected `holds` or `refuted`, found `Refuted`",
        ),
    ] {
        let folder = folder(&[("a.toml", &claim("a", &lines))]);
        let outcome = check(folder.path(), &CheckOptions::default());
        let found = outcome.faults.first().unwrap_or_else(|| panic!("{lines}")).error.to_string();
        assert!(found.contains(fault), "{found}");
    }
}

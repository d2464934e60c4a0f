//! Verdicts, grids, selection and the order of results.

use std::collections::BTreeSet;

use littlestone::claims::{self, CheckOptions, CheckResult, Outcome, Status, Verdict};
use littlestone::limits::Limits;
use littlestone::report::check as report;

use super::{check, claim, folder, jobs, outcome, relative};

fn verdicts(outcome: &Outcome) -> Vec<(&str, String)> {
    let name =
        |r: &CheckResult| (r.finding.verdict.name(), r.check.label().trim_start().to_owned());
    outcome.results.iter().map(name).collect()
}

/// Ldim of the thresholds on n points is floor(log2(n + 1)) (Littlestone 1988), their VC dimension
/// is 1 and their threshold dimension n.
#[test]
fn each_dimension_is_decided_both_ways() {
    for (kind, symbol, value) in
        [("littlestone-dimension", "Ldim", 3), ("vc-dimension", "VCdim", 1)].into_iter().chain([(
            "threshold-dimension",
            "Tdim",
            7,
        )])
    {
        let lines = format!(
            "kind = \"{kind}\"\nclass = \"threshold:7\"\ncases = [\n{{equals = {value}}},\n\
             {{equals = {}}},\n{{at_least = {value}, at_most = 6}},\n{{at_least = {}}},\n\
             {{at_most = {}}}]",
            value - 1,
            value + 1,
            value - 1
        );
        let outcome = outcome(&claim("a", &lines));
        let third = if value == 7 { "refuted" } else { "holds" };
        let expected = ["holds", "refuted", third, "refuted", "refuted"];
        let found: Vec<&str> = outcome.results.iter().map(|r| r.finding.verdict.name()).collect();
        assert_eq!(found, expected, "{kind}");
        let finding = &outcome.results[1].finding;
        let claimed = value - 1;
        assert_eq!(finding.found, format!("{symbol}(threshold:7) = {value}; claimed {claimed}"));
        assert_eq!(outcome.results[1].check.line, 9);
        assert_eq!(outcome.status(), Status::Differs);
    }
}

/// Two thresholds on one point shatter the tree with that point at its root.
#[test]
fn a_refuted_upper_bound_shows_a_shattered_tree() {
    let lines = "kind = \"littlestone-dimension\"\nclass = \"threshold:1\"\nequals = 0";
    let outcome = outcome(&claim("a", lines));
    let [result] = &outcome.results[..] else { panic!("one check") };
    assert_eq!(result.finding.verdict, Verdict::Refuted);
    let [tree] = &result.finding.details[..] else { panic!("one line of detail") };
    let class = littlestone::class::spec::load_relative("threshold:1", "".as_ref()).unwrap().class;
    let name = |label| {
        let h = (0..2).find(|&h| class.label(h, 0) == label).unwrap();
        class.hypothesis_name(h).into_owned()
    };
    let point = &class.point_names()[0];
    let expected =
        format!("shattered tree of depth 1: {point}(0: {}, 1: {})", name(false), name(true));
    assert_eq!(*tree, expected);
}

/// The cells of a refutation are looked up in the class: two points with all four labellings, and
/// `h_i(x_j)` = 1 iff i ≤ j.
#[test]
fn refuted_bounds_on_the_other_dimensions_show_points_that_refute_them() {
    let detail = |kind: &str, class: &str| {
        let lines = format!("kind = \"{kind}\"\nclass = \"{class}\"\nat_most = 1");
        let outcome = outcome(&claim("a", &lines));
        assert_eq!(outcome.results[0].finding.verdict, Verdict::Refuted);
        outcome.results[0].finding.details[0].clone()
    };
    let load = |spec| littlestone::class::spec::load_relative(spec, "".as_ref()).unwrap().class;

    let product = "product(threshold:2, threshold:2)";
    let class = load(product);
    let text = detail("vc-dimension", product);
    let points: Vec<usize> = text
        .strip_prefix("shattered points: ")
        .unwrap()
        .split(", ")
        .map(|name| class.point_index(name).unwrap())
        .collect();
    let labellings: BTreeSet<Vec<bool>> = (0..class.hypotheses())
        .map(|h| points.iter().map(|&x| class.label(h, x)).collect())
        .collect();
    assert_eq!((points.len(), labellings.len()), (2, 4));

    let class = load("threshold:5");
    let text = detail("threshold-dimension", "threshold:5");
    let pairs: Vec<(usize, usize)> = text
        .strip_prefix("thresholds (x_i, h_i): (")
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap()
        .split("), (")
        .map(|pair| {
            let (x, h) = pair.split_once(", ").unwrap();
            let named = |g: &usize| class.hypothesis_name(*g) == h;
            (class.point_index(x).unwrap(), (0..class.hypotheses()).find(named).unwrap())
        })
        .collect();
    assert_eq!(pairs.len(), 2);
    for (i, &(_, h)) in pairs.iter().enumerate() {
        for (j, &(x, _)) in pairs.iter().enumerate() {
            assert_eq!(class.label(h, x), i <= j);
        }
    }
}

#[test]
fn lists_are_grids_and_cases_override() {
    let lines = "kind = \"littlestone-dimension\"\nat_least = [1, 2]\n\
                 class = [\"point:3\", \"threshold:3\"]";
    assert_eq!(
        verdicts(&outcome(&claim("a", lines))),
        [
            ("holds", "[at_least=1 class=point:3]".to_owned()),
            ("holds", "[at_least=1 class=threshold:3]".to_owned()),
            ("refuted", "[at_least=2 class=point:3]".to_owned()),
            ("holds", "[at_least=2 class=threshold:3]".to_owned()),
        ]
    );
    let lines = "kind = \"littlestone-dimension\"\nequals = 1\nclass = \"point:4\"\ncases = [\n\
                 {class = [\"point:3\", \"threshold:2\"]},\n{equals = 2, class = \"threshold:3\"}]";
    assert_eq!(
        verdicts(&outcome(&claim("a", lines))),
        [
            ("holds", "[class=point:3]".to_owned()),
            ("holds", "[class=threshold:2]".to_owned()),
            ("holds", "[equals=2 class=threshold:3]".to_owned()),
        ]
    );
}

#[test]
fn a_bound_that_counting_proves_is_vacuous_and_fails() {
    let lines = "kind = \"littlestone-dimension\"\nclass = \"point:3\"\nat_most = 1";
    let outcome = outcome(&claim("a", lines));
    assert_eq!(outcome.results[0].finding.verdict, Verdict::Vacuous);
    assert_eq!(outcome.status().exit_code(), 1);
    assert_eq!(
        outcome.results[0].finding.details,
        ["vacuous: |H| = 3 and |X| = 3 alone give 0 ≤ Ldim ≤ 1, so this claim says nothing"]
    );
}

#[test]
fn a_claim_that_a_limit_cuts_short_is_undecided_never_passed() {
    let lines = "kind = \"vc-dimension\"\nclass = \"threshold:40\"\nequals = 1";
    let text = claim("a", lines) + claim("b", lines).replace("\"holds\"", "\"refuted\"").as_str();
    let folder = folder(&[("a.toml", &text)]);
    let limits = Limits { states: Some(1), ..Limits::default() };
    let options = CheckOptions { limits, ..CheckOptions::default() };
    let outcome = check(folder.path(), &options);
    assert!(outcome.results.iter().all(|r| r.finding.verdict == Verdict::Undecided));
    assert_eq!((outcome.passed(), outcome.failed(), outcome.undecided()), (0, 0, 2));
    assert_eq!(outcome.status().exit_code(), 3);
    assert!(outcome.results[0].finding.found.contains("the limit on states was reached"));
}

/// Three files with 30 checks, some of which differ.
fn many() -> tempfile::TempDir {
    let lines = "kind = \"littlestone-dimension\"\nequals = [1, 2]\n\
                 class = [\"point:3\", \"threshold:3\", \"threshold:7\", \"point:5\", \"point:9\"]";
    let text = claim("one", lines) + claim("two", &lines.replace("[1, 2]", "1")).as_str();
    let good = claim("good", "kind = \"vc-dimension\"\nclass = \"point:3\"\nequals = 1");
    folder(&[("b/x.toml", &text), ("a.toml", &good), ("b/a.toml", &text), ("c.txt", "none")])
}

#[test]
fn results_and_reports_are_the_same_bytes_for_any_jobs() {
    let folder = many();
    for fail_fast in [false, true] {
        let run = |threads| {
            let options = CheckOptions { fail_fast, ..jobs(threads) };
            let outcome = check(folder.path(), &options);
            [
                report::human(&outcome, report::Detail::Everything).to_string(),
                report::json(&outcome, false),
                report::junit(&outcome, false),
                report::github(&outcome).to_string(),
            ]
        };
        let one = run(1);
        for _ in 0..5 {
            assert_eq!(run(4), one);
        }
    }
}

#[test]
fn files_come_in_sorted_order_and_once() {
    let folder = many();
    let (dir, file) = (folder.path().to_path_buf(), folder.path().join("b/a.toml"));
    let outcome = claims::check(&[dir, file], &CheckOptions::default());
    let mut files: Vec<String> =
        outcome.results.iter().map(|r| relative(&r.check.file, folder.path())).collect();
    files.dedup();
    assert_eq!(files, ["a.toml", "b/a.toml", "b/x.toml"]);
    assert_eq!(outcome.results.len(), 31);
}

#[test]
fn fail_fast_stops_after_the_first_difference() {
    let folder = many();
    for threads in [1, 4] {
        let options = CheckOptions { fail_fast: true, ..jobs(threads) };
        let outcome = check(folder.path(), &options);
        // a.toml passes, then `one [equals=1 class=point:3]`; Ldim(threshold:3) is 2, not 1.
        assert_eq!((outcome.passed(), outcome.failed(), outcome.not_run), (2, 1, 28));
        let text = report::human(&outcome, report::Detail::Failures);
        let end = "stopped at the first failure: 28 not run\ninequalities that hold: 2 tight\n\
                   2 passed, 1 failed\n";
        assert!(text.ends_with(end), "{text}");
    }
}

#[test]
fn only_selects_by_name_paper_file_kind_and_label() {
    let folder = many();
    let count = |only: &[&str]| {
        let only = only.iter().map(|p| (*p).to_owned()).collect();
        let options = CheckOptions { only, ..CheckOptions::default() };
        check(folder.path(), &options).results.len()
    };
    assert_eq!(count(&["two"]), 10);
    assert_eq!(count(&["vc-dim"]), 1);
    assert_eq!(count(&["x.toml"]), 15);
    assert_eq!(count(&["Definition 6"]), 31);
    assert_eq!(count(&["class=point:9"]), 6);
    assert_eq!(count(&["two", "vc-dim"]), 11);
    assert_eq!(count(&["nothing of the kind"]), 0);
}

#[test]
fn classes_of_checks_that_are_not_selected_are_not_loaded() {
    let lines = "kind = \"littlestone-dimension\"\nequals = 1\nclass = ";
    let text = claim("good", &format!("{lines}\"point:3\""))
        + claim("bad", &format!("{lines}\"missing.csv\"")).as_str();
    let folder = folder(&[("a.toml", &text)]);
    let options = CheckOptions { only: vec!["good".into()], ..CheckOptions::default() };
    assert_eq!(check(folder.path(), &options).status(), Status::AsExpected);
}

/// A certificate for {100, 010, 001} written by hand. The tree asks point 0; no tree of depth 2 is
/// shattered, since 3 hypotheses are fewer than 4 leaves.
fn certificate(leaves: &str) -> String {
    format!(
        r#"{{"format": 1, "kind": "littlestone-dimension", "producer": "hand",
            "source": "point:3", "points": ["1", "2", "3"],
            "hypotheses": ["100", "010", "001"], "names": null,
            "claim": {{"at_least": 1, "at_most": null}},
            "lower": {{"depth": 1, "points": [0], "leaves": {leaves}}}, "upper": null}}"#
    )
}

#[test]
fn certificates_are_verified_and_compared_with_what_they_should_prove() {
    let lines = "kind = \"certificate\"\nfile = \"x/good.json\"\n";
    let text = claim("plain", lines)
        + claim("compared", &format!("{lines}at_least = 1")).as_str()
        + claim("twin", &format!("{lines}equals = 1")).as_str()
        + claim("forged", &lines.replace("good", "forged")).as_str();
    let folder = folder(&[
        ("a.toml", &text),
        ("x/good.json", &certificate("[1, 0]")),
        ("x/forged.json", &certificate("[0, 1]")),
    ]);
    let outcome = check(folder.path(), &CheckOptions::default());
    let found: Vec<(&str, &str)> = outcome
        .results
        .iter()
        .map(|r| (r.finding.verdict.name(), r.finding.found.as_str()))
        .collect();
    assert_eq!(found[0], ("holds", "x/good.json proves Ldim ≥ 1"));
    let lower = "x/good.json proves Ldim ≥ 1; proved lower bound on Ldim = 1; claimed at least 1";
    assert_eq!(found[1], ("holds", lower));
    // The certificate does not show that the dimension is at most 1.
    assert_eq!(found[2].0, "refuted");
    assert!(found[2].1.starts_with(&format!("{lower}; no proved upper bound on Ldim")));
    assert_eq!(found[3].0, "refuted");
    assert!(found[3].1.starts_with("x/forged.json is rejected at lower."), "{}", found[3].1);
}

/// A field and a value of the answer may have one name; the value is then below `answer`.
#[test]
fn any_value_of_an_answer_is_below_its_own_key() {
    // Definition 5: POINT3 has three hypotheses; ⌊log2 3⌋ = 1 is its dimension.
    let lines = "kind = \"littlestone-dimension\"\nclass = \"point:3\"\nanswer.hypotheses = [3, 4]\n\
                 answer.littlestone_dimension.at_most = \"hypotheses - 2\"";
    let outcome = outcome(&claim("a", lines));
    let verdicts: Vec<Verdict> = outcome.results.iter().map(|r| r.finding.verdict).collect();
    assert_eq!(verdicts, [Verdict::Holds, Verdict::Refuted]);
}

/// By hand: γ = 1/4 keeps 1:1 with probability 1/4, and before that the SOA of POINT3 predicts 0; so it
/// is wrong in round 1 for certain.
#[test]
fn lists_are_compared_entry_by_entry() {
    let lines = |claimed: &str| {
        format!(
            "kind = \"mistakes\"\nmechanism = \"subsampled-soa:gamma=1/4\"\nclass = \"point:3\"\n\
             stream = \"1:1,2:0\"\nmistake_probabilities = {claimed}"
        )
    };
    for (claimed, verdict) in [
        ("[\"1\", \"0\"]", Verdict::Holds),
        ("[\"2/2\", \"0\"]", Verdict::Holds),
        ("[\"0\", \"1\"]", Verdict::Refuted),
        ("[\"1\"]", Verdict::Refuted),
    ] {
        let outcome = outcome(&claim("a", &lines(claimed)));
        assert_eq!(outcome.results[0].finding.verdict, verdict, "{claimed}");
    }
}

/// What repeats the question, or the verdict that is judged anyway, makes no claim say something.
#[test]
fn statements_that_repeat_the_question_are_vacuous() {
    let privacy = "kind = \"privacy\"\nmechanism = \"subsampled-soa:gamma=1/8\"\nclass = \"point:3\"\n\
                   rounds = 2\nepsilon = \"0\"\n";
    for statement in [
        "delta = \"2\"\nanswer.verdict = \"holds\"",
        "answer.mechanism = \"subsampled-soa:gamma=1/8\"",
        "answer.epsilon.at_least = \"0\"",
    ] {
        let outcome = outcome(&claim("a", &format!("{privacy}{statement}")));
        assert_eq!(outcome.results[0].finding.verdict, Verdict::Vacuous, "{statement}");
    }
}

/// A case that states something in the same table would hide what the claim states.
#[test]
fn a_case_hides_no_statement() {
    let lines = "kind = \"dimension\"\nclass = \"point:3\"\nanswer.points = 99\n\
                 cases = [{ answer.hypotheses = 3 }]";
    let folder = folder(&[("a.toml", &claim("a", lines))]);
    let outcome = check(folder.path(), &CheckOptions::default());
    assert!(outcome.results.is_empty());
    let fault = outcome.faults[0].error.to_string();
    assert!(fault.contains("expected `answer` in the claim or in its cases"), "{fault}");
}

/// The bounds that a search has proved when it is cut are no values of what was looked for.
#[test]
fn a_search_that_is_cut_decides_nothing_about_itself() {
    let lines = "kind = \"dimension\"\nclass = \"interval:27\"\nanswer.lower.at_least = 0";
    let folder = folder(&[("a.toml", &claim("a", lines))]);
    let limits = Limits { states: Some(1), ..Limits::default() };
    let outcome = check(folder.path(), &CheckOptions { limits, ..CheckOptions::default() });
    assert_eq!(outcome.results[0].finding.verdict, Verdict::Undecided);
}

fn decided(lines: &str) -> Verdict {
    outcome(&claim("a", lines)).results[0].finding.verdict
}

/// A learner without noise is refuted (Definition 2): what is said of its counterexample is true all the
/// same, once the claim says what the verdict is.
#[test]
fn a_claim_may_say_what_the_verdict_is() {
    let soa = "kind = \"privacy\"\nmechanism = \"soa-learner\"\nclass = \"point:3\"\nrounds = 2\n\
               epsilon = 0\ndelta = 0\n";
    let rest = "answer.counterexample.first_probability = 1\n";
    for (lines, verdict) in [
        (rest.to_owned(), Verdict::Refuted),
        (format!("{rest}answer.verdict = \"refuted\""), Verdict::Holds),
        (format!("{rest}answer.verdict = \"holds\""), Verdict::Refuted),
        ("answer.verdict = \"refuted\"\nanswer.counterexample = \"null\"".into(), Verdict::Refuted),
    ] {
        let found = check(
            folder(&[("a.toml", &claim("a", &format!("{soa}{lines}")))]).path(),
            &CheckOptions::default(),
        );
        let found = found.results.first().map(|result| result.finding.verdict);
        assert_eq!(found, Some(verdict), "{lines}");
    }
    let private = soa.replace("soa-learner", "constant-learner");
    assert_eq!(decided(&format!("{private}answer.counterexample = \"null\"")), Verdict::Holds);
    let vacuous = private.replace("delta = 0", "delta = 1");
    assert_eq!(decided(&format!("{vacuous}answer.verdict = \"holds\"")), Verdict::Vacuous);
}

/// Numbers of things are at least 0, probabilities are from 0 to 1, V is at least 0 (a private learner loses
/// no less than nothing), and at T = 1 joint privacy compares nothing (Definition 4).
#[test]
fn bounds_that_numbers_of_their_sort_have_anyway_are_vacuous() {
    let game = "kind = \"minimax\"\nclass = \"point:2\"\nrounds = 2\nepsilon = \"ln(2)\"\n";
    let joint = "kind = \"joint-privacy\"\nmechanism = \"soa\"\nclass = \"point:3\"\nepsilon = 0\n";
    // One stage: no round of three is informative with probability 1 − 1/3 (Algorithm 1).
    let thirds = "kind = \"thirds\"\nrounds = 3\n";
    // One round leaves no other answer to compare.
    let table = "kind = \"combine-table\"\nrounds = 1\nepsilon = \"ln(3/2)\"\nd = \"1\"\n";
    for (lines, verdict) in [
        ("kind = \"atlas\"\npoints = 2\nclasses.at_least = 0".to_owned(), Verdict::Vacuous),
        ("kind = \"atlas\"\npoints = 2\nclasses.at_least = 1".to_owned(), Verdict::Holds),
        (format!("{game}answer.lower.at_least = 0"), Verdict::Vacuous),
        (format!("{joint}rounds = 1\nworst_delta = 0"), Verdict::Vacuous),
        (format!("{joint}rounds = 2\nworst_delta = 1"), Verdict::Holds),
        (format!("{thirds}informative_law.0.at_most = 1"), Verdict::Vacuous),
        (format!("{thirds}informative_law.0.at_most = \"2/3\""), Verdict::Holds),
        (format!("{thirds}law.0.probability.at_least = 0"), Verdict::Vacuous),
        (format!("{thirds}law.1.label.at_most = 1"), Verdict::Holds),
        (format!("{table}rows.0.worst_delta = {{ at_least = 0, at_most = 1 }}"), Verdict::Vacuous),
        (format!("{table}rows.0.worst_delta = {{ at_least = 0, at_most = 0 }}"), Verdict::Holds),
    ] {
        assert_eq!(decided(&lines), verdict, "{lines}");
    }
}

/// The SOA of POINT3 errs on the first 1 alone (Littlestone), whichever way the list is written.
#[test]
fn a_list_of_the_answer_is_one_value_in_every_writing() {
    let run = "kind = \"candidates\"\nclass = \"point:3\"\nn = 1\nk = 1\nN = 2\nK = 1\nB = 1\n\
               stream = \"1:0,2:0\"\n";
    for lines in ["mistakes = [0, 0, 0]", "answer.mistakes = [0, 0, 0]"] {
        let found = outcome(&claim("a", &format!("{run}answer.made = 1\n{lines}")));
        assert_eq!(found.results.len(), 1, "{lines}");
        assert_eq!(found.results[0].finding.verdict, Verdict::Holds, "{lines}");
    }
}

/// A certificate of privacy proves no bound on a dimension, so every claim of one is false.
#[test]
fn no_bound_is_no_number() {
    let text = r#"{"format":1,"kind":"littlestone-dimension"}"#;
    let folder = folder(&[("c.json", text), ("a.toml", "")]);
    let path = folder.path().join("c.json");
    let write = ["littlestone", "verify", "constant-learner", "--class=point:3", "--rounds=2"];
    let args = write.map(str::to_owned).into_iter();
    let args = args.chain(["--epsilon=0".into(), format!("--certificate={}", path.display())]);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    littlestone::cli::run(args.map(Into::into), littlestone::cli::Output::new(&mut out, &mut err));
    for (bound, verdict) in [
        ("at_least = -2147483648", Verdict::Refuted),
        ("at_most = 2147483647", Verdict::Refuted),
        ("answer.at_least = \"null\"", Verdict::Holds),
    ] {
        let lines = format!("kind = \"certificate\"\nfile = \"c.json\"\n{bound}");
        std::fs::write(folder.path().join("a.toml"), claim("a", &lines)).unwrap();
        let found = check(folder.path(), &CheckOptions::default());
        assert_eq!(found.results[0].finding.verdict, verdict, "{bound}");
    }
}

/// The only fault of a claim.
fn fault(lines: &str) -> String {
    let found = check(folder(&[("a.toml", &claim("a", lines))]).path(), &CheckOptions::default());
    assert_eq!((found.results.len(), found.faults.len()), (0, 1), "{lines}");
    found.faults[0].error.to_string()
}

/// By hand: for T = 1 Algorithm 1 has one stream of each label, and none is null.
#[test]
fn null_is_a_value_like_others() {
    let thirds = "kind = \"thirds\"\nrounds = 1\n";
    for (line, verdict) in [
        ("answer.law = \"null\"", Verdict::Refuted),
        ("answer.streams = \"null\"", Verdict::Refuted),
        ("answer.streams = 2", Verdict::Holds),
        ("answer.law.0.informative_rounds = [1]", Verdict::Holds),
        ("law.0.probability = \"1/2\"", Verdict::Holds),
    ] {
        assert_eq!(decided(&format!("{thirds}{line}")), verdict, "{line}");
    }
    let both = "answer.streams = { equals = \"null\", at_least = 1 }";
    assert!(fault(&format!("{thirds}{both}")).ends_with("`streams` cannot be null and `1`"));
}

/// What a range of rounds gives is a table, and the error about it says so.
#[test]
fn a_claim_about_a_range_names_a_row() {
    let soa = "kind = \"mistakes\"\nmechanism = \"soa\"\nclass = \"point:3\"\nstreams = \"realisable\"\nworst = true\n\
               rounds = \"1..2\"\n";
    let fault = fault(&format!("{soa}at_most = 1"));
    assert!(fault.contains("claim it of `answer.table.0.expected_mistakes`"), "{fault}");
    assert_eq!(decided(&format!("{soa}answer.table.1.expected_mistakes = 1")), Verdict::Holds);
    assert_eq!(
        decided(&format!("{}at_most = \"1/2\"", soa.replace("\"1..2\"", "[1]"))),
        Verdict::Refuted
    );
}

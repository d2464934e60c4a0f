//! Claims about the lower bounds and Algorithm 2: bad input, vacuous claims and limits.

use littlestone::claims::{CheckOptions, Verdict};
use littlestone::limits::Limits;

use super::mechanisms::{changed, faults, result};
use super::{check, claim, folder};

const BLOCKS: &str = "\
kind = \"blocks\"
class = \"point:3\"
mechanism = \"soa-learner\"
q = 2
w = 4
dummy = \"3:0\"
informative = \"1:1\"
epsilon = 0
delta = 1";

const THIRDS: &str = "\
kind = \"thirds\"
class = \"point:3\"
mechanism = \"soa-learner\"
adversary = \"thirds\"
rounds = 9
quantity = \"stage\"
equals = \"1/6\"";

const LEMMA5: &str = "\
kind = \"lemma5\"
class = \"point:3\"
mechanism = \"absorbing:E=9/8,beta=1/8\"
adversary = \"thirds\"
regime = \"few\"
rounds = 60
at_least = \"T/8\"";

const PHASES: &str = "\
kind = \"phases\"
class = \"cube:4\"
mechanism = \"soa-learner\"
rounds = 7
quantity = \"informative\"
at_most = \"n*k\"";

const CANDIDATES: &str = "\
kind = \"candidates\"
property = \"success\"
class = \"point:3\"
n = 1
k = 1
N = 2
K = 1
B = 1
rounds = 2
at_least = \"1/8\"";

#[test]
fn a_negative_delta_is_refused_where_it_stands() {
    assert_eq!(
        faults(&changed(BLOCKS, "delta", "delta = \"-1\"")),
        ["a.toml:13:9: expected a number of at least 0, found -1"]
    );
    let potentials = "kind = \"potentials\"\nclass = \"point:3\"\nmechanism = \"soa-learner\"\n\
                      adversary = \"thirds\"\nrounds = 3\ninequality = \"Lemma 1\"\nepsilon = 0\n\
                      delta = \"-1/2\"";
    assert_eq!(faults(potentials), ["a.toml:12:9: expected a number of at least 0, found -1/2"]);
    let profile = "kind = \"profile\"\nmechanism = \"randomised-response:flip=1/4\"\nrounds = 1\n\
                   delta = \"-1/2\"\nleast_epsilon = 0";
    assert_eq!(
        faults(profile),
        ["a.toml:8:9: column 1: expected a δ that is at least 0 and less than 1, found `-1/2`"]
    );
}

/// Lemma 5 takes points x ≠ `x_0`.
#[test]
fn the_dummy_point_is_no_auxiliary_point() {
    for dummy in ["1:0", "1:1"] {
        assert_eq!(
            faults(&changed(BLOCKS, "dummy", &format!("dummy = \"{dummy}\""))),
            [format!(
                "a.toml:10:15: expected an auxiliary example with another point than the dummy \
                 example's, found `1:1` beside `{dummy}`"
            )]
        );
    }
}

/// T = 9 has L = 2 stages.
#[test]
fn a_stage_is_one_of_the_adversary_and_no_key_is_ignored() {
    // Stage 2 inserts with probability 1/3, and the SOA errs on half of its examples if stage 1
    // inserted none.
    assert_eq!(result(&format!("{THIRDS}\nstage = 2")).finding.values["value"], "1/9");
    assert_eq!(
        faults(&format!("{THIRDS}\nstage = 3")),
        ["a.toml:12:9: expected a stage from 1 to 2, as T = 9, found 3"]
    );
    let two = changed(THIRDS, "rounds", "rounds = 2\nstage = 2");
    assert!(faults(&two)[0].contains("expected a stage from 1 to 1, as T = 2"));
    let mistakes = changed(THIRDS, "quantity", "quantity = \"mistakes\"\nstage = 1");
    assert_eq!(
        faults(&mistakes),
        ["a.toml:12:9: expected no `stage` but with the quantity `stage`, found it"]
    );
    for key in ["q = 2", "w = 2", "r = \"1/2\"", "reading = \"unshifted\""] {
        let found = faults(&format!("{LEMMA5}\n{key}"));
        assert!(found[0].contains("with this regime, found it"), "{found:?}");
    }
}

/// The expected number of informative examples bounds the mistakes on them, whatever the learner.
#[test]
fn bounds_by_the_number_of_informative_examples_are_vacuous() {
    let verdict = |lines: &str| result(lines).finding.verdict;
    // k = 3 phases of n = 2 rounds, and one round more.
    assert_eq!(verdict(PHASES), Verdict::Vacuous);
    assert_eq!(verdict(&changed(PHASES, "at_most", "at_most = \"n*k - 1\"")), Verdict::Holds);
    assert_eq!(
        verdict(&changed(PHASES, "quantity", "quantity = \"mistakes\"")),
        Verdict::Holds,
        "T = 7 mistakes are possible"
    );
    let thirds = changed(THIRDS, "equals", "at_most = \"p/3\"");
    assert_eq!(verdict(&thirds), Verdict::Vacuous);
    assert_eq!(verdict(&thirds.replace("p/3", "p/4")), Verdict::Holds);
    let all = thirds.replace("stage", "mistakes");
    assert_eq!(verdict(&all.replace("p/3", "mu")), Verdict::Vacuous);
    // Half of the 2/3 informative examples.
    assert_eq!(verdict(&all), Verdict::Holds);
    let blocks = changed(LEMMA5, "regime", "regime = \"blocks\"\nq = 2\nw = 2");
    let blocks = changed(&blocks, "rounds", "rounds = 12");
    let with = |bound: &str| changed(&blocks, "at_least", &format!("at_most = \"{bound}\""));
    assert_eq!(verdict(&with("q*mu")), Verdict::Vacuous);
    assert_eq!(verdict(&with("q*mu - 1/100")), Verdict::Holds);
}

#[test]
fn listed_streams_are_bounded_by_the_limits() {
    let fresh = changed(THIRDS, "quantity", "quantity = \"mistakes\"\nreading = \"fresh-label\"");
    // Its outcomes are fewer than 200, the rounds played more.
    for (lines, states) in [(LEMMA5, 50), (&fresh, 5), (&fresh, 200)] {
        let folder = folder(&[("a.toml", &claim("a", lines))]);
        let limits = Limits { states: Some(states), ..Limits::default() };
        let outcome = check(folder.path(), &CheckOptions { limits, ..CheckOptions::default() });
        assert_eq!(outcome.results[0].finding.verdict, Verdict::Undecided, "{lines}");
        assert_eq!(outcome.results[0].finding.found, "the limit on states was reached");
    }
    assert_eq!(result(LEMMA5).finding.verdict, Verdict::Holds);
}

#[test]
fn too_many_streams_for_algorithm_2_leave_one_check_undecided() {
    let folder =
        folder(&[("a.toml", &claim("a", &changed(CANDIDATES, "rounds", "rounds = [2, 40]")))]);
    let outcome = check(folder.path(), &CheckOptions::default());
    let verdicts: Vec<Verdict> = outcome.results.iter().map(|r| r.finding.verdict).collect();
    assert_eq!(verdicts, [Verdict::Holds, Verdict::Undecided]);
    assert!(outcome.results[1].finding.found.contains("6^40 streams"));
    assert_eq!(outcome.status().exit_code(), 3);
}

/// Added lines stand in line 15 of the file.
#[test]
fn parameters_of_algorithm_2_are_refused_where_they_stand() {
    for (line, place) in [
        ("q = 1", "15:5"),
        ("a = \"-1\"", "15:5"),
        ("thresholds = \"1/8\"", "15:14"),
        ("thresholds = \"1/8, -1\"", "15:14"),
        ("lists = \"1, 0\"", "15:9"),
        ("first = \"01\"", "15:9"),
        ("ambient = 0", "15:11"),
        ("ambient = 65", "15:11"),
    ] {
        let found = faults(&format!("{CANDIDATES}\n{line}"));
        let place = format!("a.toml:{place}: ");
        assert!(found.len() == 1 && found[0].starts_with(&place), "{line}: {found:?}");
    }
    let found = faults(&changed(CANDIDATES, "n", "n = 1001"));
    assert!(found[0].starts_with("a.toml:14:5: expected a number from 1 to 1000"), "{found:?}");
}

#[test]
fn faults_say_once_what_was_expected() {
    let wrong = changed(THIRDS, "adversary", "adversary = \"phases\"");
    let always = "kind = \"always\"\nclass = \"point:3\"\nmechanism = \"soa-learner\"\nrounds = 2\n\
                  monitor = \"fn start() { let x = 1 let y = 2; x }\"";
    for (lines, start) in [
        (wrong.as_str(), "a.toml:11:13: there is no adversary `phases` in the lower bounds here; "),
        (always, "a.toml:9:35: expected ';' to terminate this statement, found `let`"),
    ] {
        let found = faults(lines);
        assert!(found.len() == 1 && found[0].starts_with(start), "{found:?}");
    }
}

//! Certificates that the library writes about mechanisms whose numbers are known.

use littlestone::certificate::{Limits, Outcome, verify};
use littlestone::privacy::{Neighbours, Notion};

use super::tools::{
    accepted, certify, example, names, number, on_streams, proved, question, rejected, singletons,
    worst_stream,
};

const REPLACEMENT: Neighbours = Neighbours::Replacement;

/// Fact 5 is tight: the worst joint δ of the subsampled SOA is γ for T ≥ 2 and 0 for T = 1.
#[test]
fn the_subsampled_soa() {
    let joint = question(Notion::Joint, REPLACEMENT, "0");
    let soa = example("subsampled-soa.rhai:gamma=1/4", 2, 2);
    let scope = "over all streams of 2 records, neighbours by replacement";
    let private = "jointly differentially private";
    assert_eq!(
        proved(&certify(&soa, &joint, None, 2, Some("1/4"))),
        [
            format!("the least δ for which the mechanism is (0, δ)-{private} {scope} is 1/4"),
            format!("(0, 1/4)-{private} {scope}"),
        ]
    );
    let refuted = certify(&soa, &joint, None, 2, Some("1/5"));
    let statements = proved(&refuted);
    assert_eq!(statements.len(), 2);
    assert!(
        statements[0].starts_with(&format!("not (0, 1/5)-{private} {scope}")),
        "{statements:?}"
    );

    let mut false_claim = certify(&soa, &joint, None, 2, Some("1/4"));
    false_claim.claim.delta = Some("1/4 - 1/1000000".into());
    assert!(rejected(&false_claim).contains("expected a worst δ of at most"));
    false_claim.claim.worst_delta = None;
    false_claim.claim.attained_by = None;
    let message = rejected(&false_claim);
    assert!(message.contains("claim.delta: expected no divergence above"), "{message}");
    assert!(message.contains("found 1/4 between (1:"), "{message}");
}

/// On realisable streams alone the class is embedded; whether it is the one that is meant is not checked.
#[test]
fn realisable_streams() {
    let class = singletons(2);
    let whole = question(Notion::Whole, REPLACEMENT, "0");
    let soa = example("subsampled-soa.rhai:gamma=1/4", 2, 2);
    let certificate = certify(&soa, &whole, Some(&class), 2, None);
    let report = accepted(&certificate);
    assert_eq!(report.taken_on_trust, Vec::<String>::new());
    let meant = |text: &&String| text.starts_with("whether the ");
    assert_eq!(report.not_checked.iter().filter(meant).count(), 2);
    assert_eq!((report.hypotheses, report.points), (2, 2));
    // A witness must be realisable: the class without the hypothesis that fits its first stream.
    let mut other = certificate.clone();
    other.hypotheses = Some(vec!["11".into()]);
    assert!(rejected(&other).ends_with("no hypothesis of the class fits the stream"));
    let mut unfit = certificate;
    unfit.hypotheses = Some(vec![]);
    assert_eq!(rejected(&unfit), "hypotheses: claims nothing");
}

/// Randomised response keeps a bit with probability 3/4: δ at e^ε = 2 is 3/4 − 2·1/4 = 1/4, at
/// e^ε = 3 it is 0, and at ε = 1/2 it is 3/4 − e^(1/2)/4.
#[test]
fn randomised_response() {
    let response = example("randomised-response.rhai:p=3/4", 2, 3);
    for (epsilon, delta) in [("ln(2)", "1/4"), ("ln(3)", "0"), ("1/2", "3/4 - 1/4*exp(1/2)")] {
        let question = question(Notion::Whole, REPLACEMENT, epsilon);
        let certificate = certify(&response, &question, None, 3, Some(delta));
        assert_eq!(certificate.claim.worst_delta.as_deref(), Some(delta));
        assert_eq!(accepted(&certificate).proved.len(), 2);
    }
}

/// A δ closer to the worst δ than 2^-200, on either side.
#[test]
fn close_claims_are_told_apart() {
    let response = example("randomised-response.rhai:p=3/4", 2, 1);
    let question = question(Notion::Whole, REPLACEMENT, "1/2");
    let close = "2^-210";
    let mut certificate = certify(&response, &question, None, 1, Some("3/4 - 1/4*exp(1/2)"));
    certificate.claim.worst_delta = None;
    certificate.claim.attained_by = None;
    certificate.claim.delta = Some(format!("3/4 - 1/4*exp(1/2) + {close}"));
    accepted(&certificate);
    certificate.claim.delta = Some(format!("3/4 - 1/4*exp(1/2) - {close}"));
    assert!(rejected(&certificate).contains("expected no divergence above"));
}

/// One-shot mechanisms: added records, and weights that are quotients of powers of e.
#[test]
fn one_shot_mechanisms() {
    let count = example("noisy-count.rhai:most=2", 2, 2);
    let votes = example("exponential-selection.rhai:q=1/2", 2, 2);
    for (automaton, epsilon) in [(&count, "0"), (&count, "ln(3)"), (&votes, "1/2"), (&votes, "1")] {
        for neighbours in [REPLACEMENT, Neighbours::AddRemove] {
            let question = question(Notion::Whole, neighbours, epsilon);
            let certificate = certify(automaton, &question, None, 2, None);
            assert_eq!(accepted(&certificate).proved.len(), 1);
        }
    }
    // Replacing a vote changes the ratio of two laws by e^(2q) at most.
    let question = question(Notion::Whole, REPLACEMENT, "1");
    let private = certify(&votes, &question, None, 2, Some("0"));
    assert_eq!(private.claim.verdict.as_deref(), Some("holds"));
    accepted(&private);
}

#[test]
fn questions_that_do_not_fit() {
    let learner = example("subsampled-soa-learner.rhai", 2, 2);
    let whole = question(Notion::Whole, REPLACEMENT, "0");
    let certificate = certify(&learner, &whole, None, 2, None);
    accepted(&certificate);
    let mut joint = certificate.clone();
    joint.notion = "joint".into();
    assert!(rejected(&joint).starts_with("notion: joint privacy (Definition 4)"));
    let mut added = certificate.clone();
    added.neighbours = "add-remove".into();
    assert!(rejected(&added).starts_with("neighbours: only streams of one-shot mechanisms"));
    let mut longer = certificate;
    longer.rounds = 3;
    assert_eq!(rejected(&longer), "rounds: expected a number from 1 to 2, found 3");
}

/// Exactly the work that is done suffices as a limit; the witness is checked first.
#[test]
fn a_limit_leaves_the_enumeration_undecided() {
    let joint = question(Notion::Joint, REPLACEMENT, "0");
    let soa = example("subsampled-soa.rhai:gamma=1/4", 2, 3);
    let certificate = certify(&soa, &joint, None, 3, Some("1/5"));
    let bytes = serde_json::to_vec(&certificate).unwrap();
    let examined = accepted(&certificate).examined;
    for (limit, proved) in [(0, 0), (examined / 2, 1), (examined - 1, 1)] {
        let Ok(Outcome::Undecided { report, .. }) =
            verify(&bytes, Limits { states: Some(limit), ..Limits::default() })
        else {
            unreachable!("limit {limit} of {examined} suffices");
        };
        assert_eq!((report.examined, report.proved.len()), (limit, proved));
    }
    let enough = verify(&bytes, Limits { states: Some(examined), ..Limits::default() });
    assert!(matches!(enough, Ok(Outcome::Proved(_))), "{enough:?}");
}

/// On T copies of (1, 1) the first retained copy ends the mistakes of the subsampled SOA, so their
/// expected number is Σ (1 − γ)^j for j < T.
#[test]
fn mistakes_of_the_subsampled_soa() {
    let soa = example("subsampled-soa.rhai:gamma=1/8", 3, 4);
    let record = |name: &str| soa.interface().record_index(name).unwrap();
    let (hit, miss) = (record("1:1"), record("1:0"));
    let value = number("1695/512");
    let certificate = on_streams(&soa, &[(&[hit; 4], "1")], &value);
    assert_eq!(
        proved(&certificate),
        ["expected mistakes on the stream: 1695/512 (oblivious adversary)"]
    );
    // With (1, 0) there is no mistake: the SOA of the whole class predicts 0.
    let law: [(&[usize], &str); 2] = [(&[hit; 4], "1/3"), (&[miss; 4], "2/3")];
    accepted(&on_streams(&soa, &law, &number("1695/1536")));
    let heavy: [(&[usize], &str); 2] = [(&[hit; 4], "1/3"), (&[miss; 4], "1")];
    assert!(rejected(&on_streams(&soa, &heavy, &value)).starts_with("listed: expected weights"));
    let class = singletons(3);
    let short = example("subsampled-soa.rhai:gamma=1/8", 3, 2);
    let worst = worst_stream(&short, Some(&class), &[hit; 2], &number("15/8"));
    assert_eq!(
        proved(&worst),
        [
            "greatest expected mistakes on a realisable stream of 2 records: 15/8 (oblivious adversary)"
        ]
    );
    assert_eq!(names(&short, &[hit, miss]), ["1:1", "1:0"]);
    // The same stream is not the worst of all: contradictory labels make more mistakes.
    let all = worst_stream(&short, None, &[miss; 2], &number("0"));
    assert!(rejected(&all).contains("expected no more than 0 mistakes, found"));
}

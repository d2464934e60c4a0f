//! Worst δ with values known from elsewhere.

use littlestone::exact::{Epsilon, Number};
use littlestone::limits::{Limits, Progress};
use littlestone::mechanism::{Boxed, Mechanism, Options, compile};
use littlestone::privacy::{Lengths, Neighbours, Notion, Question, Streams, Worst, worst_delta};

use super::{class, literal, mechanism, number};

/// The worst δ over all the streams of length `rounds`.
pub fn delta_over(
    mechanism: &Boxed,
    streams: &Streams,
    notion: Notion,
    rounds: usize,
    epsilon: &str,
) -> Number {
    let automaton = compile(mechanism, &Options::rounds(rounds, 10_000)).unwrap();
    let epsilon = Epsilon::parse(epsilon).unwrap();
    let question = Question { notion, neighbours: Neighbours::Replacement, epsilon };
    let (limits, progress) = (Limits::default(), Progress::default());
    let answers =
        worst_delta(&automaton, streams, &question, &Lengths::all(rounds), &limits, &progress)
            .unwrap();
    match answers.into_iter().next_back() {
        Some(Worst::Exact { delta, .. }) => delta,
        other => unreachable!("without limits there is an exact answer, not {other:?}"),
    }
}

pub fn delta(text: &str, over: &str, notion: Notion, rounds: usize, epsilon: &str) -> Number {
    let mechanism = mechanism(text, over);
    let streams = Streams::all(mechanism.interface().records());
    delta_over(&mechanism, &streams, notion, rounds, epsilon)
}

/// Fact 5: the worst δ is γ from two rounds on, and 0 at one round, where nothing depends on the
/// example. For all answers compared, 1 − (1−γ)^(T−1), by two independent computations.
#[test]
fn fact_5_is_tight() {
    let predictor = "subsampled-soa:gamma=1/4";
    for (rounds, expected) in [(1, "0"), (2, "1/4"), (3, "1/4"), (4, "1/4")] {
        let found = delta(predictor, "point:3", Notion::Joint, rounds, "0");
        assert_eq!(found, number(expected), "T = {rounds}");
    }
    let (predictor, learner) = ("subsampled-soa:gamma=1/8", "subsampled-soa-learner:gamma=1/8");
    for (rounds, expected) in [(2, "1/8"), (3, "15/64"), (4, "169/512")] {
        let found = delta(predictor, "point:3", Notion::Whole, rounds, "0");
        assert_eq!(found, number(expected), "T = {rounds}");
    }
    for (rounds, expected) in [(1, "0"), (2, "1/8"), (3, "1/8")] {
        let found = delta(learner, "point:3", Notion::Whole, rounds, "0");
        assert_eq!(found, number(expected), "T = {rounds}");
    }
}

/// Values of two independent computations.
#[test]
fn flips_amplify() {
    let predictor = "subsampled-soa:gamma=1/8,flip=1/4";
    for (notion, epsilon, expected) in [
        (Notion::Whole, "0", "15/128"),
        (Notion::Joint, "0", "1/16"),
        (Notion::Whole, "ln(3/2)", "13/512"),
        (Notion::Joint, "ln(3/2)", "13/512"),
    ] {
        let found = delta(predictor, "point:3", notion, 3, epsilon);
        assert_eq!(found, number(expected), "{notion:?} at {epsilon}");
    }
}

/// Retaining with certainty leaves no privacy, for any ε.
#[test]
fn the_soa_is_not_private() {
    for epsilon in ["0", "ln(3/2)", "5"] {
        assert_eq!(delta("soa", "point:3", Notion::Joint, 2, epsilon), number("1"));
        assert_eq!(delta("soa-learner", "point:3", Notion::Whole, 2, epsilon), number("1"));
    }
}

#[test]
fn a_switch_without_noise_is_not_private() {
    for epsilon in ["0", "ln(3/2)", "5"] {
        let found = delta("switch-at-mistake", "point:3", Notion::Whole, 2, epsilon);
        assert_eq!(found, number("1"));
    }
    // Two mistakes take two examples, so that the second release cannot differ yet.
    let late = "switch-at-mistake:k=2";
    assert_eq!(delta(late, "point:3", Notion::Whole, 2, "0"), number("0"));
    assert_eq!(delta(late, "point:3", Notion::Whole, 3, "0"), number("1"));
}

/// On 1, 1, 1 against 0, 1, 1 the first switch is in rounds 2, 3, 4 with probabilities 1/8, 7/32,
/// 21/64 against 0, 1/8, 7/32: at ε = 0 these differ by 21/64 in total.
#[test]
fn a_steep_hazard_is_far_from_private() {
    let text = "hazard-learner:table=(0,1/8,1/4,1/2,1)";
    let hazard = mechanism(text, "cube:1");
    let pair = [[1, 1, 1, 0], [0, 1, 1, 0]].map(|stream| literal::law(&hazard, &stream));
    assert_eq!(literal::divergence(&pair[0], &pair[1], &Number::one()), number("21/64"));
    let worst = delta(text, "cube:1", Notion::Whole, 4, "0");
    assert!(worst >= number("21/64"), "{worst}");
    assert_eq!(worst, literal::worst_delta(&hazard, 4, &Number::one()));
}

/// Randomised response with e^ε₀ = 3, four times on one bit: the sum over k of
/// C(4,k) · max(0, 3^(4−k) − e^ε · 3^k) / 4⁴.
#[test]
fn randomised_response_composes() {
    let text = "randomised-response-one-shot:copies=4";
    for (epsilon, expected) in
        [("ln(3)", "75/128"), ("ln(9)", "9/32"), ("ln(27)", "27/128"), ("ln(81)", "0")]
    {
        assert_eq!(delta(text, "point:3", Notion::Whole, 1, epsilon), number(expected));
    }
    // In rounds every bit is released once, so that one record costs ε₀ alone.
    for (epsilon, expected) in [("ln(3)", "0"), ("ln(2)", "1/4"), ("0", "1/2")] {
        let text = "randomised-response";
        assert_eq!(delta(text, "point:3", Notion::Whole, 3, epsilon), number(expected));
    }
    // When the answer of the differing round is left out, nothing of its bit is left.
    assert_eq!(delta("randomised-response", "point:3", Notion::Joint, 3, "0"), number("0"));
}

/// Proposition 1 with e^ε₀ = 3 and γ = 2/5: the level is 1 + γ(e^ε₀ − 1) = 9/5, attained, since
/// label 1 gives the release 1 with probability 9/20 and label 0 with probability 1/4.
#[test]
fn proposition_1_is_attained_by_randomised_response() {
    let inner = "randomised-response-learner:flip=1/4,first=10";
    assert_eq!(delta(inner, "point:2", Notion::Whole, 3, "ln(3)"), number("0"));
    let wrapped = format!("subsample:of=({inner}),gamma=2/5,dummy=1:0");
    for rounds in 1..=3 {
        assert_eq!(delta(&wrapped, "point:2", Notion::Whole, rounds, "ln(9/5)"), number("0"));
    }
    // 9/20 − 17/10 · 1/4.
    assert_eq!(delta(&wrapped, "point:2", Notion::Whole, 2, "ln(17/10)"), number("1/40"));
}

/// A class of one hypothesis leaves the SOA nothing to learn on realisable streams, and the
/// public function is told from it on others.
#[test]
fn a_public_function_is_part_of_the_law() {
    let text = "subsampled-soa:gamma=1/3,public=1";
    let (single, streams) = (class("point:1"), Streams::all(2));
    let mechanism = mechanism(text, "point:1");
    let found = delta_over(&mechanism, &streams, Notion::Joint, 2, "0");
    assert_eq!(found, number("0"), "point:1 is the function 1, and so is the public one");
    let mechanism = super::mechanism("subsampled-soa:gamma=1/3", "point:1");
    let found = delta_over(&mechanism, &streams, Notion::Joint, 2, "0");
    assert_eq!(found, number("1/3"));
    let realisable = Streams::realisable(&single, 100).unwrap();
    let found = delta_over(&mechanism, &realisable, Notion::Joint, 2, "0");
    assert_eq!(found, number("0"));
}

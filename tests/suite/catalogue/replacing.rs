//! The mechanisms that take predictions: their laws from the definitions written out, with all coins
//! drawn before round 1; regret by enumeration; parameters.

use std::collections::BTreeMap;

use littlestone::exact::Number;
use littlestone::limits::Limits;
use littlestone::mechanism::{Mechanism, Options, compile};
use littlestone::regret::{Found, greatest};

use super::literal::{self, Outputs};
use super::{mechanism, number, try_mechanism};

/// Definition 10 with D = 1, thresholds 0, 1, 2 of probability 1/3 and noise −1, 0, 1 of probability
/// 1/4, 1/2, 1/4.
fn replacement(stream: &[usize]) -> Outputs {
    let mut law = Outputs::new();
    for threshold in 0..=2 {
        for (noise, weight) in [(-1i32, "1/12"), (0, "1/6"), (1, "1/12")] {
            let record = |r: &usize| (r / 4 == 1, r / 2 % 2 == 1, r % 2 == 1);
            let rounds: Vec<(bool, bool, bool)> = stream.iter().map(record).collect();
            let first = rounds.iter().find(|(u, v, _)| u != v);
            let c = first.map_or(0, |(_, v, y)| i32::from(v == y));
            let accepted = 2 * (c + noise) >= 1;
            let mut seen = 0;
            let outputs = rounds.iter().map(|&(u, v, _)| {
                seen += i32::from(u != v);
                let top = u != v && seen > 1 + threshold;
                u8::from(if top && accepted { v } else { u }).to_string()
            });
            let sum = law.entry(outputs.collect()).or_insert_with(Number::zero);
            *sum = &*sum + &number(weight);
        }
    }
    law.retain(|_, weight| !weight.is_zero());
    law
}

#[test]
fn the_replacement_has_the_law_of_definition_10() {
    let found = mechanism("replacement:D=1,W=2,cut=1", "point:1");
    for stream in literal::streams(8, 4) {
        assert_eq!(literal::law(&found, &stream), replacement(&stream), "on {stream:?}");
    }
}

/// A chain of one is the replacement of `h_0` by `h_1`.
#[test]
fn a_chain_of_one_is_a_replacement() {
    let one = mechanism("replacement:D=1,W=2,cut=1", "point:1");
    let chain = mechanism("replacement-chain:N=1,D=1,W=2,cut=1", "point:1");
    for stream in literal::streams(8, 4) {
        assert_eq!(literal::law(&chain, &stream), literal::law(&one, &stream), "on {stream:?}");
    }
}

/// The second rule is given the answers of the first: a chain of two on a stream is the first rule's
/// law followed by the second on the stream of its answers.
#[test]
fn a_chain_of_two_composes() {
    let one = mechanism("replacement:D=1,W=1,cut=1", "point:1");
    let chain = mechanism("replacement-chain:N=2,D=1,W=1,cut=1", "point:1");
    for stream in literal::streams(16, 3) {
        let bit = |record: usize, place: usize| record >> (3 - place) & 1;
        let first: Vec<usize> = stream.iter().map(|r| (r >> 2) * 2 + (r & 1)).collect();
        let mut expected = Outputs::new();
        for (answers, p) in literal::law(&one, &first) {
            let second = stream.iter().zip(&answers).map(|(&record, answer)| {
                4 * usize::from(answer == "1") + 2 * bit(record, 2) + bit(record, 3)
            });
            for (outputs, q) in literal::law(&one, &second.collect::<Vec<_>>()) {
                let sum = expected.entry(outputs).or_insert_with(Number::zero);
                *sum = &*sum + &(&p * &q);
            }
        }
        assert_eq!(literal::law(&chain, &stream), expected, "on {stream:?}");
    }
}

/// Two ways: rules that are composed from the left, and the chain. A record of the chain `h0 h1 h2 y`
/// is `u<h0>v<h1>v<h2>` and y in the composition.
#[test]
fn a_chain_is_an_adaptive_composition_of_its_rules() {
    let one = "replacement:D=1,W=1,cut=1";
    let two = "replacement:D=2,W=2,cut=1";
    let nested = format!("adaptive:first=({one}),second=({two})");
    let both = format!("adaptive:first=({one}),second=({two}),release=both");
    let three = format!("adaptive:first=({nested}),second=({one})");
    for (chain, composed, records, rounds) in [
        ("replacement-chain:N=2,D=(1,2),W=(1,2),cut=1", &nested, 16, 4),
        ("replacement-chain:N=2,D=(1,2),W=(1,2),cut=(1,1),release=all", &both, 16, 4),
        ("replacement-chain:N=3,D=(1,2,1),W=(1,2,1),cut=1", &three, 32, 3),
    ] {
        let (chain, composed) = (mechanism(chain, "point:1"), mechanism(composed, "point:1"));
        let symbols = |of: &[String]| -> Vec<String> {
            of.iter().map(|name| name.replace(['h', 'u', 'v', 'A', '/'], "")).collect()
        };
        let interfaces = [chain.interface(), composed.interface()];
        assert_eq!(symbols(interfaces[0].before()), symbols(interfaces[1].before()));
        assert_eq!(interfaces[0].records(), records);
        // The last bit of a record is y; to flip all bits changes nothing but names, so that it is 0
        // on the longest streams.
        let shorter = literal::streams(records, rounds - 1).into_iter();
        let longest = literal::streams(records / 2, rounds).into_iter();
        let streams = shorter.chain(longest.map(|s| s.iter().map(|record| 2 * record).collect()));
        for stream in streams {
            let bare = |law: Outputs| -> Outputs {
                law.into_iter().map(|(word, weight)| (symbols(&word), weight)).collect()
            };
            let found = bare(literal::law(&chain, &stream));
            assert_eq!(found, bare(literal::law(&composed, &stream)), "on {stream:?}");
        }
    }
}

/// Combine after a replacement: the second predictor of a round is compared with what the rule
/// answered, and only with that.
#[test]
fn an_adaptive_composition_feeds_the_answers_of_the_round() {
    let rule = "replacement:D=1,W=1,cut=1";
    let composed = format!("adaptive:first=({rule}),second=combine:D=1");
    let (rule, combine) = (mechanism(rule, "point:1"), mechanism("combine:D=1", "point:1"));
    let composed = mechanism(&composed, "point:1");
    for stream in literal::streams(16, 3) {
        let first: Vec<usize> = stream.iter().map(|r| (r >> 2) * 2 + (r & 1)).collect();
        let mut expected = Outputs::new();
        for (answers, p) in literal::law(&rule, &first) {
            let inner: Vec<usize> = (stream.iter().zip(&answers))
                .map(|(record, answer)| 4 * usize::from(answer == "1") + (record & 3))
                .collect();
            for (outputs, q) in literal::law(&combine, &inner) {
                let sum = expected.entry(outputs).or_insert_with(Number::zero);
                *sum = &*sum + &(&p * &q);
            }
        }
        assert_eq!(literal::law(&composed, &stream), expected, "on {stream:?}");
    }
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    for (text, part) in [
        (
            "adaptive:first=combine:D=1,second=(mirror:law=uniform,W=2)",
            "takes a transducer with the labels 0, 1",
        ),
        (
            "adaptive:first=(replacement-chain:N=1,D=1,W=1,release=all),second=combine:D=1",
            "takes a transducer whose symbols are u<o>v<c> for the answers o of the first, not `one \
             with u0v0, u0v1, u1v0, u1v1`",
        ),
        (
            "adaptive:first=(selection:k=4,q=2),second=combine:D=1",
            "takes a transducer, not `a one-shot",
        ),
        ("adaptive:first=combine:D=1", "`adaptive` needs a value for its parameter `second`"),
        (
            "replacement-chain:N=3,D=(1,2),W=1",
            "`D` of `replacement-chain` takes one value or a list of 3",
        ),
        ("replacement-chain:N=9,D=1,W=1", "an integer from 1 to 8"),
        ("replacement-chain:N=5,D=1,W=1,release=transcript", "an integer from 1 to 4"),
        ("replacement-chain:N=2,D=(1,0),W=1", "`D`"),
    ] {
        let error = try_mechanism(text, "point:1").unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

/// Replacing one record changes c by at most one, though D-th disagreements move.
#[test]
fn the_acceptance_test_has_sensitivity_one() {
    // (disagreement, v is right) as 0..4.
    let count = |stream: &[usize], delay: usize| -> usize {
        stream.iter().filter(|r| **r >= 2).take(delay).filter(|r| **r % 2 == 1).count()
    };
    let mut attained = false;
    for stream in literal::streams(4, 6) {
        for (place, record) in (0..6).flat_map(|i| (0..4).map(move |r| (i, r))) {
            let mut other = stream.clone();
            other[place] = record;
            for delay in 1..=4 {
                let difference = count(&stream, delay).abs_diff(count(&other, delay));
                assert!(difference <= 1, "{stream:?} {other:?}");
                attained |= difference == 1;
            }
        }
    }
    assert!(attained);
}

/// Algorithm 4 for D = 2 by hand: (2,2), then u was right, (3,2), then v was, (3,3).
#[test]
fn combine_favours_the_predictor_that_was_right() {
    let combine = mechanism("combine:D=2", "point:1");
    let record = |name: &str| combine.interface().record_index(name).unwrap();
    let stream = ["u1v0:1", "u0v0:1", "u0v1:1", "u1v0:0"].map(record);
    let law = literal::law(&combine, &stream);
    let chance = |round: usize, answer: &str| {
        let of = |(outputs, p): (&Vec<String>, &Number)| {
            if outputs[round] == answer { p.clone() } else { Number::zero() }
        };
        law.iter().map(of).fold(Number::zero(), |sum, p| &sum + &p)
    };
    assert_eq!(chance(0, "1"), number("1/2"));
    assert_eq!(chance(1, "0"), number("1"));
    assert_eq!(chance(2, "0"), number("9/13"));
    assert_eq!(chance(3, "1"), number("1/2"));
}

/// The greatest regret against the definition, over all streams.
#[test]
fn regret_agrees_with_trying_every_stream() {
    for name in ["combine:D=1", "combine:D=2,variant=linear", "replacement:D=1,W=1,cut=1"] {
        let rule = mechanism(name, "point:1");
        let automaton = compile(&rule, &Options::rounds(3, 10_000)).unwrap();
        for factor in ["0", "1", "3"] {
            let found = greatest(&automaton, &number(factor), 3, &Limits::default()).unwrap();
            let Found::Exact(lengths) = found else { unreachable!("no limit was set") };
            for (length, regret) in (1..=3).zip(&lengths) {
                let values: BTreeMap<Vec<usize>, Number> = literal::streams(8, length)
                    .into_iter()
                    .map(|stream| (stream.clone(), value(&rule, &stream, factor)))
                    .collect();
                assert_eq!(Some(&regret.value), values.values().max(), "{name} {factor} {length}");
                assert_eq!(regret.value, values[&regret.stream], "{name} {factor} {length}");
            }
        }
    }
}

fn value<M: Mechanism>(rule: &M, stream: &[usize], factor: &str) -> Number {
    let wrong = |place: usize| -> i64 {
        stream.iter().map(|r| i64::from((r >> (2 - place) & 1) != r & 1)).sum()
    };
    let best = wrong(0).min(wrong(1));
    let mut expected = Number::zero();
    for (outputs, p) in literal::law(rule, stream) {
        let mistakes: i64 = outputs
            .iter()
            .zip(stream)
            .map(|(output, r)| i64::from((output == "1") != (r & 1 == 1)))
            .sum();
        expected = &expected + &(&p * &Number::from(mistakes));
    }
    &expected - &(&number(factor) * &Number::from(best))
}

#[test]
fn bad_parameters_are_refused_and_preconditions_reported() {
    for (name, part) in [
        ("replacement:D=0,W=1", "`D`"),
        ("replacement:D=2,W=0", "`W`"),
        ("replacement:D=2", "`W`"),
        ("replacement:D=2,W=1,cut=-1", "`cut`"),
        ("replacement:D=2,W=1,g=1", "`g`"),
        ("replacement:D=2,W=1,noise=laplace,scale=0", "`scale`"),
        ("replacement:D=2,W=1,E=2", "`E`"),
        ("replacement-chain:D=2,W=1,N=0", "`N`"),
        ("combine:D=0", "`D`"),
        ("combine:D=1,variant=cubes", "`variant`"),
    ] {
        let error = try_mechanism(name, "point:1").unwrap_err().to_string();
        assert!(error.contains(part), "{name}: {error}");
    }
    let remarks = |name: &str| mechanism(name, "point:1").remarks();
    // Mirror's b/2 is below 1/20 from W = 20 on.
    assert_eq!(remarks("replacement:D=20,W=20,noise=laplace"), Vec::<String>::new());
    assert_eq!(remarks("replacement:D=20,W=21").len(), 1);
    assert_eq!(remarks("replacement:D=20,W=19").len(), 1);
    let all = remarks("replacement-chain:D=2,W=3,cut=1,law=optimal,E=2");
    let parts = ["E ≤ exp(1/2)", "probability 1/6", "D/8", "2D"];
    assert!(all.len() == 4 && all.iter().zip(parts).all(|(r, p)| r.contains(p)), "{all:?}");
}

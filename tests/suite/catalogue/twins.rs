//! What each twin is for: the misreading accepts it, the definition refutes it.

use littlestone::exact::Number;
use littlestone::mechanism::{Boxed, Mechanism};
use littlestone::privacy::{Notion, Streams};

use super::literal::{self, Outputs};
use super::privacy::{delta, delta_over};
use super::{class, mechanism, number};

/// The worst divergence at ε = 0 over neighbours that a misreading looks at, of what it looks at.
fn misread(
    mechanism: &Boxed,
    rounds: usize,
    neighbours: impl Fn(&[usize], &[usize]) -> bool,
    seen: impl Fn(&Outputs, usize) -> Outputs,
) -> Number {
    literal::neighbours(mechanism.interface().records(), rounds)
        .iter()
        .filter(|(s, t, _)| neighbours(s, t))
        .map(|(s, t, round)| {
            let [p, q] = [s, t].map(|stream| seen(&literal::law(mechanism, stream), *round));
            literal::divergence(&p, &q, &Number::one())
        })
        .max()
        .unwrap()
}

/// The law of the output of one round.
fn marginal(law: &Outputs, round: usize) -> Outputs {
    let mut found = Outputs::new();
    for (word, weight) in law {
        let sum = found.entry(vec![word[round].clone()]).or_insert_with(Number::zero);
        *sum = &*sum + weight;
    }
    found
}

/// Definition 2: Y₁ = r and Y₂ = r XOR y₁ are uniform, and together they tell y₁.
#[test]
fn private_marginals_are_not_enough() {
    let twin = mechanism("correlated-rounds", "point:2");
    for round in 0..3 {
        let found = misread(&twin, 3, |_, _| true, |law, _| marginal(law, round));
        assert_eq!(found, Number::zero(), "round {}", round + 1);
    }
    assert_eq!(delta("correlated-rounds", "point:2", Notion::Whole, 1, "0"), number("0"));
    for epsilon in ["0", "5"] {
        assert_eq!(delta("correlated-rounds", "point:2", Notion::Whole, 2, epsilon), number("1"));
    }
}

/// Definition 2: 0 on realisable streams, 1 on all from T = 3 on.
#[test]
fn private_on_realisable_streams_is_not_enough() {
    let twin = mechanism("contradiction-alarm", "point:3");
    let realisable = Streams::realisable(&class("point:3"), 100).unwrap();
    for rounds in 1..=4 {
        let found = delta_over(&twin, &realisable, Notion::Whole, rounds, "0");
        assert_eq!(found, number("0"), "T = {rounds}");
    }
    for (rounds, expected) in [(1, "0"), (2, "0"), (3, "1"), (4, "1")] {
        let found = delta("contradiction-alarm", "point:3", Notion::Whole, rounds, "1");
        assert_eq!(found, number(expected), "T = {rounds}");
    }
}

/// Definition 4: 0 when only the label changes, 1 when the point may change too.
#[test]
fn the_point_of_a_round_may_change() {
    let twin = mechanism("xor-of-past-points", "point:3");
    let interface = twin.interface().clone();
    let same_points = |s: &[usize], t: &[usize]| {
        s.iter().zip(t).all(|(&z, &w)| interface.parts(z).0 == interface.parts(w).0)
    };
    assert_eq!(misread(&twin, 3, same_points, literal::without), Number::zero());
    assert_eq!(misread(&twin, 2, |_, _| true, literal::without), Number::one());
    assert_eq!(delta("xor-of-past-points", "point:3", Notion::Joint, 1, "0"), number("0"));
    assert_eq!(delta("xor-of-past-points", "point:3", Notion::Joint, 2, "5"), number("1"));
}

/// Definition 4: answers that depend on their own point alone are jointly private, until one is
/// repeated in the next round.
#[test]
fn an_answer_left_out_must_not_come_back() {
    let without_repetition = "constant:labels=100";
    for rounds in 1..=3 {
        let found = delta(without_repetition, "point:3", Notion::Joint, rounds, "0");
        assert_eq!(found, number("0"));
    }
    assert_eq!(delta("repeated-answer", "point:3", Notion::Joint, 1, "0"), number("0"));
    assert_eq!(delta("repeated-answer", "point:3", Notion::Joint, 2, "5"), number("1"));
    let twin = mechanism("repeated-answer", "point:3");
    // Points 1, 2, 1, 3: the answers 1, 1, 1, 1; points 2, 1, 3, 1: 0, 0, 0, 0.
    for (stream, word) in [([0, 2, 1, 4], "1111"), ([3, 1, 4, 0], "0000")] {
        let law = literal::law(&twin, &stream);
        let word: Vec<String> = word.chars().map(|c| c.to_string()).collect();
        assert_eq!(law.get(&word), Some(&Number::one()));
    }
}

/// Definition 3: streams with the same first points and earlier labels, but another label in the
/// round, get another answer. A predictor cannot: it sees the label too late.
#[test]
fn an_answer_must_not_depend_on_its_label() {
    let twin = mechanism("label-peeker", "point:2");
    let names: Vec<String> =
        (0..twin.interface().records()).map(|r| twin.interface().record_name(r)).collect();
    assert_eq!(names, ["1:0", "1:1", "2:0", "2:1"]);
    let answer = |stream: &[usize]| literal::law(&twin, stream).into_keys().next().unwrap();
    assert_eq!(
        (answer(&[2, 0]), answer(&[2, 1])),
        (vec!["0".into(), "0".into()], vec!["0".into(), "1".into()])
    );
    let predictor = mechanism("subsampled-soa:gamma=1/4", "point:2");
    for stream in literal::streams(4, 2) {
        let relabelled = [stream[0], stream[1] ^ 1];
        assert_eq!(literal::law(&predictor, &stream), literal::law(&predictor, &relabelled));
    }
}

/// Proposition 1 with e^ε₀ = 3 and γ = 2/5 promises the level 9/5. When skipped rounds do not
/// exist for the inner learner, its first release returns instead of the answer to the dummy:
/// label 1 gives 11 with probability 3/10, label 0 with probability 1/10, and
/// 3/10 − 9/5 · 1/10 = 3/25.
#[test]
fn a_round_must_not_be_skipped() {
    let inner = "of=(randomised-response-learner:flip=1/4,first=10),gamma=2/5";
    let skipping = format!("subsample-skipping:{inner}");
    assert_eq!(delta(&skipping, "point:2", Notion::Whole, 2, "ln(9/5)"), number("3/25"));
    let wrapped = format!("subsample:{inner},dummy=1:0");
    assert_eq!(delta(&wrapped, "point:2", Notion::Whole, 2, "ln(9/5)"), number("0"));
}

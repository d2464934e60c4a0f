//! Algorithm 1: its law over streams.

use littlestone::adversary::{Reading, Thirds, play};
use littlestone::class;
use littlestone::exact::{Number, Rational};
use littlestone::limits::Limits;
use num_traits::{One, Zero};

use super::{learner, number, thirds};

fn expected_informative(adversary: &Thirds, reading: Reading) -> Rational {
    let outcomes = adversary.outcomes(reading).unwrap();
    outcomes
        .iter()
        .map(|outcome| &outcome.weight * Rational::from_integer(outcome.insertions.len().into()))
        .sum()
}

/// E[number of informative examples] = Lp/3, for every T and p; all streams realisable.
#[test]
fn the_law_has_the_stated_mean_and_is_realisable() {
    let class = class::load("point:3").unwrap().class;
    for rounds in [1, 2, 3, 4, 8, 9, 10, 27] {
        for p in ["1", "1/2", "1/7"] {
            let adversary = thirds(rounds, p);
            let streams = adversary.streams(Reading::Paper).unwrap();
            let total: Rational = streams.iter().map(|(_, weight)| weight).sum();
            assert!(total.is_one(), "T = {rounds}");
            assert_eq!(
                expected_informative(&adversary, Reading::Paper),
                adversary.expected_informative()
            );
            for (stream, _) in &streams {
                assert_eq!(stream.len(), rounds);
                let fits = |h: usize| {
                    stream.iter().all(|record| class.label(h, record / 2) == (record % 2 == 1))
                };
                assert!((0..class.hypotheses()).any(fits), "{stream:?}");
            }
            assert!(adversary.is_realisable(&class));
        }
    }
}

/// T = 3, by hand: the middle third is chosen with probability 1/3 and the first round is then
/// informative with probability p.
#[test]
fn three_rounds_by_hand() {
    let streams = thirds(3, "1/2").streams(Reading::Paper).unwrap();
    let ratio = |p: i64, q: i64| Rational::new(p.into(), q.into());
    assert_eq!(
        streams,
        [
            (vec![0, 4, 4], ratio(1, 12)),
            (vec![1, 4, 4], ratio(1, 12)),
            (vec![4, 4, 4], ratio(5, 6)),
        ]
    );
    // T = 1, 2: one example with a fair label.
    assert_eq!(thirds(1, "1/2").streams(Reading::Paper).unwrap().len(), 2);
    let two = thirds(2, "1/2").streams(Reading::Paper).unwrap();
    assert_eq!(two, [(vec![0, 4], ratio(1, 2)), (vec![1, 4], ratio(1, 2))]);
}

/// The misreadings of T = 9, p = 1: a round that is chosen twice lowers the number of examples;
/// fresh labels make streams that no hypothesis fits.
#[test]
fn misreadings_have_other_laws() {
    let adversary = thirds(9, "1");
    let mean = adversary.expected_informative();
    assert!(expected_informative(&adversary, Reading::ChosenThird) < mean);
    assert_eq!(expected_informative(&adversary, Reading::FreshLabel), mean);
    let outcomes = adversary.outcomes(Reading::FreshLabel).unwrap();
    let broken: Rational = outcomes.iter().filter(|o| !o.is_consistent()).map(|o| &o.weight).sum();
    // Two insertions with probability 1/9, with different labels half of the time.
    assert_eq!(broken, Rational::new(1.into(), 18.into()));
    let paper = adversary.outcomes(Reading::Paper).unwrap();
    assert!(paper.iter().all(littlestone::adversary::Outcome::is_consistent));
}

/// Fair bits are wrong half of the time on every round; the SOA's mistakes on 729 rounds are
/// 665/1458 (μ/4 = 1/2), as Lemma 4 has it for a learner that is not private.
#[test]
fn mistakes_of_known_learners() {
    let limits = Limits::default();
    let fair =
        play(&learner("constant-learner:flip=1/2", 10), &thirds(10, "1/3"), &limits).unwrap();
    assert_eq!(fair.expected.mistakes, number("5"));
    assert_eq!(fair.stages, [number("1/18"), number("1/18")]);
    let soa = play(&learner("soa-learner", 729), &thirds(729, "1"), &limits).unwrap();
    let informative = soa.stages.iter().fold(Number::zero(), |sum, stage| &sum + stage);
    assert_eq!(informative, number("665/1458"));
    let one = play(&learner("soa-learner", 2), &thirds(2, "1"), &limits).unwrap();
    assert_eq!(one.stages, [number("1/2")]);
    assert!(Rational::zero() < thirds(9, "1").expected_informative());
}

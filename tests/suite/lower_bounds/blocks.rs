//! Lemma 5.

use crate::support::config;
use littlestone::adversary::{Block, Blocks, Reading, group_delta, play, repeated, retained};
use littlestone::exact::Number;
use littlestone::limits::Meter;
use littlestone::mechanism::{Boxed, Mechanism};
use proptest::prelude::*;

use super::literal::{self, Outputs};
use super::random::learners;
use super::{compiled, learner, number, thirds, wrong};

const DUMMY: usize = 4;

/// The stream of the inner learner for auxiliary examples and positions U, counted from 1.
fn spread(examples: &[usize], positions: &[usize], q: usize, w: usize) -> Vec<usize> {
    let mut stream = vec![DUMMY; 2 * w * examples.len()];
    for (block, (&example, &position)) in examples.iter().zip(positions).enumerate() {
        for copy in 0..q {
            stream[2 * w * block + position - 1 + copy] = example;
        }
    }
    stream
}

/// All choices of a position in 1..=w for each of `blocks` blocks.
fn positions(blocks: usize, w: usize) -> Vec<Vec<usize>> {
    (0..blocks).fold(vec![Vec::new()], |all, _| {
        let longer = |chosen: Vec<usize>| (1..=w).map(move |u| [&chosen[..], &[u]].concat());
        all.into_iter().flat_map(longer).collect()
    })
}

fn share(number: usize) -> Number {
    Number::one().checked_div(&i64::try_from(number).unwrap().into()).unwrap()
}

/// The law of the auxiliary learner's outputs: of the inner learner's, those at the positions.
fn auxiliary<M: Mechanism>(inner: &M, examples: &[usize], q: usize, w: usize) -> Outputs {
    let all = positions(examples.len(), w);
    let mut mixture = Outputs::new();
    for chosen in &all {
        for (word, weight) in literal::law(inner, &spread(examples, chosen, q, w)) {
            let released =
                chosen.iter().enumerate().map(|(block, u)| word[2 * w * block + u - 1].clone());
            let sum = mixture.entry(released.collect()).or_insert_with(Number::zero);
            *sum = &*sum + &(&weight * &share(all.len()));
        }
    }
    mixture
}

#[test]
fn the_auxiliary_learner_is_that_of_the_text() {
    for (inner, sizes) in [
        ("subsampled-soa-learner:gamma=1/3", &[(1, 1, 2), (2, 1, 2), (2, 2, 2), (3, 2, 1)][..]),
        ("absorbing:E=9/8,beta=1/8", &[(1, 1, 2), (2, 1, 2), (2, 2, 1)]),
    ] {
        let inner_learner = learner(inner, "point:3");
        for &(q, w, blocks) in sizes {
            let text = format!("blocks:of=({inner}),q={q},w={w},dummy=3:0");
            let outer: Boxed = learner(&text, "point:3");
            for examples in [[4, 1], [1, 1], [0, 4], [1, 3]] {
                let examples = &examples[..blocks];
                let expected = auxiliary(&inner_learner, examples, q, w);
                assert_eq!(literal::law(&outer, examples), expected, "{text} on {examples:?}");
            }
        }
    }
}

/// A learner that is wrong in the first h rounds of every block of 2w rounds: by hand α = h/w and
/// `p_j` = (h − j)/w, the whole loss j/w.
#[test]
fn the_loss_from_the_shift_is_attained() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/checks/lower-bounds/opening.rhai");
    let inner = learner(&format!("{path}:wrong=2,period=8"), "point:3");
    let automaton = compiled(&inner, 16);
    let play = |shifted| {
        let blocks = Blocks::new(3, 4, DUMMY, shifted).unwrap();
        blocks.play(&automaton, &[4, 1], &mut Meter::default()).unwrap().pop().unwrap()
    };
    let copies = ["1/2", "1/4", "0"].map(number).to_vec();
    assert_eq!(play(true), Block { auxiliary: number("1/2"), copies });
    let copies = ["1", "1", "0"].map(number).to_vec();
    assert_eq!(play(false), Block { auxiliary: number("1"), copies });
}

#[test]
fn sizes_without_room_are_refused() {
    for (q, w) in [(0, 2), (1, 0), (4, 2), (1, 5000)] {
        assert!(Blocks::new(q, w, DUMMY, true).is_err(), "{q} {w}");
    }
    assert!(Blocks::new(3, 2, DUMMY, true).is_ok());
}

/// Fact 1 with ε = ln 3/2, δ = 1/10: by hand 0, 1/10, 1/4, 19/40.
#[test]
fn groups() {
    let found = [0, 1, 2, 3].map(|q| group_delta(&number("3/2"), &number("1/10"), q));
    assert_eq!(found, ["0", "1/10", "1/4", "19/40"].map(number));
}

/// By hand: the SOA errs in the first round half of the time, fair bits in half of all rounds.
#[test]
fn few_rounds() {
    for (text, expected) in [("soa-learner", "1/2"), ("constant-learner:flip=1/2", "5/2")] {
        let automaton = compiled(&learner(text, "point:3"), 5);
        assert_eq!(
            repeated(&automaton, 0, 5, &mut Meter::default()),
            Ok(number(expected)),
            "{text}"
        );
    }
}

/// The auxiliary mistakes and E[X] of the third regime in other ways: the learner of Proposition
/// 1 against Algorithm 1, and the learner itself against Algorithm 1 with pr in place of p (each
/// insertion is retained independently of all else).
#[test]
fn retained_examples_are_those_of_proposition_1() {
    for inner in ["soa-learner", "absorbing:E=2,beta=1/4", "subsampled-soa-learner:gamma=1/2"] {
        let automaton = compiled(&learner(inner, "point:3"), 9);
        let subsampled = learner(&format!("subsample:of=({inner}),gamma=2/3,dummy=3:0"), "point:3");
        let subsampled = compiled(&subsampled, 9);
        let sum = |stages: &[Number]| stages.iter().fold(Number::zero(), |sum, p| &sum + p);
        for rounds in [2, 3, 9] {
            let adversary = thirds(rounds, "3/4");
            let r = littlestone::exact::parse_rational("2/3").unwrap();
            let found = retained(&automaton, &adversary, &r, &mut Meter::default()).unwrap();
            let auxiliary = play(&subsampled, &adversary, &mut Meter::default()).unwrap();
            assert_eq!(found.auxiliary, sum(&auxiliary.stages), "{inner}, T = {rounds}");
            assert_eq!(found.retained, &found.auxiliary * &number("2/3"), "{inner}, T = {rounds}");
            if rounds > 2 {
                let fewer =
                    play(&automaton, &thirds(rounds, "1/2"), &mut Meter::default()).unwrap();
                assert_eq!(found.retained, sum(&fewer.stages), "{inner}, T = {rounds}");
            }
        }
    }
}

proptest! {
    #![proptest_config(config(12))]

    /// α and p_j against their definitions, after one earlier block.
    #[test]
    fn copies_agree_with_the_definition(
        inner in learners(),
        (q, w) in prop::sample::select(vec![(1, 1), (2, 1), (1, 2), (2, 2), (3, 2)]),
        earlier in prop::option::of(0usize..6),
        example in 0usize..2,
    ) {
        let examples: Vec<usize> = earlier.into_iter().chain([example]).collect();
        let automaton = compiled(&inner, 2 * w * examples.len());
        let blocks = Blocks::new(q, w, DUMMY, true).unwrap();
        let found = blocks.play(&automaton, &examples, &mut Meter::default()).unwrap().pop().unwrap();

        let all = positions(examples.len(), w);
        let mean = |of: &dyn Fn(&[usize]) -> Number| {
            let sum = all.iter().fold(Number::zero(), |sum, chosen| &sum + &of(chosen));
            &sum * &share(all.len())
        };
        let start = 2 * w * (examples.len() - 1);
        let copy = |j: usize| mean(&|chosen| {
            let round = start + chosen[examples.len() - 1] - 1 + j;
            wrong(&inner, &spread(&examples, chosen, q, w), round, example)
        });
        prop_assert_eq!(found.copies, (0..q).map(copy).collect::<Vec<_>>());
        let auxiliary = mean(&|chosen| {
            let mut stream = spread(&examples, chosen, q, w);
            stream[start..].fill(DUMMY);
            wrong(&inner, &stream, start + chosen[examples.len() - 1] - 1, example)
        });
        prop_assert_eq!(found.auxiliary, auxiliary);
    }

    /// Over Algorithm 1's auxiliary streams: α against the auxiliary learner of the catalogue's
    /// form, and E[X] against single streams.
    #[test]
    fn against_algorithm_1(inner in learners(), p in prop::sample::select(vec!["1", "1/2"])) {
        let (q, w, rounds) = (2, 1, 3);
        let adversary = thirds(rounds, p);
        let blocks = Blocks::new(q, w, DUMMY, true).unwrap();
        let automaton = compiled(&inner, 2 * w * rounds);
        let found = blocks.against(&automaton, &adversary, &mut Meter::default()).unwrap();
        let (mut copies, mut auxiliary) = (Number::zero(), Number::zero());
        for (stream, weight) in adversary.streams(Reading::Paper).unwrap() {
            let weight = Number::from(weight);
            for (block, &record) in stream.iter().enumerate().filter(|(_, r)| **r < 2) {
                let spread = spread(&stream, &vec![1; rounds], q, w);
                for j in 0..q {
                    let p = wrong(&inner, &spread, 2 * w * block + j, record);
                    copies = &copies + &(&weight * &p);
                    if j == 0 {
                        auxiliary = &auxiliary + &(&weight * &p);
                    }
                }
            }
        }
        prop_assert_eq!(found.copies, copies);
        prop_assert_eq!(found.auxiliary, auxiliary);
    }
}

//! The merged beliefs against the reference.

use crate::support::config;
use littlestone::adversary::{Thirds, play};
use littlestone::exact::{Epsilon, Number, Rational};
use littlestone::limits::Meter;
use littlestone::mistakes;
use littlestone::potentials::{Extras, potentials};
use proptest::prelude::*;

use super::naive::Game;
use super::random::{Walk, mixed, walks};

fn ratio(p: i64, q: i64) -> Rational {
    Rational::new(p.into(), q.into())
}

fn agree(walk: &Walk, rounds: usize, p: Rational, factor: Rational) {
    let adversary = Thirds::new(rounds, p.clone(), 4, 0).unwrap();
    let epsilon = Epsilon::ln(factor.clone()).unwrap();
    let automaton = walk.compiled(rounds);
    let extras = Extras { unconditioned: true };
    let found =
        potentials(&automaton, &adversary, &epsilon, extras, &mut Meter::default()).unwrap();
    let game = Game::new(walk, rounds, p, factor);
    for choice in found.stages.iter().flatten() {
        let expected = game.reference(&choice.thirds);
        let exact = |q: &Rational| Number::from(q.clone());
        let list = |list: &[Rational]| list.iter().map(exact).collect::<Vec<_>>();
        assert_eq!(choice.revealed(), list(&expected.revealed));
        assert_eq!(choice.information(), exact(&expected.information));
        assert_eq!(choice.ratios.variance, exact(&expected.variance));
        assert_eq!(choice.ratios.within.to_vec(), list(&expected.within));
        assert_eq!(choice.ratios.difference, exact(&expected.difference));
        assert_eq!(choice.ratios.signed_difference, exact(&expected.signed));
        assert_eq!(choice.ratios.errors, list(&expected.errors));
        assert_eq!(choice.delta, exact(&expected.delta), "{:?}", choice.thirds);
        assert_eq!(choice.wrong(), exact(&expected.wrong));
        assert_eq!(choice.wrong_after(), exact(&expected.wrong_after));
        if let Some(unconditioned) = &choice.unconditioned {
            assert_eq!(*unconditioned, exact(&expected.unconditioned));
        }
    }
    // Expected mistakes without histories, stage by stage and on the listed law.
    let played = play(&automaton, &adversary, &mut Meter::default()).unwrap();
    let p: Number = adversary.probability().clone().into();
    for (t, stage) in played.stages.iter().enumerate() {
        let mean = found.mean(t, littlestone::potentials::Choice::wrong);
        assert_eq!(*stage, &(&p * &ratio(1, 3).into()) * &mean);
    }
    let law: Vec<(Vec<usize>, Number)> = adversary
        .streams(littlestone::adversary::Reading::Paper)
        .unwrap()
        .into_iter()
        .map(|(stream, weight)| (stream, weight.into()))
        .collect();
    assert_eq!(played.expected, mistakes::on_streams(&automaton, &law).unwrap());
}

proptest! {
    #![proptest_config(config(12))]

    /// One stage, and rounds after it.
    #[test]
    fn one_stage_agrees_with_the_definitions(
        walk in walks(2..=3),
        rounds in 3usize..=5,
        p in prop::sample::select(vec![ratio(1, 1), ratio(1, 2), ratio(1, 100)]),
        factor in prop::sample::select(vec![ratio(1, 1), ratio(9, 8), ratio(2, 1)]),
    ) {
        agree(&walk, rounds, p, factor);
    }
}

proptest! {
    #![proptest_config(config(2))]

    /// Two stages: windows within what is left of others.
    #[test]
    fn two_stages_agree_with_the_definitions(
        // With small shares the reference would count in integers of many digits.
        walk in mixed(2..=2, vec![ratio(1, 1)]),
        p in prop::sample::select(vec![ratio(1, 1), ratio(1, 3)]),
        factor in prop::sample::select(vec![ratio(17, 16), ratio(9, 8)]),
    ) {
        agree(&walk, 9, p, factor);
    }
}

//! Theorem 2 and concentrated learners.

use crate::support::config;
use littlestone::adversary::{Phases, Shared, concentration, phases};
use littlestone::class::{Class, VersionSpace};
use littlestone::exact::Number;
use littlestone::limits::{Limits, Meter};
use littlestone::littlestone::Solver;
use littlestone::mechanism::Mechanism;
use littlestone::mistakes::on_stream;
use proptest::prelude::*;

use super::random::learners;
use super::{class, compiled, learner, literal, number, wrong};

fn built<M: Mechanism>(
    mechanism: &M,
    class: &Class,
    rounds: usize,
    shared: Shared,
) -> littlestone::error::Result<Phases> {
    let solver = Solver::new(class, Limits::default());
    phases(&compiled(mechanism, rounds), &solver, rounds, shared, &mut Meter::default())
}

/// E[X] of a phase: mistakes in the informative rounds that are `first` (from 0) or later.
fn informative<M: Mechanism>(mechanism: &M, stream: &[usize], first: usize, x: usize) -> Number {
    (first..stream.len())
        .filter(|round| stream[*round] / 2 == x)
        .map(|round| wrong(mechanism, stream, round, stream[round]))
        .fold(Number::zero(), |sum, p| &sum + &p)
}

/// The construction step by step: every stream of the form of Lemma 5 in every phase, with the
/// rest of the stream dummy, in the order in which the first worst one is chosen.
fn check<M: Mechanism>(mechanism: &M, class: &Class, d: usize, rounds: usize) -> Phases {
    let found = built(mechanism, class, rounds, Shared::Root).unwrap();
    let number = rounds.min(d - 1);
    let length = rounds / number;
    assert_eq!((found.dimension, found.phases.len(), found.length), (d, number, length));
    assert_eq!(found.dummy, 2 * found.root);
    let mut stream = vec![found.dummy; rounds];
    let mut path = vec![(found.root, false)];
    for (place, phase) in found.phases.iter().enumerate() {
        let first = place * length;
        let mut best: Option<(Number, usize, Vec<usize>)> = None;
        for label in 0..2 {
            for chosen in literal::streams(2, length) {
                let mut tried = stream.clone();
                for (round, _) in chosen.iter().enumerate().filter(|(_, one)| **one == 1) {
                    tried[first + round] = 2 * phase.point + label;
                }
                let value = informative(mechanism, &tried, first, phase.point);
                if best.as_ref().is_none_or(|(most, ..)| value > *most) {
                    best = Some((value, label, tried));
                }
            }
        }
        let (value, label, chosen) = best.unwrap();
        assert_eq!((&phase.mistakes, usize::from(phase.label)), (&value, label));
        stream = chosen;
        path.push((phase.point, label == 1));
        // Both labels are available at the next node.
        let fits = |h: &usize| path.iter().all(|(x, y)| class.label(*h, *x) == *y);
        let left = Solver::new(class, Limits::default());
        let mut space = VersionSpace::full(class);
        for (x, y) in &path {
            space = space.restrict(&left.columns()[*x], *y);
        }
        assert_eq!(left.dimension_of(&space), Ok(i32::try_from(d - 2 - place).unwrap()));
        assert!((0..class.hypotheses()).any(|h| fits(&h)));
    }
    assert_eq!(found.stream, stream);
    let hypothesis = found.hypothesis.unwrap();
    assert!(stream.iter().all(|r| class.label(hypothesis, r / 2) == (r % 2 == 1)));
    let mistakes = (0..rounds)
        .map(|round| wrong(mechanism, &stream, round, stream[round]))
        .fold(Number::zero(), |sum, p| &sum + &p);
    assert_eq!(found.expected.mistakes, mistakes);
    found
}

proptest! {
    #![proptest_config(config(10))]

    #[test]
    fn streams_agree_with_trying_all(inner in learners(), rounds in 1usize..=6) {
        check(&inner, &class("cube:3"), 3, rounds);
    }

    /// The definition on all hypotheses and points.
    #[test]
    fn concentration_agrees_with_the_definition(
        inner in learners(),
        rounds in 1usize..=4,
        name in prop::sample::select(vec!["point:3", "cube:3"]),
    ) {
        let class = class(name);
        let found = concentration(&compiled(&inner, rounds), &class, rounds, &mut Meter::default());
        let found = found.unwrap().unwrap();
        let mut best = Number::zero();
        let all = 0..class.hypotheses();
        for (f0, f1) in all.clone().flat_map(|f0| all.clone().map(move |f1| (f0, f1))) {
            for (equal, different) in (0..9).map(|i| (i / 3, i % 3)) {
                let label = class.label(f0, equal);
                let fits = class.label(f1, equal) == label
                    && class.label(f0, different) == label
                    && class.label(f1, different) != label;
                if !fits {
                    continue;
                }
                let stream = vec![2 * equal + usize::from(label); rounds];
                let wanted = if label { b'1' } else { b'0' };
                let law = literal::law(&inner, &stream);
                let words = law.iter().filter(|(word, _)| {
                    word.iter().all(|h| h.as_bytes()[different] == wanted)
                });
                let p = words.fold(Number::zero(), |sum, (_, p)| &sum + p);
                if (f0, f1, equal, different)
                    == (found.first, found.second, found.equal, found.different)
                {
                    prop_assert_eq!(&p, &found.probability);
                    prop_assert_eq!(label, found.label);
                }
                best = best.max(p);
            }
        }
        prop_assert_eq!(found.probability, best);
    }
}

/// By hand: until it retains an example of the point, subsampled SOA predicts 1 at every point of
/// a cube. Two rounds of a phase cost 1 + 1/2, and the unused seventh round costs 1.
#[test]
fn subsampled_soa_on_a_cube() {
    let mechanism = learner("subsampled-soa-learner:gamma=1/2", "cube:4");
    let found = built(&mechanism, &class("cube:4"), 7, Shared::Root).unwrap();
    assert_eq!(found.expected.mistakes, number("11/2"));
    assert!(found.phases.iter().all(|phase| phase.mistakes == number("3/2") && !phase.label));
    let rounds: Vec<_> = found.phases.iter().map(|phase| phase.informative.clone()).collect();
    assert_eq!(rounds, [[1, 2], [3, 4], [5, 6]]);
    // T < d: k = T phases of one round.
    let found = built(&mechanism, &class("cube:4"), 2, Shared::Root).unwrap();
    assert_eq!((found.phases.len(), found.length), (2, 1));
    assert_eq!(found.expected.mistakes, number("2"));
}

/// A learner that answers 0 gets label 1, which contradicts a dummy example `(x_1, 0)`.
#[test]
fn the_dummy_example_is_that_of_the_root() {
    let mechanism = learner("constant-learner", "cube:4");
    let fits = |shared| built(&mechanism, &class("cube:4"), 7, shared).unwrap().hypothesis;
    assert!(fits(Shared::Root).is_some());
    assert_eq!(fits(Shared::FirstNode), None);
}

#[test]
fn outside_of_theorem_2() {
    let one = learner("soa-learner", "point:3");
    let error = built(&one, &class("point:3"), 4, Shared::Root).unwrap_err();
    assert!(error.to_string().contains("dimension at least 2"), "{error}");
    let predictor = learner("soa", "cube:2");
    assert!(built(&predictor, &class("cube:2"), 4, Shared::Root).is_err());
    let long = learner("constant-learner", "cube:2");
    let error = built(&long, &class("cube:2"), 21, Shared::Root).unwrap_err();
    assert!(matches!(error, littlestone::error::Error::Limit { .. }), "{error}");
}

/// Theorem 2's learner of a phase: the law of the last outputs, given nothing of the others.
#[test]
fn a_restriction_forgets_its_releases_and_not_its_state() {
    for inner in ["subsampled-soa-learner:gamma=1/3", "absorbing:E=9/8,beta=1/8"] {
        let whole = learner(inner, "point:3");
        let phase = learner(&format!("restriction:of=({inner}),prefix=(3:0,1:1)"), "point:3");
        for suffix in [[4, 1], [1, 1], [0, 4]] {
            let mut expected = literal::Outputs::new();
            for (word, weight) in literal::law(&whole, &[&[4, 1][..], &suffix].concat()) {
                let sum = expected.entry(word[2..].to_vec()).or_insert_with(Number::zero);
                *sum = &*sum + &weight;
            }
            assert_eq!(literal::law(&phase, &suffix), expected, "{inner} on {suffix:?}");
        }
        let none = learner(&format!("restriction:of=({inner}),prefix=()"), "point:3");
        assert_eq!(literal::law(&none, &[4, 1]), literal::law(&whole, &[4, 1]));
    }
}

/// E[X] of a phase is that of the learner after the earlier phases, on the stream of the phase.
#[test]
fn each_phase_is_a_stream_for_a_restriction() {
    for inner in ["subsampled-soa-learner:gamma=1/3", "absorbing:E=2,beta=1/4,point=3"] {
        let class = class("cube:4");
        let found = built(&learner(inner, "cube:4"), &class, 7, Shared::Root).unwrap();
        let name = |r: &usize| format!("{}:{}", class.point_names()[r / 2], r % 2);
        for phase in &found.phases {
            let (prefix, rest) = found.stream.split_at(phase.first - 1);
            let prefix: Vec<String> = prefix.iter().map(name).collect();
            let text = format!("restriction:of=({inner}),prefix=({})", prefix.join(","));
            let automaton = compiled(&learner(&text, "cube:4"), found.length);
            let mistakes = on_stream(&automaton, &rest[..found.length]).unwrap().rounds;
            let own = phase.informative.iter().map(|round| &mistakes[round - phase.first]);
            assert_eq!(own.fold(Number::zero(), |sum, p| &sum + p), phase.mistakes, "{text}");
        }
    }
}

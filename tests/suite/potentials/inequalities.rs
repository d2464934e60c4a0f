//! Every inequality of the paper for random learners, with the δ that they have.

use std::cell::Cell;

use littlestone::adversary::Thirds;
use littlestone::exact::{Epsilon, Number, Rational};
use littlestone::limits::Limits;
use littlestone::potentials::{
    Choice, Context, Extras, Row, STATEMENTS, Verdict, potentials, statement,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::random::walks;
use super::{learner, number, thirds};

fn ratio(p: i64, q: i64) -> Rational {
    Rational::new(p.into(), q.into())
}

/// Whatever the learner, with its own δ: no inequality is false. At least half of the learners
/// have ε or δ of at least 1/20 and reveal something.
#[test]
fn no_random_learner_refutes_an_inequality() {
    let epsilons: Vec<Epsilon> =
        ["ln(9/8)", "ln(17/16)", "1/100"].iter().map(|e| e.parse().unwrap()).collect();
    let probabilities = vec![ratio(1, 1), ratio(1, 2), ratio(1, 50)];
    let cases = (walks(), prop::sample::select(epsilons), prop::sample::select(probabilities));
    let config = Config { cases: 24, failure_persistence: None, ..Config::default() };
    let (all, telling) = (Cell::new(0), Cell::new(0));
    let mut runner = TestRunner::new(config);
    let result = runner.run(&cases, |(walk, epsilon, p)| {
        let adversary = Thirds::new(9, p, 4, 0).unwrap();
        let automaton = walk.compiled(9);
        let found =
            potentials(&automaton, &adversary, &epsilon, Extras::default(), &Limits::default())
                .unwrap();
        let context = Context { potentials: &found, delta: None };
        for statement in STATEMENTS.iter().filter(|s| s.twin.is_none()) {
            for row in statement.rows(&context) {
                prop_assert!(row.verdict() != Verdict::Refuted, "{} {row:?}", statement.name);
            }
        }
        let large = epsilon != "1/100".parse().unwrap() || found.delta(2) >= number("1/20");
        let revealing = (0..=2).any(|t| found.mean(t, Choice::information).signum() > 0);
        all.set(all.get() + 1);
        telling.set(telling.get() + usize::from(large && revealing));
        Ok(())
    });
    result.unwrap();
    assert!(2 * telling.get() >= all.get(), "{} of {}", telling.get(), all.get());
}

/// At t = 0 nothing has been inserted, so Y is independent of B: p/6 whatever the learner.
#[test]
fn stage_one_contributes_p_over_six() {
    for (text, rounds) in [
        ("constant-learner:labels=1", 9),
        ("constant-learner:flip=1/2", 9),
        ("soa-learner", 9),
        ("subsampled-soa-learner:gamma=1/8", 9),
        ("absorbing:E=9/8,beta=1/8", 27),
    ] {
        let automaton = learner(text, rounds);
        let found = potentials(
            &automaton,
            &thirds(rounds, "2/3"),
            &Epsilon::ln(ratio(9, 8)).unwrap(),
            Extras::default(),
            &Limits::default(),
        )
        .unwrap();
        let context = Context { potentials: &found, delta: None };
        let row = &statement("stage 1").unwrap().rows(&context)[0];
        assert_eq!(row.left, number("1/9"), "{text}");
        assert_eq!(row.verdict(), Verdict::Holds);
    }
}

/// The bounds on the left sides that make a statement vacuous.
#[test]
fn verdicts_tell_truth_from_emptiness() {
    let automaton = learner("soa-learner", 9);
    let epsilon: Epsilon = "1/100".parse().unwrap();
    let found =
        potentials(&automaton, &thirds(9, "1"), &epsilon, Extras::default(), &Limits::default())
            .unwrap();
    let verdicts = |name: &str, delta: Option<&Number>| -> Vec<Verdict> {
        let context = Context { potentials: &found, delta };
        statement(name).unwrap().rows(&context).iter().map(Row::verdict).collect()
    };
    // The learner's δ is 1, so 20pδ and 2δ say nothing.
    assert!(verdicts("(2)", None).iter().all(|v| *v == Verdict::Vacuous));
    assert!(verdicts("(5)", None).iter().all(|v| *v == Verdict::Vacuous));
    // Declared (1/100, 0)-private it is refuted: E[I_1] is not small.
    let zero = Number::zero();
    assert!(verdicts("(2)", Some(&zero)).contains(&Verdict::Refuted));
    assert!(verdicts("(5)", Some(&zero)).contains(&Verdict::Refuted));
    // Lemma 1 needs no privacy.
    assert!(verdicts("Lemma 1", Some(&zero)).iter().all(|v| *v == Verdict::Holds));
}

//! Privacy at every length: the bound from one step against the literal reference and against the
//! verifier, and forged tables.

use crate::support::config;
use littlestone::certificate::format::EveryLength;
use littlestone::class::Class;
use littlestone::exact::Number;
use littlestone::limits::{Limits, Progress};
use littlestone::mechanism::{Automaton, Kind};
use littlestone::privacy::{
    Neighbours, Notion, Question, StepBound, Streams, Verdict, certify, every_length, step_bound,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::agreement::automata;
use super::forged::SMALL;
use super::literal;
use super::tools::{accepted, check, number, parse, proved, question, rejected, singletons};

fn streams(automaton: &Automaton, class: Option<&Class>) -> Streams {
    match class {
        Some(class) => Streams::realisable(class, 1000).unwrap(),
        None => Streams::all(automaton.interface().records()),
    }
}

fn bound(automaton: &Automaton, question: &Question, class: Option<&Class>) -> StepBound {
    let streams = streams(automaton, class);
    step_bound(automaton, &streams, question, &Limits::default(), &Progress::default())
        .unwrap()
        .unwrap()
}

fn at(
    automaton: &Automaton,
    question: &Question,
    class: Option<&Class>,
    d: &Number,
) -> EveryLength {
    certify::every_length(automaton, question, "a test", class, d).unwrap()
}

/// The certificate that the bound from one step suffices.
pub fn certified(automaton: &Automaton, question: &Question, class: Option<&Class>) -> EveryLength {
    at(automaton, question, class, &bound(automaton, question, class).bound)
}

fn decided(automaton: &Automaton, question: &Question, delta: &str) -> (Verdict, usize) {
    let delta = number(delta);
    let streams = streams(automaton, None);
    let (limits, progress) = (Limits::default(), Progress::default());
    let every = every_length(automaton, &streams, question, &delta, 4, &limits, &progress).unwrap();
    if let Some(pair) = &every.counterexample {
        assert_eq!(every.decided, pair.first.len());
    }
    (every.verdict, every.decided)
}

/// What a predictor with one point does: it keeps the last label, and answers with it.
fn last_label(flip: &str, stay: &str) -> Automaton {
    let table = r#"{
      "format": 1, "kind": "learner", "points": ["a"], "outputs": ["0", "1"],
      "start": [{"to": "0", "weight": "1"}],
      "states": [
        {"name": "0",
         "observe": {"a:0": [{"to": "0", "weight": "1"}], "a:1": [{"to": "1", "weight": "1"}]},
         "respond": {"": [{"output": "0", "to": "0", "weight": "STAY"},
                          {"output": "1", "to": "0", "weight": "FLIP"}]}},
        {"name": "1",
         "observe": {"a:0": [{"to": "0", "weight": "1"}], "a:1": [{"to": "1", "weight": "1"}]},
         "respond": {"": [{"output": "1", "to": "1", "weight": "STAY"},
                          {"output": "0", "to": "1", "weight": "FLIP"}]}}
      ]
    }"#;
    parse(&table.replace("FLIP", flip).replace("STAY", stay))
}

/// Randomised response of the last label. The state after the record tells the label with certainty,
/// so a comparison there would give 1; the release does not, and the state after it is the same for
/// both labels once equal states are merged. The ratio is 3: at e^ε = 3 nothing is left, at ε = 0
/// the difference 3/4 - 1/4.
#[test]
fn a_learner_is_compared_after_its_release() {
    let automaton = last_label("1/4", "3/4").by_role().minimised();
    for (epsilon, expected) in [("0", "1/2"), ("ln(2)", "1/4"), ("ln(3)", "0")] {
        let question = question(Notion::Whole, Neighbours::Replacement, epsilon);
        let found = bound(&automaton, &question, None);
        assert_eq!(found.bound, number(expected), "{epsilon}");
        accepted(&certified(&automaton, &question, None));
        assert_eq!(decided(&automaton, &question, expected), (Verdict::Holds, 0));
    }
    let question = question(Notion::Whole, Neighbours::Replacement, "ln(2)");
    assert_eq!(decided(&automaton, &question, "1/5"), (Verdict::Refuted, 2));
}

/// As long as one state both responds and observes, the two states after a release tell the label by
/// how they responded.
#[test]
fn merging_states_makes_the_bound_better() {
    let automaton = last_label("1/4", "3/4");
    let question = question(Notion::Whole, Neighbours::Replacement, "ln(3)");
    assert_eq!(bound(&automaton, &question, None).bound, Number::one());
    assert_eq!(bound(&automaton.minimised(), &question, None).bound, Number::one());
    let merged = bound(&automaton.by_role().minimised(), &question, None).bound;
    assert_eq!(merged, Number::zero());
}

/// The first label is kept, and answered with x until a coin ends it: fair for 0, of weight 3/8 for 1.
/// Nobody sees what is kept, but the view has it, so the bound is greater than what any length shows.
#[test]
fn what_no_step_shows_and_no_length_refutes_is_undecided() {
    let table = r#"{
      "format": 1, "kind": "transducer", "before": ["u"], "after": ["0", "1"],
      "outputs": ["x", "y"],
      "start": [{"to": "open", "weight": "1"}],
      "states": [
        {"name": "open",
         "observe": {"0": [{"to": "kept 0", "weight": "1"}], "1": [{"to": "kept 1", "weight": "1"}]},
         "respond": {"u": [{"output": "x", "to": "open", "weight": "1"}]}},
        {"name": "kept 0",
         "observe": {"0": [{"to": "kept 0", "weight": "1"}], "1": [{"to": "kept 0", "weight": "1"}]},
         "respond": {"u": [{"output": "x", "to": "kept 0", "weight": "1/2"},
                           {"output": "y", "to": "end", "weight": "1/2"}]}},
        {"name": "kept 1",
         "observe": {"0": [{"to": "kept 1", "weight": "1"}], "1": [{"to": "kept 1", "weight": "1"}]},
         "respond": {"u": [{"output": "x", "to": "kept 1", "weight": "3/8"},
                           {"output": "y", "to": "end", "weight": "5/8"}]}},
        {"name": "end",
         "observe": {"0": [{"to": "end", "weight": "1"}], "1": [{"to": "end", "weight": "1"}]},
         "respond": {"u": [{"output": "x", "to": "end", "weight": "1"}]}}
      ]
    }"#;
    let automaton = parse(table).minimised();
    let question = question(Notion::Whole, Neighbours::Replacement, "0");
    let found = bound(&automaton, &question, None);
    // The views differ in the state: 1/2 against 0 and 0 against 3/8 in the kept states, and 1/2
    // against 5/8 at the end.
    assert_eq!(found.bound, number("1/2"));
    // P[x^k] = 2^-k against (3/8)^k, so k = 1 gives 1/8, k = 2 gives 1/4 - 9/64 = 7/64.
    assert_eq!(literal::worst_delta(&automaton, 4, &Number::one()), number("1/8"));
    assert_eq!(decided(&automaton, &question, "1/8"), (Verdict::Undecided, 4));
    assert_eq!(decided(&automaton, &question, "1/9"), (Verdict::Refuted, 2));
    let (split, names) = (found.attained_by.unwrap(), automaton.states());
    assert_eq!(names[split.state], "open");
    assert_eq!(split.records, [Some(0), Some(1)]);
}

/// Labels at the one point that the class knows: a stream cannot have both labels, so S and S′ end
/// with the round in which they differ, and no learner shows that round.
#[test]
fn realisable_streams_that_cannot_go_on_show_nothing() {
    let mut builder = littlestone::class::ClassBuilder::new(vec!["a".into()]);
    builder.push(None, [false]);
    builder.push(None, [true]);
    let (class, automaton) =
        (builder.build(), last_label("1/1000", "999/1000").by_role().minimised());
    let question = question(Notion::Whole, Neighbours::Replacement, "0");
    let found = bound(&automaton, &question, Some(&class));
    assert_eq!(found.bound, Number::zero());
    accepted(&certified(&automaton, &question, Some(&class)));
    // 999/1000 - 1/1000: what one release shows where both labels may follow.
    assert_eq!(bound(&automaton, &question, None).bound, number("998/1000"));
}

/// No length exceeds the bound; the verifier accepts the bound and nothing below it.
fn sound(automaton: &Automaton, epsilon: &str) -> Result<(), TestCaseError> {
    let kind = automaton.interface().kind();
    let joint = matches!(kind, Kind::Predictor | Kind::Transducer);
    let mut notions = vec![(Notion::Whole, Neighbours::Replacement)];
    notions.extend(joint.then_some((Notion::Joint, Neighbours::Replacement)));
    notions.extend((kind == Kind::OneShot).then_some((Notion::Whole, Neighbours::AddRemove)));
    let pointed = matches!(kind, Kind::Predictor | Kind::Learner);
    for (notion, neighbours) in notions {
        let question = question(notion, neighbours, epsilon);
        let found = bound(automaton, &question, None).bound;
        let factor = question.epsilon.factor();
        if neighbours == Neighbours::Replacement {
            for rounds in 1..=3 {
                let literal = match notion {
                    Notion::Whole => literal::worst_delta(automaton, rounds, &factor),
                    Notion::Joint => literal::worst_joint_delta(automaton, rounds, &factor),
                };
                prop_assert!(literal <= found, "{literal} > {found} at T = {rounds}");
            }
        }
        let merged = bound(&automaton.minimised(), &question, None).bound;
        prop_assert!(merged <= found);
        let parted = automaton.by_role().minimised();
        prop_assert!(bound(&parted, &question, None).bound <= merged);
        if neighbours == Neighbours::Replacement {
            for rounds in 1..=2 {
                let literal = match notion {
                    Notion::Whole => literal::worst_delta(automaton, rounds, &factor),
                    Notion::Joint => literal::worst_joint_delta(automaton, rounds, &factor),
                };
                prop_assert!(literal <= bound(&parted, &question, None).bound);
            }
        }
        let classes = [None].into_iter().chain(pointed.then(|| Some(singletons(1))));
        for class in classes {
            let class =
                class.as_ref().filter(|c| c.point_names() == automaton.interface().points());
            let found = bound(automaton, &question, class).bound;
            prop_assert_eq!(accepted(&at(automaton, &question, class, &found)).proved.len(), 1);
            let below = &found + &number("-1/1000000");
            if below.sign().is_ge() {
                prop_assert!(check(&at(automaton, &question, class, &below)).is_err());
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn the_bound_is_sound_and_the_verifier_agrees(automaton in automata(4)) {
        for epsilon in ["0", "ln(3/2)", "1/2"] {
            sound(&automaton, epsilon)?;
        }
    }

    #[test]
    fn powers_of_e_agree_too(automaton in automata(7)) {
        sound(&automaton, "1/6")?;
    }
}

fn forge(change: impl FnOnce(&mut Value)) -> Value {
    let joint = question(Notion::Joint, Neighbours::Replacement, "0");
    let mut certificate = serde_json::to_value(certified(&parse(SMALL), &joint, None)).unwrap();
    change(&mut certificate);
    certificate
}

/// The small predictor keeps a label 1 in the state s with probability 2/3, and the next answer is
/// then 1 with probability 3/4. After a label 0 the state t falls back with probability e^(-1/2).
#[test]
fn forged_tables_are_rejected() {
    assert_eq!(
        proved(&forge(|_| {})),
        [
            "(0, 2/3)-jointly differentially private over all streams of every length, neighbours by \
          replacement"
        ]
    );
    let message = rejected(&forge(|c| c["delta"] = json!("665/1000")));
    assert!(message.contains("no divergence above 665/1000, found 2/3"), "{message}");
    // A greater δ is true as well.
    proved(&forge(|c| c["delta"] = json!("3/4")));
    // A state is missing.
    let message = rejected(&forge(|c| {
        c["automaton"]["states"].as_array_mut().unwrap().pop();
    }));
    assert!(message.contains("expected the name of a state, found `t`"), "{message}");
    // A state is there, but has no law: the table is not closed.
    let message = rejected(&forge(|c| {
        c["automaton"]["states"][1].as_object_mut().unwrap().remove("observe");
    }));
    assert!(message.contains("expected a law, as streams lead here, found none"), "{message}");
    // A weight is changed: first without, then with the others of its law.
    let observe = "/automaton/states/0/observe/1";
    let message = rejected(&forge(|c| {
        c.pointer_mut(observe).unwrap()[1]["weight"] = json!("3/4");
    }));
    assert!(message.contains("weights that sum to 1"), "{message}");
    let message = rejected(&forge(|c| {
        let law = c.pointer_mut(observe).unwrap();
        law[0]["weight"] = json!("1/4");
        law[1]["weight"] = json!("3/4");
    }));
    assert!(message.contains("no divergence above 2/3, found 3/4"), "{message}");
    // A move leads elsewhere.
    let message = rejected(&forge(|c| {
        let law = c.pointer_mut(observe).unwrap();
        law[0]["to"] = json!("t");
    }));
    assert!(message.contains("no divergence above 2/3, found 1 "), "{message}");
    // The table is said to cover a few rounds alone.
    let message = rejected(&forge(|c| c["automaton"]["rounds"] = json!(3)));
    assert!(message.contains("a table for streams of every length"), "{message}");
    // The symbol of the differing round counts: the same here, as no point but one can be asked.
    proved(&forge(|c| c["notion"] = json!("whole")));
    let message = rejected(&forge(|c| c["epsilon"] = json!("-1")));
    assert!(message.contains("ε is negative"), "{message}");
}

//! The verifier against the searches and the literal reference, on random automata.

use crate::support::config;
use littlestone::mechanism::{Automaton, Kind};
use littlestone::privacy::{Neighbours, Notion};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::literal;
use super::tools::{accepted, certify, check, number, on_streams, parse, question, worst_stream};

/// Laws of two entries; those with powers of e sum to 1 exactly as well.
const SPLITS: [[&str; 2]; 7] = [
    ["1", "0"],
    ["1/2", "1/2"],
    ["1/4", "3/4"],
    ["2/7", "5/7"],
    ["exp(-1/2)", "1 - exp(-1/2)"],
    ["1/2*exp(-1/3)", "1 - 1/2*exp(-1/3)"],
    ["1/(1 + exp(1/2))", "exp(1/2)/(1 + exp(1/2))"],
];
const RATIONAL: usize = 4;

/// A table of random laws with at most two entries each.
pub fn automata(splits: usize) -> impl Strategy<Value = Automaton> {
    let kinds = prop_oneof![
        Just(json!({"kind": "predictor", "points": ["a"]})),
        Just(json!({"kind": "learner", "points": ["a"], "outputs": ["0", "1"]})),
        Just(json!({"kind": "transducer", "before": ["u", "v"], "outputs": ["o", "p"]})),
        Just(
            json!({"kind": "transducer", "before": ["u"], "after": ["y", "z"], "outputs": ["o", "p"]})
        ),
        Just(json!({"kind": "one-shot", "records": ["r", "s"], "outputs": ["o", "p"]})),
    ];
    let law = (0..splits, 0..6usize, 0..6usize);
    (kinds, 1..=3usize, prop::collection::vec(law, 64))
        .prop_map(|(head, states, laws)| build(head, states, &mut laws.into_iter().cycle()))
}

fn build(
    mut table: Value,
    states: usize,
    laws: &mut impl Iterator<Item = (usize, usize, usize)>,
) -> Automaton {
    let kind = table["kind"].as_str().unwrap().to_owned();
    let list = |key: &str| -> Vec<String> {
        table.get(key).map_or_else(
            || vec![String::new()],
            |list| serde_json::from_value(list.clone()).unwrap(),
        )
    };
    let (before, after, outputs) = match kind.as_str() {
        "predictor" => (list("points"), vec!["0".into(), "1".into()], vec!["0".into(), "1".into()]),
        "learner" => (vec![String::new()], vec!["a:0".into(), "a:1".into()], list("outputs")),
        "transducer" => (list("before"), list("after"), list("outputs")),
        _ => (vec![], list("records"), list("outputs")),
    };
    let mut law = |released: bool, moves: bool| -> Value {
        let (split, one, other) = laws.next().unwrap();
        let entry = |choice: usize, weight: &str| {
            let mut entry = json!({"weight": weight});
            if moves {
                entry["to"] = json!((choice % states).to_string());
            }
            if released {
                entry["output"] = json!(outputs[choice / 3]);
            }
            entry
        };
        let entries = [entry(one, SPLITS[split][0]), entry(other, SPLITS[split][1])];
        entries.into_iter().filter(|entry| entry["weight"] != json!("0")).collect()
    };
    table["format"] = json!(1);
    table["start"] = law(false, true);
    let rows = (0..states).map(|s| {
        let mut state = json!({"name": s.to_string()});
        if kind == "one-shot" {
            state["finish"] = law(true, false);
        } else {
            state["respond"] = before.iter().map(|b| (b.clone(), law(true, true))).collect();
        }
        state["observe"] = after.iter().map(|a| (a.clone(), law(false, true))).collect();
        state
    });
    table["states"] = rows.collect();
    parse(&table.to_string())
}

fn agree(automaton: &Automaton, epsilon: &str, rounds: usize) -> Result<(), TestCaseError> {
    let kind = automaton.interface().kind();
    let joint = matches!(kind, Kind::Predictor | Kind::Transducer);
    let mut notions = vec![(Notion::Whole, Neighbours::Replacement)];
    notions.extend(joint.then_some((Notion::Joint, Neighbours::Replacement)));
    notions.extend((kind == Kind::OneShot).then_some((Notion::Whole, Neighbours::AddRemove)));
    for (notion, neighbours) in notions {
        let question = question(notion, neighbours, epsilon);
        let certificate = certify(automaton, &question, None, rounds, None);
        let claimed = number(certificate.claim.worst_delta.as_ref().unwrap());
        if neighbours == Neighbours::Replacement {
            let factor = question.epsilon.factor();
            let literal = match notion {
                Notion::Whole => literal::worst_delta(automaton, rounds, &factor),
                Notion::Joint => literal::worst_joint_delta(automaton, rounds, &factor),
            };
            prop_assert_eq!(&claimed, &literal);
        }
        // The verifier proves both that the number is attained and that it is not exceeded.
        prop_assert_eq!(accepted(&certificate).proved.len(), 1);
        for off in ["1/1000000", "-1/1000000"] {
            let mut forged = certificate.clone();
            forged.claim.worst_delta = Some((&claimed + &number(off)).to_string());
            prop_assert!(check(&forged).is_err(), "off by {}: {:?}", off, forged);
        }
        if claimed.sign().is_gt() {
            let below = (&claimed * &number("999/1000")).to_string();
            let refuted = certify(automaton, &question, None, rounds, Some(&below));
            prop_assert_eq!(refuted.claim.verdict.as_deref(), Some("refuted"));
            prop_assert_eq!(accepted(&refuted).proved.len(), 2);
        }
    }
    Ok(())
}

fn mistakes_agree(automaton: &Automaton, rounds: usize) {
    let all = literal::streams(automaton.interface().records(), rounds);
    let each: Vec<_> = all.iter().map(|s| literal::expected_mistakes(automaton, s)).collect();
    let worst = each.iter().max().unwrap();
    for (stream, mistakes) in all.iter().zip(&each) {
        accepted(&on_streams(automaton, &[(stream, "1")], mistakes));
        let wrong = mistakes + &number("1/1000000");
        assert!(check(&on_streams(automaton, &[(stream, "1")], &wrong)).is_err());
        let claim = worst_stream(automaton, None, stream, mistakes);
        assert_eq!(check(&claim).is_ok(), mistakes == worst, "{claim:?}");
    }
    if all.len() > 1 {
        let mean = &(&each[0] * &number("1/3")) + &(&each[1] * &number("2/3"));
        accepted(&on_streams(automaton, &[(&all[0], "1/3"), (&all[1], "2/3")], &mean));
    }
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn rational_automata(
        automaton in automata(RATIONAL),
        epsilon in prop::sample::select(vec!["0", "1/2", "ln(3/2)", "ln(2)"]),
        rounds in 1..=3usize,
    ) {
        agree(&automaton, epsilon, rounds)?;
    }

    #[test]
    fn automata_with_powers_of_e(
        automaton in automata(SPLITS.len()),
        epsilon in prop::sample::select(vec!["0", "1/2", "ln(3/2)"]),
        rounds in 1..=2usize,
    ) {
        agree(&automaton, epsilon, rounds)?;
    }

    #[test]
    fn mistakes(automaton in automata(SPLITS.len()), rounds in 1..=2usize) {
        if matches!(automaton.interface().kind(), Kind::Learner | Kind::Predictor) {
            mistakes_agree(&automaton, rounds);
        }
    }
}

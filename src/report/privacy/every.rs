//! The reports of `verify --rounds all`.

use serde_json::{Value, json};

use super::human::{counterexample, line, question};
use super::json::{self, enclosure, refutation};
use super::{Asked, Witness, with_decimal};
use crate::mechanism::{Kind, stream};
use crate::privacy::{Every, Split, StepBound, Verdict, Worst};
use crate::report::object::{Object, value};
use crate::text::Lines;

/// What was found about every length.
#[derive(Debug, Clone)]
pub struct EveryFound {
    /// The verdict and what it rests on.
    pub every: Every,
    /// When refuted, the shortest streams that show it.
    pub counterexample: Option<Witness>,
}

/// The report for reading; its last line is `verdict: …` when δ was given.
pub fn human(asked: &Asked<'_>, found: &EveryFound) -> Lines {
    let mut text = Lines::new();
    let every = &found.every;
    question(&mut text, asked);
    if let Some(step) = &every.step {
        let states = if step.states == 1 { "state" } else { "states" };
        let from = format!("from each of {} {states} before a round", step.states);
        line(
            &mut text,
            "bound from one step",
            &format!("δ ≤ {}, {from}", with_decimal(&step.bound)),
        );
        if let Some(split) = step.attained_by.as_ref().filter(|_| !step.bound.is_zero()) {
            let (first, second) = records(asked, split);
            let state = &asked.automaton.states()[split.state];
            line(&mut text, "  state", state);
            line(&mut text, "  records", &format!("{first} against {second}"));
            if let Some(next) = shown(asked, split) {
                line(&mut text, "  then shown", &next);
            }
        }
    }
    if let Some(ends) = &every.ends {
        let pairs = if ends.pairs == 1 { "pair" } else { "pairs" };
        let from = format!("from {} {pairs} of states", ends.pairs);
        let bound = format!("δ ≤ {}, {from}", with_decimal(&ends.bound));
        line(&mut text, "bound from the outputs", &bound);
    }
    let Some(delta) = asked.delta else {
        if every.step.is_none() {
            line(&mut text, "verdict", "undecided");
        }
        return text;
    };
    if every.verdict != Verdict::Holds {
        let holds = match every.verdict {
            Verdict::Refuted => every.decided.saturating_sub(1),
            _ => every.decided,
        };
        let decided = match holds {
            0 => None,
            1 => Some("holds for T = 1".to_owned()),
            last => Some(format!("holds for T = 1, …, {last}")),
        };
        if let Some(decided) = decided {
            line(&mut text, "decided directly", &decided);
        }
    }
    if let Some(witness) = &found.counterexample {
        counterexample(&mut text, asked, witness, delta);
    }
    let at = format!("worst δ at T = {}", every.decided);
    match &every.worst {
        Some(Worst::Exact { delta, .. }) => line(&mut text, &at, &with_decimal(delta)),
        Some(Worst::Between { lower, upper, .. }) => {
            line(
                &mut text,
                &at,
                &format!("from {} to {}", with_decimal(lower), with_decimal(upper)),
            );
        }
        None => {}
    }
    let verdict = match every.verdict {
        Verdict::Holds => "holds for every T".to_owned(),
        verdict => verdict.to_string(),
    };
    line(&mut text, "verdict", &verdict);
    text
}

/// The report as JSON: docs/schemas/verify.schema.json.
pub fn json(asked: &Asked<'_>, found: &EveryFound) -> Value {
    let every = &found.every;
    let mut object = json::question(asked);
    object.insert("counterexample", refutation(asked, found.counterexample.as_ref()));
    object.insert("decide_only", asked.decide_only.into());
    object.insert("decided_rounds", every.decided.into());
    object.insert("kind", asked.automaton.interface().kind().name().into());
    object.insert("states", asked.automaton.len().into());
    object.insert("step", every.step.as_ref().map_or(Value::Null, |step| bound(asked, step)));
    if let Some(ends) = &every.ends {
        object.insert("end_bound", ends.bound.to_string().into());
    }
    if let Some(Worst::Exact { delta, .. }) = &every.worst {
        object.insert("worst_delta", delta.to_string().into());
        if delta.as_rational().is_none() {
            object.insert("worst_delta_enclosure", enclosure(delta));
        }
    }
    let verdict = match (asked.delta, &every.step) {
        (None, Some(_)) => Value::Null,
        _ => every.verdict.to_string().into(),
    };
    object.insert("verdict", verdict);
    value(object)
}

fn bound(asked: &Asked<'_>, step: &StepBound) -> Value {
    let mut object =
        Object::from([("bound", step.bound.to_string().into()), ("states", step.states.into())]);
    if step.bound.as_rational().is_none() {
        object.insert("bound_enclosure", enclosure(&step.bound));
    }
    let split = step.attained_by.as_ref().map(|split| {
        let name = |record: usize| stream::name(asked.automaton.interface(), record);
        json!({
            "first": split.records[0].map(name),
            "next": shown(asked, split),
            "second": split.records[1].map(name),
            "state": asked.automaton.states()[split.state],
        })
    });
    object.insert("attained_by", split.unwrap_or(Value::Null));
    value(object)
}

fn records(asked: &Asked<'_>, split: &Split) -> (String, String) {
    let name = |record: Option<usize>| match record {
        Some(record) => stream::name(asked.automaton.interface(), record),
        None => "no record".to_owned(),
    };
    (name(split.records[0]), name(split.records[1]))
}

/// What is shown before the next release, where that says something.
fn shown(asked: &Asked<'_>, split: &Split) -> Option<String> {
    let interface = asked.automaton.interface();
    if !matches!(interface.kind(), Kind::Predictor | Kind::Transducer) {
        return None;
    }
    let name = interface.before().get(split.next?)?.clone();
    (!name.is_empty()).then_some(name)
}

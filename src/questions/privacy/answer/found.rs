//! The pieces of an answer about privacy: pairs of streams with their events, rows of a table, the bound
//! from one step.

use schemars::JsonSchema;
use serde::Serialize;

use crate::exact::{Epsilon, Number};
use crate::mechanism::{Kind, stream};
use crate::privacy::{Split, StepBound, Worst};
use crate::questions::blocks::{DIGITS, enclosure};

use super::super::resolved::{Resolved, Row, Witness};
use super::super::text;

/// An event with at most so many words is listed.
const LISTED: usize = 4096;

/// A number as text, with decimals below and above one that is not rational.
pub(super) type Enclosed = (String, Option<[String; 2]>);

pub(super) fn enclosed(number: &Number) -> Enclosed {
    (number.to_string(), number.as_rational().is_none().then(|| enclosure(number)))
}

/// A pair of neighbouring streams with the event {y : P(y) > e^ε·Q(y)}.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PairFound {
    /// The first round in which the streams differ, from 1.
    pub(crate) differing_round: usize,
    /// `first_probability` − e^ε·`second_probability`.
    pub(crate) divergence: String,
    /// Decimals below and above the divergence, when it is not rational.
    #[serde(skip_serializing_if = "Option::is_none")]
    divergence_enclosure: Option<[String; 2]>,
    /// The event.
    event: EventFound,
    /// The stream under which the event is more likely, such as 3:0,1:1.
    first: String,
    /// The probability of the event under the first stream.
    #[schemars(extend("format" = "probability"))]
    first_probability: String,
    /// Only of a counterexample: P > e^ε·Q + δ with its numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    inequality: Option<String>,
    /// The other stream.
    second: String,
    /// The probability of the event under the second stream.
    #[schemars(extend("format" = "probability"))]
    second_probability: String,
}

/// A set of outputs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct EventFound {
    /// Number of words; null when they were not enumerated.
    count: Option<usize>,
    /// The outputs, symbol by symbol; a symbol of null is the answer that joint privacy leaves out. Null
    /// when there are more than 4096.
    words: Option<Vec<Vec<Option<String>>>>,
}

/// The answer for one number of rounds.
#[expect(clippy::option_option, reason = "JSON tells null from what is absent")]
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct RowFound {
    /// The number of rounds.
    rounds: usize,
    /// The worst δ; null when it is not known.
    #[schemars(extend("format" = "probability"))]
    worst_delta: Option<String>,
    /// Decimals below and above the worst δ, when it is not rational.
    #[serde(skip_serializing_if = "Option::is_none")]
    worst_delta_enclosure: Option<[String; 2]>,
    /// A proved lower bound, when the worst δ is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<String>,
    /// A proved upper bound, when the worst δ is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<String>,
    /// Streams that attain the worst δ; null when no streams are neighbours.
    #[serde(skip_serializing_if = "Option::is_none")]
    attained_by: Option<Option<Streams>>,
    /// The verdict, when a δ was claimed.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<String>,
}

/// Two streams.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct Streams {
    /// The one whose outputs are more likely.
    first: String,
    /// The other one.
    second: String,
}

/// The bound from one step.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct StepFound {
    /// The first state, by number, from which two records attain the bound; null when no two records may
    /// stand in one round.
    attained_by: Option<SplitFound>,
    /// The bound on δ.
    pub(super) bound: String,
    /// Decimals below and above the bound, when it is not rational.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound_enclosure: Option<[String; 2]>,
    /// Number of states before a round that streams reach.
    states: usize,
}

/// Two records at a state.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(super) struct SplitFound {
    /// The record that makes what follows more likely; null is an absent one.
    first: Option<String>,
    /// What is shown before the next release, where that says something.
    next: Option<String>,
    /// The other record; null is an absent one.
    second: Option<String>,
    /// The state before the round.
    state: String,
}

pub(super) fn row(resolved: &Resolved, row: &Row) -> RowFound {
    let interface = resolved.automaton.interface();
    let mut found = RowFound {
        rounds: row.rounds,
        worst_delta: None,
        worst_delta_enclosure: None,
        lower: None,
        upper: None,
        attained_by: None,
        verdict: row.judgement.as_ref().map(|judgement| judgement.verdict.to_string()),
    };
    match &row.worst {
        Worst::Exact { delta, attained_by } => {
            let (shown, ends) = enclosed(delta);
            (found.worst_delta, found.worst_delta_enclosure) = (Some(shown), ends);
            found.attained_by = Some(attained_by.as_ref().map(|pair| Streams {
                first: stream::write(interface, &pair.first),
                second: stream::write(interface, &pair.second),
            }));
        }
        Worst::Between { lower, upper, .. } => {
            (found.lower, found.upper) = (Some(lower.to_string()), Some(upper.to_string()));
        }
    }
    found
}

pub(super) fn pair(resolved: &Resolved, witness: &Witness, refutes: bool) -> PairFound {
    let interface = resolved.automaton.interface();
    let event = &witness.event;
    let words = (witness.listed && event.words.len() <= LISTED).then(|| {
        let symbols = |word: &Vec<usize>| {
            let symbols = text::symbols(resolved, event, word).into_iter();
            symbols.map(|symbol| symbol.map(str::to_owned)).collect()
        };
        event.words.iter().map(symbols).collect()
    });
    let (divergence, divergence_enclosure) = enclosed(&event.divergence);
    let delta = resolved.asked.delta().filter(|_| refutes);
    let epsilon = &resolved.question.epsilon;
    PairFound {
        differing_round: event.round + 1,
        divergence,
        divergence_enclosure,
        event: EventFound { count: witness.listed.then_some(event.words.len()), words },
        first: stream::write(interface, &witness.pair.first),
        first_probability: event.first.to_string(),
        inequality: delta.map(|delta| inequality(&event.first, &event.second, epsilon, delta).1),
        second: stream::write(interface, &witness.pair.second),
        second_probability: event.second.to_string(),
    }
}

pub(super) fn bound(resolved: &Resolved, step: &StepBound) -> StepFound {
    let (bound, bound_enclosure) = enclosed(&step.bound);
    let interface = resolved.automaton.interface();
    let attained_by = step.attained_by.as_ref().map(|split| {
        let [first, second] =
            split.records.map(|record| record.map(|record| stream::name(interface, record)));
        let state = resolved.automaton.states()[split.state].clone();
        SplitFound { first, next: shown(resolved, split), second, state }
    });
    StepFound { attained_by, bound, bound_enclosure, states: step.states }
}

/// The two records of a step by name.
pub(in super::super) fn records(resolved: &Resolved, split: &Split) -> (String, String) {
    let name = |record: Option<usize>| match record {
        Some(record) => stream::name(resolved.automaton.interface(), record),
        None => "no record".to_owned(),
    };
    (name(split.records[0]), name(split.records[1]))
}

/// What is shown before the next release, where that says something.
pub(in super::super) fn shown(resolved: &Resolved, split: &Split) -> Option<String> {
    let interface = resolved.automaton.interface();
    if !matches!(interface.kind(), Kind::Predictor | Kind::Transducer) {
        return None;
    }
    let name = interface.before().get(split.next?)?.clone();
    (!name.is_empty()).then_some(name)
}

/// The inequality of Definitions 2 and 4 with its numbers, such as `3/8 > 3/2 · 1/8 + 1/10 =
/// 23/80`, whichever way it goes.
pub(crate) fn inequality(
    first: &Number,
    second: &Number,
    epsilon: &Epsilon,
    delta: &Number,
) -> (bool, String) {
    let right = &(&epsilon.factor() * second) + delta;
    let exceeds = *first > right;
    let sign = if exceeds { ">" } else { "≤" };
    let right = match right.as_rational() {
        Some(_) => right.to_string(),
        None => right.decimal(DIGITS),
    };
    let left = match first.as_rational() {
        Some(_) => first.to_string(),
        None => format!("{first} = {}", first.decimal(DIGITS)),
    };
    // A sum of terms needs brackets as a factor.
    let second = match second.as_rational() {
        Some(_) => second.to_string(),
        None => format!("({second})"),
    };
    let factor = epsilon.shown_factor();
    (exceeds, format!("{left} {sign} {factor} · {second} + {delta} = {right}"))
}

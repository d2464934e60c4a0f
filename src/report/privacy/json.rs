//! The report of `verify` as JSON, and the file of a counterexample, which is a part of it.

use num_bigint::BigInt;
use num_integer::Integer;
use serde_json::{Value, json};

use super::{Asked, Found, Overall, Row, Witness, inequality, words};
use crate::exact::{Number, Rational, decimal};
use crate::mechanism::stream;
use crate::privacy::{Notion, Worst};
use crate::report::object::{Object, value};

/// An event with at most so many words is listed.
const LISTED: usize = 4096;

/// Digits after the point of the ends of an enclosure.
const DIGITS: u32 = 20;

/// The report: docs/schemas/verify.schema.json.
pub fn json(asked: &Asked<'_>, found: &Found) -> Value {
    let mut object = question(asked);
    object.insert("decide_only", asked.decide_only.into());
    object.insert("kind", asked.automaton.interface().kind().name().into());
    object.insert("states", asked.automaton.len().into());
    let verdict = match (found.verdict, found.stopped) {
        (Some(verdict), _) => Value::from(verdict.to_string()),
        (None, Some(_)) => "undecided".into(),
        (None, None) => Value::Null,
    };
    object.insert("verdict", verdict);
    if !asked.decide_only {
        match found.overall() {
            Some(Overall::Exact(delta, _)) => worst(&mut object, &delta),
            Some(Overall::Between(lower, upper)) => open(&mut object, &lower, &upper),
            None => {}
        }
        let pair = found.attained_by.as_ref().map(|witness| pair(asked, witness).into_iter());
        object.insert("attained_by", pair.map_or(Value::Null, |pair| value(pair.collect())));
    }
    object.insert("counterexample", refutation(asked, found.counterexample.as_ref()));
    if asked.table && !asked.decide_only {
        object.insert("table", found.rows.iter().map(|r| row(asked, r)).collect());
    }
    value(object)
}

/// The file that `replay` reads; `None` when nothing was refuted with a pair of streams.
pub fn counterexample(asked: &Asked<'_>, witness: Option<&Witness>) -> Option<Value> {
    let witness = witness?;
    let mut object = question(asked);
    // The file is about streams of its own length.
    let rounds = witness.pair.first.len().max(witness.pair.second.len());
    if asked.every_length {
        object.insert("rounds", rounds.into());
    }
    object.insert("counterexample", refutation(asked, Some(witness)));
    Some(value(object))
}

pub(super) fn question(asked: &Asked<'_>) -> Object {
    let notion = match asked.notion {
        Notion::Whole => "differential-privacy",
        Notion::Joint => "joint-differential-privacy",
    };
    let (first, last) = asked.rounds;
    let mut object = Object::from([
        ("class", asked.class.map_or(Value::Null, Value::from)),
        ("command", "verify".into()),
        ("delta", asked.delta.map_or(Value::Null, |delta| delta.to_string().into())),
        ("epsilon", asked.epsilon.to_string().into()),
        ("format", 1.into()),
        ("mechanism", asked.mechanism.into()),
        ("neighbours", asked.adjacency.name().into()),
        ("notion", notion.into()),
        (
            "rounds",
            match (asked.every_length, asked.table) {
                (true, _) => "all".into(),
                (_, true) => json!([first, last]),
                _ => last.into(),
            },
        ),
        ("streams", asked.scope.name().into()),
    ]);
    if let Some(header) = asked.header {
        object.insert("header", header.name().into());
    }
    object
}

fn worst(object: &mut Object, delta: &Number) {
    object.insert("worst_delta", delta.to_string().into());
    if delta.as_rational().is_none() {
        object.insert("worst_delta_enclosure", enclosure(delta));
    }
}

fn open(object: &mut Object, lower: &Number, upper: &Number) {
    object.insert("worst_delta", Value::Null);
    object.insert("lower", lower.to_string().into());
    object.insert("upper", upper.to_string().into());
}

/// Decimals below and above a number that is not rational.
pub(crate) fn enclosure(value: &Number) -> Value {
    let (low, high) = value.enclosure(96);
    let scale = BigInt::from(10u32).pow(DIGITS);
    let rounded = |numerator: BigInt| decimal(&Rational::new(numerator, scale.clone()), DIGITS);
    let down = (low.numer() * &scale).div_floor(low.denom());
    let up = (high.numer() * &scale).div_ceil(high.denom());
    json!([rounded(down), rounded(up)])
}

fn row(asked: &Asked<'_>, row: &Row) -> Value {
    let mut object = Object::from([("rounds", row.rounds.into())]);
    match &row.worst {
        Worst::Exact { delta, attained_by } => {
            worst(&mut object, delta);
            let interface = asked.automaton.interface();
            let pair = attained_by.as_ref().map(|pair| {
                json!({
                    "first": stream::write(interface, &pair.first),
                    "second": stream::write(interface, &pair.second),
                })
            });
            object.insert("attained_by", pair.unwrap_or(Value::Null));
        }
        Worst::Between { lower, upper, .. } => open(&mut object, lower, upper),
    }
    if let Some(judgement) = &row.judgement {
        object.insert("verdict", judgement.verdict.to_string().into());
    }
    value(object)
}

fn pair(asked: &Asked<'_>, witness: &Witness) -> Object {
    let interface = asked.automaton.interface();
    let event = &witness.event;
    let listed = (witness.listed && event.words.len() <= LISTED).then(|| {
        let words = event.words.iter();
        let words = words.map(|word| words::symbols(asked.automaton, asked.notion, event, word));
        words.map(Value::from).collect::<Value>()
    });
    let mut object = Object::from([
        ("differing_round", (event.round + 1).into()),
        ("divergence", event.divergence.to_string().into()),
        (
            "event",
            json!({ "count": witness.listed.then_some(event.words.len()), "words": listed.unwrap_or(Value::Null) }),
        ),
        ("first", stream::write(interface, &witness.pair.first).into()),
        ("first_probability", event.first.to_string().into()),
        ("second", stream::write(interface, &witness.pair.second).into()),
        ("second_probability", event.second.to_string().into()),
    ]);
    if event.divergence.as_rational().is_none() {
        object.insert("divergence_enclosure", enclosure(&event.divergence));
    }
    object
}

pub(super) fn refutation(asked: &Asked<'_>, witness: Option<&Witness>) -> Value {
    let (Some(witness), Some(delta)) = (witness, asked.delta) else {
        return Value::Null;
    };
    let mut object = pair(asked, witness);
    let event = &witness.event;
    let (_, shown) = inequality(&event.first, &event.second, asked.epsilon, delta);
    object.insert("inequality", shown.into());
    value(object)
}

//! The report of `profile` as JSON.

use serde_json::{Value, json};

use super::{Asked, Curve, epsilon, epsilon_decimal, pair};
use crate::exact::Number;
use crate::privacy::{Notion, Piece};
use crate::report::object::{Object, value};
use crate::report::privacy::enclosure;

/// The report: docs/schemas/profile.schema.json.
pub fn json(asked: &Asked<'_>, curves: &[Curve<'_>]) -> Value {
    let notion = match asked.notion {
        Notion::Whole => "differential-privacy",
        Notion::Joint => "joint-differential-privacy",
    };
    let mut object = Object::from([
        ("class", asked.class.map_or(Value::Null, Value::from)),
        ("command", "profile".into()),
        ("format", 1.into()),
        ("neighbours", asked.adjacency.name().into()),
        ("notion", notion.into()),
        ("profiles", curves.iter().map(|curve| profile(asked, curve)).collect()),
        ("rounds", asked.rounds.map_or(Value::Null, Value::from)),
        ("streams", asked.scope.name().into()),
    ]);
    if curves.iter().any(|curve| curve.profile.stopped.is_some()) {
        object.insert("verdict", "undecided".into());
    }
    value(object)
}

fn profile(asked: &Asked<'_>, curve: &Curve<'_>) -> Value {
    let profile = &curve.profile;
    let mut object = Object::from([
        ("breakpoints", profile.pieces.iter().map(|piece| breakpoint(curve, piece)).collect()),
        ("complete", profile.stopped.is_none().into()),
        ("delta_at_epsilon_0", delta(curve, &Number::one())),
        ("kind", curve.automaton.interface().kind().name().into()),
        ("limit", profile.limit().to_string().into()),
        ("mechanism", curve.mechanism.into()),
        ("pure_epsilon", least(curve, &Number::zero())),
        ("states", curve.automaton.len().into()),
    ]);
    if let Some(epsilon) = asked.epsilon {
        let mut answer = delta(curve, &epsilon.factor());
        answer["epsilon"] = epsilon.to_string().into();
        object.insert("delta_at_epsilon", answer);
    }
    if let Some(delta) = asked.delta {
        let mut answer = least(curve, delta);
        answer["delta"] = delta.to_string().into();
        object.insert("least_epsilon", answer);
    }
    value(object)
}

fn breakpoint(curve: &Curve<'_>, piece: &Piece) -> Value {
    let streams = piece.attained_by.as_ref().map(|streams| {
        let [first, second] = pair(curve, streams);
        json!({ "first": first, "second": second })
    });
    let delta = piece.at(&piece.from);
    let mut object = Object::from([
        ("attained_by", streams.unwrap_or(Value::Null)),
        ("delta", delta.to_string().into()),
        ("epsilon", epsilon(&piece.from).into()),
        ("epsilon_decimal", epsilon_decimal(&piece.from, super::DIGITS).into()),
        ("exact", piece.proved.into()),
        ("exp_epsilon", piece.from.to_string().into()),
        ("first_probability", piece.first.to_string().into()),
        ("second_probability", piece.second.to_string().into()),
        ("slope", (-&piece.second).to_string().into()),
    ]);
    if delta.as_rational().is_none() {
        object.insert("delta_enclosure", enclosure(&delta));
    }
    value(object)
}

/// The δ at an ε, or a lower bound on it.
fn delta(curve: &Curve<'_>, factor: &Number) -> Value {
    let delta = curve.profile.at(factor);
    let mut object = Object::from([
        ("exact", curve.profile.proves(factor).into()),
        ("delta", delta.to_string().into()),
    ]);
    if delta.as_rational().is_none() {
        object.insert("delta_enclosure", enclosure(&delta));
    }
    value(object)
}

/// The least ε for a δ, or a lower bound on it; null when there is none.
fn least(curve: &Curve<'_>, delta: &Number) -> Value {
    match curve.profile.least_factor(delta) {
        None => json!({ "epsilon": null, "exact": true }),
        Some(factor) => json!({
            "epsilon": epsilon(&factor),
            "epsilon_decimal": epsilon_decimal(&factor, super::DIGITS),
            "exact": curve.profile.proves(&factor),
            "exp_epsilon": factor.to_string(),
        }),
    }
}

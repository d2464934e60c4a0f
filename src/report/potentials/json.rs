//! Potentials as JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Asked, Instances, choices, holds};
use crate::exact::Number;
use crate::potentials::{Choice, Constant, Potentials, Row};

/// All quantities and all instances, exact, without the keys of every command.
pub fn json(asked: &Asked<'_>) -> BTreeMap<&'static str, Value> {
    let found = asked.potentials;
    let adversary = &found.adversary;
    let [dummy, point] = &asked.examples;
    let statements: Vec<Value> = asked.statements().iter().map(instances).collect();
    BTreeMap::from([
        ("class", asked.class.into()),
        ("constants", asked.constants().iter().map(constant).collect::<Vec<_>>().into()),
        ("delta", found.delta(found.length()).to_string().into()),
        ("delta_claimed", asked.delta.map(ToString::to_string).into()),
        ("dummy", dummy.clone().into()),
        ("epsilon", found.epsilon.to_string().into()),
        ("informative_point", point.clone().into()),
        ("mechanism", asked.mechanism.into()),
        ("p", adversary.probability().to_string().into()),
        ("remarks", asked.remarks().into()),
        ("rounds", adversary.rounds().into()),
        ("stages", (0..=found.length()).map(|t| stage(found, t)).collect::<Vec<_>>().into()),
        ("statements", statements.into()),
        ("verdict", if holds(asked) { "holds" } else { "refuted" }.into()),
    ])
}

fn constant(constant: &Constant) -> Value {
    json!({
        "printed": constant.printed.to_string(),
        "sharp": constant.sharp.to_string(),
        "statement": constant.statement,
        "summand": constant.summand,
    })
}

fn text(number: &Number) -> Value {
    number.to_string().into()
}

fn stage(found: &Potentials, t: usize) -> Value {
    let last = t == found.length();
    let mean = |value: fn(&Choice) -> Number| text(&found.mean(t, value));
    let choice = |choice: &Choice| {
        json!({
            "choices": choices(Some(&choice.thirds)),
            "delta": (!last).then(|| text(&choice.delta)),
            "difference": (!last).then(|| text(&choice.ratios.difference)),
            "information": text(&choice.information()),
            "interval": [choice.interval.after, choice.interval.last],
            "revealed": choice.revealed().iter().map(text).collect::<Vec<_>>(),
            "variance": text(&choice.ratios.variance),
        })
    };
    json!({
        "choices": found.stages[t].iter().map(choice).collect::<Vec<_>>(),
        "difference": (!last).then(|| mean(|choice| choice.ratios.difference.clone())),
        "information": mean(Choice::information),
        "t": t,
        "variance": mean(|choice| choice.ratios.variance.clone()),
    })
}

fn instances(of: &Instances) -> Value {
    let row = |row: &Row| {
        json!({
            "choices": choices(row.thirds.as_deref()),
            "delta": text(&row.delta),
            "instance": row.place,
            "left": text(&row.left),
            "relation": row.relation.sign(),
            "right": row.right.to_string(),
            "slack": row.slack().to_string(),
            "t": row.stage,
            "trivial": text(&row.trivial),
            "verdict": row.verdict().name(),
        })
    };
    json!({
        "about": of.statement.about,
        "instances": of.rows.iter().map(row).collect::<Vec<_>>(),
        "name": of.statement.name,
    })
}

//! Bounds as JSON: docs/schemas/bounds-learning.schema.json.

use serde_json::{Value, json};

use super::BITS;
use crate::bounds::Real;
use crate::bounds::learning::{Bound, Question, Side, Truth, bounds, figure};
use crate::exact::decimal;
use crate::report::object::{Object, value};

/// Rational bounds on a number, and decimals of the lower one; `"infinity"` if it is infinite.
fn enclosed(number: &Real) -> Value {
    number.bounds(BITS).map_or_else(
        || "infinity".into(),
        |(low, high)| {
            json!({
                "at_least": low.to_string(),
                "at_most": high.to_string(),
                "decimal": decimal(&low, 12),
            })
        },
    )
}

/// The report.
pub(crate) fn json(class: &str, question: &Question) -> Object {
    let all = bounds(question);
    let side = |side| -> Value {
        all.iter().filter(|b| b.side == side).map(|b| bound(question, b)).collect()
    };
    Object::from([
        ("class", class.into()),
        ("command", "bounds learning".into()),
        ("crossings", figure::crossings(question).iter().map(mark).collect()),
        ("delta", question.delta.to_string().into()),
        ("epsilon", question.epsilon.to_string().into()),
        ("figure_1", figure::ranges(question).iter().map(mark).collect()),
        ("format", 1.into()),
        ("littlestone_dimension", question.subject.dimension.into()),
        ("lower", side(Side::Lower)),
        ("remarks", super::remarks(question, &all).into()),
        ("rounds", question.rounds.to_string().into()),
        ("table_1", figure::table_1(question).iter().map(row).collect()),
        ("upper", side(Side::Upper)),
    ])
}

fn bound(question: &Question, bound: &Bound) -> Value {
    let hypotheses: Value = bound
        .hypotheses
        .iter()
        .map(|h| {
            let truth = match h.truth {
                Truth::Holds => "holds",
                Truth::Violated => "violated",
                Truth::Unknown => "not known",
            };
            json!({ "hypothesis": h.text, "truth": truth })
        })
        .collect();
    let constant = bound.constant.map_or(
        Value::Null,
        |name| json!({ "name": name, "value": enclosed(&question.constants.get(name)) }),
    );
    value(Object::from([
        ("applies", bound.applies().into()),
        ("constant", constant),
        ("formula", bound.formula.into()),
        ("hypotheses", hypotheses),
        ("name", bound.name.into()),
        ("scope", bound.scope.into()),
        ("value", if bound.applies() { enclosed(&bound.value) } else { Value::Null }),
    ]))
}

fn mark(mark: &figure::Mark) -> Value {
    value(Object::from([
        ("delta", enclosed(&mark.delta)),
        ("formula", mark.formula.into()),
        ("meaning", mark.meaning.into()),
    ]))
}

fn row(row: &figure::Row) -> Value {
    value(Object::from([
        ("domain", row.domain.into()),
        ("formula", row.formula.into()),
        ("learners", row.learners.into()),
        ("name", row.name.into()),
        ("value", row.value.as_ref().map_or(Value::Null, enclosed)),
    ]))
}

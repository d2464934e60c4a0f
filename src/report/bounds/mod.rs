//! How bounds on private online learning are shown: as text and as JSON.

mod json;
mod plot;

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::bounds::Real;
use crate::bounds::learning::{Bound, Question, Side, Truth, bounds, figure};
use crate::exact::decimal;
use crate::text::Lines;

pub(crate) use json::json;
pub use plot::draw;

/// Binary digits after the point of what is shown.
const BITS: u64 = 96;

/// Decimals of what is shown.
const DIGITS: u32 = 6;

/// A value for reading: exact if it is rational with few digits, else cut to six decimals.
fn shown(value: &Real) -> String {
    match value {
        Real::Infinite => "∞".into(),
        Real::Exact(exact) if exact.is_integer() => exact.to_string(),
        other => {
            other.bounds(BITS).map_or_else(|| "∞".into(), |(low, _)| decimal(&low, digits(&low)))
        }
    }
}

/// So many decimals that six digits are left of a small number.
fn digits(value: &crate::exact::Rational) -> u32 {
    let (numerator, denominator) = (value.numer().bits(), value.denom().bits());
    let zeros = denominator.saturating_sub(numerator) * 3 / 10;
    DIGITS + u32::try_from(zeros).unwrap_or(u32::MAX - DIGITS).min(60)
}

/// A table for reading.
pub fn human(class: &str, question: &Question) -> Lines {
    let mut text = Lines::new();
    writeln!(text, "class: {class}");
    writeln!(text, "Littlestone dimension: {}", question.subject.dimension);
    writeln!(text, "rounds: {}", question.rounds);
    writeln!(text, "ε: {}", question.epsilon);
    writeln!(text, "δ: {}", question.delta);
    let all = bounds(question);
    for (side, title) in [(Side::Lower, "lower bounds"), (Side::Upper, "upper bounds")] {
        text.push("");
        writeln!(text, "{title} on the expected mistakes");
        for bound in all.iter().filter(|bound| bound.side == side) {
            paragraph(&mut text, question, bound);
        }
    }
    for remark in remarks(question, &all) {
        text.push("");
        writeln!(text, "note: {remark}");
    }
    marks(&mut text, question, "labels of the axis of Figure 1", &figure::ranges(question));
    marks(&mut text, question, "where the formulas cross", &figure::crossings(question));
    text.push("");
    writeln!(text, "Table 1: lower bounds at δ = 1/log T");
    writeln!(text, "  ({})", figure::TABLE_1_CONSTANTS);
    for row in figure::table_1(question) {
        let value = row.value.as_ref().map_or_else(|| "not applicable".into(), shown);
        writeln!(text, "  {}: {value}", row.name);
        writeln!(text, "    {}; domain {}; {} learners", row.formula, row.domain, row.learners);
    }
    text
}

/// What is to be known when the values are read.
fn remarks(question: &Question, bounds: &[Bound]) -> Vec<String> {
    let open = |bound: &&Bound| {
        bound.applies() && bound.constant.is_some_and(|name| !question.constants.is_set(name))
    };
    let names: BTreeSet<&str> = bounds.iter().filter(open).filter_map(|b| b.constant).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let names: Vec<&str> = names.into_iter().collect();
    vec![format!(
        "c = 1 is a stand-in: the sources do not say how small or large c is ({}; see --constant). \
         The values show how the bounds grow; with it a lower bound may exceed an upper one",
        names.join(", ")
    )]
}

fn paragraph(text: &mut Lines, question: &Question, bound: &Bound) {
    let value = if bound.applies() { shown(&bound.value) } else { String::from("not applicable") };
    writeln!(text, "  {}: {value}", bound.name);
    let constant = bound.constant.map_or_else(String::new, |name| {
        format!(", c = {}", shown_constant(&question.constants.get(name)))
    });
    writeln!(text, "    {}{constant}", bound.formula);
    writeln!(text, "    {}", bound.scope);
    for hypothesis in &bound.hypotheses {
        match hypothesis.truth {
            Truth::Holds => {}
            Truth::Violated => {
                writeln!(text, "    violated: {}", hypothesis.text);
            }
            Truth::Unknown => {
                writeln!(text, "    not known: {}", hypothesis.text);
            }
        }
    }
}

fn shown_constant(constant: &Real) -> String {
    match constant {
        Real::Exact(exact) => exact.to_string(),
        other => shown(other),
    }
}

fn marks(text: &mut Lines, question: &Question, title: &str, marks: &[figure::Mark]) {
    text.push("");
    writeln!(text, "{title}");
    for mark in marks {
        let place = match mark.asked(question) {
            Some(Ordering::Less) => "δ is below",
            Some(Ordering::Equal) => "δ is there",
            Some(Ordering::Greater) => "δ is above",
            None => "δ is too close to tell",
        };
        writeln!(text, "  δ = {} = {} ({place})", mark.formula, shown(&mark.delta));
        writeln!(text, "    {}", mark.meaning);
    }
}

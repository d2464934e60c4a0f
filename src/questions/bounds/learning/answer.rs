//! Bounds as they are shown, with their hypotheses and the enclosures of their values.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::bounds::Real;
use crate::bounds::learning::{self as engine, Bound, Side, Truth, figure as marks};
use crate::exact::{Rational, decimal};
use crate::questions::{Answer, Ending, Exact, Json as _, Known, known};
use crate::text::Lines;

/// The bounds at the parameters.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct BoundsLearningAnswer {
    /// The class as it was named, or that any of the dimension is meant.
    pub(super) class: String,
    /// Ldim(H).
    pub(super) littlestone_dimension: usize,
    /// T.
    pub(super) rounds: String,
    /// ε.
    pub(super) epsilon: String,
    /// δ.
    pub(super) delta: Exact,
    /// What no private learner beats.
    pub(super) lower: Vec<ShownBound>,
    /// What some private learner attains.
    pub(super) upper: Vec<ShownBound>,
    /// The best lower bound without an unspecified constant, with the proof that it comes from; null where none
    /// applies.
    pub(super) best_explicit_lower: Option<ExplicitBound>,
    /// The best upper bound without an unspecified constant; null where none applies.
    pub(super) best_explicit_upper: Option<ExplicitBound>,
    /// What is to be known when the values are read.
    pub(super) remarks: Vec<String>,
    /// The labels of the axis of δ, at a = 1.
    pub(super) figure_1: Vec<ShownMark>,
    /// Where the formulas, with the constants as given, cross.
    pub(super) crossings: Vec<ShownMark>,
    /// The lower bounds at δ = 1/log T.
    pub(super) table_1: Vec<ShownRow>,
}

/// A bound, and whether it applies.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ShownBound {
    name: &'static str,
    formula: &'static str,
    /// Where it is from, and for which learners and classes.
    scope: &'static str,
    applies: bool,
    /// Its unspecified constant c, if it has one.
    constant: Option<ShownConstant>,
    hypotheses: Vec<ShownHypothesis>,
    /// Its value; null unless it applies.
    value: Option<Value>,
}

/// A bound without an unspecified constant.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExplicitBound {
    /// The bound that it is, of those that are listed.
    name: &'static str,
    /// Its value.
    value: Value,
}

impl From<&Bound> for ExplicitBound {
    fn from(bound: &Bound) -> Self {
        Self { name: bound.name, value: (&bound.value).into() }
    }
}

/// A constant as it was used.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ShownConstant {
    name: &'static str,
    value: Value,
}

/// A hypothesis, decided.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ShownHypothesis {
    hypothesis: &'static str,
    truth: &'static str,
}

/// A δ at which something changes.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ShownMark {
    delta: Value,
    formula: &'static str,
    meaning: &'static str,
    #[serde(skip)]
    place: &'static str,
}

/// A row of Table 1.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ShownRow {
    pub(super) name: &'static str,
    pub(super) domain: &'static str,
    pub(super) learners: &'static str,
    pub(super) formula: &'static str,
    pub(super) value: Option<Value>,
}

/// A value between rational numbers.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// It is infinite.
    Infinite(Infinite),
    /// It is finite.
    Between {
        /// The lower bound.
        at_least: Exact<Rational>,
        /// The upper bound.
        at_most: Exact<Rational>,
        /// Decimals of the lower one.
        decimal: String,
    },
}

/// What stands for ∞.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Infinite {
    /// ∞.
    Infinity,
}

/// Binary digits after the point of what is shown.
const BITS: u64 = 96;

/// Decimals of what is shown.
const DIGITS: u32 = 6;

impl From<&Real> for Value {
    fn from(number: &Real) -> Self {
        number.bounds(BITS).map_or(Self::Infinite(Infinite::Infinity), |(low, high)| {
            let decimal = decimal(&low, 12);
            Self::Between { at_least: Exact(low), at_most: Exact(high), decimal }
        })
    }
}

/// For reading: cut to six decimals, and of a small number to so many that six digits are left.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Between { at_least: Exact(low), .. } = self else { return f.write_str("∞") };
        let zeros = low.denom().bits().saturating_sub(low.numer().bits()) * 3 / 10;
        let more = u32::try_from(zeros).unwrap_or(u32::MAX).min(60);
        f.write_str(&decimal(low, DIGITS + more))
    }
}

impl ShownBound {
    pub(super) fn new(question: &engine::Question, bound: &Bound) -> Self {
        let hypotheses = bound.hypotheses.iter();
        Self {
            name: bound.name,
            formula: bound.formula,
            scope: bound.scope,
            applies: bound.applies(),
            constant: bound
                .constant
                .map(|name| ShownConstant { name, value: (&question.constants.get(name)).into() }),
            hypotheses: hypotheses
                .map(|h| ShownHypothesis { hypothesis: h.text, truth: h.truth.word() })
                .collect(),
            value: bound.applies().then(|| (&bound.value).into()),
        }
    }

    fn write(&self, text: &mut Lines) {
        writeln!(text, "  {}: {}", self.name, or_not(self.value.as_ref()));
        let constant = self.constant.as_ref().map(|constant| match &constant.value {
            Value::Between { at_least: Exact(exact), .. } => format!(", c = {exact}"),
            infinite @ Value::Infinite(_) => format!(", c = {infinite}"),
        });
        writeln!(text, "    {}{}", self.formula, constant.unwrap_or_default());
        writeln!(text, "    {}", self.scope);
        let fails = |h: &&ShownHypothesis| h.truth != Truth::Holds.word();
        for ShownHypothesis { hypothesis, truth } in self.hypotheses.iter().filter(fails) {
            writeln!(text, "    {truth}: {hypothesis}");
        }
    }
}

fn or_not(value: Option<&Value>) -> String {
    value.map_or_else(|| "not applicable".to_owned(), Value::to_string)
}

pub(super) fn shown_marks(question: &engine::Question, marks: &[marks::Mark]) -> Vec<ShownMark> {
    let shown = |mark: &marks::Mark| ShownMark {
        delta: (&mark.delta).into(),
        formula: mark.formula,
        meaning: mark.meaning,
        place: match mark.asked(question) {
            Some(Ordering::Less) => "δ is below",
            Some(Ordering::Equal) => "δ is there",
            Some(Ordering::Greater) => "δ is above",
            None => "δ is too close to tell",
        },
    };
    marks.iter().map(shown).collect()
}

/// What is to be known when the values are read.
pub(super) fn remarks(question: &engine::Question, bounds: &[Bound]) -> Vec<String> {
    let mut remarks = Vec::new();
    if !bounds.iter().any(|bound| bound.side == Side::Lower && bound.applies()) {
        remarks.push("no lower bound applies; each says which of its hypotheses fails".to_owned());
    }
    let open = |bound: &&Bound| {
        bound.applies() && bound.constant.is_some_and(|name| !question.constants.is_set(name))
    };
    let names: BTreeSet<&str> = bounds.iter().filter(open).filter_map(|b| b.constant).collect();
    if !names.is_empty() {
        let names: Vec<&str> = names.into_iter().collect();
        remarks.push(format!(
            "c = 1 is a stand-in: the sources do not say how small or large c is ({}; see --constant). \
             The values show how the bounds grow; with it a lower bound may exceed an upper one",
            names.join(", ")
        ));
    }
    remarks
}

impl Answer for BoundsLearningAnswer {
    fn ending(&self) -> Ending {
        Ending::Found
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        writeln!(text, "class: {}", self.class);
        writeln!(text, "Littlestone dimension: {}", self.littlestone_dimension);
        writeln!(text, "rounds: {}", self.rounds);
        writeln!(text, "ε: {}", self.epsilon);
        writeln!(text, "δ: {}", self.delta.0);
        for (bounds, title) in [(&self.lower, "lower bounds"), (&self.upper, "upper bounds")] {
            text.push("");
            writeln!(text, "{title} on the expected mistakes");
            for bound in bounds {
                bound.write(&mut text);
            }
        }
        text.push("");
        for (best, side) in
            [(&self.best_explicit_lower, "lower"), (&self.best_explicit_upper, "upper")]
        {
            if let Some(ExplicitBound { name, value }) = best {
                writeln!(text, "best explicit {side} bound: {value} ({name})");
            }
        }
        for remark in &self.remarks {
            text.push("");
            writeln!(text, "note: {remark}");
        }
        for (marks, title) in [
            (&self.figure_1, "labels of the axis of Figure 1"),
            (&self.crossings, "where the formulas cross"),
        ] {
            text.push("");
            text.push(title);
            for ShownMark { formula, delta, place, meaning } in marks {
                writeln!(text, "  δ = {formula} = {delta} ({place})");
                writeln!(text, "    {meaning}");
            }
        }
        text.push("");
        text.push("Table 1: lower bounds at δ = 1/log T");
        writeln!(text, "  ({})", marks::TABLE_1_CONSTANTS);
        for ShownRow { name, domain, learners, formula, value } in &self.table_1 {
            writeln!(text, "  {name}: {}", or_not(value.as_ref()));
            writeln!(text, "    {formula}; domain {domain}; {learners} learners");
        }
        text
    }

    /// A value is known to be between its bounds.
    fn known(&self, path: &str) -> Option<Known> {
        let json = self.json();
        known::between(&json, path, ["at_least", "at_most"]).or_else(|| known::at(&json, path))
    }

    /// The value of a bound is called as the bound is.
    fn symbol(&self, path: &str) -> String {
        let name = path.strip_suffix(".value").map(|bound| format!("{bound}.name"));
        match name.and_then(|name| known::at(&self.json(), &name)) {
            Some(Known::Value(serde_json::Value::String(name))) => name,
            _ => path.to_owned(),
        }
    }

    fn setting(&self) -> String {
        format!(" at T = {}, ε = {}, δ = {}", self.rounds, self.epsilon, self.delta.0)
    }
}

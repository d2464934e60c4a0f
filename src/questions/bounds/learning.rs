//! Theorems A, B, 1 and 2, Table 1 and Figure 1 at given parameters.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;

use num_traits::Signed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds::Real;
use crate::bounds::learning::{
    self as engine, Bound, CONSTANTS, Constants, Side, Subject, Truth, figure as marks,
};
use crate::error::{Error, Result};
use crate::exact::{BigInt, BigUint, Epsilon, Rational, decimal, expression};
use crate::file;
use crate::limits::Stopped;
use crate::littlestone::Solver;
use crate::text::Lines;

use super::super::door::flattened;
use super::super::given::OptionalClassFields;
use super::super::written::{Delta, Reads, Share, Text, svg_path};
use super::super::{Answer, Ending, Exact, Json as _, Known, OutputFiles, Question, Run, known};
use super::figure::draw;

/// Lower and upper bounds on the expected mistakes of private online learners (Theorems A, B, 1, 2,
/// Table 1, Figure 1), each with its hypotheses decided.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct BoundsLearningQuestion {
    /// The class.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: OptionalClassFields,
    /// The Littlestone dimension, when there is no class at hand.
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub d: Option<Text<u64>>,
    /// The number of rounds, such as 1000 or 10^6.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub rounds: Text<Horizon>,
    /// The ε: a rational number such as 1/100, or a logarithm such as `ln(3/2)`.
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    pub epsilon: Text<Epsilon>,
    /// The δ, an exact number in [0, 1).
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pub delta: Text<Delta>,
    /// The β of β-concentrated learners, an exact number in [0, 1].
    #[arg(long, value_name = "B", default_value_t = tenth(), allow_hyphen_values = true)]
    #[serde(default = "tenth")]
    pub beta: Text<Share>,
    /// The value of a constant that its source leaves unspecified, 1 if it is not given.
    #[arg(long, value_name = "NAME=C")]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constant: Vec<Text<GivenConstant>>,
}

fn tenth() -> Text<Share> {
    Text::default_of("1/10")
}

const EXAMPLES: &str = "\
Examples:
  littlestone bounds learning --class point:3 --rounds 10^6 --epsilon 1/100 --delta 1/20
  littlestone bounds learning --d 5 --rounds 10^9 --epsilon 1/2 --delta 0
  littlestone bounds learning --class point:3 --rounds 10^6 --epsilon 1/100 --delta 1/20 --plot f.svg
  littlestone bounds learning --d 2 --rounds 81 --epsilon 1 --delta 0 --constant theorem-2=1/100

Logarithms are natural. Names of constants: theorem-1, theorem-2, dss24, cln24, lwy24, figure-1,
lwy25, lyu26. A value is cut to six decimals; --format json has rational bounds on it.";

/// A number of rounds that may be too large for them to be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Horizon(BigUint);

/// The greatest number of bits of T: with more, a logarithm takes minutes.
const ROUNDS_BITS: u64 = 1 << 16;

impl Reads for Horizon {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "10^6";

    fn read(text: &str) -> Result<Self, String> {
        let value = expression::evaluate(text, &BTreeMap::new()).map_err(|e| e.on_one_line())?;
        let whole = value.as_rational().filter(|value| value.is_integer() && value.is_positive());
        let rounds = whole.and_then(|value| BigInt::to_biguint(value.numer()));
        rounds.filter(|rounds| rounds.bits() <= ROUNDS_BITS).map(Self).ok_or_else(|| {
            format!(
                "expected a number of rounds, at least 1 and below 2^{ROUNDS_BITS}, such as 1000 or \
                 10^6"
            )
        })
    }
}

/// A constant that its source leaves unspecified, with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenConstant {
    name: String,
    value: Rational,
}

impl Reads for GivenConstant {
    const FORMAT: &'static str = "constant";
    const EXAMPLE: &'static str = "theorem-1=1/100";

    fn read(text: &str) -> Result<Self, String> {
        let (name, value) =
            text.split_once('=').ok_or("expected NAME=C, such as theorem-1=1/100")?;
        if !CONSTANTS.contains(&name) {
            return Err(format!("expected one of {}, found `{name}`", CONSTANTS.join(", ")));
        }
        let value = Rational::read(value)?;
        if !value.is_positive() {
            return Err("expected a constant that is positive".into());
        }
        Ok(Self { name: name.to_owned(), value })
    }
}

/// The drawing of the bounds.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct BoundsLearningFiles {
    /// Draw the bounds over δ, as in Figure 1, to an SVG file.
    #[arg(long, value_name = "FILE.svg", value_parser = svg_path)]
    pub plot: Option<PathBuf>,
}

impl OutputFiles for BoundsLearningFiles {
    fn options(&self) -> Vec<(&'static str, Option<&PathBuf>)> {
        vec![("--plot", self.plot.as_ref())]
    }
}

/// The bounds at the parameters.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct BoundsLearningAnswer {
    /// The class as it was named, or that any of the dimension is meant.
    class: String,
    /// Ldim(H).
    littlestone_dimension: usize,
    /// T.
    rounds: String,
    /// ε.
    epsilon: String,
    /// δ.
    delta: Exact,
    /// What no private learner beats.
    lower: Vec<ShownBound>,
    /// What some private learner attains.
    upper: Vec<ShownBound>,
    /// What is to be known when the values are read.
    remarks: Vec<String>,
    /// The labels of the axis of δ, at a = 1.
    figure_1: Vec<ShownMark>,
    /// Where the formulas, with the constants as given, cross.
    crossings: Vec<ShownMark>,
    /// The lower bounds at δ = 1/log T.
    table_1: Vec<ShownRow>,
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
    name: &'static str,
    domain: &'static str,
    learners: &'static str,
    formula: &'static str,
    value: Option<Value>,
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
    fn new(question: &engine::Question, bound: &Bound) -> Self {
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

fn shown_marks(question: &engine::Question, marks: &[marks::Mark]) -> Vec<ShownMark> {
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
fn remarks(question: &engine::Question, bounds: &[Bound]) -> Vec<String> {
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

impl BoundsLearningQuestion {
    /// What is known of the class, and its name.
    fn subject(&self, run: &Run<'_>) -> Result<(String, Subject)> {
        let Some(name) = &self.subject.class else {
            let d = self.d.as_ref().map_or(0, |d| d.value);
            let dimension = usize::try_from(d)
                .map_err(|_| Error::argument(format!("d: {d} is beyond this machine")))?;
            return Ok((format!("any with d = {d}"), Subject::of_dimension(dimension)));
        };
        let loaded = run.class(name, self.subject.header.said())?;
        let solver = Solver::new(&loaded.class, run.limits.clone()).seen_in(&run.progress);
        let dimension = solver.dimension();
        let Some(value) = dimension.value() else {
            let stopped = dimension.stopped.unwrap_or(Stopped::Elsewhere);
            let message = format!("the Littlestone dimension of {name} is not known: {stopped}");
            return Err(Error::limit(stopped, message));
        };
        let value = usize::try_from(value).map_err(|_| {
            let expected = "expected a class with a function";
            Error::argument(format!("class: {expected}, found {name}, which has none"))
        })?;
        Ok((name.to_string(), Subject::of_class(&loaded.class, value)))
    }
}

impl Question for BoundsLearningQuestion {
    const NAME: &'static str = "bounds-learning";
    type Answer = BoundsLearningAnswer;
    type Files = BoundsLearningFiles;

    fn validate(&self) -> Result<()> {
        if self.subject.class.is_some() == self.d.is_some() {
            let found = if self.d.is_some() { "both" } else { "neither" };
            return Err(Error::argument(format!("class: expected it or `d`, found {found}")));
        }
        let mut names = BTreeSet::new();
        match self.constant.iter().find(|constant| !names.insert(&constant.value.name)) {
            Some(twice) => {
                Err(Error::argument(format!("constant: {} is given twice", twice.value.name)))
            }
            None => Ok(()),
        }
    }

    fn inputs(&self) -> Vec<PathBuf> {
        self.subject.files()
    }

    fn answer_with(
        &self,
        files: &BoundsLearningFiles,
        run: &Run<'_>,
    ) -> Result<BoundsLearningAnswer> {
        let (class, subject) = self.subject(run)?;
        let mut constants = Constants::default();
        for constant in &self.constant {
            constants.set(&constant.value.name, constant.value.value.clone());
        }
        let question = engine::Question {
            subject,
            rounds: self.rounds.value.0.clone(),
            epsilon: self.epsilon.value.clone(),
            delta: self.delta.value.0.clone(),
            beta: self.beta.value.0.clone(),
            constants,
        };
        let bounds = engine::bounds(&question);
        let of = |side| {
            let bounds = bounds.iter().filter(move |bound| bound.side == side);
            bounds.map(|bound| ShownBound::new(&question, bound)).collect()
        };
        let row = |row: &marks::Row| ShownRow {
            name: row.name,
            domain: row.domain,
            learners: row.learners,
            formula: row.formula,
            value: row.value.as_ref().map(Value::from),
        };
        let answer = BoundsLearningAnswer {
            littlestone_dimension: question.subject.dimension,
            rounds: question.rounds.to_string(),
            epsilon: question.epsilon.to_string(),
            delta: Exact(question.delta.clone()),
            lower: of(Side::Lower),
            upper: of(Side::Upper),
            remarks: remarks(&question, &bounds),
            figure_1: shown_marks(&question, &marks::ranges(&question)),
            crossings: shown_marks(&question, &marks::crossings(&question)),
            table_1: marks::table_1(&question).iter().map(row).collect(),
            class,
        };
        if let Some(path) = &files.plot {
            let drawing = draw(&answer.class, &question)?;
            file::write(path, |out| out.write_all(drawing.as_bytes()))?;
            run.wrote("plot", path);
        }
        Ok(answer)
    }
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

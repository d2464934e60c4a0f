//! Theorems A, B, 1 and 2, Table 1 and Figure 1 at given parameters.

mod answer;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use num_traits::Signed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds::learning::{
    self as engine, CONSTANTS, Constants, Side, Subject, figure as marks,
};
use crate::error::{Error, Result};
use crate::exact::{BigInt, BigUint, Epsilon, Rational, expression};
use crate::file;
use crate::limits::Stopped;
use crate::littlestone::Solver;

use super::super::door::flattened;
use super::super::given::OptionalClassFields;
use super::super::written::{Delta, Reads, Share, Text, svg_path};
use super::super::{Exact, OutputFiles, Question, Run};
use super::figure::draw;
use answer::{remarks, shown_marks};

pub use answer::{
    BoundsLearningAnswer, Infinite, ShownBound, ShownConstant, ShownHypothesis, ShownMark,
    ShownRow, Value,
};

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
            best_explicit_lower: engine::best_explicit(&bounds, Side::Lower).map(Into::into),
            best_explicit_upper: engine::best_explicit(&bounds, Side::Upper).map(Into::into),
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

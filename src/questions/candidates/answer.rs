//! What is found about Algorithm 2.

use schemars::JsonSchema;
use serde::Serialize;

use crate::catalogue::candidates::{Condition, Parameters};
use crate::exact::{Number, Rational};
use crate::questions::written::ClassName;
use crate::questions::{Answer, Claimed, Ending, Exact, Json as _, Known, Run, Trivial, known};
use crate::text::Lines;

use super::property::{StatementFound, ValueFound};
use super::run::{LawFound, RunFound};

/// What was found about Algorithm 2.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CandidatesAnswer {
    /// The class as it was named.
    pub class: ClassName,
    /// Number of distinct hypotheses.
    pub hypotheses: usize,
    /// Number of points.
    pub points: usize,
    /// `paper`, or the name of a misreading.
    pub variant: &'static str,
    /// What the paper asks of the parameters, as far as it can be decided.
    pub conditions: Vec<ConditionFound>,
    /// The parameters.
    pub parameters: ParametersFound,
    /// What was asked for.
    #[serde(flatten)]
    pub found: FoundCandidates,
    #[serde(skip)]
    pub(super) text: Lines,
    #[serde(skip)]
    pub(super) names: Vec<(&'static str, Number)>,
}

/// A condition of the paper.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ConditionFound {
    /// What is asked, with the numbers in place.
    pub condition: String,
    /// Whether it is so.
    pub holds: bool,
}

/// The parameters of Algorithm 2.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ParametersFound {
    /// d.
    #[serde(rename = "d")]
    pub ambient: i32,
    /// n.
    #[serde(rename = "n")]
    pub sample: usize,
    /// k.
    #[serde(rename = "k")]
    pub groups: usize,
    /// s.
    #[serde(rename = "s")]
    pub list_bound: String,
    /// N.
    #[serde(rename = "N")]
    pub candidates: usize,
    /// K.
    #[serde(rename = "K")]
    pub batch: usize,
    /// B.
    pub score: Exact<Rational>,
    /// `a_0`, …, `a_d`.
    pub thresholds: Vec<Exact<Rational>>,
    /// `p_0`, …, `p_d`.
    pub lists: Vec<u32>,
    /// `h_0` as labels in point order.
    pub first: String,
}

/// A run, a law, or what was found about a property.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum FoundCandidates {
    /// One run.
    Run(RunFound),
    /// The law of what is returned.
    Law(LawFound),
    /// Whether a statement is true of every run.
    Statement(StatementFound),
    /// A number.
    Value(ValueFound),
}

impl From<Condition> for ConditionFound {
    fn from(condition: Condition) -> Self {
        Self { condition: condition.text, holds: condition.holds }
    }
}

impl From<&Parameters> for ParametersFound {
    fn from(parameters: &Parameters) -> Self {
        Self {
            ambient: parameters.ambient,
            sample: parameters.sample,
            groups: parameters.groups,
            list_bound: parameters.list_bound.to_string(),
            candidates: parameters.candidates,
            batch: parameters.batch,
            score: Exact(parameters.score.clone()),
            thresholds: parameters.thresholds.iter().cloned().map(Exact).collect(),
            lists: parameters.lists.clone(),
            first: parameters.first.labels().to_owned(),
        }
    }
}

impl CandidatesAnswer {
    /// The class and the parameters.
    fn name(&self) -> String {
        let variant = match self.variant {
            "paper" => String::new(),
            name => format!(", variant {name}"),
        };
        let ParametersFound { sample, groups, candidates, batch, .. } = &self.parameters;
        format!(
            "{}, n = {sample}, k = {groups}, N = {candidates}, K = {batch}{variant}",
            self.class
        )
    }

    fn value(&self, path: &str) -> Option<&ValueFound> {
        match &self.found {
            FoundCandidates::Value(value) if path == "value" => Some(value),
            _ => None,
        }
    }
}

impl Answer for CandidatesAnswer {
    fn ending(&self) -> Ending {
        match &self.found {
            FoundCandidates::Statement(found) if found.counterexample.is_some() => Ending::Refuted,
            FoundCandidates::Statement(_) => Ending::Holds,
            _ => Ending::Found,
        }
    }

    fn text(&self) -> Lines {
        self.text.clone()
    }

    fn found(&self) -> String {
        let FoundCandidates::Statement(found) = &self.found else { return String::new() };
        let verdict = if self.vacuous().is_some() { "vacuous" } else { found.verdict };
        format!("{}: {verdict} for {}, {}", found.statement, self.name(), found.over)
    }

    fn vacuous(&self) -> Option<String> {
        match &self.found {
            FoundCandidates::Statement(found) if found.events.is_empty() => {
                Some("it says nothing on any run".into())
            }
            _ => None,
        }
    }

    fn moot(&self, path: &str) -> Option<String> {
        self.value(path).filter(|value| value.empty).map(|_| "there is no full batch".into())
    }

    fn known(&self, path: &str) -> Option<Known> {
        match self.value(path) {
            Some(value) => Some(Known::number(value.number.clone())),
            None => known::at(&self.json(), path),
        }
    }

    fn symbol(&self, path: &str) -> String {
        self.value(path).map_or_else(|| path.to_owned(), |value| value.what.clone())
    }

    fn setting(&self) -> String {
        let decimal = self.value("value").map(|value| value.number.decimal(6));
        decimal.map_or_else(String::new, |decimal| format!(" ≈ {decimal} for {}", self.name()))
    }

    fn names(&self) -> Vec<(&'static str, Number)> {
        self.names.clone()
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        let most = self.value(path)?.most.clone();
        let reason = format!("this is true of every number from 0 to {most}");
        Some(Trivial { lower: Some(Number::zero()), upper: Some(most), reason })
    }

    fn counterexample(&self, path: &str, _claimed: &Claimed, _run: &Run<'_>) -> Vec<String> {
        match &self.found {
            FoundCandidates::Statement(found) => found.counterexample.iter().cloned().collect(),
            _ => self
                .value(path)
                .map(|value| format!("attained: {}", value.attained))
                .into_iter()
                .collect(),
        }
    }

    fn evidence(&self) -> Option<String> {
        match &self.found {
            FoundCandidates::Statement(found) => Some(found.evidence()),
            FoundCandidates::Value(value) => Some(value.attained.clone()),
            _ => None,
        }
    }
}

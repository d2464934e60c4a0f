//! The properties of Algorithm 2, and what is found about each.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use clap::ValueEnum;
use itertools::Itertools as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalogue::candidates::{Algorithm, Fault, Rule, Statement, Stream, streams};
use crate::error::Result;
use crate::exact::{Number, Rational};
use crate::limits::Limits;
use crate::text::Lines;

use super::super::subject::StreamScope;
use super::quantity::{self, show};
use super::{CandidatesQuestion, FoundCandidates};

/// What is claimed or asked for: a statement about every run with positive probability, or a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    /// `h_0`, the selected functions and copies of `h_0` are returned, N + 1 in all.
    Returned,
    /// Each batch is `B_K` of the candidate before it on the whole stream, and a full one on the
    /// prefix that it ends.
    Batches,
    /// Samples have min{n, m} of the m records of the group; classes are as defined.
    Classes,
    /// ℓ is the number of ⊥ so far.
    Levels,
    /// A group that stored n mistakes of a candidate from its list never lists it again (Step 1 of
    /// Section 3).
    Removed,
    /// If no answer is ⊥, some candidate makes fewer than K mistakes (Lemma 3).
    Candidate,
    /// Step 1 of Section 3 by counting (Lemma 3).
    Counted,
    /// The decomposition dimension of a group never grows; where it stays, lists are nested; sizes
    /// are at most s (Lemma 8).
    Nested,
    /// Full batches, good samples and kept promises give N selections (Lemma 9).
    Selections,
    /// The least probability that some candidate makes fewer than K mistakes.
    Success,
    /// The greatest probability that some call breaks the promise of Lemma 7.
    BrokenCalls,
    /// The greatest number of calls of Select in one run.
    Calls,
    /// The greatest number P of pairs of a group and a function in its lists.
    Pairs,
    /// The greatest size of a list.
    ListSize,
    /// The greatest P(k − |I| > N·z), I the groups that are successful for every full batch (Lemma 6).
    GroupSet,
    /// The greatest P(Z > z), Z the number of unsuccessful groups of a full first batch (Lemma 6).
    Unsuccessful,
    /// The greatest change of Z by one record.
    BoundedDifference,
    /// The expected number of records that a group receives.
    Received,
    /// The distance of the law of the stored samples from that of line 5.
    Samples,
    /// At how many timestamps the batches of neighbouring streams differ.
    ChangedRecords,
    /// In how many groups the samples of neighbouring streams differ.
    ChangedGroups,
    /// The worst δ over all fixed tables of groups and numbers (Lemma 10).
    FixedTables,
    /// The worst δ of the algorithm itself.
    Averaged,
}

/// How a group chooses its sample.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum SampleRule {
    /// The records with the smallest of independent uniform numbers.
    #[default]
    Smallest,
    /// The first in time: a misreading.
    First,
    /// Independent draws, repetitions dropped: a misreading.
    Replacement,
}

impl From<SampleRule> for Rule {
    fn from(rule: SampleRule) -> Self {
        match rule {
            SampleRule::Smallest => Self::Smallest,
            SampleRule::First => Self::First,
            SampleRule::Replacement => Self::Replacement,
        }
    }
}

/// What the tables of Lemma 10 are keyed by.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum KeyedBy {
    /// The timestamp of the record.
    #[default]
    Timestamp,
    /// Its place in the batch: a misreading.
    Place,
}

/// What was found about a statement.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct StatementFound {
    /// The statement.
    pub property: Property,
    /// What it says.
    pub statement: &'static str,
    /// Over which streams.
    pub over: &'static str,
    /// `holds` or `refuted`.
    pub verdict: &'static str,
    /// How many runs were looked at.
    pub runs: usize,
    /// On how many streams.
    pub streams: usize,
    /// What happened of which the statement speaks, with the number of runs.
    pub events: BTreeMap<&'static str, usize>,
    /// A run of which it is false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<String>,
}

impl StatementFound {
    /// What shows that it says something.
    pub(super) fn evidence(&self) -> String {
        let Self { runs, streams, events, .. } = self;
        let seen = events.iter().map(|(event, runs)| format!("{event} ({runs})")).join("; ");
        format!("{runs} runs on {streams} streams, with how many of them: {seen}")
    }
}

/// A number that was found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ValueFound {
    /// Which number.
    pub property: Property,
    /// The number in words.
    pub what: String,
    /// Its value; with `a` it may contain powers of e.
    pub value: String,
    #[serde(skip)]
    pub(super) most: Number,
    /// Where it is attained.
    pub attained: String,
    /// Whether there was nothing to look at.
    pub empty: bool,
    #[serde(skip)]
    pub(super) number: Number,
}

/// What a property is about.
pub(super) struct Case<'c> {
    pub asked: &'c CandidatesQuestion,
    pub algorithm: &'c Algorithm,
    /// The stream, where one was given.
    pub stream: Option<Stream>,
    pub limits: &'c Limits,
}

impl Case<'_> {
    /// T.
    pub fn rounds(&self) -> usize {
        let given = self.asked.rounds.as_ref().map(|rounds| rounds.value.0);
        given.or(self.stream.as_ref().map(Vec::len)).unwrap_or(0)
    }

    fn realisable(&self) -> bool {
        self.asked.streams != Some(StreamScope::All)
    }

    /// The streams.
    pub fn streams(&self) -> Result<Vec<Stream>> {
        match &self.stream {
            Some(stream) => Ok(vec![stream.clone()]),
            None => streams(self.algorithm.class(), self.rounds(), self.realisable()),
        }
    }

    /// Which streams these are, in words.
    pub fn which(&self) -> &'static str {
        match &self.stream {
            Some(_) => "the stream",
            None if self.realisable() => "all realisable streams",
            None => "all streams",
        }
    }

    /// The greatest difference of errors of a successful group.
    pub fn tolerance(&self) -> Rational {
        let levels = self.algorithm.parameters().lists.len();
        let paper = || Rational::new(1.into(), (64 * levels).into());
        self.asked.tolerance.as_ref().map_or_else(paper, |given| given.value.clone())
    }

    /// The names that claims may use.
    pub fn names(&self) -> Vec<(&'static str, Number)> {
        let parameters = self.algorithm.parameters();
        vec![
            ("n", natural(parameters.sample)),
            ("k", natural(parameters.groups)),
            ("s", natural(parameters.list_bound)),
            ("N", natural(parameters.candidates)),
            ("K", natural(parameters.batch)),
            ("B", parameters.score.clone().into()),
            ("d", i64::from(parameters.ambient).into()),
            ("T", natural(self.rounds())),
        ]
    }
}

pub(super) fn natural(value: usize) -> Number {
    Rational::from_integer(value.into()).into()
}

impl Property {
    /// The fields that this property alone takes.
    pub(super) fn takes(self) -> &'static [&'static str] {
        match self {
            Self::Selections | Self::BoundedDifference => &["tolerance"],
            Self::Unsuccessful | Self::GroupSet => &["tolerance", "z"],
            Self::Samples => &["rule"],
            Self::ChangedGroups => &["keyed_by"],
            Self::FixedTables | Self::Averaged => &["epsilon"],
            _ => &[],
        }
    }

    fn statement(self, case: &Case<'_>) -> Option<(&'static str, Statement)> {
        Some(match self {
            Self::Returned => ("the candidates are returned and padded", Statement::Returned),
            Self::Batches => ("batches are the first K mistakes", Statement::Batches),
            Self::Classes => ("samples and classes are as defined", Statement::Classes),
            Self::Levels => ("ℓ counts the failures of the run", Statement::Levels),
            Self::Removed => ("no removed function comes back", Statement::Removed),
            Self::Candidate => ("without ⊥ some candidate is good", Statement::Candidate),
            Self::Counted => ("lists are counted, some candidate is good", Statement::Counted),
            Self::Nested => ("dimensions fall or lists shrink", Statement::Nested),
            Self::Selections => {
                let tolerance = case.tolerance();
                ("full batches give N selections", Statement::Selections { tolerance })
            }
            _ => return None,
        })
    }

    /// Decides a statement, or finds a number; adds the names that claims about it may use.
    pub(super) fn found(
        self,
        case: &Case<'_>,
        names: &mut Vec<(&'static str, Number)>,
        text: &mut Lines,
    ) -> std::result::Result<FoundCandidates, Fault> {
        if let Some((said, statement)) = self.statement(case) {
            let found = decide(self, said, &statement, case)?;
            writeln!(text, "{said}, over {}", found.over);
            if !found.events.is_empty() {
                text.push(&found.evidence());
            }
            found.counterexample.iter().for_each(|counterexample| text.push(counterexample));
            writeln!(text, "verdict: {}", found.verdict);
            return Ok(FoundCandidates::Statement(found));
        }
        let quantity = quantity::find(self, case)?;
        let number = quantity.number;
        writeln!(text, "{}: {number} ≈ {}", quantity.what, number.decimal(6));
        if quantity.empty {
            text.push("there is no full batch");
        } else {
            writeln!(text, "attained: {}", quantity.on);
        }
        names.extend(quantity.names);
        Ok(FoundCandidates::Value(ValueFound {
            property: self,
            what: quantity.what,
            value: number.to_string(),
            most: quantity.most,
            attained: quantity.on,
            empty: quantity.empty,
            number,
        }))
    }
}

fn decide(
    property: Property,
    said: &'static str,
    statement: &Statement,
    case: &Case<'_>,
) -> std::result::Result<StatementFound, Fault> {
    let (algorithm, all) = (case.algorithm, case.streams()?);
    let mut found = StatementFound {
        property,
        statement: said,
        over: case.which(),
        verdict: "holds",
        runs: 0,
        streams: all.len(),
        events: BTreeMap::new(),
        counterexample: None,
    };
    for stream in &all {
        let flow = algorithm.for_each_run(stream, case.limits, |run, weight| {
            found.runs += 1;
            let said = statement.of(algorithm, stream, run);
            for event in said.events {
                *found.events.entry(event).or_default() += 1;
            }
            match said.fault {
                Some(fault) => ControlFlow::Break(format!(
                    "counterexample on {}, with probability {weight}: {fault}; candidates {}",
                    show(algorithm.class(), stream),
                    run.candidates.iter().join(", ")
                )),
                None => ControlFlow::Continue(()),
            }
        })?;
        if let ControlFlow::Break(counterexample) = flow {
            found.verdict = "refuted";
            found.counterexample = Some(counterexample);
            break;
        }
    }
    Ok(found)
}

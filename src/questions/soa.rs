//! The Standard Optimal Algorithm against a stream, round by round.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::exact::Number;
use crate::littlestone::Solver;
use crate::littlestone::soa::{self, OnInconsistent, RunError};
use crate::text::Lines;

use super::door::flattened;
use super::given::ClassFields;
use super::written::{ClassName, Labels, StreamText, Text};
use super::{Answer, Ending, NoFiles, Question, Run, Trivial, blocks, known};

/// Play the Standard Optimal Algorithm against a stream, round by round.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct SoaQuestion {
    /// What is asked about.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: ClassFields,
    /// The labelled examples: `x:y,x:y,…` with point names x and labels y, or a file of them.
    #[arg(long, value_name = "FILE|x:y,…")]
    pub stream: StreamText,
    /// What to do once no hypothesis fits the stream.
    #[arg(long, value_enum, default_value_t, value_name = "POLICY")]
    #[serde(default)]
    pub on_inconsistent: InconsistentPolicy,
    /// The fixed public function for streams that no hypothesis fits, as labels in point order
    /// [default: 0 at every point].
    #[arg(long, value_name = "LABELS")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public: Option<Text<Labels>>,
}

/// What to do once no hypothesis fits the stream.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum InconsistentPolicy {
    /// Refuse the stream, with exit code 2.
    #[default]
    Error,
    /// From the next round on, predict with the fixed public function.
    Fixed,
}

const EXAMPLES: &str = "\
Examples:
  littlestone soa point:3 --stream 3:0,1:1
  littlestone soa class.csv --stream stream.txt --format json
  littlestone soa point:3 --stream 1:1,2:1,3:0 --on-inconsistent fixed --public 001

For each round: the number of hypotheses that fit all earlier rounds, their Littlestone
dimension, the prediction, the label, and whether it was a mistake. A file holds examples on
lines, with comments after #; `-` is standard input.
The prediction at x is 0 iff label 0 at x keeps the dimension, so a tie predicts 1.";

/// The run of the algorithm.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SoaAnswer {
    /// The class as it was named.
    pub class: ClassName,
    /// Number of hypotheses.
    pub hypotheses: usize,
    /// Number of points.
    pub points: usize,
    /// Number of wrong predictions.
    pub mistakes: usize,
    /// The rounds in their order.
    pub rounds: Vec<SoaRound>,
}

/// One round.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SoaRound {
    /// The point that was shown.
    pub point: String,
    /// Number of hypotheses that fit all earlier rounds.
    pub hypotheses: usize,
    /// Their Littlestone dimension; −1 when there is none.
    pub littlestone_dimension: i32,
    /// The prediction.
    pub prediction: u8,
    /// The label that was revealed after it.
    pub label: u8,
    /// Whether the prediction was wrong.
    pub mistake: bool,
}

impl Question for SoaQuestion {
    const NAME: &'static str = "soa";
    type Answer = SoaAnswer;
    type Files = NoFiles;

    fn validate(&self) -> Result<()> {
        if self.public.is_some() && self.on_inconsistent == InconsistentPolicy::Error {
            return Err(Error::argument_with_help(
                "public: it has no effect where streams that no hypothesis fits are refused",
                "say so with --on-inconsistent fixed",
            ));
        }
        Ok(())
    }

    fn inputs(&self) -> Vec<PathBuf> {
        self.subject.files().into_iter().chain(self.stream.file()).collect()
    }

    fn answer_with(&self, _: &NoFiles, run: &Run<'_>) -> Result<SoaAnswer> {
        let loaded = run.class(&self.subject.class, self.subject.header.said())?;
        let class = &loaded.class;
        let policy = match (self.on_inconsistent, &self.public) {
            (InconsistentPolicy::Error, _) => OnInconsistent::Refuse,
            (InconsistentPolicy::Fixed, None) => OnInconsistent::Fixed(vec![false; class.points()]),
            (InconsistentPolicy::Fixed, Some(labels)) => {
                OnInconsistent::Fixed(labels.value.on(class.points(), "public")?.to_vec())
            }
        };
        let stream = self.stream.read(class, &run.folder)?;
        if stream.is_empty() {
            return Err(Error::argument_with_help(
                "stream: expected at least one labelled example, found none",
                "a stream is a file, or examples such as `x:0,y:1`",
            ));
        }
        let solver = Solver::new(class, run.limits.clone()).seen_in(&run.progress);
        let rounds = soa::run(&solver, &stream, &policy).map_err(|error| match error {
            RunError::Inconsistent { .. } => Error::argument_with_help(
                format!("stream: {error}"),
                "--on-inconsistent fixed goes on with a fixed public function",
            ),
            RunError::Stopped { reason, .. } => Error::limit(reason, error.to_string()),
        })?;
        let shown = |round: &soa::Round| SoaRound {
            point: class.point_names()[round.point].clone(),
            hypotheses: round.version_space,
            littlestone_dimension: round.dimension,
            prediction: u8::from(round.prediction),
            label: u8::from(round.label),
            mistake: round.mistake(),
        };
        Ok(SoaAnswer {
            class: self.subject.class.clone(),
            hypotheses: class.hypotheses(),
            points: class.points(),
            mistakes: rounds.iter().filter(|round| round.mistake()).count(),
            rounds: rounds.iter().map(shown).collect(),
        })
    }
}

impl Answer for SoaAnswer {
    fn ending(&self) -> Ending {
        Ending::Found
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        text.push(&blocks::sizes_line(self.class.as_str(), self.hypotheses, self.points));
        let rows: Vec<[String; 7]> = self
            .rounds
            .iter()
            .enumerate()
            .map(|(index, round)| {
                [
                    (index + 1).to_string(),
                    round.point.clone(),
                    round.hypotheses.to_string(),
                    round.littlestone_dimension.to_string(),
                    round.prediction.to_string(),
                    round.label.to_string(),
                    if round.mistake { "yes" } else { "no" }.to_owned(),
                ]
            })
            .collect();
        let header = [
            "round",
            "point",
            "hypotheses",
            "Littlestone dimension",
            "prediction",
            "label",
            "mistake",
        ];
        blocks::table(&mut text, header, &rows);
        writeln!(text, "mistakes: {}", self.mistakes);
        text
    }

    fn csv(&self) -> String {
        known::records(&self.rounds)
    }

    fn names(&self) -> Vec<(&'static str, Number)> {
        vec![("T", known::size(self.rounds.len()))]
    }

    fn setting(&self) -> String {
        format!(" on {}, T = {}", self.class, self.rounds.len())
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        (path == "mistakes").then(|| Trivial {
            lower: Some(known::size(0)),
            upper: Some(known::size(self.rounds.len())),
            reason: format!("there are {} rounds", self.rounds.len()),
        })
    }
}

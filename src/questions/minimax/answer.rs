//! What is found about the value of a game.

use schemars::JsonSchema;
use serde::Serialize;

use crate::exact::Number;
use crate::limits::Stopped;
use crate::questions::subject::StreamScope;
use crate::questions::written::ClassName;
use crate::questions::{Answer, Claimed, Ending, Json as _, Known, Run, Trivial, known};
use crate::text::Lines;

use super::curve::GameCurve;
use super::given::LearnerBeside;
use super::show::{LawAfter, WeightedStream};

/// What was found about the value of a game.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MinimaxAnswer {
    /// The class as it was named.
    pub class: ClassName,
    /// `whole` for online learning, `joint` for joint-private prediction.
    pub notion: &'static str,
    /// Whether a limit was hit or the guess failed, so that bounds may be far apart.
    pub undecided: bool,
    /// One value, or a curve.
    #[serde(flatten)]
    pub found: FoundValues,
    #[serde(skip)]
    pub(super) stopped: Option<Stopped>,
    #[serde(skip)]
    pub(super) text: Lines,
}

/// One value, or a curve.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum FoundValues {
    /// The value for one T, ε and δ.
    One(Box<GameValue>),
    /// Values for many.
    Many(GameCurve),
}

/// The value for one T, ε and δ.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GameValue {
    /// The number of rounds T.
    pub rounds: usize,
    /// The parameter ε, a rational number or ln(x) of an exact number.
    pub epsilon: String,
    /// The parameter δ.
    pub delta: String,
    /// Between which streams privacy is asked for.
    pub streams: StreamScope,
    /// The law over streams that was given, in place of the worst stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// Columns and rows of the linear program; null when none was solved.
    pub program: Option<ProgramSize>,
    /// The law over realisable streams that proves the lower bound, together with the multipliers of
    /// a certificate.
    pub adversary: Vec<WeightedStream>,
    /// Where all of it is shown: the law of the output of each round under each history up to symmetry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_learner: Option<Vec<LawAfter>>,
    /// The value V; null when the bounds differ.
    pub value: Option<String>,
    /// A proved lower bound on V.
    pub lower: String,
    /// A proved upper bound on V.
    pub upper: String,
    /// The given mechanism beside the best one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learner: Option<LearnerBeside>,
    /// What ended the search before all was found: a limit, or `guess` when the guess in floating
    /// point failed.
    pub stopped: Option<&'static str>,
    #[serde(skip)]
    pub(super) bounds: [Number; 2],
    #[serde(skip)]
    pub(super) trivial: [Number; 2],
}

/// The size of a linear program.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct ProgramSize {
    /// Its columns.
    pub columns: usize,
    /// Its rows.
    pub rows: usize,
}

impl MinimaxAnswer {
    fn one(&self) -> Option<&GameValue> {
        match &self.found {
            FoundValues::One(value) => Some(value),
            FoundValues::Many(_) => None,
        }
    }
}

impl Answer for MinimaxAnswer {
    fn ending(&self) -> Ending {
        self.stopped.map_or(Ending::Found, Ending::Undecided)
    }

    fn text(&self) -> Lines {
        self.text.clone()
    }

    fn csv(&self) -> String {
        match &self.found {
            FoundValues::One(_) => known::csv(&self.json()),
            FoundValues::Many(curve) => curve.csv(),
        }
    }

    fn known(&self, path: &str) -> Option<Known> {
        match self.one() {
            Some(GameValue { bounds: [lower, upper], .. }) if path == "value" => {
                Some(Known::Between(lower.clone(), upper.clone()))
            }
            _ => known::at(&self.json(), path),
        }
    }

    fn symbol(&self, path: &str) -> String {
        if path == "value" { "V".to_owned() } else { path.to_owned() }
    }

    fn setting(&self) -> String {
        self.one().map(|value| format!(", T = {}", value.rounds)).unwrap_or_default()
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        let bounded = matches!(path, "value" | "lower" | "upper");
        let value = self.one().filter(|value| bounded && value.against.is_none())?;
        let [least, most] = &value.trivial;
        let reason = format!("{least} ≤ V ≤ {most} for every class of this sort");
        Some(Trivial { lower: Some(least.clone()), upper: Some(most.clone()), reason })
    }

    fn counterexample(&self, path: &str, claimed: &Claimed, _run: &Run<'_>) -> Vec<String> {
        let Some(GameValue { bounds: [lower, _], .. }) = self.one().filter(|_| path == "value")
        else {
            return Vec::new();
        };
        let (what, bound) = match claimed.ceiling() {
            Some(most) if lower > most => ("an adversary", "lower"),
            _ => ("a learner", "upper"),
        };
        vec![format!("{what} that proves the {bound} bound was found")]
    }

    fn evidence(&self) -> Option<String> {
        let streams = self.one()?.adversary.len();
        Some(format!("an adversary with {streams} streams, and a learner's table"))
    }
}

//! The mistakes of the whole predictor for every threshold (Step 3 of Theorem 3).

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Result;

use crate::limits::Stopped;
use crate::mechanism::stream;
use crate::mistakes::greatest_excess;
use crate::text::Lines;

use super::blocks::{tuple, with_decimal};
use super::door::flattened;
use super::given::OptionalClassFields;
use super::known::{about, size};
use super::subject::{Length, MechanismName, StreamScope};
use super::written::{ClassName, Text};
use super::{Answer, ClaimKind, Claimed, Ending, Exact, NoFiles, Question, Run, Trivial};

/// Find the greatest of E[M(C)] − 3B − 3 P(M(A) > B) E[M(F)] over streams and thresholds B (Step 3
/// of Theorem 3).
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct ThresholdQuestion {
    /// The predictor C: a `.rhai`, `.json` or `.toml` file or the name of a mechanism, with
    /// parameters.
    pub mechanism: MechanismName,
    /// The predictor A, with its parameters.
    #[arg(long, value_name = "MECHANISM")]
    pub first: MechanismName,
    /// The predictor F, with its parameters.
    #[arg(long, value_name = "MECHANISM")]
    pub second: MechanismName,
    /// The class.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: OptionalClassFields,
    /// Number of rounds.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub rounds: Text<Length>,
    /// Which streams count; by default those that some hypothesis fits.
    #[arg(long, value_enum, value_name = "WHICH")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub streams: Option<StreamScope>,
}

const EXAMPLES: &str = "\
Examples:
  littlestone threshold 'combined:A=(constant:labels=10),F=(subsampled-soa:gamma=1/4),D=1' \\
    --first constant:labels=10 --second subsampled-soa:gamma=1/4 --class point:2 --rounds 3

With E = {M(A) ≤ B} the step bounds E[M(C)] by 3B + 3 P(not E) E[M(F)] + 2D for every threshold B.";

impl Question for ThresholdQuestion {
    const NAME: &'static str = "threshold";
    const KINDS: &'static [ClaimKind] = &[ClaimKind {
        name: "threshold",
        about: "the greatest of E[M(C)] − 3B − 3 P(M(A) > B) E[M(F)] over streams and thresholds B",
        sets: &[],
        renames: &[],
        asserts: &about("excess"),
    }];
    type Answer = ThresholdAnswer;
    type Files = NoFiles;

    fn inputs(&self) -> Vec<PathBuf> {
        let mechanisms = [&self.mechanism, &self.first, &self.second];
        mechanisms.into_iter().flat_map(MechanismName::files).chain(self.subject.files()).collect()
    }

    fn answer_with(&self, _: &NoFiles, run: &Run<'_>) -> Result<ThresholdAnswer> {
        let rounds = self.rounds.value.0;
        let load = |mechanism| -> Result<_> {
            let subject = run.beside(&self.subject, mechanism)?;
            let automaton = subject.automaton(rounds, &run.limits)?;
            Ok((subject, automaton))
        };
        let (subject, combined) = load(&self.mechanism)?;
        let ((_, first), (_, second)) = (load(&self.first)?, load(&self.second)?);
        let scope = self.streams.unwrap_or(StreamScope::Realisable);
        let streams = subject.streams(scope, &run.limits)?;
        let found = greatest_excess([&combined, &first, &second], &streams, rounds, &run.limits)?;
        let interface = combined.interface();
        let (found, stopped) = match found {
            Ok(found) => (Some(found), None),
            Err(stopped) => (None, Some(stopped)),
        };
        Ok(ThresholdAnswer {
            mechanism: self.mechanism.clone(),
            first: self.first.clone(),
            second: self.second.clone(),
            class: self.subject.class.clone(),
            rounds,
            excess: found.as_ref().map(|found| Exact(found.value.clone())),
            attained: found.map(|found| ExcessAttained {
                tuple: tuple(interface, &found.stream),
                stream: found.stream.iter().map(|&r| stream::name(interface, r)).collect(),
                threshold: found.threshold,
                mistakes: Exact(found.combined),
                failure: Exact(found.failure),
                second_mistakes: Exact(found.second),
            }),
            stopped,
        })
    }
}

/// The greatest excess over the bound without 2D.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ThresholdAnswer {
    /// The predictor C as it was asked for.
    mechanism: MechanismName,
    /// The predictor A.
    first: MechanismName,
    /// The predictor F.
    second: MechanismName,
    /// The class as it was asked for.
    class: Option<ClassName>,
    /// The number T of rounds.
    rounds: usize,
    /// The greatest value of E[M(C)] − 3B − 3 P(M(A) > B) E[M(F)]; null when a limit was hit.
    excess: Option<Exact>,
    #[serde(flatten)]
    attained: Option<ExcessAttained>,
    #[serde(skip)]
    stopped: Option<Stopped>,
}

/// Where the greatest excess is attained.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ExcessAttained {
    /// The first stream that attains it.
    stream: Vec<String>,
    /// The least threshold B that attains it there.
    threshold: usize,
    /// E[M(C)] there.
    #[schemars(extend("format" = "amount"))]
    mistakes: Exact,
    /// P(M(A) > B) there.
    #[schemars(extend("format" = "probability"))]
    failure: Exact,
    /// E[M(F)] there.
    #[schemars(extend("format" = "amount"))]
    second_mistakes: Exact,
    #[serde(skip)]
    tuple: String,
}

impl Answer for ThresholdAnswer {
    fn ending(&self) -> Ending {
        self.stopped.map_or(Ending::Found, Ending::Undecided)
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        writeln!(text, "C: {}", self.mechanism);
        writeln!(text, "A: {}", self.first);
        writeln!(text, "F: {}", self.second);
        if let Some(class) = &self.class {
            writeln!(text, "class: {class}");
        }
        writeln!(text, "rounds: {}", self.rounds);
        if let (Some(Exact(excess)), Some(attained)) = (&self.excess, self.evidence()) {
            let excess = with_decimal(excess);
            writeln!(text, "greatest E[M(C)] − 3B − 3 P(M(A) > B) E[M(F)]: {excess}");
            writeln!(text, "attained by: {attained}");
        }
        text
    }

    fn symbol(&self, path: &str) -> String {
        if path == "excess" { "greatest E[M(C)] − 3B − 3 P(M(A) > B) E[M(F)]" } else { path }
            .to_owned()
    }

    fn setting(&self) -> String {
        let decimal = self.excess.as_ref().map(|Exact(excess)| format!(" ≈ {}", excess.decimal(6)));
        format!("{}, T = {}", decimal.unwrap_or_default(), self.rounds)
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        // The left side is at most E[M(C)] ≤ T, and at B = T it is no less than −3T.
        (path == "excess").then(|| Trivial {
            lower: Some(-&size(3 * self.rounds)),
            upper: Some(size(self.rounds)),
            reason: "this is true of all predictors".to_owned(),
        })
    }

    fn counterexample(&self, _: &str, _: &Claimed, _: &Run<'_>) -> Vec<String> {
        self.evidence().map(|on| format!("attained by: {on}")).into_iter().collect()
    }

    fn evidence(&self) -> Option<String> {
        let ExcessAttained { threshold, mistakes, failure, second_mistakes, tuple, .. } =
            self.attained.as_ref()?;
        Some(format!(
            "E[M(C)] = {}, B = {threshold}, P(M(A) > B) = {}, E[M(F)] = {} on {tuple}",
            mistakes.0, failure.0, second_mistakes.0
        ))
    }
}

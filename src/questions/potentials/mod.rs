//! The potentials of Section 2.1 for a learner against Algorithm 1, and the inequalities about them
//! (Lemmas 1 and 2, (1) to (3), (5) to (7)).

mod answer;
mod drawing;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::adversary::Arguments;
use crate::error::Result;
use crate::exact::{Epsilon, Rational};
use crate::file;
use crate::limits::Meter;
use crate::potentials::{Extras, STATEMENTS, Statement, potentials, statement};

use super::door::flattened;
use super::given::MechanismFields;
use super::subject::Length;
use super::thirds::{against, arguments};
use super::written::{AtLeastZero, Example, PointName, Reads, Text, svg_path};
use super::{ClaimKind, OutputFiles, Question, Run};

pub use answer::PotentialsAnswer;

/// Compute `V_t`, `I_t`, `W_t`, `D_t` of a learner against Algorithm 1, and check Lemmas 1 and 2.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct PotentialsQuestion {
    /// What is asked about.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: MechanismFields,
    /// Number of rounds, at least 3.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub rounds: Text<Length>,
    /// The adversary as `mistakes` takes it, as in `thirds:p=1/2`; the three options that follow say
    /// the same one by one.
    #[arg(long, value_name = "thirds:…")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adversary: Option<Text<Arguments>>,
    /// The probability p of an insertion where the middle third is chosen, 0 < p ≤ 1; 1 if it is left
    /// out.
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p: Option<Text<Rational>>,
    /// The dummy example, by default 3:0.
    #[arg(long, value_name = "x:y")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dummy: Option<Text<Example>>,
    /// The point of informative examples, by default 1.
    #[arg(long, value_name = "x")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub informative: Option<Text<PointName>>,
    /// The ε: a rational number such as 1/100, or a logarithm such as `ln(9/8)`. Ratios are
    /// clipped to [e^(−ε), e^ε].
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    pub epsilon: Text<Epsilon>,
    /// The δ that is claimed of the learner, by default the one it has on the streams compared.
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<Text<AtLeastZero>>,
    /// One inequality alone: `Lemma 1`, `(1)`, `(2)`, …; docs/claims.md has all.
    #[arg(long, value_name = "NAME")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inequality: Option<Text<Inequality>>,
}

const EXAMPLES: &str = "\
Examples:
  littlestone potentials absorbing:E=9/8,beta=1/8 --class point:3 --rounds 9 --epsilon 'ln(9/8)'
  littlestone potentials learner.rhai --class point:3 --rounds 9 --p 1/2 --epsilon 1/100
  littlestone potentials soa-learner --class point:3 --rounds 9 --epsilon 1/100 --delta 0

All numbers are exact; what is shown is cut off. An inequality whose right side reaches what its
left side cannot exceed is `vacuous`.
Exit codes: 0 no inequality is false, 1 one is, 2 malformed input, 3 a limit was hit.";

/// A statement about potentials, by its name.
#[derive(Debug, Clone, Copy)]
pub struct Inequality(pub &'static Statement);

impl Reads for Inequality {
    const FORMAT: &'static str = "inequality";
    const EXAMPLE: &'static str = "Lemma 1";

    fn read(text: &str) -> std::result::Result<Self, String> {
        statement(text).map(Self).ok_or_else(|| {
            let names: Vec<String> = STATEMENTS.iter().map(|s| format!("`{}`", s.name)).collect();
            format!("expected one of {}, found `{text}`", names.join(", "))
        })
    }
}

/// The drawing that can be written beside the answer.
#[derive(Debug, Default, clap::Args)]
pub struct PotentialsFiles {
    /// Draw `V_t(r)` against r, as SVG.
    #[arg(long, value_name = "FILE.svg", value_parser = svg_path)]
    pub plot: Option<PathBuf>,
}

impl OutputFiles for PotentialsFiles {
    fn options(&self) -> Vec<(&'static str, Option<&PathBuf>)> {
        vec![("--plot", self.plot.as_ref())]
    }
}

impl Question for PotentialsQuestion {
    const NAME: &'static str = "potentials";
    const KINDS: &'static [ClaimKind] = &[ClaimKind {
        name: "potentials",
        about: "an inequality about the potentials of a learner against Algorithm 1 (Lemmas 1 and 2)",
        sets: &[],
        renames: &[],
        asserts: &[],
    }];
    const DECIDES: bool = true;
    type Answer = PotentialsAnswer;
    type Files = PotentialsFiles;

    fn inputs(&self) -> Vec<PathBuf> {
        self.subject.files()
    }

    fn answer_with(&self, files: &PotentialsFiles, run: &Run<'_>) -> Result<PotentialsAnswer> {
        let rounds = self.rounds.value.0;
        let subject = run.subject(&self.subject)?;
        let arguments = arguments(
            self.adversary.as_ref(),
            self.p.as_ref(),
            self.dummy.as_ref(),
            self.informative.as_ref(),
        );
        let thirds = against(&arguments, &subject, rounds)?;
        let automaton = subject.automaton(rounds, &run.limits)?;
        // 3^t choices after t stages.
        let stages = u32::try_from(thirds.stages()).unwrap_or(u32::MAX);
        let all = (3u64.saturating_pow(stages.saturating_add(1)) - 1) / 2;
        run.progress.enter(format!("{all} choices of thirds"));
        let meter = &mut Meter::new(&run.limits, &run.progress);
        let one = self.inequality.as_ref().map(|inequality| inequality.value.0);
        let extras = Extras { unconditioned: one.is_some_and(|one| one.unconditioned) };
        let found = potentials(&automaton, &thirds, &self.epsilon.value, extras, meter)?;
        if let Some(path) = &files.plot {
            let drawing = drawing::draw(&self.subject.mechanism, &found)?;
            file::write(path, |out| out.write_all(drawing.as_bytes()))?;
            run.wrote("drawing", path);
        }
        let examples = thirds.examples(subject.points().point_names());
        Ok(PotentialsAnswer::new(self, found, one, examples))
    }
}

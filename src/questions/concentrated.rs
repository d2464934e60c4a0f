//! Whether a learner is β-concentrated ([DSS24, Definition 7]), as lower bounds before the paper
//! assume.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::adversary::concentration;
use crate::class::files;
use crate::error::Result;
use crate::exact::Number;
use crate::limits::Meter;
use crate::text::Lines;

use super::door::flattened;
use super::given::HeaderField;
use super::known::{self, Known};
use super::slack::exactly;
use super::subject::{Length, MechanismName};
use super::written::{ClassName, Share, Text};
use super::{
    Answer, AssertedKey, ClaimKind, Claimed, Ending, Exact, Heard, Inequality, Json as _, NoFiles,
    Question, Relation, Run, blocks,
};

/// Decide whether a learner is β-concentrated, as lower bounds before this paper assume.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct ConcentratedQuestion {
    /// The learner: a `.rhai`, `.json` or `.toml` file or the name of a mechanism, with parameters.
    pub mechanism: MechanismName,
    /// The class: a file (CSV, 0/1 text or JSON), or a family such as `point:3`.
    #[arg(long, value_name = "CLASS")]
    pub class: ClassName,
    /// How the file of the class is read.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub header: HeaderField,
    /// Number of rounds.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub rounds: Text<Length>,
    /// The β to decide, in [0, 1]. Without it the least β is printed alone.
    #[arg(long, value_name = "B", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beta: Option<Text<Share>>,
}

const EXAMPLES: &str = "\
Examples:
  littlestone concentrated soa-learner --class point:3 --rounds 9
  littlestone concentrated absorbing:E=9/8,beta=1/8 --class point:3 --rounds 9 --beta 1/10

A learner is β-concentrated ([DSS24, Definition 7]; not Definition 7 of the paper) if there are
hypotheses f0, f1 and points x_eq, x_dif with f0(x_eq) = f1(x_eq) = f0(x_dif) ≠ f1(x_dif) such that
on the stream of T examples (x_eq, f0(x_eq)) all its hypotheses have the value f0(x_dif) at x_dif
with probability at least 1 − β.
Exit codes: 0 it is or no β was given, 1 it is not, 2 malformed input, 3 a limit was hit.";

impl Question for ConcentratedQuestion {
    const NAME: &'static str = "concentrated";
    const KINDS: &'static [ClaimKind] = &[ClaimKind {
        name: "concentrated",
        about: "a learner is β-concentrated: on some constant stream it keeps one label at another \
                point with probability at least 1 - β (an assumption of earlier lower bounds)",
        sets: &[],
        renames: &[],
        asserts: &[AssertedKey {
            key: "least_beta",
            path: "least_beta",
            relation: Relation::Equals,
        }],
    }];
    const DECIDES: bool = true;
    type Answer = ConcentratedAnswer;
    type Files = NoFiles;

    fn inputs(&self) -> Vec<PathBuf> {
        self.mechanism.files().into_iter().chain(files(self.class.as_str())).collect()
    }

    fn answer_with(&self, _: &NoFiles, run: &Run<'_>) -> Result<ConcentratedAnswer> {
        let rounds = self.rounds.value.0;
        let subject =
            run.resolve(&self.mechanism, Some(&self.class), self.header.said(), Heard::Note)?;
        let class = subject.class("the hypotheses f0 and f1")?;
        let automaton = subject.automaton(rounds, &run.limits)?;
        run.progress.enter(format!("{rounds} rounds for each x_eq, x_dif and label"));
        let mut meter = Meter::new(&run.limits, &run.progress);
        let found = concentration(&automaton, class, rounds, &mut meter)?;
        let least = found.as_ref().map(|found| &Number::one() - &found.probability);
        let beta = self.beta.as_ref().map(|beta| beta.value.0.clone());
        let holds = beta.as_ref().map(|beta| least.as_ref().is_some_and(|least| least <= beta));
        let (points, name) = (class.point_names(), |h| class.hypothesis_name(h).into_owned());
        Ok(ConcentratedAnswer {
            mechanism: self.mechanism.clone(),
            class: self.class.clone(),
            class_line: blocks::class_line(self.class.as_str(), class),
            rounds,
            verdict: holds.map(|holds| if holds { "holds" } else { "refuted" }),
            beta: beta.map(Exact),
            least_beta: least.map(Exact),
            witness: found.map(|found| ConcentratedWitness {
                f0: name(found.first),
                f1: name(found.second),
                label: u8::from(found.label),
                probability: Exact(found.probability),
                x_dif: points[found.different].clone(),
                x_eq: points[found.equal].clone(),
            }),
        })
    }
}

/// How concentrated a learner is.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ConcentratedAnswer {
    /// The β that was asked for.
    beta: Option<Exact>,
    /// The class as it was asked for.
    class: ClassName,
    /// The least β; null where the class has no hypotheses and points as needed.
    #[schemars(extend("format" = "probability"))]
    least_beta: Option<Exact>,
    /// The learner as it was asked for.
    mechanism: MechanismName,
    /// The number T of rounds.
    rounds: usize,
    /// Whether the learner is β-concentrated, where a β was given.
    verdict: Option<&'static str>,
    /// Where the learner is most concentrated.
    witness: Option<ConcentratedWitness>,
    #[serde(skip)]
    class_line: String,
}

/// Where a learner is most concentrated.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ConcentratedWitness {
    /// A hypothesis.
    f0: String,
    /// A hypothesis that agrees with it at `x_eq` and not at `x_dif`.
    f1: String,
    /// The label of `f0` at both points.
    label: u8,
    /// The probability that all T hypotheses have this label at `x_dif`.
    #[schemars(extend("format" = "probability"))]
    probability: Exact,
    /// The point where they differ.
    x_dif: String,
    /// The point of the stream.
    x_eq: String,
}

/// An exact number with a decimal where that is shorter.
fn shown(Exact(value): &Exact) -> String {
    let (exact, decimal) = (value.to_string(), value.decimal(6));
    if exact == decimal { exact } else { format!("{exact} ≈ {decimal}") }
}

const NONE: &str = "no two hypotheses agree at a point and differ at another as is needed";

impl Answer for ConcentratedAnswer {
    fn ending(&self) -> Ending {
        match self.verdict {
            None => Ending::Found,
            Some("holds") => Ending::Holds,
            Some(_) => Ending::Refuted,
        }
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        writeln!(text, "mechanism: {} (learner)", self.mechanism);
        text.push(&self.class_line);
        writeln!(text, "rounds: {}", self.rounds);
        match (&self.witness, &self.least_beta) {
            (Some(witness), Some(least)) => {
                let ConcentratedWitness { f0, f1, label, probability, x_dif, x_eq } = witness;
                writeln!(
                    text,
                    "most concentrated at: x_eq = {x_eq}, x_dif = {x_dif}, f0 = {f0}, f1 = {f1}"
                );
                writeln!(
                    text,
                    "on the stream of {x_eq}:{label} all hypotheses have label {label} at {x_dif} \
                     with probability {}",
                    shown(probability)
                );
                writeln!(text, "β-concentrated exactly for β ≥ {}", shown(least));
            }
            _ => text.push("the class has no hypotheses f0, f1 and points x_eq, x_dif as needed"),
        }
        if let Some(verdict) = self.verdict {
            writeln!(text, "verdict: {verdict}");
        }
        text
    }

    fn inequalities(&self) -> Vec<Inequality> {
        let sides = self.least_beta.as_ref().zip(self.beta.as_ref());
        let of = |(Exact(least), Exact(beta)): (&Exact, &Exact)| Inequality {
            quantity: "least_beta".into(),
            what: self.symbol("least_beta"),
            found: exactly(least),
            relation: Relation::AtMost,
            claimed: exactly(beta),
        };
        sides.map(of).into_iter().collect()
    }

    fn found(&self) -> String {
        match &self.least_beta {
            Some(Exact(least)) => format!("β-concentrated iff β ≥ {least}, T = {}", self.rounds),
            None => NONE.to_owned(),
        }
    }

    fn known(&self, path: &str) -> Option<Known> {
        if path == "least_beta" && self.least_beta.is_none() {
            return Some(Known::Value(NONE.into()));
        }
        known::at(&self.json(), path)
    }

    fn symbol(&self, path: &str) -> String {
        if path == "least_beta" { "least β" } else { path }.to_owned()
    }

    fn setting(&self) -> String {
        format!(", T = {}", self.rounds)
    }

    fn vacuous(&self) -> Option<String> {
        let all = self.beta.as_ref().is_some_and(|Exact(beta)| *beta >= Number::one());
        all.then(|| "every learner is 1-concentrated".to_owned())
    }

    fn counterexample(&self, _: &str, _: &Claimed, _: &Run<'_>) -> Vec<String> {
        self.evidence().into_iter().collect()
    }

    fn evidence(&self) -> Option<String> {
        let ConcentratedWitness { f0, f1, label, probability, x_dif, x_eq } =
            self.witness.as_ref()?;
        Some(format!(
            "f0 = {f0}, f1 = {f1}: on the stream of {x_eq}:{label} every hypothesis has the label \
             {label} at {x_dif} with probability {}",
            probability.0
        ))
    }
}

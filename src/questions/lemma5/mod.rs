//! `E[X]` in one of the three regimes of Lemma 5; [`block`] is the inequality of its second regime.

pub mod block;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::adversary::{Arguments, Blocks, repeated, retained};
use crate::error::{Error, Result};
use crate::exact::Number;
use crate::limits::Meter;
use crate::mechanism::Automaton;
use crate::text::Lines;

use super::blocks::with_decimal;
use super::door::flattened;
use super::given::MechanismFields;
use super::known::{about, size};
use super::subject::{Length, MechanismName, Subject};
use super::thirds::against;
use super::written::{ClassName, Count, Share, Text};
use super::{Answer, ClaimKind, Claimed, Ending, Exact, NoFiles, Question, Run, Trivial};

/// Compute the expected mistakes on the informative examples of Lemma 5's streams.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct Lemma5Question {
    /// What is asked about.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: MechanismFields,
    /// The number n of rounds.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub rounds: Text<Length>,
    /// The regime.
    #[arg(long, value_enum)]
    pub regime: Regime,
    /// Algorithm 1 for the auxiliary examples, as in `thirds:p=1/2`.
    #[arg(long, value_name = "thirds:…")]
    pub adversary: Text<Arguments>,
    /// For the regime `blocks`, the number q of copies of an auxiliary example.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub q: Option<Text<Count>>,
    /// For the regime `blocks`, half the number of rounds of a block, at least q - 1.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub w: Option<Text<Count>>,
    /// For the regime `retained`, the probability r to retain.
    #[arg(long, value_name = "R", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r: Option<Text<Share>>,
    /// For the regime `blocks`, Lemma 5 as it is written, or a misreading.
    #[arg(long, value_enum)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<BlockReading>,
}

const EXAMPLES: &str = "\
Examples:
  littlestone adversary lemma5 soa-learner --class point:3 --rounds 12 --regime blocks --q 2 --w 2 \\
    --adversary thirds";

/// A regime of Lemma 5.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Regime {
    /// n < 1/ε: all n rounds are (x,B).
    Few,
    /// ε ≤ 1/100: blocks of copies.
    Blocks,
    /// ε > 1/100: each example is retained with probability r.
    Retained,
}

/// How the blocks of Lemma 5 are read.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum BlockReading {
    /// The position of the first copy is random.
    #[default]
    Paper,
    /// A misreading: the first copy is always in round 1.
    Unshifted,
}

/// `E[X]`, the names that bounds may use, and how it was found.
struct Found {
    value: Number,
    /// The expected number of informative examples, which `E[X]` cannot exceed.
    most: Number,
    names: Vec<(&'static str, Number)>,
    how: String,
}

impl Question for Lemma5Question {
    const NAME: &'static str = "lemma5";
    const KINDS: &'static [ClaimKind] = &[ClaimKind {
        name: "lemma5",
        about: "the expected mistakes on the informative examples of Lemma 5's streams",
        sets: &[],
        renames: &[],
        asserts: &about("value"),
    }];
    type Answer = Lemma5Answer;
    type Files = NoFiles;

    fn validate(&self) -> Result<()> {
        let given = [
            ("q", self.q.is_some(), Regime::Blocks),
            ("w", self.w.is_some(), Regime::Blocks),
            ("reading", self.reading.is_some(), Regime::Blocks),
            ("r", self.r.is_some(), Regime::Retained),
        ];
        for (field, is_given, regime) in given {
            if is_given && regime != self.regime {
                let message = format!("{field}: expected no `{field}` with this regime, found it");
                return Err(Error::argument(message));
            }
            if !is_given && regime == self.regime && field != "reading" {
                let message = format!("expected `{field}` with this regime, found none");
                return Err(Error::argument(message));
            }
        }
        Ok(())
    }

    fn inputs(&self) -> Vec<PathBuf> {
        self.subject.files()
    }

    fn answer_with(&self, _: &NoFiles, run: &Run<'_>) -> Result<Lemma5Answer> {
        let subject = run.subject(&self.subject)?;
        let automaton = subject.automaton(self.rounds.value.0, &run.limits)?;
        let found = self.solve(&automaton, &subject, run)?;
        Ok(Lemma5Answer {
            mechanism: self.subject.mechanism.clone(),
            class: self.subject.class().cloned(),
            rounds: self.rounds.value.0,
            regime: self.regime,
            adversary: self.adversary.clone(),
            value: Exact(found.value),
            how: found.how,
            names: found.names,
            most: found.most,
        })
    }
}

impl Lemma5Question {
    fn solve(&self, automaton: &Automaton, subject: &Subject, run: &Run<'_>) -> Result<Found> {
        let rounds = self.rounds.value.0;
        let thirds = |rounds| against(&self.adversary.value, subject, rounds);
        let meter = &mut Meter::new(&run.limits, &run.progress);
        let count = |field: &Option<Text<Count>>| field.as_ref().map_or(1, |text| text.value.0);
        match self.regime {
            Regime::Few => Ok(Found {
                value: repeated(automaton, thirds(rounds)?.point(), rounds, meter)?,
                most: size(rounds),
                names: vec![("n", size(rounds))],
                how: "on (x, B) in all rounds".into(),
            }),
            Regime::Blocks => {
                let (copies, half) = (count(&self.q), count(&self.w));
                let number = rounds / half.saturating_mul(2);
                if number == 0 {
                    return Err(Error::argument(format!(
                        "{rounds} rounds hold no block of 2·{half} rounds"
                    )));
                }
                let thirds = thirds(number)?;
                let shifted = self.reading.unwrap_or_default() == BlockReading::Paper;
                let blocks = Blocks::new(copies, half, thirds.dummy(), shifted)?;
                let found = blocks.against(automaton, &thirds, meter)?;
                Ok(Found {
                    value: found.copies,
                    most: &size(copies) * &found.informative,
                    names: vec![
                        ("N", size(number)),
                        ("aux", found.auxiliary),
                        ("mu", found.informative),
                        ("q", size(copies)),
                        ("w", size(half)),
                    ],
                    how: format!("in {number} blocks"),
                })
            }
            Regime::Retained => {
                let r = self.r.as_ref().map_or_else(Number::zero, |r| r.value.0.clone());
                let rational = r.as_rational().cloned().ok_or_else(|| {
                    Error::argument(format!("r: expected a rational number, found {r}"))
                })?;
                let found = retained(automaton, &thirds(rounds)?, &rational, meter)?;
                Ok(Found {
                    value: found.retained,
                    most: &r * &found.informative,
                    names: vec![("aux", found.auxiliary), ("mu", found.informative), ("r", r)],
                    how: "on the retained examples".into(),
                })
            }
        }
    }
}

/// `E[X]` on the streams of a regime of Lemma 5.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Lemma5Answer {
    /// The learner as it was asked for.
    mechanism: MechanismName,
    /// The class as it was asked for.
    class: Option<ClassName>,
    /// The number n of rounds.
    rounds: usize,
    /// The regime.
    regime: Regime,
    /// The adversary as it was asked for.
    adversary: Text<Arguments>,
    /// `E[X]`: the expected mistakes on informative examples.
    value: Exact,
    #[serde(skip)]
    how: String,
    #[serde(skip)]
    names: Vec<(&'static str, Number)>,
    #[serde(skip)]
    most: Number,
}

impl Answer for Lemma5Answer {
    fn ending(&self) -> Ending {
        Ending::Found
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        writeln!(text, "mechanism: {} (learner)", self.mechanism);
        if let Some(class) = &self.class {
            writeln!(text, "class: {class}");
        }
        writeln!(text, "adversary: {}, n = {}", self.adversary, self.rounds);
        for (name, value) in &self.names {
            writeln!(text, "{name}: {}", with_decimal(value));
        }
        writeln!(text, "E[X] {}: {}", self.how, with_decimal(&self.value.0));
        text
    }

    fn symbol(&self, path: &str) -> String {
        if path == "value" { "E[X]" } else { path }.to_owned()
    }

    fn setting(&self) -> String {
        format!(" {}, n = {}", self.how, self.rounds)
    }

    fn names(&self) -> Vec<(&'static str, Number)> {
        self.names.clone()
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        let most = &self.most;
        (path == "value").then(|| Trivial {
            lower: Some(Number::zero()),
            upper: Some(most.clone()),
            reason: format!(
                "0 ≤ E[X] ≤ {most}, the expected number of informative examples, for every learner"
            ),
        })
    }

    fn counterexample(&self, _: &str, _: &Claimed, _: &Run<'_>) -> Vec<String> {
        self.evidence().into_iter().collect()
    }

    fn evidence(&self) -> Option<String> {
        let names = self.names.iter().map(|(name, value)| format!("{name} = {value}"));
        Some(names.collect::<Vec<_>>().join(", "))
    }
}

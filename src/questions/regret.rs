//! The mistakes of a rule against those of the predictors that it sees (Lemma 13).

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::exact::Number;
use crate::limits::Stopped;
use crate::mechanism::{Interface, stream};
use crate::regret::{Found, Regret, greatest};
use crate::text::Lines;

use super::blocks::{tuple, with_decimal};
use super::door::flattened;
use super::given::MechanismFields;
use super::known::{about, size};
use super::subject::{Length, MechanismName};
use super::written::{AtLeastZero, ClassName, Text};
use super::{
    Answer, Change, ClaimKind, Claimed, Ending, Exact, NoFiles, Question, Run, Strengthening,
    Trivial,
};

/// Find the greatest regret of a rule that sees predictions: its expected mistakes without `factor`
/// times those of the best predictor (Lemma 13).
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct RegretQuestion {
    /// What is asked about.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: MechanismFields,
    /// Number of rounds.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub rounds: Text<Length>,
    /// What the mistakes of the best predictor are multiplied with, at least 0; 1 if it is left out.
    #[arg(long, value_name = "F", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factor: Option<Text<AtLeastZero>>,
}

const EXAMPLES: &str = "\
Examples:
  littlestone regret combine:D=1 --rounds 10 --factor 3
  littlestone regret combine:D=1,variant=linear --rounds 10 --factor 3";

impl Question for RegretQuestion {
    const NAME: &'static str = "regret";
    const KINDS: &'static [ClaimKind] = &[ClaimKind {
        name: "regret",
        about: "the greatest of E[mistakes] − factor · min(mistakes of the predictors that are seen)",
        sets: &[],
        renames: &[],
        asserts: &about("regret"),
    }];
    const STRENGTHENED: &'static [Strengthening] =
        &[Strengthening { field: "factor", change: Change::OneLess }];
    type Answer = RegretAnswer;
    type Files = NoFiles;

    fn inputs(&self) -> Vec<PathBuf> {
        self.subject.files()
    }

    fn answer_with(&self, _: &NoFiles, run: &Run<'_>) -> Result<RegretAnswer> {
        let rounds = self.rounds.value.0;
        let subject = run.subject(&self.subject)?;
        let automaton = subject.automaton(rounds, &run.limits)?;
        let factor = self.factor.as_ref().map_or_else(Number::one, |factor| factor.value.0.clone());
        let (lengths, stopped) = match greatest(&automaton, &factor, rounds, &run.limits)? {
            Found::Exact(lengths) => (lengths, None),
            Found::Stopped(stopped) => (Vec::new(), Some(stopped)),
        };
        let interface = automaton.interface();
        let last = lengths.last();
        Ok(RegretAnswer {
            mechanism: self.subject.mechanism.clone(),
            class: self.subject.class().cloned(),
            rounds,
            factor: Exact(factor),
            regret: last.map(|last| Exact(last.value.clone())),
            against: last.map(|last| last.against + 1),
            stream: last
                .map(|last| last.stream.iter().map(|&r| stream::name(interface, r)).collect()),
            interface: interface.clone(),
            lengths,
            stopped,
        })
    }
}

/// The greatest regret over all streams.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RegretAnswer {
    /// The rule as it was asked for.
    mechanism: MechanismName,
    /// The class as it was asked for.
    class: Option<ClassName>,
    /// The number T of rounds.
    rounds: usize,
    /// What the mistakes of the best predictor are multiplied with.
    factor: Exact,
    /// The greatest regret; null when a limit was hit.
    regret: Option<Exact>,
    /// The predictor against which it is attained, from 1.
    against: Option<usize>,
    /// A stream that attains it.
    stream: Option<Vec<String>>,
    #[serde(skip)]
    interface: Interface,
    /// The greatest regret for each length.
    #[serde(skip)]
    lengths: Vec<Regret>,
    #[serde(skip)]
    stopped: Option<Stopped>,
}

impl RegretAnswer {
    fn attained(&self, regret: &Regret) -> String {
        let stream = tuple(&self.interface, &regret.stream);
        format!("{} on {stream}, against predictor {}", regret.value, regret.against + 1)
    }
}

impl Answer for RegretAnswer {
    fn ending(&self) -> Ending {
        self.stopped.map_or(Ending::Found, Ending::Undecided)
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        writeln!(text, "mechanism: {} (transducer)", self.mechanism);
        writeln!(text, "rounds: {}", self.rounds);
        if let Some(last) = self.lengths.last() {
            let (factor, value) = (&self.factor.0, with_decimal(&last.value));
            writeln!(text, "greatest E[mistakes] − {factor} · min(mistakes seen): {value}");
            writeln!(text, "attained by: {}", self.attained(last));
        }
        text
    }

    fn symbol(&self, path: &str) -> String {
        let symbol = || format!("greatest E[M] − {} · min", self.factor.0);
        if path == "regret" { symbol() } else { path.to_owned() }
    }

    fn setting(&self) -> String {
        let decimal = self.regret.as_ref().map(|Exact(regret)| format!(" ≈ {}", regret.decimal(6)));
        format!("{}, T = {}", decimal.unwrap_or_default(), self.rounds)
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        // A rule may be wrong in every round while one predictor never is.
        (path == "regret").then(|| Trivial {
            lower: Some(Number::zero()),
            upper: Some(size(self.rounds)),
            reason: format!("0 ≤ greatest regret ≤ T = {} for every rule", self.rounds),
        })
    }

    fn counterexample(&self, _: &str, claimed: &Claimed, _: &Run<'_>) -> Vec<String> {
        let last = self.lengths.last().map(|last| format!("attained by: {}", self.attained(last)));
        // What a length attains, the next one does too.
        let exceeds = |r: &&Regret| claimed.ceiling().is_some_and(|most| r.value > *most);
        let shortest = self
            .lengths
            .iter()
            .find(exceeds)
            .map(|r| format!("counterexample, T = {}: {}", r.stream.len(), self.attained(r)));
        last.into_iter().chain(shortest).collect()
    }

    fn evidence(&self) -> Option<String> {
        self.lengths.last().map(|last| self.attained(last))
    }
}

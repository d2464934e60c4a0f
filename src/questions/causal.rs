//! Whether outputs depend only on what the game has shown (Definitions 1 and 3).

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::limits::Stopped;
use crate::mechanism::{Interface, Kind};
use crate::privacy::{Causality, causal};
use crate::text::Lines;

use super::blocks::{self, tuple, word_text};
use super::door::flattened;
use super::given::MechanismFields;
use super::monitor::Table;
use super::subject::{Length, MechanismName};
use super::written::{ClassName, Text};
use super::{Answer, Claimed, Ending, NoFiles, Question, Run};

/// Decide whether the law of outputs 1, …, r depends only on what may be seen before output r
/// (Definitions 1 and 3).
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct CausalQuestion {
    /// What is asked about.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: MechanismFields,
    /// The number of rounds.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub rounds: Text<Length>,
    /// Whose game it is: in learning nothing of a round is seen before its output, in prediction the
    /// point is. Learners and predictors play their own game unless one is given.
    #[arg(long, value_enum, value_name = "WHICH")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<Game>,
    /// Instead of a game: for each *before* symbol, what may be seen of it before the output, such as
    /// `u0v0=u,u0v1=u`. A symbol that is not listed is seen in full.
    #[arg(long, value_name = "SYMBOL=TEXT,…")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sees: Option<Table>,
}

/// A game of the paper.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Game {
    /// Nothing of a round is seen before its output (Definition 1).
    Learning,
    /// The point is (Definition 3).
    Prediction,
}

const EXAMPLES: &str = "\
Examples:
  littlestone causal learner.json --rounds 3
  littlestone causal transducer.rhai --rounds 2 --sees '1>1=1,1>2=1'

Exit codes: 0 holds, 1 refuted, 2 malformed input, 3 undecided.";

/// The laws of so many output words are shown.
const WORDS: usize = 6;

/// Whether outputs depend only on what may be seen.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CausalAnswer {
    /// The mechanism as it was asked for.
    mechanism: MechanismName,
    /// The class as it was asked for.
    class: Option<ClassName>,
    /// The number of rounds.
    rounds: usize,
    /// holds, refuted or undecided.
    verdict: &'static str,
    /// Pairs of rounds that look alike and were compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<u64>,
    /// Whether it holds for every number of rounds.
    every_length: bool,
    /// When undecided, it holds for so many rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_rounds: Option<usize>,
    /// Two streams that look alike before the last output, and outputs whose probabilities differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<ViolationFound>,
    /// Whether something is given before the output that may not be seen.
    #[serde(skip)]
    hidden: bool,
    #[serde(skip)]
    stopped: Option<Stopped>,
}

/// What shows that more is used than may be seen.
#[derive(Debug, Serialize, JsonSchema)]
struct ViolationFound {
    /// The output that depends on what may not be seen, from 1.
    output: usize,
    /// Two streams that look alike before it.
    streams: [String; 2],
    /// Outputs with their probabilities on both streams.
    words: Vec<WordFound>,
}

/// Outputs with their probabilities.
#[derive(Debug, Serialize, JsonSchema)]
struct WordFound {
    /// The outputs.
    word: String,
    /// The probability on the first stream.
    first: String,
    /// The probability on the second stream.
    second: String,
}

impl Question for CausalQuestion {
    const NAME: &'static str = "causal";
    const DECIDES: bool = true;
    type Answer = CausalAnswer;
    type Files = NoFiles;

    fn validate(&self) -> Result<()> {
        if self.game.is_some() && self.sees.is_some() {
            return Err(Error::argument("expected one of the keys `game` and `sees`, found both"));
        }
        Ok(())
    }

    fn inputs(&self) -> Vec<PathBuf> {
        self.subject.files()
    }

    fn answer_with(&self, _files: &NoFiles, run: &Run<'_>) -> Result<CausalAnswer> {
        let subject = run.subject(&self.subject)?;
        let rounds = self.rounds.value.0;
        let automaton = subject.automaton(rounds, &run.limits)?;
        let interface = automaton.interface();
        let seen = match &self.sees {
            Some(table) => listed(table, interface.before())?,
            None => self.seen(interface)?,
        };
        let look = |record: usize| {
            let seen_of = &seen[interface.parts(record).0];
            seen.iter().position(|other| other == seen_of).unwrap_or_default()
        };
        let looks: Vec<usize> = (0..interface.records()).map(look).collect();
        let found = causal(&automaton, &looks, rounds, &run.limits, &run.progress)?;
        let mut answer = CausalAnswer {
            mechanism: self.subject.mechanism.clone(),
            class: self.subject.class().cloned(),
            rounds,
            verdict: "holds",
            compared: None,
            every_length: false,
            decided_rounds: None,
            violation: None,
            // A part that is equal cannot be told apart, whatever the mechanism does.
            hidden: (0..seen.len()).any(|a| (0..a).any(|b| seen[a] == seen[b])),
            stopped: None,
        };
        match found {
            Causality::Causal { compared, every_length } => {
                (answer.compared, answer.every_length) = (Some(compared), every_length);
            }
            Causality::Undecided { rounds, stopped } => {
                answer.verdict = "undecided";
                (answer.decided_rounds, answer.stopped) = (Some(rounds - 1), Some(stopped));
            }
            Causality::Violated(violation) => {
                answer.verdict = "refuted";
                let words = violation.words.iter().map(|(word, [p, q])| WordFound {
                    word: word_text(&automaton, word, None),
                    first: p.to_string(),
                    second: q.to_string(),
                });
                answer.violation = Some(ViolationFound {
                    output: violation.streams[0].len(),
                    streams: violation.streams.each_ref().map(|s| tuple(interface, s)),
                    words: words.collect(),
                });
            }
        }
        Ok(answer)
    }
}

impl CausalQuestion {
    /// For each *before* symbol, what may be seen of it in the game.
    fn seen(&self, interface: &Interface) -> Result<Vec<String>> {
        let game = match (self.game, interface.kind()) {
            (Some(game), _) => game,
            (None, Kind::Learner) => Game::Learning,
            (None, Kind::Predictor) => Game::Prediction,
            (None, kind) => {
                return Err(Error::argument(format!(
                    "expected one of the keys `game` and `sees` for this {kind}, found none"
                )));
            }
        };
        let point = |symbol: &String| match (game, interface.kind()) {
            (Game::Learning, _) => Ok(String::new()),
            (Game::Prediction, Kind::Transducer) => match symbol.rsplit_once(':') {
                Some((point, "0" | "1")) => Ok(point.to_owned()),
                _ => Err(Error::argument(format!(
                    "expected *before* symbols that are examples `point:label`, or the key `sees`, \
                     found `{symbol}`"
                ))),
            },
            (Game::Prediction, _) => Ok(symbol.clone()),
        };
        interface.before().iter().map(point).collect()
    }
}

/// What a table says may be seen of each symbol.
fn listed(table: &Table, before: &[String]) -> Result<Vec<String>> {
    if let Some((name, _)) = table.0.iter().find(|(name, _)| !before.contains(name)) {
        return Err(Error::argument(format!(
            "sees: expected one of the *before* symbols {}, found `{name}`",
            before.join(", ")
        )));
    }
    // A symbol that is not listed may be seen in full, and is told apart from every text.
    let seen = |symbol: &String| {
        let listed = table.0.iter().find(|(name, _)| name == symbol);
        listed.map_or_else(|| format!("symbol {symbol}"), |(_, text)| format!("text {text}"))
    };
    Ok(before.iter().map(seen).collect())
}

impl ViolationFound {
    fn lines(&self) -> Vec<String> {
        let [first, second] = &self.streams;
        let mut lines = vec![format!("{first} and {second} look alike before the last output")];
        lines.extend(self.words.iter().take(WORDS).map(|WordFound { word, first, second }| {
            format!("the outputs {word} have probability {first} against {second}")
        }));
        if self.words.len() > WORDS {
            lines.push(format!("… and {} more", self.words.len() - WORDS));
        }
        lines
    }
}

impl Answer for CausalAnswer {
    fn ending(&self) -> Ending {
        match (self.stopped, &self.violation) {
            (Some(stopped), _) => Ending::Undecided(stopped),
            (None, Some(_)) => Ending::Refuted,
            (None, None) => Ending::Holds,
        }
    }

    fn text(&self) -> Lines {
        let mut text = blocks::asked(&self.mechanism, self.class.as_ref(), &self.rounds);
        blocks::found(&mut text, self);
        let lines = self.violation.iter().flat_map(ViolationFound::lines);
        lines.for_each(|line| text.push(&line));
        if self.stopped.is_none() {
            writeln!(text, "verdict: {}", self.verdict);
        }
        text
    }

    fn found(&self) -> String {
        let at = format!("T = {}", self.rounds);
        match (&self.violation, self.stopped) {
            (Some(violation), _) => {
                let round = violation.output;
                format!("output {round} depends on what may not be seen before it, {at}")
            }
            (None, Some(stopped)) => {
                let rounds = self.decided_rounds.unwrap_or_default();
                format!("no violation within {rounds} rounds ({stopped})")
            }
            (None, None) if !self.hidden => format!("causal by construction, {at}"),
            (None, None) => {
                let lengths = if self.every_length { " and every other T" } else { "" };
                format!("outputs depend only on what may be seen, {at}{lengths}")
            }
        }
    }

    fn vacuous(&self) -> Option<String> {
        (self.compared.is_some() && !self.hidden)
            .then(|| "all that is given before the output may be seen".into())
    }

    fn evidence(&self) -> Option<String> {
        let compared = self.compared?;
        Some(format!("{compared} pairs of rounds that look alike were compared"))
    }

    fn counterexample(&self, _path: &str, _claimed: &Claimed, _run: &Run<'_>) -> Vec<String> {
        self.violation.as_ref().map(ViolationFound::lines).unwrap_or_default()
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        self.compared.map(|compared| ("compared", compared.to_string())).into_iter().collect()
    }
}

//! How likely it is that a statement about a run is false.

use std::path::PathBuf;

use itertools::Itertools as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Position, Result};
use crate::exact::Number;
use crate::limits::Stopped;
use crate::mechanism::stream;
use crate::privacy::always::failure::{Failure, Over, failure};
use crate::text::Lines;

use super::blocks::{self, equal_decimal, tuple};
use super::door::flattened;
use super::given::MechanismFields;
use super::known::{self, about};
use super::monitor::{MonitorText, Table};
use super::subject::{Length, MechanismName, StreamScope};
use super::written::{ClassName, Text};
use super::{
    Answer, ClaimKind, Claimed, Ending, Json as _, Known, NoFiles, Question, Run, Trivial,
};

/// Compute the greatest probability over the streams that a statement about the run, given as a script,
/// is false.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct ProbabilityQuestion {
    /// What is asked about.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: MechanismFields,
    /// The number of rounds.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<Text<Length>>,
    /// The script, or a `.rhai` file with it: start, step, ok, and optionally witness.
    #[arg(long, value_name = "SCRIPT|FILE")]
    pub monitor: MonitorText,
    /// Which streams count.
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    #[serde(default)]
    pub streams: StreamScope,
    /// One stream, as in "1:0, 2:1", in place of the worst one.
    #[arg(long, value_name = "STREAM")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<String>,
    /// Values that the script may ask for with `param`, such as `k=3,q=1/2`.
    #[arg(long, value_name = "NAME=VALUE,…")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<Table>,
}

const EXAMPLES: &str = "\
Examples:
  littlestone probability subsampled-soa:gamma=1/4 --class point:3 --rounds 2 --monitor monitor.rhai

The script is that of `littlestone always`. Runs on which the statement was false once are counted,
whatever comes after.
Exit codes: 0 computed, 2 malformed input, 3 undecided.";

/// How likely it is that a statement is false. Numbers are text.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProbabilityAnswer {
    /// The mechanism as it was asked for.
    mechanism: MechanismName,
    /// The class as it was asked for.
    class: Option<ClassName>,
    /// The number of rounds.
    rounds: usize,
    /// The probability on the worst stream, or on the one that was given; null when a limit was hit.
    #[schemars(extend("format" = "probability"))]
    probability: Option<String>,
    /// A proved lower bound, when the probability is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<String>,
    /// The first stream that attains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<String>,
    /// What happened on some run where the statement says something; null if there is no such run.
    events: Option<Vec<String>>,
    /// Laws that were met.
    #[serde(skip_serializing_if = "Option::is_none")]
    laws: Option<u64>,
    #[serde(skip)]
    bounds: (Number, Number),
    #[serde(skip)]
    stopped: Option<Stopped>,
    #[serde(skip)]
    which: &'static str,
}

impl Question for ProbabilityQuestion {
    const NAME: &'static str = "probability";
    const KINDS: &'static [ClaimKind] = &[ClaimKind {
        name: Self::NAME,
        about: "the greatest probability over the streams that a statement about the run, given as a \
                script, is false",
        sets: &[],
        renames: &[],
        asserts: &about("probability"),
    }];
    type Answer = ProbabilityAnswer;
    type Files = NoFiles;

    fn validate(&self) -> Result<()> {
        let message = match (&self.stream, &self.rounds) {
            (Some(_), Some(_)) => {
                "expected no key `rounds` or `streams` beside `stream`, found one"
            }
            (None, None) => "`rounds` is missing",
            (Some(_), None) if self.streams != StreamScope::All => {
                "expected no key `rounds` or `streams` beside `stream`, found one"
            }
            _ => return Ok(()),
        };
        Err(Error::argument(message))
    }

    fn inputs(&self) -> Vec<PathBuf> {
        self.subject.files().into_iter().chain(self.monitor.file()).collect()
    }

    fn answer_with(&self, _files: &NoFiles, run: &Run<'_>) -> Result<ProbabilityAnswer> {
        let subject = run.subject(&self.subject)?;
        let rounds = match (&self.rounds, &self.stream) {
            (Some(rounds), _) => rounds.value.0,
            (None, text) => stream::length(text.as_deref().unwrap_or_default()),
        };
        let (limits, progress) = (&run.limits, &*run.progress);
        let automaton = subject.automaton(rounds, limits)?;
        let interface = automaton.interface();
        let with = self.with.as_ref();
        let monitor = self.monitor.monitor(self, &subject, with, automaton.outputs(), run)?;
        let ask = |over: Over<'_>| failure(&automaton, &monitor, over, rounds, limits, progress);
        let (found, which) = match (&self.stream, self.streams) {
            (Some(text), _) => {
                let stream = stream::parse(interface, text, &Position::at("stream", 1, 1))?;
                if stream.is_empty() {
                    let message = "stream: expected a stream of at least one record, found none";
                    return Err(Error::argument(message));
                }
                (ask(Over::Stream(&stream))?, "")
            }
            (None, scope) => {
                let which = match scope {
                    StreamScope::All => " on the worst stream",
                    StreamScope::Realisable => " on the worst realisable stream",
                };
                (ask(Over::Streams(&subject.streams(scope, limits)?))?, which)
            }
        };
        let mut answer = ProbabilityAnswer {
            mechanism: self.subject.mechanism.clone(),
            class: self.subject.class().cloned(),
            rounds,
            probability: None,
            lower: None,
            stream: None,
            events: None,
            laws: None,
            bounds: (Number::zero(), Number::one()),
            stopped: None,
            which,
        };
        match found {
            Failure::Exact { probability, stream, events, laws } => {
                answer.probability = Some(probability.to_string());
                answer.stream = Some(tuple(interface, &stream));
                answer.events = events.map(|events| events.into_iter().collect());
                answer.laws = Some(laws);
                answer.bounds = (probability.clone(), probability);
            }
            Failure::Undecided { lower, stopped } => {
                run.warn(format!("the probability is not known: {stopped}"));
                answer.lower = Some(lower.to_string());
                (answer.bounds.0, answer.stopped) = (lower, Some(stopped));
            }
        }
        Ok(answer)
    }
}

impl ProbabilityAnswer {
    /// What was seen where the probability is attained.
    fn seen(&self) -> Option<String> {
        let (probability, stream) = (self.probability.as_ref()?, self.stream.as_ref()?);
        let laws = self.laws.unwrap_or_default();
        let events = self.events.iter().flatten().join(", ");
        let events = if events.is_empty() { events } else { format!("; on some run: {events}") };
        Some(format!(
            "false with probability {probability} on {stream}; {laws} laws were met{events}"
        ))
    }
}

impl Answer for ProbabilityAnswer {
    fn ending(&self) -> Ending {
        self.stopped.map_or(Ending::Found, Ending::Undecided)
    }

    fn text(&self) -> Lines {
        let mut text = blocks::asked(&self.mechanism, self.class.as_ref(), &self.rounds);
        let (lower, upper) = &self.bounds;
        match &self.stream {
            Some(stream) => {
                writeln!(text, "probability: {}", equal_decimal(lower));
                writeln!(text, "stream: {stream}");
                let events = self.events.as_ref().map(|events| events.join(", "));
                match events.as_deref() {
                    Some("") => {}
                    Some(events) => writeln!(text, "on some run: {events}"),
                    None => text.push("by `witness`, the statement says something on no run"),
                }
            }
            None => writeln!(text, "{} ≤ probability ≤ {upper}", equal_decimal(lower)),
        }
        text
    }

    fn known(&self, path: &str) -> Option<Known> {
        let (lower, upper) = self.bounds.clone();
        if path == "probability" {
            return Some(Known::Between(lower, upper));
        }
        known::at(&self.json(), path)
    }

    fn symbol(&self, path: &str) -> String {
        if path == "probability" { "P(false)".into() } else { path.to_owned() }
    }

    fn setting(&self) -> String {
        format!("{}, T = {}", self.which, self.rounds)
    }

    fn nothing(&self) -> Option<String> {
        (self.stopped.is_none() && self.events.is_none())
            .then(|| "by `witness`, the statement says something on no run".into())
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        (path == "probability").then(|| Trivial {
            lower: Some(Number::zero()),
            upper: Some(Number::one()),
            reason: "0 ≤ P ≤ 1 is true of every probability".into(),
        })
    }

    fn counterexample(&self, _path: &str, _claimed: &Claimed, _run: &Run<'_>) -> Vec<String> {
        self.seen().into_iter().collect()
    }

    fn evidence(&self) -> Option<String> {
        self.seen()
    }
}

//! Whether a statement about single runs is true for every value of the randomness.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Error, Result};
use crate::limits::Stopped;
use crate::mechanism::Mechanism as _;
use crate::privacy::always::{Always, always, closed};
use crate::text::Lines;

use super::blocks;
use super::door::flattened;
use super::given::MechanismFields;
use super::monitor::{MonitorText, Table, lines};
use super::privacy::Horizon;
use super::subject::{MechanismName, StreamScope};
use super::written::{ClassName, Text};
use super::{Answer, Claimed, Ending, NoFiles, Question, Run, known};

/// Decide whether a statement about single runs, given as a script, is true for every randomness.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct AlwaysQuestion {
    /// What is asked about.
    #[command(flatten)]
    #[serde(flatten, deserialize_with = "flattened")]
    pub subject: MechanismFields,
    /// The greatest number of rounds, or `all` for every number.
    #[arg(long, value_name = "T|all", allow_hyphen_values = true)]
    pub rounds: Text<Horizon>,
    /// The script, or a `.rhai` file with it: start, step, ok, and optionally witness.
    #[arg(long, value_name = "SCRIPT|FILE")]
    pub monitor: MonitorText,
    /// Which streams count.
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    #[serde(default)]
    pub streams: StreamScope,
    /// Values that the script may ask for with `param`, such as `k=3,q=1/2`.
    #[arg(long, value_name = "NAME=VALUE,…")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<Table>,
}

const EXAMPLES: &str = "\
Examples:
  littlestone always soa --class point:3 --rounds 4 --monitor monitor.rhai --streams realisable

A monitor watches one run: start() is what it remembers at first, step(memory, round, before, output,
after) what it remembers then, ok(memory, round) the statement, and witness(memory, round), if there
is one, whether the statement says something there.
Exit codes: 0 holds, 1 refuted, 2 malformed input, 3 undecided.";

/// Whether a statement is true of every run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AlwaysAnswer {
    /// The mechanism as it was asked for.
    mechanism: MechanismName,
    /// The class as it was asked for.
    class: Option<ClassName>,
    /// The greatest number of rounds, or all.
    rounds: Value,
    /// holds, refuted or undecided.
    verdict: &'static str,
    /// Situations that were met: what mechanism and monitor remember, and what the stream may still be.
    #[serde(skip_serializing_if = "Option::is_none")]
    situations: Option<u64>,
    /// When undecided, the statement is true of every run of so many rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_rounds: Option<usize>,
    /// The rounds of a shortest run on which the statement says something.
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Vec<String>>,
    /// The rounds of a shortest run on which it is false.
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<Vec<String>>,
    /// Whether the script says where the statement says something.
    #[serde(skip)]
    has_witness: bool,
    #[serde(skip)]
    stopped: Option<Stopped>,
}

impl Question for AlwaysQuestion {
    const NAME: &'static str = "always";
    const DECIDES: bool = true;
    type Answer = AlwaysAnswer;
    type Files = NoFiles;

    fn validate(&self) -> Result<()> {
        match self.rounds.value {
            Horizon::Of(rounds) if rounds.range => Err(Error::argument(
                "`rounds`: expected one number of rounds or `all`, found a range",
            )),
            _ => Ok(()),
        }
    }

    fn inputs(&self) -> Vec<PathBuf> {
        self.subject.files().into_iter().chain(self.monitor.file()).collect()
    }

    fn answer_with(&self, _files: &NoFiles, run: &Run<'_>) -> Result<AlwaysAnswer> {
        let subject = run.subject(&self.subject)?;
        let (limits, progress) = (&run.limits, &*run.progress);
        let with = self.with.as_ref();
        let monitor = |outputs: &[_]| self.monitor.monitor(self, &subject, with, outputs, run);
        let interface = subject.interface();
        let (found, outputs, has_witness) = if let Horizon::Of(rounds) = self.rounds.value {
            let automaton = subject.automaton(rounds.last, limits)?;
            let outputs = automaton.outputs().to_vec();
            let monitor = monitor(&outputs)?;
            let streams = subject.streams(self.streams, limits)?;
            let found = always(&automaton, &monitor, &streams, rounds.last, limits, progress)?;
            (found, outputs, monitor.has_witness())
        } else {
            let outputs = subject.mechanism.interface().outputs().to_vec();
            let monitor = monitor(&outputs)?;
            let streams = subject.streams(self.streams, limits)?;
            let found = closed(&subject.mechanism, &monitor, &streams, limits, progress)?;
            (found, outputs, monitor.has_witness())
        };
        let mut answer = AlwaysAnswer {
            mechanism: self.subject.mechanism.clone(),
            class: self.subject.class().cloned(),
            rounds: match self.rounds.value {
                Horizon::Of(rounds) => rounds.last.into(),
                Horizon::Every => "all".into(),
            },
            verdict: "holds",
            situations: None,
            decided_rounds: None,
            witness: None,
            violation: None,
            has_witness,
            stopped: None,
        };
        let shown = |run: Vec<_>| lines(interface, &outputs, &run);
        match found {
            Always::Holds { situations, witness } => {
                answer.situations = Some(situations);
                answer.witness = witness.map(shown);
            }
            Always::Violated(run) => {
                answer.verdict = "refuted";
                answer.violation = Some(shown(run));
            }
            Always::Undecided { rounds, stopped } => {
                answer.verdict = "undecided";
                (answer.decided_rounds, answer.stopped) = (Some(rounds - 1), Some(stopped));
            }
        }
        Ok(answer)
    }
}

impl AlwaysAnswer {
    fn length(&self) -> String {
        self.rounds.as_u64().map_or_else(|| "every T".into(), |rounds| format!("T = {rounds}"))
    }

    fn met(&self) -> String {
        format!("{} situations were met", self.situations.unwrap_or_default())
    }
}

impl Answer for AlwaysAnswer {
    fn ending(&self) -> Ending {
        match (self.stopped, &self.violation) {
            (Some(stopped), _) => Ending::Undecided(stopped),
            (None, Some(_)) => Ending::Refuted,
            (None, None) => Ending::Holds,
        }
    }

    fn text(&self) -> Lines {
        let rounds = known::text(&self.rounds);
        let mut text = blocks::asked(&self.mechanism, self.class.as_ref(), &rounds);
        blocks::found(&mut text, self);
        self.violation.iter().flatten().for_each(|line| text.push(line));
        if self.stopped.is_none() {
            writeln!(text, "verdict: {}", self.verdict);
        }
        text
    }

    fn found(&self) -> String {
        let length = self.length();
        match (&self.violation, self.stopped, self.decided_rounds) {
            (Some(run), ..) => format!("false of a run of {} rounds, {length}", run.len()),
            (None, Some(stopped), Some(rounds)) => {
                format!("true of every run of {rounds} rounds ({stopped})")
            }
            _ => format!("true of every run, {length}"),
        }
    }

    fn vacuous(&self) -> Option<String> {
        let silent = self.situations.is_some() && self.witness.is_none();
        let met = self.met();
        silent.then(|| format!("{met}, and by `witness` the statement says something in none"))
    }

    fn evidence(&self) -> Option<String> {
        let (run, met) = (self.witness.as_ref()?, self.met());
        Some(if self.has_witness {
            format!("{met}; the statement says something after {}", run.join("; "))
        } else {
            met
        })
    }

    fn counterexample(&self, _path: &str, _claimed: &Claimed, _run: &Run<'_>) -> Vec<String> {
        self.violation.clone().unwrap_or_default()
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        let situations = self.situations.map(|n| ("situations", n.to_string()));
        let after = self.violation.as_ref().map(|run| ("violated_after", run.len().to_string()));
        situations.into_iter().chain(after).collect()
    }
}

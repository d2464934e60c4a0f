//! Kind `always`: a statement about single runs is true for every value of the randomness.

use std::collections::BTreeMap;

use crate::always::{Always, Step, always, closed};
use crate::error::Error;
use crate::limits::{Limits, Progress};
use crate::mechanism::{Mechanism as _, Monitor};

use super::super::{Fields, Finding, Located, Verdict};
use super::subject::{MECHANISM, ROUNDS_OR_ALL, Runs, STREAMS, Subject, WITH, Which, notes};
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) const MONITOR: Key = Key {
    name: "monitor",
    grid: false,
    about: "the script: start, step, ok, and optionally witness",
};

pub(super) static KIND: Kind = Kind {
    name: "always",
    about: "a statement about single runs, given as a script, is true for every randomness",
    keys: &[MECHANISM, keys::CLASS, keys::HEADER, ROUNDS_OR_ALL, MONITOR, STREAMS, WITH],
    parse: Parse::Own(parse),
};

#[derive(Debug)]
struct AlwaysCheck {
    subject: Subject,
    /// The number of rounds; nothing for every number.
    rounds: Option<usize>,
    monitor: Located<String>,
    streams: Which,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let subject = Subject::parse(fields);
    let rounds = if fields.is_word(ROUNDS_OR_ALL.name) {
        fields.choice(ROUNDS_OR_ALL.name, &[("all", None)])
    } else {
        fields.rounds(ROUNDS_OR_ALL.name).map(Some)
    };
    for key in [ROUNDS_OR_ALL.name, "monitor"] {
        if !fields.has(key) {
            fields.missing(&format!("the key `{key}`"));
        }
    }
    let monitor = fields.inner("monitor");
    let streams =
        fields.choice(STREAMS.name, &[("all", Which::All), ("realisable", Which::Realisable)]);
    let check =
        AlwaysCheck { subject: subject?, rounds: rounds?, monitor: monitor?, streams: streams? };
    Some(Box::new(check))
}

impl Check for AlwaysCheck {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let progress = Progress::default();
        let fault = |error| match error {
            placed @ Error::Malformed { .. } => placed,
            other => self.subject.fault(&other),
        };
        let Some(rounds) = self.rounds else {
            let (mechanism, tools) = self.subject.resolve(limits)?;
            let interface = mechanism.interface();
            let runs = Runs { tools: tools.as_ref(), interface, outputs: interface.outputs() };
            let monitor = monitor(&self.subject, &self.monitor, None, runs, limits)?;
            let streams = self.subject.streams(self.streams, interface, limits)?;
            let found = closed(&mechanism, &monitor, &streams, limits, &progress).map_err(fault)?;
            return Ok(self.finding(runs, &monitor, found, &mechanism.remarks()));
        };
        let built = self.subject.build(&Subject::options(rounds, limits), limits)?;
        let (automaton, runs) = (&built.automaton, built.runs());
        let monitor = monitor(&self.subject, &self.monitor, Some(rounds), runs, limits)?;
        let streams = self.subject.streams(self.streams, runs.interface, limits)?;
        let found =
            always(automaton, &monitor, &streams, rounds, limits, &progress).map_err(fault)?;
        Ok(self.finding(runs, &monitor, found, &built.remarks))
    }
}

/// The monitor of a claim about the mechanism that was built.
pub(super) fn monitor(
    subject: &Subject,
    script: &Located<String>,
    rounds: Option<usize>,
    runs: Runs<'_>,
    limits: &Limits,
) -> Result<Monitor, Error> {
    let Located { value, position } = script;
    // `param("d")` in the script, and `d` in an expression, are one thing.
    let scope = subject.scope(rounds, [script].into_iter())?;
    let values = scope.into_iter().map(|(name, value)| (name, value.to_string())).collect();
    // Lines and columns of the script are those of the claim file.
    let down = "\n".repeat(position.line.map_or(0, |line| line.saturating_sub(1)));
    let right = " ".repeat(position.column.map_or(0, |column| column.saturating_sub(1)));
    let text = format!("{down}{right}{value}");
    let Runs { tools, interface, outputs } = runs;
    let name = &position.source;
    let monitor = Monitor::new(name, &text, tools, &values, interface, outputs, limits);
    monitor.map_err(|error| match error {
        Error::Argument { message, .. } => Error::malformed(position.clone(), "a monitor", message),
        other => other,
    })
}

impl AlwaysCheck {
    fn finding(
        &self,
        runs: Runs<'_>,
        monitor: &Monitor,
        found: Always,
        remarks: &[String],
    ) -> Finding {
        let mut finding = Finding {
            verdict: Verdict::Holds,
            found: String::new(),
            non_vacuous: None,
            details: Vec::new(),
            values: BTreeMap::new(),
        };
        let length = match self.rounds {
            Some(rounds) => format!("T = {rounds}"),
            None => "every T".into(),
        };
        match found {
            Always::Holds { situations, witness } => {
                finding.found = format!("true of every run, {length}");
                finding.values.insert("situations".into(), situations.to_string());
                let met = format!("{situations} situations were met");
                match witness {
                    None => {
                        finding.verdict = Verdict::Vacuous;
                        finding.details.push(format!(
                            "vacuous: {met}, and by `witness` the statement says something in none"
                        ));
                    }
                    Some(run) if monitor.has_witness() => {
                        let run = lines(runs, &run).join("; ");
                        finding.non_vacuous =
                            Some(format!("{met}; the statement says something after {run}"));
                    }
                    Some(_) => finding.non_vacuous = Some(met),
                }
            }
            Always::Violated(run) => {
                finding.verdict = Verdict::Refuted;
                let after = run.len();
                finding.found = format!("false of a run of {after} rounds, {length}");
                finding.values.insert("violated_after".into(), after.to_string());
                finding.details = lines(runs, &run);
            }
            Always::Undecided { rounds, stopped } => {
                finding.verdict = Verdict::Undecided;
                finding.found = format!("true of every run of {} rounds ({stopped})", rounds - 1);
            }
        }
        finding.details.extend(notes(remarks));
        finding
    }
}

/// A run, a line for each round.
fn lines(Runs { interface, outputs, .. }: Runs<'_>, run: &[Step]) -> Vec<String> {
    let line = |(place, step): (usize, &Step)| {
        let part = |word: &str, name: &str| {
            if name.is_empty() { String::new() } else { format!("{word} {name}") }
        };
        let parts = [
            part("given", &interface.before()[step.before]),
            part("releases", &outputs[step.output]),
            part("is shown", &interface.after()[step.after]),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!("round {}: {}", place + 1, parts.join(", "))
    };
    run.iter().enumerate().map(line).collect()
}

//! Kind `probability`: how likely it is that a statement about a run is false.

use std::collections::BTreeMap;

use itertools::Itertools;

use crate::always::failure::{Failure, Over, failure};
use crate::error::Error;
use crate::exact::Number;
use crate::limits::{Limits, Progress};
use crate::mechanism::{Interface, stream};

use super::super::{Fields, Finding, Located, Verdict};
use super::always::{MONITOR, monitor};
use super::bound::Bounds;
use super::subject::{MECHANISM, ROUNDS, STREAMS, Subject, WITH, Which, read_stream, show_stream};
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "probability",
    about: "the greatest probability over the streams that a statement about the run, given as a \
            script, is false",
    keys: &[
        MECHANISM,
        keys::CLASS,
        keys::HEADER,
        ROUNDS,
        MONITOR,
        STREAMS,
        Key {
            name: "stream",
            grid: true,
            about: "one stream, as in \"1:0, 2:1\", in place of the worst one",
        },
        keys::EXACTLY,
        keys::NO_LESS,
        keys::NO_MORE,
        WITH,
    ],
    parse: Parse::Own(parse),
};

/// The streams.
#[derive(Debug)]
enum Asked {
    Worst(Which, usize),
    Stream(Located<String>),
}

#[derive(Debug)]
struct ProbabilityCheck {
    subject: Subject,
    asked: Asked,
    monitor: Located<String>,
    bounds: Bounds,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let subject = Subject::parse(fields);
    let bounds = Bounds::parse(fields);
    if !fields.has(MONITOR.name) {
        fields.missing("the key `monitor`");
    }
    let monitor = fields.inner(MONITOR.name);
    let rounds = fields.rounds(ROUNDS.name);
    let which =
        fields.choice(STREAMS.name, &[("all", Which::All), ("realisable", Which::Realisable)]);
    let asked = if fields.has("stream") {
        for key in [ROUNDS.name, STREAMS.name] {
            if fields.has(key) {
                let position = fields.position();
                fields.refuse(position, "no key `rounds` or `streams` beside `stream`", key);
            }
        }
        fields.inner("stream").map(Asked::Stream)
    } else {
        if !fields.has(ROUNDS.name) {
            fields.missing("the key `rounds`");
        }
        rounds.and_then(|rounds| Some(Asked::Worst(which?, rounds)))
    };
    let check =
        ProbabilityCheck { subject: subject?, asked: asked?, monitor: monitor?, bounds: bounds? };
    Some(Box::new(check))
}

impl Check for ProbabilityCheck {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let rounds = match &self.asked {
            Asked::Worst(_, rounds) => *rounds,
            Asked::Stream(text) => stream::length(&text.value),
        };
        let built = self.subject.build(&Subject::options(rounds, limits), limits)?;
        let monitor = monitor(&self.subject, &self.monitor, Some(rounds), built.runs(), limits)?;
        let claimed =
            self.bounds.evaluate(&self.subject.scope(Some(rounds), self.bounds.expressions())?)?;
        let automaton = &built.automaton;
        let progress = Progress::default();
        let ask = |over| {
            failure(automaton, &monitor, over, rounds, limits, &progress).map_err(|error| {
                match error {
                    placed @ Error::Malformed { .. } => placed,
                    other => self.subject.fault(&other),
                }
            })
        };
        let answer = match &self.asked {
            Asked::Worst(which, _) => {
                ask(Over::Streams(&self.subject.streams(*which, automaton.interface(), limits)?))?
            }
            Asked::Stream(text) => ask(Over::Stream(&read_stream(text, automaton.interface())?))?,
        };
        let mut finding = self.finding(automaton.interface(), &answer, rounds);
        let (lower, upper) = match &answer {
            Failure::Exact { probability, .. } => (probability.clone(), probability.clone()),
            Failure::Undecided { lower, .. } => (lower.clone(), Number::one()),
        };
        finding.verdict = claimed.decide(&lower, &upper);
        finding.found = format!("{}; claimed {claimed}", finding.found);
        let silent = matches!(answer, Failure::Exact { events: None, .. });
        if finding.verdict == Verdict::Holds {
            if claimed.is_vacuous(&Number::zero(), &Number::one()) {
                finding.verdict = Verdict::Vacuous;
                finding.details.push("vacuous: this is true of every probability".into());
            } else if silent {
                finding.verdict = Verdict::Vacuous;
                finding.details.push(
                    "vacuous: by `witness`, the statement says something on no run".to_owned(),
                );
            }
        }
        if finding.verdict != Verdict::Holds {
            finding.details.extend(finding.non_vacuous.take());
        }
        finding.details.extend(built.notes());
        Ok(finding)
    }
}

impl ProbabilityCheck {
    fn finding(&self, interface: &Interface, answer: &Failure, rounds: usize) -> Finding {
        let (found, attained, values) = match answer {
            Failure::Exact { probability, stream, events, laws } => {
                let on = show_stream(interface, stream);
                let which = match self.asked {
                    Asked::Worst(Which::All, _) => " on the worst stream",
                    Asked::Worst(Which::Realisable, _) => " on the worst realisable stream",
                    Asked::Stream(_) => "",
                };
                let events = events.iter().flatten().join(", ");
                let events =
                    if events.is_empty() { events } else { format!("; on some run: {events}") };
                let seen = format!(
                    "false with probability {probability} on {on}; {laws} laws were met{events}"
                );
                let values = BTreeMap::from([("probability".into(), probability.to_string())]);
                (
                    format!("false with probability {probability}{which}, T = {rounds}"),
                    Some(seen),
                    values,
                )
            }
            Failure::Undecided { lower, stopped } => (
                format!(
                    "false with probability at least {lower} on some stream, T = {rounds} ({stopped})"
                ),
                None,
                BTreeMap::from([("lower".into(), lower.to_string())]),
            ),
        };
        Finding {
            verdict: Verdict::Undecided,
            found,
            non_vacuous: attained,
            details: Vec::new(),
            values,
        }
    }
}

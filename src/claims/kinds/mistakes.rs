//! Kind `mistakes`: the expected number of mistakes (Section 1.1).

use std::collections::BTreeMap;

use crate::adversary::{Arguments, Thirds, play};
use crate::error::{Error, Position};
use crate::exact::Number;
use crate::limits::{Limits, Progress};
use crate::mechanism::{Automaton, Interface, stream};
use crate::mistakes::{self, Expected, Streams, Worst};

use super::super::{Fields, Finding, Located, Verdict};
use super::bound::{Bounds, Claimed, Scope, evaluate};
use super::subject::{MECHANISM, ROUNDS, STREAMS, Subject, WITH, Which, natural, show_stream};
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "mistakes",
    about: "the expected number of mistakes: on the worst stream, a given one, or random examples",
    keys: &[
        MECHANISM,
        keys::CLASS,
        keys::HEADER,
        ROUNDS,
        STREAMS,
        Key {
            name: "stream",
            grid: true,
            about: "one stream, as in \"1:0, 2:1\", in place of the worst one",
        },
        Key {
            name: "examples",
            grid: false,
            about: "independent examples with these probabilities, in place of the worst stream",
        },
        Key {
            name: "adversary",
            grid: true,
            about: "an adversary of the lower bounds, as in \"thirds:p=1/2\", in place of the worst \
                    stream",
        },
        keys::EXACTLY,
        keys::NO_LESS,
        keys::NO_MORE,
        WITH,
    ],
    parse: Parse::Own(parse),
};

/// Where the stream comes from.
#[derive(Debug)]
enum Adversary {
    Worst(Which),
    Stream(Located<String>),
    Examples(Vec<(String, Located<String>)>),
    Thirds(Located<String>),
}

#[derive(Debug)]
struct MistakesCheck {
    subject: Subject,
    /// The number of rounds; `None` for a given stream.
    rounds: Option<usize>,
    adversary: Adversary,
    bounds: Bounds,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let subject = Subject::parse(fields);
    let bounds = Bounds::parse(fields);
    let given: Vec<&str> = ["streams", "stream", "examples", "adversary"]
        .into_iter()
        .filter(|key| fields.has(key))
        .collect();
    if given.len() > 1 {
        let position = fields.position();
        let expected = "one of the keys `streams`, `stream`, `examples` and `adversary`";
        fields.refuse(position, expected, &given.join(" and "));
        return None;
    }
    let adversary = match given.first() {
        Some(&"stream") => fields.inner("stream").map(Adversary::Stream),
        Some(&"examples") => fields.expressions("examples").map(Adversary::Examples),
        Some(&"adversary") => fields.text("adversary").map(Adversary::Thirds),
        _ => fields
            .choice(STREAMS.name, &[("realisable", Which::Realisable), ("all", Which::All)])
            .map(Adversary::Worst),
    };
    let rounds = fields.rounds(ROUNDS.name);
    match (&adversary, fields.has(ROUNDS.name)) {
        (Some(Adversary::Stream(_)), true) => {
            let position = fields.position();
            fields.refuse(position, "no key `rounds` beside `stream`, which has its length", "one");
        }
        (Some(Adversary::Stream(_)), false) => {}
        (_, false) => fields.missing("the key `rounds`"),
        (_, true) => {
            rounds?;
        }
    }
    let check = MistakesCheck { subject: subject?, rounds, adversary: adversary?, bounds: bounds? };
    Some(Box::new(check))
}

impl Check for MistakesCheck {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let length = match &self.adversary {
            Adversary::Stream(stream) => stream::length(&stream.value),
            _ => self.rounds.expect("it was asked for"),
        };
        let built = self.subject.build(&Subject::options(length, limits), limits)?;
        let automaton = &built.automaton;
        let scope = self.subject.scope(Some(length), self.bounds.expressions())?;
        let claimed = self.bounds.evaluate(&scope)?;
        let fault = |error: &Error| self.subject.fault(error);
        let mut finding = match &self.adversary {
            Adversary::Stream(text) => {
                let stream = stream(text, automaton.interface())?;
                let found = mistakes::on_stream_within(automaton, &stream, &mut limits.meter())
                    .map_err(|e| fault(&e))?;
                let on = show_stream(automaton.interface(), &stream);
                given(&claimed, &found, &on)
            }
            Adversary::Examples(examples) => {
                let law = law(examples, automaton.interface(), &scope)?;
                let meter = &mut limits.meter();
                let found = mistakes::on_examples_within(automaton, &law, length, meter);
                let found = found.map_err(|error| {
                    if let Error::Limit { .. } = error {
                        return error;
                    }
                    let place = examples.first().map(|(_, weight)| weight.position.clone());
                    let place = place.unwrap_or_else(|| self.subject.position().clone());
                    Error::malformed(place, "the law of an example", error.to_string())
                })?;
                given(&claimed, &found, &format!("{length} independent examples"))
            }
            Adversary::Thirds(text) => {
                let thirds = adversary(text, &self.subject, automaton.interface(), length)?;
                let found = play(automaton, &thirds, &mut limits.meter());
                let found = found.map_err(|e| fault(&e))?;
                given(&claimed, &found.expected, &format!("{} of {length} rounds", text.value))
            }
            Adversary::Worst(which) => self.worst(*which, automaton, &claimed, length, limits)?,
        };
        let (least, most) = (Number::zero(), natural(length));
        if finding.verdict == Verdict::Holds && claimed.is_vacuous(&least, &most) {
            finding.verdict = Verdict::Vacuous;
            finding.non_vacuous = None;
            finding.details.push(format!(
                "vacuous: 0 ≤ E[M_T] ≤ T = {length} for every mechanism, so this claim says nothing"
            ));
        }
        finding.details.extend(built.notes());
        Ok(finding)
    }
}

impl MistakesCheck {
    fn worst(
        &self,
        which: Which,
        automaton: &Automaton,
        claimed: &Claimed,
        rounds: usize,
        limits: &Limits,
    ) -> Result<Finding, Error> {
        let streams = match which {
            Which::All => Streams::All,
            Which::Realisable => Streams::Realisable(self.subject.class("realisable streams")?),
        };
        let ask = |first: usize| {
            let progress = Progress::default();
            mistakes::worst(automaton, streams, first..=rounds, limits, &progress)
                .map_err(|error| self.subject.fault(&error))
        };
        let mut answers = ask(rounds)?;
        let answer = answers.pop().expect("an answer for one length");
        let name = if which == Which::All { "worst" } else { "worst realisable" };
        let (lower, upper, shown) = match &answer {
            Worst::Exact { mistakes, .. } => {
                (mistakes, mistakes, format!("{name} E[M_T] = {mistakes}"))
            }
            Worst::Between { lower, upper, stopped } => {
                (lower, upper, format!("{lower} ≤ {name} E[M_T] ≤ {upper} ({stopped})"))
            }
        };
        let mut finding = Finding {
            verdict: claimed.decide(lower, upper),
            found: format!("{shown}, T = {rounds}; claimed {claimed}"),
            non_vacuous: None,
            details: Vec::new(),
            values: BTreeMap::new(),
        };
        match answer {
            Worst::Exact { mistakes, attained_by } => {
                finding.values.insert("expected_mistakes".into(), mistakes.to_string());
                let stream = show_stream(automaton.interface(), &attained_by);
                match finding.verdict {
                    Verdict::Holds => {
                        finding.non_vacuous =
                            Some(format!("E[M_T] = {mistakes} of at most {rounds} on {stream}"));
                    }
                    _ if claimed.is_exceeded_by(&mistakes) => {
                        // Mistakes of fewer rounds are among those of T rounds.
                        let shorter = ask(1)?;
                        finding.details.extend(counterexample(automaton, claimed, &shorter));
                    }
                    _ => finding.details.push(format!("attained by {stream}")),
                }
            }
            Worst::Between { lower, upper, .. } => {
                finding.values.insert("lower".into(), lower.to_string());
                finding.values.insert("upper".into(), upper.to_string());
            }
        }
        Ok(finding)
    }
}

/// The shortest stream with more mistakes than claimed.
fn counterexample(automaton: &Automaton, claimed: &Claimed, answers: &[Worst]) -> Option<String> {
    answers.iter().find_map(|answer| match answer {
        Worst::Exact { mistakes, attained_by } if claimed.is_exceeded_by(mistakes) => {
            let stream = show_stream(automaton.interface(), attained_by);
            let rounds = attained_by.len();
            Some(format!("counterexample, T = {rounds}: E[M_T] = {mistakes} on {stream}"))
        }
        _ => None,
    })
}

/// The adversary that a claim names; its streams are realisable where the claim has a class.
pub(super) fn adversary(
    text: &Located<String>,
    subject: &Subject,
    interface: &Interface,
    rounds: usize,
) -> Result<Thirds, Error> {
    let read = || {
        let thirds = Arguments::parse(&text.value)?.over(interface.points(), rounds)?;
        if let Some(class) = subject.names.class() {
            thirds.check_realisable(class)?;
        }
        Ok(thirds)
    };
    read().map_err(|error: Error| {
        let found = error.to_string().replace("\n  help: ", "; ");
        Error::malformed(text.position.clone(), "an adversary", format!("a fault: {found}"))
    })
}

/// The finding where the law of the stream is given.
fn given(claimed: &Claimed, found: &Expected, on: &str) -> Finding {
    let mistakes = &found.mistakes;
    let verdict = claimed.decide(mistakes, mistakes);
    let rounds: Vec<String> = found.rounds.iter().map(ToString::to_string).collect();
    let by_round = format!("a mistake in each round with probability {}", rounds.join(", "));
    Finding {
        verdict,
        found: format!("E[M_T] = {mistakes} on {on}; claimed {claimed}"),
        non_vacuous: (verdict == Verdict::Holds).then(|| by_round.clone()),
        details: if verdict == Verdict::Refuted { vec![by_round] } else { Vec::new() },
        values: BTreeMap::from([("expected_mistakes".into(), mistakes.to_string())]),
    }
}

/// Reads a stream, which holds at least one record.
pub(super) fn stream(text: &Located<String>, interface: &Interface) -> Result<Vec<usize>, Error> {
    let stream = stream::parse(interface, &text.value, &text.position)?;
    if stream.is_empty() {
        return Err(unknown(text.position.clone(), interface, &text.value));
    }
    Ok(stream)
}

fn law(
    examples: &[(String, Located<String>)],
    interface: &Interface,
    scope: &Scope,
) -> Result<Vec<(usize, Number)>, Error> {
    let example = |(name, weight): &(String, Located<String>)| {
        let [record] = stream::parse(interface, name, &weight.position)?[..] else {
            return Err(unknown(weight.position.clone(), interface, name));
        };
        Ok((record, evaluate(weight, scope)?))
    };
    examples.iter().map(example).collect()
}

fn unknown(position: Position, interface: &Interface, name: &str) -> Error {
    let names: Vec<String> =
        (0..interface.records()).take(8).map(|r| stream::name(interface, r)).collect();
    let more = if interface.records() > names.len() { ", …" } else { "" };
    let expected = format!("one of the examples {}{more}", names.join(", "));
    Error::malformed(position, expected, format!("`{name}`"))
}

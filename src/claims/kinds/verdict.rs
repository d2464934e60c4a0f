//! Claims about the worst δ of a mechanism: what `privacy` and `joint-privacy` share.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::exact::{Epsilon, Number};
use crate::limits::{Limits, Progress};
use crate::mechanism::Automaton;
use crate::privacy::{
    Event, Lengths, Neighbour, Neighbours, Notion, Question, Worst, check_streams, event, listed,
    worst_delta,
};

use super::super::{Fields, Finding, Located, Verdict};
use super::bound::{Scope, evaluate};
use super::pairs::{DISTANCE, NEIGHBOURS, PAIRS, Relation};
use super::subject::{
    MECHANISM, ROUNDS, ROUNDS_OR_ALL, STREAMS, Subject, WITH, Which, is_one_shot, show_event,
    show_stream,
};
use super::{Check, Classes, Key, every_length, keys};

/// The keys of a claim about privacy.
pub(super) const KEYS: &[Key] = &[
    MECHANISM,
    keys::CLASS,
    keys::HEADER,
    ROUNDS_OR_ALL,
    Key {
        name: "epsilon",
        grid: true,
        about: "ε ≥ 0: a rational number, or ln(…) of an exact expression",
    },
    Key { name: "delta", grid: true, about: "the claimed δ, an exact expression" },
    Key {
        name: "worst_delta",
        grid: true,
        about: "the claimed least δ, an exact expression; checked for equality",
    },
    STREAMS,
    NEIGHBOURS,
    DISTANCE,
    PAIRS,
    WITH,
];

/// Reads a claim about privacy in the sense of `notion`.
pub(super) fn parse(fields: &mut Fields<'_>, notion: Notion) -> Option<Box<dyn Check>> {
    // `rounds = "all"` is about every number of rounds at once.
    if fields.is_word(ROUNDS.name) {
        return every_length::parse(fields, notion);
    }
    let subject = Subject::parse(fields);
    let rounds = fields.needed_rounds(ROUNDS.name);
    let epsilon = epsilon(fields);
    let (delta, worst) = (fields.expression("delta"), fields.expression("worst_delta"));
    if !fields.has("delta") && !fields.has("worst_delta") {
        fields.missing("one of the keys `delta` and `worst_delta`");
    }
    let streams = streams(fields);
    let relation = Relation::parse(fields, notion)?;
    let check = PrivacyCheck {
        subject: subject?,
        rounds: rounds?,
        question: Question { notion, neighbours: relation.searched(), epsilon: epsilon? },
        relation,
        delta,
        worst,
        streams: streams?,
    };
    Some(Box::new(check))
}

pub(super) fn epsilon(fields: &mut Fields<'_>) -> Option<Epsilon> {
    if !fields.has("epsilon") {
        fields.missing("the key `epsilon`");
    }
    let text = fields.expression("epsilon")?;
    match Epsilon::parse(&text.value) {
        Ok(epsilon) => Some(epsilon),
        Err(error) => {
            let expected = "ε at least 0, as a rational number or as ln(…)";
            fields.refuse(text.position, expected, &format!("`{}`: {error}", text.value));
            None
        }
    }
}

/// The value of an expression for a δ.
///
/// # Errors
/// When it has none, or one below 0.
pub(super) fn delta(expression: &Located<String>, scope: &Scope) -> Result<Number, Error> {
    let value = evaluate(expression, scope)?;
    if value.sign().is_lt() {
        let found = format!("`{}` = {value}", expression.value);
        return Err(Error::malformed(expression.position.clone(), "a δ of at least 0", found));
    }
    Ok(value)
}

pub(super) fn streams(fields: &mut Fields<'_>) -> Option<Which> {
    fields.choice(STREAMS.name, &[("all", Which::All), ("realisable", Which::Realisable)])
}

#[derive(Debug)]
struct PrivacyCheck {
    subject: Subject,
    rounds: usize,
    question: Question,
    relation: Relation,
    delta: Option<Located<String>>,
    worst: Option<Located<String>>,
    streams: Which,
}

/// The claimed numbers.
#[derive(Debug)]
struct Claimed {
    delta: Option<Number>,
    worst: Option<Number>,
}

impl Claimed {
    fn decide(&self, lower: &Number, upper: &Number) -> Verdict {
        let exceeded = self.delta.as_ref().is_some_and(|delta| lower > delta);
        let missed = self.worst.as_ref().is_some_and(|worst| lower > worst || upper < worst);
        if exceeded || missed {
            return Verdict::Refuted;
        }
        let enough = self.delta.as_ref().is_none_or(|delta| upper <= delta);
        let equal = self.worst.as_ref().is_none_or(|worst| lower == worst && upper == worst);
        if enough && equal { Verdict::Holds } else { Verdict::Undecided }
    }

    /// Whether some pair of streams with this divergence refutes the claim.
    fn is_exceeded_by(&self, value: &Number) -> bool {
        self.delta.iter().chain(&self.worst).any(|claimed| value > claimed)
    }

    fn show(&self) -> String {
        let delta = self.delta.as_ref().map(|delta| format!("δ = {delta}"));
        let worst = self.worst.as_ref().map(|worst| format!("worst δ = {worst}"));
        delta.into_iter().chain(worst).collect::<Vec<_>>().join(" and ")
    }
}

impl Check for PrivacyCheck {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let claimed = self.claimed()?;
        let mut options = Subject::options(self.rounds, limits);
        if self.question.neighbours == Neighbours::AddRemove {
            options.sizes = Some(self.rounds - 1..=self.rounds);
        }
        let interface = self.subject.interface(limits)?;
        let pairs = self.relation.pairs(&interface, self.rounds).map_err(|error| match error {
            // A pair has its own place.
            Error::Malformed { .. } => error,
            other => self.subject.fault(&other),
        })?;
        if let Some(pairs) = &pairs {
            let sizes = || pairs.iter().flat_map(|pair| [pair.first.len(), pair.second.len()]);
            options.sizes = sizes().min().zip(sizes().max()).map(|(least, most)| least..=most);
        }
        if pairs.is_none() {
            check_streams(interface.records(), self.rounds)?;
        }
        let built = self.subject.build(&options, limits)?;
        let automaton = &built.automaton;
        let question = &self.question;
        let mut remark = None;
        let answers = if let Some(pairs) = &pairs {
            listed(automaton, &question.epsilon, pairs, limits)
                .map(|(delta, attained_by)| vec![Worst::Exact { delta, attained_by }])
        } else {
            let streams = self.subject.streams(self.streams, automaton.interface(), limits)?;
            let kind = question.neighbours;
            remark = self.subject.independence(automaton, &streams, kind, self.rounds);
            let progress = Progress::default();
            let least = claimed.delta.iter().chain(&claimed.worst).min().cloned();
            let lengths = Lengths { last: self.rounds, from: self.rounds, above: least };
            worst_delta(automaton, &streams, question, &lengths, limits, &progress)
        };
        let answers = answers.map_err(|error| self.subject.fault(&error))?;
        let answer = answers.last().expect("an answer for each length");
        let (lower, upper) = match answer {
            Worst::Exact { delta, .. } => (delta, delta),
            Worst::Between { lower, upper, .. } => (lower, upper),
        };
        let mut finding = Finding {
            verdict: claimed.decide(lower, upper),
            found: format!(
                "{}; claimed {}",
                self.found(answer, pairs.as_ref().map(Vec::len)),
                claimed.show()
            ),
            non_vacuous: None,
            details: Vec::new(),
            values: values(answer),
        };
        if let Some(reason) = self.vacuous(&claimed, answer)
            && finding.verdict == Verdict::Holds
        {
            finding.verdict = Verdict::Vacuous;
            finding.details.push(format!("vacuous: {reason}, so this claim says nothing"));
        }
        if let Worst::Exact { attained_by: Some(pair), .. } = answer {
            let attained = Attained::new(&self.subject, &self.question, automaton, pair, limits)?;
            match finding.verdict {
                Verdict::Holds => finding.non_vacuous = Some(attained.line()),
                Verdict::Refuted => {
                    finding.details.push(format!("attained by: {}", attained.line()));
                }
                _ => {}
            }
        }
        if finding.verdict == Verdict::Refuted
            && let Some((delta, pair)) = shortest(automaton, &answers, &claimed)
        {
            let attained = Attained::new(&self.subject, &self.question, automaton, pair, limits)?;
            let rounds = pair.first.len().max(pair.second.len());
            finding.details.push(format!("counterexample, T = {rounds}: {}", attained.line()));
            finding.details.push(
                attained.inequality(&self.question, claimed.delta.iter().chain(&claimed.worst)),
            );
            finding.values.insert("counterexample_delta".into(), delta.to_string());
        }
        finding.details.extend(built.notes());
        finding.details.extend(remark);
        Ok(finding)
    }
}

impl PrivacyCheck {
    fn claimed(&self) -> Result<Claimed, Error> {
        let expressions = || self.delta.iter().chain(&self.worst);
        let mut scope: Scope = self.subject.scope(Some(self.rounds), expressions())?;
        if let Epsilon::Rational(epsilon) = &self.question.epsilon {
            scope.insert("epsilon".into(), epsilon.clone().into());
        }
        scope.insert("exp_epsilon".into(), self.question.epsilon.factor());
        let value = |expression: &Option<Located<String>>| -> Result<Option<Number>, Error> {
            expression.as_ref().map(|expression| delta(expression, &scope)).transpose()
        };
        Ok(Claimed { delta: value(&self.delta)?, worst: value(&self.worst)? })
    }

    /// Why the claim would be true of every mechanism, if it would.
    fn vacuous(&self, claimed: &Claimed, answer: &Worst) -> Option<String> {
        if matches!(answer, Worst::Exact { attained_by: None, .. }) {
            return Some("no two streams are neighbours".into());
        }
        let delta = claimed.delta.as_ref()?;
        if *delta >= Number::one() {
            return Some("no divergence exceeds 1".into());
        }
        (self.question.notion == Notion::Joint && self.rounds == 1)
            .then(|| "with T = 1 no output is left to compare".into())
    }

    fn found(&self, answer: &Worst, pairs: Option<usize>) -> String {
        let at = format!("at ε = {}, T = {}", self.question.epsilon, self.rounds);
        let streams = match (self.streams, pairs) {
            (Which::All, None) => String::new(),
            (Which::Realisable, None) => " on realisable streams".into(),
            (_, Some(number)) => format!(" over {number} pairs of data sets"),
        };
        match answer {
            Worst::Exact { delta, .. } => format!("worst δ = {delta} {at}{streams}"),
            Worst::Between { lower, upper, stopped, .. } => {
                format!("{lower} ≤ worst δ ≤ {upper} {at}{streams} ({stopped})")
            }
        }
    }
}

/// The pair of the shortest streams that shows the claim to be false.
///
/// Outputs of fewer rounds are part of those of T rounds; but a one-shot mechanism with fewer
/// records is another question.
fn shortest<'w>(
    automaton: &Automaton,
    answers: &'w [Worst],
    claimed: &Claimed,
) -> Option<(&'w Number, &'w Neighbour)> {
    let first = if is_one_shot(automaton.interface()) { answers.len() - 1 } else { 0 };
    answers[first..].iter().find_map(|answer| match answer {
        Worst::Exact { delta, attained_by: Some(pair) }
        | Worst::Between { lower: delta, attained_by: Some(pair), .. }
            if claimed.is_exceeded_by(delta) =>
        {
            Some((delta, pair))
        }
        _ => None,
    })
}

fn values(answer: &Worst) -> BTreeMap<String, String> {
    match answer {
        Worst::Exact { delta, .. } => BTreeMap::from([("worst_delta".into(), delta.to_string())]),
        Worst::Between { lower, upper, .. } => BTreeMap::from([
            ("lower".into(), lower.to_string()),
            ("upper".into(), upper.to_string()),
        ]),
    }
}

/// A pair of streams with the event that tells them apart.
pub(super) struct Attained {
    streams: String,
    event: String,
    found: Event,
}

impl Attained {
    pub(super) fn new(
        subject: &Subject,
        question: &Question,
        automaton: &Automaton,
        pair: &Neighbour,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let found = event(automaton, question, pair, &mut limits.meter())
            .map_err(|error| subject.fault(&error))?;
        let joint = question.notion == Notion::Joint;
        let dropped = (joint && !is_one_shot(automaton.interface())).then_some(found.round);
        let stream = |stream: &[usize]| show_stream(automaton.interface(), stream);
        Ok(Self {
            streams: format!("{} against {}", stream(&pair.first), stream(&pair.second)),
            event: show_event(automaton, &found.words, dropped),
            found,
        })
    }

    pub(super) fn line(&self) -> String {
        let Event { words, first, second, .. } = &self.found;
        if words.is_empty() {
            return format!("{}: no event has a divergence above 0", self.streams);
        }
        let (streams, event) = (&self.streams, &self.event);
        format!("{streams}: the event {event} has probability {first} against {second}")
    }

    /// That the divergence exceeds one of the claimed numbers.
    pub(super) fn inequality<'c>(
        &self,
        question: &Question,
        mut claimed: impl Iterator<Item = &'c Number>,
    ) -> String {
        let Event { first, second, divergence, .. } = &self.found;
        let factor = question.epsilon.shown_factor();
        let exceeded = claimed.find(|c| divergence > c);
        let bound = exceeded.map_or_else(String::new, |bound| format!(" > {bound}"));
        format!("{first} - {factor} * {second} = {divergence}{bound}")
    }
}

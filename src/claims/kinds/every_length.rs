//! Claims about privacy at every number of rounds: `rounds = "all"` in the kinds `privacy` and
//! `joint-privacy`.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::exact::Number;
use crate::limits::{Limits, Progress};
use crate::mechanism::{Automaton, Mechanism as _, Options, compile, every_length_covered, stream};
use crate::privacy::{self, Every, Notion, Question, Split, Worst, every_length_of};

use super::super::{Fields, Finding, Located, Verdict};
use super::bound::Scope;
use super::pairs::Relation;
use super::subject::{ROUNDS_OR_ALL, Subject, Which, notes};
use super::verdict::{Attained, epsilon, streams};
use super::{Check, Classes};

/// Reads a claim about every number of rounds.
pub(super) fn parse(fields: &mut Fields<'_>, notion: Notion) -> Option<Box<dyn Check>> {
    let rounds = fields.choice(ROUNDS_OR_ALL.name, &[("all", ())]);
    let subject = Subject::parse(fields);
    let (epsilon, delta) = (epsilon(fields), fields.expression("delta"));
    if !fields.has("delta") {
        fields.missing("the key `delta`");
    }
    if let Some(worst) = fields.expression("worst_delta") {
        let expected = "no `worst_delta` with `rounds = \"all\"`, as only a bound is found";
        fields.refuse(worst.position, expected, &format!("`{}`", worst.value));
        return None;
    }
    let streams = streams(fields);
    let Relation::Searched(neighbours) = Relation::parse(fields, notion)? else {
        let expected = "`replacement` or `add-remove` neighbours with `rounds = \"all\"`";
        fields.refuse(fields.position(), expected, "other ones");
        return None;
    };
    rounds?;
    let check = EveryLength {
        subject: subject?,
        question: Question { notion, neighbours, epsilon: epsilon? },
        delta: delta?,
        streams: streams?,
    };
    Some(Box::new(check))
}

#[derive(Debug)]
struct EveryLength {
    subject: Subject,
    question: Question,
    delta: Located<String>,
    streams: Which,
}

impl Check for EveryLength {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let delta = self.delta()?;
        let (mechanism, _) = self.subject.resolve(limits)?;
        let fault = |error: Error| self.subject.fault(&error);
        every_length_covered(mechanism.rounds()).map_err(fault)?;
        let streams = self.subject.streams(self.streams, mechanism.interface(), limits)?;
        let (question, progress) = (&self.question, Progress::default());
        let neighbours = question.neighbours;
        let build = |options: &Options| compile(&mechanism, options);
        let (automaton, every) =
            every_length_of(&build, &streams, question, &delta, limits, &progress)
                .map_err(fault)?;
        let mut finding = self.finding(&automaton, &every, &delta);
        if let Some(pair) = &every.counterexample {
            let attained = Attained::new(&self.subject, question, &automaton, pair, limits)?;
            let rounds = pair.first.len().max(pair.second.len());
            if let Some(Worst::Exact { delta, .. }) = &every.worst {
                finding.details.push(format!("worst δ at T = {rounds}: {delta}"));
            }
            finding.details.push(format!("counterexample, T = {rounds}: {}", attained.line()));
            finding.details.push(attained.inequality(question, [&delta].into_iter()));
        }
        finding.details.extend(notes(&mechanism.remarks()));
        let last = privacy::MAX_ROUNDS;
        finding.details.extend(self.subject.independence(&automaton, &streams, neighbours, last));
        Ok(finding)
    }
}

impl EveryLength {
    fn delta(&self) -> Result<Number, Error> {
        let mut scope: Scope = self.subject.scope(None, [&self.delta].into_iter())?;
        scope.insert("exp_epsilon".into(), self.question.epsilon.factor());
        super::verdict::delta(&self.delta, &scope)
    }

    fn finding(&self, automaton: &Automaton, every: &Every, delta: &Number) -> Finding {
        let verdict = match every.verdict {
            privacy::Verdict::Holds => Verdict::Holds,
            privacy::Verdict::Refuted => Verdict::Refuted,
            privacy::Verdict::Undecided => Verdict::Undecided,
        };
        let bound = every.step.as_ref().map_or_else(
            || "no bound from one step".to_owned(),
            |step| format!("δ ≤ {} at every T by one step", step.bound),
        );
        let ends = every.ends.as_ref().map_or_else(String::new, |ends| {
            format!(", δ ≤ {} by the outputs at the end", ends.bound)
        });
        let direct = match (every.verdict, every.decided) {
            (privacy::Verdict::Holds, _) => String::new(),
            (privacy::Verdict::Refuted, last) => format!("; refuted at T = {last}"),
            (privacy::Verdict::Undecided, last) => format!("; holds up to T = {last}"),
        };
        let stopped = every.stopped.map_or_else(String::new, |stopped| format!(" ({stopped})"));
        let epsilon = &self.question.epsilon;
        let found = format!("{bound}{ends}{direct}{stopped} at ε = {epsilon}; claimed δ = {delta}");
        let split = every.step.as_ref().and_then(|step| step.attained_by.as_ref());
        let line = split.map(|split| show_split(automaton, split));
        let mut finding = Finding {
            verdict,
            found,
            non_vacuous: None,
            details: Vec::new(),
            values: BTreeMap::new(),
        };
        if let Some(step) = &every.step {
            finding.values.insert("step_bound".into(), step.bound.to_string());
        }
        if let Some(ends) = &every.ends {
            finding.values.insert("end_bound".into(), ends.bound.to_string());
        }
        if verdict == Verdict::Holds {
            let vacuous = match (&line, *delta >= Number::one()) {
                (None, _) => Some("no two streams are neighbours"),
                (_, true) => Some("no divergence exceeds 1"),
                _ => None,
            };
            if let Some(reason) = vacuous {
                finding.verdict = Verdict::Vacuous;
                finding.details.push(format!("vacuous: {reason}, so this claim says nothing"));
            }
            finding.non_vacuous = line;
        } else if verdict == Verdict::Undecided {
            finding.details.extend(line.map(|line| format!("the step that is too wide: {line}")));
        }
        finding
    }
}

fn show_split(automaton: &Automaton, split: &Split) -> String {
    let name = |record: Option<usize>| match record {
        Some(record) => stream::name(automaton.interface(), record),
        None => "no record".to_owned(),
    };
    let [first, second] = split.records.map(name);
    format!("{first} against {second} in the state {}", automaton.states()[split.state])
}

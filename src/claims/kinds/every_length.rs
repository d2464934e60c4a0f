//! Claims about privacy at every number of rounds: `rounds = "all"` in the kinds `privacy` and
//! `joint-privacy`.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::exact::Number;
use crate::limits::{Limits, Progress};
use crate::mechanism::{Automaton, Options};
use crate::privacy::{self, DIRECT_ROUNDS, Every, Notion, Question, Split, every_length};

use super::super::{Fields, Finding, Located, Verdict};
use super::bound::Scope;
use super::pairs::Relation;
use super::subject::{ROUNDS_OR_ALL, Subject, Which};
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
    fn load(&mut self, classes: &mut Classes) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let delta = self.delta()?;
        let states = limits.states.map_or(0, |n| usize::try_from(n).unwrap_or(usize::MAX));
        let options = Options::closed(states.max(Options::STATES)).until(limits.deadline);
        let built = self.subject.build(&options, limits)?;
        let automaton = built.automaton.by_role().minimised();
        let streams = self.subject.streams(self.streams, automaton.interface())?;
        let progress = Progress::default();
        let (question, last) = (&self.question, DIRECT_ROUNDS);
        let every = every_length(&automaton, &streams, question, &delta, last, limits, &progress)
            .map_err(|error| self.subject.fault(&error))?;
        let mut finding = self.finding(&automaton, &every, &delta);
        if let Some(pair) = &every.counterexample {
            let attained = Attained::new(&self.subject, question, &automaton, pair)?;
            let rounds = pair.first.len().max(pair.second.len());
            finding.details.push(format!("counterexample, T = {rounds}: {}", attained.line()));
            finding.details.push(attained.inequality(question, [&delta].into_iter()));
        }
        finding.details.extend(built.notes());
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
        let direct = match (every.verdict, every.decided) {
            (privacy::Verdict::Holds, _) => String::new(),
            (privacy::Verdict::Refuted, last) => format!("; refuted at T = {last}"),
            (privacy::Verdict::Undecided, last) => format!("; holds up to T = {last}"),
        };
        let stopped = every.stopped.map_or_else(String::new, |stopped| format!(" ({stopped})"));
        let epsilon = &self.question.epsilon;
        let found = format!("{bound}{direct}{stopped} at ε = {epsilon}; claimed δ = {delta}");
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
            finding.values.insert("step_bound", step.bound.to_string());
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
        Some(record) => automaton.interface().record_name(record),
        None => "no record".to_owned(),
    };
    let [first, second] = split.records.map(name);
    format!("{first} against {second} in the state {}", automaton.states()[split.state])
}

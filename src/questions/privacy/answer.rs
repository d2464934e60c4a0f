//! What is found about privacy, and its JSON.

mod claimed;
mod found;

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::class::Header;
use crate::error::Result;
use crate::exact::Number;
use crate::privacy::{Every, Notion, Verdict, Worst};
use crate::questions::subject::{MechanismName, StreamScope};
use crate::questions::written::{ClassName, Text};
use crate::questions::{Answer as _, Heard, Json as _, Run};

use super::resolved::{Found, Overall, Resolved, Witness};
use super::{PrivacyFiles, told, write_json};
pub(crate) use found::inequality;
use found::{PairFound, RowFound, StepFound, bound, enclosed, pair, row};
pub(super) use found::{records, shown};

/// What was found about the privacy of a mechanism. Numbers are text: p/q, an integer, or an expression
/// such as 3/4 - 1/4*exp(1/2).
#[expect(clippy::option_option, reason = "JSON tells null from what is absent")]
#[derive(Debug, Serialize, JsonSchema)]
pub struct PrivacyAnswer {
    /// The mechanism as it was asked for.
    mechanism: MechanismName,
    /// The class as it was asked for.
    class: Option<ClassName>,
    /// What was said about the first line of the file of the class.
    #[serde(skip_serializing_if = "Option::is_none")]
    header: Option<Text<Header>>,
    /// Definition 2 (whole outputs) or Definition 4 (the answer of the differing round is dropped on
    /// both sides).
    notion: &'static str,
    /// Which streams were compared: replacement, add-remove, adjacent or listed.
    neighbours: &'static str,
    /// Which streams count.
    streams: StreamScope,
    /// The number of rounds, the least and greatest of a table, or all for every number.
    rounds: Value,
    /// ε.
    epsilon: String,
    /// The claimed δ; null when no verdict was asked for.
    delta: Option<String>,
    /// Whether no worst δ was computed.
    decide_only: bool,
    /// The kind of the mechanism.
    kind: &'static str,
    /// Number of states of the automaton.
    states: usize,
    /// The verdict; null when no δ was claimed and the worst δ is known.
    verdict: Option<String>,
    /// The worst δ over all rows; null when it is not known. Absent when δ alone was decided. For every
    /// number of rounds, that of the least number that refutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "probability"))]
    worst_delta: Option<Option<String>>,
    /// Decimals below and above the worst δ, when it is not rational.
    #[serde(skip_serializing_if = "Option::is_none")]
    worst_delta_enclosure: Option<[String; 2]>,
    /// A proved lower bound on the worst δ, when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<String>,
    /// A proved upper bound on the worst δ, when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<String>,
    /// The lexicographically least pair that attains the worst δ; null when it is not known or no
    /// streams are neighbours. Absent when δ alone was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    attained_by: Option<Option<PairFound>>,
    /// The shortest streams that refute; null unless refuted.
    counterexample: Option<PairFound>,
    /// One entry for each number of rounds, when a range was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<Vec<RowFound>>,
    /// For every number of rounds: up to this number each was decided directly; 0 if none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_rounds: Option<usize>,
    /// For every number of rounds: the bound from one step, which holds at every number; null when a
    /// limit was hit first.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<Option<StepFound>>,
    /// For every number of rounds of a one-shot mechanism: a bound at every size from the laws of its
    /// outputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    end_bound: Option<String>,
    #[serde(skip)]
    resolved: Resolved,
    #[serde(skip)]
    found: What,
}

/// What the searches found.
#[derive(Debug)]
enum What {
    Lengths(Box<Found>),
    Every(Box<Every>, Option<Box<Witness>>),
}

impl PrivacyAnswer {
    fn new(resolved: Resolved, found: What) -> Self {
        let asked = &resolved.asked;
        let (first, last) = (resolved.rounds.first, resolved.rounds.last);
        Self {
            mechanism: asked.subject.mechanism.clone(),
            class: asked.subject.class().cloned(),
            header: asked.subject.with.header.header.clone(),
            notion: match resolved.question.notion {
                Notion::Whole => "differential-privacy",
                Notion::Joint => "joint-differential-privacy",
            },
            neighbours: resolved.relation.name(),
            streams: asked.streams,
            rounds: match &found {
                What::Every(..) => "all".into(),
                What::Lengths(_) if resolved.rounds.range => [first, last].into(),
                What::Lengths(_) => last.into(),
            },
            epsilon: resolved.question.epsilon.to_string(),
            delta: asked.delta().map(Number::to_string),
            decide_only: asked.decide_only,
            kind: resolved.automaton.interface().kind().name(),
            states: resolved.automaton.len(),
            verdict: None,
            worst_delta: None,
            worst_delta_enclosure: None,
            lower: None,
            upper: None,
            attained_by: None,
            counterexample: None,
            table: None,
            decided_rounds: None,
            step: None,
            end_bound: None,
            resolved,
            found,
        }
    }

    /// The answer for certain numbers of rounds, with the files that are asked for.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn written(
        resolved: Resolved,
        found: Found,
        files: &PrivacyFiles,
        run: &Run<'_>,
    ) -> Result<Self> {
        if let Some(stopped) = found.stopped {
            run.warn(format!("the worst δ is not known: {stopped}"));
        }
        let certificate = files.certificate.as_deref();
        let answer = Self::of_lengths(resolved, found);
        run.tell(Heard::SoFar(answer.text()));
        answer.write_counterexample(files, run)?;
        if let (Some(path), What::Lengths(found)) = (certificate, &answer.found) {
            told(answer.resolved.certify(found, path, &run.limits)?, path, run);
        }
        Ok(answer)
    }

    fn of_lengths(resolved: Resolved, found: Found) -> Self {
        let mut answer = Self::new(resolved, What::Lengths(Box::new(found)));
        let (resolved, What::Lengths(found)) = (&answer.resolved, &answer.found) else {
            return answer;
        };
        let verdict = found.verdict.or(found.stopped.map(|_| Verdict::Undecided));
        let counterexample = found.counterexample.as_ref().map(|w| pair(resolved, w, true));
        let decide_only = resolved.asked.decide_only;
        let attained_by = found.attained_by.as_ref().map(|w| pair(resolved, w, false));
        let table = (resolved.rounds.range && !decide_only)
            .then(|| found.rows.iter().map(|r| row(resolved, r)).collect());
        match found.overall() {
            Some(Overall::Exact(delta, _)) => {
                let (shown, ends) = enclosed(&delta);
                (answer.worst_delta, answer.worst_delta_enclosure) = (Some(Some(shown)), ends);
            }
            Some(Overall::Between(lower, upper)) => {
                answer.worst_delta = Some(None);
                (answer.lower, answer.upper) = (Some(lower.to_string()), Some(upper.to_string()));
            }
            None => {}
        }
        answer.verdict = verdict.map(|verdict| verdict.to_string());
        answer.attained_by = (!decide_only).then_some(attained_by);
        (answer.counterexample, answer.table) = (counterexample, table);
        answer
    }

    /// The answer about every number of rounds.
    pub(super) fn of_every(resolved: Resolved, every: Every, witness: Option<Witness>) -> Self {
        let counterexample = witness.as_ref().map(|witness| pair(&resolved, witness, true));
        let step = every.step.as_ref().map(|step| bound(&resolved, step));
        let claimed = resolved.asked.delta.is_some();
        let verdict = (claimed || every.step.is_none()).then(|| every.verdict.to_string());
        let worst = match &every.worst {
            Some(Worst::Exact { delta, .. }) => Some(enclosed(delta)),
            _ => None,
        };
        let (decided, ends) =
            (every.decided, every.ends.as_ref().map(|ends| ends.bound.to_string()));
        let mut answer = Self::new(resolved, What::Every(Box::new(every), witness.map(Box::new)));
        if let Some((delta, ends)) = worst {
            (answer.worst_delta, answer.worst_delta_enclosure) = (Some(Some(delta)), ends);
        }
        (answer.verdict, answer.counterexample) = (verdict, counterexample);
        (answer.decided_rounds, answer.step, answer.end_bound) = (Some(decided), Some(step), ends);
        answer
    }

    /// The question with everything it names loaded.
    pub(super) fn resolved(&self) -> &Resolved {
        &self.resolved
    }

    /// What was found about every number of rounds.
    pub(super) fn every(&self) -> Option<(&Every, Option<&Witness>)> {
        match &self.found {
            What::Every(every, witness) => Some((every, witness.as_deref())),
            What::Lengths(_) => None,
        }
    }

    /// What was found about certain numbers of rounds.
    pub(super) fn lengths(&self) -> Option<&Found> {
        match &self.found {
            What::Lengths(found) => Some(found),
            What::Every(..) => None,
        }
    }

    /// Writes the file that `replay` reads, if it was asked for and there is a counterexample.
    pub(super) fn write_counterexample(&self, files: &PrivacyFiles, run: &Run<'_>) -> Result<()> {
        let Some(path) = &files.counterexample else { return Ok(()) };
        let Some(witness) = self.refuting() else {
            run.note("there is no counterexample, and no file was written");
            return Ok(());
        };
        let question = [
            "class",
            "delta",
            "epsilon",
            "header",
            "mechanism",
            "neighbours",
            "notion",
            "rounds",
            "streams",
            "counterexample",
        ];
        let Value::Object(mut object) = self.json() else { return Ok(()) };
        object.retain(|key, _| question.contains(&key.as_str()));
        object.insert("format".into(), 1.into());
        object.insert("command".into(), "verify".into());
        if self.every().is_some() {
            // The file is about streams of its own length.
            object.insert("rounds".into(), length(witness).into());
        }
        write_json(Path::new(path), &object)?;
        run.wrote("counterexample", path);
        Ok(())
    }

    /// The shortest streams that refute the δ.
    fn refuting(&self) -> Option<&Witness> {
        match &self.found {
            What::Lengths(found) => found.counterexample.as_ref(),
            What::Every(_, witness) => witness.as_deref(),
        }
    }
}

/// The number of records of the longer stream.
fn length(witness: &Witness) -> usize {
    witness.pair.first.len().max(witness.pair.second.len())
}

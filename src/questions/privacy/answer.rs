//! What is found about privacy: its JSON, and what claims say of it.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::class::Header;
use crate::error::Result;
use crate::exact::{Epsilon, Number};
use crate::limits::Stopped;
use crate::mechanism::{Kind, stream};
use crate::privacy::{Every, Notion, Split, StepBound, Verdict, Worst};
use crate::questions::blocks::{DIGITS, enclosure, event_text, tuple};
use crate::questions::subject::{MechanismName, StreamScope};
use crate::questions::written::{ClassName, Text};
use crate::questions::{Answer, Claimed, Ending, Heard, Json as _, Known, Run, Trivial, known};
use crate::text::Lines;

use super::resolved::{Found, Overall, Resolved, Row, Witness};
use super::{PrivacyFiles, text, told, write_json};

/// An event with at most so many words is listed.
const LISTED: usize = 4096;

/// A number as text, with decimals below and above one that is not rational.
type Enclosed = (String, Option<[String; 2]>);

fn enclosed(number: &Number) -> Enclosed {
    (number.to_string(), number.as_rational().is_none().then(|| enclosure(number)))
}

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

/// A pair of neighbouring streams with the event {y : P(y) > e^ε·Q(y)}.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PairFound {
    /// The first round in which the streams differ, from 1.
    pub(crate) differing_round: usize,
    /// `first_probability` − e^ε·`second_probability`.
    pub(crate) divergence: String,
    /// Decimals below and above the divergence, when it is not rational.
    #[serde(skip_serializing_if = "Option::is_none")]
    divergence_enclosure: Option<[String; 2]>,
    /// The event.
    event: EventFound,
    /// The stream under which the event is more likely, such as 3:0,1:1.
    first: String,
    /// The probability of the event under the first stream.
    first_probability: String,
    /// Only of a counterexample: P > e^ε·Q + δ with its numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    inequality: Option<String>,
    /// The other stream.
    second: String,
    /// The probability of the event under the second stream.
    second_probability: String,
}

/// A set of outputs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct EventFound {
    /// Number of words; null when they were not enumerated.
    count: Option<usize>,
    /// The outputs, symbol by symbol; a symbol of null is the answer that joint privacy leaves out. Null
    /// when there are more than 4096.
    words: Option<Vec<Vec<Option<String>>>>,
}

/// The answer for one number of rounds.
#[expect(clippy::option_option, reason = "JSON tells null from what is absent")]
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct RowFound {
    /// The number of rounds.
    rounds: usize,
    /// The worst δ; null when it is not known.
    worst_delta: Option<String>,
    /// Decimals below and above the worst δ, when it is not rational.
    #[serde(skip_serializing_if = "Option::is_none")]
    worst_delta_enclosure: Option<[String; 2]>,
    /// A proved lower bound, when the worst δ is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<String>,
    /// A proved upper bound, when the worst δ is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<String>,
    /// Streams that attain the worst δ; null when no streams are neighbours.
    #[serde(skip_serializing_if = "Option::is_none")]
    attained_by: Option<Option<Streams>>,
    /// The verdict, when a δ was claimed.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<String>,
}

/// Two streams.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct Streams {
    /// The one whose outputs are more likely.
    first: String,
    /// The other one.
    second: String,
}

/// The bound from one step.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct StepFound {
    /// The first state, by number, from which two records attain the bound; null when no two records may
    /// stand in one round.
    attained_by: Option<SplitFound>,
    /// The bound on δ.
    bound: String,
    /// Decimals below and above the bound, when it is not rational.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound_enclosure: Option<[String; 2]>,
    /// Number of states before a round that streams reach.
    states: usize,
}

/// Two records at a state.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct SplitFound {
    /// The record that makes what follows more likely; null is an absent one.
    first: Option<String>,
    /// What is shown before the next release, where that says something.
    next: Option<String>,
    /// The other record; null is an absent one.
    second: Option<String>,
    /// The state before the round.
    state: String,
}

impl PrivacyAnswer {
    /// Why no outputs are compared at all, where that is so.
    fn nothing_is_left(&self) -> Option<String> {
        let joint = self.resolved.question.notion == Notion::Joint;
        let one = self.lengths().is_some() && self.resolved.rounds.last == 1;
        (joint && one).then(|| "with T = 1 no output is left to compare".into())
    }

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

    fn verdict(&self) -> Option<Verdict> {
        match &self.found {
            What::Lengths(found) => found.verdict,
            What::Every(every, _) if self.delta.is_some() || every.step.is_none() => {
                Some(every.verdict)
            }
            What::Every(..) => None,
        }
    }

    fn stopped(&self) -> Option<Stopped> {
        match &self.found {
            What::Lengths(found) => found.stopped,
            What::Every(every, _) => every.stopped,
        }
    }

    fn overall(&self) -> Option<Overall> {
        self.lengths().and_then(Found::overall)
    }

    /// A pair and the event that tells its streams apart, in one line.
    fn line(&self, witness: &Witness) -> String {
        let (automaton, event) = (&self.resolved.automaton, &witness.event);
        let interface = automaton.interface();
        let streams = [&witness.pair.first, &witness.pair.second];
        let [first, second] = streams.map(|stream| tuple(interface, stream));
        let streams = format!("{first} against {second}");
        if witness.listed && event.words.is_empty() {
            return format!("{streams}: no event has a divergence above 0");
        }
        let dropped = (self.resolved.question.notion == Notion::Joint).then_some(event.round);
        let shown = if witness.listed {
            event_text(automaton, &event.words, dropped)
        } else {
            text::RULE.to_owned()
        };
        let (p, q) = (&event.first, &event.second);
        format!("{streams}: the event {shown} has probability {p} against {q}")
    }

    /// Two records at a state, from which one step attains its bound.
    fn split(&self) -> Option<String> {
        let split = self.every()?.0.step.as_ref()?.attained_by.as_ref()?;
        let (first, second) = records(&self.resolved, split);
        let state = &self.resolved.automaton.states()[split.state];
        Some(format!("{first} against {second} in the state {state}"))
    }
}

/// The number of records of the longer stream.
fn length(witness: &Witness) -> usize {
    witness.pair.first.len().max(witness.pair.second.len())
}

fn row(resolved: &Resolved, row: &Row) -> RowFound {
    let interface = resolved.automaton.interface();
    let mut found = RowFound {
        rounds: row.rounds,
        worst_delta: None,
        worst_delta_enclosure: None,
        lower: None,
        upper: None,
        attained_by: None,
        verdict: row.judgement.as_ref().map(|judgement| judgement.verdict.to_string()),
    };
    match &row.worst {
        Worst::Exact { delta, attained_by } => {
            let (shown, ends) = enclosed(delta);
            (found.worst_delta, found.worst_delta_enclosure) = (Some(shown), ends);
            found.attained_by = Some(attained_by.as_ref().map(|pair| Streams {
                first: stream::write(interface, &pair.first),
                second: stream::write(interface, &pair.second),
            }));
        }
        Worst::Between { lower, upper, .. } => {
            (found.lower, found.upper) = (Some(lower.to_string()), Some(upper.to_string()));
        }
    }
    found
}

fn pair(resolved: &Resolved, witness: &Witness, refutes: bool) -> PairFound {
    let interface = resolved.automaton.interface();
    let event = &witness.event;
    let words = (witness.listed && event.words.len() <= LISTED).then(|| {
        let symbols = |word: &Vec<usize>| {
            let symbols = text::symbols(resolved, event, word).into_iter();
            symbols.map(|symbol| symbol.map(str::to_owned)).collect()
        };
        event.words.iter().map(symbols).collect()
    });
    let (divergence, divergence_enclosure) = enclosed(&event.divergence);
    let delta = resolved.asked.delta().filter(|_| refutes);
    let epsilon = &resolved.question.epsilon;
    PairFound {
        differing_round: event.round + 1,
        divergence,
        divergence_enclosure,
        event: EventFound { count: witness.listed.then_some(event.words.len()), words },
        first: stream::write(interface, &witness.pair.first),
        first_probability: event.first.to_string(),
        inequality: delta.map(|delta| inequality(&event.first, &event.second, epsilon, delta).1),
        second: stream::write(interface, &witness.pair.second),
        second_probability: event.second.to_string(),
    }
}

fn bound(resolved: &Resolved, step: &StepBound) -> StepFound {
    let (bound, bound_enclosure) = enclosed(&step.bound);
    let interface = resolved.automaton.interface();
    let attained_by = step.attained_by.as_ref().map(|split| {
        let [first, second] =
            split.records.map(|record| record.map(|record| stream::name(interface, record)));
        let state = resolved.automaton.states()[split.state].clone();
        SplitFound { first, next: shown(resolved, split), second, state }
    });
    StepFound { attained_by, bound, bound_enclosure, states: step.states }
}

/// The two records of a step by name.
pub(super) fn records(resolved: &Resolved, split: &Split) -> (String, String) {
    let name = |record: Option<usize>| match record {
        Some(record) => stream::name(resolved.automaton.interface(), record),
        None => "no record".to_owned(),
    };
    (name(split.records[0]), name(split.records[1]))
}

/// What is shown before the next release, where that says something.
pub(super) fn shown(resolved: &Resolved, split: &Split) -> Option<String> {
    let interface = resolved.automaton.interface();
    if !matches!(interface.kind(), Kind::Predictor | Kind::Transducer) {
        return None;
    }
    let name = interface.before().get(split.next?)?.clone();
    (!name.is_empty()).then_some(name)
}

/// The inequality of Definitions 2 and 4 with its numbers, such as `3/8 > 3/2 · 1/8 + 1/10 =
/// 23/80`, whichever way it goes.
pub(crate) fn inequality(
    first: &Number,
    second: &Number,
    epsilon: &Epsilon,
    delta: &Number,
) -> (bool, String) {
    let right = &(&epsilon.factor() * second) + delta;
    let exceeds = *first > right;
    let sign = if exceeds { ">" } else { "≤" };
    let right = match right.as_rational() {
        Some(_) => right.to_string(),
        None => right.decimal(DIGITS),
    };
    let left = match first.as_rational() {
        Some(_) => first.to_string(),
        None => format!("{first} = {}", first.decimal(DIGITS)),
    };
    // A sum of terms needs brackets as a factor.
    let second = match second.as_rational() {
        Some(_) => second.to_string(),
        None => format!("({second})"),
    };
    let factor = epsilon.shown_factor();
    (exceeds, format!("{left} {sign} {factor} · {second} + {delta} = {right}"))
}

impl Answer for PrivacyAnswer {
    fn ending(&self) -> Ending {
        match (self.verdict(), self.stopped()) {
            (Some(Verdict::Holds), _) => Ending::Holds,
            (Some(Verdict::Refuted), _) => Ending::Refuted,
            // What is decided directly has an end as well.
            (Some(Verdict::Undecided), stopped) => {
                Ending::Undecided(stopped.unwrap_or(Stopped::Bounds))
            }
            (None, Some(stopped)) if self.every().is_none() => Ending::Undecided(stopped),
            (None, _) => Ending::Found,
        }
    }

    fn text(&self) -> Lines {
        let resolved = &self.resolved;
        match &self.found {
            What::Lengths(found) => text::lengths(resolved, found),
            What::Every(every, witness) => text::every(resolved, every, witness.as_deref()),
        }
    }

    fn found(&self) -> String {
        let stopped = self.stopped().map_or_else(String::new, |stopped| format!(" ({stopped})"));
        let (setting, claimed) = (self.setting(), self.delta.as_deref().unwrap_or_default());
        let found = match (&self.found, self.overall()) {
            (What::Every(every, _), _) => {
                let bound = every.step.as_ref().map_or_else(
                    || "no bound from one step".to_owned(),
                    |step| format!("δ ≤ {} at every T by one step", step.bound),
                );
                let ends = every.ends.as_ref().map_or_else(String::new, |ends| {
                    format!(", δ ≤ {} by the outputs at the end", ends.bound)
                });
                let direct = match (every.verdict, every.decided) {
                    (Verdict::Holds, _) => String::new(),
                    (Verdict::Refuted, last) => format!("; refuted at T = {last}"),
                    (Verdict::Undecided, last) => format!("; holds up to T = {last}"),
                };
                format!("{bound}{ends}{direct}{stopped}{setting}")
            }
            (_, Some(Overall::Exact(delta, _))) => format!("worst δ = {delta}{setting}"),
            (_, Some(Overall::Between(lower, upper))) => {
                format!("{lower} ≤ worst δ ≤ {upper}{setting}{stopped}")
            }
            (What::Lengths(found), None) => match found.verdict {
                Some(Verdict::Refuted) => format!("a divergence exceeds δ{setting}"),
                Some(Verdict::Holds) => format!("no divergence exceeds δ{setting}"),
                _ => format!("not decided{setting}{stopped}"),
            },
        };
        format!("{found}; claimed δ = {claimed}")
    }

    fn setting(&self) -> String {
        let resolved = &self.resolved;
        let epsilon = format!(" at ε = {}", resolved.question.epsilon);
        let rounds = match (&self.found, resolved.rounds.range) {
            (What::Every(..), _) => return epsilon,
            (_, true) => format!("{}..{}", resolved.rounds.first, resolved.rounds.last),
            (_, false) => resolved.rounds.last.to_string(),
        };
        let streams = match (resolved.asked.streams, resolved.relation.pairs()) {
            (_, Some(pairs)) => format!(" over {} pairs of data sets", pairs.len()),
            (StreamScope::All, None) => String::new(),
            (StreamScope::Realisable, None) => " on realisable streams".into(),
        };
        format!("{epsilon}, T = {rounds}{streams}")
    }

    fn symbol(&self, path: &str) -> String {
        if path == "worst_delta" { "worst δ".into() } else { path.to_owned() }
    }

    fn known(&self, path: &str) -> Option<Known> {
        match (path, self.overall()) {
            ("worst_delta", Some(overall)) => {
                let (lower, upper) = overall.bounds();
                Some(Known::Between(lower, upper))
            }
            _ => known::at(&self.json(), path),
        }
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        (path == "worst_delta").then(|| Trivial {
            lower: Some(Number::zero()),
            upper: Some(Number::one()),
            reason: "0 ≤ worst δ ≤ 1 for every mechanism".into(),
        })
    }

    fn moot(&self, path: &str) -> Option<String> {
        self.nothing_is_left().filter(|_| path == "worst_delta")
    }

    fn vacuous(&self) -> Option<String> {
        if self.resolved.asked.delta().is_some_and(|delta| *delta >= Number::one()) {
            return Some("no divergence exceeds 1".into());
        }
        self.nothing_is_left()
    }

    fn nothing(&self) -> Option<String> {
        let alone = match (&self.found, self.overall()) {
            (What::Every(every, _), _) => {
                every.step.as_ref().is_some_and(|step| step.attained_by.is_none())
            }
            (_, overall) => matches!(overall, Some(Overall::Exact(_, None))),
        };
        alone.then(|| "no two streams are neighbours".into())
    }

    fn evidence(&self) -> Option<String> {
        match &self.found {
            What::Lengths(found) => found.attained_by.as_ref().map(|witness| self.line(witness)),
            What::Every(..) => self.split(),
        }
    }

    fn counterexample(&self, path: &str, claimed: &Claimed, _run: &Run<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        let exceeded = match path {
            "verdict" => self.refuting().zip(self.resolved.asked.delta()),
            "worst_delta" => {
                let excessive = self.lengths().and_then(|found| found.excessive.as_ref());
                excessive.zip(claimed.ceiling())
            }
            _ => None,
        };
        match &self.found {
            What::Lengths(found) => {
                let attained = found.attained_by.as_ref();
                lines.extend(attained.map(|w| format!("attained by: {}", self.line(w))));
            }
            What::Every(every, _) => {
                if let Some(Worst::Exact { delta, .. }) = &every.worst {
                    lines.push(format!("worst δ at T = {}: {delta}", every.decided));
                }
            }
        }
        if let Some((witness, bound)) = exceeded {
            let rounds = length(witness);
            lines.push(format!("counterexample, T = {rounds}: {}", self.line(witness)));
            let factor = self.resolved.question.epsilon.shown_factor();
            let event = &witness.event;
            let (p, q, divergence) = (&event.first, &event.second, &event.divergence);
            lines.push(format!("{p} - {factor} * {q} = {divergence} > {bound}"));
        }
        lines
    }

    fn remarks(&self) -> Vec<String> {
        let wide = self.every().is_some() && self.verdict() == Some(Verdict::Undecided);
        let line = self.split().filter(|_| wide);
        line.map(|line| format!("the step that is too wide: {line}")).into_iter().collect()
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        let number = |key: &'static str, value: &Option<String>| Some((key, value.clone()?));
        let step = self.step.as_ref().and_then(|step| step.as_ref());
        let counterexample = self.refuting().map(|witness| witness.event.divergence.to_string());
        let values = [
            number("worst_delta", &self.worst_delta.clone().flatten()),
            number("lower", &self.lower),
            number("upper", &self.upper),
            number("step_bound", &step.map(|step| step.bound.clone())),
            number("end_bound", &self.end_bound),
            number("counterexample_delta", &counterexample),
        ];
        values.into_iter().flatten().collect()
    }
}

//! Expected mistakes, for one number of rounds or a table of several.

use std::rc::Rc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::exact::Number;
use crate::limits::Stopped;
use crate::mechanism::{Automaton, stream};
use crate::mistakes::{self, Worst};
use crate::text::Lines;

use super::super::blocks::{self, tuple, with_decimal};
use super::super::phases::PathFound;
use super::super::subject::{MechanismName, Rounds, StreamScope, Subject};
use super::super::written::ClassName;
use super::super::{
    Answer, Claimed, Ending, Exact, Json as _, Known, Run, Trivial, known, known::size,
};
use super::MistakesQuestion;
use super::adversary::{Adversary, Found, Interval, worst_of};

/// Expected mistakes against an oblivious adversary.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MistakesAnswer {
    /// `oblivious`: the stream, or the law it is drawn from, is fixed in advance and does not depend
    /// on what the mechanism releases.
    adversary: &'static str,
    /// The class as it was asked for.
    class: Option<ClassName>,
    /// What the mechanism is: a learner or a predictor.
    kind: &'static str,
    /// The mechanism as it was asked for.
    mechanism: MechanismName,
    /// `given`: the stream that was given. `realisable`, `all`: the worst of these. `iid`: independent
    /// examples of one law. `listed`: drawn from a listed law. `thirds`: Algorithm 1. `phases`:
    /// Theorem 2's stream for the learner.
    streams: &'static str,
    /// The answer for one number of rounds.
    #[serde(flatten)]
    one: Option<MistakesRow>,
    /// For a range of rounds: one row a number of rounds, in increasing order.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<Vec<MistakesRow>>,
    #[serde(skip)]
    named: String,
    #[serde(skip)]
    played: Rc<Played>,
}

/// Expected mistakes for one number of rounds.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MistakesRow {
    /// The number T of rounds.
    rounds: usize,
    /// The expected number of mistakes; null when a limit was hit.
    #[schemars(extend("format" = "amount"))]
    expected_mistakes: Option<Exact>,
    /// For each round, the probability of a mistake; null when a limit was hit.
    #[schemars(extend("format" = "probability"))]
    mistake_probabilities: Option<Vec<Exact>>,
    /// When a limit was hit, the proved lower bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<Exact>,
    /// When a limit was hit, the proved upper bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<Exact>,
    /// `undecided` when a limit was hit.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    /// For `thirds`, the expected mistakes on the examples of each stage.
    #[serde(skip_serializing_if = "Option::is_none")]
    stages: Option<Vec<Exact>>,
    /// The stream: the one that was given, the worst, or that of Theorem 2.
    stream: Option<Vec<String>>,
    #[serde(flatten)]
    path: Option<PathFound>,
}

/// What the answer is about, and what was found for each number of rounds.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) automaton: Automaton,
    pub(super) subject: Subject,
    pub(super) adversary: Adversary,
    pub(super) found: Vec<Found>,
}

impl Played {
    pub(super) fn stopped(&self) -> Option<Stopped> {
        self.found.iter().find_map(|row| row.mistakes.as_ref().err()).map(|i| i.stopped)
    }

    fn row(&self, found: &Found) -> MistakesRow {
        let exact = |number: &Number| Exact(number.clone());
        let list = |numbers: &[Number]| numbers.iter().map(exact).collect();
        let (known, open) = (found.mistakes.as_ref().ok(), found.mistakes.as_ref().err());
        let interface = self.automaton.interface();
        let example = |record: &usize| stream::name(interface, *record);
        MistakesRow {
            rounds: found.rounds,
            expected_mistakes: known.map(|known| exact(&known.mistakes)),
            mistake_probabilities: known.map(|known| list(&known.rounds)),
            lower: open.map(|open| exact(&open.lower)),
            upper: open.map(|open| exact(&open.upper)),
            verdict: open.map(|_| "undecided"),
            stages: (!found.stages.is_empty()).then(|| list(&found.stages)),
            stream: found.stream.as_ref().map(|stream| stream.iter().map(example).collect()),
            path: found.phases.as_ref().map(|p| PathFound::new(p, &self.subject.points())),
        }
    }

    /// The shortest stream with more mistakes than claimed: mistakes of fewer rounds are among those
    /// of T rounds.
    fn shortest(&self, claimed: &Claimed, run: &Run<'_>) -> Option<String> {
        let (Adversary::Worst(scope), last) = (&self.adversary, self.found.last()?) else {
            return None;
        };
        let streams = worst_of(*scope, &self.subject).ok()?;
        let (limits, progress) = (&run.limits, &run.progress);
        let all = mistakes::worst(&self.automaton, streams, 1..=last.rounds, limits, progress);
        all.ok()?.into_iter().find_map(|worst| match worst {
            Worst::Exact { mistakes, attained_by }
                if claimed.ceiling().is_some_and(|most| mistakes > *most) =>
            {
                let stream = tuple(self.automaton.interface(), &attained_by);
                let rounds = attained_by.len();
                Some(format!("counterexample, T = {rounds}: E[M_T] = {mistakes} on {stream}"))
            }
            _ => None,
        })
    }
}

impl MistakesAnswer {
    pub(super) fn new(asked: &MistakesQuestion, played: Rc<Played>, rounds: Rounds) -> Self {
        let mut rows: Vec<MistakesRow> = played.found.iter().map(|row| played.row(row)).collect();
        let (one, table) = if rounds.range { (None, Some(rows)) } else { (rows.pop(), None) };
        Self {
            adversary: "oblivious",
            class: asked.subject.class().cloned(),
            kind: played.automaton.interface().kind().name(),
            mechanism: asked.subject.mechanism.clone(),
            streams: played.adversary.name(),
            one,
            table,
            named: asked.adversary.as_ref().map_or_else(String::new, ToString::to_string),
            played,
        }
    }

    /// What was found where one number of rounds was asked for.
    fn single(&self) -> Option<&Found> {
        self.played.found.first().filter(|_| self.one.is_some())
    }

    fn lines(&self, found: &Found, text: &mut Lines) {
        let interface = self.played.automaton.interface();
        let expected = match &found.mistakes {
            Ok(expected) => expected,
            Err(Interval { lower, upper, .. }) => {
                writeln!(text, "{lower} ≤ expected mistakes ≤ {upper}");
                return;
            }
        };
        if let Some(records) = &found.stream {
            writeln!(text, "stream: {}", stream::write(interface, records));
        }
        for (round, p) in expected.rounds.iter().enumerate() {
            let example = found.stream.as_ref().map_or_else(String::new, |records| {
                format!(" ({})", stream::name(interface, records[round]))
            });
            writeln!(text, "round {}{example}: {}", round + 1, with_decimal(p));
        }
        for (stage, mistakes) in found.stages.iter().enumerate() {
            let mistakes = with_decimal(mistakes);
            writeln!(text, "on the examples of stage {}: {mistakes}", stage + 1);
        }
        if let Some(path) = self.one.as_ref().and_then(|row| row.path.as_ref()) {
            path.lines(text);
        }
        writeln!(text, "expected mistakes: {}", with_decimal(&expected.mistakes));
    }

    fn rows(&self, text: &mut Lines) {
        let interface = self.played.automaton.interface();
        let rows = &self.played.found;
        let with_stream = rows.iter().any(|row| row.stream.is_some());
        let cells = |row: &Found| {
            let mistakes = match &row.mistakes {
                Ok(expected) => with_decimal(&expected.mistakes),
                Err(Interval { lower, upper, .. }) => format!("{lower} to {upper}"),
            };
            let stream = row.stream.as_ref();
            let stream = stream.map_or("-".into(), |stream| stream::write(interface, stream));
            [row.rounds.to_string(), mistakes, stream]
        };
        let mut cells: Vec<[String; 3]> = rows.iter().map(cells).collect();
        cells.insert(0, ["rounds", "expected mistakes", "stream"].map(String::from));
        let width = |at: usize| cells.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
        let (first, second) = (width(0), width(1));
        for [rounds, mistakes, stream] in &cells {
            let stream = if with_stream { stream } else { "" };
            let line = format!("{rounds:>first$}  {mistakes:<second$}  {stream}");
            text.push(line.trim_end());
        }
    }
}

impl Answer for MistakesAnswer {
    fn ending(&self) -> Ending {
        self.played.stopped().map_or(Ending::Found, Ending::Undecided)
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        writeln!(text, "mechanism: {} ({})", self.mechanism, self.kind);
        if let Some(name) = &self.class {
            text.push(&blocks::class_line(name.as_str(), &self.played.subject.points()));
        }
        writeln!(text, "streams: {}", self.streams);
        text.push("adversary: oblivious (the stream is fixed in advance)");
        match self.single() {
            Some(found) => self.lines(found, &mut text),
            None => self.rows(&mut text),
        }
        text
    }

    fn known(&self, path: &str) -> Option<Known> {
        match self.single().map(|found| &found.mistakes) {
            Some(Err(Interval { lower, upper, .. })) if path == "expected_mistakes" => {
                Some(Known::Between(lower.clone(), upper.clone()))
            }
            _ => known::at(&self.json(), path),
        }
    }

    fn symbol(&self, path: &str) -> String {
        match (path, &self.played.adversary) {
            ("expected_mistakes", Adversary::Worst(StreamScope::All)) => "worst E[M_T]".into(),
            ("expected_mistakes", Adversary::Worst(StreamScope::Realisable)) => {
                "worst realisable E[M_T]".into()
            }
            ("expected_mistakes", _) => "E[M_T]".into(),
            _ => path.to_owned(),
        }
    }

    fn names(&self) -> Vec<(&'static str, Number)> {
        let found = self.single().into_iter();
        found.map(|found| ("T", size(found.rounds))).collect()
    }

    fn setting(&self) -> String {
        let Some(found) = self.single() else { return String::new() };
        let rounds = found.rounds;
        match (&self.played.adversary, &found.stream) {
            (Adversary::Worst(_), _) => format!(", T = {rounds}"),
            (_, Some(stream)) => {
                format!(" on {}", tuple(self.played.automaton.interface(), stream))
            }
            (Adversary::Iid(_), _) => format!(" on {rounds} independent examples"),
            (Adversary::Listed(_), _) => format!(" on the listed law, T = {rounds}"),
            _ => format!(" on {} of {rounds} rounds", self.named),
        }
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        let rounds = self.single().filter(|_| path == "expected_mistakes")?.rounds;
        Some(Trivial {
            lower: Some(Number::zero()),
            upper: Some(size(rounds)),
            reason: format!("0 ≤ E[M_T] ≤ T = {rounds} for every mechanism"),
        })
    }

    fn counterexample(&self, _: &str, claimed: &Claimed, run: &Run<'_>) -> Vec<String> {
        let Some(Found { mistakes: Ok(found), stream: Some(stream), .. }) = self.single() else {
            return self.evidence().into_iter().collect();
        };
        match &self.played.adversary {
            Adversary::Worst(_) if claimed.ceiling().is_some_and(|c| found.mistakes > *c) => {
                self.played.shortest(claimed, run).into_iter().collect()
            }
            Adversary::Worst(_) => {
                vec![format!("attained by {}", tuple(self.played.automaton.interface(), stream))]
            }
            _ => self.evidence().into_iter().collect(),
        }
    }

    fn evidence(&self) -> Option<String> {
        let Found { mistakes: Ok(found), stream, rounds, .. } = self.single()? else { return None };
        if let (Adversary::Worst(_), Some(stream)) = (&self.played.adversary, stream) {
            let stream = tuple(self.played.automaton.interface(), stream);
            return Some(format!("E[M_T] = {} of at most {rounds} on {stream}", found.mistakes));
        }
        let rounds: Vec<String> = found.rounds.iter().map(ToString::to_string).collect();
        Some(format!("a mistake in each round with probability {}", rounds.join(", ")))
    }
}

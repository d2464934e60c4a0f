//! What `verify` computes, and what follows from the answers.

use std::path::Path;

use crate::class::{Class, Header};
use crate::error::{Error, Result};
use crate::exact::Number;
use crate::limits::{Limits, Progress};
use crate::mechanism::{Automaton, Interface, Kind, Options, compile};
use crate::privacy::{
    self, Decision, Judgement, Lengths, Neighbour, Neighbours, Notion, Part, Question, Span,
    Streams, Verdict, Worst, certify,
};
use crate::report::privacy::{self as report, Adjacency, Asked, Found, Overall, Row, Witness};

use super::every::Horizon;
use super::mechanism::{Rounds, Subject};
use super::neighbours::{self, Choice};
use super::output::Output;
use super::progress;
use super::verify::{Args, Scope};

/// The words of an event are listed when there are surely no more than this.
const MAX_WORDS: usize = 1 << 16;

/// What is to be computed.
pub(super) struct Plan {
    /// The mechanism and the class as written.
    pub(super) mechanism: String,
    pub(super) class: Option<String>,
    pub(super) header: Option<Header>,
    pub(super) automaton: Automaton,
    pub(super) question: Question,
    pub(super) streams: Streams,
    /// The class of realisable streams, if only these count.
    pub(super) realisable_by: Option<Class>,
    pub(super) pairs: Option<Vec<Neighbour>>,
    /// Whether these are all adjacent vectors of answers.
    pub(super) adjacent: bool,
    pub(super) rounds: Rounds,
    pub(super) delta: Option<Number>,
    /// The δ to be decided without the worst one.
    pub(super) decided: Option<Number>,
    pub(super) every_length: bool,
    /// The limits of what follows the search, too.
    pub(super) limits: Limits,
}

impl Plan {
    pub(super) fn new(args: &Args, subject: &Subject, limits: &Limits) -> Result<Self> {
        let interface = crate::mechanism::Mechanism::interface(&subject.mechanism);
        let kind = match args.neighbours {
            Choice::All(kind) => kind,
            Choice::Listed(_) | Choice::Adjacent => Neighbours::Replacement,
        };
        let pairs = neighbours::listed(&args.neighbours, interface)?;
        let every_length = args.rounds == Some(Horizon::Every) && pairs.is_none();
        let rounds = lengths(args, pairs.as_deref())?;
        if pairs.is_none() && !every_length {
            privacy::check_streams(interface.records(), rounds.last)?;
        }
        let states = limits.states.map_or(0, |n| usize::try_from(n).unwrap_or(usize::MAX));
        let shorter = usize::from(kind == Neighbours::AddRemove);
        let states = states.max(Options::STATES);
        // Every number of rounds is compiled when it is asked for; until then, one.
        let last = if every_length { 1 } else { rounds.last };
        let sizes = rounds.first - shorter.min(rounds.first)..=last;
        let (last, sizes) = (Some(last), Some(sizes));
        let options = Options { states, rounds: last, sizes, limits: limits.clone() };
        let automaton = compile(&subject.mechanism, &options)?;
        let delta = args.delta.clone();
        automaton.fits([&args.epsilon.factor()].into_iter().chain(&args.delta))?;
        let realisable_by = realisable_by(args.streams, subject)?;
        let streams = streams(interface, realisable_by.as_ref(), limits)?;
        let notion = if args.joint { Notion::Joint } else { Notion::Whole };
        let question = Question { notion, neighbours: kind, epsilon: args.epsilon.clone() };
        if pairs.is_some() && notion == Notion::Joint {
            let message =
                "joint privacy (Definition 4) is a property of predictors and transducers";
            return Err(Error::argument(format!("{message}; this is a {}", interface.kind())));
        }
        Ok(Self {
            mechanism: args.mechanism.mechanism.clone(),
            class: args.mechanism.class.clone(),
            header: args.mechanism.reading.header,
            automaton,
            question,
            streams,
            realisable_by,
            pairs,
            adjacent: args.neighbours == Choice::Adjacent,
            rounds,
            delta,
            decided: args.delta.clone().filter(|_| args.decide_only),
            every_length,
            limits: limits.clone(),
        })
    }

    pub(super) fn asked(&self) -> Asked<'_> {
        Asked {
            mechanism: &self.mechanism,
            class: self.class.as_deref(),
            header: self.header,
            automaton: &self.automaton,
            notion: self.question.notion,
            adjacency: match (&self.pairs, self.question.neighbours) {
                (Some(pairs), _) if self.adjacent => Adjacency::Adjacent(pairs.len()),
                (Some(pairs), _) => Adjacency::Listed(pairs.len()),
                (None, Neighbours::Replacement) => Adjacency::Replacement,
                (None, Neighbours::AddRemove) => Adjacency::AddRemove,
            },
            scope: match self.realisable_by {
                None => report::Scope::All,
                Some(_) => report::Scope::Realisable,
            },
            epsilon: &self.question.epsilon,
            delta: self.delta.as_ref(),
            rounds: (self.rounds.first, self.rounds.last),
            table: self.rounds.range,
            decide_only: self.decided.is_some(),
            every_length: self.every_length,
        }
    }

    pub(super) fn find(&self, limits: &Limits, output: &Output<'_>) -> Result<Found> {
        if let Some(pairs) = &self.pairs {
            return self.listed(pairs, limits);
        }
        let progress = output.progress();
        progress.ask("worst δ");
        progress::watch(output, || {
            if let Some(decision) = self.decide(Part::WHOLE, limits, progress)?
                && let Some(found) = self.decided(decision)?
            {
                return Ok(found);
            }
            self.judged(&self.worst(Part::WHOLE, limits, progress)?)
        })
    }

    /// The worst δ over a part of the pairs, at each length.
    pub(super) fn worst(
        &self,
        part: Part,
        limits: &Limits,
        progress: &Progress,
    ) -> Result<Vec<Worst>> {
        let Self { automaton, question, streams, .. } = self;
        let lengths =
            Lengths { last: self.rounds.last, from: self.rounds.first, above: self.delta.clone() };
        privacy::worst_delta_of(automaton, streams, question, &lengths, part, limits, progress)
    }

    /// What follows from the worst δ at each length.
    pub(super) fn judged(&self, answers: &[Worst]) -> Result<Found> {
        let Self { automaton, streams, .. } = self;
        let judgements = self.delta.as_ref().map(|delta| {
            let one_shot = automaton.interface().kind() == Kind::OneShot;
            let span = if one_shot { Span::Whole } else { Span::Prefixes };
            let continued = |pair: &Neighbour, _: usize| streams.continues(pair);
            privacy::judge(answers, self.rounds.all(), delta, span, &continued)
        });
        let rows: Vec<Row> = self
            .rounds
            .all()
            .map(|rounds| Row {
                rounds,
                worst: answers[rounds - 1].clone(),
                judgement: judgements.as_ref().map(|all| all[rounds - self.rounds.first].clone()),
            })
            .collect();
        let mut found = self.found(rows)?;
        if self.decided.is_some() {
            found.rows.clear();
            found.attained_by = None;
        }
        Ok(found)
    }

    /// Whether δ suffices for a part of the pairs, if that alone was asked.
    pub(super) fn decide(
        &self,
        part: Part,
        limits: &Limits,
        progress: &Progress,
    ) -> Result<Option<Decision>> {
        let Some(delta) = &self.decided else { return Ok(None) };
        let Self { automaton, question, streams, .. } = self;
        let last = self.rounds.last;
        privacy::decide_of(automaton, streams, question, last, delta, part, limits, progress)
            .map(Some)
    }

    /// What follows from a decision; nothing when that does not answer the question.
    pub(super) fn decided(&self, decision: Decision) -> Result<Option<Found>> {
        let mut found = Found {
            rows: Vec::new(),
            attained_by: None,
            verdict: Some(Verdict::Holds),
            counterexample: None,
            stopped: None,
        };
        match decision {
            Decision::Holds => {}
            Decision::Refuted(pair) => {
                if pair.first.len() < self.rounds.last && !self.streams.continues(&pair) {
                    return Ok(None);
                }
                found.verdict = Some(Verdict::Refuted);
                found.counterexample = Some(self.witness(pair)?);
            }
            Decision::Undecided { stopped, .. } => {
                found.verdict = Some(Verdict::Undecided);
                found.stopped = Some(stopped);
            }
        }
        Ok(Some(found))
    }

    fn listed(&self, pairs: &[Neighbour], limits: &Limits) -> Result<Found> {
        let (delta, pair) =
            privacy::listed(&self.automaton, &self.question.epsilon, pairs, limits)?;
        let judgement = self.delta.as_ref().map(|claimed| {
            if delta > *claimed {
                Judgement { verdict: Verdict::Refuted, counterexample: pair.clone() }
            } else {
                Judgement { verdict: Verdict::Holds, counterexample: None }
            }
        });
        let worst = Worst::Exact { delta, attained_by: pair };
        let mut found = self.found(vec![Row { rounds: self.rounds.last, worst, judgement }])?;
        if self.decided.is_some() {
            found.rows.clear();
            found.attained_by = None;
        }
        Ok(found)
    }

    fn found(&self, rows: Vec<Row>) -> Result<Found> {
        let stopped = rows.iter().find_map(|row| match row.worst {
            Worst::Between { stopped, .. } => Some(stopped),
            Worst::Exact { .. } => None,
        });
        let verdicts: Vec<Verdict> =
            rows.iter().filter_map(|row| row.judgement.as_ref()).map(|j| j.verdict).collect();
        let verdict = [Verdict::Refuted, Verdict::Undecided, Verdict::Holds]
            .into_iter()
            .find(|verdict| verdicts.contains(verdict));
        let shortest = rows
            .iter()
            .find_map(|row| row.judgement.as_ref().and_then(|j| j.counterexample.clone()));
        let mut found = Found { rows, attained_by: None, verdict, counterexample: None, stopped };
        found.counterexample = shortest.map(|pair| self.witness(pair)).transpose()?;
        if let Some(Overall::Exact(_, Some(pair))) = found.overall() {
            found.attained_by = match &found.counterexample {
                Some(witness) if witness.pair == pair => Some(witness.clone()),
                _ => Some(self.witness(pair)?),
            };
        }
        Ok(found)
    }

    /// Writes a certificate of what was found, if there is anything to be certified.
    pub(super) fn certify(
        &self,
        asked: &Asked<'_>,
        found: &Found,
        path: &Path,
        output: &mut Output<'_>,
    ) -> Result<()> {
        let verdict = match (found.verdict, &found.counterexample, asked.delta) {
            (Some(Verdict::Holds), _, Some(delta)) => Some((delta, certify::Verdict::Holds)),
            (Some(Verdict::Refuted), Some(witness), Some(delta)) => {
                Some((delta, certify::Verdict::Refuted(&witness.pair)))
            }
            _ => None,
        };
        let worst = found.rows.iter().find_map(|row| match &row.worst {
            Worst::Exact { delta, attained_by } => Some((delta, attained_by.as_ref())),
            Worst::Between { .. } => None,
        });
        if verdict.is_none() && worst.is_none() {
            output.warning("no certificate: nothing was decided");
            return Ok(());
        }
        let realisable_by = self.realisable_by.as_ref();
        let rounds = self.rounds.last;
        let source = asked.mechanism;
        let listed = self.pairs.as_deref();
        let statement =
            certify::Statement { source, realisable_by, listed, rounds, verdict, worst };
        let meter = &mut self.limits.meter();
        certify::write_certificate(&self.automaton, &self.question, &statement, path, meter)?;
        output.wrote("certificate", path);
        Ok(())
    }

    pub(super) fn witness(&self, pair: Neighbour) -> Result<Witness> {
        let counted = match self.question.notion {
            Notion::Whole => pair.first.len(),
            Notion::Joint => pair.first.len().saturating_sub(1),
        };
        let outputs = self.automaton.outputs().len();
        let one_shot = self.automaton.interface().kind() == Kind::OneShot;
        let few = u32::try_from(counted)
            .ok()
            .and_then(|length| outputs.checked_pow(length))
            .is_some_and(|words| words <= MAX_WORDS);
        let listed = one_shot || few;
        let meter = &mut self.limits.meter();
        let event = if listed {
            privacy::event(&self.automaton, &self.question, &pair, meter)?
        } else {
            privacy::event_unlisted(&self.automaton, &self.question, &pair, meter)?
        };
        Ok(Witness { pair, event, listed })
    }
}

/// The class of realisable streams, if only these count.
///
/// # Errors
/// When there is no class, or the mechanism has other records.
pub(super) fn realisable_by(scope: Scope, subject: &Subject) -> Result<Option<Class>> {
    let kind = crate::mechanism::Mechanism::interface(&subject.mechanism).kind();
    match scope {
        Scope::All => Ok(None),
        Scope::Realisable if matches!(kind, Kind::Learner | Kind::Predictor) => {
            Ok(Some(subject.class("realisable streams")?.clone()))
        }
        Scope::Realisable => Err(Error::argument(format!(
            "realisable streams are those of learners and predictors; this is a {kind}"
        ))),
    }
}

/// The streams that count: all, or those that a class realises.
pub(super) fn streams(
    interface: &Interface,
    realisable_by: Option<&Class>,
    limits: &Limits,
) -> Result<Streams> {
    match realisable_by {
        None => Ok(Streams::all(interface.records())),
        Some(class) => Streams::realisable_by(class, interface, limits),
    }
}

/// The lengths of streams: those of `--rounds`, or those of the listed data sets.
fn lengths(args: &Args, pairs: Option<&[Neighbour]>) -> Result<Rounds> {
    match (args.rounds, pairs) {
        (Some(_), Some(_)) => Err(neighbours::sized_twice()),
        (Some(Horizon::Of(rounds)), None) => Ok(rounds),
        (Some(Horizon::Every), None) => {
            Ok(Rounds { first: 1, last: privacy::DIRECT_ROUNDS, range: false })
        }
        (None, None) => Err(Error::argument_with_help(
            "--rounds is missing",
            "give a number of rounds such as `--rounds 4`, a range such as `--rounds 1..6`, or `all`",
        )),
        (None, Some(pairs)) => {
            let (first, last) = neighbours::sizes(pairs).into_inner();
            Ok(Rounds { first, last, range: false })
        }
    }
}

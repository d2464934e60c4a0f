//! The question with everything it names loaded, and what follows from the searches.

use std::path::Path;

use crate::class::Class;
use crate::error::Result;
use crate::exact::Number;
use crate::limits::{Limits, Progress, Stopped};
use crate::mechanism::{Automaton, Kind, Options, compile};
use crate::privacy::{
    self, Decision, Event, Judgement, Lengths, Neighbour, Notion, Part, Span, Streams, Verdict,
    Worst, certify,
};
use crate::questions::Run;
use crate::questions::subject::{Rounds, Subject};

use super::neighbours::Relation;
use super::{Horizon, PrivacyQuestion, states};

/// The words of an event are listed when there are surely no more than this.
const MAX_WORDS: usize = 1 << 16;

/// What is compared, loaded.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) asked: PrivacyQuestion,
    pub(crate) question: privacy::Question,
    pub(crate) automaton: Automaton,
    pub(crate) streams: Streams,
    /// The class of realisable streams, if only these count.
    pub(crate) realisable_by: Option<Class>,
    pub(in crate::questions) relation: Relation,
    pub(crate) rounds: Rounds,
    /// The least number that the worst δ is claimed not to exceed.
    pub(crate) claimed: Option<Number>,
}

/// A pair of streams and what shows its divergence.
#[derive(Debug, Clone)]
pub(crate) struct Witness {
    /// The pair.
    pub(crate) pair: Neighbour,
    /// The event with its probabilities.
    pub(crate) event: Event,
    /// Whether the words of the event are listed; they are not when there may be too many.
    pub(crate) listed: bool,
}

/// The answer for one length.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) rounds: usize,
    pub(crate) worst: Worst,
    /// The verdict, when δ was given.
    pub(crate) judgement: Option<Judgement>,
}

/// What was found about certain lengths.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// One row for each length; none when only the verdict was asked for.
    pub(crate) rows: Vec<Row>,
    /// The pair that attains the worst δ over all rows.
    pub(crate) attained_by: Option<Witness>,
    /// The verdict over all lengths, when δ was given.
    pub(crate) verdict: Option<Verdict>,
    /// When refuted, the shortest streams that show it.
    pub(crate) counterexample: Option<Witness>,
    /// The shortest streams that exceed what is claimed of the worst δ.
    pub(crate) excessive: Option<Witness>,
    /// The limit that was hit.
    pub(crate) stopped: Option<Stopped>,
}

/// The worst δ over all rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Overall {
    /// Known, and a pair of the shortest length that attains it.
    Exact(Number, Option<Neighbour>),
    /// Between the two bounds.
    Between(Number, Number),
}

impl Overall {
    /// The two bounds.
    pub(crate) fn bounds(self) -> (Number, Number) {
        match self {
            Self::Exact(delta, _) => (delta.clone(), delta),
            Self::Between(lower, upper) => (lower, upper),
        }
    }
}

impl Found {
    /// The worst δ over all rows; nothing without rows.
    pub(crate) fn overall(&self) -> Option<Overall> {
        let mut rows = self.rows.iter().map(|row| match &row.worst {
            Worst::Exact { delta, attained_by } => {
                Overall::Exact(delta.clone(), attained_by.clone())
            }
            Worst::Between { lower, upper, .. } => Overall::Between(lower.clone(), upper.clone()),
        });
        let first = rows.next()?;
        Some(rows.fold(first, |best, row| match (best, row) {
            (Overall::Exact(a, by), Overall::Exact(b, other)) => {
                if b > a {
                    Overall::Exact(b, other)
                } else {
                    Overall::Exact(a, by)
                }
            }
            (best, row) => {
                let ((a, b), (c, d)) = (best.bounds(), row.bounds());
                Overall::Between(a.max(c), b.max(d))
            }
        }))
    }
}

impl Resolved {
    /// Loads what the question names.
    pub(super) fn new(asked: &PrivacyQuestion, subject: &Subject, run: &Run<'_>) -> Result<Self> {
        let interface = subject.interface();
        let written = match asked.rounds.as_ref().map(|rounds| rounds.value) {
            Some(Horizon::Of(rounds)) => Some(rounds),
            _ => None,
        };
        let last = written.map(|rounds| rounds.last);
        let relation = asked.given().relation(interface, last, asked.joint, run)?;
        let listed = relation.sizes();
        let sized = listed.clone().map(|sizes| {
            let (first, last) = sizes.into_inner();
            Rounds { first, last, range: false }
        });
        let rounds = written.or(sized).unwrap_or(Rounds { first: 1, last: 1, range: false });
        if listed.is_none() {
            privacy::check_streams(interface.records(), rounds.last)?;
        }
        let shorter = usize::from(relation.kind() == privacy::Neighbours::AddRemove);
        let sizes = listed.unwrap_or(rounds.first - shorter..=rounds.last);
        let (states, limits) = (states(&run.limits), run.limits.clone());
        let options = Options { states, rounds: Some(*sizes.end()), sizes: Some(sizes), limits };
        let automaton = compile(&subject.mechanism, &options)?;
        automaton.fits([&asked.epsilon.value.factor()].into_iter().chain(asked.delta()))?;
        let wanted = run.wanted.iter().filter(|wanted| wanted.path == "worst_delta");
        let claimed = wanted.filter_map(|wanted| wanted.claimed.as_ref()?.ceiling().cloned()).min();
        Ok(Self {
            asked: asked.clone(),
            question: asked.engine(&relation),
            streams: subject.streams(asked.streams, &run.limits)?,
            realisable_by: asked.realisable_by(subject)?,
            automaton,
            relation,
            rounds,
            claimed,
        })
    }

    pub(super) fn find(&self, run: &Run<'_>) -> Result<Found> {
        if let Some(pairs) = self.relation.pairs() {
            return self.listed(pairs, run);
        }
        run.progress.ask("worst δ");
        if let Some(decision) = self.decide(Part::WHOLE, run)?
            && let Some(found) = self.decided(decision, &run.limits)?
        {
            return Ok(found);
        }
        self.judged(&self.worst(Part::WHOLE, run)?, &run.limits)
    }

    /// The worst δ over a part of the pairs, at each length.
    pub(super) fn worst(&self, part: Part, run: &Run<'_>) -> Result<Vec<Worst>> {
        let Self { automaton, question, streams, rounds, .. } = self;
        let above = self.asked.delta().into_iter().chain(&self.claimed).min().cloned();
        let lengths = Lengths { last: rounds.last, from: rounds.first, above };
        let (limits, progress) = (&run.limits, &*run.progress);
        privacy::worst_delta_of(automaton, streams, question, &lengths, part, limits, progress)
    }

    /// Whether δ suffices for a part of the pairs, if that alone was asked.
    pub(super) fn decide(&self, part: Part, run: &Run<'_>) -> Result<Option<Decision>> {
        let Some(delta) = self.asked.decided() else { return Ok(None) };
        let Self { automaton, question, streams, rounds, .. } = self;
        let (limits, progress): (_, &Progress) = (&run.limits, &run.progress);
        let last = rounds.last;
        privacy::decide_of(automaton, streams, question, last, delta, part, limits, progress)
            .map(Some)
    }

    /// What follows from the worst δ at each length.
    pub(crate) fn judged(&self, answers: &[Worst], limits: &Limits) -> Result<Found> {
        // Outputs of fewer rounds are part of those of T rounds; but a one-shot mechanism with fewer
        // records is another question.
        let one_shot = self.automaton.interface().kind() == Kind::OneShot;
        let span = if one_shot { Span::Whole } else { Span::Prefixes };
        let Rounds { first, last, .. } = self.rounds;
        let continued = |pair: &Neighbour, _: usize| self.streams.continues(pair);
        let judge = |delta: &Number| privacy::judge(answers, first..=last, delta, span, &continued);
        let judgements = self.asked.delta().map(judge);
        let rows = (first..=last).map(|rounds| Row {
            rounds,
            worst: answers[rounds - 1].clone(),
            judgement: judgements.as_ref().map(|all| all[rounds - first].clone()),
        });
        let mut found = self.found(rows.collect(), limits)?;
        let excessive = self.claimed.as_ref().map(judge).into_iter().flatten();
        let excessive = excessive.into_iter().find_map(|judgement| judgement.counterexample);
        found.excessive = excessive.map(|pair| self.witness(pair, limits)).transpose()?;
        Ok(found)
    }

    /// What follows from a decision; nothing when that does not answer the question.
    pub(crate) fn decided(&self, decision: Decision, limits: &Limits) -> Result<Option<Found>> {
        let mut found = Found {
            rows: Vec::new(),
            attained_by: None,
            verdict: Some(Verdict::Holds),
            counterexample: None,
            excessive: None,
            stopped: None,
        };
        match decision {
            Decision::Holds => {}
            Decision::Refuted(pair) => {
                if pair.first.len() < self.rounds.last && !self.streams.continues(&pair) {
                    return Ok(None);
                }
                found.verdict = Some(Verdict::Refuted);
                found.counterexample = Some(self.witness(pair, limits)?);
            }
            Decision::Undecided { stopped, .. } => {
                found.verdict = Some(Verdict::Undecided);
                found.stopped = Some(stopped);
            }
        }
        Ok(Some(found))
    }

    fn listed(&self, pairs: &[Neighbour], run: &Run<'_>) -> Result<Found> {
        let limits = &run.limits;
        let (delta, pair) =
            privacy::listed(&self.automaton, &self.question.epsilon, pairs, limits)?;
        let judge = |claimed: &Number| {
            let refuted = delta > *claimed;
            let verdict = if refuted { Verdict::Refuted } else { Verdict::Holds };
            Judgement { verdict, counterexample: pair.clone().filter(|_| refuted) }
        };
        let judgement = self.asked.delta().map(judge);
        let excessive = self.claimed.as_ref().map(judge).and_then(|judged| judged.counterexample);
        let worst = Worst::Exact { delta: delta.clone(), attained_by: pair.clone() };
        let mut found =
            self.found(vec![Row { rounds: self.rounds.last, worst, judgement }], limits)?;
        found.excessive = excessive.map(|pair| self.witness(pair, limits)).transpose()?;
        Ok(found)
    }

    fn found(&self, rows: Vec<Row>, limits: &Limits) -> Result<Found> {
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
        let counterexample = shortest.map(|pair| self.witness(pair, limits)).transpose()?;
        let mut found =
            Found { rows, attained_by: None, verdict, counterexample, excessive: None, stopped };
        if self.asked.decide_only {
            found.rows.clear();
        }
        if let Some(Overall::Exact(_, Some(pair))) = found.overall() {
            found.attained_by = match &found.counterexample {
                Some(witness) if witness.pair == pair => Some(witness.clone()),
                _ => Some(self.witness(pair, limits)?),
            };
        }
        Ok(found)
    }

    /// Writes a certificate of what was found; says whether there was anything to be certified.
    pub(super) fn certify(&self, found: &Found, path: &Path, limits: &Limits) -> Result<bool> {
        let verdict = match (found.verdict, &found.counterexample, self.asked.delta()) {
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
            return Ok(false);
        }
        let statement = certify::Statement {
            source: &self.asked.subject.mechanism.to_string(),
            realisable_by: self.realisable_by.as_ref(),
            listed: self.relation.pairs(),
            rounds: self.rounds.last,
            verdict,
            worst,
        };
        let meter = &mut limits.meter();
        certify::write_certificate(&self.automaton, &self.question, &statement, path, meter)?;
        Ok(true)
    }

    /// The event that shows the divergence of a pair.
    pub(super) fn witness(&self, pair: Neighbour, limits: &Limits) -> Result<Witness> {
        let meter = &mut limits.meter();
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
        let event = if listed {
            privacy::event(&self.automaton, &self.question, &pair, meter)?
        } else {
            privacy::event_unlisted(&self.automaton, &self.question, &pair, meter)?
        };
        Ok(Witness { pair, event, listed })
    }
}

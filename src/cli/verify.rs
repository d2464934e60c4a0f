//! `littlestone verify`: whether a mechanism is (ε,δ)-private, exactly.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;

use crate::error::{Error, Result};
use crate::exact::{Epsilon, Number, Rational, parse_rational};
use crate::limits::{Limits, Progress};
use crate::mechanism::{Automaton, Kind, Options, compile};
use crate::privacy::{
    self, Decision, Judgement, Lengths, Neighbour, Neighbours, Notion, Question, Span, Streams,
    Verdict, Worst, certify,
};
use crate::report::privacy::{self as report, Adjacency, Asked, Found, Overall, Row, Witness};

use super::common::{self, Format, LimitArgs};
use super::exit;
use super::mechanism::{self, MechanismArgs, Rounds, Subject};
use super::neighbours::{self, Choice};
use super::output::{Failure, Outcome, Output};
use super::progress;

/// Decide whether a mechanism is (ε,δ)-private (Definitions 2 and 4), or compute its worst δ.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    mechanism: MechanismArgs,
    /// Number of rounds, or a range such as 1..6 for a table; for one-shot mechanisms, the number
    /// of records.
    #[arg(long, value_name = "T|A..B", value_parser = mechanism::rounds, allow_hyphen_values = true)]
    rounds: Option<Rounds>,
    /// The ε of the claim: a rational number such as 1/2, or a logarithm such as `ln(3/2)`.
    #[arg(long, value_name = "E", value_parser = mechanism::epsilon, allow_hyphen_values = true)]
    epsilon: Epsilon,
    /// The δ of the claim, a rational number in [0, 1). Without it the worst δ is computed, and
    /// there is no verdict.
    #[arg(long, value_name = "D", value_parser = delta, allow_hyphen_values = true)]
    delta: Option<Rational>,
    /// Joint privacy (Definition 4): the answer of the differing round is dropped on both sides.
    #[arg(long)]
    joint: bool,
    /// Which streams count.
    #[arg(long, value_enum, default_value_t = Scope::All, value_name = "WHICH")]
    streams: Scope,
    /// Which streams are neighbours: replacement, add-remove, or a file of pairs; the last two
    /// are for one-shot mechanisms.
    #[arg(long, value_name = "WHICH|FILE", default_value = "replacement",
          value_parser = neighbours::choice)]
    neighbours: Choice,
    /// Decide δ without computing the worst one, which can be much faster.
    #[arg(long, requires = "delta")]
    decide_only: bool,
    /// Write a certificate that `littlestone recheck` verifies.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// When refuted, write the counterexample to a file that `littlestone replay` reads.
    #[arg(long, value_name = "FILE", requires = "delta")]
    counterexample: Option<PathBuf>,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Scope {
    /// All streams over the records.
    All,
    /// Pairs of streams each of which is realisable by the class: a weaker claim.
    Realisable,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone verify learner.rhai --class point:3 --rounds 3 --epsilon 'ln(3/2)' --delta 0
  littlestone verify predictor.rhai --class point:3 --rounds 4 --epsilon 0 --delta 1/4 --joint
  littlestone verify predictor.rhai --class point:3 --rounds 1..6 --epsilon 0 --joint
  littlestone verify count.rhai --rounds 2 --epsilon ln2 --delta 0 --neighbours add-remove

The worst δ is the maximum of P(E) − e^ε·Q(E) over all ordered pairs of neighbouring streams and
all events E of outputs; the claim holds iff it is at most δ. When refuted, the shortest streams
that refute are printed, with an event and both probabilities.
Exit codes: 0 holds, 1 refuted, 2 malformed input, 3 undecided.";

/// Greatest number of version spaces for `--streams realisable`.
const MAX_VERSION_SPACES: usize = 1_000_000;
/// The words of an event are listed when there are surely no more than this.
const MAX_WORDS: usize = 1 << 16;

pub(super) fn delta(text: &str) -> std::result::Result<Rational, String> {
    let delta = parse_rational(text).map_err(|error| error.to_string())?;
    let (zero, one) = (Rational::from_integer(0.into()), Rational::from_integer(1.into()));
    if zero <= delta && delta < one {
        Ok(delta)
    } else {
        Err("expected a δ that is at least 0 and less than 1".into())
    }
}

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits()?;
    for path in args.counterexample.iter().chain(&args.certificate) {
        common::expect_writable(path)?;
    }
    certifiable(args)?;
    let subject = args.mechanism.load(&limits, output)?;
    let plan = Plan::new(args, &subject, &limits)?;
    let asked = plan.asked(args);
    let found = plan.find(&asked, &limits, output)?;
    if let Some(stopped) = found.stopped {
        output.warning(format_args!("the worst δ is not known: {stopped}"));
    }
    match args.format {
        Format::Human => output.text(&report::human(&asked, &found))?,
        Format::Json => {
            let text = serde_json::to_string_pretty(&report::json(&asked, &found))
                .map_err(|error| Failure::Write(std::io::Error::other(error)))?;
            output.line(text)?;
        }
    }
    if let Some(path) = &args.counterexample {
        match report::counterexample(&asked, &found) {
            Some(value) => {
                let text = serde_json::to_string_pretty(&value)
                    .map_err(|error| Failure::Write(std::io::Error::other(error)))?;
                common::write_file(path, format!("{text}\n").as_bytes())?;
                output.wrote("counterexample", path);
            }
            None => output.note("there is no counterexample, and no file was written"),
        }
    }
    if let Some(path) = &args.certificate {
        plan.certify(&asked, &found, &subject, path, output)?;
    }
    Ok(match found.verdict {
        Some(Verdict::Refuted) => exit::REFUTED,
        Some(Verdict::Undecided) => exit::UNDECIDED,
        None if found.stopped.is_some() => exit::UNDECIDED,
        Some(Verdict::Holds) | None => exit::EXPECTED,
    })
}

/// What is to be computed.
struct Plan {
    automaton: Automaton,
    question: Question,
    streams: Streams,
    pairs: Option<Vec<Neighbour>>,
    rounds: Rounds,
    delta: Option<Number>,
    decided: Option<Rational>,
    scope: Scope,
}

impl Plan {
    fn new(args: &Args, subject: &Subject, limits: &Limits) -> Result<Self> {
        let interface = crate::mechanism::Mechanism::interface(&subject.mechanism);
        let kind = match args.neighbours {
            Choice::All(kind) => kind,
            Choice::Listed(_) => Neighbours::Replacement,
        };
        let pairs = neighbours::listed(&args.neighbours, interface)?;
        let rounds = lengths(args, pairs.as_deref())?;
        if pairs.is_none() {
            privacy::check_streams(interface.records(), rounds.last)?;
        }
        let states = limits.states.map_or(0, |n| usize::try_from(n).unwrap_or(usize::MAX));
        let shorter = usize::from(kind == Neighbours::AddRemove);
        let options = Options {
            states: states.max(Options::STATES),
            rounds: Some(rounds.last),
            sizes: Some(rounds.first - shorter.min(rounds.first)..=rounds.last),
        };
        let automaton = compile(&subject.mechanism, &options)?;
        let delta = args.delta.clone().map(Number::from);
        automaton.fits([&args.epsilon.factor()])?;
        let streams = streams(args.streams, subject)?;
        let notion = if args.joint { Notion::Joint } else { Notion::Whole };
        let question = Question { notion, neighbours: kind, epsilon: args.epsilon.clone() };
        if pairs.is_some() && notion == Notion::Joint {
            let message =
                "joint privacy (Definition 4) is a property of predictors and transducers";
            return Err(Error::argument(format!("{message}; this is a {}", interface.kind())));
        }
        Ok(Self {
            automaton,
            question,
            streams,
            pairs,
            rounds,
            delta,
            decided: args.delta.clone().filter(|_| args.decide_only),
            scope: args.streams,
        })
    }

    fn asked<'a>(&'a self, args: &'a Args) -> Asked<'a> {
        Asked {
            mechanism: &args.mechanism.mechanism,
            class: args.mechanism.class.as_deref(),
            automaton: &self.automaton,
            notion: self.question.notion,
            adjacency: match (&self.pairs, self.question.neighbours) {
                (Some(pairs), _) => Adjacency::Listed(pairs.len()),
                (None, Neighbours::Replacement) => Adjacency::Replacement,
                (None, Neighbours::AddRemove) => Adjacency::AddRemove,
            },
            scope: match self.scope {
                Scope::All => report::Scope::All,
                Scope::Realisable => report::Scope::Realisable,
            },
            epsilon: &self.question.epsilon,
            delta: self.delta.as_ref(),
            rounds: (self.rounds.first, self.rounds.last),
            table: self.rounds.range,
            decide_only: self.decided.is_some(),
        }
    }

    fn find(&self, asked: &Asked<'_>, limits: &Limits, output: &Output<'_>) -> Result<Found> {
        if let Some(pairs) = &self.pairs {
            return self.listed(pairs);
        }
        let progress = Arc::new(Progress::default());
        let shown = |progress: &Progress| match progress.upper() {
            Some(bound) => format!("worst δ ≤ {}", bound.decimal(6)),
            None => String::new(),
        };
        progress::watch_with(output, &progress, &shown, || {
            let decided = match &self.decided {
                Some(delta) => self.decide(delta, limits, &progress)?,
                None => None,
            };
            match decided {
                Some(found) => Ok(found),
                None => self.worst(asked.decide_only, limits, &progress),
            }
        })
    }

    /// The worst δ at each length, and what follows from it.
    fn worst(&self, decide_only: bool, limits: &Limits, progress: &Progress) -> Result<Found> {
        let Self { automaton, question, streams, .. } = self;
        let lengths =
            Lengths { last: self.rounds.last, from: self.rounds.first, above: self.delta.clone() };
        let answers =
            privacy::worst_delta(automaton, streams, question, &lengths, limits, progress)?;
        let judgements = self.delta.as_ref().map(|delta| {
            let one_shot = automaton.interface().kind() == Kind::OneShot;
            let span = if one_shot { Span::Whole } else { Span::Prefixes };
            let continued = |pair: &Neighbour, _: usize| streams.continues(pair);
            privacy::judge(&answers, self.rounds.all(), delta, span, &continued)
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
        if decide_only {
            found.rows.clear();
            found.attained_by = None;
        }
        Ok(found)
    }

    /// The verdict without the worst δ; nothing when that does not answer the question.
    fn decide(
        &self,
        delta: &Rational,
        limits: &Limits,
        progress: &Progress,
    ) -> Result<Option<Found>> {
        let Self { automaton, question, streams, .. } = self;
        let last = self.rounds.last;
        let decision =
            privacy::decide(automaton, streams, question, last, delta, limits, progress)?;
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
                if pair.first.len() < last && !streams.continues(&pair) {
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

    fn listed(&self, pairs: &[Neighbour]) -> Result<Found> {
        let (delta, pair) = privacy::listed(&self.automaton, &self.question.epsilon, pairs)?;
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
    fn certify(
        &self,
        asked: &Asked<'_>,
        found: &Found,
        subject: &Subject,
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
        let realisable_by = match asked.scope {
            report::Scope::All => None,
            report::Scope::Realisable => Some(subject.class("realisable streams")?),
        };
        let rounds = self.rounds.last;
        let source = asked.mechanism;
        let listed = self.pairs.as_deref();
        let statement =
            certify::Statement { source, realisable_by, listed, rounds, verdict, worst };
        certify::write_certificate(&self.automaton, &self.question, &statement, path)?;
        output.wrote("certificate", path);
        Ok(())
    }

    fn witness(&self, pair: Neighbour) -> Result<Witness> {
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
            privacy::event(&self.automaton, &self.question, &pair)?
        } else {
            privacy::event_unlisted(&self.automaton, &self.question, &pair)?
        };
        Ok(Witness { pair, event, listed })
    }
}

/// Refuses questions whose answers certificates have no form for.
fn certifiable(args: &Args) -> Result<()> {
    match args.rounds {
        Some(Rounds { first, last, .. }) if first < last && args.certificate.is_some() => {
            Err(Error::argument_with_help(
                "--certificate: a table over several numbers of rounds has none",
                "give one number of rounds, such as `--rounds 4`",
            ))
        }
        _ => Ok(()),
    }
}

/// The streams that count.
///
/// # Errors
/// When streams are to be realisable, and there is no class or the mechanism has other records.
pub(super) fn streams(scope: Scope, subject: &Subject) -> Result<Streams> {
    let interface = crate::mechanism::Mechanism::interface(&subject.mechanism);
    match scope {
        Scope::All => Ok(Streams::all(interface.records())),
        Scope::Realisable if matches!(interface.kind(), Kind::Learner | Kind::Predictor) => {
            Streams::realisable(subject.class("realisable streams")?, MAX_VERSION_SPACES)
        }
        Scope::Realisable => Err(Error::argument(format!(
            "realisable streams are those of learners and predictors; this is a {}",
            interface.kind()
        ))),
    }
}

/// The lengths of streams: those of `--rounds`, or those of the listed data sets.
fn lengths(args: &Args, pairs: Option<&[Neighbour]>) -> Result<Rounds> {
    match (args.rounds, pairs) {
        (Some(_), Some(_)) => Err(neighbours::sized_twice()),
        (Some(rounds), None) => Ok(rounds),
        (None, None) => Err(Error::argument_with_help(
            "--rounds is missing",
            "give a number of rounds such as `--rounds 4`, or a range such as `--rounds 1..6`",
        )),
        (None, Some(pairs)) => {
            let (first, last) = neighbours::sizes(pairs).into_inner();
            Ok(Rounds { first, last, range: false })
        }
    }
}

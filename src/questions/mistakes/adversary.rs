//! Who chooses the stream, and what it costs.

use crate::adversary::{self, Arguments, Phases, Played, Shared};
use crate::class::Class;
use crate::error::{Error, Result};
use crate::exact::Number;
use crate::limits::{Meter, Stopped};
use crate::littlestone::Solver;
use crate::mechanism::Automaton;
use crate::mistakes::{self, Expected, Streams, Worst};

use super::super::Run;
use super::super::blocks::count;
use super::super::subject::{Rounds, StreamScope, Subject};
use super::super::written::Reads;
use super::MistakesQuestion;

/// An adversary of the lower bounds, by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdversaryName {
    /// Algorithm 1.
    Thirds(Arguments),
    /// Theorem 2's.
    Phases,
}

impl Reads for AdversaryName {
    const FORMAT: &'static str = "adversary";
    const EXAMPLE: &'static str = "thirds:p=1/2";

    fn read(text: &str) -> std::result::Result<Self, String> {
        if text == "phases" { Ok(Self::Phases) } else { Arguments::read(text).map(Self::Thirds) }
    }
}

/// Who chooses the stream.
#[derive(Debug)]
pub(super) enum Adversary {
    Stream(Vec<usize>),
    Worst(StreamScope),
    Iid(Vec<(usize, Number)>),
    Listed(Vec<(Vec<usize>, Number)>),
    Thirds(Arguments),
    Phases,
}

/// What was found for one number of rounds.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) rounds: usize,
    pub(super) mistakes: std::result::Result<Expected, Interval>,
    /// The stream in question, when there is one.
    pub(super) stream: Option<Vec<usize>>,
    /// For an adversary with stages, the expected mistakes on the examples of each.
    pub(super) stages: Vec<Number>,
    /// For Theorem 2's adversary, how the stream was chosen.
    pub(super) phases: Option<Phases>,
}

/// What is known when a limit was hit.
#[derive(Debug)]
pub(super) struct Interval {
    pub(super) lower: Number,
    pub(super) upper: Number,
    pub(super) stopped: Stopped,
}

impl Found {
    fn new(rounds: usize, mistakes: Expected, stream: Option<Vec<usize>>) -> Self {
        Self { rounds, mistakes: Ok(mistakes), stream, stages: Vec::new(), phases: None }
    }

    fn of_worst(automaton: &Automaton, rounds: usize, worst: Worst) -> Result<Self> {
        Ok(match worst {
            Worst::Exact { attained_by, .. } => {
                Self::new(rounds, mistakes::on_stream(automaton, &attained_by)?, Some(attained_by))
            }
            Worst::Between { lower, upper, stopped } => {
                let mistakes = Err(Interval { lower, upper, stopped });
                Self { rounds, mistakes, stream: None, stages: Vec::new(), phases: None }
            }
        })
    }
}

impl Adversary {
    pub(super) fn new(asked: &MistakesQuestion, points: &Class, run: &Run<'_>) -> Result<Self> {
        if let Some(named) = &asked.adversary {
            return Ok(match &named.value {
                AdversaryName::Phases => Self::Phases,
                AdversaryName::Thirds(arguments) => Self::Thirds(arguments.clone()),
            });
        }
        if let Some(stream) = &asked.stream {
            return stream.records(points, &run.folder, "stream").map(Self::Stream);
        }
        if let Some(law) = &asked.iid {
            let law = law.read(points, &run.folder, "iid")?;
            let one = |(stream, weight): (Vec<usize>, Number)| match stream[..] {
                [record] => Ok((record, weight)),
                _ => Err(Error::argument_with_help(
                    format!("iid: expected one example an entry, found {}", stream.len()),
                    "--distribution takes streams",
                )),
            };
            return Ok(Self::Iid(law.into_iter().map(one).collect::<Result<_>>()?));
        }
        if let Some(law) = &asked.distribution {
            let law = law.read(points, &run.folder, "distribution")?;
            let length = law.first().map_or(0, |(stream, _)| stream.len());
            if let Some((odd, _)) = law.iter().find(|(stream, _)| stream.len() != length) {
                return Err(Error::argument(format!(
                    "distribution: expected streams of one length, found {length} and {}",
                    count(odd.len(), "example", "examples")
                )));
            }
            return Ok(Self::Listed(law));
        }
        Ok(Self::Worst(asked.streams.unwrap_or(StreamScope::Realisable)))
    }

    pub(super) fn needs_class(&self) -> bool {
        matches!(self, Self::Worst(StreamScope::Realisable) | Self::Phases)
    }

    /// The value of the key `streams` and of the line in the text.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Stream(_) => "given",
            Self::Worst(StreamScope::Realisable) => "realisable",
            Self::Worst(StreamScope::All) => "all",
            Self::Iid(_) => "iid",
            Self::Listed(_) => "listed",
            Self::Thirds(_) => "thirds",
            Self::Phases => "phases",
        }
    }

    /// The numbers of rounds: as asked for, but no more than were given.
    pub(super) fn rounds(&self, asked: Option<Rounds>) -> Result<Rounds> {
        let given = match self {
            Self::Stream(stream) => Some(stream.len()),
            Self::Listed(law) => Some(law.first().map_or(0, |(stream, _)| stream.len())),
            _ => None,
        };
        if given == Some(0) {
            return Err(Error::argument_with_help(
                "stream: expected at least one labelled example, found none",
                "a stream is a file, or examples such as `x:0,y:1`",
            ));
        }
        let given = given.unwrap_or(usize::MAX);
        let rounds = asked.unwrap_or(Rounds { first: given, last: given, range: false });
        if rounds.last > given {
            return Err(Error::argument(format!(
                "rounds: expected at most {given}, the length of the stream, found {}",
                rounds.last
            )));
        }
        Ok(rounds)
    }

    /// The answer for each number of rounds; the limits are on all of them together.
    pub(super) fn solve(
        &self,
        automaton: &Automaton,
        subject: &Subject,
        rounds: Rounds,
        run: &Run<'_>,
    ) -> Result<Vec<Found>> {
        let meter = &mut Meter::new(&run.limits, &run.progress);
        let mut metered = |row: &dyn Fn(usize, &mut Meter<'_>) -> Result<Found>| {
            let one = |rounds| {
                run.progress.enter(format!("T = {rounds}"));
                row(rounds, meter)
            };
            rounds.all().map(one).collect()
        };
        let whole = match self {
            Self::Stream(stream) => {
                mistakes::on_stream_within(automaton, &stream[..rounds.last], meter)?
            }
            Self::Iid(law) => mistakes::on_examples_within(automaton, law, rounds.last, meter)?,
            Self::Listed(law) => {
                let cut = |(stream, weight): &(Vec<usize>, Number)| {
                    (stream[..rounds.last].to_vec(), weight.clone())
                };
                mistakes::on_streams_within(
                    automaton,
                    &law.iter().map(cut).collect::<Vec<_>>(),
                    meter,
                )?
            }
            Self::Thirds(arguments) => {
                let points = subject.points();
                return metered(&|rounds, meter| {
                    let thirds = arguments.over(points.point_names(), rounds)?;
                    let Played { expected, stages } = adversary::play(automaton, &thirds, meter)?;
                    Ok(Found { stages, ..Found::new(rounds, expected, None) })
                });
            }
            Self::Phases => {
                let class = subject.class("realisable streams")?;
                let solver = Solver::new(class, run.limits.clone());
                return metered(&|rounds, meter| {
                    let found = adversary::phases(automaton, &solver, rounds, Shared::Root, meter)?;
                    let (expected, stream) = (found.expected.clone(), found.stream.clone());
                    Ok(Found { phases: Some(found), ..Found::new(rounds, expected, Some(stream)) })
                });
            }
            Self::Worst(scope) => {
                let streams = worst_of(*scope, subject)?;
                run.progress.ask("expected mistakes");
                let (limits, progress) = (&run.limits, &run.progress);
                let found = mistakes::worst(automaton, streams, rounds.all(), limits, progress)?;
                let row = |(rounds, worst)| Found::of_worst(automaton, rounds, worst);
                return rounds.all().zip(found).map(row).collect();
            }
        };
        // Expected mistakes of a prefix are the first summands.
        let row = |rounds: usize| {
            let stream = match self {
                Self::Stream(stream) => Some(stream[..rounds].to_vec()),
                _ => None,
            };
            Found::new(rounds, Expected::from_rounds(whole.rounds[..rounds].to_vec()), stream)
        };
        Ok(rounds.all().map(row).collect())
    }
}

/// The streams that the worst one is chosen from.
pub(super) fn worst_of(scope: StreamScope, subject: &Subject) -> Result<Streams<'_>> {
    Ok(match scope {
        StreamScope::All => Streams::All,
        StreamScope::Realisable => Streams::Realisable(subject.class("realisable streams")?),
    })
}

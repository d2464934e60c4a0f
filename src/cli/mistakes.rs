//! `littlestone mistakes`: the exact expected number of mistakes of a learner or predictor.

mod certificate;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Map, Value, json};

use crate::adversary::{self, Arguments, Phases, Played, Shared};
use crate::class::{Class, read_stream};
use crate::error::{Error, Result};
use crate::exact::Number;
use crate::limits::{Limits, Meter, Stopped};
use crate::littlestone::Solver;
use crate::mechanism::{Automaton, Mechanism};
use crate::mistakes::{self, Expected, Streams, Worst};
use crate::privacy;
use crate::report::phases as drawing;
use crate::text::quote;

use super::common::{self, Format, LimitArgs};
use super::exit;
use super::files::Files;
use super::mechanism::{self, MechanismArgs, Rounds, Subject};
use super::output::{Failure, Outcome, Output};
use super::progress;

/// Compute the exact expected number of mistakes against an oblivious adversary.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP, group = clap::ArgGroup::new("adversary").required(true))]
pub(super) struct Args {
    #[command(flatten)]
    mechanism: MechanismArgs,
    /// One stream: `x:y,x:y,…` with point names x and labels y, or a file of examples.
    #[arg(long, value_name = "FILE|x:y,…", group = "adversary")]
    stream: Option<String>,
    /// The worst stream of that many rounds.
    #[arg(long, group = "adversary", requires = "rounds")]
    worst: bool,
    /// Independent examples of one law: `1/2 x:y; 1/2 x:y`, or a file with an entry a line.
    #[arg(long, value_name = "FILE|P x:y;…", group = "adversary", requires = "rounds")]
    iid: Option<String>,
    /// A stream drawn from a listed law: `1/2 x:y,x:y; 1/2 x:y,x:y`, or a file with an entry a
    /// line.
    #[arg(long, value_name = "FILE|P x:y,…;…", group = "adversary")]
    distribution: Option<String>,
    /// An adversary of the lower bounds: `thirds:p=P` (Algorithm 1), with `dummy=x:y` (3:0) and
    /// `informative=x` (1), or `phases` (Theorem 2).
    #[arg(
        long = "adversary",
        id = "chosen",
        value_name = "NAME:…",
        group = "adversary",
        requires = "rounds"
    )]
    chosen: Option<String>,
    /// Number of rounds, or a range such as 1..6 for a table. By default all rounds of --stream
    /// and --distribution.
    #[arg(long, value_name = "T|A..B", value_parser = mechanism::rounds, allow_hyphen_values = true)]
    rounds: Option<Rounds>,
    /// Which streams the worst one is chosen from.
    #[arg(long, value_enum, default_value_t = Scope::Realisable, value_name = "WHICH",
          requires = "worst")]
    streams: Scope,
    /// For the adversary `phases`, draw its path through the tree like Figure 3, as SVG.
    #[arg(long, value_name = "FILE", requires = "chosen")]
    plot: Option<PathBuf>,
    /// Write a certificate that `littlestone recheck` verifies.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scope {
    /// Streams that some hypothesis of the class fits.
    Realisable,
    /// All streams of labelled examples.
    All,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone mistakes soa --class point:3 --stream 3:0,1:1
  littlestone mistakes subsampled-soa:gamma=1/4 --class point:3 --rounds 6 --worst
  littlestone mistakes learner.rhai --class point:3 --rounds 1..6 --worst --streams all
  littlestone mistakes learner.rhai --class point:3 --rounds 4 --iid '3/4 3:0; 1/4 1:1'
  littlestone mistakes learner.rhai --class point:3 --distribution '1/2 3:0,1:1; 1/2 3:0,2:1'
  littlestone mistakes learner.rhai --class point:3 --rounds 27 --adversary thirds:p=1/2
  littlestone mistakes learner.rhai --class cube:4 --rounds 7 --adversary phases --plot path.svg

The adversary is oblivious: the stream, or the law it is drawn from, is fixed in advance and does
not depend on what the mechanism releases. All numbers are exact.
If a limit stops the search for the worst stream, the bounds proved so far are printed, the last
line is `verdict: undecided` and the exit code is 3.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    Files::new()
        .subject(&args.mechanism)
        .argument(args.stream.as_ref())
        .argument(args.iid.as_ref())
        .argument(args.distribution.as_ref())
        .output("--plot", args.plot.as_ref())
        .output("--certificate", args.certificate.as_ref())
        .check()?;
    let subject = args.mechanism.load(&limits, output)?;
    mistakes::check_kind(subject.mechanism.interface().kind())?;
    let points = subject.points();
    let adversary = Adversary::read(args, &points)?;
    let rounds = adversary.rounds(args.rounds)?;
    if adversary.needs_class() {
        subject.class("realisable streams")?;
    }
    if let Adversary::Thirds(arguments) = &adversary {
        let thirds = arguments.over(points.point_names(), rounds.last)?;
        if args.mechanism.class.is_some() {
            thirds.check_realisable(&points)?;
        }
    }
    if args.plot.is_some() && (!matches!(adversary, Adversary::Phases) || rounds.range) {
        let message = "--plot draws the adversary `phases` for one number of rounds";
        return Err(Error::argument(message).into());
    }
    if args.certificate.is_some() {
        certificate::expect_form(&adversary, rounds)?;
    }
    let automaton = subject.automaton(rounds.last, &limits)?;
    let all = privacy::Streams::all(automaton.interface().records());
    let kind = privacy::Neighbours::Replacement;
    subject.note_independence(&automaton, &all, kind, rounds.last, output);
    let rows = adversary.solve(&automaton, &subject, rounds, &limits, output)?;
    let report = Report { args, points: &points, adversary, rounds, rows };
    match args.format {
        Format::Human => report.human(&subject, output)?,
        Format::Json => common::print_json(&report.json(&subject), output)?,
    }
    if let (Some(path), [Row { phases: Some(phases), .. }]) = (&args.plot, &report.rows[..]) {
        output.making_files()?;
        common::write_file(path, drawing::draw(phases, &points).as_bytes())?;
        output.wrote("drawing", path);
    }
    if let Some(path) = &args.certificate {
        certificate::write(&report, &subject, &automaton, path, output)?;
    }
    match report.stopped() {
        Some(reason) => {
            output.warning(format_args!("the worst stream is undecided: {reason}"));
            Ok(exit::UNDECIDED)
        }
        None => Ok(exit::EXPECTED),
    }
}

/// Who chooses the stream.
enum Adversary {
    Stream(Vec<usize>),
    Worst(Scope),
    Iid(Vec<(usize, Number)>),
    Listed(Vec<(Vec<usize>, Number)>),
    Thirds(Arguments),
    Phases,
}

impl Adversary {
    fn read(args: &Args, points: &Class) -> Result<Self> {
        if let Some(chosen) = &args.chosen {
            if chosen == "phases" {
                return Ok(Self::Phases);
            }
            return Ok(Self::Thirds(Arguments::parse(chosen)?));
        }
        if let Some(stream) = &args.stream {
            let stream = read_stream(points, stream, Path::new(""), "--stream")?;
            let record = |&(x, y): &(usize, bool)| 2 * x + usize::from(y);
            return Ok(Self::Stream(stream.iter().map(record).collect()));
        }
        if let Some(law) = &args.iid {
            let law = mistakes::read_weighted(points, law, "--iid")?;
            let one = |(stream, weight): (Vec<usize>, Number)| match stream[..] {
                [record] => Ok((record, weight)),
                _ => Err(Error::argument_with_help(
                    format!("--iid: expected one example an entry, found {}", stream.len()),
                    "--distribution takes streams",
                )),
            };
            return Ok(Self::Iid(law.into_iter().map(one).collect::<Result<_>>()?));
        }
        if let Some(law) = &args.distribution {
            let law = mistakes::read_weighted(points, law, "--distribution")?;
            let length = law.first().map_or(0, |(stream, _)| stream.len());
            if let Some((odd, _)) = law.iter().find(|(stream, _)| stream.len() != length) {
                return Err(Error::argument(format!(
                    "--distribution: expected streams of one length, found {length} and {}",
                    common::count(odd.len(), "example", "examples")
                )));
            }
            return Ok(Self::Listed(law));
        }
        Ok(Self::Worst(args.streams))
    }

    fn needs_class(&self) -> bool {
        matches!(self, Self::Worst(Scope::Realisable) | Self::Phases)
    }

    /// The value of the key `streams` and of the line in human output.
    fn name(&self) -> &'static str {
        match self {
            Self::Stream(_) => "given",
            Self::Worst(Scope::Realisable) => "realisable",
            Self::Worst(Scope::All) => "all",
            Self::Iid(_) => "iid",
            Self::Listed(_) => "listed",
            Self::Thirds(_) => "thirds",
            Self::Phases => "phases",
        }
    }

    /// The numbers of rounds: as asked for, but no more than were given.
    fn rounds(&self, asked: Option<Rounds>) -> Result<Rounds> {
        let given = match self {
            Self::Stream(stream) => stream.len(),
            Self::Listed(law) => law.first().map_or(0, |(stream, _)| stream.len()),
            Self::Worst(_) | Self::Iid(_) | Self::Thirds(_) | Self::Phases => {
                let help = "give a number of rounds with --rounds";
                return asked.ok_or_else(|| Error::argument_with_help("--rounds is missing", help));
            }
        };
        if given == 0 {
            return Err(Error::argument_with_help(
                "--stream: expected at least one labelled example, found none",
                "a stream is a file, or examples such as `x:0,y:1`",
            ));
        }
        let rounds = asked.unwrap_or(Rounds { first: given, last: given, range: false });
        if rounds.last > given {
            return Err(Error::argument(format!(
                "--rounds: expected at most {given}, the length of the stream, found {}",
                rounds.last
            )));
        }
        Ok(rounds)
    }

    fn solve(
        &self,
        automaton: &Automaton,
        subject: &Subject,
        rounds: Rounds,
        limits: &Limits,
        output: &Output<'_>,
    ) -> Result<Vec<Row>> {
        let whole = match self {
            Self::Stream(stream) => {
                let stream = &stream[..rounds.last];
                mistakes::on_stream_within(automaton, stream, &mut limits.meter())?
            }
            Self::Iid(law) => {
                let meter = &mut limits.meter();
                mistakes::on_examples_within(automaton, law, rounds.last, meter)?
            }
            Self::Listed(law) => {
                let cut = |(stream, weight): &(Vec<usize>, Number)| {
                    (stream[..rounds.last].to_vec(), weight.clone())
                };
                let law: Vec<_> = law.iter().map(cut).collect();
                mistakes::on_streams_within(automaton, &law, &mut limits.meter())?
            }
            Self::Thirds(arguments) => {
                let points = subject.points();
                let row = |rounds: usize, meter: &mut Meter<'_>| {
                    let thirds = arguments.over(points.point_names(), rounds)?;
                    let Played { expected, stages } = adversary::play(automaton, &thirds, meter)?;
                    Ok(Row { rounds, found: Ok(expected), stream: None, stages, phases: None })
                };
                return metered(rounds, limits, output, row);
            }
            Self::Phases => {
                let solver = Solver::new(subject.class("realisable streams")?, limits.clone());
                let row = |rounds: usize, meter: &mut Meter<'_>| {
                    let found = adversary::phases(automaton, &solver, rounds, Shared::Root, meter)?;
                    Ok(Row {
                        rounds,
                        found: Ok(found.expected.clone()),
                        stream: Some(found.stream.clone()),
                        stages: Vec::new(),
                        phases: Some(found),
                    })
                };
                return metered(rounds, limits, output, row);
            }
            Self::Worst(scope) => {
                let streams = match scope {
                    Scope::All => Streams::All,
                    Scope::Realisable => Streams::Realisable(subject.class("realisable streams")?),
                };
                let counters = output.progress();
                counters.ask("expected mistakes");
                let found = progress::watch(output, || {
                    mistakes::worst(automaton, streams, rounds.all(), limits, counters)
                })?;
                return rounds.all().zip(found).map(|row| Row::of_worst(automaton, row)).collect();
            }
        };
        // Expected mistakes of a prefix are the first summands.
        let row = |rounds: usize| {
            let stream = match self {
                Self::Stream(stream) => Some(stream[..rounds].to_vec()),
                _ => None,
            };
            let probabilities = whole.rounds[..rounds].to_vec();
            let mistakes = probabilities.iter().fold(Number::zero(), |sum, p| &sum + p);
            let found = Ok(Expected { mistakes, rounds: probabilities });
            Row { rounds, found, stream, stages: Vec::new(), phases: None }
        };
        Ok(rounds.all().map(row).collect())
    }
}

/// A row for each number of rounds; the limits are on all of them together.
fn metered(
    rounds: Rounds,
    limits: &Limits,
    output: &Output<'_>,
    row: impl Fn(usize, &mut Meter<'_>) -> Result<Row>,
) -> Result<Vec<Row>> {
    let counters = output.progress();
    progress::watch(output, || {
        let mut meter = Meter::new(limits, counters);
        let mut one = |rounds| {
            counters.enter(format!("T = {rounds}"));
            row(rounds, &mut meter)
        };
        rounds.all().map(&mut one).collect()
    })
}

/// What was found for one number of rounds.
struct Row {
    rounds: usize,
    found: std::result::Result<Expected, Interval>,
    /// The stream in question, when there is one.
    stream: Option<Vec<usize>>,
    /// For an adversary with stages, the expected mistakes on the examples of each.
    stages: Vec<Number>,
    /// For Theorem 2's adversary, how the stream was chosen.
    phases: Option<Phases>,
}

/// What is known when a limit was hit.
struct Interval {
    lower: Number,
    upper: Number,
    stopped: Stopped,
}

impl Row {
    fn of_worst(automaton: &Automaton, (rounds, worst): (usize, Worst)) -> Result<Self> {
        Ok(match worst {
            Worst::Exact { attained_by, .. } => {
                let found = Ok(mistakes::on_stream(automaton, &attained_by)?);
                Self { rounds, found, stream: Some(attained_by), stages: Vec::new(), phases: None }
            }
            Worst::Between { lower, upper, stopped } => {
                let found = Err(Interval { lower, upper, stopped });
                Self { rounds, found, stream: None, stages: Vec::new(), phases: None }
            }
        })
    }
}

struct Report<'r> {
    args: &'r Args,
    points: &'r Class,
    adversary: Adversary,
    rounds: Rounds,
    rows: Vec<Row>,
}

impl Report<'_> {
    fn stopped(&self) -> Option<Stopped> {
        self.rows.iter().find_map(|row| row.found.as_ref().err()).map(|interval| interval.stopped)
    }

    /// An example as `--stream` reads it.
    fn example(&self, record: usize) -> String {
        let name = quote(&self.points.point_names()[record / 2]);
        format!("{name}:{}", record % 2)
    }

    fn stream(&self, stream: &[usize]) -> String {
        stream.iter().map(|record| self.example(*record)).collect::<Vec<_>>().join(",")
    }

    fn human(
        &self,
        subject: &Subject,
        output: &mut Output<'_>,
    ) -> std::result::Result<(), Failure> {
        let kind = subject.mechanism.interface().kind();
        output.line(format_args!("mechanism: {} ({kind})", self.args.mechanism.mechanism))?;
        if let Some(name) = &self.args.mechanism.class {
            output.line(common::class_line(name, self.points))?;
        }
        output.line(format_args!("streams: {}", self.adversary.name()))?;
        output.line("adversary: oblivious (the stream is fixed in advance)")?;
        match &self.rows[..] {
            [row] if !self.rounds.range => self.one(row, output)?,
            rows => self.table(rows, output)?,
        }
        if self.stopped().is_some() {
            output.line("verdict: undecided")?;
        }
        Ok(())
    }

    fn one(&self, row: &Row, output: &mut Output<'_>) -> std::result::Result<(), Failure> {
        match &row.found {
            Ok(expected) => {
                if let Some(stream) = &row.stream {
                    output.line(format_args!("stream: {}", self.stream(stream)))?;
                }
                for (round, p) in expected.rounds.iter().enumerate() {
                    let example = row.stream.as_ref().map(|stream| self.example(stream[round]));
                    let example = example.map(|text| format!(" ({text})")).unwrap_or_default();
                    output.line(format_args!("round {}{example}: {}", round + 1, shown(p)))?;
                }
                for (stage, mistakes) in row.stages.iter().enumerate() {
                    let (stage, mistakes) = (stage + 1, shown(mistakes));
                    output.line(format_args!("on the examples of stage {stage}: {mistakes}"))?;
                }
                if let Some(phases) = &row.phases {
                    for line in drawing::lines(phases, self.points) {
                        output.line(line)?;
                    }
                }
                output.line(format_args!("expected mistakes: {}", shown(&expected.mistakes)))?;
            }
            Err(Interval { lower, upper, .. }) => {
                output.line(format_args!("{lower} ≤ expected mistakes ≤ {upper}"))?;
            }
        }
        Ok(())
    }

    fn table(&self, rows: &[Row], output: &mut Output<'_>) -> std::result::Result<(), Failure> {
        let with_stream = rows.iter().any(|row| row.stream.is_some());
        let mut cells = vec![["rounds", "expected mistakes", "stream"].map(String::from)];
        cells.extend(rows.iter().map(|row| {
            let mistakes = match &row.found {
                Ok(expected) => shown(&expected.mistakes),
                Err(Interval { lower, upper, .. }) => format!("{lower} to {upper}"),
            };
            let stream = row.stream.as_deref().map_or("-".into(), |stream| self.stream(stream));
            [row.rounds.to_string(), mistakes, stream]
        }));
        let width =
            |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let (first, second) = (width(0), width(1));
        for [rounds, mistakes, stream] in &cells {
            let line = if with_stream {
                format!("{rounds:>first$}  {mistakes:<second$}  {stream}")
            } else {
                format!("{rounds:>first$}  {mistakes}")
            };
            output.line(line.trim_end())?;
        }
        Ok(())
    }

    fn json(&self, subject: &Subject) -> common::Object {
        let mut object = common::object("mistakes");
        object.insert("adversary", "oblivious".into());
        object.insert("class", self.args.mechanism.class.clone().into());
        object.insert("kind", subject.mechanism.interface().kind().name().into());
        object.insert("mechanism", self.args.mechanism.mechanism.clone().into());
        object.insert("streams", self.adversary.name().into());
        match &self.rows[..] {
            [row] if !self.rounds.range => {
                for (key, value) in self.row(row) {
                    object.insert(key, value);
                }
            }
            rows => {
                let rows = rows.iter().map(|row| {
                    let row = self.row(row).into_iter();
                    Value::Object(
                        row.map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>(),
                    )
                });
                object.insert("table", rows.collect());
            }
        }
        object
    }

    /// The keys of one number of rounds, in sorted order.
    fn row(&self, row: &Row) -> Vec<(&'static str, Value)> {
        let text = |number: &Number| Value::from(number.to_string());
        let mut keys = match &row.found {
            Ok(expected) => vec![
                ("expected_mistakes", text(&expected.mistakes)),
                ("mistake_probabilities", expected.rounds.iter().map(text).collect()),
            ],
            Err(interval) => vec![
                ("expected_mistakes", Value::Null),
                ("lower", text(&interval.lower)),
                ("mistake_probabilities", Value::Null),
            ],
        };
        if let Some(phases) = &row.phases {
            keys.extend(drawing::json(phases, self.points));
        }
        keys.push(("rounds", json!(row.rounds)));
        if !row.stages.is_empty() {
            keys.push(("stages", row.stages.iter().map(text).collect()));
        }
        let examples = |stream: &Vec<usize>| -> Value {
            stream.iter().map(|record| Value::from(self.example(*record))).collect()
        };
        keys.push(("stream", row.stream.as_ref().map_or(Value::Null, examples)));
        if let Err(interval) = &row.found {
            keys.push(("upper", text(&interval.upper)));
            keys.push(("verdict", "undecided".into()));
        }
        keys
    }
}

/// The exact number, and a decimal where that says more.
fn shown(number: &Number) -> String {
    const DIGITS: u32 = 6;
    let (exact, decimal) = (number.to_string(), number.decimal(DIGITS));
    if exact == decimal { exact } else { format!("{exact} (= {decimal})") }
}

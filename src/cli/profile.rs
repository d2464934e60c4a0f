//! `littlestone profile`: the worst δ as a function of ε, exactly.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::error::{Error, Result};
use crate::exact::{Epsilon, Number};
use crate::limits::Limits;
use crate::mechanism::{Automaton, Options, compile};
use crate::privacy::{self, Neighbour, Neighbours, Notion, Profile, Streams};
use crate::report::privacy::{Adjacency, Scope as Streaming};
use crate::report::profile::{self as report, Asked, Curve, Vertical};

use super::common::{self, ClassArgs, LimitArgs};
use super::exit;
use super::files::Files;
use super::mechanism::{self, MechanismArgs};
use super::neighbours::{self, Choice};
use super::output::{Failure, Outcome, Output};
use super::plan;
use super::progress;
use super::verify::Scope;

/// Compute the privacy profile of a mechanism: its worst δ at every ε (Definitions 2 and 4).
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// A `.rhai`, `.json` or `.toml` file or the name of a mechanism, with parameters as in
    /// `name:gamma=1/4,flip=1/8`; several of them are compared.
    #[arg(value_name = "MECHANISM", required = true)]
    mechanisms: Vec<String>,
    /// The class: a file (CSV, 0/1 text or JSON), or a family such as `point:3`.
    #[arg(long, value_name = "CLASS")]
    class: Option<String>,
    #[command(flatten)]
    reading: ClassArgs,
    /// Number of rounds; for one-shot mechanisms, the number of records.
    #[arg(long, value_name = "T", value_parser = rounds, allow_hyphen_values = true)]
    rounds: Option<usize>,
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
    /// Print δ at this ε too: a rational number such as 1/2, or a logarithm such as `ln(3/2)`.
    #[arg(long, value_name = "E", value_parser = mechanism::epsilon, allow_hyphen_values = true)]
    epsilon: Option<Epsilon>,
    /// Print the least ε for this δ too, an exact number in [0, 1).
    #[arg(long, value_name = "D", value_parser = mechanism::delta, allow_hyphen_values = true)]
    delta: Option<Number>,
    /// Draw δ over ε to an SVG file.
    #[arg(long, value_name = "FILE.svg", value_parser = common::svg)]
    plot: Option<PathBuf>,
    /// Draw the logarithm of δ.
    #[arg(long, requires = "plot")]
    log_y: bool,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For reading: a table for each mechanism.
    Human,
    /// One JSON object with sorted keys; see docs/schemas.
    Json,
    /// One row for each breakpoint.
    Csv,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone profile randomised-response:flip=1/4 --rounds 1
  littlestone profile subsampled-soa:gamma=1/8,flip=1/4 --class point:3 --rounds 4 --joint
  littlestone profile count.rhai --rounds 3 --delta 1/100 --plot profile.svg --log-y

The worst δ at ε is linear in e^ε between finitely many breakpoints; all of them are printed, each
with the piece that begins there and the pair of streams that attains it.
Exit codes: 0 computed, 2 malformed input, 3 undecided.";

fn rounds(text: &str) -> std::result::Result<usize, String> {
    match text.trim().parse() {
        Ok(0) | Err(_) => Err("expected a number of rounds, at least 1".into()),
        Ok(number) => Ok(number),
    }
}

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    let files = Files::new().class(args.class.as_deref()).neighbours(&args.neighbours);
    let files = args.mechanisms.iter().fold(files, |files, name| files.mechanism(Some(name)));
    files.output("--plot", args.plot.as_ref()).check()?;
    if args.format == Format::Csv && (args.delta.is_some() || args.epsilon.is_some()) {
        return Err(Failure::Input(Error::argument_with_help(
            "--format csv lists breakpoints, and has no place for --delta and --epsilon",
            "leave them out, or use --format json",
        )));
    }
    let delta = args.delta.clone();
    let mut plans = Vec::new();
    for name in &args.mechanisms {
        plans.push(Plan::new(args, name, &limits, output)?);
    }
    let asked = plans[0].asked(args, delta.as_ref());
    let mut curves = Vec::new();
    for (plan, name) in plans.iter().zip(&args.mechanisms) {
        let profile = plan.profile(args, &limits, output)?;
        if let Some(stopped) = profile.stopped {
            output.warning(format_args!("{name}: the profile is not fully known: {stopped}"));
        }
        curves.push(Curve { mechanism: name, automaton: &plan.automaton, profile });
    }
    match args.format {
        Format::Human => output.lines(&report::human(&asked, &curves))?,
        Format::Csv => output.document(&report::csv(&curves))?,
        Format::Json => {
            output.json(&report::json(&asked, &curves))?;
        }
    }
    let complete = curves.iter().all(|curve| curve.profile.stopped.is_none());
    match &args.plot {
        Some(path) if complete => {
            let axis = if args.log_y { Vertical::Logarithmic } else { Vertical::Linear };
            output.making_files()?;
            let drawing = report::draw(&asked, &curves, axis)?;
            common::write_file(path, drawing.as_bytes())?;
            output.wrote("plot", path);
        }
        Some(_) => output.warning("no plot: a profile is not fully known"),
        None => {}
    }
    Ok(if complete { exit::EXPECTED } else { exit::UNDECIDED })
}

/// One mechanism and what is asked about it.
struct Plan {
    automaton: Automaton,
    streams: Streams,
    pairs: Option<Vec<Neighbour>>,
    neighbours: Neighbours,
    rounds: Option<usize>,
}

impl Plan {
    fn new(args: &Args, name: &str, limits: &Limits, output: &mut Output<'_>) -> Result<Self> {
        let mechanism = MechanismArgs {
            mechanism: name.to_owned(),
            class: args.class.clone(),
            reading: args.reading,
        };
        let subject = mechanism.load(limits, output)?;
        let interface = crate::mechanism::Mechanism::interface(&subject.mechanism);
        let kind = match args.neighbours {
            Choice::All(kind) => kind,
            Choice::Listed(_) | Choice::Adjacent => Neighbours::Replacement,
        };
        let pairs = neighbours::listed(&args.neighbours, interface)?;
        if pairs.is_some() && args.joint {
            let message =
                "joint privacy (Definition 4) is a property of predictors and transducers";
            return Err(Error::argument(format!("{message}; this is a {}", interface.kind())));
        }
        let sizes = match (&pairs, args.rounds) {
            (None, Some(rounds)) => {
                privacy::check_streams(interface.records(), rounds)?;
                rounds - usize::from(kind == Neighbours::AddRemove)..=rounds
            }
            (None, None) => {
                return Err(Error::argument_with_help(
                    "--rounds is missing",
                    "give a number of rounds such as `--rounds 4`",
                ));
            }
            (Some(pairs), None) => neighbours::sizes(pairs),
            (Some(_), Some(_)) => return Err(neighbours::sized_twice()),
        };
        let states = limits.states.map_or(0, |n| usize::try_from(n).unwrap_or(usize::MAX));
        let options = Options {
            states: states.max(Options::STATES),
            rounds: Some(*sizes.end()),
            sizes: Some(sizes),
            limits: limits.clone(),
        };
        let automaton = compile(&subject.mechanism, &options)?;
        let factor = args.epsilon.as_ref().map(Epsilon::factor);
        automaton.fits(factor.iter().chain(&args.delta))?;
        let realisable_by = plan::realisable_by(args.streams, &subject)?;
        let streams = plan::streams(interface, realisable_by.as_ref(), limits)?;
        if let (None, Some(rounds)) = (&pairs, args.rounds) {
            subject.note_independence(&automaton, &streams, kind, rounds, output);
        }
        Ok(Self { automaton, streams, pairs, neighbours: kind, rounds: args.rounds })
    }

    fn asked<'a>(&self, args: &'a Args, delta: Option<&'a Number>) -> Asked<'a> {
        Asked {
            class: args.class.as_deref(),
            notion: if args.joint { Notion::Joint } else { Notion::Whole },
            adjacency: match (&self.pairs, self.neighbours) {
                (Some(pairs), _) if args.neighbours == Choice::Adjacent => {
                    Adjacency::Adjacent(pairs.len())
                }
                (Some(pairs), _) => Adjacency::Listed(pairs.len()),
                (None, Neighbours::Replacement) => Adjacency::Replacement,
                (None, Neighbours::AddRemove) => Adjacency::AddRemove,
            },
            scope: match args.streams {
                Scope::All => Streaming::All,
                Scope::Realisable => Streaming::Realisable,
            },
            rounds: self.rounds,
            delta,
            epsilon: args.epsilon.as_ref(),
        }
    }

    fn profile(&self, args: &Args, limits: &Limits, output: &Output<'_>) -> Result<Profile> {
        let Self { automaton, streams, pairs, neighbours, rounds } = self;
        if let Some(pairs) = pairs {
            return privacy::listed_profile(automaton, pairs, limits);
        }
        let rounds = rounds.expect("a number of rounds unless pairs are listed");
        let notion = if args.joint { Notion::Joint } else { Notion::Whole };
        let question = (notion, *neighbours);
        let progress = output.progress();
        progress.enter("breakpoints");
        progress::watch(output, || {
            privacy::profile(automaton, streams, question, rounds, limits, progress)
        })
    }
}

//! `littlestone table`: how a constant of the paper may be chosen.

use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};

use crate::error::Result;
use crate::exact::{Epsilon, Number};
use crate::limits::{Limits, Progress, Stopped};
use crate::mechanism::spec::{Context, Spec};
use crate::mechanism::{Mechanism, Options, compile};
use crate::privacy::{self, Lengths, Neighbours, Notion, Question, Streams, Worst};
use crate::report::combine as report;

use super::common::{self, LimitArgs};
use super::exit;
use super::files::Files;
use super::mechanism::{self, CATALOGUE, Rounds};
use super::output::{Outcome, Output};
use super::progress;

/// Tables of exact values against a parameter of the paper.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    Combine(CombineArgs),
}

/// The worst δ of Algorithm 4 against D, over all streams of triples (Lemma 13).
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
struct CombineArgs {
    /// The ε: a rational number such as 1/2, or a logarithm such as `ln(3/2)`.
    #[arg(long, value_name = "E", value_parser = mechanism::epsilon, allow_hyphen_values = true)]
    epsilon: Epsilon,
    /// The number of rounds.
    #[arg(long, value_name = "T", value_parser = mechanism::length, allow_hyphen_values = true)]
    rounds: usize,
    /// Also find the smallest D for this δ, a rational number in [0, 1).
    #[arg(long, value_name = "D", value_parser = mechanism::delta, allow_hyphen_values = true)]
    delta: Option<Number>,
    /// The values of D.
    #[arg(long = "d", value_name = "A..B", value_parser = values_of_d, default_value = "1..16",
          allow_hyphen_values = true)]
    range: Rounds,
    /// How the table is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Write a drawing: δ against D, as SVG.
    #[arg(long, value_name = "FILE.svg", value_parser = common::svg)]
    svg: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
}

/// How a table is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For reading.
    Human,
    /// Comma-separated values with a header: D, the exact worst δ, a decimal.
    Csv,
    /// One JSON object with sorted keys; see docs/schemas.
    Json,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone table combine --epsilon 1/2 --rounds 6
  littlestone table combine --epsilon 'ln(3/2)' --rounds 4 --delta 1/20 --svg combine.svg
  littlestone table combine --epsilon 1/2 --rounds 6 --d 1..32 --format csv

Every value is exact for streams of T rounds; a longer stream can only make it worse.
If a limit is hit, the table ends before the D that was not decided, and the exit code is 3.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    match &args.which {
        Which::Combine(args) => combine(args, output),
    }
}

fn combine(args: &CombineArgs, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    Files::new().output("--svg", args.svg.as_ref()).check()?;
    let asked = report::Asked {
        epsilon: args.epsilon.clone(),
        rounds: args.rounds,
        delta: args.delta.clone(),
    };
    let mut rows = Vec::new();
    let mut halted = None;
    for d in args.range.all() {
        // Another D is another question.
        let counters = output.progress();
        counters.ask(format!("worst δ for D = {d}"));
        let found = progress::watch(output, || worst(d, &asked, &limits, counters))?;
        match found {
            Ok(row) => rows.push(row),
            Err(stopped) => {
                halted = Some((d, stopped));
                break;
            }
        }
    }
    match args.format {
        Format::Human | Format::Csv => {
            match args.format {
                Format::Csv => output.document(&report::csv(&rows))?,
                _ => output.lines(&report::human(&asked, &rows))?,
            }
            if halted.is_some() {
                output.line("verdict: undecided")?;
            }
        }
        Format::Json => {
            output.json(&report::json(&asked, &rows, halted.is_none()))?;
        }
    }
    if let Some((d, stopped)) = halted {
        output.warning(format_args!("the worst δ for D = {d} is not known: {stopped}"));
        return Ok(exit::UNDECIDED);
    }
    if let Some(path) = &args.svg {
        output.making_files()?;
        common::write_file(path, report::draw(&asked, &rows)?.as_bytes())?;
        output.wrote("drawing", path);
    }
    Ok(exit::EXPECTED)
}

/// Reads `--d`, which is written as a range of rounds is.
fn values_of_d(text: &str) -> std::result::Result<Rounds, String> {
    mechanism::rounds(text).map_err(|_| {
        "expected a value of D, at least 1, or a range such as 1..6, which includes 6".into()
    })
}

/// The worst δ for one D, or the limit that was hit.
fn worst(
    d: usize,
    asked: &report::Asked,
    limits: &Limits,
    progress: &Progress,
) -> Result<std::result::Result<report::Row, Stopped>> {
    let spec = Spec::parse(&format!("combine:D={d}"), Path::new(""))?;
    let mechanism =
        Context { tools: None, catalogue: CATALOGUE, limits: Limits::default() }.resolve(&spec)?;
    let rounds = asked.rounds;
    privacy::check_streams(mechanism.interface().records(), rounds)?;
    let automaton = compile(&mechanism, &Options::rounds(rounds, Options::STATES).within(limits))?;
    let question = Question {
        notion: Notion::Joint,
        neighbours: Neighbours::Replacement,
        epsilon: asked.epsilon.clone(),
    };
    let streams = Streams::all(automaton.interface().records());
    let lengths = Lengths { last: rounds, from: rounds + 1, above: None };
    let mut answers =
        privacy::worst_delta(&automaton, &streams, &question, &lengths, limits, progress)?;
    Ok(match answers.pop().expect("an answer for each length") {
        Worst::Exact { delta, .. } => Ok(report::Row { d, delta }),
        Worst::Between { stopped, .. } => Err(stopped),
    })
}

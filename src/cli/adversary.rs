//! `littlestone adversary`: the adversaries of the lower bounds.

use std::path::PathBuf;

use clap::Subcommand;

use crate::adversary::Arguments;
use crate::exact::Rational;
use crate::questions::phases::PhasesQuestion;
use crate::report::thirds as report;

use super::common::{self, ClassArgs, Format, LimitArgs};
use super::exit;
use super::files::Files;
use super::mechanism;
use super::output::{Outcome, Output};
use super::question::{self, Asked};

/// Show an adversary of the lower bounds: its law over streams.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    Thirds(ThirdsArgs),
    Phases(Asked<PhasesQuestion>),
}

/// Algorithm 1: informative examples in random thirds of thirds.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
struct ThirdsArgs {
    /// Number of rounds. The stages work on the first 3^L of them.
    #[arg(long, value_name = "T", value_parser = mechanism::length, allow_hyphen_values = true)]
    rounds: usize,
    #[command(flatten)]
    thirds: ThirdsOptions,
    /// The class, for the names of points; every stream is realisable by it.
    #[arg(long, value_name = "CLASS", default_value = "point:3")]
    class: String,
    #[command(flatten)]
    reading: ClassArgs,
    /// Write a drawing like Figure 2(a), as SVG.
    #[arg(long, value_name = "FILE.svg", value_parser = common::svg)]
    plot: Option<PathBuf>,
    /// How the law is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

/// The parameters of Algorithm 1 as options.
#[derive(Debug, clap::Args)]
pub(super) struct ThirdsOptions {
    /// The probability p of an insertion where the middle third is chosen, 0 < p ≤ 1.
    #[arg(long, value_name = "P", value_parser = rational, default_value = "1",
          allow_hyphen_values = true)]
    p: Rational,
    /// The dummy example [default: 3:0].
    #[arg(long, value_name = "x:y", value_parser = example)]
    dummy: Option<(String, bool)>,
    /// The point of informative examples [default: 1].
    #[arg(long, value_name = "x")]
    informative: Option<String>,
}

impl ThirdsOptions {
    pub(super) fn arguments(&self) -> Arguments {
        Arguments {
            probability: self.p.clone(),
            dummy: self.dummy.clone(),
            informative: self.informative.clone(),
        }
    }
}

const AFTER_HELP: &str = "\
Examples:
  littlestone adversary thirds --rounds 9 --p 1/2
  littlestone adversary thirds --rounds 27 --plot thirds.svg
  littlestone adversary thirds --rounds 10 --class cube:2 --dummy 1:0 --informative 2

For T = 1 and 2 the first round is informative, as in the proof of Theorem 1. Where there are more
than 1000 streams they are counted only.";

fn rational(text: &str) -> Result<Rational, String> {
    crate::exact::parse_rational(text).map_err(|error| error.to_string())
}

fn example(text: &str) -> Result<(String, bool), String> {
    crate::adversary::example(text).map_err(|error| error.to_string())
}

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    match &args.which {
        Which::Thirds(args) => thirds(args, output),
        Which::Phases(asked) => question::run("adversary", asked, output),
    }
}

fn thirds(args: &ThirdsArgs, output: &mut Output<'_>) -> Outcome {
    Files::new().class(Some(&args.class)).output("--plot", args.plot.as_ref()).check()?;
    let limits = args.limits.limits(output)?;
    let class = common::load(&args.class, args.reading, &limits, output)?;
    let adversary = args.thirds.arguments().over(class.point_names(), args.rounds)?;
    adversary.check_realisable(&class)?;
    let asked = report::Asked {
        adversary: &adversary,
        class: &args.class,
        points: class.point_names(),
        limits: &limits,
    };
    match args.format {
        Format::Human => output.lines(&report::human(&asked)?)?,
        Format::Json => {
            let mut object = common::object("adversary thirds");
            object.extend(report::json(&asked)?);
            common::print_json(&object, output)?;
        }
    }
    if let Some(path) = &args.plot {
        output.making_files()?;
        common::write_file(path, report::draw(&asked).as_bytes())?;
        output.wrote("drawing", path);
    }
    Ok(exit::EXPECTED)
}

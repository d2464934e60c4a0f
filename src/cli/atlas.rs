//! `littlestone atlas`: all classes on a few points up to symmetry.

use crate::atlas;

use super::common::{self, LimitArgs};
use super::exit;
use super::output::{Outcome, Output};

/// List every class on a few points up to symmetry with its dimensions, as CSV.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// The greatest number of points, from 1 to 4.
    #[arg(long, value_name = "N", value_parser = common::number::<usize>, allow_hyphen_values = true)]
    points: usize,
    #[command(flatten)]
    limits: LimitArgs,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone atlas --points 3
  littlestone atlas --points 4 > atlas.csv

A row stands for all classes that permutations of the points and complementing the labels at some
points turn into one another; `alike` is their number. Everything is the same for all of them but
the threshold dimension, of which the least and the greatest value are given. The decomposition
dimension and the number of essential hypotheses are for p = 1, 2, 3 and d = Ldim.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    output.document(&atlas::csv(args.points, &limits)?)?;
    Ok(exit::EXPECTED)
}

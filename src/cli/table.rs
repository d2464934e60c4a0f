//! `littlestone table`: how a constant of the paper may be chosen.

use clap::Subcommand;

use crate::questions::combine_table::CombineTableQuestion;

use super::output::{Outcome, Output};
use super::question::{self, Asked};

/// Tables of exact values against a parameter of the paper.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    Combine(Asked<CombineTableQuestion>),
}

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    match &args.which {
        Which::Combine(asked) => question::run("table combine", asked, output),
    }
}

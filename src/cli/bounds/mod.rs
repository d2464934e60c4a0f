//! `littlestone bounds`: the theorems of the paper as formulas with numbers.

mod learning;
mod predictor;

use clap::Subcommand;

use super::output::{Outcome, Output};

/// Evaluate the bounds of the paper, with their hypotheses checked.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    Learning(learning::Args),
    Predictor(predictor::Args),
}

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    match &args.which {
        Which::Learning(args) => learning::run(args, output),
        Which::Predictor(args) => predictor::run(args, output),
    }
}

//! `littlestone bounds`: the paper's bounds as numbers.

mod predictor;

use clap::Subcommand;

use super::output::{Outcome, Output};

/// What the bounds of the paper are at chosen parameters, exactly or enclosed.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    Predictor(predictor::Args),
}

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    match &args.which {
        Which::Predictor(args) => predictor::run(args, output),
    }
}

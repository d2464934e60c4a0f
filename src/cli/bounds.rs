//! `littlestone bounds`: the theorems of the paper as formulas with numbers.

use clap::Subcommand;

use crate::questions::bounds::learning::BoundsLearningQuestion;
use crate::questions::bounds::predictor::BoundsPredictorQuestion;

use super::output::{Outcome, Output};
use super::question::{self, Asked};

/// Evaluate the bounds of the paper, with their hypotheses checked.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    Learning(Asked<BoundsLearningQuestion>),
    Predictor(Asked<BoundsPredictorQuestion>),
}

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    match &args.which {
        Which::Learning(asked) => question::run("bounds learning", asked, output),
        Which::Predictor(asked) => question::run("bounds predictor", asked, output),
    }
}

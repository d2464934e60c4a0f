//! `littlestone adversary`: the adversaries of the lower bounds.

use clap::Subcommand;

use crate::questions::lemma5::Lemma5Question;
use crate::questions::lemma5::block::BlockQuestion;
use crate::questions::phases::PhasesQuestion;
use crate::questions::thirds::ThirdsQuestion;

use super::output::{Outcome, Output};
use super::question::{self, Asked};

/// Show an adversary of the lower bounds: its law over streams, and what learners make of it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    Thirds(Asked<ThirdsQuestion>),
    Blocks(Asked<BlockQuestion>),
    Lemma5(Asked<Lemma5Question>),
    Phases(Asked<PhasesQuestion>),
}

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    match &args.which {
        Which::Thirds(asked) => question::run("adversary", asked, output),
        Which::Blocks(asked) => question::run("adversary", asked, output),
        Which::Lemma5(asked) => question::run("adversary", asked, output),
        Which::Phases(asked) => question::run("adversary", asked, output),
    }
}

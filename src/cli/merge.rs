//! `littlestone merge`: one verdict from the parts of a job array.

use std::path::PathBuf;

use crate::questions::Run;
use crate::questions::privacy::{PrivacyFiles, part};

use super::common::LimitArgs;
use super::output::{Outcome, Output};
use super::question::{self, Shown};

/// Put the parts of `verify --shard` together: prints what a single run prints.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// The files of all parts, in any order.
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    files: PrivacyFiles,
    #[command(flatten)]
    shown: Shown,
    #[command(flatten)]
    limits: LimitArgs,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone verify soa --class point:3 --rounds 5 --epsilon 0 --shard 1/2 --partial 1.json
  littlestone verify soa --class point:3 --rounds 5 --epsilon 0 --shard 2/2 --partial 2.json
  littlestone merge 1.json 2.json

A part that is missing, given twice, or of another question is an error, with exit code 2, and so is
one whose pair of streams does not have the divergence that is stated of it. Otherwise the exit code is that of the single run: 0 holds, 1 refuted, 3 undecided.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    question::separate(args.paths.clone(), &args.files)?;
    let merged = |run: &Run<'_>| part::merge(&args.paths, &args.files, run);
    question::show("verify", &args.shown, limits, merged, output)
}

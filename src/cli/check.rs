//! `littlestone check`: runs claim files.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::claims::{self, CheckOptions, Faults};
use crate::report::check as report;

use super::common::LimitArgs;
use super::output::{Failure, Outcome, Output};

/// Run claim files: each claim states what is expected of a tiny instance.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Claim files (TOML), or folders that hold them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Run only the checks whose name, paper item, file, kind or parameters contain this text;
    /// may be given several times.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Stop at the first check whose verdict is not as expected.
    #[arg(long)]
    fail_fast: bool,
    /// List the selected checks and run none.
    #[arg(long, conflicts_with = "fail_fast")]
    list: bool,
    /// Print what was found for every check, not only for those that are not as expected.
    #[arg(long, short)]
    verbose: bool,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One line a check.
    Human,
    /// One JSON object with sorted keys; see docs/schemas.
    Json,
    /// XML for services that collect test results.
    Junit,
    /// Annotations for GitHub Actions.
    Github,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone check checks/
  littlestone check checks/ --only 'Definition 6' --verbose
  littlestone check checks/ --format github

The last line is `N passed, M failed`. Limits hold for each check.
Exit codes: 0 every verdict as expected, 1 one differs, 2 malformed input, 3 undecided,
4 nothing selected.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let options = CheckOptions {
        limits: args.limits.limits()?,
        only: args.only.clone(),
        fail_fast: args.fail_fast,
    };
    let mut suite = match claims::load(&args.paths) {
        Ok(suite) => suite,
        Err(faults) => return refuse(args, &faults, output),
    };
    suite.select(&options.only);
    if args.list {
        let none = suite.checks().len() == 0;
        output.lines(&report::list(suite.checks()))?;
        return Ok(if none { super::exit::NOTHING_SELECTED } else { super::exit::EXPECTED });
    }
    let outcome = match suite.run(&options, &|_| {}) {
        Ok(outcome) => outcome,
        Err(faults) => return refuse(args, &faults, output),
    };
    let detail = if args.verbose {
        report::Detail::Everything
    } else if output.is_quiet() {
        report::Detail::Failures
    } else {
        report::Detail::Lines
    };
    match args.format {
        Format::Human => output.lines(&report::human(&outcome, detail))?,
        Format::Json => output.document(&report::json(&outcome))?,
        Format::Junit => output.document(&report::junit(&outcome))?,
        Format::Github => output.lines(&report::github(&outcome))?,
    }
    if outcome.results.is_empty() {
        output.warning("nothing was selected");
    }
    Ok(outcome.status().exit_code())
}

/// Names every fault of the input; GitHub reads its annotations from standard output.
fn refuse(args: &Args, faults: &Faults, output: &mut Output<'_>) -> Result<u8, Failure> {
    if args.format == Format::Github {
        output.lines(&report::github_faults(faults))?;
    }
    for fault in &faults.0 {
        output.fault(fault);
    }
    Ok(Faults::EXIT_CODE)
}

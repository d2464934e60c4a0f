//! `littlestone check`: runs claim files.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;

use crate::claims::{self, CheckOptions, Event, Tier};
use crate::questions::written::{AtLeastOne, Text};
use crate::report::check::{self as report, Detail};
use crate::text::visible;

use super::common::LimitArgs;
use super::exit;
use super::output::{Failure, Outcome, Output};
use super::progress::Line;

/// Run claim files: each claim states what is expected of a tiny instance.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(super) struct Args {
    /// Claim files (TOML), or folders that hold them.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Run only the checks whose name, paper item, file, kind or parameters contain this text;
    /// may be given several times.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Which claims are run: those without `tier = "long"`, those with it, or all.
    #[arg(long, value_enum, default_value_t)]
    tier: Tiers,
    /// Stop at the first check whose verdict is not as expected.
    #[arg(long)]
    fail_fast: bool,
    /// List the selected checks and run none.
    #[arg(long, conflicts_with = "fail_fast")]
    list: bool,
    /// Print what was found for every check, not only for those that are not as expected.
    #[arg(long, short)]
    verbose: bool,
    /// Give up on a claim after this time, such as `10s` or `2m`, and go on with the next.
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration,
          allow_hyphen_values = true, help_heading = "Limits")]
    claim_timeout: Option<Duration>,
    /// Fail claims that could be strengthened by more than this factor, unless they say why: the
    /// right side of an inequality that is claimed over its left side.
    #[arg(long, value_name = "R")]
    max_slack: Option<Text<AtLeastOne>>,
    /// Try each claim that holds again with its constants made stronger, and list those that still
    /// hold: their statements say less than they could. The claim's `slack` says why.
    #[arg(long)]
    perturb: bool,
    /// Print how long each check took, in JSON and `JUnit`.
    #[arg(long)]
    times: bool,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Tiers {
    /// Claims that do not say that they take long.
    #[default]
    Short,
    /// Claims that say that they take long.
    Long,
    /// All claims.
    All,
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

The last line is `N passed, M failed`, with the numbers of undecided checks and of errors where there
are any. A claim that is malformed is an error beside the results of the others. --timeout is for the
whole run, --claim-timeout and the other limits are for each check.
Exit codes: 0 every verdict as expected, 1 one differs, 2 malformed input in some place, 3 undecided,
4 nothing selected; of several the first in the order 2, 1, 3, 4.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let options = CheckOptions {
        limits: args.limits.limits(output)?,
        claim_timeout: args.claim_timeout,
        only: args.only.clone(),
        fail_fast: args.fail_fast,
        perturb: args.perturb,
        max_slack: args.max_slack.as_ref().map(|factor| factor.value.0.clone()),
    };
    let mut suite = claims::load(&args.paths, &options.limits);
    match args.tier {
        Tiers::Short => suite.select_tier(Tier::Short),
        Tiers::Long => suite.select_tier(Tier::Long),
        Tiers::All => {}
    }
    suite.select(&options.only);
    if args.list {
        let code = match (suite.faults().next(), suite.checks().next()) {
            (Some(_), _) => exit::USAGE,
            (None, Some(_)) => exit::EXPECTED,
            (None, None) => exit::NOTHING_SELECTED,
        };
        output.lines(&report::list(suite.checks()))?;
        suite.faults().for_each(|fault| output.fault(fault));
        return Ok(code);
    }
    let detail = if args.verbose {
        Detail::Everything
    } else if output.is_quiet() {
        Detail::Failures
    } else {
        Detail::Lines
    };
    let mut teller = Teller { format: args.format, detail, line: Line::new(output), failure: None };
    let outcome = suite.run(&options, &mut |event| teller.tell(&event, output));
    teller.line.clear();
    if let Some(failure) = teller.failure {
        return Err(failure);
    }
    match args.format {
        Format::Human => output.lines(&report::closing(&outcome))?,
        Format::Json => output.document(&report::json(&outcome, args.times))?,
        Format::Junit => output.document(&report::junit(&outcome, args.times))?,
        Format::Github => output.lines(&report::github(&outcome))?,
    }
    if outcome.results.is_empty() && outcome.faults.is_empty() {
        output.warning("nothing was selected");
    }
    Ok(outcome.status().exit_code())
}

/// Prints what a run tells, as it tells it.
struct Teller {
    format: Format,
    detail: Detail,
    line: Line,
    /// Why the result could not be printed.
    failure: Option<Failure>,
}

impl Teller {
    fn tell(&mut self, event: &Event<'_>, output: &mut Output<'_>) -> ControlFlow<()> {
        let text = match event {
            Event::Done { done, total, next } => {
                let at = format!("{}:{}", visible(&next.file), next.line);
                self.line.show(&format!("{done} of {total} checks, waiting for {at}"));
                return ControlFlow::Continue(());
            }
            Event::Result(result) => report::result(result, self.detail),
            Event::Fault(error) => report::fault(error),
        };
        let printed = self.line.aside(|| {
            if let Event::Fault(error) = event {
                output.fault(error);
            }
            // The other formats are documents, which have an end.
            if self.format != Format::Human || text.is_empty() {
                return Ok(());
            }
            output.lines(&text).and_then(|()| output.flush())
        });
        output.computing();
        match printed {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error.into());
                ControlFlow::Break(())
            }
        }
    }
}

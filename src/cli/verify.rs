//! `littlestone verify`: whether a mechanism is (ε,δ)-private, exactly.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::error::{Error, Result};
use crate::exact::{Epsilon, Number};
use crate::privacy::{Part, Verdict};
use crate::report::privacy::{self as report, Asked, Found, Witness};

use super::common::{self, Format, LimitArgs};
use super::every::{self, Horizon};
use super::exit;
use super::files::Files;
use super::mechanism::{self, MechanismArgs, Rounds};
use super::neighbours::{self, Choice};
use super::output::{Failure, Outcome, Output};
use super::partial;
use super::plan::Plan;

/// Decide whether a mechanism is (ε,δ)-private (Definitions 2 and 4), or compute its worst δ.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) mechanism: MechanismArgs,
    /// Number of rounds, or a range such as 1..6 for a table; for one-shot mechanisms, the number
    /// of records.
    /// `all` asks about every number at once: a bound from one step that holds for every T, and
    /// T = 1, …, 6 directly where it does not suffice.
    #[arg(long, value_name = "T|A..B|all", value_parser = every::horizon,
          allow_hyphen_values = true)]
    pub(super) rounds: Option<Horizon>,
    /// The ε of the claim: a rational number such as 1/2, or a logarithm such as `ln(3/2)` or
    /// `ln(3/4 + 1/4*exp(1))`.
    #[arg(long, value_name = "E", value_parser = mechanism::epsilon, allow_hyphen_values = true)]
    pub(super) epsilon: Epsilon,
    /// The δ of the claim, an exact number in [0, 1), such as 1/4 or `1 - exp(-1/2)`. Without it the worst δ is computed, and
    /// there is no verdict.
    #[arg(long, value_name = "D", value_parser = mechanism::delta, allow_hyphen_values = true)]
    pub(super) delta: Option<Number>,
    /// Joint privacy (Definition 4): the answer of the differing round is dropped on both sides.
    #[arg(long)]
    pub(super) joint: bool,
    /// Which streams count.
    #[arg(long, value_enum, default_value_t = Scope::All, value_name = "WHICH")]
    pub(super) streams: Scope,
    /// Which streams are neighbours: replacement, add-remove, adjacent (vectors of answers), or a file
    /// of pairs; the last three are for one-shot mechanisms.
    #[arg(long, value_name = "WHICH|FILE", default_value = "replacement",
          value_parser = neighbours::choice)]
    pub(super) neighbours: Choice,
    /// Decide δ without computing the worst one, which can be much faster.
    #[arg(long, requires = "delta")]
    pub(super) decide_only: bool,
    #[command(flatten)]
    pub(super) report: ReportArgs,
    /// Look at part I of N of the pairs alone, for job arrays; `littlestone merge` puts the parts
    /// together.
    #[arg(long, value_name = "I/N", value_parser = partial::shard, requires = "partial",
          help_heading = "Job arrays")]
    pub(super) shard: Option<Part>,
    /// The file for the answer to the part.
    #[arg(long, value_name = "FILE", requires = "shard", help_heading = "Job arrays")]
    pub(super) partial: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
}

/// How and where the result is shown.
#[derive(Debug, clap::Args)]
pub(super) struct ReportArgs {
    /// Write a certificate that `littlestone recheck` verifies.
    #[arg(long, value_name = "FILE")]
    pub(super) certificate: Option<PathBuf>,
    /// When refuted, write the counterexample to a file that `littlestone replay` reads.
    #[arg(long, value_name = "FILE")]
    pub(super) counterexample: Option<PathBuf>,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(super) format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Scope {
    /// All streams over the records.
    All,
    /// Pairs of streams each of which is realisable by the class: a weaker claim.
    Realisable,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone verify learner.rhai --class point:3 --rounds 3 --epsilon 'ln(3/2)' --delta 0
  littlestone verify predictor.rhai --class point:3 --rounds 4 --epsilon 0 --delta 1/4 --joint
  littlestone verify predictor.rhai --class point:3 --rounds 1..6 --epsilon 0 --joint
  littlestone verify predictor.rhai --class point:3 --rounds all --epsilon 0 --delta 1/4 --joint
  littlestone verify count.rhai --rounds 2 --epsilon 'ln(2)' --delta 0 --neighbours add-remove

The worst δ is the maximum of P(E) − e^ε·Q(E) over all ordered pairs of neighbouring streams and
all events E of outputs; the claim holds iff it is at most δ. When refuted, the shortest streams
that refute are printed, with an event and both probabilities.
Exit codes: 0 holds, 1 refuted, 2 malformed input, 3 undecided.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    args.report
        .outputs(Files::new().subject(&args.mechanism).neighbours(&args.neighbours))
        .output("--partial", args.partial.as_ref())
        .check()?;
    certifiable(args)?;
    if args.report.counterexample.is_some() && args.delta.is_none() {
        return Err(Error::argument("--counterexample needs --delta").into());
    }
    if args.partial.is_some() {
        partial::refuse(args)?;
    }
    let subject = args.mechanism.load(&limits, output)?;
    let plan = Plan::new(args, &subject, &limits)?;
    if let (Some(part), Some(path)) = (args.shard, &args.partial) {
        return partial::run(&plan, part, path, &limits, output);
    }
    if plan.every_length {
        return every::run(args, plan, &subject, &limits, output);
    }
    let kind = plan.question.neighbours;
    if plan.pairs.is_none() {
        let last = plan.rounds.last;
        subject.note_independence(&plan.automaton, &plan.streams, kind, last, output);
    }
    let found = plan.find(&limits, output)?;
    show(&plan, &found, &args.report, output)
}

/// Prints what was found, and writes the files that were asked for.
pub(super) fn show(
    plan: &Plan,
    found: &Found,
    wanted: &ReportArgs,
    output: &mut Output<'_>,
) -> Outcome {
    let asked = plan.asked();
    if let Some(stopped) = found.stopped {
        output.warning(format_args!("the worst δ is not known: {stopped}"));
    }
    match wanted.format {
        Format::Human => output.lines(&report::human(&asked, found))?,
        Format::Json => output.json(&report::json(&asked, found))?,
    }
    output.making_files()?;
    wanted.write_counterexample(&asked, found.counterexample.as_ref(), output)?;
    if let Some(path) = &wanted.certificate {
        plan.certify(&asked, found, path, output)?;
    }
    Ok(match found.verdict {
        Some(Verdict::Refuted) => exit::REFUTED,
        Some(Verdict::Undecided) => exit::UNDECIDED,
        None if found.stopped.is_some() => exit::UNDECIDED,
        Some(Verdict::Holds) | None => exit::EXPECTED,
    })
}

impl Args {
    /// Whether only realisable streams count.
    pub(super) fn realisable(&self) -> bool {
        self.streams == Scope::Realisable
    }
}

impl ReportArgs {
    /// Adds the files that are asked for.
    pub(super) fn outputs(&self, files: Files) -> Files {
        files
            .output("--counterexample", self.counterexample.as_ref())
            .output("--certificate", self.certificate.as_ref())
    }

    /// Writes the file of `--counterexample`, if it was asked for and there is one.
    pub(super) fn write_counterexample(
        &self,
        asked: &Asked<'_>,
        witness: Option<&Witness>,
        output: &mut Output<'_>,
    ) -> std::result::Result<(), Failure> {
        let Some(path) = &self.counterexample else { return Ok(()) };
        match report::counterexample(asked, witness) {
            Some(value) => {
                common::write_json(path, &value)?;
                output.wrote("counterexample", path);
            }
            None => output.note("there is no counterexample, and no file was written"),
        }
        Ok(())
    }
}

/// Refuses questions whose answers certificates have no form for.
fn certifiable(args: &Args) -> Result<()> {
    match args.rounds {
        Some(Horizon::Of(Rounds { first, last, .. }))
            if first < last && args.report.certificate.is_some() =>
        {
            Err(Error::argument_with_help(
                "--certificate: a table over several numbers of rounds has none",
                "give one number of rounds, such as `--rounds 4`",
            ))
        }
        _ => Ok(()),
    }
}

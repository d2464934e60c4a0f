//! `littlestone merge`: one verdict from the parts of a job array.

use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::privacy::{merge_decisions, merge_worst};

use super::common::LimitArgs;
use super::output::{Outcome, Output};
use super::partial::{Answers, File, producer};
use super::plan::Plan;
use super::verify::{self, ReportArgs};

/// Put the parts of `verify --shard` together: prints what a single run prints.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// The files of all parts, in any order.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone verify soa --class point:3 --rounds 5 --epsilon 0 --shard 1/2 --partial 1.json
  littlestone verify soa --class point:3 --rounds 5 --epsilon 0 --shard 2/2 --partial 2.json
  littlestone merge 1.json 2.json

A part that is missing, given twice, or of another question is an error, with exit code 2. Otherwise
the exit code is that of the single run: 0 holds, 1 refuted, 3 undecided.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    args.report.expect_writable()?;
    let files: Vec<(String, File)> = args
        .files
        .iter()
        .map(|path| Ok((path.display().to_string(), File::read(path)?)))
        .collect::<Result<_>>()?;
    complete(&files)?;
    let (first, file) = &files[0];
    let plan = file.question.plan(first, &limits)?;
    if args.report.counterexample.is_some() && plan.delta.is_none() {
        return Err(Error::argument("--counterexample: the question has no δ").into());
    }
    if args.report.certificate.is_some() && plan.rounds.first < plan.rounds.last {
        return Err(Error::argument(
            "--certificate: a table over several numbers of rounds has none",
        )
        .into());
    }
    let found = merged(&plan, &files)?;
    verify::show(&plan, &found, &args.report, output)
}

/// Checks that the files are the parts of one question, each once.
fn complete(files: &[(String, File)]) -> Result<()> {
    let (first, reference) = &files[0];
    let count = reference.shard[1];
    for (name, file) in files {
        if file.producer != producer() {
            return Err(Error::argument(format!(
                "{name} was written by {}, and this is {}, which may cut questions in another way",
                file.producer,
                producer()
            )));
        }
        if let Some(key) = file.question.difference(&reference.question) {
            return Err(Error::argument(format!(
                "{name} is about another question than {first}: the key `{key}` differs"
            )));
        }
        if file.shard[1] != count {
            return Err(Error::argument(format!(
                "{name} is part {}/{} and {first} one of {count}",
                file.shard[0], file.shard[1]
            )));
        }
    }
    for part in 1..=count {
        let mut holders = files.iter().filter(|(_, file)| file.shard[0] == part);
        let Some((one, _)) = holders.next() else {
            return Err(Error::argument_with_help(
                format!("part {part}/{count} is missing"),
                format!("run `verify` with `--shard {part}/{count}`, or give its file"),
            ));
        };
        if let Some((other, _)) = holders.next() {
            return Err(Error::argument(format!(
                "part {part}/{count} is given twice, by {one} and {other}"
            )));
        }
    }
    Ok(())
}

fn merged(plan: &Plan, files: &[(String, File)]) -> Result<crate::report::privacy::Found> {
    let (mut worst, mut decisions) = (Vec::new(), Vec::new());
    // By part, so that the order of the files does not matter.
    let mut ordered: Vec<&(String, File)> = files.iter().collect();
    ordered.sort_by_key(|(_, file)| file.shard[0]);
    for (name, file) in ordered {
        match file.answers(name, plan)? {
            Answers::Worst(answers) => worst.push(answers),
            Answers::Decision(decision) => decisions.push(decision),
        }
    }
    if decisions.is_empty() {
        return plan.judged(&merge_worst(&worst));
    }
    let found = plan.decided(merge_decisions(&decisions))?;
    found.ok_or_else(|| {
        Error::argument("a pair that refutes cannot be continued; ask without --decide-only")
    })
}

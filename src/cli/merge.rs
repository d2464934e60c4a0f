//! `littlestone merge`: one verdict from the parts of a job array.

use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::exact::Number;
use crate::privacy::{Decision, Worst, merge_decisions, merge_worst, misstated, shown, shrinking};

use super::common::LimitArgs;
use super::files::Files;
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

/// What no pair of streams shows.
const TRUST: &str = "taken on trust: that the automaton in the parts is that of the mechanism, and that \
                     no pair of streams of a part exceeds what the part says; the pairs that the \
                     parts name were recomputed";

const AFTER_HELP: &str = "\
Examples:
  littlestone verify soa --class point:3 --rounds 5 --epsilon 0 --shard 1/2 --partial 1.json
  littlestone verify soa --class point:3 --rounds 5 --epsilon 0 --shard 2/2 --partial 2.json
  littlestone merge 1.json 2.json

A part that is missing, given twice, or of another question is an error, with exit code 2, and so is
one whose pair of streams does not have the divergence that is stated of it. Otherwise the exit code is that of the single run: 0 holds, 1 refuted, 3 undecided.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    let files = args.files.iter().fold(Files::new(), |files, path| files.input(path));
    args.report.outputs(files).check()?;
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
    output.note(TRUST);
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
        let answers = file.answers(name, plan)?;
        if let Some(fault) = fault(plan, &answers)? {
            return Err(Error::argument(format!("{name}: {fault}")));
        }
        match answers {
            Answers::Worst(answers) => worst.push(answers),
            Answers::Decision(decision) => decisions.push(decision),
        }
    }
    if decisions.is_empty() {
        let worst = merge_worst(&worst);
        if let Some(fault) = shrinking(&plan.automaton, &plan.streams, &worst) {
            return Err(Error::argument(format!("the parts contradict one another: {fault}")));
        }
        return plan.judged(&worst);
    }
    let found = plan.decided(merge_decisions(&decisions))?;
    found.ok_or_else(|| {
        Error::argument("a pair that refutes cannot be continued; ask without --decide-only")
    })
}

/// What is wrong with the answers of a part: each pair of streams that it names must show what is
/// said of it.
fn fault(plan: &Plan, answers: &Answers) -> Result<Option<String>> {
    let Plan { automaton, streams, question, .. } = plan;
    let meter = &mut plan.limits.meter();
    match answers {
        Answers::Worst(answers) => {
            for (rounds, answer) in (1..).zip(answers) {
                // Shorter streams were not asked about, and need no pair as long as they refute nothing.
                let (Worst::Exact { delta: lower, attained_by }
                | Worst::Between { lower, attained_by, .. }) = answer;
                let refutes = plan.delta.as_ref().is_some_and(|delta| lower > delta);
                if rounds < plan.rounds.first && attained_by.is_none() && !refutes {
                    continue;
                }
                let fault = misstated(automaton, streams, question, rounds, answer, meter)?;
                if let Some(fault) = fault {
                    return Ok(Some(format!("the answer for {rounds} rounds: {fault}")));
                }
            }
            Ok(None)
        }
        Answers::Decision(Decision::Refuted(pair)) => {
            let rounds = pair.first.len().max(pair.second.len());
            if rounds > plan.rounds.last {
                return Ok(Some(format!("a pair of {rounds} rounds refutes nothing here")));
            }
            let delta = plan.delta.clone().unwrap_or_else(Number::zero);
            Ok(match shown(automaton, streams, question, rounds, pair, meter)? {
                Ok(real) if real > delta => None,
                Ok(real) => {
                    Some(format!("the pair has the divergence {real}, which refutes nothing"))
                }
                Err(fault) => Some(fault),
            })
        }
        Answers::Decision(_) => Ok(None),
    }
}

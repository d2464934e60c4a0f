//! `littlestone verify --rounds all`: every number of rounds at once.

use crate::error::{Error, Result};
use crate::limits::{Limits, Progress};
use crate::privacy::{self, DIRECT_ROUNDS, Every, Verdict, certify};
use crate::report::privacy::{self as report, Asked, EveryFound};

use super::common::Format;
use super::exit;
use super::mechanism::{self, Rounds};
use super::output::{Outcome, Output};
use super::plan::Plan;
use super::progress;
use super::verify::{self, Args};

/// The numbers of rounds of `verify`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Horizon {
    /// These.
    Of(Rounds),
    /// Every one.
    Every,
}

/// Reads `--rounds`: a number, a range, or `all`.
pub(super) fn horizon(text: &str) -> std::result::Result<Horizon, String> {
    if text == "all" {
        return Ok(Horizon::Every);
    }
    mechanism::rounds(text).map(Horizon::Of).map_err(|expected| format!("{expected}, or `all`"))
}

pub(super) fn run(args: &Args, plan: &Plan, limits: &Limits, output: &mut Output<'_>) -> Outcome {
    if args.decide_only {
        return Err(Error::argument_with_help(
            "--decide-only has no effect with --rounds all",
            "no worst δ is computed anyway",
        )
        .into());
    }
    let asked = plan.asked();
    output.progress().ask("worst δ of every length");
    let every = progress::watch(output, || find(plan, args, limits, output.progress()))?;
    let counterexample = every.counterexample.clone().map(|pair| plan.witness(pair)).transpose()?;
    if let Some(stopped) = every.stopped {
        output.warning(format_args!("not all was decided: {stopped}"));
    }
    let found = EveryFound { every, counterexample };
    match args.report.format {
        Format::Human => output.text(&report::every_human(&asked, &found))?,
        Format::Json => output.line(verify::pretty(&report::every_json(&asked, &found))?)?,
    }
    args.report.write_counterexample(&asked, found.counterexample.as_ref(), output)?;
    certify(args, plan, &asked, &found, output)?;
    Ok(match found.every.verdict {
        _ if asked.delta.is_none() && found.every.step.is_some() => exit::EXPECTED,
        Verdict::Holds => exit::EXPECTED,
        Verdict::Refuted => exit::REFUTED,
        Verdict::Undecided => exit::UNDECIDED,
    })
}

/// The verdict, or without δ the bound alone.
fn find(plan: &Plan, args: &Args, limits: &Limits, progress: &Progress) -> Result<Every> {
    let Plan { automaton, streams, question, .. } = plan;
    if let Some(delta) = args.delta.as_ref() {
        let last = DIRECT_ROUNDS;
        return privacy::every_length(automaton, streams, question, delta, last, limits, progress);
    }
    let step = privacy::step_bound(automaton, streams, question, limits, progress)?;
    let (step, stopped) = match step {
        Ok(step) => (Some(step), None),
        Err(stopped) => (None, Some(stopped)),
    };
    let verdict = Verdict::Undecided;
    Ok(Every { verdict, step, counterexample: None, decided: 0, stopped })
}

/// Writes the file of `--certificate`, if it was asked for and something was decided.
fn certify(
    args: &Args,
    plan: &Plan,
    asked: &Asked<'_>,
    found: &EveryFound,
    output: &mut Output<'_>,
) -> Result<()> {
    let Some(path) = &args.report.certificate else { return Ok(()) };
    let realisable_by = plan.realisable_by.as_ref();
    // Without a claim, the bound itself is what holds.
    let bound = || found.every.step.as_ref().map(|step| &step.bound);
    let holds = match asked.delta {
        Some(delta) => Some(delta).filter(|_| found.every.verdict == Verdict::Holds),
        None => bound(),
    };
    let (source, question) = (asked.mechanism, &plan.question);
    if let Some(delta) = holds {
        let certificate =
            certify::every_length(&plan.automaton, question, source, realisable_by, delta)?;
        certify::write_file(&certificate, path)?;
    } else if let (Some(witness), Some(delta)) = (&found.counterexample, asked.delta) {
        let statement = certify::Statement {
            source,
            realisable_by,
            listed: None,
            rounds: witness.pair.first.len().max(witness.pair.second.len()),
            verdict: Some((delta, certify::Verdict::Refuted(&witness.pair))),
            worst: None,
        };
        certify::write_certificate(&plan.automaton, question, &statement, path)?;
    } else {
        output.warning("no certificate: nothing was decided");
        return Ok(());
    }
    output.wrote("certificate", path);
    Ok(())
}

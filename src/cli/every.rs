//! `littlestone verify --rounds all`: every number of rounds at once.

use crate::error::{Error, Result};
use crate::limits::{Limits, Progress};
use crate::mechanism::{Automaton, Mechanism as _, Options, compile, every_length_covered};
use crate::privacy::{self, Every, Verdict, certify};
use crate::report::privacy::{self as report, Asked, EveryFound};

use super::common::Format;
use super::exit;
use super::mechanism::{self, Rounds, Subject};
use super::output::{Outcome, Output};
use super::plan::Plan;
use super::progress;
use super::verify::Args;

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

pub(super) fn run(
    args: &Args,
    mut plan: Plan,
    subject: &Subject,
    limits: &Limits,
    output: &mut Output<'_>,
) -> Outcome {
    if args.decide_only {
        return Err(Error::argument_with_help(
            "--decide-only has no effect with --rounds all",
            "no worst δ is computed anyway",
        )
        .into());
    }
    every_length_covered(subject.mechanism.rounds())?;
    output.progress().ask("worst δ of every length");
    let (automaton, every) =
        progress::watch(output, || find(&plan, subject, args, limits, output.progress()))?;
    plan.automaton = automaton;
    let (kind, last) = (plan.question.neighbours, privacy::MAX_ROUNDS);
    let last = plan.automaton.rounds().unwrap_or(last);
    subject.note_independence(&plan.automaton, &plan.streams, kind, last, output);
    let asked = plan.asked();
    let counterexample = every.counterexample.clone().map(|pair| plan.witness(pair)).transpose()?;
    if let Some(stopped) = every.stopped {
        output.warning(format_args!("not all was decided: {stopped}"));
    }
    let found = EveryFound { every, counterexample };
    certifiable(args, &found.every)?;
    match args.report.format {
        Format::Human => output.lines(&report::every_human(&asked, &found))?,
        Format::Json => output.json(&report::every_json(&asked, &found))?,
    }
    output.making_files()?;
    args.report.write_counterexample(&asked, found.counterexample.as_ref(), output)?;
    certify(args, &plan, &asked, &found, output)?;
    Ok(match found.every.verdict {
        _ if asked.delta.is_none() && found.every.step.is_some() => exit::EXPECTED,
        Verdict::Holds => exit::EXPECTED,
        Verdict::Refuted => exit::REFUTED,
        Verdict::Undecided => exit::UNDECIDED,
    })
}

/// The verdict, or without δ the bounds alone, and the automaton that they are about.
fn find(
    plan: &Plan,
    subject: &Subject,
    args: &Args,
    limits: &Limits,
    progress: &Progress,
) -> Result<(Automaton, Every)> {
    let Plan { streams, question, .. } = plan;
    let build = |options: &Options| {
        let automaton = compile(&subject.mechanism, options)?;
        automaton.fits([&question.epsilon.factor()])?;
        Ok(automaton)
    };
    if let Some(delta) = args.delta.as_ref() {
        return privacy::every_length_of(&build, streams, question, delta, limits, progress);
    }
    let states = limits.states.map_or(0, |n| usize::try_from(n).unwrap_or(usize::MAX));
    let closed = Options::closed(states.max(Options::STATES)).within(limits);
    let automaton = privacy::prepared(&build(&closed)?, streams, limits)?;
    let every = privacy::bounds(&automaton, streams, question, limits, progress)?;
    Ok((automaton, every))
}

/// Refuses a certificate of what only the outputs of a one-shot mechanism show.
fn certifiable(args: &Args, every: &Every) -> Result<()> {
    let claimed = args.delta.clone();
    let by_step = every.step.as_ref().zip(claimed).is_none_or(|(step, delta)| step.bound <= delta);
    if args.report.certificate.is_some() && every.verdict == Verdict::Holds && !by_step {
        return Err(Error::argument_with_help(
            "--certificate: no certificate for this argument: the verdict holds by a bound on the \
             outputs at the end, and certificates compare the states after one record",
            "leave the option out",
        ));
    }
    Ok(())
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
        let meter = &mut plan.limits.meter();
        certify::write_certificate(&plan.automaton, question, &statement, path, meter)?;
    } else {
        output.warning("no certificate: nothing was decided");
        return Ok(());
    }
    output.wrote("certificate", path);
    Ok(())
}

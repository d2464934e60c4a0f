//! `littlestone recheck`: verifies certificates with code that shares nothing with the searches.

use std::path::PathBuf;

use crate::certificate::judgement::{Complaint, Gravity, Judgement, STATES};
use crate::certificate::{self, Limits};

use super::common::LimitArgs;
use super::output::{Outcome, Output};

/// Verify certificates, and print what each proves and what it takes on trust.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Certificate files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Refuse certificates that rest on anything beyond the file itself.
    #[arg(long)]
    deny_trusted: bool,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone recheck proof.json
  littlestone recheck proofs/*.json --deny-trusted

Without --limit-states a certificate is given up after 100000000 states; --timeout is for all files.
The last line for each file is `verdict: holds`, `verdict: refuted` or `verdict: undecided`.
`refuted` means that the certificate does not prove what it states, not that the statement is
false. The exit code is the gravest of all files: 2 malformed, then 1, then 3, then 0.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    // The states are those of one certificate, the time is that of all.
    let limits = Limits {
        states: Some(limits.states.unwrap_or(STATES)),
        deadline: limits.deadline,
        memory: limits.memory.map(|memory| (memory.bytes, memory.gauge)),
    };
    let mut gravest = Gravity::Holds;
    for file in &args.files {
        output.flush()?;
        output.computing();
        let verified = certificate::recheck(file, limits);
        let name = file.display().to_string();
        let judgement = Judgement::new(&name, &verified, args.deny_trusted);
        for line in &judgement.lines {
            output.line(line)?;
        }
        match &judgement.complaint {
            Some(Complaint::Error(text)) => output.error(text),
            Some(Complaint::Warning(text)) => output.warning(text),
            None => {}
        }
        if let Some(verdict) = judgement.verdict() {
            output.line(verdict)?;
        }
        gravest = gravest.max(judgement.gravity);
    }
    Ok(gravest.exit_code())
}

//! `littlestone recheck`: verifies certificates with code that shares nothing with the searches.

use std::path::PathBuf;

use crate::certificate::{self, Limits, Outcome as Verified, Rejection, Report};
use crate::error::shorten;

use super::common::LimitArgs;
use super::exit;
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

/// The limit on states where the user sets none.
const STATES: u64 = 100_000_000;

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
    let mut codes = Vec::new();
    for file in &args.files {
        let name = file.display();
        output.flush()?;
        output.computing();
        let code = match certificate::recheck(file, limits) {
            Ok(Verified::Proved(report)) => {
                print(&name.to_string(), &report, output)?;
                if args.deny_trusted && !report.taken_on_trust.is_empty() {
                    output.error(format_args!("{name}: rests on trust, which is denied"));
                    output.line("verdict: refuted")?;
                    exit::REFUTED
                } else {
                    output.line("verdict: holds")?;
                    exit::EXPECTED
                }
            }
            Ok(Verified::Undecided { report, limit }) => {
                print(&name.to_string(), &report, output)?;
                output.warning(format_args!("{name}: {limit}"));
                output.line("verdict: undecided")?;
                exit::UNDECIDED
            }
            Err(Rejection::Unproved { place, fault }) => {
                output.line(format_args!("certificate: {name}"))?;
                output.line(format_args!("not proved: {place}: {fault}"))?;
                output.line("verdict: refuted")?;
                exit::REFUTED
            }
            Err(rejection @ Rejection::Malformed { .. }) => {
                output.error(malformed(&name.to_string(), &rejection));
                exit::USAGE
            }
        };
        codes.push(code);
    }
    Ok(gravest(&codes))
}

fn print(name: &str, report: &Report, output: &mut Output<'_>) -> std::io::Result<()> {
    output.line(format_args!("certificate: {name}"))?;
    for statement in &report.proved {
        output.line(format_args!("proved: {statement}"))?;
    }
    for trusted in &report.taken_on_trust {
        output.line(format_args!("taken on trust: {trusted}"))?;
    }
    for ignored in &report.not_checked {
        output.line(format_args!("not checked: {ignored}"))?;
    }
    Ok(())
}

/// The rejection with the file in front, unless it is about the file and names it already.
fn malformed(name: &str, rejection: &Rejection) -> String {
    let text = shorten(&rejection.to_string());
    if text.starts_with(name) { text } else { format!("{name}: {text}") }
}

fn gravest(codes: &[u8]) -> u8 {
    [exit::USAGE, exit::REFUTED, exit::UNDECIDED]
        .into_iter()
        .find(|code| codes.contains(code))
        .unwrap_or(exit::EXPECTED)
}

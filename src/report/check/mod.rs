//! Reports of a run of claim checks. All are functions of the outcome alone, so two runs with the
//! same results give the same bytes.

mod github;
mod human;
mod json;
mod junit;

use crate::claims::{CheckResult, Expect, Outcome, Verdict};
use crate::error::{Error, Position};
use crate::questions::slack::Tightness;
use crate::text::Lines;

pub use github::github;
pub use human::{Detail, closing, fault, human, list, result};
pub(crate) use json::Report;
pub use json::json;
pub use junit::junit;

/// The last line of a report: `12 passed, 0 failed`, and what else happened: `, 1 undecided`,
/// `, 2 errors`. Vacuous checks count as failed.
pub fn closing_line(outcome: &Outcome) -> String {
    let mut line = format!("{} passed, {} failed", outcome.passed(), outcome.failed());
    let faults = outcome.faults.len();
    for (count, what) in
        [(outcome.undecided(), "undecided"), (faults, if faults == 1 { "error" } else { "errors" })]
    {
        if count > 0 {
            line = format!("{line}, {count} {what}");
        }
    }
    line
}

/// How near to being false the claims are that hold and state an inequality; nothing when none does.
fn slack_line(outcome: &Outcome) -> Lines {
    let holding = |result: &&CheckResult| {
        (result.check.expect, result.finding.verdict) == (Expect::Holds, Verdict::Holds)
    };
    let of = |result: &CheckResult| result.finding.tightness();
    let found: Vec<Tightness> = outcome.results.iter().filter(holding).filter_map(of).collect();
    let mut text = Lines::new();
    if found.is_empty() {
        return text;
    }
    let count = |wanted| found.iter().filter(|tightness| **tightness == wanted).count();
    let parts: Vec<String> = Tightness::ALL
        .into_iter()
        .filter(|tightness| count(*tightness) > 0)
        .map(|tightness| format!("{} {}", count(tightness), tightness.name()))
        .collect();
    writeln!(text, "inequalities that hold: {}", parts.join(", "));
    text
}

/// Where a fault is, if it is in a file.
fn place(fault: &Error) -> Option<Position> {
    match fault {
        Error::Malformed { position, .. } | Error::At { position, .. } => Some(position.clone()),
        Error::File { path, .. } => Some(Position::whole(path.display().to_string())),
        _ => None,
    }
}

//! Reports of a run of claim checks. All are functions of the outcome alone, so two runs with the
//! same results give the same bytes.

mod github;
mod human;
mod json;
mod junit;

use crate::claims::Outcome;
use crate::error::{Error, Position};

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

/// Where a fault is, if it is in a file.
fn place(fault: &Error) -> Option<Position> {
    match fault {
        Error::Malformed { position, .. } | Error::At { position, .. } => Some(position.clone()),
        Error::File { path, .. } => Some(Position::whole(path.display().to_string())),
        _ => None,
    }
}

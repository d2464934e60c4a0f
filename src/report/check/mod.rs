//! Reports of a run of claim checks. All are functions of the outcome alone, so two runs with the
//! same results give the same bytes.

mod github;
mod human;
mod json;
mod junit;

use crate::claims::Outcome;

pub use github::{github, github_faults};
pub use human::{Detail, human, list};
pub use json::json;
pub use junit::junit;

/// The last line of a report: `12 passed, 0 failed`. Undecided and vacuous checks count as failed.
pub fn closing_line(outcome: &Outcome) -> String {
    format!("{} passed, {} failed", outcome.passed(), outcome.failed())
}

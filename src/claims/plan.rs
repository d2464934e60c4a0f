//! What claim files ask for, in the order of the files: checks, and faults beside them.

use crate::error::Error;
use crate::limits::{Limits, Stopped};

use super::kinds::Check;
use super::outcome::CheckInfo;

/// One thing that a run reports.
#[derive(Debug)]
pub(super) enum Item {
    /// A check to be run.
    Check(CheckInfo, Box<dyn Check>),
    /// A claim, or the rest of its grid, that was not read since a limit of the run was hit.
    NotRun(CheckInfo, Error),
    /// A fault of the input.
    Fault(Error),
}

/// What is read, within the limits of the run.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) items: Vec<Item>,
    limits: Limits,
}

impl Plan {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { items: Vec::new(), limits: limits.clone() }
    }

    /// Whether there is time and memory to go on.
    ///
    /// # Errors
    /// When there is not.
    pub(super) fn ask(&self) -> Result<(), Error> {
        self.limits.check().map_err(not_run)
    }
}

/// Why a check was not run.
pub(super) fn not_run(stopped: Stopped) -> Error {
    let limit = match stopped {
        Stopped::Deadline => "the time limit of the run".to_owned(),
        other => other.to_string(),
    };
    Error::Limit {
        stopped,
        message: format!("not run: {limit}"),
        help: "allow more with --timeout, or select fewer checks with --only".into(),
    }
}

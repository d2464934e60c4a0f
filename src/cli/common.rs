//! What several subcommands share: class arguments, limits, output formats, files.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use num_traits::Bounded;

use crate::class::{self, Class};
use crate::error::{Error, Result};
use crate::file;
use crate::limits::{self, Gauge, Limits, Memory};
use crate::questions::given::ClassFields;
use crate::questions::written::Size;

use super::output::Output;

/// How a result is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For reading: one fact a line.
    Human,
    /// One JSON object with sorted keys; see docs/schemas.
    Json,
}

/// Bounds on the work of a search.
#[derive(Debug, clap::Args)]
pub(super) struct LimitArgs {
    /// Number of threads [default: one per processor]. The output does not depend on it.
    #[arg(long, value_name = "N", value_parser = jobs, allow_hyphen_values = true,
          help_heading = "Limits")]
    jobs: Option<NonZeroUsize>,
    /// Give up after N search states. Every run stops at the same place.
    #[arg(long, value_name = "N", value_parser = number::<u64>, allow_hyphen_values = true,
          help_heading = "Limits")]
    limit_states: Option<u64>,
    /// Give up after this time, such as `10s` or `2m`.
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration,
          allow_hyphen_values = true, help_heading = "Limits")]
    timeout: Option<Duration>,
    /// Give up with more live memory than SIZE, such as `512M` or `4G` [default: three quarters of
    /// what the system has]. Every run with this option stops at the same place.
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, help_heading = "Limits")]
    limit_memory: Option<Size>,
}

impl LimitArgs {
    /// The limits, with the clock of `--timeout` started now. From now on the process does not
    /// outlive them.
    ///
    /// # Errors
    /// When the time is beyond what the clock can hold, or there is a limit on memory and nobody
    /// counts the bytes.
    pub(super) fn limits(&self, output: &mut Output<'_>) -> Result<Limits> {
        let limits = Limits {
            jobs: self.jobs.unwrap_or_else(processors),
            states: self.limit_states,
            memory: self.memory(output.gauge())?,
            deadline: deadline(self.timeout)?,
            cancelled: None,
        };
        output.guard(&limits, self.timeout);
        Ok(limits)
    }

    fn memory(&self, gauge: Option<Gauge>) -> Result<Option<Memory>> {
        match (self.limit_memory, gauge) {
            (Some(Size(bytes)), Some(gauge)) => Ok(Some(Memory { bytes, gauge, given: true })),
            (Some(_), None) => {
                Err(Error::argument("--limit-memory: nobody counts the bytes of this process"))
            }
            (None, gauge) => Ok(gauge.zip(limits::available()).map(|(gauge, available)| Memory {
                bytes: available / 4 * 3,
                gauge,
                given: false,
            })),
        }
    }
}

fn processors() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// When a `--timeout` that starts now is over.
pub(super) fn deadline(timeout: Option<Duration>) -> Result<Option<Instant>> {
    let Some(timeout) = timeout else { return Ok(None) };
    Instant::now()
        .checked_add(timeout)
        .map(Some)
        .ok_or_else(|| Error::argument("--timeout: the duration is beyond what the clock can hold"))
}

fn jobs(text: &str) -> std::result::Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a number of threads, at least 1".to_owned())
}

/// A natural number.
pub(super) fn number<T: FromStr + Bounded + Display>(text: &str) -> std::result::Result<T, String> {
    text.parse().map_err(|_| format!("expected a number from 0 to {}", T::max_value()))
}

/// Loads a class and passes the reader's notes on.
pub(super) fn load(asked: &ClassFields, limits: &Limits, output: &mut Output<'_>) -> Result<Class> {
    let loaded = class::load_as(asked.class.as_str(), Path::new(""), asked.header.said(), limits)?;
    for note in &loaded.notes {
        output.note(note);
    }
    Ok(loaded.class)
}

pub(super) use crate::questions::blocks::count;

/// Makes a file of the given bytes, see [`file::write`].
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    file::write(path, |out| out.write_all(bytes))
}

//! `littlestone export`: the question "Ldim ≥ k?" as a formula for other solvers.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;

use crate::error::Error;
use crate::file;
use crate::limits::{Limits, Stopped};
use crate::littlestone::encode::{Encoding, Language};
use crate::questions::given::ClassFields;

use super::common::{self, LimitArgs};
use super::exit;
use super::files::Files;
use super::output::{Outcome, Output};

/// Write `Ldim ≥ k` as a formula for a SAT or QBF solver.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    subject: ClassFields,
    /// The depth K of the tree that is asked for.
    #[arg(long, value_name = "K", value_parser = common::number::<u32>, allow_hyphen_values = true)]
    at_least: u32,
    /// The language of the formula.
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    to: To,
    /// Write to FILE instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Refuse to write more clauses than this.
    #[arg(long, value_name = "N", default_value_t = 100_000_000,
          value_parser = common::number::<u64>, allow_hyphen_values = true)]
    max_clauses: u64,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum To {
    /// Propositional; the tree is written out, so the size doubles with K.
    Dimacs,
    /// Quantified; small.
    Qdimacs,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone export cube:4 --at-least 4 --to dimacs -o cube4.cnf
  littlestone export point:3 --at-least 2 --to qdimacs

The formula is true iff a tree of depth K is shattered (Definition 6), that is, iff Ldim ≥ K.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    Files::new().inputs(args.subject.files()).output("--output", args.output.as_ref()).check()?;
    let class = common::load(&args.subject, &limits, output)?;
    let language = match args.to {
        To::Dimacs => Language::Dimacs,
        To::Qdimacs => Language::Qdimacs,
    };
    let encoding = Encoding::new(
        &class,
        args.subject.class.as_str(),
        args.at_least,
        language,
        args.max_clauses,
    )?;
    match &args.output {
        None => {
            let written = encoding.write_to(Within { out: output.stdout(), limits: &limits });
            if let Err(error) = written {
                let stopped = stopped(&error).ok_or(error)?;
                // The rest of the formula is missing: in DIMACS this is a comment.
                output.document("\nc verdict: undecided\n")?;
                output.error(format_args!("the formula is not complete: {stopped}"));
                return Ok(exit::UNDECIDED);
            }
        }
        Some(path) => {
            let mut halted = None;
            let written = file::write(path, |out| {
                let written = encoding.write_to(Within { out, limits: &limits });
                written.inspect_err(|error| halted = stopped(error))
            });
            if let Some(stopped) = halted {
                return Err(Error::from(stopped).into());
            }
            written?;
            output.wrote("formula", path);
        }
    }
    let size = encoding.size();
    output.note(format_args!("{} variables, {} clauses", size.variables, size.clauses));
    Ok(exit::EXPECTED)
}

/// A writer that fails when a limit is hit.
struct Within<'l, W> {
    out: W,
    limits: &'l Limits,
}

impl<W: Write> Write for Within<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.limits.check().map_err(io::Error::other)?;
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The limit that made [`Within`] fail.
fn stopped(error: &io::Error) -> Option<Stopped> {
    error.get_ref()?.downcast_ref().copied()
}

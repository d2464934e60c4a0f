//! `littlestone generate`: what packagers install beside the binary.

use std::path::PathBuf;

use clap::{Command, Subcommand};
use clap_complete::Shell;

use crate::file;
use crate::schemas;

use super::exit;
use super::output::{Outcome, Output};

/// Print shell completions or the manual page, or write the schemas.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print the completion script of a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page, in roff.
    Man,
    /// Write the schemas of all JSON that is read or written: docs/schemas.
    Schemas {
        /// The folder, which is there.
        folder: PathBuf,
    },
    /// Print the page about all questions: docs/questions.md.
    Reference,
    /// Print the page about all items of the paper: docs/paper-map.md.
    PaperMap,
}

pub(super) fn run(args: &Args, mut command: Command, output: &mut Output<'_>) -> Outcome {
    let mut bytes = Vec::new();
    match &args.what {
        &What::Completions { shell } => {
            let name = command.get_name().to_owned();
            clap_complete::generate(shell, &mut command, name, &mut bytes);
        }
        What::Reference => bytes = crate::questions::reference::markdown().into_bytes(),
        What::PaperMap => bytes = super::explain::paper_map().into_bytes(),
        What::Man => clap_mangen::Man::new(command).render(&mut bytes)?,
        What::Schemas { folder } => {
            for (name, schema) in schemas::all() {
                file::write(&folder.join(name), |out| {
                    serde_json::to_writer_pretty(&mut *out, &schema)?;
                    out.write_all(b"\n")
                })?;
            }
        }
    }
    output.stdout().write_all(&bytes)?;
    Ok(exit::EXPECTED)
}

//! The `littlestone` binary: parses nothing itself, calls [`littlestone::cli::run`].

use std::io::{self, BufWriter, IsTerminal};
use std::process::ExitCode;

use littlestone::cli::{self, Output};

fn main() -> ExitCode {
    let stderr_is_terminal = io::stderr().is_terminal();
    let mut stdout = BufWriter::new(io::stdout().lock());
    let mut stderr = io::stderr();
    let output = Output::new(&mut stdout, &mut stderr).stderr_is_terminal(stderr_is_terminal);
    ExitCode::from(cli::run(std::env::args_os(), output))
}

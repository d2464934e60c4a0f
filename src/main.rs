//! The `littlestone` binary: parses nothing itself, calls [`littlestone::cli::run`].

use std::io::{self, BufWriter, IsTerminal};
use std::process::ExitCode;

use littlestone::cli::{self, Output};

fn main() -> ExitCode {
    let stderr_is_terminal = io::stderr().is_terminal();
    // Not locked: when a limit is hit within code that does not ask, another thread prints.
    let mut stdout = BufWriter::new(io::stdout());
    let mut stderr = io::stderr();
    let output = Output::new(&mut stdout, &mut stderr)
        .stderr_is_terminal(stderr_is_terminal)
        .heap(littlestone_heap::live)
        .ended_by(|code| std::process::exit(code.into()));
    ExitCode::from(cli::run(std::env::args_os(), output))
}

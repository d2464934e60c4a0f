//! The `littlestone` binary: parses nothing itself, calls [`littlestone::cli::run`].

use std::alloc::System;
use std::io::{self, BufWriter, IsTerminal};
use std::process::ExitCode;

use cap::Cap;
use littlestone::cli::{self, Output};

/// Counts the live bytes of the heap, for `--limit-memory`. It refuses nothing itself: an allocation
/// that fails aborts.
#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

fn main() -> ExitCode {
    let stderr_is_terminal = io::stderr().is_terminal();
    // Not locked: when a limit is hit within code that does not ask, another thread prints.
    let mut stdout = BufWriter::new(io::stdout());
    let mut stderr = io::stderr();
    let output = Output::new(&mut stdout, &mut stderr)
        .stderr_is_terminal(stderr_is_terminal)
        .heap(|| u64::try_from(HEAP.allocated()).unwrap_or(u64::MAX))
        .ended_by(|code| std::process::exit(code.into()));
    ExitCode::from(cli::run(std::env::args_os(), output))
}

//! The `littlestone-checker` binary: verifies certificates, and does nothing else.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use littlestone_base::text::visible;
use littlestone_checker::judgement::{Complaint, Gravity, Judgement, STATES};
use littlestone_checker::{Limits, recheck};

const USAGE: &str = "\
Verifies certificates, and prints what each proves and what it takes on trust.

Usage: littlestone-checker FILE...

A certificate is given up after 100000000 states. The exit code is the gravest of all files:
2 malformed, then 1 (does not prove what it states), then 3 (undecided), then 0.
";

fn main() -> ExitCode {
    let mut files = Vec::new();
    for argument in std::env::args_os().skip(1) {
        match argument.to_str() {
            Some("-h" | "--help") => return printed(write!(io::stdout(), "{USAGE}"), 0),
            Some(option) if option.starts_with('-') => {
                let fault = format!("error: no option `{}` is known\n\n{USAGE}", visible(option));
                return printed(write!(io::stderr(), "{fault}"), Gravity::Malformed.exit_code());
            }
            _ => files.push(PathBuf::from(argument)),
        }
    }
    if files.is_empty() {
        let fault = format!("error: expected a file\n\n{USAGE}");
        return printed(write!(io::stderr(), "{fault}"), Gravity::Malformed.exit_code());
    }
    let mut gravest = Gravity::Holds;
    for file in &files {
        match check(file, &mut io::stdout().lock(), &mut io::stderr().lock()) {
            Ok(gravity) => gravest = gravest.max(gravity),
            error => return printed(error.map(drop), gravest.exit_code()),
        }
    }
    ExitCode::from(gravest.exit_code())
}

/// `code`, unless what was to be printed could not be. A reader who has gone wants no more.
fn printed(written: io::Result<()>, code: u8) -> ExitCode {
    match written {
        Ok(()) => ExitCode::from(code),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(code),
        Err(_) => ExitCode::from(Gravity::Malformed.exit_code()),
    }
}

fn check(file: &Path, stdout: &mut impl Write, stderr: &mut impl Write) -> io::Result<Gravity> {
    let verified = recheck(file, Limits { states: Some(STATES), ..Limits::default() });
    let judgement = Judgement::new(&file.display().to_string(), &verified, false);
    for line in &judgement.lines {
        writeln!(stdout, "{}", visible(line))?;
    }
    match &judgement.complaint {
        Some(Complaint::Error(text)) => writeln!(stderr, "error: {}", visible(text))?,
        Some(Complaint::Warning(text)) => writeln!(stderr, "warning: {}", visible(text))?,
        None => {}
    }
    if let Some(verdict) = judgement.verdict() {
        writeln!(stdout, "{verdict}")?;
    }
    Ok(judgement.gravity)
}

//! The report for GitHub Actions: annotations at the lines of the claim files.

use std::fmt::Write as _;

use crate::claims::{Faults, Outcome};
use crate::error::Error;

use super::closing_line;
use super::human::lines;

/// An `::error` command for each check that is not as expected, then the closing line.
pub fn github(outcome: &Outcome) -> String {
    let mut text = String::new();
    for result in outcome.results.iter().filter(|result| !result.as_expected()) {
        let check = &result.check;
        let message = format!(
            "{}{}: expected {}, found {}\n{}",
            check.name,
            check.label(),
            check.expect,
            result.finding.verdict,
            lines(result).join("\n"),
        );
        let _ = writeln!(
            text,
            "::error file={},line={},title={}::{}",
            property(&check.file),
            check.line,
            property(&check.paper),
            data(&message),
        );
    }
    let _ = writeln!(text, "{}", closing_line(outcome));
    text
}

/// An `::error` command for each fault of the input.
pub fn github_faults(faults: &Faults) -> String {
    let mut text = String::new();
    for fault in &faults.0 {
        let place = match fault {
            Error::Malformed { position, .. } => {
                let line = position.line.map(|n| format!(",line={n}")).unwrap_or_default();
                let column = position.column.map(|n| format!(",col={n}")).unwrap_or_default();
                format!(" file={}{line}{column}", property(&position.source))
            }
            Error::File { path, .. } => {
                format!(" file={}", property(&path.display().to_string()))
            }
            _ => String::new(),
        };
        let _ = writeln!(text, "::error{place}::{}", data(&fault.to_string()));
    }
    text
}

/// Text after `::`, escaped as the workflow command format asks.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, where `:` and `,` are escaped too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

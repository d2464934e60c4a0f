//! The report for GitHub Actions: annotations at the lines of the claim files.

use crate::claims::{CheckInfo, Outcome};
use crate::error::Position;
use crate::text::{Lines, visible};

use super::human::{difference, lines};
use super::{closing_line, place, slack_line};

/// An `::error` command for each check that is not as expected and each fault of the input, then the
/// closing line.
pub fn github(outcome: &Outcome) -> Lines {
    let mut text = Lines::new();
    for result in outcome.results.iter().filter(|result| !result.as_expected()) {
        let check = &result.check;
        let message = format!(
            "{}: {}\n{}",
            visible(&format!("{}{}", check.name, check.label())),
            visible(&difference(result)),
            lines(result).join("\n"),
        );
        writeln!(text, "{}", annotation("error", check, &message));
    }
    for fault in &outcome.faults {
        let place =
            place(&fault.error).map_or_else(String::new, |Position { source, line, column }| {
                let line = line.map(|n| format!(",line={n}")).unwrap_or_default();
                let column = column.map(|n| format!(",col={n}")).unwrap_or_default();
                format!(" file={}{line}{column}", property(&source))
            });
        writeln!(text, "::error{place}::{}", data(&fault.error.to_string()));
    }
    let [unexplained, _] = outcome.surviving();
    for (result, stronger) in unexplained {
        let check = &result.check;
        let name = visible(&format!("{}{}", check.name, check.label())).into_owned();
        let message = format!("{name}: a stronger claim holds\n{}", stronger.join("\n"));
        writeln!(text, "{}", annotation("warning", check, &message));
    }
    text.extend(&slack_line(outcome));
    writeln!(text, "{}", closing_line(outcome));
    text
}

/// A command that annotates the line of a claim, under its item of the paper or else its kind.
fn annotation(level: &str, check: &CheckInfo, message: &str) -> String {
    let title = if check.paper.is_empty() { check.kind } else { &check.paper };
    let (file, line, title) = (property(&check.file), check.line, property(title));
    format!("::{level} file={file},line={line},title={title}::{}", data(message))
}

/// Text after `::`, escaped as the workflow command format asks: its own lines are kept apart.
fn data(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(|line| visible(line).replace('%', "%25")).collect();
    lines.join("%0A")
}

/// The value of a property, where `:` and `,` are escaped too.
fn property(text: &str) -> String {
    data(&visible(text)).replace(':', "%3A").replace(',', "%2C")
}

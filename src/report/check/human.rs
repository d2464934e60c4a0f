//! One line for each check, and more for those that are not as expected.

use std::fmt::Write as _;

use crate::claims::{CheckInfo, CheckResult, Outcome, Verdict};
use crate::error::Error;

use super::{closing_line, place};

/// How much a report for people says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// Only the checks that are not as expected, and the closing line.
    Failures,
    /// One line for each check, with the refutation of those that are to be refuted; what was found
    /// for those that are not as expected.
    #[default]
    Lines,
    /// What was found for every check.
    Everything,
}

/// The report for people.
pub fn human(outcome: &Outcome, detail: Detail) -> String {
    let mut text = String::new();
    let mut faults = outcome.faults.iter().peekable();
    for (before, checked) in outcome.results.iter().enumerate() {
        while let Some(next) = faults.next_if(|fault| fault.after <= before) {
            text += &fault(&next.error);
        }
        text += &result(checked, detail);
    }
    faults.for_each(|next| text += &fault(&next.error));
    text += &closing(outcome);
    text
}

/// The lines about one check.
pub fn result(result: &CheckResult, detail: Detail) -> String {
    let mut text = String::new();
    let failed = !result.as_expected();
    if failed || detail != Detail::Failures {
        // A twin that passes shows in its line that it was really refuted.
        let seen = match result.finding.verdict {
            Verdict::Refuted if !failed && detail == Detail::Lines => {
                format!(": {}", result.finding.found)
            }
            _ => String::new(),
        };
        let verdict = result.finding.verdict;
        let _ = writeln!(text, "{verdict:<9}  {}{seen}", title(&result.check));
    }
    if failed {
        let word = match result.finding.verdict {
            Verdict::Undecided => "UNDECIDED",
            _ => "FAILED",
        };
        let _ = writeln!(
            text,
            "    {word}: expected {}, found {}",
            result.check.expect, result.finding.verdict
        );
    }
    if failed || detail == Detail::Everything {
        for line in lines(result) {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}

/// The line about a fault of the input, with its place; what is wrong is said where messages go.
pub fn fault(error: &Error) -> String {
    let at = place(error).map_or_else(|| error.to_string(), |position| position.to_string());
    format!("{:<9}  {at}\n", "error")
}

/// The end of the report.
pub fn closing(outcome: &Outcome) -> String {
    let mut text = String::new();
    if outcome.not_run > 0 {
        let _ = writeln!(text, "stopped at the first failure: {} not run", outcome.not_run);
    }
    let _ = writeln!(text, "{}", closing_line(outcome));
    text
}

/// The checks that would be run, one in a line with its expectation.
pub fn list<'i>(checks: impl IntoIterator<Item = &'i CheckInfo>) -> String {
    let mut text = String::new();
    for check in checks {
        let _ = writeln!(text, "{:<9}  {}  ({})", check.expect, title(check), check.kind);
    }
    text
}

/// `checks/a.toml:12  Definition 5: POINT3 has dimension one [class=point:3]`.
fn title(check: &CheckInfo) -> String {
    let CheckInfo { file, line, paper, name, .. } = check;
    format!("{file}:{line}  {paper}: {name}{}", check.label())
}

/// What was found, a line each.
pub(super) fn lines(result: &CheckResult) -> Vec<String> {
    let finding = &result.finding;
    let mut lines = vec![finding.found.clone()];
    lines.extend(finding.non_vacuous.iter().map(|text| format!("not vacuous: {text}")));
    lines.extend(finding.details.iter().cloned());
    lines
}

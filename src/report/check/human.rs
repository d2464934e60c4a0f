//! One line for each check, and more for those that are not as expected.

use crate::claims::{CheckInfo, CheckResult, Outcome, Verdict};
use crate::error::Error;
use crate::questions::Relation;
use crate::text::{Lines, visible};

use super::{closing_line, place, slack_line};

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
pub fn human(outcome: &Outcome, detail: Detail) -> Lines {
    let mut text = Lines::new();
    let mut faults = outcome.faults.iter().peekable();
    for (before, checked) in outcome.results.iter().enumerate() {
        while let Some(next) = faults.next_if(|fault| fault.after <= before) {
            text.extend(&fault(&next.error));
        }
        text.extend(&result(checked, detail));
    }
    faults.for_each(|next| text.extend(&fault(&next.error)));
    text.extend(&closing(outcome));
    text
}

/// The lines about one check.
pub fn result(result: &CheckResult, detail: Detail) -> Lines {
    let mut text = Lines::new();
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
        writeln!(text, "{verdict:<9}  {}{seen}", title(&result.check));
    }
    if failed {
        let word = match result.finding.verdict {
            Verdict::Undecided => "UNDECIDED",
            _ => "FAILED",
        };
        writeln!(text, "    {word}: {}", visible(&difference(result)));
    }
    if failed || detail == Detail::Everything {
        for line in lines(result) {
            writeln!(text, "    {line}");
        }
    }
    text
}

/// How a check differs from what is expected of it.
pub(super) fn difference(result: &CheckResult) -> String {
    let CheckResult { check, finding, too_slack, .. } = result;
    match too_slack {
        Some(why) => why.clone(),
        None => format!("expected {}, found {}", check.expect, finding.verdict),
    }
}

/// The line about a fault of the input, with its place; what is wrong is said where messages go.
pub fn fault(error: &Error) -> Lines {
    let at = place(error).map_or_else(|| error.message(), |position| position.to_string());
    let mut text = Lines::new();
    writeln!(text, "{:<9}  {at}", "error");
    text
}

/// The end of the report.
pub fn closing(outcome: &Outcome) -> Lines {
    let mut text = Lines::new();
    if outcome.not_run > 0 {
        writeln!(text, "stopped at the first failure: {} not run", outcome.not_run);
    }
    text.extend(&survivors(outcome));
    text.extend(&slack_line(outcome));
    writeln!(text, "{}", closing_line(outcome));
    text
}

/// The claims of which a stronger one holds, those last that say why.
pub(super) fn survivors(outcome: &Outcome) -> Lines {
    let mut text = Lines::new();
    let tried = outcome.results.iter().filter(|result| result.perturbed.is_some()).count();
    if tried == 0 {
        return text;
    }
    let [unexplained, explained] = outcome.surviving();
    for (result, stronger) in unexplained.iter().chain(&explained) {
        writeln!(text, "{:<9}  {}", "slack", title(&result.check));
        for line in stronger {
            writeln!(text, "    {}", visible(line));
        }
        if let Some(own) = &result.check.slack {
            writeln!(text, "    because {}", visible(&own.because));
        }
    }
    let (all, unexplained) = (unexplained.len() + explained.len(), unexplained.len());
    writeln!(
        text,
        "made stronger: of {tried} claims {all} still hold, {unexplained} of them do not say why"
    );
    text
}

/// The checks that would be run, one in a line with its expectation.
pub fn list<'i>(checks: impl IntoIterator<Item = &'i CheckInfo>) -> Lines {
    let mut text = Lines::new();
    for check in checks {
        writeln!(text, "{:<9}  {}  ({})", check.expect, title(check), check.kind);
    }
    text
}

/// `checks/a.toml:12  Definition 5: POINT3 has dimension one [class=point:3]`.
fn title(check: &CheckInfo) -> String {
    let CheckInfo { file, line, .. } = check;
    format!("{file}:{line}  {}{}", check.heading(), check.label())
}

/// What was found, a line each, as it is shown.
pub(super) fn lines(result: &CheckResult) -> Vec<String> {
    let finding = &result.finding;
    let mut lines = vec![finding.found.clone()];
    lines.extend(finding.non_vacuous.iter().map(|text| format!("not vacuous: {text}")));
    let bounds = finding.inequalities.iter().filter(|i| i.relation != Relation::Equals);
    lines.extend(bounds.map(|i| format!("slack of {}", i.line())));
    let own = result.check.slack.as_ref();
    lines.extend(own.map(|own| format!("it is slack because {}", own.because)));
    lines.extend(finding.details.iter().cloned());
    lines.iter().map(|line| visible(line).into_owned()).collect()
}

//! The report for services that collect test results: one suite for each file, no times.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::claims::{CheckResult, Outcome, Verdict};

use super::human::lines;
use crate::text::visible;

/// The report as `JUnit` XML. A check that is undecided is an error, one that differs a failure.
pub fn junit(outcome: &Outcome) -> String {
    let mut report = Report::new("littlestone check");
    for results in outcome.results.chunk_by(|a, b| a.check.file == b.check.file) {
        let mut suite = TestSuite::new(&*visible(&results[0].check.file));
        suite.add_test_cases(results.iter().map(case));
        report.add_test_suite(suite);
    }
    let mut text = report.to_string().expect("writing to memory cannot fail");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn case(result: &CheckResult) -> TestCase {
    let CheckResult { check, finding } = result;
    let status = if result.as_expected() {
        TestCaseStatus::success()
    } else {
        let kind = match finding.verdict {
            Verdict::Undecided => NonSuccessKind::Error,
            _ => NonSuccessKind::Failure,
        };
        let mut status = TestCaseStatus::non_success(kind);
        let message = format!("expected {}, found {}", check.expect, finding.verdict);
        status.set_type(finding.verdict.name()).set_message(message);
        let place = format!("{}:{}", visible(&check.file), check.line);
        let text = std::iter::once(place).chain(lines(result)).collect::<Vec<_>>().join("\n");
        status.set_description(text);
        status
    };
    let name = format!("{}: {}{}", check.paper, check.name, check.label());
    let mut case = TestCase::new(&*visible(&name), status);
    case.set_classname(check.kind);
    case
}

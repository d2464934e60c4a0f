//! The report for services that collect test results: one suite for each file, times on request.

use itertools::Itertools as _;
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use crate::claims::{CheckResult, Outcome, Verdict};
use crate::error::Error;
use crate::text::visible;

use super::human::{difference, lines};
use super::place;

/// The report as `JUnit` XML. A check that differs is a failure; one that is undecided is an error, and
/// so is a fault of the input, which is a case of its own in the suite of its file.
pub fn junit(outcome: &Outcome, times: bool) -> String {
    let results = outcome.results.iter().enumerate();
    let results = results.map(|(i, r)| ((i, 1), r.check.file.clone(), case(r, times)));
    let faults = outcome.faults.iter().map(|fault| {
        let file = place(&fault.error).map(|position| position.source);
        ((fault.after, 0), file.unwrap_or_else(|| "input".to_owned()), faulty(&fault.error))
    });
    let mut cases: Vec<_> = results.chain(faults).collect();
    cases.sort_by_key(|(order, ..)| *order);
    let mut report = Report::new("littlestone check");
    for (file, cases) in &cases.into_iter().chunk_by(|(_, file, _)| file.clone()) {
        let mut suite = TestSuite::new(&*visible(&file));
        suite.add_test_cases(cases.map(|(.., case)| case));
        report.add_test_suite(suite);
    }
    let mut text = report.to_string().expect("writing to memory cannot fail");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn faulty(error: &Error) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type("error").set_message(visible(&error.to_string()).into_owned());
    let place = place(error).map_or_else(|| "input".to_owned(), |place| place.to_string());
    let mut case = TestCase::new(place, status);
    case.set_classname("input");
    case
}

fn case(result: &CheckResult, times: bool) -> TestCase {
    let CheckResult { check, finding, .. } = result;
    let status = if result.as_expected() {
        TestCaseStatus::success()
    } else {
        let kind = match finding.verdict {
            Verdict::Undecided => NonSuccessKind::Error,
            _ => NonSuccessKind::Failure,
        };
        let mut status = TestCaseStatus::non_success(kind);
        let message = difference(result);
        status.set_type(finding.verdict.name()).set_message(message);
        let place = format!("{}:{}", visible(&check.file), check.line);
        let text = std::iter::once(place).chain(lines(result)).collect::<Vec<_>>().join("\n");
        status.set_description(text);
        status
    };
    let name = format!("{}{}", check.heading(), check.label());
    let mut case = TestCase::new(&*visible(&name), status);
    case.set_classname(check.kind);
    if times {
        case.set_time(result.time);
    }
    for inequality in &finding.inequalities {
        case.add_property(Property::new("slack", &*visible(&inequality.line())));
    }
    if let Some(tightness) = finding.tightness() {
        case.add_property(Property::new("tightness", tightness.name()));
    }
    case
}

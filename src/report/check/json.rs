//! The report for programs, described by `docs/schemas/check.schema.json`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::claims::{CheckResult, Outcome};
use crate::error::{Error, Position};
use crate::text::in_json;

use super::place;

// Fields stand in alphabetical order, since serde writes them in this order and keys are sorted.
#[derive(Serialize)]
struct Report<'o> {
    checks: Vec<Check<'o>>,
    command: &'static str,
    errors: Vec<Fault>,
    failed: usize,
    format: u32,
    not_run: usize,
    passed: usize,
    undecided: usize,
}

#[derive(Serialize)]
struct Fault {
    column: Option<usize>,
    file: Option<String>,
    line: Option<usize>,
    message: String,
}

#[derive(Serialize)]
struct Check<'o> {
    as_expected: bool,
    case: BTreeMap<&'o str, &'o str>,
    details: &'o [String],
    expect: &'static str,
    file: &'o str,
    found: &'o str,
    kind: &'static str,
    line: usize,
    name: &'o str,
    #[serde(skip_serializing_if = "Option::is_none")]
    non_vacuous: Option<&'o str>,
    paper: &'o str,
    values: &'o BTreeMap<String, String>,
    verdict: &'static str,
}

/// The report as JSON, indented, with sorted keys and a newline at the end.
pub fn json(outcome: &Outcome) -> String {
    let report = Report {
        checks: outcome.results.iter().map(check).collect(),
        command: "check",
        errors: outcome.faults.iter().map(|fault| error(&fault.error)).collect(),
        failed: outcome.failed(),
        format: 1,
        not_run: outcome.not_run,
        passed: outcome.passed(),
        undecided: outcome.undecided(),
    };
    let text = serde_json::to_string_pretty(&report).expect("keys are strings");
    format!("{}\n", in_json(&text))
}

fn error(error: &Error) -> Fault {
    let Position { source, line, column } = place(error).unwrap_or_default();
    let file = (!source.is_empty()).then_some(source);
    Fault { column, file, line, message: error.to_string() }
}

fn check(result: &CheckResult) -> Check<'_> {
    let CheckResult { check, finding } = result;
    Check {
        as_expected: result.as_expected(),
        case: check.case.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect(),
        details: &finding.details,
        expect: check.expect.verdict().name(),
        file: &check.file,
        found: &finding.found,
        kind: check.kind,
        line: check.line,
        name: &check.name,
        non_vacuous: finding.non_vacuous.as_deref(),
        paper: &check.paper,
        values: &finding.values,
        verdict: finding.verdict.name(),
    }
}

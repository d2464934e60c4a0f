//! The report for programs, described by `docs/schemas/check.schema.json`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::claims::{CheckResult, Outcome};
use crate::error::{Error, Position};
use crate::text::in_json;

use super::place;

// Fields stand in alphabetical order, since serde writes them in this order and keys are sorted.

/// What `littlestone check --format json` prints. Format 1: later versions may add keys under the same
/// format; they do not change or remove any. Exact numbers are strings such as "3/4".
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Report<'o> {
    /// The checks in the order of the files.
    checks: Vec<Check<'o>>,
    #[schemars(extend("const" = "check"))]
    command: &'static str,
    /// What is malformed in the claim files, in their order; the checks that an error spoils are not in
    /// `checks`.
    errors: Vec<Fault>,
    /// Number of checks whose verdict is known and not the expected one, vacuous ones included.
    failed: usize,
    #[schemars(extend("const" = 1))]
    format: u32,
    /// Number of selected checks that `--fail-fast` left out.
    not_run: usize,
    /// Number of checks whose verdict is the expected one.
    passed: usize,
    /// Number of checks that a limit cut short or left out.
    undecided: usize,
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Fault {
    /// The column, counted from 1; null when the whole line or file is at fault.
    #[schemars(range(min = 1))]
    column: Option<usize>,
    /// The file; null when the error is in none.
    file: Option<String>,
    /// The line, counted from 1; null when the whole file is at fault.
    #[schemars(range(min = 1))]
    line: Option<usize>,
    message: String,
}

#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Check<'o> {
    /// Whether `verdict` is `expect`.
    as_expected: bool,
    /// The keys that vary over the claim's checks, with their values in this one.
    case: BTreeMap<&'o str, &'o str>,
    /// The counterexample and remarks, a line each.
    details: &'o [String],
    #[schemars(extend("enum" = ["holds", "refuted"]))]
    expect: &'static str,
    file: &'o str,
    /// What was found and what was claimed, in one line.
    found: &'o str,
    /// The kind of claim, see docs/claims.md.
    kind: &'static str,
    /// The line of the claim, or of its entry in `cases`, counted from 1.
    #[schemars(range(min = 1))]
    line: usize,
    name: &'o str,
    /// What made the claim say something, where that applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    non_vacuous: Option<&'o str>,
    paper: &'o str,
    /// The exact numbers behind `found`, by the names that they have in answers; `lower` and `upper` when a
    /// limit was hit.
    values: &'o BTreeMap<String, String>,
    #[schemars(extend("enum" = ["holds", "refuted", "undecided", "vacuous"]))]
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

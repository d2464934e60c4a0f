//! The report for programs, described by `docs/schemas/check.schema.json`.

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use crate::claims::{CheckResult, Outcome, Perturbed};
use crate::error::{Error, Position};
use crate::exact::Number;
use crate::questions::Inequality;
use crate::questions::slack::Tightness;
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
    /// The inequalities that the claim states, with what was found; of a statement about many, the one that
    /// is nearest to being false.
    inequalities: Vec<Compared>,
    /// The kind of claim, see docs/claims.md.
    kind: &'static str,
    /// The line of the claim, or of its entry in `cases`, counted from 1.
    #[schemars(range(min = 1))]
    line: usize,
    name: &'o str,
    /// What made the claim say something, where that applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    non_vacuous: Option<&'o str>,
    /// The item of the paper; null where the claim has none.
    paper: Option<&'o str>,
    /// With `--perturb`, what came of the claim with each constant made stronger.
    #[serde(skip_serializing_if = "Option::is_none")]
    perturbed: Option<Vec<Stronger<'o>>>,
    /// How long the check took, with `--times`.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<String>,
    /// With `--perturb`, how the claim could be stronger and would still hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    survivors: Option<Vec<String>>,
    /// How near to being false the claim is, as its slackest inequality; null where it states none.
    #[schemars(extend("enum" = tightnesses()))]
    tightness: Option<&'static str>,
    /// Why the claim fails although its verdict is the expected one, where it is slacker than it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    too_slack: Option<&'o str>,
    /// The exact numbers behind `found`, by the names that they have in answers; `lower` and `upper` when a
    /// limit was hit.
    values: &'o BTreeMap<String, String>,
    #[schemars(extend("enum" = ["holds", "refuted", "undecided", "vacuous"]))]
    verdict: &'static str,
}

/// A claim with one constant made stronger.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Stronger<'o> {
    /// What was changed.
    change: &'o str,
    #[schemars(extend("enum" = ["holds", "refuted", "undecided", "vacuous"]))]
    verdict: &'static str,
}

/// An inequality left ≤ right, or an equality, with its slack.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Compared {
    /// The left side; exact, or bounds on it.
    left: Vec<String>,
    #[schemars(extend("enum" = ["≤", "="]))]
    relation: &'static str,
    /// The right side; exact, or bounds on it.
    right: Vec<String>,
    /// right/left where both are positive, else their difference; exact, or the beginning of its decimal.
    slack: String,
    #[schemars(extend("enum" = Tightness::ALL.map(Tightness::name)))]
    tightness: &'static str,
    /// What was found, in words.
    what: String,
}

fn tightnesses() -> Vec<Option<&'static str>> {
    Tightness::ALL.map(|tightness| Some(tightness.name())).into_iter().chain([None]).collect()
}

/// The report as JSON, indented, with sorted keys and a newline at the end.
pub fn json(outcome: &Outcome, times: bool) -> String {
    let report = Report {
        checks: outcome.results.iter().map(|result| check(result, times)).collect(),
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

fn check(result: &CheckResult, times: bool) -> Check<'_> {
    let CheckResult { check, finding, .. } = result;
    Check {
        as_expected: result.as_expected(),
        case: check.case.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect(),
        details: &finding.details,
        expect: check.expect.verdict().name(),
        file: &check.file,
        found: &finding.found,
        inequalities: finding.inequalities.iter().map(compared).collect(),
        kind: check.kind,
        line: check.line,
        name: &check.name,
        non_vacuous: finding.non_vacuous.as_deref(),
        paper: Some(check.paper.as_str()).filter(|paper| !paper.is_empty()),
        perturbed: result.perturbed.as_ref().map(|all| {
            all.iter()
                .map(|Perturbed { change, verdict }| Stronger { change, verdict: verdict.name() })
                .collect()
        }),
        survivors: result.perturbed.as_ref().map(|_| result.survivors()),
        seconds: times.then(|| seconds(result.time)),
        tightness: finding.tightness().map(Tightness::name),
        too_slack: result.too_slack.as_deref(),
        values: &finding.values,
        verdict: finding.verdict.name(),
    }
}

fn compared(inequality: &Inequality) -> Compared {
    let (left, right) = inequality.sides();
    let shown = |[low, high]: &[Number; 2]| match low.to_string() {
        exact if low == high => vec![exact],
        low => vec![low, high.to_string()],
    };
    Compared {
        left: shown(left),
        relation: inequality.sign(),
        right: shown(right),
        slack: inequality.slack().shown(),
        tightness: inequality.tightness().name(),
        what: inequality.what.clone(),
    }
}

/// A time in seconds, to the millisecond.
fn seconds(time: Duration) -> String {
    format!("{}.{:03}", time.as_secs(), time.subsec_millis())
}

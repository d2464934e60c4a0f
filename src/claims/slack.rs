//! How slack a claim may be: what it says of itself, and what a run allows.

use serde_json::Value;

use num_traits::Signed as _;

use crate::exact::{Number, Rational};
use crate::questions::slack::{Slack, Tightness, slackest};
use crate::questions::written::{AtLeastOne, Reads as _};
use crate::questions::{Inequality, Relation, known};

use super::fields::{Fields, Located};
use super::outcome::{CheckResult, Expect, Finding, Outcome, Perturbed, Verdict};

/// The key of every claim that says how slack it is, and why.
pub(super) const SLACK: &str = "slack";

/// What a claim says of its own slack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnSlack {
    /// The greatest ratio of the right side to the left one; none where the left side is 0.
    pub at_most: Option<Rational>,
    /// Why it is not smaller.
    pub because: String,
}

/// Reads `slack = { at_most = "5/2", because = "…" }`; a fault is recorded.
pub(super) fn read(fields: &mut Fields<'_>) -> Option<OwnSlack> {
    if !fields.has(SLACK) {
        return None;
    }
    let (Located { value, position }, _) = fields.json(SLACK)?;
    let expected = "`slack = { at_most = \"5/2\", because = \"…\" }`, with a number of at least 1 or \
                    `any`, and a reason";
    let read = || {
        let table = value.as_object()?;
        if table.keys().any(|key| !matches!(key.as_str(), "at_most" | "because")) {
            return None;
        }
        let because = table.get("because")?.as_str()?.trim();
        let at_most = match table.get("at_most")? {
            Value::String(any) if any == "any" => None,
            stated @ (Value::String(_) | Value::Number(_)) => {
                Some(AtLeastOne::read(&known::text(stated)).ok()?.0)
            }
            _ => return None,
        };
        (!because.is_empty()).then(|| OwnSlack { at_most, because: because.to_owned() })
    };
    let own = read();
    if own.is_none() {
        fields.refuse(position, expected, &format!("`{value}`"));
    }
    own
}

impl Finding {
    /// The inequalities that say something beside the others: of a quantity that is claimed to be equal to
    /// a number, the bounds say no more.
    pub fn counted(&self) -> impl Iterator<Item = &Inequality> {
        let pinned = |quantity: &str| {
            self.inequalities
                .iter()
                .any(|i| i.relation == Relation::Equals && i.quantity == quantity)
        };
        self.inequalities
            .iter()
            .filter(move |i| i.relation == Relation::Equals || !pinned(&i.quantity))
    }

    /// Whether a number is claimed to be what it is: with other constants that is another claim, and no
    /// stronger one.
    pub(super) fn is_pinned(&self) -> bool {
        self.inequalities.iter().any(|i| i.relation == Relation::Equals)
    }

    /// The slackest inequality, where there is one.
    pub fn slackest(&self) -> Option<&Inequality> {
        slackest(self.counted())
    }

    /// How near to being false the claim is: as its slackest inequality.
    pub fn tightness(&self) -> Option<Tightness> {
        self.slackest().map(Inequality::tightness)
    }

    /// Why a claim that holds is too slack, where it is: its own bound, or that of the run.
    pub(super) fn too_slack(
        &self,
        expect: Expect,
        own: Option<&OwnSlack>,
        greatest: Option<&Rational>,
    ) -> Option<String> {
        if (expect, self.verdict) != (Expect::Holds, Verdict::Holds) {
            return None;
        }
        let allowed = match own {
            Some(own) => own.at_most.as_ref()?,
            None => greatest?,
        };
        let slackest = self.slackest().filter(|slackest| slackest.slack().exceeds(allowed))?;
        Some(format!("slacker than {allowed}: {}", slackest.line()))
    }
}

impl CheckResult {
    /// How the claim could be stronger, a line each, where perturbation was asked for: the bounds that could be
    /// at least twice as strong, and the constants that could be stronger by a step.
    pub fn survivors(&self) -> Vec<String> {
        let Some(perturbed) = &self.perturbed else { return Vec::new() };
        let twice = Rational::from_integer(2.into());
        let bounds = self.finding.counted().filter(|i| i.relation != Relation::Equals);
        let stronger = |i: &Inequality| {
            let slack = i.slack();
            let by = match &slack {
                Slack::Ratio(low, _) if *low >= twice => {
                    format!("{} times stronger", slack.shown())
                }
                Slack::Difference(low, _) if low.is_positive() => {
                    format!("stronger by {}", Number::from(low.clone()).decimal(6))
                }
                _ => return None,
            };
            Some(format!("{} would hold with a bound {by}", i.what))
        };
        let holds = |perturbed: &&Perturbed| perturbed.verdict == Verdict::Holds;
        let tried = perturbed.iter().filter(holds).map(|p| format!("it holds with {}", p.change));
        bounds.filter_map(stronger).chain(tried).collect()
    }
}

impl Outcome {
    /// The claims of which a stronger one holds, each with how it could be stronger; those last that say why.
    pub(crate) fn surviving(&self) -> [Vec<(&CheckResult, Vec<String>)>; 2] {
        let of = |result| (result, CheckResult::survivors(result));
        let surviving = self.results.iter().map(of).filter(|(_, lines)| !lines.is_empty());
        surviving.partition::<Vec<_>, _>(|(result, _)| result.check.slack.is_none()).into()
    }

    /// Number of claims of which a stronger one holds, and of those that do not say why.
    pub fn survivors(&self) -> (usize, usize) {
        let [unexplained, explained] = self.surviving().map(|claims| claims.len());
        (unexplained + explained, unexplained)
    }
}

//! What a certificate file proves.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::certificate::format::LITTLESTONE_DIMENSION;
use crate::certificate::{
    Limits as VerifierLimits, Outcome, Rejection, Report, Statement, recheck,
};
use crate::error::{Error, Result, show};
use crate::limits::Stopped;
use crate::text::Lines;

use super::{Answer, AssertedKey, ClaimKind, Ending, Known, NoFiles, Question, Relation, Run};

/// Verify a certificate: it is accepted, and proves at least the stated bounds on the Littlestone
/// dimension.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
pub struct CertificateQuestion {
    /// The certificate; in claims relative to their file.
    pub file: PathBuf,
}

/// What a certificate proves.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CertificateAnswer {
    /// The file.
    pub file: PathBuf,
    /// Whether all that it states is proved.
    pub verdict: String,
    /// The statements that are proved.
    pub proved: Vec<String>,
    /// What the statements rest on and was not checked.
    pub taken_on_trust: Vec<String>,
    /// The greatest proved lower bound on the Littlestone dimension.
    pub at_least: Option<i32>,
    /// The least proved upper bound on the Littlestone dimension.
    pub at_most: Option<i32>,
    /// Why it is not accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    #[serde(skip)]
    ending: Option<Ending>,
    #[serde(skip)]
    evidence: Option<String>,
}

const fn key(key: &'static str, path: &'static str, relation: Relation) -> AssertedKey {
    AssertedKey { key, path, relation }
}

impl Question for CertificateQuestion {
    const NAME: &'static str = "certificate";
    const KINDS: &'static [ClaimKind] = &[ClaimKind {
        name: "certificate",
        about: "a certificate is accepted by the verifier, and proves at least the stated numbers",
        sets: &[],
        renames: &[],
        asserts: &[
            key("equals", "at_least", Relation::AtLeast),
            key("equals", "at_most", Relation::AtMost),
            key("at_least", "at_least", Relation::AtLeast),
            key("at_most", "at_most", Relation::AtMost),
        ],
    }];
    const DECIDES: bool = true;
    type Answer = CertificateAnswer;
    type Files = NoFiles;

    fn inputs(&self) -> Vec<PathBuf> {
        vec![self.file.clone()]
    }

    fn answer_with(&self, _: &NoFiles, run: &Run<'_>) -> Result<CertificateAnswer> {
        let limits = VerifierLimits {
            states: run.limits.states,
            deadline: run.limits.deadline,
            memory: run.limits.memory.as_ref().map(|memory| (memory.bytes, memory.gauge)),
        };
        let mut answer = CertificateAnswer {
            file: self.file.clone(),
            verdict: "holds".into(),
            proved: Vec::new(),
            taken_on_trust: Vec::new(),
            at_least: None,
            at_most: None,
            fault: None,
            ending: None,
            evidence: None,
        };
        match recheck(&run.folder.join(&self.file), limits) {
            Ok(Outcome::Proved(report)) => {
                answer.ending = Some(Ending::Holds);
                answer.evidence = Some(evidence(&report));
                answer.learn(report);
            }
            Ok(Outcome::Undecided { report, limit }) => {
                answer.verdict = "undecided".into();
                answer.ending = Some(Ending::Undecided(Stopped::Elsewhere));
                answer.fault = Some(format!("not verified: {limit}"));
                answer.learn(report);
            }
            Err(fault @ Rejection::Unproved { .. }) => {
                answer.verdict = "refuted".into();
                answer.ending = Some(Ending::Refuted);
                answer.fault = Some(format!("rejected at {fault}"));
            }
            Err(fault) => {
                let found = show(&self.file.display().to_string());
                let message = format!("file: expected a certificate, found {found}: {fault}");
                return Err(Error::argument(message));
            }
        }
        for trusted in &answer.taken_on_trust {
            run.note(format!("taken on trust: {trusted}"));
        }
        Ok(answer)
    }
}

impl CertificateAnswer {
    fn learn(&mut self, report: Report) {
        for statement in &report.proved {
            match statement {
                Statement::LittlestoneDimensionAtLeast(k) => {
                    self.at_least = self.at_least.max(Some(*k));
                }
                Statement::LittlestoneDimensionAtMost(k) => {
                    self.at_most = Some(self.at_most.map_or(*k, |known| known.min(*k)));
                }
                // Statements about mechanisms say nothing about the dimension.
                _ => {}
            }
        }
        self.proved = report.proved.iter().map(ToString::to_string).collect();
        self.taken_on_trust = report.taken_on_trust;
    }
}

fn evidence(report: &Report) -> String {
    let examined = super::blocks::count(
        usize::try_from(report.examined).unwrap_or(usize::MAX),
        "state",
        "states",
    );
    if report.hypotheses == 0 && report.kind != LITTLESTONE_DIMENSION {
        return format!("verified, {examined} examined");
    }
    let (hypotheses, points) = (report.hypotheses, report.points);
    format!("verified for |H| = {hypotheses} and |X| = {points}, {examined} examined")
}

impl Answer for CertificateAnswer {
    fn ending(&self) -> Ending {
        self.ending.unwrap_or(Ending::Found)
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        writeln!(text, "certificate: {}", self.file.display());
        self.proved.iter().for_each(|proved| writeln!(text, "proved: {proved}"));
        self.fault.iter().for_each(|fault| writeln!(text, "fault: {fault}"));
        if !matches!(self.ending(), Ending::Undecided(_)) {
            writeln!(text, "verdict: {}", self.verdict);
        }
        text
    }

    fn found(&self) -> String {
        let file = self.file.display();
        match &self.fault {
            Some(fault) => format!("{file} is {fault}"),
            None => format!("{file} proves {}", self.proved.join(" and ")),
        }
    }

    fn known(&self, path: &str) -> Option<Known> {
        let bound = match path {
            _ if matches!(self.ending(), Ending::Undecided(_)) => return None,
            "at_least" => self.at_least,
            "at_most" => self.at_most,
            _ => return super::known::at(&super::Json::json(self), path),
        };
        Some(bound.map_or(Known::Unbounded, |bound| Known::number(i64::from(bound))))
    }

    fn symbol(&self, path: &str) -> String {
        match path {
            "at_least" if self.at_least.is_none() => "no proved lower bound on Ldim".into(),
            "at_most" if self.at_most.is_none() => "no proved upper bound on Ldim".into(),
            "at_least" => "proved lower bound on Ldim".into(),
            "at_most" => "proved upper bound on Ldim".into(),
            path => path.to_owned(),
        }
    }

    fn evidence(&self) -> Option<String> {
        self.evidence.clone()
    }
}

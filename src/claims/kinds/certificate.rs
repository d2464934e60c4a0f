//! Kind `certificate`: a certificate file proves what it says.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::certificate::format::LITTLESTONE_DIMENSION;
use crate::certificate::{
    Limits as VerifierLimits, Outcome, Rejection, Report, Statement as Proved, recheck,
};
use crate::error::Error;
use crate::limits::Limits;

use super::super::{Fields, Finding, Located, Verdict};
use super::bound::Scope;
use super::statement::{Statement, Written};
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "certificate",
    about: "a certificate is accepted by the verifier, and proves at least the stated numbers",
    keys: &[
        Key { name: "file", grid: true, about: "the certificate, relative to the claim file" },
        keys::EQUALS,
        keys::AT_LEAST,
        keys::AT_MOST,
    ],
    parse: Parse::Own(parse),
};

#[derive(Debug)]
struct CertificateCheck {
    file: Located<String>,
    path: PathBuf,
    statement: Option<Written>,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let statement = Written::parse_optional(fields);
    let file = fields.text("file")?;
    let path = fields.folder().join(&file.value);
    Some(Box::new(CertificateCheck { file, path, statement }))
}

impl Check for CertificateCheck {
    fn load(&mut self, _classes: &mut Classes<'_>) {}

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let file = &self.file.value;
        let statement = self.statement.as_ref().map(|written| written.evaluate(&Scope::new()));
        let statement = statement.transpose()?;
        match recheck(
            &self.path,
            VerifierLimits {
                states: limits.states,
                deadline: limits.deadline,
                memory: limits.memory.map(|memory| (memory.bytes, memory.gauge)),
            },
        ) {
            Ok(Outcome::Proved(report)) => Ok(self.proved(&report, statement)),
            Ok(Outcome::Undecided { report, limit }) => Ok(finding(
                Verdict::Undecided,
                format!("{file}: not verified: {limit}"),
                trust(&report),
            )),
            Err(fault @ Rejection::Unproved { .. }) => {
                let found = format!("{file} is rejected at {fault}");
                Ok(finding(Verdict::Refuted, found, Vec::new()))
            }
            Err(fault) => {
                let found = format!("`{file}`: {fault}");
                Err(Error::malformed(self.file.position.clone(), "a certificate", found))
            }
        }
    }
}

impl CertificateCheck {
    /// The verdict on an accepted certificate: does what it proves imply the statement?
    fn proved(&self, report: &Report, statement: Option<Statement>) -> Finding {
        let (mut lower, mut upper) = (i64::from(i32::MIN), i64::from(i32::MAX));
        for statement in &report.proved {
            match statement {
                Proved::LittlestoneDimensionAtLeast(k) => lower = lower.max(i64::from(*k)),
                Proved::LittlestoneDimensionAtMost(k) => upper = upper.min(i64::from(*k)),
                // Statements about mechanisms say nothing about the dimension.
                _ => {}
            }
        }
        let proved: Vec<String> = report.proved.iter().map(ToString::to_string).collect();
        let mut found = format!("{} proves {}", self.file.value, proved.join(" and "));
        let mut verdict = Verdict::Holds;
        if let Some(statement) = statement {
            found = format!("{found}; claimed {statement}");
            if statement.decide(lower, upper) != Verdict::Holds {
                verdict = Verdict::Refuted;
            }
        }
        let mut finding = finding(verdict, found, trust(report));
        finding.non_vacuous = (verdict == Verdict::Holds).then(|| {
            let states = if report.examined == 1 { "state" } else { "states" };
            let examined = report.examined;
            if report.hypotheses == 0 && report.kind != LITTLESTONE_DIMENSION {
                return format!("verified, {examined} {states} examined");
            }
            format!(
                "verified for |H| = {} and |X| = {}, {examined} {states} examined",
                report.hypotheses, report.points
            )
        });
        finding
    }
}

fn trust(report: &Report) -> Vec<String> {
    report.taken_on_trust.iter().map(|what| format!("taken on trust: {what}")).collect()
}

fn finding(verdict: Verdict, found: String, details: Vec<String>) -> Finding {
    Finding { verdict, found, non_vacuous: None, details, values: BTreeMap::new() }
}

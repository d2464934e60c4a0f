//! Kind `certificate`: a certificate file proves what it says.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::limits::Limits;

use super::super::{Fields, Finding, Verdict};
use super::statement::Statement;
use super::{Check, Classes, Key, Kind, keys};

pub(super) static KIND: Kind = Kind {
    name: "certificate",
    about: "a certificate is accepted by the verifier, and proves at least the stated numbers",
    keys: &[
        Key { name: "file", grid: true, about: "the certificate, relative to the claim file" },
        keys::EQUALS,
        keys::AT_LEAST,
        keys::AT_MOST,
    ],
    parse,
};

/// What the verifier says of a certificate.
#[derive(Debug)]
enum Recheck {
    /// It was not decided, for the given reason.
    Undecided(String),
}

/// The only contact with the verifier.
///
/// Until the verifier is connected every certificate is undecided.
fn recheck(_path: &Path, _limits: &Limits) -> Result<Recheck, Error> {
    Ok(Recheck::Undecided("the verifier is not connected".into()))
}

#[derive(Debug)]
struct CertificateCheck {
    file: String,
    path: PathBuf,
    statement: Option<Statement>,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let statement = Statement::parse_optional(fields);
    let file = fields.text("file")?.value;
    let path = fields.folder().join(&file);
    Some(Box::new(CertificateCheck { file, path, statement }))
}

impl Check for CertificateCheck {
    fn load(&mut self, _classes: &mut Classes) {}

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let Recheck::Undecided(reason) = recheck(&self.path, limits)?;
        Ok(Finding {
            verdict: Verdict::Undecided,
            found: format!("{}: {reason}", self.file),
            non_vacuous: None,
            details: Vec::new(),
            values: BTreeMap::new(),
        })
    }
}

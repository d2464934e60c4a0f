//! Certificates about decompositions: what is asked to be proved, and what the file proves.

use schemars::JsonSchema;
use serde::Serialize;

use crate::decomposition::certify::{self, Frame, write_certificate};
use crate::decomposition::{Bounded, Decomposition, Irreducible, Tree};
use crate::error::{Error, Result};
use crate::limits::Stopped;
use crate::littlestone::certify::Missing;

use super::search::Search;
use super::{DecompositionFiles, DecompositionQuestion};

/// What a certificate proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Certify {
    /// The decomposition dimension and the essential hypotheses.
    Essential,
    /// The decomposition dimension alone.
    Dimension,
    /// Whether the class is K-irreducible.
    Irreducible,
}

/// Which of the statements the certificate proves.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum CertifiedDecomposition {
    /// Of one about Definitions 8 and 9.
    Decomposition {
        /// The lower bound on the decomposition dimension.
        at_least: bool,
        /// The upper bound.
        at_most: bool,
        /// The essential hypotheses.
        essential_hypotheses: bool,
    },
    /// Of one about Definition 7.
    Irreducibility {
        /// Whether the class is irreducible, or why it is not.
        irreducible: bool,
    },
}

/// Checks that what is to be certified is asked for.
pub(super) fn check(question: &DecompositionQuestion, files: &DecompositionFiles) -> Result<()> {
    let expected = match wanted(question, files) {
        Some(Certify::Irreducible) if question.irreducible.is_none() => {
            "--certify irreducible: expected --irreducible K, found none"
        }
        Some(Certify::Essential | Certify::Dimension) if question.p.is_none() => {
            "--certify: expected --p P, found none"
        }
        _ => return Ok(()),
    };
    Err(Error::argument(expected))
}

/// What the certificate is to prove; nothing when there is to be none.
fn wanted(question: &DecompositionQuestion, files: &DecompositionFiles) -> Option<Certify> {
    files.certificate.as_ref()?;
    let default = if question.p.is_some() { Certify::Essential } else { Certify::Irreducible };
    Some(files.certify.unwrap_or(default))
}

impl<'s> Search<'s, '_> {
    fn frame(&self) -> Frame<'s> {
        let limit = self.files.certificate_limit.0;
        Frame { source: self.question.subject.class.as_str(), limit }
    }

    fn to_prove(&self) -> Option<Certify> {
        wanted(self.question, self.files)
    }

    /// Says that no certificate is written about a decomposition, if one is asked for.
    pub(super) fn no_certificate(&mut self, reason: &str) {
        if matches!(self.to_prove(), Some(Certify::Essential | Certify::Dimension)) {
            self.run.warn(format!("no certificate: {reason}"));
            self.certified(false, false, false);
        }
    }

    /// Writes the certificate about a decided decomposition dimension, if that is asked for. What
    /// cannot be proved within the limits is left out, and said.
    pub(super) fn certify(&mut self, found: &mut Decomposition<'s>, rho: Bounded) -> Result<()> {
        let wanted = match self.to_prove() {
            None | Some(Certify::Irreducible) => return Ok(()),
            Some(wanted) => wanted,
        };
        let tree = match found.tree() {
            Ok(tree) => Some(tree),
            Err(reason) => {
                self.missing("the upper bound", Missing::Stopped(reason));
                None
            }
        };
        if wanted == Certify::Essential {
            if let (Some(essential), Some(tree)) = (&self.answer.essential, &tree) {
                match certify::essential(found, self.frame(), essential, tree) {
                    Ok(certificate) => {
                        self.write(&certificate)?;
                        self.certified(true, true, true);
                        return Ok(());
                    }
                    Err(missing) => self.missing("the essential hypotheses", missing),
                }
            }
            self.run.warn("the certificate is about the decomposition dimension alone");
        }
        self.bounds_certified(found, rho, tree.as_ref())
    }

    /// Writes the certificate about ρ alone: with both bounds, or else with the upper one.
    fn bounds_certified(
        &mut self,
        found: &mut Decomposition<'s>,
        rho: Bounded,
        tree: Option<&Tree>,
    ) -> Result<()> {
        let attempts = [(Some(rho), tree, "the lower bound"), (None, tree, "the upper bound")];
        for (at_least, tree, bound) in attempts {
            match certify::dimension(found, self.frame(), at_least, tree) {
                Ok(Some(certificate)) => {
                    self.write(&certificate)?;
                    // Nothing is to be proved of ρ ≥ 0.
                    let at_least = certificate.claim.at_least.unwrap_or(0) == rho.lower;
                    self.certified(at_least, certificate.claim.at_most.is_some(), false);
                    return Ok(());
                }
                Ok(None) => {}
                Err(missing) => self.missing(bound, missing),
            }
        }
        self.no_certificate("nothing was proved");
        Ok(())
    }

    /// Writes the certificate about irreducibility, if that is asked for.
    pub(super) fn certify_irreducible(
        &mut self,
        k: u64,
        found: std::result::Result<&Irreducible, &Stopped>,
    ) -> Result<()> {
        if self.to_prove() != Some(Certify::Irreducible) {
            return Ok(());
        }
        let mut irreducible = false;
        if let Ok(found) = found {
            match certify::irreducibility(self.solver, self.frame(), k, found) {
                Ok(certificate) => {
                    self.write(&certificate)?;
                    irreducible = true;
                }
                Err(missing) => self.missing("irreducibility", missing),
            }
        }
        if !irreducible {
            self.run.warn("no certificate: nothing was proved");
        }
        self.answer.certified = Some(CertifiedDecomposition::Irreducibility { irreducible });
        Ok(())
    }

    fn write(&self, certificate: &impl Serialize) -> Result<()> {
        if let Some(path) = &self.files.certificate {
            write_certificate(certificate, path)?;
            self.run.wrote("certificate", path);
        }
        Ok(())
    }

    fn certified(&mut self, at_least: bool, at_most: bool, essential_hypotheses: bool) {
        self.answer.certified =
            Some(CertifiedDecomposition::Decomposition { at_least, at_most, essential_hypotheses });
    }

    fn missing(&mut self, what: &str, missing: Missing) {
        let reason = match missing {
            Missing::TooLarge => {
                format!("the proof is larger than {} bytes", self.files.certificate_limit.0)
            }
            Missing::Stopped(reason) => {
                self.answer.stopped.get_or_insert(reason);
                reason.to_string()
            }
        };
        self.run.warn(format!("searched, not certified: {what}: {reason}"));
    }
}

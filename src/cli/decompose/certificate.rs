//! `littlestone decompose --certificate`.

use serde_json::json;

use crate::decomposition::certify::{self, Frame};
use crate::decomposition::{Bounded, Decomposition, Essential, Irreducible, Tree};
use crate::error::Error;
use crate::limits::Stopped;
use crate::littlestone::certify::Missing;

use super::super::output::Failure;
use super::{Args, Report};

/// What a certificate proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Certify {
    /// The decomposition dimension and the essential hypotheses.
    Essential,
    /// The decomposition dimension alone.
    Dimension,
    /// Whether the class is K-irreducible.
    Irreducible,
}

impl Args {
    /// What the certificate is to prove; nothing when there is to be none.
    pub(super) fn certified(&self) -> Result<Option<Certify>, Error> {
        if self.certificate.is_none() {
            return Ok(None);
        }
        let default = if self.p.is_some() { Certify::Essential } else { Certify::Irreducible };
        let certified = self.certify.unwrap_or(default);
        match certified {
            Certify::Irreducible if self.irreducible.is_none() => {
                Err(Error::argument("--certify irreducible: expected --irreducible K, found none"))
            }
            Certify::Essential | Certify::Dimension if self.p.is_none() => {
                Err(Error::argument("--certify: expected --p P, found none"))
            }
            _ => Ok(Some(certified)),
        }
    }

    fn frame(&self) -> Frame<'_> {
        Frame { source: &self.class, limit: self.certificate_limit }
    }
}

impl<'r> Report<'r, '_> {
    /// Says that no certificate is written about a decomposition, if one is asked for.
    pub(super) fn no_certificate(&mut self, reason: &str) -> Result<(), Failure> {
        if matches!(self.args.certified()?, Some(Certify::Essential | Certify::Dimension)) {
            self.output.warning(format_args!("no certificate: {reason}"));
            self.certified(false, false, false);
        }
        Ok(())
    }

    /// Writes the certificate about a decided decomposition dimension, if that is asked for. What
    /// cannot be proved within the limits is left out, and said.
    pub(super) fn certify(
        &mut self,
        found: &mut Decomposition<'r>,
        dimension: Bounded,
        essential: Option<&Essential>,
    ) -> Result<(), Failure> {
        let Some(path) = &self.args.certificate else { return Ok(()) };
        let wanted = self.args.certified()?;
        if wanted == Some(Certify::Irreducible) {
            return Ok(());
        }
        let tree = match self.watched(|_| found.tree()) {
            Ok(tree) => Some(tree),
            Err(reason) => {
                self.missing("the upper bound", Missing::Stopped(reason));
                None
            }
        };
        if wanted == Some(Certify::Essential) {
            if let (Some(essential), Some(tree)) = (essential, &tree) {
                let frame = self.args.frame();
                match self.watched(|_| certify::essential(found, frame, essential, tree)) {
                    Ok(certificate) => {
                        certify::write_certificate(&certificate, path)?;
                        self.output.wrote("certificate", path);
                        self.certified(true, true, true);
                        return Ok(());
                    }
                    Err(missing) => self.missing("the essential hypotheses", missing),
                }
            }
            self.output.warning("the certificate is about the decomposition dimension alone");
        }
        self.bounds_certified(found, dimension, tree.as_ref())
    }

    /// Writes the certificate about ρ alone: with both bounds, or else with the upper one.
    fn bounds_certified(
        &mut self,
        found: &mut Decomposition<'r>,
        dimension: Bounded,
        tree: Option<&Tree>,
    ) -> Result<(), Failure> {
        let Some(path) = &self.args.certificate else { return Ok(()) };
        let frame = self.args.frame();
        let attempts =
            [(Some(dimension), tree, "the lower bound"), (None, tree, "the upper bound")];
        for (at_least, tree, bound) in attempts {
            match self.watched(|_| certify::dimension(found, frame, at_least, tree)) {
                Ok(Some(certificate)) => {
                    certify::write_certificate(&certificate, path)?;
                    self.output.wrote("certificate", path);
                    // Nothing is to be proved of ρ ≥ 0.
                    let at_least = certificate.claim.at_least.unwrap_or(0) == dimension.lower;
                    self.certified(at_least, certificate.claim.at_most.is_some(), false);
                    return Ok(());
                }
                Ok(None) => {}
                Err(missing) => self.missing(bound, missing),
            }
        }
        self.no_certificate("nothing was proved")
    }

    /// Writes the certificate about irreducibility, if that is asked for.
    pub(super) fn certify_irreducible(
        &mut self,
        k: u64,
        found: Result<&Irreducible, &Stopped>,
    ) -> Result<(), Failure> {
        let Some(path) = &self.args.certificate else { return Ok(()) };
        if self.args.certified()? != Some(Certify::Irreducible) {
            return Ok(());
        }
        let proved = match found {
            Ok(found) => {
                let frame = self.args.frame();
                match self.watched(|solver| certify::irreducibility(solver, frame, k, found)) {
                    Ok(certificate) => {
                        certify::write_certificate(&certificate, path)?;
                        self.output.wrote("certificate", path);
                        true
                    }
                    Err(missing) => {
                        self.missing("irreducibility", missing);
                        false
                    }
                }
            }
            Err(_) => false,
        };
        if !proved {
            self.output.warning("no certificate: nothing was proved");
        }
        self.object.insert("certified", json!({ "irreducible": proved }));
        Ok(())
    }

    fn certified(&mut self, at_least: bool, at_most: bool, essential: bool) {
        let json = json!({
            "at_least": at_least,
            "at_most": at_most,
            "essential_hypotheses": essential,
        });
        self.object.insert("certified", json);
    }

    fn missing(&mut self, what: &str, missing: Missing) {
        let reason = match missing {
            Missing::TooLarge => {
                format!("the proof is larger than {} bytes", self.args.certificate_limit)
            }
            Missing::Stopped(reason) => {
                self.undecided = true;
                reason.to_string()
            }
        };
        self.output.warning(format_args!("searched, not certified: {what}: {reason}"));
    }
}

//! The kinds of claims: each is a question under one of its names.

mod question;
mod with;

use std::fmt;
use std::sync::{Arc, LazyLock};

use crate::error::Error;
use crate::limits::Limits;
use crate::questions::Shared;

use super::fields::Fields;
use super::outcome::{Finding, Perturbed};

/// A kind of claim.
#[derive(Debug)]
pub struct Kind {
    /// What claims call it.
    pub name: &'static str,
    /// What it claims, in one sentence.
    pub about: &'static str,
    /// The keys it understands beside those of every claim.
    pub keys: &'static [Key],
    named: question::Named,
}

impl Kind {
    /// Whether a list at a key, or at keys within tables with dots between, is a grid.
    pub(super) fn varies(&self, keys: &str) -> bool {
        if keys.contains('.') {
            return self.named.varies(keys);
        }
        self.keys.iter().any(|key| key.name == keys && key.grid)
    }

    /// Reads one check; records a fault and returns nothing when that is impossible.
    pub(super) fn parse(&self, fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
        question::parse(self.named, fields)
    }
}

/// A key of a kind of claim.
#[derive(Debug)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// Whether a list at this key is a grid.
    pub grid: bool,
    /// What it means, in a few words.
    pub about: &'static str,
}

/// All kinds, by name.
pub fn all() -> &'static [&'static Kind] {
    static ALL: LazyLock<Vec<&'static Kind>> = LazyLock::new(|| {
        let mut all: Vec<&'static Kind> = question::kinds().collect();
        all.sort_by_key(|kind| kind.name);
        all
    });
    &ALL
}

/// The kind called `name`.
pub fn find(name: &str) -> Option<&'static Kind> {
    all().iter().find(|kind| kind.name == name).copied()
}

/// One check: it was read, and is then run.
pub trait Check: fmt::Debug + Send + Sync {
    /// Decides the claim. The result does not depend on what runs beside it; classes are loaded once
    /// for all that have one `shared`.
    ///
    /// # Errors
    /// When an input turns out to be malformed.
    fn run(&self, limits: &Limits, shared: &Arc<Shared>) -> Result<Finding, Error>;

    /// Decides the claim again with each constant that can be made stronger, one at a time.
    fn perturbed(&self, _limits: &Limits, _shared: &Arc<Shared>) -> Vec<Perturbed> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_a_name_of_its_own() {
        assert!(all().is_sorted_by(|a, b| a.name < b.name));
    }
}

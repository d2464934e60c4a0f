//! The kinds of claims: a table from the name of a kind to its reader. A new kind is one file here
//! and one line in [`KINDS`].

mod always;
mod blocks;
mod bound;
mod candidates;
mod causal;
mod certificate;
mod concentrated;
mod decomposition;
mod decomposition_dimension;
mod dimension;
mod essential_hypotheses;
mod every_length;
mod fact2;
mod identity;
mod irreducible;
mod joint_privacy;
mod lemma5;
mod littlestone_dimension;
mod minimax;
mod mistakes;
mod pairs;
mod phases;
mod potentials;
mod privacy;
mod probability;
mod profile;
mod regret;
mod statement;
mod subject;
mod thirds;
mod threshold;
mod threshold_dimension;
mod vc_dimension;
mod verdict;

use std::fmt;

use crate::error::Error;
use crate::limits::Limits;

use super::fields::Fields;
use super::outcome::Finding;

pub use super::classes::Classes;

/// A kind of claim.
#[derive(Debug)]
pub struct Kind {
    /// What claims call it.
    pub name: &'static str,
    /// What it claims, in one sentence.
    pub about: &'static str,
    /// The keys it understands beside those of every claim.
    pub keys: &'static [Key],
    /// Reads one check; records a fault and returns nothing when that is impossible.
    pub(super) parse: fn(&mut Fields<'_>) -> Option<Box<dyn Check>>,
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
pub const KINDS: &[&Kind] = &[
    &always::KIND,
    &blocks::KIND,
    &candidates::KIND,
    &causal::KIND,
    &certificate::KIND,
    &concentrated::KIND,
    &decomposition_dimension::KIND,
    &essential_hypotheses::KIND,
    &fact2::KIND,
    &identity::KIND,
    &irreducible::KIND,
    &joint_privacy::KIND,
    &lemma5::KIND,
    &littlestone_dimension::KIND,
    &minimax::KIND,
    &mistakes::KIND,
    &phases::KIND,
    &potentials::KIND,
    &privacy::KIND,
    &probability::KIND,
    &profile::KIND,
    &regret::KIND,
    &thirds::KIND,
    &threshold::KIND,
    &threshold_dimension::KIND,
    &vc_dimension::KIND,
];

/// The kind called `name`.
pub fn find(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name).copied()
}

/// One check: it was read, is then loaded and then run.
pub trait Check: fmt::Debug + Send + Sync {
    /// Loads what the check needs; what is wrong is recorded in `classes`.
    fn load(&mut self, classes: &mut Classes<'_>);

    /// Decides the claim. The result does not depend on what runs beside it.
    ///
    /// # Errors
    /// When an input turns out to be malformed.
    fn run(&self, limits: &Limits) -> Result<Finding, Error>;
}

/// Keys that several kinds share.
mod keys {
    use super::Key;

    pub(super) const CLASS: Key =
        Key { name: "class", grid: true, about: "the class: a file or a family" };
    pub(super) const HEADER: Key = Key {
        name: "header",
        grid: false,
        about: "`yes` or `no`: whether the first line of the file of the class names the points",
    };
    pub(super) const EQUALS: Key = Key {
        name: "equals",
        grid: true,
        about: "the claimed value, an expression for an integer",
    };
    pub(super) const AT_LEAST: Key = Key {
        name: "at_least",
        grid: true,
        about: "a claimed lower bound, an expression for an integer",
    };
    pub(super) const AT_MOST: Key = Key {
        name: "at_most",
        grid: true,
        about: "a claimed upper bound, an expression for an integer",
    };
    pub(super) const EXACTLY: Key =
        Key { name: "equals", grid: true, about: "the claimed value, an exact expression" };
    pub(super) const NO_LESS: Key =
        Key { name: "at_least", grid: true, about: "a claimed lower bound, an exact expression" };
    pub(super) const NO_MORE: Key =
        Key { name: "at_most", grid: true, about: "a claimed upper bound, an exact expression" };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_sorted_by_name() {
        assert!(KINDS.is_sorted_by(|a, b| a.name < b.name));
    }
}

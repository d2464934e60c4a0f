//! The kinds of claims: a table from the name of a kind to its reader. A new kind is one file here
//! and one line in [`KINDS`].

mod always;
mod bound;
mod causal;
mod every_length;
mod joint_privacy;
mod pairs;
mod privacy;
mod probability;
mod profile;
mod question;
mod subject;
mod verdict;

use std::fmt;
use std::sync::LazyLock;

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
    parse: Parse,
}

/// How a check of a kind is read.
#[derive(Debug)]
enum Parse {
    /// By a reader of its own.
    Own(fn(&mut Fields<'_>) -> Option<Box<dyn Check>>),
    /// As a question.
    Question(question::Named),
}

impl Kind {
    /// Reads one check; records a fault and returns nothing when that is impossible.
    pub(super) fn parse(&self, fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
        match self.parse {
            Parse::Own(parse) => parse(fields),
            Parse::Question(named) => question::parse(named, fields),
        }
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
        let mut all: Vec<&'static Kind> = OWN.iter().copied().chain(question::kinds()).collect();
        all.sort_by_key(|kind| kind.name);
        all
    });
    &ALL
}

/// The kinds that are no questions.
const OWN: &[&Kind] = &[
    &always::KIND,
    &causal::KIND,
    &joint_privacy::KIND,
    &privacy::KIND,
    &probability::KIND,
    &profile::KIND,
];

/// The kind called `name`.
pub fn find(name: &str) -> Option<&'static Kind> {
    all().iter().find(|kind| kind.name == name).copied()
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
    fn each_kind_has_a_name_of_its_own() {
        assert!(all().is_sorted_by(|a, b| a.name < b.name));
    }
}

//! Questions and answers: what can be asked, stated once.
//!
//! A question is a struct with the derives that the ecosystem knows: its fields, their types, defaults
//! and meaning are the options of its command, the keys of its claims, its JSON request, its schema
//! and its reference. An answer is a struct too: JSON is its serialisation, and whatever has a path in
//! it can be asserted by a claim. The doors (the command line, claim files, `littlestone ask`, the
//! library) read a question and show an answer; what is asked and what is answered they do not know.
//!
//! | module | idea |
//! | --- | --- |
//! | [`run`] | what a question may use: limits, progress, classes that are loaded once |
//! | [`written`] | types of fields that read themselves from text, the same through every door |
//! | [`door`] | from a map of keys to a question, with the same errors everywhere |
//! | [`strengthen`] | how what a question claims is made stronger |
//! | [`subject`] | a mechanism and its class |
//! | [`known`] | values of an answer, exact or between bounds, found by their path |
//! | [`mod@reference`] | the page about all questions |
//! | [`registry`] | all questions, without their types |
//! | [`request`] | a question as one JSON object |
//! | [`schemas`] | the schemas of requests and answers |
//! | [`slack`] | how much stronger an inequality that is claimed could be |
//!
//! Each other file is a question.

pub mod always;
pub mod atlas;
pub(crate) mod blocks;
pub mod bounds;
pub mod candidates;
pub mod causal;
pub mod certificate;
pub mod combine_table;
pub mod concentrated;
pub mod decomposition;
pub mod dimension;
pub mod door;
pub mod fact2;
pub mod given;
pub mod identity;
pub mod known;
pub mod lemma5;
pub mod minimax;
pub mod mistakes;
pub mod monitor;
pub mod phases;
pub mod potentials;
pub mod privacy;
pub mod probability;
pub mod profile;
pub mod reference;
pub mod registry;
pub mod regret;
pub mod request;
pub mod run;
pub mod schemas;
pub mod slack;
pub mod soa;
pub mod strengthen;
pub mod subject;
pub mod thirds;
pub mod threshold;
pub mod written;

use std::fmt;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::Result;
use crate::exact::Number;
use crate::limits::Stopped;
use crate::text::Lines;

pub use known::{Claimed, Exact, Known, Relation, Trivial};
pub use run::{Heard, Run, Shared, Wanted};
pub use slack::Inequality;
pub use strengthen::{Change, Strengthening};

/// Something that can be asked.
pub trait Question:
    fmt::Debug + clap::Args + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static
{
    /// What requests and claims call it.
    const NAME: &'static str;
    /// How claims name it beside [`NAME`](Self::NAME).
    const KINDS: &'static [ClaimKind] = &[];
    /// Whether the answer has a verdict of its own, on what is claimed in the fields.
    const DECIDES: bool = false;
    /// The fields of which one has to be there for a verdict; none where there always is one.
    const CLAIMED_IN: &'static [&'static str] = &[];
    /// The fields that hold constants of what is claimed and are compared with nothing in the answer.
    const STRENGTHENED: &'static [Strengthening] = &[];
    /// What comes back.
    type Answer: Answer + JsonSchema + 'static;
    /// The files that can be written beside the answer. They are options of the command, and no fields.
    type Files: OutputFiles;

    /// Checks what no field can check alone.
    ///
    /// # Errors
    /// When fields exclude each other.
    fn validate(&self) -> Result<()> {
        Ok(())
    }

    /// The files that are read for it, as far as they are known from its fields.
    fn inputs(&self) -> Vec<PathBuf>;

    /// Finds the answer, and writes the files that are asked for.
    ///
    /// A limit that is hit is no error as long as something is known: then the answer says what.
    ///
    /// # Errors
    /// When the input is at fault, or a limit is hit before anything is known.
    fn answer_with(&self, files: &Self::Files, run: &Run<'_>) -> Result<Self::Answer>;

    /// Finds the answer.
    ///
    /// # Errors
    /// As [`Question::answer_with`], and when [`Question::validate`] refuses.
    fn answer(&self, run: &Run<'_>) -> Result<Self::Answer> {
        self.validate()?;
        self.answer_with(&Self::Files::default(), run)
    }
}

/// The options of a command that name files to be written.
pub trait OutputFiles: clap::Args + fmt::Debug + Default {
    /// Each option, with its file if it was given.
    fn options(&self) -> Vec<(&'static str, Option<&PathBuf>)>;
}

/// No files to be written.
#[derive(Debug, Default, clap::Args)]
pub struct NoFiles {}

impl OutputFiles for NoFiles {
    fn options(&self) -> Vec<(&'static str, Option<&PathBuf>)> {
        Vec::new()
    }
}

/// Another name of a question in claims, with what claims of that name leave unsaid.
#[derive(Debug, Clone, Copy)]
pub struct ClaimKind {
    /// What claims call it.
    pub name: &'static str,
    /// What it claims, in one sentence.
    pub about: &'static str,
    /// Fields that it sets, each to a text.
    pub sets: &'static [(&'static str, &'static str)],
    /// Names of fields that differ from those of the question: the key, and the field.
    pub renames: &'static [(&'static str, &'static str)],
    /// Keys that are assertions.
    pub asserts: &'static [AssertedKey],
}

/// A key of claims that says something of a value of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AssertedKey {
    /// The key.
    pub key: &'static str,
    /// The path of the value.
    pub path: &'static str,
    /// How the value is compared with the claimed one.
    pub relation: Relation,
}

/// How a question ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The values are found; nothing was claimed.
    Found,
    /// What was claimed is true.
    Holds,
    /// What was claimed is false.
    Refuted,
    /// A limit was hit: the values are bounds.
    Undecided(Stopped),
}

/// What can be shown in JSON: everything that can be serialised.
pub trait Json {
    /// The value.
    fn json(&self) -> Value;
}

impl<T: Serialize> Json for T {
    fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// What is found about a question.
pub trait Answer: fmt::Debug + Json {
    /// How the question ended.
    fn ending(&self) -> Ending;

    /// The answer for reading, `name: value` a line; without the last line of one that is undecided.
    fn text(&self) -> Lines;

    /// The answer as comma-separated values: its rows where it is a table, else one row.
    fn csv(&self) -> String {
        known::csv(&self.json())
    }

    /// Why there is nothing that the answer is about, where that is so: then every claim about it is
    /// vacuous.
    fn nothing(&self) -> Option<String> {
        None
    }

    /// What else a claim shows whatever its verdict, a line each.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// The numbers behind a verdict of its own, exact, under fixed names.
    fn values(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// What was found in one line, of an answer with a verdict of its own.
    fn found(&self) -> String {
        String::new()
    }

    /// The inequalities that a verdict of its own is about, each where it is nearest to being false.
    fn inequalities(&self) -> Vec<Inequality> {
        Vec::new()
    }

    /// Why a verdict of its own says nothing, where it does not.
    fn vacuous(&self) -> Option<String> {
        None
    }

    /// What is known of the value at a path such as `littlestone_dimension` or `attained_by.event`.
    fn known(&self, path: &str) -> Option<Known> {
        known::at(&self.json(), path)
    }

    /// What the value at a path is called, as in `Ldim(point:3) = 1`.
    fn symbol(&self, path: &str) -> String {
        path.to_owned()
    }

    /// The names that claims about it may use, beside those of every claim.
    fn names(&self) -> Vec<(&'static str, Number)> {
        Vec::new()
    }

    /// What else stands beside the value of a path: ` at ε = 1/2, T = 3`.
    fn setting(&self) -> String {
        String::new()
    }

    /// The bounds on the value at a path that hold whatever the search finds, and why: a claim that
    /// says no more is vacuous.
    fn trivial(&self, _path: &str) -> Option<Trivial> {
        None
    }

    /// Why a claim about the value at a path says nothing, whatever it says.
    fn moot(&self, _path: &str) -> Option<String> {
        None
    }

    /// What shows that a function is not in the set at a path.
    fn absence(&self, _path: &str, _function: &str) -> Option<String> {
        None
    }

    /// What shows that the claim about a path is false, a line each.
    fn counterexample(&self, _path: &str, _claimed: &Claimed, _run: &Run<'_>) -> Vec<String> {
        Vec::new()
    }

    /// What shows that a claim that holds says something, in one line.
    fn evidence(&self) -> Option<String> {
        None
    }
}

//! The class of a claim about Algorithm 2.

use std::sync::Arc;

use crate::class::{Class, Loaded};
use crate::error::Error;

use super::super::classes::Reading;
use super::super::{Fields, Finding, Located, Verdict};
use super::Classes;

/// A class that a claim is about.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) class: Located<String>,
    reading: Reading,
    loaded: Option<Arc<Loaded>>,
}

impl Given {
    pub(super) fn parse(fields: &mut Fields<'_>) -> Option<Self> {
        let class = fields.text("class")?;
        Some(Self { class, reading: Reading::parse(fields)?, loaded: None })
    }

    pub(super) fn load(&mut self, classes: &mut Classes<'_>) {
        self.loaded = classes.load(&self.class, &self.reading);
    }

    /// The class, which has at least one hypothesis.
    pub(super) fn class(&self) -> Result<&Class, Error> {
        let class = &self.loaded.as_ref().expect("classes are loaded before checks run").class;
        if class.hypotheses() == 0 {
            let found = format!("`{}`, which has none", self.class.value);
            let expected = "a class with at least one hypothesis";
            return Err(Error::malformed(self.class.position.clone(), expected, found));
        }
        Ok(class)
    }

    /// What is to be said about the class as it was read.
    pub(super) fn notes(&self) -> Vec<String> {
        let notes = self.loaded.iter().flat_map(|loaded| &loaded.notes);
        notes.map(|note| format!("note: {note}")).collect()
    }
}

/// The finding when a limit was hit.
pub(super) fn stopped(found: String) -> Finding {
    Finding {
        verdict: Verdict::Undecided,
        found,
        non_vacuous: None,
        details: Vec::new(),
        values: std::collections::BTreeMap::new(),
    }
}

//! What a question may use while it is answered.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::class::{Header, Loaded, load_as};
use crate::error::{Error, Result};
use crate::limits::{Limits, Progress};
use crate::text::Lines;

use super::known::Claimed;
use super::written::ClassName;

/// Something to be told while a question is answered, beside the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// A remark.
    Note(String),
    /// Why the answer is less than was asked for.
    Warning(String),
    /// A file was written.
    Wrote {
        /// What it holds.
        what: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// The text of the answer as far as it is known: it will only ever grow.
    SoFar(Lines),
}

/// A value of the answer that something is claimed of.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// Its path.
    pub path: String,
    /// What is claimed, where that is known before the answer.
    pub claimed: Option<Claimed>,
}

/// Limits, progress, the folder that relative paths start from, and the classes loaded so far.
#[derive(Clone, Default)]
pub struct Run<'r> {
    /// The bounds on the work.
    pub limits: Limits,
    /// What a display may show of the work.
    pub progress: Arc<Progress>,
    /// Where relative paths start; the working directory when empty.
    pub folder: PathBuf,
    /// The values of the answer that are claimed, and all that is asked for beside what the question
    /// asks for itself; everything when there are none.
    pub wanted: Vec<Wanted>,
    shared: Arc<Shared>,
    listener: Option<&'r dyn Fn(Heard)>,
}

/// The folder, the name and the header of a class.
type Reading = (PathBuf, String, Option<Header>);
type Slot = Arc<OnceLock<Result<Arc<Loaded>>>>;

/// What runs of many questions share: each class is loaded once.
#[derive(Debug, Default)]
pub struct Shared {
    classes: Mutex<BTreeMap<Reading, Slot>>,
}

impl std::fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run")
            .field("limits", &self.limits)
            .field("folder", &self.folder)
            .field("wanted", &self.wanted)
            .finish_non_exhaustive()
    }
}

impl<'r> Run<'r> {
    /// A run within limits.
    pub fn within(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// The same, with classes that other runs have loaded.
    #[must_use]
    pub fn sharing(self, shared: &Arc<Shared>) -> Self {
        Self { shared: Arc::clone(shared), ..self }
    }

    /// The same, with somebody who listens.
    #[must_use]
    pub fn heard_by<'n>(self, listener: &'n dyn Fn(Heard)) -> Run<'n>
    where
        'r: 'n,
    {
        Run { listener: Some(listener), ..self }
    }

    /// Whether the value at a path is asked for by an assertion.
    pub fn asserts(&self, path: &str) -> bool {
        let below = |asserted: &str| {
            asserted.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.wanted.iter().any(|wanted| below(&wanted.path))
    }

    /// Whether the value at a path is to be found although no field says so.
    pub fn wants(&self, path: &str) -> bool {
        self.wanted.is_empty() || self.asserts(path)
    }

    /// The class of that name. Each class is loaded once; what its reader remarks is noted.
    ///
    /// # Errors
    /// When there is no such class, its file is malformed, or a limit is hit while it is built.
    pub fn class(&self, name: &ClassName, header: Option<Header>) -> Result<Arc<Loaded>> {
        let load = || load_as(name.as_str(), &self.folder, header, &self.limits).map(Arc::new);
        let key = (self.folder.clone(), name.as_str().to_owned(), header);
        let mut classes = self.shared.classes.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = Arc::clone(classes.entry(key).or_default());
        // Other classes may be loaded at the same time.
        drop(classes);
        let loaded = match slot.get_or_init(load) {
            // Another question may have had less time.
            Err(Error::Limit { .. }) => load(),
            other => other.clone(),
        }?;
        for note in &loaded.notes {
            self.note(note.clone());
        }
        Ok(loaded)
    }

    /// A remark that is no part of the answer.
    pub fn note(&self, text: impl Into<String>) {
        self.tell(Heard::Note(text.into()));
    }

    /// Why the answer is less than was asked for.
    pub fn warn(&self, text: impl Into<String>) {
        self.tell(Heard::Warning(text.into()));
    }

    /// A file was written.
    pub fn wrote(&self, what: &'static str, path: &Path) {
        self.tell(Heard::Wrote { what, path: path.to_path_buf() });
    }

    /// Tells whoever listens.
    pub fn tell(&self, heard: Heard) {
        if let Some(listener) = self.listener {
            listener(heard);
        }
    }
}

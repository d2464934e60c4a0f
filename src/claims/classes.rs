//! The classes that checks are about, each loaded once in a run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::class::{Header, Loaded, spec};
use crate::error::Error;
use crate::limits::Limits;
use crate::questions::Shared;

use super::{Fields, Located};

/// What loading came to, once it has come to an end.
type Class = Arc<Mutex<Option<Result<Arc<Loaded>, String>>>>;

/// How the file of the class of a claim is found and read.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reading {
    /// The folder that paths in the claim are relative to.
    folder: PathBuf,
    header: Option<Header>,
}

impl Reading {
    /// Reads the key `header`.
    pub fn parse(fields: &mut Fields<'_>) -> Option<Self> {
        let header =
            if fields.has("header") { Some(fields.choice("header", &Header::ALL)?) } else { None };
        Some(Self { folder: fields.folder().to_path_buf(), header })
    }
}

/// The classes that were loaded, by how they are read and described.
#[derive(Debug, Default)]
pub(super) struct Cache {
    shared: Arc<Shared>,
    loaded: Mutex<BTreeMap<(Reading, String), Class>>,
}

/// Loads the classes of one check, and keeps what is wrong with what it needs.
#[derive(Debug)]
pub struct Classes<'c> {
    cache: &'c Cache,
    limits: &'c Limits,
    faults: Vec<Error>,
}

impl<'c> Classes<'c> {
    pub(super) fn new(cache: &'c Cache, limits: &'c Limits) -> Self {
        Self { cache, limits, faults: Vec::new() }
    }

    /// What questions of the run share.
    pub fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.cache.shared)
    }

    /// The limits of the check.
    pub fn limits(&self) -> &'c Limits {
        self.limits
    }

    /// Records a fault, or a limit that was hit.
    pub fn refuse(&mut self, fault: Error) {
        self.faults.push(fault);
    }

    /// The class that a claim describes; a fault is recorded when there is none.
    pub fn load(&mut self, spec: &Located<String>, reading: &Reading) -> Option<Arc<Loaded>> {
        let key = (reading.clone(), spec.value.clone());
        let mut loaded = self.cache.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let class = Arc::clone(loaded.entry(key).or_default());
        // Other classes may be loaded at the same time.
        drop(loaded);
        let mut class = class.lock().unwrap_or_else(PoisonError::into_inner);
        if class.is_none() {
            let (folder, header) = (&reading.folder, reading.header);
            let loaded = spec::load_as(&spec.value, folder, header, self.limits).map(Arc::new);
            if let Err(limit @ Error::Limit { .. }) = loaded {
                // The limits are those of this check: another one may have more time.
                self.refuse(limit);
                return None;
            }
            *class = Some(loaded.map_err(|reason| reason.to_string()));
        }
        match class.as_ref()? {
            Ok(class) => Some(Arc::clone(class)),
            Err(reason) => {
                let found = format!("`{}`: {reason}", spec.value);
                self.faults.push(Error::malformed(spec.position.clone(), "a class", found));
                None
            }
        }
    }

    pub(super) fn into_faults(self) -> Vec<Error> {
        self.faults
    }
}

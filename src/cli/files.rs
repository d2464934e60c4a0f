//! The files of one call: what is written must be neither read nor written twice.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::file::{self, Place};

/// The files that a command reads and writes. Every command that has an option for a file lists all
/// of them here and calls [`Files::check`] before it does any work.
#[derive(Debug, Default)]
pub(super) struct Files {
    inputs: Vec<PathBuf>,
    outputs: Vec<(&'static str, PathBuf)>,
}

impl Files {
    /// No files.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Files that are read.
    pub(super) fn inputs(mut self, paths: impl IntoIterator<Item = PathBuf>) -> Self {
        self.inputs.extend(paths);
        self
    }

    /// The file that `option` asks to write, if it was given.
    pub(super) fn output(mut self, option: &'static str, path: Option<&PathBuf>) -> Self {
        self.outputs.extend(path.map(|path| (option, path.clone())));
        self
    }

    /// Checks that all outputs can be written without a loss.
    ///
    /// # Errors
    /// When an output cannot be made, is an input, or is another output of the call, under whatever
    /// name.
    pub(super) fn check(self) -> Result<()> {
        let place = |path: &Path| Place::of(path).map_err(|error| Error::file(path, &error));
        // What cannot be read is told when it is read.
        let inputs: Vec<Place> = self.inputs.iter().flat_map(|path| Place::of(path)).collect();
        let mut seen: Vec<(&str, Place)> = Vec::new();
        for (option, path) in &self.outputs {
            file::expect_writable(path)?;
            let place = place(path)?;
            let refuse = |what: &str| {
                let message = format!("{option}: `{}` is {what}", path.display());
                Err(Error::argument_with_help(message, "give each file that is written a new name"))
            };
            if inputs.iter().any(|input| place.same(input)) {
                return refuse("an input of the same command, which would be lost");
            }
            if let Some((other, _)) = seen.iter().find(|(_, other)| place.same(other)) {
                return refuse(&format!("the file of {other} as well"));
            }
            seen.push((option, place));
        }
        Ok(())
    }
}

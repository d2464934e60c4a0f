//! The paper that claims are about: what may stand at their key `paper`.
//!
//! A folder declares its paper in `paper.toml`; it is that of all claim files in it and in the folders below,
//! up to the next declaration. Where none is declared, `paper` is free text, or left out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;

use crate::error::{Error, Result};
use crate::file::{MAX_TEXT_BYTES, read_text};

use super::fields::suggestion;
use super::numbering;
use super::source::Source;

/// The name of a declaration.
pub const FILE: &str = "paper.toml";

/// A declared paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paper {
    /// Its title.
    pub title: String,
    /// How it is cited, such as `arXiv:2610.06822v1`.
    pub cite: Option<String>,
    /// The folder of its claims.
    pub folder: PathBuf,
    /// Its items; nothing for the paper that this program is about, whose items it knows.
    pub items: Option<Vec<PaperItem>>,
}

/// A definition or statement of a declared paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaperItem {
    /// Its name, such as `Theorem 1`.
    pub name: String,
    /// What it says.
    pub statement: String,
    /// Other names.
    pub also: Vec<String>,
    /// Parts that may follow its name in a claim: `Fact 2, (i)`.
    pub parts: Vec<String>,
}

/// What is wrong with a reference to a paper.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unknown {
    /// Characters before the faulty part.
    pub(super) before: usize,
    pub(super) expected: String,
    pub(super) found: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    cite: Option<String>,
    /// `built-in` for the paper that this program is about.
    items: Option<Spanned<String>>,
    #[serde(default)]
    item: Vec<Item>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    name: Spanned<String>,
    statement: String,
    #[serde(default)]
    also: Vec<Spanned<String>>,
    #[serde(default)]
    parts: Vec<String>,
}

impl Paper {
    /// The paper of a folder: that of the nearest declaration in it or in a folder above, as far as the one
    /// that holds a repository.
    ///
    /// # Errors
    /// When the declaration cannot be read, or is malformed.
    pub fn of(folder: &Path) -> Result<Option<Self>> {
        let named = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let Ok(absolute) = named.canonicalize() else { return Ok(None) };
        let mut shown = Some(folder.to_path_buf());
        for above in absolute.ancestors() {
            // As it was named, as long as it is below what was named.
            let own = shown.clone().unwrap_or_else(|| above.to_path_buf());
            let path = own.join(FILE);
            if path.is_file() {
                return Self::load(&path).map(Some);
            }
            if above.join(".git").exists() {
                break;
            }
            shown = shown.and_then(|folder| folder.parent().map(Path::to_path_buf));
            if shown.as_ref().is_some_and(|folder| folder.as_os_str().is_empty()) {
                let here = Path::new(".").canonicalize().ok();
                shown = (here.as_deref() == above.parent()).then(PathBuf::new);
            }
        }
        Ok(None)
    }

    /// Reads the declaration in a file.
    ///
    /// # Errors
    /// When it cannot be read, and as [`read`](Self::read).
    pub fn load(path: &Path) -> Result<Self> {
        Self::read(path, &read_text(path, MAX_TEXT_BYTES)?)
    }

    /// Reads a declaration.
    ///
    /// # Errors
    /// When it is malformed, or two items have one name.
    pub fn read(path: &Path, text: &str) -> Result<Self> {
        let source = Source::new(path, text);
        let fault = |at: usize, expected: &str, found: String| {
            Error::malformed(source.position(at), expected, found)
        };
        let file: File = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            fault(at, "the declaration of a paper", error.message().replace('\n', " "))
        })?;
        let declared = |file: &File| -> Result<Vec<PaperItem>> {
            let mut seen = BTreeMap::new();
            for name in
                file.item.iter().flat_map(|item| std::iter::once(&item.name).chain(&item.also))
            {
                let at = name.span().start;
                if name.get_ref().trim().is_empty() || name.get_ref().contains(',') {
                    let found = format!("`{}`", name.get_ref());
                    return Err(fault(at, "the name of an item, without commas", found));
                }
                if let Some(first) = seen.insert(name.get_ref().as_str(), at) {
                    let found = format!("`{}`, as in line {}", name.get_ref(), source.line(first));
                    return Err(fault(at, "a name that no other item has", found));
                }
            }
            let item = |item: &Item| PaperItem {
                name: item.name.get_ref().clone(),
                statement: item.statement.trim().to_owned(),
                also: item.also.iter().map(|name| name.get_ref().clone()).collect(),
                parts: item.parts.clone(),
            };
            Ok(file.item.iter().map(item).collect())
        };
        let items = match &file.items {
            None if file.item.is_empty() => {
                return Err(fault(0, "at least one `[[item]]`", "none".into()));
            }
            None => Some(declared(&file)?),
            Some(items) if items.get_ref() == "built-in" && file.item.is_empty() => None,
            Some(items) => {
                let expected = "`[[item]]` tables, or `items = \"built-in\"` without them";
                return Err(fault(items.span().start, expected, format!("`{}`", items.get_ref())));
            }
        };
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        Ok(Self { title: file.title, cite: file.cite, folder, items })
    }

    /// Checks a reference: an item, or a list of items and their parts such as `Fact 2, P1`.
    pub(super) fn check(&self, text: &str) -> std::result::Result<(), Unknown> {
        let Some(items) = &self.items else { return numbering::check(text) };
        let mut of = None::<&PaperItem>;
        let known = |name: &str| match items.iter().find(|item| item.is_called(name)) {
            Some(item) => {
                of = Some(item);
                true
            }
            None => of.is_some_and(|item| item.parts.iter().any(|part| part == name)),
        };
        let names = items.iter().map(|item| item.name.as_str());
        references(text, known, &format!("an item of \"{}\"", self.title), names)
    }

    /// Whether a reference of a claim is to an item.
    pub fn cites(item: &PaperItem, reference: &str) -> bool {
        reference.split(',').any(|name| item.is_called(name.trim()))
    }
}

impl PaperItem {
    fn is_called(&self, name: &str) -> bool {
        self.name == name || self.also.iter().any(|also| also == name)
    }
}

/// Checks a list of references, of which each is `known` after those before it.
pub(super) fn references<'n>(
    text: &str,
    mut known: impl FnMut(&str) -> bool,
    expected: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> std::result::Result<(), Unknown> {
    let mut before = 0;
    for part in text.split(',') {
        let name = part.trim();
        if !known(name) {
            let indent = part.chars().count() - part.trim_start().chars().count();
            return Err(Unknown {
                before: before + indent,
                expected: expected.to_owned(),
                found: format!("`{name}`{}", suggestion(name, names)),
            });
        }
        before += part.chars().count() + 1;
    }
    Ok(())
}

/// The papers of the folders that were met.
#[derive(Debug, Default)]
pub(super) struct Papers(BTreeMap<PathBuf, Option<Arc<Paper>>>);

impl Papers {
    /// The paper of a claim file.
    ///
    /// # Errors
    /// As [`Paper::of`].
    pub(super) fn of(&mut self, file: &Path) -> Result<Option<Arc<Paper>>> {
        let folder = file.parent().unwrap_or(Path::new(""));
        if let Some(known) = self.0.get(folder) {
            return Ok(known.clone());
        }
        let found = Paper::of(folder)?.map(Arc::new);
        self.0.insert(folder.to_path_buf(), found.clone());
        Ok(found)
    }
}

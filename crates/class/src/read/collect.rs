//! What the three readers share: names are checked, rows are counted, merges become notes.

use std::collections::HashMap;

use super::Loaded;
use crate::size::MAX_HYPOTHESES;
use crate::{ClassBuilder, size};
use littlestone_base::error::{Error, Result, Source, show};

/// How many merges are told one by one.
const TOLD: usize = 20;

/// Checks the name of a point or a hypothesis (`what`) that stands at the offset that `locate`
/// finds, and returns it without surrounding white space.
pub(super) fn check_name<'t>(
    source: &Source<'_>,
    what: &str,
    name: &'t str,
    locate: impl Fn() -> usize,
) -> Result<&'t str> {
    let trimmed = name.trim();
    if trimmed.is_empty() {
        return Err(source.malformed(locate(), format!("the name of a {what}"), "an empty name"));
    }
    if trimmed.chars().any(char::is_control) {
        return Err(source.malformed(
            locate(),
            format!("the name of a {what} on one line, without control characters"),
            show(trimmed),
        ));
    }
    Ok(trimmed)
}

/// Collects the distinct names of the points.
#[derive(Default)]
pub(super) struct Points {
    names: Vec<String>,
    seen: HashMap<String, usize>,
}

impl Points {
    /// Adds the point whose name stands at the offset that `locate` finds.
    pub fn push(
        &mut self,
        source: &Source<'_>,
        name: &str,
        locate: impl Fn() -> usize,
    ) -> Result<()> {
        let name = check_name(source, "point", name, &locate)?;
        if let Some(first) = self.seen.insert(name.to_owned(), self.names.len()) {
            return Err(source.malformed(
                locate(),
                "distinct point names",
                format!("{} again (it is point {} already)", show(name), first + 1),
            ));
        }
        self.names.push(name.to_owned());
        size::check(source.name, 0, self.names.len() as u128)
    }

    /// The names in order.
    pub fn finish(self) -> Vec<String> {
        self.names
    }
}

/// Collects the rows of an input into a class.
pub(super) struct Rows<'s> {
    source: &'s Source<'s>,
    points: usize,
    builder: ClassBuilder,
    words: Vec<u64>,
    /// Where each row stands in the input, merged rows included.
    offsets: Vec<usize>,
    /// Which row each hypothesis of the class was read from.
    origins: Vec<usize>,
    /// Where each name stands in the input.
    names: HashMap<String, usize>,
    /// The names of the first rows that were merged.
    merged: Vec<Option<String>>,
}

impl<'s> Rows<'s> {
    /// No rows yet, over the given points.
    ///
    /// # Errors
    /// When there are no points, or too many.
    pub fn new(source: &'s Source<'s>, points: Vec<String>) -> Result<Self> {
        if points.is_empty() {
            return Err(source.malformed_whole("at least one point", "none"));
        }
        size::check(source.name, 0, points.len() as u128)?;
        let count = points.len();
        let builder = ClassBuilder::new(points);
        let words = vec![0; builder.stride()];
        Ok(Self {
            source,
            points: count,
            builder,
            words,
            offsets: Vec::new(),
            origins: Vec::new(),
            names: HashMap::new(),
            merged: Vec::new(),
        })
    }

    /// Sets the label of the row under construction at point `x`.
    pub fn set(&mut self, x: usize, label: bool) {
        self.words[x / 64] |= u64::from(label) << (x % 64);
    }

    /// Ends the row under construction, which stands at `offset`; its name, if it has one, comes
    /// with its own offset.
    ///
    /// # Errors
    /// When the name is empty or was used before, or the class grows too large.
    pub fn end_row(&mut self, offset: usize, name: Option<(&str, usize)>) -> Result<()> {
        let name = match name {
            Some((name, at)) => Some(self.check_new_name(name, at)?),
            None => None,
        };
        let before = self.builder.len();
        size::check(self.source.name, before as u128 + 1, self.points as u128)?;
        if self.offsets.len() == MAX_HYPOTHESES {
            return Err(Error::TooLarge {
                what: self.source.name.to_owned(),
                size: format!("at least {} rows", MAX_HYPOTHESES + 1),
                limit: format!("{MAX_HYPOTHESES} rows"),
            });
        }
        self.builder.push_packed(name.clone(), &self.words);
        self.words.fill(0);
        if self.builder.len() > before {
            self.origins.push(self.offsets.len());
        } else if self.merged.len() < TOLD {
            self.merged.push(name);
        }
        self.offsets.push(offset);
        Ok(())
    }

    /// The class and the notes.
    ///
    /// # Errors
    /// When there is no row.
    pub fn finish(self) -> Result<Loaded> {
        if self.builder.is_empty() {
            return Err(self.source.malformed_whole("at least one hypothesis", "none"));
        }
        let source = self.source;
        let (class, merges) = self.builder.finish();
        let mut notes: Vec<String> = Vec::new();
        for (merge, name) in merges.iter().zip(self.merged) {
            let line = source.line(self.offsets[merge.dropped]);
            let first = source.line(self.offsets[self.origins[merge.kept]]);
            notes.push(match name {
                Some(name) => format!(
                    "{}:{line}: hypothesis \"{name}\" equals \"{}\" (line {first}) and was merged",
                    source.name,
                    class.hypothesis_name(merge.kept)
                ),
                None => format!(
                    "{}:{line}: this hypothesis equals the one in line {first} and was merged",
                    source.name
                ),
            });
        }
        if merges.len() > TOLD {
            notes.push(format!(
                "{}: {} more hypotheses equal earlier ones and were merged",
                source.name,
                merges.len() - TOLD
            ));
        }
        Ok(Loaded { class, notes })
    }

    fn check_new_name(&mut self, name: &str, offset: usize) -> Result<String> {
        let name = check_name(self.source, "hypothesis", name, || offset)?;
        if let Some(&first) = self.names.get(name) {
            return Err(self.source.malformed(
                offset,
                "distinct names of hypotheses",
                format!("{} again (first in line {})", show(name), self.source.line(first)),
            ));
        }
        self.names.insert(name.to_owned(), offset);
        Ok(name.to_owned())
    }
}

//! A question under one of its names in claims, and the keys that it has there.

use std::sync::LazyLock;

use crate::questions::registry::{self, Registered};
use crate::questions::{ClaimKind, Relation};

use super::super::super::file::COMMON;
use super::super::with::WITH;
use super::super::{Key, Kind};

/// What is claimed of the answer, also of values whose names are those of fields or other keys.
pub(super) const ANSWER: Key = Key {
    name: "answer",
    grid: true,
    about: "what is claimed of any value of the answer: `answer.PATH = …`, `answer.PATH.at_most = …`",
};

/// A question under one of its names in claims.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Named {
    pub(super) question: &'static Registered,
    pub(super) kind: Option<&'static ClaimKind>,
}

impl Named {
    fn all() -> impl Iterator<Item = Self> {
        registry::all().iter().flat_map(|question| {
            let named_so = question.kinds.iter().any(|kind| kind.name == question.name);
            let own = (!named_so).then_some(Self { question, kind: None });
            own.into_iter()
                .chain(question.kinds.iter().map(move |kind| Self { question, kind: Some(kind) }))
        })
    }

    fn name(self) -> &'static str {
        self.kind.map_or(self.question.name, |kind| kind.name)
    }

    /// The key of claims for a field.
    pub(super) fn key(self, field: &'static str) -> &'static str {
        let renames = self.kind.map_or(&[][..], |kind| kind.renames);
        renames.iter().find(|(_, renamed)| *renamed == field).map_or(field, |(key, _)| key)
    }

    /// Whether the value at a path is a list.
    pub(super) fn is_list(self, path: &str) -> bool {
        self.question.value(path).is_some_and(|field| field.list)
    }

    /// Whether the value at a path is a whole number.
    pub(super) fn is_integer(self, path: &str) -> bool {
        self.question.value(path).is_some_and(|field| field.integer)
    }

    /// Whether a list within a table, at keys with dots between, is a grid: not where it is claimed of a
    /// list of the answer.
    pub(in super::super) fn varies(self, keys: &str) -> bool {
        let path = keys.strip_prefix("answer.").unwrap_or(keys);
        let relation = |step: &str| Relation::ALL.iter().any(|(name, _)| *name == step);
        match path.rsplit_once('.') {
            Some((path, step)) if relation(step) => !self.is_list(path),
            _ => !self.is_list(path),
        }
    }

    /// The keys, those that the kind sets itself left out.
    pub(super) fn keys(self) -> Vec<Key> {
        let set = |field: &str| {
            self.kind.is_some_and(|kind| kind.sets.iter().any(|(name, _)| *name == field))
        };
        let fields = self.question.fields.iter().filter(|field| !set(&field.name));
        let fields = fields.map(|field| Key {
            name: self.key(&field.name),
            grid: !field.list,
            about: &field.about,
        });
        let asserts = self.kind.map_or(&[][..], |kind| kind.asserts).iter();
        let asserted = asserts.filter(|asserted| asserted.relation != Relation::Holds);
        let asserted = asserted.map(|asserted| Key {
            name: asserted.key,
            grid: !self.is_list(asserted.path),
            about: match asserted.relation {
                Relation::Contains => "functions that are among them",
                Relation::Excludes => "functions that are not among them",
                _ if self.is_list(asserted.path) => "all of them, a list",
                Relation::Equals | Relation::Holds => "the claimed value, an exact expression",
                Relation::AtLeast => "a claimed lower bound, an exact expression",
                Relation::AtMost => "a claimed upper bound, an exact expression",
            },
        });
        let paths = self.question.paths.iter().map(|path| Key {
            name: &path.name,
            grid: !path.list,
            about: &path.about,
        });
        let given = self.question.fields.iter().any(|field| field.name == WITH.name);
        let with = (!given).then_some(WITH);
        let mut keys: Vec<Key> = fields.chain(asserted).chain(with).chain([ANSWER]).collect();
        // One key may be about two paths.
        keys.dedup_by_key(|key| key.name);
        // A name that has no keys for what is claimed has those of the answer.
        let open = |kind: &ClaimKind| kind.name == self.question.name || kind.asserts.is_empty();
        if self.kind.is_none_or(open) {
            let own = keys.iter().map(|key| key.name);
            let taken: Vec<&str> = own.chain(COMMON).collect();
            keys.extend(paths.filter(|path| !taken.contains(&path.name)));
        }
        keys
    }
}

/// The kinds of claims that questions are.
pub(in super::super) fn kinds() -> impl Iterator<Item = &'static Kind> {
    static KEYS: LazyLock<Vec<(Named, Vec<Key>)>> =
        LazyLock::new(|| Named::all().map(|named| (named, named.keys())).collect());
    static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
        let kind = |(named, keys): &'static (Named, Vec<Key>)| Kind {
            name: named.name(),
            about: named.kind.map_or(&named.question.about, |kind| kind.about),
            keys,
            named: *named,
        };
        KEYS.iter().map(kind).collect()
    });
    KINDS.iter()
}

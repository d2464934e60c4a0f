//! The names that expressions of claims may use: those of `with`, and of a class.

use std::sync::Arc;

use crate::class::{Class, Loaded};
use crate::error::Error;
use crate::limits::{Limits, Stopped};
use crate::littlestone::Solver;

pub(super) use crate::questions::known::size as natural;

use super::super::classes::Reading;
use super::super::{Fields, Located};
use super::bound::{Scope, evaluate, mentions};
use super::{Classes, Key, keys};

pub(super) const WITH: Key =
    Key { name: "with", grid: true, about: "a table of names for expressions; lists are grids" };

/// The names that expressions have of their own.
const RESERVED: [&str; 6] = ["T", "d", "points", "hypotheses", "epsilon", "exp_epsilon"];

/// The names of the key `with` with their expressions.
pub(super) fn with(fields: &mut Fields<'_>) -> Option<Vec<(String, Located<String>)>> {
    let with = if fields.has("with") { fields.expressions("with")? } else { Vec::new() };
    for (name, value) in &with {
        let letter = |c: char| c.is_alphabetic() || c == '_';
        let word =
            name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit());
        if !word || RESERVED.contains(&name.as_str()) {
            let expected = format!("a name in `with` other than {}", RESERVED.join(", "));
            fields.refuse(value.position.clone(), &expected, &format!("`{name}`"));
        }
    }
    Some(with)
}

/// The names in scope: those of `with`, and of a class.
#[derive(Debug, Clone)]
pub(super) struct Names {
    class: Option<Located<String>>,
    reading: Reading,
    with: Vec<(String, Located<String>)>,
    loaded: Option<Arc<Loaded>>,
    limits: Limits,
}

impl Names {
    /// Reads the keys `class` and `with`.
    pub(super) fn parse(fields: &mut Fields<'_>) -> Option<Self> {
        let class = if fields.has(keys::CLASS.name) { Some(fields.text("class")?) } else { None };
        let with = with(fields)?;
        let reading = Reading::parse(fields)?;
        Some(Self { class, reading, with, loaded: None, limits: Limits::default() })
    }

    pub(super) fn load(&mut self, classes: &mut Classes<'_>) {
        self.limits = classes.limits().clone();
        if let Some(class) = &self.class {
            self.loaded = classes.load(class, &self.reading);
        }
    }

    pub(super) fn class(&self) -> Option<&Class> {
        self.loaded.as_ref().map(|loaded| &loaded.class)
    }

    /// The names with their values; `d`, which takes work, only when an expression mentions it.
    pub(super) fn scope<'e>(
        &self,
        mut scope: Scope,
        mut expressions: impl Iterator<Item = &'e Located<String>>,
    ) -> Result<Scope, Error> {
        let wants_dimension = expressions.any(|e| mentions(&e.value, "d"))
            || self.with.iter().any(|(_, e)| mentions(&e.value, "d"));
        if let Some(class) = self.class() {
            scope.insert("points".into(), natural(class.points()));
            scope.insert("hypotheses".into(), natural(class.hypotheses()));
            if wants_dimension {
                let dimension = Solver::new(class, self.limits.clone()).dimension();
                let stopped = dimension.stopped.unwrap_or(Stopped::Elsewhere);
                let dimension = dimension.value().ok_or_else(|| Error::Limit {
                    stopped,
                    message: "a limit was reached before the value of `d` was found".into(),
                    help: "allow more, or write the dimension as a number".into(),
                })?;
                scope.insert("d".into(), i64::from(dimension).into());
            }
        }
        for (name, expression) in &self.with {
            let value = evaluate(expression, &scope)?;
            scope.insert(name.clone(), value);
        }
        Ok(scope)
    }
}

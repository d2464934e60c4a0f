//! What a mechanism sees and releases: its kind and its alphabets.

use std::fmt;

use rustc_hash::FxHashSet;

use littlestone_base::error::{Error, Result};

/// The kind of a mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Definition 1: releases a hypothesis, then sees a labelled example.
    Learner,
    /// Definition 3: sees a point, releases a bit, sees the label.
    Predictor,
    /// Sees a *before* symbol, releases a symbol, sees an *after* symbol.
    Transducer,
    /// Sees all records, then releases one symbol.
    OneShot,
}

impl Kind {
    /// All kinds with the names that scripts and tables use.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Learner, "learner"),
        (Self::Predictor, "predictor"),
        (Self::Transducer, "transducer"),
        (Self::OneShot, "one-shot"),
    ];

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, n)| *n == name).map(|&(kind, _)| kind)
    }

    /// The name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Learner => "learner",
            Self::Predictor => "predictor",
            Self::Transducer => "transducer",
            Self::OneShot => "one-shot",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The kind of a mechanism and the names of its symbols.
///
/// Symbols are indices; a record of a stream is the pair (before, after) and has the index
/// `before * |after| + after`. An alphabet that carries no information has one symbol with the
/// empty name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    kind: Kind,
    points: Vec<String>,
    before: Vec<String>,
    outputs: Vec<String>,
    after: Vec<String>,
}

impl Interface {
    /// A learner over a domain with the given points. Its outputs are the strings of `0` and `1`
    /// with one character for each point.
    ///
    /// # Errors
    /// When names are not distinct and non-empty, or there are none.
    pub fn learner(points: Vec<String>) -> Result<Self> {
        distinct("point", &points)?;
        let after = points.iter().flat_map(|x| [format!("{x}:0"), format!("{x}:1")]).collect();
        Ok(Self { kind: Kind::Learner, before: nothing(), outputs: Vec::new(), after, points })
    }

    /// A predictor over a domain with the given points.
    ///
    /// # Errors
    /// When names are not distinct and non-empty, or there are none.
    pub fn predictor(points: Vec<String>) -> Result<Self> {
        distinct("point", &points)?;
        Ok(Self {
            kind: Kind::Predictor,
            before: points.clone(),
            outputs: bits(),
            after: bits(),
            points,
        })
    }

    /// A transducer with the given alphabets. An empty `before` or `after` stands for a part that
    /// carries no information.
    ///
    /// # Errors
    /// When names of one alphabet are not distinct and non-empty, or there is no output.
    pub fn transducer(
        before: Vec<String>,
        outputs: Vec<String>,
        after: Vec<String>,
    ) -> Result<Self> {
        distinct("output", &outputs)?;
        let before = informative("before", before)?;
        let after = informative("after", after)?;
        Ok(Self { kind: Kind::Transducer, points: Vec::new(), before, outputs, after })
    }

    /// A one-shot mechanism with the given records and outputs.
    ///
    /// # Errors
    /// When names of one alphabet are not distinct and non-empty, or there are none.
    pub fn one_shot(records: Vec<String>, outputs: Vec<String>) -> Result<Self> {
        distinct("record", &records)?;
        distinct("output", &outputs)?;
        Ok(Self {
            kind: Kind::OneShot,
            points: Vec::new(),
            before: nothing(),
            outputs,
            after: records,
        })
    }

    /// The kind of the mechanism.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The names of the points of the domain; empty for transducers and one-shot mechanisms.
    pub fn points(&self) -> &[String] {
        &self.points
    }

    /// The names of the *before* symbols.
    pub fn before(&self) -> &[String] {
        &self.before
    }

    /// The names of the outputs; empty for learners, whose outputs are all labellings of the
    /// domain.
    pub fn outputs(&self) -> &[String] {
        &self.outputs
    }

    /// The names of the *after* symbols.
    pub fn after(&self) -> &[String] {
        &self.after
    }

    /// Whether `output` may be released.
    pub fn allows(&self, output: &str) -> bool {
        match self.kind {
            Kind::Learner => {
                output.len() == self.points.len()
                    && output.bytes().all(|b| matches!(b, b'0' | b'1'))
            }
            _ => self.outputs.iter().any(|o| o == output),
        }
    }

    /// What [`Self::allows`] allows, in words.
    pub fn allowed(&self) -> String {
        match self.kind {
            Kind::Learner => format!("a hypothesis as {} labels 0 or 1", self.points.len()),
            _ => format!("one of the outputs {}", self.outputs.join(", ")),
        }
    }

    /// Number of records: the alphabet of streams.
    pub fn records(&self) -> usize {
        self.before.len() * self.after.len()
    }

    /// The record with the given parts.
    pub fn record(&self, before: usize, after: usize) -> usize {
        before * self.after.len() + after
    }

    /// The (before, after) parts of a record.
    pub fn parts(&self, record: usize) -> (usize, usize) {
        (record / self.after.len(), record % self.after.len())
    }

    /// The name of a record, such as `3:0`; parts that carry no information are left out.
    pub fn record_name(&self, record: usize) -> String {
        let (before, after) = self.parts(record);
        match (self.before[before].as_str(), self.after[after].as_str()) {
            (before, "") => before.to_owned(),
            ("", after) => after.to_owned(),
            (before, after) => format!("{before}:{after}"),
        }
    }

    /// The record of that name.
    pub fn record_index(&self, name: &str) -> Option<usize> {
        (0..self.records()).find(|&record| self.record_name(record) == name)
    }

    /// The labelled example (point, label) of a record of a learner or predictor.
    pub fn example(&self, record: usize) -> Option<(usize, bool)> {
        matches!(self.kind, Kind::Learner | Kind::Predictor)
            .then_some((record / 2, record % 2 == 1))
    }

    /// Whether releasing `output` in a round with that record is a mistake; `None` for kinds that
    /// make none.
    pub fn mistake(&self, output: &str, record: usize) -> Option<bool> {
        let (x, y) = self.example(record)?;
        let place = if self.kind == Kind::Learner { x } else { 0 };
        Some((output.as_bytes().get(place) == Some(&b'1')) != y)
    }
}

fn bits() -> Vec<String> {
    vec!["0".into(), "1".into()]
}

fn nothing() -> Vec<String> {
    vec![String::new()]
}

fn informative(part: &str, names: Vec<String>) -> Result<Vec<String>> {
    if names.is_empty() || names == nothing() {
        return Ok(nothing());
    }
    distinct(&format!("{part} symbol"), &names)?;
    Ok(names)
}

fn distinct(what: &str, names: &[String]) -> Result<()> {
    if names.is_empty() {
        return Err(Error::argument(format!("no {what}, where a mechanism needs at least one")));
    }
    let mut seen = FxHashSet::default();
    for name in names {
        if name.is_empty() {
            return Err(Error::argument(format!("an empty name among the {what}s")));
        }
        if !seen.insert(name) {
            return Err(Error::argument(format!("two {what}s called `{name}`")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn records_of_learners_and_predictors_are_the_same_examples() {
        let points = names(&["a", "3"]);
        let learner = Interface::learner(points.clone()).unwrap();
        let predictor = Interface::predictor(points).unwrap();
        for interface in [&learner, &predictor] {
            let all: Vec<String> =
                (0..interface.records()).map(|r| interface.record_name(r)).collect();
            assert_eq!(all, ["a:0", "a:1", "3:0", "3:1"]);
            assert_eq!(interface.record_index("3:0"), Some(2));
            assert_eq!(interface.example(3), Some((1, true)));
        }
        assert_eq!(learner.mistake("10", 0), Some(true));
        assert_eq!(learner.mistake("10", 2), Some(false));
        assert_eq!(predictor.mistake("1", 2), Some(true));
        assert!(learner.allows("01") && !learner.allows("0") && !learner.allows("02"));
    }

    #[test]
    fn parts_without_information_have_no_name() {
        let mirror =
            Interface::transducer(names(&["0", "1"]), names(&["bottom", "top"]), vec![]).unwrap();
        assert_eq!((mirror.records(), mirror.record_name(1)), (2, "1".into()));
        let both = Interface::transducer(names(&["u"]), names(&["o"]), names(&["p", "q"])).unwrap();
        assert_eq!(both.record_name(1), "u:q");
        let error = Interface::one_shot(names(&["a", "a"]), names(&["o"])).unwrap_err();
        assert_eq!(error.to_string(), "two records called `a`");
        assert!(Interface::transducer(names(&["a", ""]), names(&["o"]), vec![]).is_err());
        assert!(Interface::learner(vec![]).is_err());
    }
}

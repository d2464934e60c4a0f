//! The alphabets of an embedded automaton: what its kind sees and releases.

use std::collections::BTreeMap;

use super::format;
use super::rejection::{Malformed, Rejection};

/// What a mechanism is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Learner,
    Predictor,
    Transducer,
    OneShot,
}

/// The kind of a mechanism and the names of its symbols. A part that carries no information has
/// one symbol with the empty name.
pub(super) struct Alphabets {
    pub(super) kind: Kind,
    pub(super) before: Vec<String>,
    pub(super) after: Vec<String>,
    pub(super) outputs: Vec<String>,
}

impl Alphabets {
    /// The alphabets that an automaton lists.
    pub(super) fn read(file: &format::Automaton) -> Result<Self, Rejection> {
        let kind = match file.kind.as_str() {
            "learner" => Kind::Learner,
            "predictor" => Kind::Predictor,
            "transducer" => Kind::Transducer,
            "one-shot" => Kind::OneShot,
            other => {
                let kinds = "`learner`, `predictor`, `transducer` or `one-shot`";
                let fault = expected(kinds, &format!("`{other}`"));
                return Err(Rejection::malformed("automaton.kind", fault));
            }
        };
        let pointed = matches!(kind, Kind::Learner | Kind::Predictor);
        for (key, list, fits, needed) in [
            ("points", &file.points, pointed, pointed),
            ("before", &file.before, kind == Kind::Transducer, false),
            ("after", &file.after, kind == Kind::Transducer, false),
            ("records", &file.records, kind == Kind::OneShot, kind == Kind::OneShot),
            ("outputs", &file.outputs, kind != Kind::Predictor, kind != Kind::Predictor),
        ] {
            let place = format!("automaton.{key}");
            if !fits && !list.is_empty() {
                let fault = expected(&format!("no such list for a {}", file.kind), "one");
                return Err(Rejection::malformed(place, fault));
            }
            if needed && list.is_empty() {
                return Err(Rejection::malformed(place, expected("at least one name", "none")));
            }
            places(&place, list)?;
        }
        let silent = || vec![String::new()];
        let bits = || vec!["0".to_owned(), "1".to_owned()];
        let or_silent = |list: &Vec<String>| if list.is_empty() { silent() } else { list.clone() };
        let (before, outputs, after) = match kind {
            Kind::Learner => {
                let examples =
                    file.points.iter().flat_map(|x| [format!("{x}:0"), format!("{x}:1")]);
                (silent(), file.outputs.clone(), examples.collect())
            }
            Kind::Predictor => (file.points.clone(), bits(), bits()),
            Kind::Transducer => {
                (or_silent(&file.before), file.outputs.clone(), or_silent(&file.after))
            }
            Kind::OneShot => (silent(), file.outputs.clone(), file.records.clone()),
        };
        let labels = |h: &String| {
            h.len() == file.points.len() && h.bytes().all(|label| matches!(label, b'0' | b'1'))
        };
        if kind == Kind::Learner
            && let Some(i) = outputs.iter().position(|h| !labels(h))
        {
            let form = format!("{} labels 0 or 1", file.points.len());
            let fault = expected(&form, &format!("`{}`", outputs[i]));
            return Err(Rejection::malformed(format!("automaton.outputs[{i}]"), fault));
        }
        Ok(Self { kind, before, after, outputs })
    }

    /// The names of the records; parts that carry no information are left out.
    pub(super) fn records(&self) -> Result<Vec<String>, Rejection> {
        let name = |before: &String, after: &String| match (before.as_str(), after.as_str()) {
            (before, "") => before.to_owned(),
            ("", after) => after.to_owned(),
            (before, after) => format!("{before}:{after}"),
        };
        let records: Vec<String> =
            self.before.iter().flat_map(|b| self.after.iter().map(move |a| name(b, a))).collect();
        places("automaton: records", &records)?;
        Ok(records)
    }
}

/// The place of each name; a name that stands twice is an error.
pub(super) fn places<'n>(
    place: &str,
    names: impl IntoIterator<Item = &'n String>,
) -> Result<BTreeMap<&'n str, usize>, Rejection> {
    let mut places = BTreeMap::new();
    for (i, name) in names.into_iter().enumerate() {
        if let Some(first) = places.insert(name.as_str(), i) {
            let fault = Malformed::Repeated { first: format!("{place}[{first}]") };
            return Err(Rejection::malformed(format!("{place}[{i}]"), fault));
        }
    }
    Ok(places)
}

/// The fault of something other than what was expected.
pub(super) fn expected(expected: &str, found: &str) -> Malformed {
    Malformed::Expected { expected: expected.to_owned(), found: found.to_owned() }
}

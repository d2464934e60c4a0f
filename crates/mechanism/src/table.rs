//! Automata as JSON: what `compile` prints, and what programs in other languages can generate.
//!
//! The format is described by `docs/schemas/mechanism.schema.json`. Weights are exact expressions
//! in strings (`"1/4"`, `"exp(1/2)/4"`). Reading checks everything: that laws sum to 1, that every
//! symbol and state is known, and that no stream leads to a missing row.

use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::FxHashMap;

use super::automaton::{Automaton, Response, Row, Weighted};
use super::{Interface, Kind, Law, expression};
use littlestone_base::error::the_nearest;
use littlestone_base::error::{Error, Position, Result};
use littlestone_base::file;
use littlestone_base::text::in_json;
use littlestone_checker::format::{self, End, Laws, Release, State, Step};
use littlestone_exact::Number;

/// The version of the format.
const FORMAT: u64 = 1;

/// Writes an automaton as JSON with sorted keys and a final line break.
pub fn write(automaton: &Automaton) -> String {
    let interface = automaton.interface();
    let kind = interface.kind();
    let name = |state: usize| automaton.states()[state].clone();
    let output = |output: usize| automaton.outputs()[output].clone();
    let step = |(to, weight): &(usize, Number)| Step { to: name(*to), weight: weight.to_string() };
    let states = automaton.rows().iter().zip(automaton.states()).map(|(row, state)| {
        let respond = interface.before().iter().zip(&row.respond).map(|(before, law)| {
            let law = law.iter().map(|r| Release {
                output: output(r.output),
                to: name(r.next),
                weight: r.weight.to_string(),
            });
            (before.clone(), law.collect())
        });
        let observe = interface.after().iter().zip(&row.observe);
        let observe = observe.map(|(after, law)| (after.clone(), law.iter().map(step).collect()));
        State {
            finish: row
                .finish
                .iter()
                .map(|(o, weight)| End { output: output(*o), weight: weight.to_string() })
                .collect(),
            name: state.clone(),
            observe: Laws(observe.collect()),
            respond: Laws(respond.collect()),
        }
    });
    let alphabet = |names: &[String], of: Kind| {
        if kind == of && names != [String::new()] { names.to_vec() } else { Vec::new() }
    };
    let file = format::Automaton {
        after: alphabet(interface.after(), Kind::Transducer),
        before: alphabet(interface.before(), Kind::Transducer),
        format: FORMAT,
        kind: kind.name().to_owned(),
        outputs: if kind == Kind::Predictor { Vec::new() } else { automaton.outputs().to_vec() },
        points: interface.points().to_vec(),
        records: alphabet(interface.after(), Kind::OneShot),
        rounds: automaton.rounds(),
        start: automaton.start().iter().map(step).collect(),
        states: states.collect(),
    };
    let text = serde_json::to_string_pretty(&file).expect("strings and numbers serialise");
    format!("{}\n", in_json(&text))
}

/// Reads an automaton from a file.
///
/// # Errors
/// When the file cannot be read, or [`parse`] refuses it.
pub fn read(path: &Path) -> Result<Automaton> {
    let text = file::read_text(path, file::MAX_DATA_BYTES)?;
    parse(&path.display().to_string(), &text)
}

/// Reads an automaton from JSON; `name` stands for the file in messages.
///
/// # Errors
/// When the text is not JSON of this format, a law does not sum to 1, a symbol or state is
/// unknown, or a stream leads to a row that is missing.
pub fn parse(name: &str, text: &str) -> Result<Automaton> {
    let file: format::Automaton = serde_json::from_str(text).map_err(|e| {
        let full = e.to_string();
        let found = full.rfind(" at line ").map_or(full.as_str(), |end| &full[..end]);
        let position = Position::at(name, e.line(), e.column());
        Error::malformed(position, "an automaton in JSON", found)
    })?;
    Reader { name, places: FxHashMap::default(), outputs: Vec::new() }.automaton(file)
}

struct Reader<'t> {
    name: &'t str,
    places: FxHashMap<String, usize>,
    outputs: Vec<String>,
}

impl Reader<'_> {
    fn automaton(mut self, file: format::Automaton) -> Result<Automaton> {
        if file.format != FORMAT {
            let found = file.format.to_string();
            return Err(self.fault("format", format!("the version {FORMAT}"), found));
        }
        let interface = self.interface(&file)?;
        self.outputs = match interface.kind() {
            Kind::Learner => file.outputs.clone(),
            _ => interface.outputs().to_vec(),
        };
        for (i, output) in self.outputs.iter().enumerate() {
            if !interface.allows(output) || self.outputs[..i].contains(output) {
                let found = format!("`{output}`");
                let expected = format!("{}, once", interface.allowed());
                return Err(self.fault(&format!("outputs[{i}]"), expected, found));
            }
        }
        for (i, state) in file.states.iter().enumerate() {
            if self.places.insert(state.name.clone(), i).is_some() {
                let found = format!("`{}` twice", state.name);
                return Err(self.fault(&format!("states[{i}].name"), "distinct names", found));
            }
        }
        let start = self.steps("start", &file.start)?;
        let mut rows = Vec::with_capacity(file.states.len());
        for (i, state) in file.states.iter().enumerate() {
            rows.push(self.row(&format!("states[{i}]"), state, &interface)?);
        }
        let automaton = Automaton {
            interface,
            rounds: file.rounds,
            outputs: self.outputs,
            states: file.states.into_iter().map(|state| state.name).collect(),
            start,
            rows,
        };
        complete(self.name, &automaton)?;
        automaton.check_exponents()?;
        Ok(automaton)
    }

    fn interface(&self, file: &format::Automaton) -> Result<Interface> {
        let Some(kind) = Kind::parse(&file.kind) else {
            let names = Kind::ALL.map(|(_, name)| format!("`{name}`")).join(", ");
            return Err(self.fault("kind", format!("one of {names}"), format!("`{}`", file.kind)));
        };
        let alphabets = [
            ("points", &file.points, matches!(kind, Kind::Learner | Kind::Predictor)),
            ("before", &file.before, kind == Kind::Transducer),
            ("after", &file.after, kind == Kind::Transducer),
            ("records", &file.records, kind == Kind::OneShot),
            ("outputs", &file.outputs, kind != Kind::Predictor),
        ];
        if let Some((key, ..)) = alphabets.iter().find(|(_, list, fits)| !fits && !list.is_empty())
        {
            return Err(self.fault(key, format!("a key that a {kind} has"), format!("`{key}`")));
        }
        let interface = match kind {
            Kind::Learner => Interface::learner(file.points.clone()),
            Kind::Predictor => Interface::predictor(file.points.clone()),
            Kind::Transducer => {
                Interface::transducer(file.before.clone(), file.outputs.clone(), file.after.clone())
            }
            Kind::OneShot => Interface::one_shot(file.records.clone(), file.outputs.clone()),
        };
        interface
            .map_err(|e| Error::malformed(Position::whole(self.name), "alphabets", e.to_string()))
    }

    fn row(&mut self, path: &str, state: &State, interface: &Interface) -> Result<Row> {
        let mut respond = Vec::new();
        if !state.respond.is_empty() {
            let rows =
                self.by_symbol(&format!("{path}.respond"), &state.respond, interface.before())?;
            for (path, law) in rows {
                let mut row = Vec::with_capacity(law.len());
                for (i, release) in law.iter().enumerate() {
                    let path = format!("{path}[{i}]");
                    let output = self.output(&path, &release.output, interface)?;
                    let next = self.state(&path, &release.to)?;
                    row.push(((output, next), self.weight(&path, &release.weight)?));
                }
                let row = self.law(&path, row)?.into_iter();
                respond.push(
                    row.map(|((output, next), weight)| Response { output, next, weight }).collect(),
                );
            }
        }
        let mut observe = Vec::new();
        if !state.observe.is_empty() {
            let rows =
                self.by_symbol(&format!("{path}.observe"), &state.observe, interface.after())?;
            for (path, law) in rows {
                observe.push(self.steps(&path, law)?);
            }
        }
        let mut finish = Vec::new();
        if !state.finish.is_empty() {
            let path = format!("{path}.finish");
            for (i, end) in state.finish.iter().enumerate() {
                let path = format!("{path}[{i}]");
                let output = self.output(&path, &end.output, interface)?;
                finish.push((output, self.weight(&path, &end.weight)?));
            }
            finish = self.law(&path, finish)?;
        }
        Ok(Row { respond, observe, finish })
    }

    /// The laws in the order of the alphabet, each with its path.
    fn by_symbol<'r, T>(
        &self,
        path: &str,
        rows: &'r Laws<T>,
        alphabet: &[String],
    ) -> Result<Vec<(String, &'r [T])>> {
        if let Some(symbol) = rows.0.keys().find(|symbol| !alphabet.contains(symbol)) {
            let near = the_nearest(symbol, alphabet.iter().map(String::as_str));
            let found = format!("`{symbol}`{near}");
            return Err(self.fault(path, format!("the symbols {}", alphabet.join(", ")), found));
        }
        alphabet
            .iter()
            .map(|symbol| match rows.0.get(symbol) {
                Some(law) => Ok((format!("{path}.{symbol:?}"), law.as_slice())),
                None => Err(self.fault(path, format!("a law for `{symbol}`"), "none")),
            })
            .collect()
    }

    fn steps(&self, path: &str, law: &[Step]) -> Result<Weighted> {
        let mut row = Vec::with_capacity(law.len());
        for (i, step) in law.iter().enumerate() {
            let path = format!("{path}[{i}]");
            row.push((self.state(&path, &step.to)?, self.weight(&path, &step.weight)?));
        }
        self.law(path, row)
    }

    fn law<T: Clone + Eq + std::hash::Hash>(
        &self,
        path: &str,
        row: Vec<(T, Number)>,
    ) -> Result<Vec<(T, Number)>> {
        Ok(Law::new(format_args!("{}: {path}", self.name), row)?.into_vec())
    }

    fn state(&self, path: &str, name: &str) -> Result<usize> {
        self.places.get(name).copied().ok_or_else(|| {
            let near = the_nearest(name, self.places.keys().map(String::as_str));
            self.fault(&format!("{path}.to"), "the name of a state", format!("`{name}`{near}"))
        })
    }

    fn output(&mut self, path: &str, name: &str, interface: &Interface) -> Result<usize> {
        if let Some(output) = self.outputs.iter().position(|output| output == name) {
            return Ok(output);
        }
        if interface.kind() == Kind::Learner && interface.allows(name) {
            self.outputs.push(name.to_owned());
            return Ok(self.outputs.len() - 1);
        }
        Err(self.fault(&format!("{path}.output"), interface.allowed(), format!("`{name}`")))
    }

    fn weight(&self, path: &str, text: &str) -> Result<Number> {
        expression::evaluate(text, &BTreeMap::new())
            .map_err(|e| self.fault(&format!("{path}.weight"), "an exact number", e.to_string()))
    }

    fn fault(&self, path: &str, expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error::malformed(Position::whole(format!("{}: {path}", self.name)), expected, found)
    }
}

/// Checks that every question that a stream can lead to has an answer.
fn complete(name: &str, automaton: &Automaton) -> Result<()> {
    let one_shot = automaton.interface().kind() == Kind::OneShot;
    let states = automaton.len();
    let missing = |state: usize, what: &str| {
        let position = Position::whole(format!("{name}: states[{state}]"));
        let state = &automaton.states()[state];
        Err(Error::malformed(
            position,
            format!("`{what}` for the state `{state}`, which streams reach"),
            "none",
        ))
    };
    let mut asked = [vec![false; states], vec![false; states]];
    let mut level: Vec<usize> = automaton.start().iter().map(|&(state, _)| state).collect();
    let mut round = 0;
    while !level.is_empty() && automaton.rounds().is_none_or(|limit| round < limit) {
        let mut pending = Vec::new();
        for state in level {
            if std::mem::replace(&mut asked[0][state], true) {
                continue;
            }
            if one_shot {
                pending.push(state);
                continue;
            }
            let row = &automaton.rows()[state];
            if row.respond.is_empty() {
                return missing(state, "respond");
            }
            pending.extend(row.respond.iter().flatten().map(|response| response.next));
        }
        let mut next = Vec::new();
        for state in pending {
            if std::mem::replace(&mut asked[1][state], true) {
                continue;
            }
            let row = &automaton.rows()[state];
            if row.observe.is_empty() {
                return missing(state, "observe");
            }
            next.extend(row.observe.iter().flatten().map(|&(to, _)| to));
        }
        level = next;
        round += 1;
    }
    if one_shot && automaton.rounds().is_none() {
        let reached = (0..states).filter(|&state| asked[0][state]);
        for state in reached {
            if automaton.finish(state).is_empty() {
                return missing(state, "finish");
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Options, compile};
    use super::*;

    /// A fixed point of a learner: its table lists outputs in order of discovery, and compiling
    /// the table again gives the same automaton.
    #[test]
    fn compiling_a_table_changes_nothing() {
        let text = r#"{
            "format": 1, "kind": "learner", "points": ["a", "b"],
            "start": [{ "to": "s", "weight": "1" }],
            "states": [{
                "name": "s",
                "respond": { "": [{ "output": "10", "to": "s", "weight": "1/3" },
                                  { "output": "01", "to": "s", "weight": "2/3" }] },
                "observe": { "a:0": [{ "to": "s", "weight": "1" }],
                             "a:1": [{ "to": "s", "weight": "1" }],
                             "b:0": [{ "to": "s", "weight": "1" }],
                             "b:1": [{ "to": "s", "weight": "1" }] }
            }]
        }"#;
        let automaton = parse("t", text).unwrap();
        assert_eq!(automaton.outputs(), ["10", "01"]);
        assert_eq!(compile(&automaton, &Options::closed(10)).unwrap(), automaton);
        let error = parse("t", &text.replace("\"10\"", "\"1\"")).unwrap_err().to_string();
        assert!(error.contains("a hypothesis as 2 labels 0 or 1, found `1`"), "{error}");
    }
}

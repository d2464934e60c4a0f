//! Monitors: statements about single runs, written as scripts.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use super::labels::Labels;
use super::program::Program;
use super::value::Value;
use super::{Declared, Tools, parameters};
use crate::spec::{Argument, Arguments};
use crate::{Interface, Kind, Output};
use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::Limits;

/// A deterministic script that watches a run of a mechanism, round by round.
///
/// | function | meaning |
/// | --- | --- |
/// | `start()` | what it remembers before round 1 |
/// | `step(memory, round, before, output, after)` | what it remembers after a round |
/// | `ok(memory, round)` | whether the statement is true so far |
/// | `witness(memory, round)`, optional | whether the run has come to where the statement says something, or the names of what happened there |
///
/// Rounds are counted from 1; where every number of rounds is looked at, the round is `()`. For a
/// predictor, `before` is the name of the point, and `output` and
/// `after` are the bits 0 and 1; for a learner `before` is `()`, `output` the labels
/// and `after` the example `[x, y]`. Symbols of another alphabet are integers if all of its names
/// are, and otherwise strings; a part that carries no information is `()`.
pub struct Monitor {
    program: Program,
    witnesses: bool,
    before: Vec<Value>,
    outputs: Vec<Value>,
    after: Vec<Value>,
}

/// What a monitor remembers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Memory(Value);

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Monitor {
    /// The monitor given by a text, for runs of a mechanism with that interface and those outputs;
    /// `name` stands for the file in messages. The text may ask for each of the `values` by
    /// `param("name")`.
    ///
    /// # Errors
    /// When the text is not a script, a function is missing, or it asks for an unknown value. A limit is noticed
    /// here and in every step.
    pub fn new(
        name: &str,
        text: &str,
        tools: Option<&Rc<Tools>>,
        values: &BTreeMap<String, String>,
        interface: &Interface,
        outputs: &[Output],
        limits: &Limits,
    ) -> Result<Self> {
        let arguments: Arguments = values
            .iter()
            .map(|(name, value)| (name.clone(), Argument::Text(value.clone())))
            .collect();
        let program = Program::new(name, text, tools, &arguments, limits)?;
        program.require("start", &[])?;
        program.require("step", &["memory", "round", "before", "output", "after"])?;
        program.require("ok", &["memory", "round"])?;
        let witnesses = program.has("witness");
        if witnesses {
            program.require("witness", &["memory", "round"])?;
        }
        let asked = parameters::declared(name, text)?;
        let unknown = |d: &&Declared| d.required && !values.contains_key(&d.name);
        if let Some(unknown) = asked.iter().find(unknown) {
            let known: Vec<&str> = values.keys().map(String::as_str).collect();
            return Err(Error::argument(format!(
                "the monitor asks for `{}`; there are {}",
                unknown.name,
                known.join(", ")
            )));
        }
        let kind = interface.kind();
        let symbols = |names: &[String]| match kind {
            Kind::Learner => names.iter().map(|name| hypothesis(name)).collect(),
            _ => named(names),
        };
        let before = match kind {
            Kind::Predictor => interface.points().iter().cloned().map(Value::Text).collect(),
            _ => symbols(interface.before()),
        };
        let after = match kind {
            Kind::Learner => {
                let points = interface.points().iter();
                let example =
                    |x: &String, y| Value::List(vec![Value::Text(x.clone()), Value::Integer(y)]);
                points.flat_map(|x| [example(x, 0), example(x, 1)]).collect()
            }
            _ => symbols(interface.after()),
        };
        let outputs = symbols(outputs);
        Ok(Self { program, witnesses, before, outputs, after })
    }

    /// Whether the monitor says where its statement says something.
    pub fn has_witness(&self) -> bool {
        self.witnesses
    }

    /// What it remembers before round 1.
    ///
    /// # Errors
    /// When the script fails.
    pub fn start(&self) -> Result<Memory> {
        self.program.certain("start", &[]).map(Memory)
    }

    /// What it remembers after a round; the symbols are indices as in the automaton.
    ///
    /// # Errors
    /// When the script fails.
    pub fn step(
        &self,
        memory: &Memory,
        round: impl Into<Option<usize>>,
        symbols: [usize; 3],
    ) -> Result<Memory> {
        self.step_of(memory, round, symbols.map(Some))
    }

    /// What it remembers after a part of a run that may lack a symbol, which is `()` then: a record
    /// of a one-shot mechanism, or its answer.
    ///
    /// # Errors
    /// When the script fails.
    pub fn step_of(
        &self,
        memory: &Memory,
        round: impl Into<Option<usize>>,
        [before, output, after]: [Option<usize>; 3],
    ) -> Result<Memory> {
        let of = |names: &[Value], symbol: Option<usize>| {
            symbol.map_or(Value::Unit, |symbol| names[symbol].clone())
        };
        let (before, after) = (of(&self.before, before), of(&self.after, after));
        let arguments = [memory.0.clone(), number(round), before, of(&self.outputs, output), after];
        let next = self.program.certain("step", &arguments)?;
        self.program.next("step", Some(&memory.0), next).map(Memory)
    }

    /// Whether the statement is true after `round` rounds.
    ///
    /// # Errors
    /// When the script fails or answers with something else than a truth value.
    pub fn ok(&self, memory: &Memory, round: impl Into<Option<usize>>) -> Result<bool> {
        self.truth("ok", memory, round)
    }

    /// Whether the statement says something after `round` rounds; always, if the monitor does not
    /// tell.
    ///
    /// # Errors
    /// When the script fails or answers with something else than a truth value.
    pub fn witness(&self, memory: &Memory, round: impl Into<Option<usize>>) -> Result<bool> {
        self.events(memory, round).map(|events| events.is_some())
    }

    /// The names of what happened, where the statement says something after `round` rounds: none if
    /// the monitor does not name them, and `None` where it says nothing.
    ///
    /// # Errors
    /// When the script fails, or answers with something else than a truth value or a list of names.
    pub fn events(
        &self,
        memory: &Memory,
        round: impl Into<Option<usize>>,
    ) -> Result<Option<Vec<String>>> {
        if !self.witnesses {
            return Ok(Some(Vec::new()));
        }
        let found = self.program.certain("witness", &[memory.0.clone(), number(round)])?;
        let names = |list: &[Value]| -> Option<Vec<String>> {
            let name = |item: &Value| match item {
                Value::Text(name) => Some(name.clone()),
                _ => None,
            };
            list.iter().map(name).collect()
        };
        match &found {
            Value::Bool(says) => Ok(says.then(Vec::new)),
            Value::List(list) if names(list).is_some() => {
                Ok(names(list).filter(|names| !names.is_empty()))
            }
            other => {
                let position = self.program.text.function("witness");
                let expected = "`true`, `false` or a list of names";
                Err(Error::malformed(position, expected, other.to_string()))
            }
        }
    }

    fn truth(
        &self,
        function: &str,
        memory: &Memory,
        round: impl Into<Option<usize>>,
    ) -> Result<bool> {
        match self.program.certain(function, &[memory.0.clone(), number(round)])? {
            Value::Bool(value) => Ok(value),
            other => {
                let position = self.program.text.function(function);
                Err(Error::malformed(position, "`true` or `false`", other.to_string()))
            }
        }
    }
}

impl fmt::Debug for Monitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Monitor").field("name", &self.program.text.name).finish_non_exhaustive()
    }
}

fn number(round: impl Into<Option<usize>>) -> Value {
    round
        .into()
        .map_or(Value::Unit, |round| Value::Integer(i64::try_from(round).unwrap_or(i64::MAX)))
}

/// A released hypothesis by its name; a part that carries no information has none.
fn hypothesis(name: &str) -> Value {
    match Labels::parse(name) {
        _ if name.is_empty() => Value::Unit,
        Some(labels) => Value::Labels(labels),
        None => Value::Text(name.to_owned()),
    }
}

/// The symbols of an alphabet by their names: all integers if all names are, so that they compare.
fn named(names: &[String]) -> Vec<Value> {
    let integer = |name: &str| name.parse::<i64>().ok().filter(|n| n.to_string() == name);
    let integers = names.iter().all(|name| name.is_empty() || integer(name).is_some());
    let symbol = |name: &String| match integer(name) {
        _ if name.is_empty() => Value::Unit,
        Some(n) if integers => Value::Integer(n),
        _ => Value::Text(name.clone()),
    };
    names.iter().map(symbol).collect()
}

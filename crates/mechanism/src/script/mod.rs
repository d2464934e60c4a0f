//! Mechanisms written as Rhai scripts.
//!
//! The functions of a script are the steps of the mechanism, and its state is plain data. A step
//! is run once for every sequence of random choices, so its law is exact. The manual
//! (`docs/mechanisms.md`) has the functions of each kind, the helpers and examples.

mod arithmetic;
mod compare;
mod fault;
mod helpers;
mod host;
mod interpreter;
mod labels;
mod lists;
mod monitor;
mod parameters;
mod program;
mod shape;
mod tools;
mod value;

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::Hash;
use std::path::Path;
use std::rc::Rc;

use rhai::Dynamic;

use self::host::Answer;
#[cfg(test)]
use self::host::HELPERS;
pub use self::monitor::{Memory, Monitor};
pub use self::parameters::Declared;
use self::program::Program;
pub use self::tools::Tools;
use self::value::Value;
use super::spec::Argument;
use super::{Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};
use littlestone_base::file;
use littlestone_exact::Number;
use littlestone_exact::limits::Limits;

/// Operations that one run of a step may take.
const OPERATIONS: u64 = 1_000_000;
/// Operations that all runs of a step may take together.
const STEP: u64 = 100_000_000;
/// Calls that may be nested.
const CALLS: usize = 24;
/// Expressions that may be nested.
const DEPTH: usize = 32;
/// Entries of an array or map, and characters of a string.
const SIZE: usize = 100_000;
/// Sequences of choices of one step.
const PATHS: usize = 1 << 16;

/// Where a `()` that nobody asked for comes from.
const UNASKED: &str =
    " (an `if` without `else`, and a function that ends with an assignment or a loop, give `()`)";

/// A mechanism given by a script.
pub struct Script {
    program: Program,
    interface: Interface,
    /// The symbols as the script knows them, for transducers and one-shot mechanisms.
    before: Vec<Value>,
    after: Vec<Value>,
    /// Whether the *before* part of a round is an argument of `observe`.
    remembers: bool,
    /// Whether there is a function `observe`.
    observes: bool,
}

/// What a script remembers: its data and, within a round, the *before* part it has seen.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    data: Value,
    before: Option<usize>,
}

impl Script {
    /// Reads a script from a file. Its steps ask the limits whether they may go on.
    ///
    /// # Errors
    /// When the file cannot be read or [`Script::new`] refuses it.
    pub fn read(
        path: &Path,
        tools: Option<&Rc<Tools>>,
        arguments: &BTreeMap<String, Argument>,
        limits: &Limits,
    ) -> Result<Self> {
        let text = file::read_text(path, file::MAX_TEXT_BYTES)?;
        Self::within(&path.display().to_string(), &text, tools, arguments, limits)
    }

    /// A mechanism from the text of a script; `name` stands for the file in messages. Learners
    /// and predictors need a class, which gives them their domain.
    ///
    /// # Errors
    /// When the text is not a script, a function is missing, or the arguments are not the
    /// parameters of the script.
    pub fn new(
        name: &str,
        text: &str,
        tools: Option<&Rc<Tools>>,
        arguments: &BTreeMap<String, Argument>,
    ) -> Result<Self> {
        Self::within(name, text, tools, arguments, &Limits::default())
    }

    pub(crate) fn within(
        name: &str,
        text: &str,
        tools: Option<&Rc<Tools>>,
        arguments: &BTreeMap<String, Argument>,
        limits: &Limits,
    ) -> Result<Self> {
        let program = Program::new(name, text, tools, arguments, limits)?;
        shape::check_arguments(&program.text, arguments)?;
        let mut script = Self {
            program,
            interface: Interface::one_shot(vec!["-".into()], vec!["-".into()])?,
            before: Vec::new(),
            after: Vec::new(),
            remembers: false,
            observes: true,
        };
        script.describe_itself(tools)?;
        Ok(script)
    }

    /// The parameters that the text of a script declares by calling `param`.
    ///
    /// # Errors
    /// When the name of a parameter is computed.
    pub fn parameters(name: &str, text: &str) -> Result<Vec<Declared>> {
        parameters::declared(name, text)
    }

    /// The law of the result of a function: one run for every sequence of choices.
    fn law<T: Clone + Eq + Hash>(
        &self,
        function: &str,
        arguments: &[Value],
        read: impl Fn(Dynamic) -> Result<T>,
    ) -> Result<Law<T>> {
        let mut weights: Vec<(T, Number)> = Vec::new();
        self.program.host.begin(true);
        for _ in 0..PATHS {
            self.program
                .host
                .check()
                .map_err(|stopped| self.program.text.halted(function, stopped))?;
            let arguments = arguments.iter().map(Value::to_dynamic).collect();
            let result = read(self.program.call(function, arguments)?)?;
            let weight = self.program.host.weight().map_err(|found| {
                Error::malformed(
                    self.program.text.function(function),
                    "probabilities within limits",
                    found,
                )
            })?;
            weights.push((result, weight));
            if !self.program.host.advance() {
                return Law::new(format_args!("{}: {function}", self.program.text.name), weights);
            }
        }
        let bound = format!("{PATHS} sequences of choices");
        Err(fault::too_long(&self.program.text.function(function), &bound))
    }

    /// The name of a released value; a hypothesis may be a string or a list of labels.
    fn output(&self, function: &str, result: Dynamic) -> Result<Output> {
        let value = self.program.data(function, result)?;
        let name = match (self.interface.kind(), &value) {
            (Kind::Learner, Value::List(labels)) => {
                let label = |v: &Value| v.bit().map(|bit| if bit { '1' } else { '0' });
                labels.iter().map(label).collect::<Option<String>>()
            }
            (Kind::Predictor, value) => value.bit().map(|bit| u8::from(bit).to_string()),
            (_, value) => Some(value.symbol()),
        };
        name.filter(|name| self.interface.allows(name)).ok_or_else(|| {
            let position = self.program.text.function(function);
            let hint = if value == Value::Unit { UNASKED } else { "" };
            let expected = format!("{}{hint}", self.interface.allowed());
            Error::malformed(position, expected, format!("`{value}`"))
        })
    }

    fn example(&self, after: usize) -> [Value; 2] {
        let label = i64::from(after % 2 == 1);
        [self.before[after / 2].clone(), Value::Integer(label)]
    }
}

impl Mechanism for Script {
    type State = State;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<State>> {
        let first = RefCell::new(None);
        self.law("start", &[], |result| {
            let data = self.program.data("start", result)?;
            let data = self.program.next("start", first.borrow().as_ref(), data)?;
            first.borrow_mut().get_or_insert(data.clone());
            Ok(State { data, before: None })
        })
    }

    fn respond(&self, state: &State, before: usize) -> Result<Law<(Output, State)>> {
        let function = match self.interface.kind() {
            Kind::Learner => "release",
            Kind::Predictor => "predict",
            Kind::Transducer => "respond",
            Kind::OneShot => {
                return Err(Error::argument("a one-shot mechanism does not respond in rounds"));
            }
        };
        let mut arguments = vec![state.data.clone()];
        if self.interface.kind() != Kind::Learner && !self.before.is_empty() {
            arguments.push(self.before[before].clone());
        }
        let remembered = self.remembers.then_some(before);
        self.law(function, &arguments, |result| {
            let (output, data) = match result.clone().try_cast::<Answer>() {
                Some(answer) => {
                    let next = self.program.data(function, answer.state)?;
                    (answer.output, self.program.next(function, Some(&state.data), next)?)
                }
                None => (result, state.data.clone()),
            };
            Ok((self.output(function, output)?, State { data, before: remembered }))
        })
    }

    fn observe(&self, state: &State, after: usize) -> Result<Law<State>> {
        if !self.observes {
            return Ok(Law::certain(State { data: state.data.clone(), before: None }));
        }
        let mut arguments = vec![state.data.clone()];
        match self.interface.kind() {
            Kind::Learner => arguments.extend(self.example(after)),
            Kind::Predictor => {
                arguments.extend(state.before.map(|x| self.before[x].clone()));
                arguments.push(Value::Integer(i64::from(after == 1)));
            }
            Kind::Transducer | Kind::OneShot => {
                arguments.extend(state.before.map(|symbol| self.before[symbol].clone()));
                arguments.extend(self.after.get(after).cloned());
            }
        }
        self.law("observe", &arguments, |result| {
            let data = self.program.data("observe", result)?;
            let data = self.program.next("observe", Some(&state.data), data)?;
            Ok(State { data, before: None })
        })
    }

    fn finish(&self, state: &State) -> Result<Law<Output>> {
        if self.interface.kind() != Kind::OneShot {
            return Err(Error::argument("only a one-shot mechanism has an output at the end"));
        }
        self.law("finish", std::slice::from_ref(&state.data), |result| {
            self.output("finish", result)
        })
    }

    fn describe(&self, state: &State) -> String {
        match state.before {
            None => state.data.to_string(),
            Some(before) => format!("{} after {}", state.data, self.before[before].symbol()),
        }
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script")
            .field("name", &self.program.text.name)
            .field("interface", &self.interface)
            .finish_non_exhaustive()
    }
}

//! Mechanisms written as Rhai scripts.
//!
//! The functions of a script are the steps of the mechanism, and its state is plain data. A step
//! is run once for every sequence of random choices, so its law is exact. The manual
//! (`docs/mechanisms.md`) has the functions of each kind, the helpers and examples.

mod arithmetic;
mod fault;
mod helpers;
mod host;
mod parameters;
mod tools;
mod value;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::hash::Hash;
use std::path::Path;
use std::rc::Rc;

use rhai::packages::{
    BasicArrayPackage, BasicMapPackage, BasicMathPackage, CorePackage, LogicPackage,
    MoreStringPackage, Package,
};
use rhai::{AST, CallFnOptions, Dynamic, Engine, Scope};

use self::fault::Text;
use self::host::{Answer, Host};
#[cfg(test)]
use self::host::HELPERS;
use self::value::Value;
pub use self::parameters::Declared;
pub use self::tools::Tools;
use super::spec::Argument;
use super::{Interface, Kind, Law, Mechanism, Output};
use crate::error::{Error, Result};
use crate::exact::Number;

/// Operations that one run of a step may take.
const OPERATIONS: u64 = 1_000_000;
/// Calls that may be nested.
const CALLS: usize = 24;
/// Expressions that may be nested.
const DEPTH: usize = 32;
/// Entries of an array or map, and characters of a string.
const SIZE: usize = 100_000;
/// Sequences of choices of one step.
const PATHS: usize = 100_000;

/// A mechanism given by a script.
pub struct Script {
    engine: Engine,
    ast: AST,
    host: Rc<Host>,
    text: Text,
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
    /// Reads a script from a file.
    ///
    /// # Errors
    /// When the file cannot be read or [`Script::new`] refuses it.
    pub fn read(
        path: &Path,
        tools: Option<&Rc<Tools>>,
        arguments: &BTreeMap<String, Argument>,
    ) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|e| Error::file(path, &e))?;
        Self::new(&path.display().to_string(), &text, tools, arguments)
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
        let mut source =
            Text { name: name.to_owned(), text: text.to_owned(), functions: Vec::new() };
        let host = Host::new(arguments.clone());
        let engine = engine(&host, tools);
        let ast = engine.compile(text).map_err(|e| source.unparsed(&e))?;
        source.functions = ast.iter_functions().map(|f| f.name.to_owned()).collect();
        check_arguments(&source, arguments)?;
        let mut script = Self {
            engine,
            ast,
            host,
            text: source,
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

    /// Finds out the kind and the alphabets, and checks that the functions of the kind are there.
    fn describe_itself(&mut self, tools: Option<&Rc<Tools>>) -> Result<()> {
        self.require("kind", &[])?;
        let kind = match self.once("kind")? {
            Value::Text(name) => Kind::parse(&name).ok_or(format!("{name:?}")),
            other => Err(other.to_string()),
        };
        let kind = kind.map_err(|found| {
            let names = Kind::ALL.map(|(_, name)| format!("{name:?}")).join(", ");
            Error::malformed(self.text.function("kind"), format!("one of {names}"), found)
        })?;
        self.require("start", &[])?;
        if matches!(kind, Kind::Learner | Kind::Predictor) {
            let Some(tools) = tools else {
                let expected = format!("a class for this {kind} (--class)");
                return Err(Error::malformed(self.text.function("kind"), expected, "none"));
            };
            let points = tools.class().point_names().to_vec();
            self.before = points.iter().cloned().map(Value::Text).collect();
            if kind == Kind::Learner {
                self.interface = Interface::learner(points)?;
                self.require("release", &["state"])?;
            } else {
                self.interface = Interface::predictor(points)?;
                self.require("predict", &["state", "x"])?;
                self.remembers = true;
            }
            return self.require("observe", &["state", "x", "y"]);
        }
        self.read_alphabet(kind)
    }

    fn read_alphabet(&mut self, kind: Kind) -> Result<()> {
        self.require("alphabet", &[])?;
        let fault = |expected: &str, found: String| {
            Error::malformed(self.text.function("alphabet"), expected, found)
        };
        let Value::Map(mut parts) = self.once("alphabet")? else {
            return Err(fault("a map of lists, such as #{ before: [0, 1] }", "other data".into()));
        };
        let mut part = |name: &str| match parts.remove(name) {
            None => Ok(Vec::new()),
            Some(Value::List(symbols)) => Ok(symbols),
            Some(other) => Err(fault(&format!("a list for `{name}`"), other.to_string())),
        };
        let names = |symbols: &[Value]| symbols.iter().map(Value::symbol).collect::<Vec<_>>();
        let outputs = part("output")?;
        let one_shot = kind == Kind::OneShot;
        let (before, after) = if one_shot {
            (Vec::new(), part("record")?)
        } else {
            (part("before")?, part("after")?)
        };
        if let Some(key) = parts.keys().next() {
            let keys = if one_shot { "`record`, `output`" } else { "`before`, `output`, `after`" };
            return Err(fault(&format!("the keys {keys}"), format!("`{key}`")));
        }
        let interface = if one_shot {
            Interface::one_shot(names(&after), names(&outputs))
        } else {
            Interface::transducer(names(&before), names(&outputs), names(&after))
        };
        self.interface = interface
            .map_err(|e| fault("alphabets of distinct names", e.to_string()))?;
        let mut seen = vec!["state"];
        seen.extend((!before.is_empty()).then_some("before"));
        if one_shot {
            self.require("finish", &["state"])?;
            self.require("observe", &["state", "record"])?;
        } else {
            self.require("respond", &seen)?;
            let silent = after.is_empty();
            seen.extend((!silent).then_some("after"));
            self.observes = !silent || self.text.functions.iter().any(|f| f == "observe");
            if self.observes {
                self.require("observe", &seen)?;
                self.remembers = !before.is_empty();
            }
        }
        (self.before, self.after) = (before, after);
        Ok(())
    }

    /// Checks that a function with that number of parameters is there.
    fn require(&self, name: &str, parameters: &[&str]) -> Result<()> {
        let mut found: Vec<usize> = self
            .ast
            .iter_functions()
            .filter(|f| f.name == name)
            .map(|f| f.params.len())
            .collect();
        if found.contains(&parameters.len()) {
            return Ok(());
        }
        found.sort_unstable();
        let found = match found.first() {
            None => "none".to_owned(),
            Some(count) => format!("one with {count} parameters"),
        };
        let expected = format!("a function `{name}({})`", parameters.join(", "));
        Err(Error::malformed(self.text.function(name), expected, found))
    }

    /// The result of a function without parameters that makes no choices.
    fn once(&self, function: &str) -> Result<Value> {
        self.host.begin(false);
        let result = self.call(function, Vec::new())?;
        self.data(function, result)
    }

    fn call(&self, function: &str, arguments: Vec<Dynamic>) -> Result<Dynamic> {
        let options = CallFnOptions::new().eval_ast(false);
        self.engine
            .call_fn_with_options(options, &mut Scope::new(), &self.ast, function, arguments)
            .map_err(|error| self.text.stopped(&error))
    }

    /// The law of the result of a function: one run for every sequence of choices.
    fn law<T: Clone + Eq + Hash>(
        &self,
        function: &str,
        arguments: &[Value],
        read: impl Fn(Dynamic) -> Result<T>,
    ) -> Result<Law<T>> {
        let mut weights: Vec<(T, Number)> = Vec::new();
        self.host.begin(true);
        for _ in 0..PATHS {
            let arguments = arguments.iter().map(Value::to_dynamic).collect();
            let result = read(self.call(function, arguments)?)?;
            let weight = self.host.weight().map_err(|found| {
                Error::malformed(self.text.function(function), "probabilities within limits", found)
            })?;
            weights.push((result, weight));
            if !self.host.advance() {
                return Law::new(format_args!("{}: {function}", self.text.name), weights);
            }
        }
        let expected = format!("at most {PATHS} sequences of choices in one step");
        Err(Error::malformed(self.text.function(function), expected, "more"))
    }

    fn data(&self, function: &str, result: Dynamic) -> Result<Value> {
        Value::from_dynamic(result).map_err(|found| {
            let expected = "plain data (numbers, booleans, strings, arrays, maps)";
            let found = format!("a value of type {found}");
            Error::malformed(self.text.function(function), expected, found)
        })
    }

    /// The name of a released value; a hypothesis may be a string or a list of labels.
    fn output(&self, function: &str, result: Dynamic) -> Result<Output> {
        let value = self.data(function, result)?;
        let name = match (self.interface.kind(), &value) {
            (Kind::Learner, Value::List(labels)) => {
                let label = |v: &Value| v.bit().map(|bit| if bit { '1' } else { '0' });
                labels.iter().map(label).collect::<Option<String>>()
            }
            (Kind::Predictor, value) => value.bit().map(|bit| u8::from(bit).to_string()),
            (_, value) => Some(value.symbol()),
        };
        name.filter(|name| self.interface.allows(name)).ok_or_else(|| {
            let position = self.text.function(function);
            Error::malformed(position, self.interface.allowed(), format!("`{value}`"))
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
        self.law("start", &[], |result| {
            Ok(State { data: self.data("start", result)?, before: None })
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
                Some(answer) => (answer.output, self.data(function, answer.state)?),
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
            Ok(State { data: self.data("observe", result)?, before: None })
        })
    }

    fn finish(&self, state: &State) -> Result<Law<Output>> {
        if self.interface.kind() != Kind::OneShot {
            return Err(Error::argument("only a one-shot mechanism has an output at the end"));
        }
        self.law("finish", &[state.data.clone()], |result| self.output("finish", result))
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
            .field("name", &self.text.name)
            .field("interface", &self.interface)
            .finish_non_exhaustive()
    }
}

fn check_arguments(text: &Text, arguments: &BTreeMap<String, Argument>) -> Result<()> {
    let declared = parameters::declared(&text.name, &text.text)?;
    let names = || declared.iter().map(|declared| declared.name.as_str());
    if let Some(name) = arguments.keys().find(|name| !names().any(|n| n == name.as_str())) {
        return Err(super::spec::unknown_parameter(&text.name, name, names()));
    }
    match declared.iter().find(|d| d.required && !arguments.contains_key(&d.name)) {
        Some(missing) => Err(super::spec::missing_parameter(&text.name, &missing.name)),
        None => Ok(()),
    }
}

/// An interpreter that can only compute: no files, clock, modules, output or evaluation of text.
fn engine(host: &Rc<Host>, tools: Option<&Rc<Tools>>) -> Engine {
    let mut engine = Engine::new_raw();
    CorePackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicMathPackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    BasicMapPackage::new().register_into_engine(&mut engine);
    MoreStringPackage::new().register_into_engine(&mut engine);
    // Without this the interpreter divides integers by its own rule and rounds.
    engine.set_fast_operators(false);
    engine.set_strict_variables(true);
    engine.set_max_operations(OPERATIONS);
    engine.set_max_call_levels(CALLS);
    engine.set_max_expr_depths(DEPTH, DEPTH);
    engine.set_max_array_size(SIZE);
    engine.set_max_map_size(SIZE);
    engine.set_max_string_size(SIZE);
    for word in ["eval", "print", "debug", "sleep", "exit", "^", "^=", "<<", "<<=", ">>", ">>="] {
        engine.disable_symbol(word);
    }
    arithmetic::register(&mut engine);
    host.register(&mut engine);
    helpers::register(&mut engine, tools);
    engine
}

//! A script that was compiled: its functions can be called, within limits.

use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{AST, CallFnOptions, Dynamic, Engine, Scope};

use super::fault::Text;
use super::host::Host;
use super::value::Value;
use super::{Tools, UNASKED, interpreter};
use crate::spec::Argument;
use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::Limits;

/// An interpreter with one text.
pub(super) struct Program {
    engine: Engine,
    ast: AST,
    pub(super) host: Rc<Host>,
    pub(super) text: Text,
}

impl Program {
    /// Compiles a text; `name` stands for the file in messages. The names of the arguments are
    /// not checked here.
    pub(super) fn new(
        name: &str,
        text: &str,
        tools: Option<&Rc<Tools>>,
        arguments: &BTreeMap<String, Argument>,
        limits: &Limits,
    ) -> Result<Self> {
        let mut source =
            Text { name: name.to_owned(), content: text.to_owned(), functions: Vec::new() };
        let host = Host::new(arguments.clone(), limits.clone());
        let engine = interpreter::engine(&host, tools);
        let ast = engine.compile(text).map_err(|e| source.unparsed(&e))?;
        source.functions = ast.iter_functions().map(|f| f.name.to_owned()).collect();
        Ok(Self { engine, ast, host, text: source })
    }

    /// Calls a function.
    pub(super) fn call(&self, function: &str, arguments: Vec<Dynamic>) -> Result<Dynamic> {
        let options = CallFnOptions::new().eval_ast(false);
        self.engine
            .call_fn_with_options(options, &mut Scope::new(), &self.ast, function, arguments)
            .map_err(|error| self.text.stopped(function, &error))
    }

    /// The result of a function that makes no random choices.
    pub(super) fn certain(&self, function: &str, arguments: &[Value]) -> Result<Value> {
        self.host.begin(false);
        let result = self.call(function, arguments.iter().map(Value::to_dynamic).collect())?;
        self.data(function, result)
    }

    /// A result as plain data.
    pub(super) fn data(&self, function: &str, result: Dynamic) -> Result<Value> {
        Value::from_dynamic(result).map_err(|found| {
            let expected = "plain data (numbers, booleans, strings, arrays, maps)";
            Error::malformed(self.text.function(function), expected, found)
        })
    }

    /// The next state after `state`, or beside another first state. `()` stands for a script that
    /// remembers nothing, so that either all states are `()` or none is: otherwise it is a slip.
    pub(super) fn next(&self, function: &str, state: Option<&Value>, next: Value) -> Result<Value> {
        let Some(state) = state else { return Ok(next) };
        let expected = match (state, &next) {
            (Value::Unit, Value::Unit) => return Ok(next),
            (Value::Unit, _) => {
                "`()`, the state that a script has throughout if it remembers nothing \
                 (begin with another value, such as [] or #{ last: () })"
                    .to_owned()
            }
            (_, Value::Unit) => format!("a state{UNASKED}"),
            _ => return Ok(next),
        };
        let found = format!("`{next}` beside the state `{state}`");
        Err(Error::malformed(self.text.function(function), expected, found))
    }

    /// Whether there is a function of that name, with any parameters.
    pub(super) fn has(&self, name: &str) -> bool {
        self.text.functions.iter().any(|function| function == name)
    }

    /// Checks that a function with that number of parameters is there.
    pub(super) fn require(&self, name: &str, parameters: &[&str]) -> Result<()> {
        let mut found: Vec<usize> =
            self.ast.iter_functions().filter(|f| f.name == name).map(|f| f.params.len()).collect();
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
}

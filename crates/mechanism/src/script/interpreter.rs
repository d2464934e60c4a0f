//! The interpreter and its limits.

use std::rc::Rc;

use rhai::Engine;
use rhai::packages::{
    BasicArrayPackage, BasicMapPackage, BasicMathPackage, CorePackage, LogicPackage,
    MoreStringPackage, Package,
};

use super::fault::fault;
use super::host::Host;
use super::value::{NESTING, Value};
use super::{CALLS, DEPTH, OPERATIONS, SIZE, Tools, arithmetic, compare, helpers, labels, lists};

/// An interpreter that can only compute: no files, clock, modules, output or evaluation of text.
pub(super) fn engine(host: &Rc<Host>, tools: Option<&Rc<Tools>>) -> Engine {
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
    engine.set_fail_on_invalid_map_property(true);
    // A `switch` takes values of different types for different, and numbers that are no integers for
    // different from all cases, without a word.
    for word in
        ["switch", "eval", "print", "debug", "sleep", "exit", "^", "^=", "<<", "<<=", ">>", ">>="]
    {
        engine.disable_symbol(word);
    }
    #[expect(deprecated, reason = "the interpreter marks hooks that may change so")]
    engine.on_var(|name, _, context| match context.scope().get(name) {
        Some(value) if Value::is_deep(value) => {
            Err(fault(format!("lists and maps nested at most {NESTING} deep"), "more"))
        }
        _ => Ok(None),
    });
    arithmetic::register(&mut engine);
    compare::register(&mut engine);
    lists::register(&mut engine);
    labels::register(&mut engine);
    host.register(&mut engine);
    helpers::register(&mut engine, tools);
    engine
}

//! Exact numbers in scripts.
//!
//! A result that is a machine integer is handed to the script as an integer, so `1/2 + 1/2` may
//! index an array and equals `1`. Integers alone overflow with an error; exact numbers do not.

use rhai::{Dynamic, Engine, INT};

use super::fault::{Helped, Refused, fault};
use super::host::number;
use littlestone_exact::Number;
use littlestone_exact::functions;

/// A number as a script sees it.
pub fn give(number: Number) -> Dynamic {
    match functions::as_integer(&number) {
        Some(n) => n.into(),
        None => Dynamic::from(number),
    }
}

/// A script's number.
pub fn take(value: &Dynamic) -> Option<Number> {
    if let Ok(n) = value.as_int() {
        return Some(functions::integer(n));
    }
    value.clone().try_cast::<Number>()
}

fn done(value: Result<Number, String>) -> Helped<Dynamic> {
    value.map(give).map_err(refused)
}

#[expect(clippy::unnecessary_box_returns, reason = "the interpreter takes boxed errors")]
fn refused(found: String) -> Refused {
    fault("an operation that has a value", found)
}

type Unary = fn(&Number) -> Result<Number, String>;
type Binary = fn(&Number, &Number) -> Result<Number, String>;

/// Makes exact numbers known to the interpreter.
pub fn register(engine: &mut Engine) {
    engine.register_type_with_name::<Number>("exact number");
    let closed: [(&str, Binary); 5] = [
        ("+", functions::add),
        ("-", functions::subtract),
        ("*", functions::multiply),
        ("/", functions::divide),
        ("**", functions::power),
    ];
    for (name, operation) in closed {
        mixed(engine, name, move |a, b| done(operation(a, b)));
    }
    // On integers the standard operations report overflow; these two leave the integers.
    let int = functions::integer;
    engine.register_fn("/", move |a: INT, b: INT| done(functions::divide(&int(a), &int(b))));
    engine.register_fn("**", move |a: INT, b: INT| -> Helped<Dynamic> {
        let value = done(functions::power(&int(a), &int(b)))?;
        if b >= 0 && !value.is_int() {
            return Err(fault("an integer below 2^63", format!("{a} ** {b}")));
        }
        Ok(value)
    });
    // Without these, `a /= b` on integers would round: the interpreter has its own rule for them.
    for (name, operation) in [("/=", functions::divide as Binary), ("**=", functions::power)] {
        engine.register_fn(name, move |a: &mut Dynamic, b: Dynamic| -> Helped<()> {
            *a = done(operation(&number("a number", a)?, &number("a number", &b)?))?;
            Ok(())
        });
    }
    engine.register_fn("-", |a: Number| give(-&a));
    engine.register_fn("+", |a: Number| a);
    engine.register_fn("to_string", |a: &mut Number| a.to_string());
    engine.register_fn("to_debug", |a: &mut Number| a.to_string());
    engine.register_fn("+", |text: &str, a: Number| format!("{text}{a}"));
    engine.register_fn("+", |a: Number, text: &str| format!("{a}{text}"));

    let unary: [(&str, Unary); 4] = [
        ("abs", |a| Ok(functions::abs(a))),
        ("floor", functions::floor),
        ("ceil", functions::ceil),
        ("exp", functions::exp),
    ];
    for (name, operation) in unary {
        engine.register_fn(name, move |a: Dynamic| -> Helped<Dynamic> {
            done(operation(&number("a number", &a)?))
        });
    }
    let binary: [(&str, Binary); 3] =
        [("min", functions::min), ("max", functions::max), ("binomial", functions::binomial)];
    for (name, operation) in binary {
        engine.register_fn(name, move |a: Dynamic, b: Dynamic| -> Helped<Dynamic> {
            done(operation(&number("a number", &a)?, &number("a number", &b)?))
        });
    }
}

/// Registers an operation on two numbers of which at least one is not a machine integer.
fn mixed(
    engine: &mut Engine,
    name: &str,
    operation: impl Fn(&Number, &Number) -> Helped<Dynamic> + Copy + 'static,
) {
    let int = functions::integer;
    engine.register_fn(name, move |a: Number, b: Number| operation(&a, &b));
    engine.register_fn(name, move |a: INT, b: Number| operation(&int(a), &b));
    engine.register_fn(name, move |a: Number, b: INT| operation(&a, &int(b)));
}

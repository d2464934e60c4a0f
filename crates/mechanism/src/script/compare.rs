//! How scripts compare values: within one type, and never across types.
//!
//! The interpreter takes values of different types for unequal without a word, so that a slip of the
//! pen makes a mechanism forget what it saw. Here every comparison across types is refused, also of
//! the entries of lists and maps, whether or not an earlier entry has decided already.

use std::cmp::Ordering;

use rhai::{Array, Dynamic, Engine, Map};

use super::fault::{Helped, Refused, fault};
use super::value::Value;
use littlestone_exact::functions;

/// The type of a value as it is called in messages. Integers and other exact numbers are of one
/// type, and so are characters and strings, and labels and lists.
fn word(value: &Value) -> &'static str {
    match value {
        Value::Unit => "nothing `()`",
        Value::Bool(_) => "a truth value",
        Value::Integer(_) | Value::Number(_) => "a number",
        Value::Text(_) => "a string",
        Value::Labels(_) => "labels",
        Value::List(_) => "a list",
        Value::Map(_) => "a map",
    }
}

/// What to write instead of a comparison of two types.
fn remedy(left: &Value, right: &Value) -> &'static str {
    use Value::{Bool, Integer, Labels, List, Map, Number, Text, Unit};
    match (left, right) {
        (Unit, _) | (_, Unit) => "`is_unset(x)` says whether x is `()`",
        (Text(_), Integer(_) | Number(_)) | (Integer(_) | Number(_), Text(_)) => {
            "names of points and characters of strings are strings: \"1\"; `parse_int` reads a number"
        }
        (Bool(_), _) | (_, Bool(_)) => {
            "a truth value stands by itself or is compared with `true`; labels are 0 and 1"
        }
        (Labels(_) | List(_), Text(_)) | (Text(_), Labels(_) | List(_)) => {
            "`labels(\"0110\")` makes labels of a string"
        }
        (Labels(_) | List(_) | Map(_), _) | (_, Labels(_) | List(_) | Map(_)) => {
            "an entry is written `list[0]` or `map.key`"
        }
        _ => "convert one of them",
    }
}

#[expect(clippy::unnecessary_box_returns, reason = "the interpreter takes boxed errors")]
fn unlike(left: &Value, right: &Value) -> Refused {
    let expected = format!("two values of one type to compare ({})", remedy(left, right));
    fault(expected, format!("{} and {}", word(left), word(right)))
}

/// The order of two values of one type: numbers by size, strings by their characters, `false` before
/// `true`, lists by the first entry that differs, maps by their keys and then by their values.
pub fn order(left: &Value, right: &Value) -> Helped<Ordering> {
    match (left, right) {
        (Value::Unit, Value::Unit) => Ok(Ordering::Equal),
        (Value::Bool(a), Value::Bool(b)) => Ok(a.cmp(b)),
        (Value::Integer(a), Value::Integer(b)) => Ok(a.cmp(b)),
        (Value::Number(a), Value::Number(b)) => numbers(a, b),
        (Value::Integer(a), Value::Number(b)) => numbers(&functions::integer(*a), b),
        (Value::Number(a), Value::Integer(b)) => numbers(a, &functions::integer(*b)),
        (Value::Text(a), Value::Text(b)) => Ok(a.cmp(b)),
        (Value::Labels(a), Value::Labels(b)) => Ok(a.as_str().cmp(b.as_str())),
        (Value::Labels(a), Value::List(b)) => entries(a.iter().map(Value::Integer), b),
        (Value::List(a), Value::Labels(b)) => {
            Ok(entries(b.iter().map(Value::Integer), a)?.reverse())
        }
        (Value::List(a), Value::List(b)) => {
            let pairs = a.iter().zip(b).map(|(a, b)| order(a, b));
            Ok(first_difference(pairs)?.then(a.len().cmp(&b.len())))
        }
        (Value::Map(a), Value::Map(b)) => {
            let common = a.iter().filter_map(|(key, value)| Some((value, b.get(key)?)));
            let values = first_difference(common.map(|(a, b)| order(a, b)))?;
            Ok(a.keys().cmp(b.keys()).then(values))
        }
        _ => Err(unlike(left, right)),
    }
}

fn numbers(a: &littlestone_exact::Number, b: &littlestone_exact::Number) -> Helped<Ordering> {
    functions::compare(a, b).map_err(|found| fault("numbers that can be compared", found))
}

fn entries(left: impl ExactSizeIterator<Item = Value>, right: &[Value]) -> Helped<Ordering> {
    let lengths = left.len().cmp(&right.len());
    Ok(first_difference(left.zip(right).map(|(a, b)| order(&a, b)))?.then(lengths))
}

/// The first order that is not equality; every pair is looked at, so that each can be refused.
fn first_difference(orders: impl Iterator<Item = Helped<Ordering>>) -> Helped<Ordering> {
    orders.into_iter().try_fold(Ordering::Equal, |found, order| Ok(found.then(order?)))
}

/// Plain data, which is all that can be compared.
pub fn plain(value: Dynamic) -> Helped<Value> {
    Value::from_dynamic(value).map_err(|found| fault("plain data to compare", found))
}

fn compared(left: Dynamic, right: Dynamic) -> Helped<Ordering> {
    if let (Ok(a), Ok(b)) = (left.as_int(), right.as_int()) {
        return Ok(a.cmp(&b));
    }
    order(&plain(left)?, &plain(right)?)
}

fn sized(left: Dynamic, right: Dynamic) -> Helped<Ordering> {
    if let (Ok(a), Ok(b)) = (left.as_int(), right.as_int()) {
        return Ok(a.cmp(&b));
    }
    let (left, right) = (plain(left)?, plain(right)?);
    let found = order(&left, &right)?;
    match left {
        Value::Unit | Value::Labels(_) | Value::List(_) | Value::Map(_) => {
            let expected = "two numbers or two strings, which have an order";
            Err(fault(expected, format!("{} and {}", word(&left), word(&right))))
        }
        _ => Ok(found),
    }
}

/// The places of a list at which an item stands. Every entry is compared with it.
pub fn places(list: &[Dynamic], item: &Dynamic) -> Helped<Vec<usize>> {
    let item = plain(item.clone())?;
    let mut places = Vec::new();
    for (place, entry) in list.iter().enumerate() {
        if order(&plain(entry.clone())?, &item)?.is_eq() {
            places.push(place);
        }
    }
    Ok(places)
}

type Compare = fn(Dynamic, Dynamic) -> Helped<Ordering>;
type Test = fn(Ordering) -> bool;

/// Replaces the comparisons of the interpreter by the ones of this module.
pub fn register(engine: &mut Engine) {
    let operators: [(&str, Compare, Test); 6] = [
        ("==", compared, Ordering::is_eq),
        ("!=", compared, Ordering::is_ne),
        ("<", sized, Ordering::is_lt),
        ("<=", sized, Ordering::is_le),
        (">", sized, Ordering::is_gt),
        (">=", sized, Ordering::is_ge),
    ];
    for (name, compare, holds) in operators {
        engine.register_fn(name, move |a: Dynamic, b: Dynamic| compare(a, b).map(holds));
        // The packages have functions for these pairs, and a function for exact types goes first.
        engine.register_fn(name, move |a: Array, b: Array| {
            compare(Dynamic::from_array(a), Dynamic::from_array(b)).map(holds)
        });
        engine.register_fn(name, move |a: Map, b: Map| {
            compare(Dynamic::from_map(a), Dynamic::from_map(b)).map(holds)
        });
    }
    engine.register_fn("is_unset", |value: Dynamic| value.is_unit());
}

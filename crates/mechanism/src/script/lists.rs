//! The functions of lists and maps that compare entries or ask a closure for a truth value.
//!
//! The interpreter's own take values of different types for unequal, and any answer of a closure that
//! is no truth value, even an error, for `false`. These refuse both.

use std::cmp::Ordering;

use rhai::{
    Array, Dynamic, Engine, EvalAltResult, FnPtr, FuncRegistration, INT, Map, NativeCallContext,
};

use super::compare::{order, places, plain};
use super::fault::{Helped, Refused, fault};
use super::value::Value;

/// A place as an index, −1 for none.
pub fn first(places: &[usize]) -> INT {
    places.first().map_or(-1, |&place| INT::try_from(place).unwrap_or(INT::MAX))
}

/// What a closure says of the entry of a list: it takes the entry and, if it likes, its place.
fn asked(
    ctx: &NativeCallContext<'_>,
    test: &FnPtr,
    entry: &Dynamic,
    place: Dynamic,
) -> Helped<Dynamic> {
    let unknown = |error: &EvalAltResult| {
        matches!(error, EvalAltResult::ErrorFunctionNotFound(signature, _)
            if signature.starts_with(test.fn_name()))
    };
    match test.call_raw(ctx, None, [entry.clone()]) {
        Err(error) if unknown(&error) => test.call_raw(ctx, None, [entry.clone(), place]),
        result => result,
    }
}

fn truth(answer: &Dynamic) -> Helped<bool> {
    answer.as_bool().map_err(|found| {
        fault("a closure that answers `true` or `false`", format!("a value of type {found}"))
    })
}

fn says(ctx: &NativeCallContext<'_>, test: &FnPtr, list: &Array, place: usize) -> Helped<bool> {
    let index = INT::try_from(place).unwrap_or(INT::MAX);
    truth(&asked(ctx, test, &list[place], index.into())?)
}

/// The first place from `start` on of which a closure says `true`; negative ones count from the end.
fn found(
    ctx: &NativeCallContext<'_>,
    list: &Array,
    test: &FnPtr,
    start: INT,
) -> Helped<Option<usize>> {
    for place in from(list, start)..list.len() {
        if says(ctx, test, list, place)? {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

fn from(list: &Array, start: INT) -> usize {
    let distance = usize::try_from(start.unsigned_abs()).unwrap_or(usize::MAX);
    if start < 0 { list.len().saturating_sub(distance) } else { distance.min(list.len()) }
}

/// Divides a list into the entries of which a closure says `true` and the others.
fn divided(ctx: &NativeCallContext<'_>, list: &mut Array, test: &FnPtr) -> Helped<(Array, Array)> {
    let mut parts = (Array::new(), Array::new());
    for place in 0..list.len() {
        let part = if says(ctx, test, list, place)? { &mut parts.0 } else { &mut parts.1 };
        part.push(list[place].clone());
    }
    Ok(parts)
}

fn divided_map(ctx: &NativeCallContext<'_>, map: &Map, test: &FnPtr) -> Helped<(Map, Map)> {
    let mut parts = (Map::new(), Map::new());
    for (key, value) in map {
        let said = truth(&asked(ctx, test, &key.as_str().into(), value.clone())?)?;
        let part = if said { &mut parts.0 } else { &mut parts.1 };
        part.insert(key.clone(), value.clone());
    }
    Ok(parts)
}

/// Merges halves by an order that may be refused; entries that are equal keep their order.
fn sorted<T>(
    mut items: Vec<T>,
    order: &mut impl FnMut(&T, &T) -> Helped<Ordering>,
) -> Helped<Vec<T>> {
    if items.len() < 2 {
        return Ok(items);
    }
    let right = items.split_off(items.len() / 2);
    let mut left = sorted(items, order)?.into_iter().peekable();
    let mut right = sorted(right, order)?.into_iter().peekable();
    let mut merged = Vec::with_capacity(left.len() + right.len());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        merged.extend(if order(a, b)?.is_gt() { right.next() } else { left.next() });
    }
    merged.extend(left.chain(right));
    Ok(merged)
}

fn sorted_values(list: Array) -> Helped<Vec<Value>> {
    sorted(list.into_iter().map(plain).collect::<Helped<_>>()?, &mut order)
}

fn ascending(list: Array) -> Helped<Array> {
    Ok(sorted_values(list)?.iter().map(Value::to_dynamic).collect())
}

fn descending(list: Array) -> Helped<Array> {
    Ok(sorted_values(list)?.iter().rev().map(Value::to_dynamic).collect())
}

/// Sorts by a closure that answers with a negative number or `true` when its first argument comes
/// first.
fn sorted_by(ctx: &NativeCallContext<'_>, list: Array, comparer: &FnPtr) -> Helped<Array> {
    sorted(list, &mut |a: &Dynamic, b: &Dynamic| {
        let answer = comparer.call_raw(ctx, None, [a.clone(), b.clone()])?;
        match (answer.as_int(), answer.as_bool()) {
            (Ok(sign), _) => Ok(sign.cmp(&0)),
            (_, Ok(before)) => Ok(if before { Ordering::Less } else { Ordering::Greater }),
            (_, Err(found)) => {
                let expected = "a closure that answers with a number or a truth value";
                Err(fault(expected, format!("a value of type {found}")))
            }
        }
    })
}

/// Drops each entry that `same` says is the same as the one kept before it.
fn deduplicated(
    list: Array,
    mut same: impl FnMut(&Dynamic, &Dynamic) -> Helped<bool>,
) -> Helped<Array> {
    let mut kept = Array::new();
    for entry in list {
        let repeated = match kept.last() {
            Some(last) => same(last, &entry)?,
            None => false,
        };
        if !repeated {
            kept.push(entry);
        }
    }
    Ok(kept)
}

/// A list as a sorted set, with one more item.
pub fn insert(list: Array, item: Dynamic) -> Helped<Array> {
    let mut values = sorted_values(list.into_iter().chain([item]).collect())?;
    values.dedup_by(|b, a| order(a, b).is_ok_and(Ordering::is_eq));
    Ok(values.iter().map(Value::to_dynamic).collect())
}

fn pure(name: &str) -> FuncRegistration {
    FuncRegistration::new(name).with_purity(true)
}

/// Replaces the functions of the packages by the ones of this module.
pub fn register(engine: &mut Engine) {
    type Context<'a> = NativeCallContext<'a>;
    engine.register_fn("insert", insert);
    pure("contains").register_into_engine(engine, |list: &mut Array, item: Dynamic| {
        places(list, &item).map(|places| !places.is_empty())
    });
    pure("index_of").register_into_engine(engine, |list: &mut Array, item: Dynamic| {
        places(list, &item).map(|places| first(&places))
    });
    pure("index_of").register_into_engine(engine, |list: &mut Array, item: Dynamic, start: INT| {
        let start = from(list, start);
        let places = places(list, &item)?;
        Ok::<_, Refused>(first(&places[places.partition_point(|&p| p < start)..]))
    });
    pure("index_of").register_into_engine(
        engine,
        |ctx: Context<'_>, list: &mut Array, test: FnPtr| {
            found(&ctx, list, &test, 0).map(|place| first(place.as_slice()))
        },
    );
    pure("index_of").register_into_engine(
        engine,
        |ctx: Context<'_>, list: &mut Array, test: FnPtr, start: INT| {
            found(&ctx, list, &test, start).map(|place| first(place.as_slice()))
        },
    );
    pure("find").register_into_engine(engine, |ctx: Context<'_>, list: &mut Array, test: FnPtr| {
        found(&ctx, list, &test, 0).map(|place| place.map_or(Dynamic::UNIT, |p| list[p].clone()))
    });
    pure("find").register_into_engine(
        engine,
        |ctx: Context<'_>, list: &mut Array, test: FnPtr, start: INT| {
            let place = found(&ctx, list, &test, start)?;
            Ok::<_, Refused>(place.map_or(Dynamic::UNIT, |p| list[p].clone()))
        },
    );
    pure("some").register_into_engine(engine, |ctx: Context<'_>, list: &mut Array, test: FnPtr| {
        found(&ctx, list, &test, 0).map(|place| place.is_some())
    });
    pure("all").register_into_engine(engine, |ctx: Context<'_>, list: &mut Array, test: FnPtr| {
        for place in 0..list.len() {
            if !says(&ctx, &test, list, place)? {
                return Ok::<_, Refused>(false);
            }
        }
        Ok(true)
    });
    pure("filter").register_into_engine(
        engine,
        |ctx: Context<'_>, list: &mut Array, test: FnPtr| {
            divided(&ctx, list, &test).map(|(held, _)| held)
        },
    );
    engine.register_fn("drain", |ctx: Context<'_>, list: &mut Array, test: FnPtr| {
        let (held, rest) = divided(&ctx, list, &test)?;
        *list = rest;
        Ok::<_, Refused>(held)
    });
    engine.register_fn("retain", |ctx: Context<'_>, list: &mut Array, test: FnPtr| {
        let (held, rest) = divided(&ctx, list, &test)?;
        *list = held;
        Ok::<_, Refused>(rest)
    });
    pure("filter").register_into_engine(engine, |ctx: Context<'_>, map: &mut Map, test: FnPtr| {
        divided_map(&ctx, map, &test).map(|(held, _)| held)
    });
    engine.register_fn("drain", |ctx: Context<'_>, map: &mut Map, test: FnPtr| {
        let (held, rest) = divided_map(&ctx, map, &test)?;
        *map = rest;
        Ok::<_, Refused>(held)
    });
    engine.register_fn("retain", |ctx: Context<'_>, map: &mut Map, test: FnPtr| {
        let (held, rest) = divided_map(&ctx, map, &test)?;
        *map = held;
        Ok::<_, Refused>(rest)
    });
    register_orders(engine);
}

type Whole = fn(Array) -> Helped<Array>;

fn register_orders(engine: &mut Engine) {
    type Context<'a> = NativeCallContext<'a>;
    let whole: [(&str, &str, Whole); 2] =
        [("sort", "order", ascending), ("sort_desc", "order_desc", descending)];
    for (in_place, copy, sort) in whole {
        engine.register_fn(in_place, move |list: &mut Array| -> Helped<()> {
            *list = sort(list.clone())?;
            Ok(())
        });
        pure(copy).register_into_engine(engine, move |list: &mut Array| sort(list.clone()));
    }
    for (in_place, copy) in [("sort", "order"), ("sort_by", "order_by")] {
        engine.register_fn(
            in_place,
            |ctx: Context<'_>, list: &mut Array, comparer: FnPtr| -> Helped<()> {
                *list = sorted_by(&ctx, list.clone(), &comparer)?;
                Ok(())
            },
        );
        pure(copy).register_into_engine(
            engine,
            |ctx: Context<'_>, list: &mut Array, comparer: FnPtr| {
                sorted_by(&ctx, list.clone(), &comparer)
            },
        );
    }
    engine.register_fn("dedup", |list: &mut Array| -> Helped<()> {
        *list = deduplicated(list.clone(), |a, b| {
            Ok(order(&plain(a.clone())?, &plain(b.clone())?)?.is_eq())
        })?;
        Ok(())
    });
    engine.register_fn(
        "dedup",
        |ctx: Context<'_>, list: &mut Array, comparer: FnPtr| -> Helped<()> {
            *list = deduplicated(list.clone(), |a, b| {
                truth(&comparer.call_raw(&ctx, None, [a.clone(), b.clone()])?)
            })?;
            Ok(())
        },
    );
}

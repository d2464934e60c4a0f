//! The numbers that claims bound.

use std::collections::BTreeMap;

use itertools::Itertools;

use crate::catalogue::candidates::{
    Algorithm, Chances, Fault, Pair, Record, Rule, Stream, Table, tail,
};
use crate::class::Class;
use crate::error::Error;
use crate::exact::functions;
use crate::exact::{Epsilon, Number, Rational, parse_rational};
use crate::limits::Limits;
use crate::text::quote;

use super::super::super::Located;
use super::given::{Given, natural};
use super::property::Property;

/// A number that a claim bounds.
pub(super) struct Value {
    pub what: String,
    pub number: Number,
    /// What it is at most, whatever the instance.
    pub most: Number,
    /// Where it is attained.
    pub on: String,
    /// Whether there was nothing to look at.
    pub empty: bool,
    pub names: Vec<(&'static str, Number)>,
}

impl Value {
    /// A number from 0 to `most`.
    fn new(what: impl Into<String>, number: Number, most: Number, on: String) -> Self {
        Self { what: what.into(), number, most, on, empty: false, names: Vec::new() }
    }
}

/// The number that the bounds are about.
///
/// # Panics
/// When the property is a statement without a number.
pub(super) fn of(
    property: &Property,
    algorithm: &Algorithm,
    given: &Given,
    limits: &Limits,
) -> Result<Value, Fault> {
    match property {
        Property::Statement(..) => unreachable!("decided apart"),
        Property::Success => success(algorithm, given, limits),
        Property::Broken => broken(algorithm, given, limits),
        Property::Calls => calls(algorithm, given, limits),
        Property::Pairs => pairs(algorithm, given, limits),
        Property::ListSize => list_size(algorithm, given, limits),
        Property::GroupSet { z, tolerance } => {
            group_set(*z, tolerance.as_ref(), algorithm, given, limits)
        }
        Property::Unsuccessful { z, tolerance } => {
            unsuccessful(*z, tolerance.as_ref(), algorithm, given, limits)
        }
        Property::Difference { tolerance } => {
            difference(tolerance.as_ref(), algorithm, given, limits)
        }
        Property::Received => {
            let size = algorithm.parameters().batch;
            let on = format!("over all assignments of {size} records");
            Ok(Value::new("E[records of a group]", algorithm.received()?, natural(size), on))
        }
        Property::Samples(rule) => samples(*rule, algorithm),
        Property::ChangedRecords => changed(false, false, algorithm, given, limits),
        Property::ChangedGroups { by_place } => changed(true, *by_place, algorithm, given, limits),
        Property::Delta { epsilon, fixed } => delta(epsilon, *fixed, algorithm, given, limits),
    }
}

fn success(algorithm: &Algorithm, given: &Given, limits: &Limits) -> Result<Value, Fault> {
    let (found, stream) = extreme(algorithm, given, limits, |c| &Number::one() - &c.candidate)?;
    let on = format!(
        "on {}, where Select returns ⊥ at ℓ = d with probability {}",
        show(algorithm.class(), &stream),
        found.ended
    );
    let what = format!("least P(min M < K) over {}", given.which());
    Ok(Value::new(what, found.candidate, Number::one(), on))
}

fn broken(algorithm: &Algorithm, given: &Given, limits: &Limits) -> Result<Value, Fault> {
    let (found, stream) = extreme(algorithm, given, limits, |c| c.broken.clone())?;
    let (most, _) = extreme(algorithm, given, limits, |c| c.call.clone())?;
    let on = format!(
        "on {}; one call breaks the promise with probability at most {}",
        show(algorithm.class(), &stream),
        most.call
    );
    let what = format!("greatest P(a call breaks its promise) over {}", given.which());
    let mut value = Value::new(what, found.broken, Number::one(), on);
    value.names = vec![("call", most.call)];
    Ok(value)
}

fn calls(algorithm: &Algorithm, given: &Given, limits: &Limits) -> Result<Value, Fault> {
    let parameters = algorithm.parameters();
    let most = parameters.candidates * parameters.lists.len();
    greatest("number of calls", most, |c| c.calls, algorithm, given, limits)
}

fn pairs(algorithm: &Algorithm, given: &Given, limits: &Limits) -> Result<Value, Fault> {
    let most = labellings(algorithm.class()).saturating_mul(algorithm.parameters().groups);
    let name = "number of pairs (group, listed function)";
    greatest(name, most, |c| c.pairs, algorithm, given, limits)
}

fn list_size(algorithm: &Algorithm, given: &Given, limits: &Limits) -> Result<Value, Fault> {
    let most = labellings(algorithm.class());
    greatest("size of a list", most, |c| c.list, algorithm, given, limits)
}

/// The greatest value of a count over the streams; `most` is what it can be at the most.
fn greatest(
    name: &str,
    most: usize,
    count: impl Fn(&Chances) -> usize,
    algorithm: &Algorithm,
    given: &Given,
    limits: &Limits,
) -> Result<Value, Fault> {
    let (found, stream) = extreme(algorithm, given, limits, |c| natural(count(c)))?;
    let what = format!("greatest {name} over {}", given.which());
    let on = format!("on {}", show(algorithm.class(), &stream));
    Ok(Value::new(what, natural(count(&found)), natural(most), on))
}

/// The number of functions on the domain.
fn labellings(class: &Class) -> usize {
    let points = u32::try_from(class.points()).ok();
    points.and_then(|points| 2usize.checked_pow(points)).unwrap_or(usize::MAX)
}

fn group_set(
    z: usize,
    tolerance: Option<&Located<String>>,
    algorithm: &Algorithm,
    given: &Given,
    limits: &Limits,
) -> Result<Value, Fault> {
    let tolerance = self::tolerance(tolerance, algorithm)?;
    let most = algorithm.parameters().candidates.saturating_mul(z);
    let what = format!("greatest P(k − |I| > {most}) over {}", given.which());
    let mut value = Value::new(what, Number::zero(), Number::one(), String::new());
    value.empty = true;
    let mut batch = Number::zero();
    for stream in given.streams()? {
        let found = algorithm.group_set(&stream, &tolerance, z, limits)?;
        if found.full == 0 {
            continue;
        }
        batch = batch.max(found.batch.clone());
        let number = found.beyond(most);
        if value.empty || number > value.number {
            let shown = found.outside.iter().map(ToString::to_string).join(", ");
            value.on = format!(
                "on {}: k − |I| = 0, …, k with probability {shown}, at most {} full batches, for each \
                 P(Z > {z}) ≤ {}",
                show(algorithm.class(), &stream),
                found.full,
                found.batch
            );
            value.number = number;
            value.empty = false;
        }
    }
    value.names = vec![("z", natural(z)), ("batch", batch)];
    Ok(value)
}

fn unsuccessful(
    z: usize,
    tolerance: Option<&Located<String>>,
    algorithm: &Algorithm,
    given: &Given,
    limits: &Limits,
) -> Result<Value, Fault> {
    let tolerance = self::tolerance(tolerance, algorithm)?;
    let what = format!("greatest P(Z > {z}) over full first batches");
    let mut value = Value::new(what, Number::zero(), Number::one(), String::new());
    value.names = vec![("z", natural(z))];
    full_batches(algorithm, given, &mut value, |records| {
        let law = algorithm.unsuccessful(records, &tolerance, limits)?;
        let shown = law.iter().map(ToString::to_string).join(", ");
        Ok((tail(&law, z), format!("Z = 0, …, k with probability {shown}")))
    })?;
    Ok(value)
}

fn difference(
    tolerance: Option<&Located<String>>,
    algorithm: &Algorithm,
    given: &Given,
    limits: &Limits,
) -> Result<Value, Fault> {
    let tolerance = self::tolerance(tolerance, algorithm)?;
    let groups = algorithm.parameters().groups;
    let what = "greatest change of Z by one record";
    let mut value = Value::new(what, Number::zero(), natural(groups), String::new());
    full_batches(algorithm, given, &mut value, |records| {
        let found = algorithm.difference(records, &tolerance, limits)?;
        Ok((natural(found), format!("Z changes by {found} of k = {groups}")))
    })?;
    Ok(value)
}

fn samples(rule: Rule, algorithm: &Algorithm) -> Result<Value, Fault> {
    let line5 = algorithm.stored_by(Rule::Subset)?;
    let other = algorithm.stored_by(rule)?;
    let on = format!("{} outcomes by line 5, {} by the rule", line5.len(), other.len());
    let distance = distance(&line5, &other)?;
    let mut value = Value::new("distance of the laws of samples", distance, Number::one(), on);
    value.empty = algorithm.parameters().batch <= algorithm.parameters().sample;
    Ok(value)
}

fn changed(
    groups: bool,
    by_place: bool,
    algorithm: &Algorithm,
    given: &Given,
    limits: &Limits,
) -> Result<Value, Fault> {
    let (class, rounds) = (algorithm.class(), given.rounds()?);
    let found = algorithm.changed(rounds, by_place, limits)?;
    let on = found.attained.as_ref().map_or_else(String::new, |([s, t], h, table)| {
        let (s, t) = (show(class, s), show(class, t));
        format!("on {s} and {t}, candidate {h}, {}", show_table(table))
    });
    Ok(if groups {
        let what = "greatest number of groups whose samples differ";
        Value::new(what, natural(found.groups), natural(algorithm.parameters().groups), on)
    } else {
        let what = "greatest number of timestamps at which batches differ";
        Value::new(what, natural(found.records), natural(rounds), on)
    })
}

fn delta(
    epsilon: &Epsilon,
    fixed: bool,
    algorithm: &Algorithm,
    given: &Given,
    limits: &Limits,
) -> Result<Value, Fault> {
    let (rounds, level) = (given.rounds()?, epsilon.factor());
    let (pair, what) = if fixed {
        let what = "worst δ over all tables and neighbouring streams";
        (algorithm.worst_given(rounds, &level, limits)?, what)
    } else {
        (algorithm.worst(rounds, &level, limits)?, "worst δ over all neighbouring streams")
    };
    let on = show_pair(algorithm.class(), &pair);
    let mut value = Value::new(what, pair.delta, Number::one(), on);
    value.names = vec![("exp_epsilon", level)];
    Ok(value)
}

/// The chances on the first stream on which a number is greatest.
fn extreme(
    algorithm: &Algorithm,
    given: &Given,
    limits: &Limits,
    of: impl Fn(&Chances) -> Number,
) -> Result<(Chances, Stream), Fault> {
    let mut best: Option<(Number, Chances, Stream)> = None;
    for stream in given.streams()? {
        let found = algorithm.chances(&stream, limits)?;
        let number = of(&found);
        let more = match &best {
            None => true,
            Some((best, ..)) => functions::compare(&number, best).map_err(Error::argument)?.is_gt(),
        };
        if more {
            best = Some((number, found, stream));
        }
    }
    let (_, found, stream) = best.expect("at least one stream");
    Ok((found, stream))
}

/// The greatest value over the streams whose first batch is full.
fn full_batches(
    algorithm: &Algorithm,
    given: &Given,
    value: &mut Value,
    of: impl Fn(&[Record]) -> Result<(Number, String), Fault>,
) -> Result<(), Fault> {
    value.empty = true;
    for stream in given.streams()? {
        let records = algorithm.batch(&algorithm.start(), &stream);
        if records.len() < algorithm.parameters().batch {
            continue;
        }
        let (number, text) = of(&records)?;
        let more = functions::compare(&number, &value.number).map_err(Error::argument)?;
        if value.empty || more.is_gt() {
            value.number = number;
            value.on = format!("on {}: {text}", show(algorithm.class(), &stream));
            value.empty = false;
        }
    }
    Ok(())
}

/// Half the sum of the differences of two laws.
fn distance<T: Ord + Clone>(p: &[(T, Number)], q: &[(T, Number)]) -> Result<Number, Error> {
    let mut gaps: BTreeMap<&T, Number> = BTreeMap::new();
    for (outcome, weight) in p {
        gaps.insert(outcome, weight.clone());
    }
    for (outcome, weight) in q {
        let gap = gaps.entry(outcome).or_insert_with(Number::zero);
        *gap = &*gap - weight;
    }
    let sum = gaps.values().fold(Number::zero(), |sum, gap| &sum + &functions::abs(gap));
    functions::divide(&sum, &2.into()).map_err(Error::argument)
}

/// 1/(64(d+1)), or what stands in its place.
pub(super) fn tolerance(
    given: Option<&Located<String>>,
    algorithm: &Algorithm,
) -> Result<Rational, Error> {
    match given {
        None => {
            let levels = algorithm.parameters().lists.len();
            Ok(Rational::new(1.into(), (64 * levels).into()))
        }
        Some(text) => parse_rational(&text.value).map_err(|_| {
            let found = format!("`{}`", text.value);
            Error::malformed(text.position.clone(), "a rational number", found)
        }),
    }
}

/// A stream as text.
pub(super) fn show(class: &Class, stream: &[(usize, bool)]) -> String {
    let record =
        |&(x, y): &(usize, bool)| format!("{}:{}", quote(&class.point_names()[x]), u8::from(y));
    if stream.is_empty() { "the empty stream".into() } else { stream.iter().map(record).join(", ") }
}

fn show_table(table: &Table) -> String {
    let row = |row: &Vec<usize>| row.iter().map(|i| (i + 1).to_string()).join(" ");
    let rows = |rows: &[Vec<usize>]| rows.iter().map(row).join("; ");
    format!("groups {}, numbers {}", rows(&table.groups), rows(&table.numbers))
}

fn show_pair(class: &Class, pair: &Pair) -> String {
    let Some([s, t]) = &pair.streams else { return "on no pair it is more than 0".into() };
    let table = pair.table.as_ref().map_or_else(String::new, |t| format!(", {}", show_table(t)));
    format!("on {} against {}{table}", show(class, s), show(class, t))
}

//! The numbers about Algorithm 2 that can be asked for.

use std::collections::BTreeMap;

use itertools::Itertools as _;

use crate::catalogue::candidates::{Chances, Fault, Pair, Record, Rule, Stream, Table, tail};
use crate::class::Class;
use crate::error::Error;
use crate::exact::Number;
use crate::exact::functions;
use crate::text::quote;

use super::property::{Case, KeyedBy, Property, natural};

/// A number.
pub(super) struct Quantity {
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

type Found = Result<Quantity, Fault>;

impl Quantity {
    /// A number from 0 to `most`.
    fn new(what: impl Into<String>, number: Number, most: Number, on: String) -> Self {
        Self { what: what.into(), number, most, on, empty: false, names: Vec::new() }
    }

    /// The greatest of no numbers so far.
    fn none_yet(what: String, most: Number) -> Self {
        Self { empty: true, ..Self::new(what, Number::zero(), most, String::new()) }
    }
}

/// The number that is asked for.
///
/// # Panics
/// When the property is a statement without a number.
pub(super) fn find(property: Property, case: &Case<'_>) -> Found {
    let parameters = case.algorithm.parameters();
    match property {
        Property::Success => success(case),
        Property::BrokenCalls => broken(case),
        Property::Calls => {
            let most = parameters.candidates * parameters.lists.len();
            greatest("number of calls", most, |c| c.calls, case)
        }
        Property::Pairs => {
            let most = labellings(case).saturating_mul(parameters.groups);
            greatest("number of pairs (group, listed function)", most, |c| c.pairs, case)
        }
        Property::ListSize => greatest("size of a list", labellings(case), |c| c.list, case),
        Property::GroupSet => group_set(case),
        Property::Unsuccessful => unsuccessful(case),
        Property::BoundedDifference => difference(case),
        Property::Received => {
            let size = parameters.batch;
            let on = format!("over all assignments of {size} records");
            let number = case.algorithm.received()?;
            Ok(Quantity::new("E[records of a group]", number, natural(size), on))
        }
        Property::Samples => samples(case),
        Property::ChangedRecords | Property::ChangedGroups => changed(property, case),
        Property::FixedTables | Property::Averaged => delta(property, case),
        _ => unreachable!("statements are decided apart"),
    }
}

fn success(case: &Case<'_>) -> Found {
    let (found, stream) = extreme(case, |c| &Number::one() - &c.candidate)?;
    let on = format!(
        "on {}, where Select returns ⊥ at ℓ = d with probability {}",
        show(case.algorithm.class(), &stream),
        found.ended
    );
    let what = format!("least P(min M < K) over {}", case.which());
    Ok(Quantity::new(what, found.candidate, Number::one(), on))
}

fn broken(case: &Case<'_>) -> Found {
    let (found, stream) = extreme(case, |c| c.broken.clone())?;
    let (most, _) = extreme(case, |c| c.call.clone())?;
    let on = format!(
        "on {}; one call breaks the promise with probability at most {}",
        show(case.algorithm.class(), &stream),
        most.call
    );
    let what = format!("greatest P(a call breaks its promise) over {}", case.which());
    let names = vec![("call", most.call)];
    Ok(Quantity { names, ..Quantity::new(what, found.broken, Number::one(), on) })
}

/// The greatest value of a count over the streams; `most` is what it can be at the most.
fn greatest(name: &str, most: usize, count: impl Fn(&Chances) -> usize, case: &Case<'_>) -> Found {
    let (found, stream) = extreme(case, |c| natural(count(c)))?;
    let what = format!("greatest {name} over {}", case.which());
    let on = format!("on {}", show(case.algorithm.class(), &stream));
    Ok(Quantity::new(what, natural(count(&found)), natural(most), on))
}

/// The number of functions on the domain.
fn labellings(case: &Case<'_>) -> usize {
    let points = u32::try_from(case.algorithm.class().points()).ok();
    points.and_then(|points| 2usize.checked_pow(points)).unwrap_or(usize::MAX)
}

fn group_set(case: &Case<'_>) -> Found {
    let (z, tolerance) = (case.asked.unsuccessful(), case.tolerance());
    let most = case.algorithm.parameters().candidates.saturating_mul(z);
    let what = format!("greatest P(k − |I| > {most}) over {}", case.which());
    let mut value = Quantity::none_yet(what, Number::one());
    let mut batch = Number::zero();
    for stream in case.streams()? {
        let found = case.algorithm.group_set(&stream, &tolerance, z, case.limits)?;
        if found.full == 0 {
            continue;
        }
        batch = batch.max(found.batch.clone());
        let number = found.beyond(most);
        if value.empty || number > value.number {
            let shown = found.outside.iter().join(", ");
            value.on = format!(
                "on {}: k − |I| = 0, …, k with probability {shown}, at most {} full batches, for each \
                 P(Z > {z}) ≤ {}",
                show(case.algorithm.class(), &stream),
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

fn unsuccessful(case: &Case<'_>) -> Found {
    let (z, tolerance) = (case.asked.unsuccessful(), case.tolerance());
    let what = format!("greatest P(Z > {z}) over full first batches");
    let mut value = full_batches(what, Number::one(), case, |records| {
        let law = case.algorithm.unsuccessful(records, &tolerance, case.limits)?;
        let shown = law.iter().join(", ");
        Ok((tail(&law, z), format!("Z = 0, …, k with probability {shown}")))
    })?;
    value.names = vec![("z", natural(z))];
    Ok(value)
}

fn difference(case: &Case<'_>) -> Found {
    let (groups, tolerance) = (case.algorithm.parameters().groups, case.tolerance());
    let what = "greatest change of Z by one record".to_owned();
    full_batches(what, natural(groups), case, |records| {
        let found = case.algorithm.difference(records, &tolerance, case.limits)?;
        Ok((natural(found), format!("Z changes by {found} of k = {groups}")))
    })
}

fn samples(case: &Case<'_>) -> Found {
    let line5 = case.algorithm.stored_by(Rule::Subset)?;
    let other = case.algorithm.stored_by(case.asked.rule.unwrap_or_default().into())?;
    let on = format!("{} outcomes by line 5, {} by the rule", line5.len(), other.len());
    let distance = distance(&line5, &other)?;
    let parameters = case.algorithm.parameters();
    let value = Quantity::new("distance of the laws of samples", distance, Number::one(), on);
    Ok(Quantity { empty: parameters.batch <= parameters.sample, ..value })
}

fn changed(property: Property, case: &Case<'_>) -> Found {
    let (class, rounds) = (case.algorithm.class(), case.rounds());
    let by_place = case.asked.keyed_by == Some(KeyedBy::Place);
    let found = case.algorithm.changed(rounds, by_place, case.limits)?;
    let on = found.attained.as_ref().map_or_else(String::new, |([s, t], h, table)| {
        let (s, t) = (show(class, s), show(class, t));
        format!("on {s} and {t}, candidate {h}, {}", show_table(table))
    });
    Ok(if property == Property::ChangedGroups {
        let what = "greatest number of groups whose samples differ";
        let most = natural(case.algorithm.parameters().groups);
        Quantity::new(what, natural(found.groups), most, on)
    } else {
        let what = "greatest number of timestamps at which batches differ";
        Quantity::new(what, natural(found.records), natural(rounds), on)
    })
}

fn delta(property: Property, case: &Case<'_>) -> Found {
    let (algorithm, rounds) = (case.algorithm, case.rounds());
    let epsilon = case.asked.epsilon.as_ref().expect("checked with the fields");
    let level = epsilon.value.factor();
    let (pair, what) = if property == Property::FixedTables {
        let what = "worst δ over all tables and neighbouring streams";
        (algorithm.worst_given(rounds, &level, case.limits)?, what)
    } else {
        let worst = algorithm.worst(rounds, &level, case.limits)?;
        (worst, "worst δ over all neighbouring streams")
    };
    let on = show_pair(algorithm.class(), &pair);
    let names = vec![("exp_epsilon", level)];
    Ok(Quantity { names, ..Quantity::new(what, pair.delta, Number::one(), on) })
}

/// The chances on the first stream on which a number is greatest.
fn extreme(case: &Case<'_>, of: impl Fn(&Chances) -> Number) -> Result<(Chances, Stream), Fault> {
    let mut best: Option<(Number, Chances, Stream)> = None;
    for stream in case.streams()? {
        let found = case.algorithm.chances(&stream, case.limits)?;
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
    what: String,
    most: Number,
    case: &Case<'_>,
    of: impl Fn(&[Record]) -> Result<(Number, String), Fault>,
) -> Found {
    let (algorithm, mut value) = (case.algorithm, Quantity::none_yet(what, most));
    for stream in case.streams()? {
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
    Ok(value)
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

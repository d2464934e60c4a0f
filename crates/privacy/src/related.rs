//! Pairs of data sets of one-shot mechanisms that are related in other ways than by one replaced,
//! added or removed record: adjacent vectors of answers, and data sets that differ in several
//! records (Fact 1).

use itertools::Itertools;

use super::question::Neighbour;
use littlestone_base::error::{Error, Result};
use littlestone_mechanism::Interface;

/// The greatest number of data sets whose pairs are listed.
const DATA_SETS: usize = 1024;

/// All pairs of adjacent vectors, as data sets of one record: the records are vectors of the answers
/// −1, 0, 1, written with one of `-`, `0`, `+` each, and every answer moves by at most one. Each pair
/// comes once.
///
/// # Errors
/// When the records are no such vectors, or there are too many.
pub fn adjacent(interface: &Interface) -> Result<Vec<Neighbour>> {
    let entry = |sign| match sign {
        '-' => Some(-1i8),
        '0' => Some(0),
        '+' => Some(1),
        _ => None,
    };
    let vector = |record: usize| {
        let name = interface.record_name(record);
        name.chars().map(entry).collect::<Option<Vec<i8>>>().ok_or_else(|| {
            let expected = "adjacent data sets are vectors of answers such as `-0+`";
            Error::argument(format!("{expected}, not `{name}`"))
        })
    };
    let vectors: Vec<Vec<i8>> = (0..interface.records()).map(vector).try_collect()?;
    let close = |a: usize, b: usize| {
        let (first, second) = (&vectors[a], &vectors[b]);
        first.len() == second.len() && first.iter().zip(second).all(|(a, b)| a.abs_diff(*b) <= 1)
    };
    pairs(interface.records(), 1, |first, second| {
        first.iter().zip(second).all(|(&a, &b)| close(a, b))
    })
}

/// All pairs of data sets of `rounds` records over the given number of records that differ in at
/// least one place and in at most `distance`. Each pair comes once.
///
/// # Errors
/// When there are too many data sets.
pub fn within(records: usize, rounds: usize, distance: usize) -> Result<Vec<Neighbour>> {
    pairs(records, rounds, |first, second| {
        first.iter().zip(second).filter(|(a, b)| a != b).count() <= distance
    })
}

fn pairs(
    records: usize,
    rounds: usize,
    related: impl Fn(&[usize], &[usize]) -> bool,
) -> Result<Vec<Neighbour>> {
    let number = u32::try_from(rounds).ok().and_then(|rounds| records.checked_pow(rounds));
    if number.is_none_or(|number| number > DATA_SETS) {
        return Err(Error::TooLarge {
            what: "the set of data sets whose pairs are listed".into(),
            size: format!("{records}^{rounds} members"),
            limit: DATA_SETS.to_string(),
        });
    }
    let sets: Vec<Vec<usize>> =
        std::iter::repeat_n(0..records, rounds).multi_cartesian_product().collect();
    let all = sets.iter().array_combinations();
    let kept = all.filter(|[first, second]| related(first, second));
    Ok(kept
        .map(|[first, second]| Neighbour { first: first.clone(), second: second.clone() })
        .collect())
}

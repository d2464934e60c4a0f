//! Lemma 10: privacy for each fixed table of assignments and numbers, and why it is so.

use itertools::Itertools;

use crate::Law;
use littlestone_base::error::Error;
use littlestone_exact::Number;
use littlestone_exact::functions;
use littlestone_exact::limits::Limits;

use super::algorithm::{Algorithm, Record, batch};
use super::chances::divergence;
use super::law::Enumerate;
use super::oracle::{Fixed, Received, Table};
use super::streams::{Stream, streams};
use super::{Fault, Function};

/// The greatest number of tables.
const MOST_TABLES: usize = 1 << 20;

/// A worst pair of neighbouring streams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The exact worst δ.
    pub delta: Number,
    /// The streams that attain it; nothing when δ is 0.
    pub streams: Option<[Stream; 2]>,
    /// The table for which they do; nothing when the tables are averaged over.
    pub table: Option<Table>,
}

/// How much one record can change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The greatest number of timestamps at which `B_K(h, S)` and `B_K(h, S')` differ.
    pub records: usize,
    /// The greatest number of groups that store different samples of them, with one table.
    pub groups: usize,
    /// Streams, candidate and table that attain the number of groups.
    pub attained: Option<([Stream; 2], Function, Table)>,
}

/// All tables for so many rounds and batches, up to the order of the groups.
///
/// Select only counts lists, so renaming the groups, in all batches at once, changes no law. Where
/// no group can receive more than n records the numbers are never looked at.
///
/// # Errors
/// When there are more than 2^20 tables.
fn tables(
    rounds: usize,
    batches: usize,
    groups: usize,
    numbers_matter: bool,
    by_place: bool,
) -> Result<Vec<Table>, Error> {
    // Group names in the order of their first use.
    let mut assignments = vec![Vec::new()];
    for _ in 0..rounds * batches {
        let longer = |row: &Vec<usize>| {
            let used = row.iter().max().map_or(0, |most| most + 1);
            (0..groups.min(used + 1))
                .map(|group| row.iter().copied().chain([group]).collect())
                .collect::<Vec<Vec<usize>>>()
        };
        assignments = assignments.iter().flat_map(longer).collect();
        within(assignments.len())?;
    }
    let orders: Vec<Vec<usize>> = if numbers_matter {
        (0..rounds).permutations(rounds).collect()
    } else {
        vec![(0..rounds).collect()]
    };
    let mut numbers: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    for _ in 0..batches {
        within(numbers.len().saturating_mul(orders.len()))?;
        numbers = numbers
            .iter()
            .cartesian_product(&orders)
            .map(|(rows, order)| rows.iter().cloned().chain([order.clone()]).collect())
            .collect();
    }
    within(assignments.len().saturating_mul(numbers.len()))?;
    let table = |(row, numbers): (&Vec<usize>, &Vec<Vec<usize>>)| Table {
        groups: row.chunks(rounds).map(<[usize]>::to_vec).collect(),
        numbers: numbers.clone(),
        by_place,
    };
    Ok(assignments.iter().cartesian_product(&numbers).map(table).collect())
}

fn within(count: usize) -> Result<(), Error> {
    if count <= MOST_TABLES {
        return Ok(());
    }
    Err(Error::TooLarge {
        what: "the set of assignments and numbers".into(),
        size: format!("{count} tables or more"),
        limit: format!("{MOST_TABLES} tables"),
    })
}

/// The ordered pairs of streams of the list that differ in one record.
fn neighbours(all: &[Stream]) -> impl Iterator<Item = (usize, usize)> {
    let differ = |a: &Stream, b: &Stream| a.iter().zip(b).filter(|(x, y)| x != y).count() == 1;
    (0..all.len()).cartesian_product(0..all.len()).filter(move |&(a, b)| differ(&all[a], &all[b]))
}

type Returned = Vec<(Vec<Function>, Number)>;

impl Algorithm {
    /// The law of what is returned on a stream for a fixed table: only the answers of Select are
    /// random. Sorted by outcome.
    ///
    /// # Errors
    /// When a limit is hit: each run counts as one state.
    ///
    /// # Panics
    /// When the table does not have a row for each batch and an entry for each round.
    pub fn law_given(
        &self,
        table: &Table,
        stream: &[(usize, bool)],
        limits: &Limits,
    ) -> Result<Law<Vec<Function>>, Fault> {
        let mut meter = limits.meter();
        let mut choices = Enumerate::new();
        let mut weights = Vec::new();
        loop {
            meter.count()?;
            let mut oracle = Fixed { table, select: &mut choices };
            let run = self.run(stream, &mut oracle)?;
            weights.push((run.candidates, choices.probability()));
            if !choices.advance() {
                return Ok(Law::new("the law of the candidates for a fixed table", weights)?);
            }
        }
    }

    /// The worst δ of Algorithm 2 at `level` = e^ε over all neighbouring streams of T rounds,
    /// realisable or not, and all fixed tables of groups and numbers: what the proof of Lemma 10
    /// shows. Neighbouring streams differ in one record; both directions count.
    ///
    /// # Errors
    /// When there are too many streams or tables, or a limit is hit.
    pub fn worst_given(
        &self,
        rounds: usize,
        level: &Number,
        limits: &Limits,
    ) -> Result<Pair, Fault> {
        let all = streams(self.class(), rounds, false)?;
        let parameters = self.parameters();
        let scarce = parameters.sample < parameters.batch.min(rounds);
        let tables = tables(rounds, parameters.candidates, parameters.groups, scarce, false)?;
        let mut worst = Pair { delta: Number::zero(), streams: None, table: None };
        for table in tables {
            let law = |stream: &Stream| self.law_given(&table, stream, limits);
            worsen(&mut worst, &all, level, law, Some(&table))?;
        }
        Ok(worst)
    }

    /// The worst δ of Algorithm 2 itself, where the tables are averaged over (Lemma 10).
    ///
    /// # Errors
    /// When there are too many streams, or a limit is hit.
    pub fn worst(&self, rounds: usize, level: &Number, limits: &Limits) -> Result<Pair, Fault> {
        let all = streams(self.class(), rounds, false)?;
        let mut worst = Pair { delta: Number::zero(), streams: None, table: None };
        worsen(&mut worst, &all, level, |stream| self.law(stream, limits), None)?;
        Ok(worst)
    }

    /// How much one record can change in the batch and the samples of one fixed candidate, over all
    /// neighbouring streams of T rounds, all functions on the domain as candidates, and all tables;
    /// `by_place` keys the tables by the place in the batch, not by the timestamp.
    ///
    /// # Errors
    /// When there are too many streams, functions or tables, or a limit is hit: each table counts as
    /// one state for each pair and candidate.
    pub fn changed(
        &self,
        rounds: usize,
        by_place: bool,
        limits: &Limits,
    ) -> Result<Changed, Fault> {
        let parameters = self.parameters();
        let all = streams(self.class(), rounds, false)?;
        let points = self.class().points();
        let functions = every_function(points)?;
        let scarce = parameters.sample < parameters.batch.min(rounds);
        let tables = tables(rounds, 1, parameters.groups, scarce, by_place)?;
        let mut meter = limits.meter();
        let mut found = Changed { records: 0, groups: 0, attained: None };
        for (a, b) in neighbours(&all) {
            for h in &functions {
                let batches = [&all[a], &all[b]].map(|s| batch(h, s, parameters.batch));
                let only = |one: &[Record], other: &[Record]| {
                    let times = one.iter().filter(|record| !other.contains(record));
                    times.map(|record| record.time).collect_vec()
                };
                let mut times = only(&batches[0], &batches[1]);
                times.extend(only(&batches[1], &batches[0]));
                found.records = found.records.max(times.into_iter().unique().count());
                for table in &tables {
                    meter.count()?;
                    let [one, other] = batches.each_ref().map(|b| self.stored(table, b));
                    let differ = one.iter().zip(&other).filter(|(a, b)| a != b).count();
                    if differ > found.groups {
                        found.groups = differ;
                        let pair = [all[a].clone(), all[b].clone()];
                        found.attained = Some((pair, h.clone(), table.clone()));
                    }
                }
            }
        }
        Ok(found)
    }

    /// The samples of a batch for a table with one row.
    fn stored(&self, table: &Table, records: &[Record]) -> Vec<Vec<Record>> {
        let mut received = vec![Vec::new(); self.parameters().groups];
        for (place, (&record, group)) in records.iter().zip(table.assign(1, records)).enumerate() {
            received[group].push(Received { record, place });
        }
        let store = |received: Vec<Received>| {
            let places = table.sample(1, &received, self.parameters().sample);
            places.into_iter().map(|at| received[at].record).collect()
        };
        received.into_iter().map(store).collect()
    }
}

/// Replaces the worst pair by one with a greater δ, if there is one.
fn worsen(
    worst: &mut Pair,
    all: &[Stream],
    level: &Number,
    law: impl Fn(&Stream) -> Result<Law<Vec<Function>>, Fault>,
    table: Option<&Table>,
) -> Result<(), Fault> {
    let sorted = |law: Law<Vec<Function>>| {
        law.into_vec().into_iter().sorted_by(|a, b| a.0.cmp(&b.0)).collect_vec()
    };
    let laws: Vec<Returned> =
        all.iter().map(|stream| law(stream).map(sorted)).collect::<Result<_, Fault>>()?;
    for (a, b) in neighbours(all) {
        let delta = divergence(&laws[a], &laws[b], level)?;
        let more = functions::compare(&delta, &worst.delta).map_err(Error::argument)?;
        if more.is_gt() {
            let streams = Some([all[a].clone(), all[b].clone()]);
            *worst = Pair { delta, streams, table: table.cloned() };
        }
    }
    Ok(())
}

/// All functions on so many points.
fn every_function(points: usize) -> Result<Vec<Function>, Error> {
    const MOST_POINTS: usize = 10;
    if points > MOST_POINTS {
        return Err(Error::TooLarge {
            what: "the set of all functions on the domain".into(),
            size: format!("{points} points"),
            limit: format!("{MOST_POINTS} points"),
        });
    }
    let labels = |f: usize| -> String {
        (0..points).map(|x| if f >> x & 1 == 1 { '1' } else { '0' }).collect()
    };
    Ok((0..1usize << points).map(|f| Function::new(&labels(f)).expect("0 or 1")).collect())
}

//! The last rounds of all suffixes at once.
//!
//! With the records r₁, r₂, … still to come, a history with gaps g adds
//! `Σ_w max(0, Σ_s g(s)·K_w(s))` to the divergence, where `K_w(s)` is the probability that the word w
//! is released from the state s. The columns `K_w` do not depend on the history. Proportional columns
//! of one suffix are merged, just as proportional histories are; a column that several suffixes
//! share is multiplied with each history once; and suffixes with equal columns are equal for every
//! history. So a search that meets these tables halfway looks at a fraction of the suffixes and of
//! their words.

use std::collections::{HashMap, HashSet};

use rustc_hash::FxBuildHasher;

use littlestone_exact::Arithmetic;
use littlestone_exact::limits::{Limits, Meter, Stopped};

use super::gaps::GapsOf;
use super::model::Model;
use super::search::Places;
use super::streams::Streams;

/// At most so many suffixes are tabulated for one length.
const SUFFIXES: usize = 2048;

/// At most so many columns of suffixes, counted for each suffix. Where histories merge and few nodes
/// are met, greater tables cost more than they save.
const WORDS: usize = 1 << 15;

/// At most so many numbers are tabulated for one length.
const CELLS: usize = 1 << 20;

/// The suffixes of one length.
struct Table<W> {
    /// Distinct columns up to a common factor: a weight for each state.
    columns: Vec<Vec<W>>,
    suffixes: Vec<Suffix<W>>,
}

struct Suffix<W> {
    records: Vec<u32>,
    /// Columns by index, increasing, each with its factor.
    columns: Vec<(usize, W)>,
}

/// The suffixes of up to a number of rounds.
pub(super) struct Tails<W> {
    tables: Vec<Table<W>>,
}

impl<W: Clone + Eq + std::hash::Hash> Tails<W> {
    /// Tables for suffixes of 0, …, `rounds` rounds, fewer if they would be too large or a limit is
    /// hit: the search that comes next says so.
    pub fn new<A: Arithmetic<Weight = W>>(
        arithmetic: &A,
        model: &Model<A>,
        streams: &Streams,
        rounds: usize,
        limits: &Limits,
    ) -> Self {
        let mut meter = limits.meter();
        let mut tables = vec![ended(arithmetic, model)];
        let records = model.records as usize;
        while tables.len() <= rounds {
            let last = tables.last().expect("the table of no rounds");
            let suffixes = last.suffixes.len() * records;
            // Moves with distinct symbols give at least as many columns as there were.
            let columns = last.columns.len().saturating_mul(model.states() as usize);
            if suffixes > SUFFIXES || columns > CELLS / records.max(1) {
                break;
            }
            let Ok(table) = preceded(arithmetic, model, last, streams.are_all(), &mut meter) else {
                break;
            };
            let words: usize = table.suffixes.iter().map(|suffix| suffix.columns.len()).sum();
            if words > WORDS {
                break;
            }
            tables.push(table);
        }
        Self { tables }
    }

    /// The greatest number of rounds of a tabulated suffix.
    pub fn rounds(&self) -> usize {
        self.tables.len() - 1
    }

    /// Calls `each` with every suffix of `left` rounds that both streams may have and the
    /// divergence it leads to, in lexicographic order, until it returns false. Of suffixes that are
    /// equal for every history, only the least is looked at.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn each<A: Arithmetic<Weight = W>>(
        &self,
        (arithmetic, model, streams): (&A, &Model<A>, &Streams),
        gaps: &GapsOf<A>,
        ((first, second), left): (Places, usize),
        meter: &mut Meter<'_>,
        mut each: impl FnMut(&[u32], A::Value) -> bool,
    ) -> Result<(), Stopped> {
        let table = &self.tables[left];
        let mut sums = vec![arithmetic.value_zero(); table.columns.len()];
        for (direction, factor) in &gaps.open {
            for (sum, column) in sums.iter_mut().zip(&table.columns) {
                meter.operations(direction.len())?;
                let mut gap = arithmetic.gap_zero();
                for (state, g) in direction {
                    let weight = &column[*state as usize];
                    if !arithmetic.is_zero(weight) {
                        arithmetic.gap_add(&mut gap, &arithmetic.gap_scale(g, weight));
                    }
                }
                if let Some(value) = arithmetic.gap_positive(&gap) {
                    arithmetic.value_add(sum, &arithmetic.value_scale(&value, factor));
                }
            }
        }
        let settled = arithmetic.value_scale(&gaps.settled, model.remaining_denominator(left));
        for suffix in &table.suffixes {
            let place = |place: u32| {
                suffix.records.iter().try_fold(place, |place, record| streams.step(place, *record))
            };
            if place(first).is_none() || place(second).is_none() {
                continue;
            }
            let mut value = settled.clone();
            meter.operations(suffix.columns.len())?;
            for (column, factor) in &suffix.columns {
                arithmetic.value_add(&mut value, &arithmetic.value_scale(&sums[*column], factor));
            }
            if !each(&suffix.records, value) {
                break;
            }
        }
        Ok(())
    }
}

/// Collects distinct columns.
struct Columns<W> {
    columns: Vec<Vec<W>>,
    met: HashMap<Vec<W>, usize, FxBuildHasher>,
}

impl<W: Clone + Eq + std::hash::Hash> Columns<W> {
    fn new() -> Self {
        Self { columns: Vec::new(), met: HashMap::default() }
    }

    /// The index and the factor of a column; `None` if it is zero.
    fn add<A: Arithmetic<Weight = W>>(
        &mut self,
        arithmetic: &A,
        mut column: Vec<W>,
    ) -> Option<(usize, W)> {
        if column.iter().all(|w| arithmetic.is_zero(w)) {
            return None;
        }
        let content = arithmetic.content(column.iter().filter(|w| !arithmetic.is_zero(w)));
        if content != arithmetic.one() {
            for weight in column.iter_mut().filter(|w| !arithmetic.is_zero(w)) {
                *weight = arithmetic.divide(weight, &content);
            }
        }
        let fresh = self.columns.len();
        let index = *self.met.entry(column).or_insert_with_key(|column| {
            self.columns.push(column.clone());
            fresh
        });
        Some((index, content))
    }
}

/// Adds factors of equal columns.
fn summed<A: Arithmetic>(
    arithmetic: &A,
    mut columns: Vec<(usize, A::Weight)>,
) -> Vec<(usize, A::Weight)> {
    columns.sort_unstable_by_key(|c| c.0);
    columns.dedup_by(|later, kept| {
        let equal = later.0 == kept.0;
        if equal {
            arithmetic.add(&mut kept.1, &later.1);
        }
        equal
    });
    columns
}

/// The table of the empty suffix: nothing, or a final symbol, is still to be released.
fn ended<A: Arithmetic>(arithmetic: &A, model: &Model<A>) -> Table<A::Weight> {
    let states = model.states() as usize;
    let mut columns = Columns::new();
    let found = match &model.finish {
        None => columns.add(arithmetic, vec![arithmetic.one(); states]).into_iter().collect(),
        Some(finish) => {
            let symbols = finish.iter().flatten().map(|(o, _)| o + 1).max().unwrap_or(0);
            let column = |symbol: u32| {
                let weight = |law: &Vec<(u32, A::Weight)>| {
                    let entry = law.iter().find(|(o, _)| *o == symbol);
                    entry.map_or_else(|| arithmetic.zero(), |(_, weight)| weight.clone())
                };
                finish.iter().map(weight).collect()
            };
            (0..symbols).filter_map(|symbol| columns.add(arithmetic, column(symbol))).collect()
        }
    };
    let suffix = Suffix { records: Vec::new(), columns: summed(arithmetic, found) };
    Table { columns: columns.columns, suffixes: vec![suffix] }
}

/// The table of the suffixes with one round more in front. With `alike`, of suffixes with equal
/// columns only the least is kept.
fn preceded<A: Arithmetic>(
    arithmetic: &A,
    model: &Model<A>,
    last: &Table<A::Weight>,
    alike: bool,
    meter: &mut Meter<'_>,
) -> Result<Table<A::Weight>, Stopped> {
    let mut columns = Columns::new();
    let mut suffixes = Vec::new();
    let mut met = HashSet::new();
    for record in 0..model.records {
        // For each column of the last table, the columns of its words after each symbol.
        let mut before: Vec<Vec<(usize, A::Weight)>> = Vec::with_capacity(last.columns.len());
        for column in &last.columns {
            let words = released(arithmetic, model, record, column, meter)?;
            before.push(words.into_iter().filter_map(|c| columns.add(arithmetic, c)).collect());
        }
        for suffix in &last.suffixes {
            let mut found = Vec::new();
            for (column, factor) in &suffix.columns {
                meter.operations(before[*column].len())?;
                for (index, own) in &before[*column] {
                    found.push((*index, arithmetic.mul(own, factor)));
                }
            }
            let found = summed(arithmetic, found);
            if alike && !met.insert(found.clone()) {
                continue;
            }
            let records = [record].into_iter().chain(suffix.records.iter().copied()).collect();
            suffixes.push(Suffix { records, columns: found });
        }
    }
    Ok(Table { columns: columns.columns, suffixes })
}

/// For each symbol, the column of the words that begin with it and go on as in `column`.
fn released<A: Arithmetic>(
    arithmetic: &A,
    model: &Model<A>,
    record: u32,
    column: &[A::Weight],
    meter: &mut Meter<'_>,
) -> Result<Vec<Vec<A::Weight>>, Stopped> {
    let mut words: Vec<Vec<A::Weight>> = Vec::new();
    for state in 0..model.states() {
        meter.operations(model.moves(record, state).len())?;
        for m in model.moves(record, state) {
            let symbol = m.output as usize;
            while words.len() <= symbol {
                meter.work(256 + 8 * column.len())?;
                words.push(vec![arithmetic.zero(); column.len()]);
            }
            let weight = arithmetic.mul(&m.weight, &column[m.to as usize]);
            arithmetic.add(&mut words[symbol][state as usize], &weight);
        }
    }
    Ok(words)
}

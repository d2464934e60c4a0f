//! What the generators share: names of points, packed rows, and a builder without repetitions.

use rustc_hash::FxHashSet;

use crate::{Class, ClassBuilder};
use littlestone_base::error::Result;
use littlestone_base::limits::{Meter, Stopped};

/// An argument as an index. Sizes were bounded before, so an argument that does not fit can only
/// be a bound itself ("at most t terms"), for which any greater number does the same.
pub(super) fn index(argument: u64) -> usize {
    usize::try_from(argument).unwrap_or(usize::MAX)
}

/// The points `1`, …, `n`.
pub(super) fn numbered(n: usize) -> Vec<String> {
    (1..=n).map(|x| x.to_string()).collect()
}

/// The points of a grid, row by row: `1.1`, `1.2`, …
pub(super) fn grid(rows: usize, columns: usize) -> Vec<String> {
    (1..=rows).flat_map(|r| (1..=columns).map(move |c| format!("{r}.{c}"))).collect()
}

/// The points of `{0,1}^n` in increasing order, `00…0` first; the first digit is the first
/// variable.
pub(super) fn bit_strings(n: usize) -> Vec<String> {
    (0..1usize << n).map(|x| format!("{x:0n$b}")).collect()
}

/// The mask of variable `v` (from 0) in an index of a point of `{0,1}^n`.
pub(super) fn variable(n: usize, v: usize) -> usize {
    1 << (n - 1 - v)
}

/// The packed row of a set of points.
pub(super) fn packed(stride: usize, members: impl IntoIterator<Item = usize>) -> Vec<u64> {
    let mut words = vec![0; stride];
    for x in members {
        words[x / 64] |= 1 << (x % 64);
    }
    words
}

/// A class that grows row by row within limits.
pub(super) struct Rows<'m, 'p> {
    builder: ClassBuilder,
    /// Short steps that a row takes, roughly.
    cost: usize,
    pub(super) meter: &'m mut Meter<'p>,
}

impl<'m, 'p> Rows<'m, 'p> {
    pub(super) fn new(points: Vec<String>, meter: &'m mut Meter<'p>) -> Self {
        // A few steps for each label, and the memory of the row and of its entry in the index.
        let cost = 256 + 8 * points.len();
        Self { builder: ClassBuilder::new(points), cost, meter }
    }

    pub(super) fn stride(&self) -> usize {
        self.builder.stride()
    }

    /// Adds a hypothesis as [`ClassBuilder::push`] does.
    pub(super) fn push(
        &mut self,
        name: Option<String>,
        labels: impl IntoIterator<Item = bool>,
    ) -> Result<(), Stopped> {
        self.meter.work(self.cost)?;
        self.builder.push(name, labels);
        Ok(())
    }

    /// Adds a hypothesis as [`ClassBuilder::push_packed`] does.
    pub(super) fn push_packed(&mut self, words: &[u64]) -> Result<(), Stopped> {
        self.meter.work(self.cost)?;
        self.builder.push_packed(None, words);
        Ok(())
    }

    pub(super) fn build(self) -> Class {
        self.builder.build()
    }
}

/// The class of the given sets of points, which differ from each other.
pub(super) fn sets<S: IntoIterator<Item = usize>>(
    points: Vec<String>,
    sets: impl IntoIterator<Item = S>,
    meter: &mut Meter<'_>,
) -> Result<Class> {
    let mut rows = Rows::new(points, meter);
    for set in sets {
        let words = packed(rows.stride(), set);
        rows.push_packed(&words)?;
    }
    Ok(rows.build())
}

/// The class of the functions that `label(h, x)` gives for `h < hypotheses`; they differ from
/// each other.
pub(super) fn functions(
    points: Vec<String>,
    hypotheses: usize,
    label: impl Fn(usize, usize) -> bool,
    meter: &mut Meter<'_>,
) -> Result<Class> {
    let n = points.len();
    let members = |h| (0..n).filter(|&x| label(h, x)).collect::<Vec<_>>();
    sets(points, (0..hypotheses).map(members), meter)
}

/// A builder for generators that meet the same function many times, without a record of the
/// repetitions.
pub(super) struct Distinct<'m, 'p> {
    seen: FxHashSet<Box<[u64]>>,
    rows: Rows<'m, 'p>,
}

impl<'m, 'p> Distinct<'m, 'p> {
    pub(super) fn new(points: Vec<String>, meter: &'m mut Meter<'p>) -> Self {
        Self { seen: FxHashSet::default(), rows: Rows::new(points, meter) }
    }

    pub(super) fn stride(&self) -> usize {
        self.rows.stride()
    }

    /// The meter of the rows, for work between them.
    pub(super) fn meter(&mut self) -> &mut Meter<'p> {
        self.rows.meter
    }

    /// Adds a function; whether it is new.
    pub(super) fn push(&mut self, words: &[u64]) -> Result<bool, Stopped> {
        if self.seen.contains(words) {
            self.rows.meter.work(self.rows.cost)?;
            return Ok(false);
        }
        self.rows.push_packed(words)?;
        self.seen.insert(words.into());
        Ok(true)
    }

    pub(super) fn build(self) -> Class {
        self.rows.build()
    }
}

//! What the generators share: names of points, packed rows, and a builder without repetitions.

use rustc_hash::FxHashSet;

use crate::{Class, ClassBuilder};

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

/// The class of the given sets of points, which differ from each other.
pub(super) fn sets<S: IntoIterator<Item = usize>>(
    points: Vec<String>,
    sets: impl IntoIterator<Item = S>,
) -> Class {
    let mut builder = ClassBuilder::new(points);
    for set in sets {
        let words = packed(builder.stride(), set);
        builder.push_packed(None, &words);
    }
    builder.build()
}

/// The class of the functions that `label(h, x)` gives for `h < hypotheses`; they differ from
/// each other.
pub(super) fn functions(
    points: Vec<String>,
    hypotheses: usize,
    label: impl Fn(usize, usize) -> bool,
) -> Class {
    let n = points.len();
    sets(points, (0..hypotheses).map(|h| (0..n).filter(|&x| label(h, x)).collect::<Vec<_>>()))
}

/// A builder for generators that meet the same function many times, without a record of the
/// repetitions.
pub(super) struct Distinct {
    seen: FxHashSet<Box<[u64]>>,
    builder: ClassBuilder,
}

impl Distinct {
    pub(super) fn new(points: Vec<String>) -> Self {
        Self { seen: FxHashSet::default(), builder: ClassBuilder::new(points) }
    }

    pub(super) fn stride(&self) -> usize {
        self.builder.stride()
    }

    /// Adds a function; whether it is new.
    pub(super) fn push(&mut self, words: &[u64]) -> bool {
        if self.seen.contains(words) {
            return false;
        }
        self.seen.insert(words.into());
        self.builder.push_packed(None, words);
        true
    }

    pub(super) fn build(self) -> Class {
        self.builder.build()
    }
}

//! The class itself: a duplicate-free table of labels with names for its rows and columns.

use std::borrow::Cow;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// A finite hypothesis class over a finite domain.
///
/// Hypotheses are distinct as functions; [`ClassBuilder`] merges equal ones. Labels are packed,
/// 64 points a word, point `x` of a hypothesis at bit `x % 64` of word `x / 64`; unused bits are 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    points: Vec<String>,
    names: Option<Vec<String>>,
    hypotheses: usize,
    stride: usize,
    labels: Vec<u64>,
}

impl Class {
    /// Number of hypotheses, |H|.
    pub fn hypotheses(&self) -> usize {
        self.hypotheses
    }

    /// Number of points, |X|.
    pub fn points(&self) -> usize {
        self.points.len()
    }

    /// The label of hypothesis `h` at point `x`.
    pub fn label(&self, h: usize, x: usize) -> bool {
        assert!(x < self.points.len(), "point {x} of {}", self.points.len());
        self.row(h)[x / 64] >> (x % 64) & 1 == 1
    }

    /// The labels of hypothesis `h`, packed 64 points a word.
    pub fn row(&self, h: usize) -> &[u64] {
        &self.labels[h * self.stride..(h + 1) * self.stride]
    }

    /// The names of the points, in order.
    pub fn point_names(&self) -> &[String] {
        &self.points
    }

    /// The index of the point called `name`.
    pub fn point_index(&self, name: &str) -> Option<usize> {
        self.points.iter().position(|p| p == name)
    }

    /// The name of hypothesis `h`: the one given, else `h1`, `h2`, … by position.
    pub fn hypothesis_name(&self, h: usize) -> Cow<'_, str> {
        match &self.names {
            Some(names) => Cow::Borrowed(&names[h]),
            None => Cow::Owned(format!("h{}", h + 1)),
        }
    }

    /// Whether the hypotheses carry names of their own.
    pub fn has_names(&self) -> bool {
        self.names.is_some()
    }

    /// The labels of hypothesis `h` as a string of `0` and `1` in point order.
    pub fn labels(&self, h: usize) -> String {
        (0..self.points()).map(|x| if self.label(h, x) { '1' } else { '0' }).collect()
    }

    /// The columns: for each point, the hypotheses that label it 1, packed 64 hypotheses a word.
    pub fn columns(&self) -> Vec<Vec<u64>> {
        match self.hypotheses.div_ceil(64) {
            0 => vec![Vec::new(); self.points()],
            words => self.packed_columns().chunks_exact(words).map(<[u64]>::to_vec).collect(),
        }
    }

    /// The columns, one after the other.
    pub(crate) fn packed_columns(&self) -> Vec<u64> {
        let words = self.hypotheses.div_ceil(64);
        let mut columns = vec![0u64; words * self.points()];
        for (word, rows) in self.labels.chunks(64 * self.stride.max(1)).enumerate() {
            for block in 0..self.stride {
                let mut square = [0u64; 64];
                let labels = rows[block..].iter().step_by(self.stride);
                square.iter_mut().zip(labels).for_each(|(to, &from)| *to = from);
                transpose(&mut square);
                for (x, &column) in (block * 64..self.points()).zip(&square) {
                    columns[x * words + word] = column;
                }
            }
        }
        columns
    }
}

/// Exchanges the rows and columns of a square of bits, by exchanging ever smaller quarters
/// (Hacker's Delight, 7-3).
fn transpose(square: &mut [u64; 64]) {
    let (mut width, mut low) = (32, u64::from(u32::MAX));
    while width > 0 {
        for pair in square.chunks_exact_mut(2 * width) {
            let (upper, lower) = pair.split_at_mut(width);
            for (a, b) in upper.iter_mut().zip(lower) {
                let changed = (*a >> width ^ *b) & low;
                *a ^= changed << width;
                *b ^= changed;
            }
        }
        width /= 2;
        low ^= low << width;
    }
}

/// Two rows of an input that are the same function: the later one was dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merge {
    /// Index of the hypothesis that was kept, in the finished class.
    pub kept: usize,
    /// Position of the dropped row among all rows that were pushed, from 0.
    pub dropped: usize,
}

/// Collects hypotheses one by one and keeps each function once.
#[derive(Debug, Clone)]
pub struct ClassBuilder {
    class: Class,
    index: HashTable<usize>,
    pushed: usize,
    merges: Vec<Merge>,
}

impl ClassBuilder {
    /// An empty class over the given points. The caller has made sure that their names are
    /// distinct.
    pub fn new(points: Vec<String>) -> Self {
        let stride = points.len().div_ceil(64);
        Self {
            class: Class { points, names: None, hypotheses: 0, stride, labels: Vec::new() },
            index: HashTable::new(),
            pushed: 0,
            merges: Vec::new(),
        }
    }

    /// Number of words a packed row takes.
    pub fn stride(&self) -> usize {
        self.class.stride
    }

    /// Adds a hypothesis given by its labels in point order, with an optional name. A function
    /// that is present already is not added again (the merge is recorded).
    ///
    /// # Panics
    /// When the number of labels is not the number of points.
    pub fn push(&mut self, name: Option<String>, labels: impl IntoIterator<Item = bool>) {
        let mut words = vec![0u64; self.class.stride];
        let mut count = 0;
        for (x, label) in labels.into_iter().enumerate() {
            words[x / 64] |= u64::from(label) << (x % 64);
            count = x + 1;
        }
        assert_eq!(count, self.class.points.len(), "labels of a hypothesis");
        self.push_packed(name, &words);
    }

    /// Adds a hypothesis given as packed words (see [`Class::row`]).
    ///
    /// # Panics
    /// When the number of words is not [`ClassBuilder::stride`], or a bit past the last point is
    /// set.
    pub fn push_packed(&mut self, name: Option<String>, words: &[u64]) {
        let class = &mut self.class;
        assert_eq!(words.len(), class.stride, "words of a hypothesis");
        let used = class.points.len() % 64;
        if used != 0 {
            assert_eq!(words[class.stride - 1] >> used, 0, "bits past the last point");
        }
        let dropped = self.pushed;
        self.pushed += 1;
        let hash = FxBuildHasher.hash_one(words);
        if let Some(&kept) = self.index.find(hash, |&h| class.row(h) == words) {
            self.merges.push(Merge { kept, dropped });
            return;
        }
        let h = class.hypotheses;
        class.labels.extend_from_slice(words);
        class.hypotheses += 1;
        match (&mut class.names, name) {
            (Some(names), name) => names.push(name.unwrap_or_else(|| format!("h{}", h + 1))),
            (None, None) => {}
            (None, Some(name)) => {
                let mut names: Vec<String> = (1..=h).map(|i| format!("h{i}")).collect();
                names.push(name);
                class.names = Some(names);
            }
        }
        self.index.insert_unique(hash, h, |&h| FxBuildHasher.hash_one(class.row(h)));
    }

    /// Number of distinct hypotheses so far.
    pub fn len(&self) -> usize {
        self.class.hypotheses
    }

    /// Whether no hypothesis has been added.
    pub fn is_empty(&self) -> bool {
        self.class.hypotheses == 0
    }

    /// The finished class, and the rows that were merged into earlier equal ones.
    pub fn finish(self) -> (Class, Vec<Merge>) {
        (self.class, self.merges)
    }

    /// The finished class, when merges are of no interest.
    pub fn build(self) -> Class {
        self.class
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_are_merged_and_named_by_the_first() {
        let mut builder = ClassBuilder::new(vec!["a".into(), "b".into()]);
        builder.push(None, [false, true]);
        builder.push(Some("g".into()), [true, true]);
        builder.push(Some("again".into()), [false, true]);
        let (class, merges) = builder.finish();
        assert_eq!(class.hypotheses(), 2);
        assert_eq!(merges, [Merge { kept: 0, dropped: 2 }]);
        assert_eq!(
            (class.hypothesis_name(0).as_ref(), class.hypothesis_name(1).as_ref()),
            ("h1", "g")
        );
        assert_eq!((class.labels(0), class.labels(1)), ("01".into(), "11".into()));
    }

    #[test]
    fn columns_are_the_transpose() {
        let points = (0..70).map(|x| x.to_string()).collect();
        let mut builder = ClassBuilder::new(points);
        for h in 0..130usize {
            builder.push(None, (0..70).map(|x| (h * 7 + x * x) % 5 == 0 || h % 70 == x));
        }
        let class = builder.build();
        let columns = class.columns();
        for h in 0..class.hypotheses() {
            for (x, column) in columns.iter().enumerate() {
                assert_eq!(column[h / 64] >> (h % 64) & 1 == 1, class.label(h, x));
            }
        }
    }
}

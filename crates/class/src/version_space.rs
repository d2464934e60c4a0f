//! Sets of hypotheses of one class, above all those consistent with a sequence of examples.

use super::Class;

/// A subset of the hypotheses of one class: `G|Q`, the functions of `G` consistent with the
/// labelled examples `Q` (Section 7.1 of the paper).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VersionSpace {
    words: Vec<u64>,
    len: usize,
}

impl VersionSpace {
    /// All hypotheses of `class`.
    pub fn full(class: &Class) -> Self {
        let len = class.hypotheses();
        let mut words = vec![u64::MAX; len.div_ceil(64)];
        if let Some(last) = words.last_mut()
            && !len.is_multiple_of(64)
        {
            *last = (1 << (len % 64)) - 1;
        }
        Self { words, len }
    }

    /// Number of hypotheses in the set.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether hypothesis `h` is in the set.
    pub fn contains(&self, h: usize) -> bool {
        self.words[h / 64] >> (h % 64) & 1 == 1
    }

    /// The set, packed 64 hypotheses a word.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The members that give the point of `column` the label `label`; `column` holds the
    /// hypotheses with label 1, as in [`Class::columns`].
    #[must_use]
    pub fn restrict(&self, column: &[u64], label: bool) -> Self {
        let flip = if label { 0 } else { u64::MAX };
        let words: Vec<u64> = self.words.iter().zip(column).map(|(a, c)| a & (c ^ flip)).collect();
        let len = words.iter().map(|w| w.count_ones() as usize).sum();
        Self { words, len }
    }

    /// The members in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(block, &word)| {
            std::iter::successors(Some(word), |w| w.checked_sub(1).map(|below| w & below))
                .take_while(|&w| w != 0)
                .map(move |w| block * 64 + w.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::ClassBuilder;
    use super::*;

    #[test]
    fn restriction_keeps_exactly_the_consistent_hypotheses() {
        let mut builder = ClassBuilder::new((0..9).map(|x| x.to_string()).collect());
        for h in 0..400usize {
            builder.push(None, (0..9).map(|x| h >> x & 1 == 1));
        }
        let class = builder.build();
        let columns = class.columns();
        let space =
            VersionSpace::full(&class).restrict(&columns[3], true).restrict(&columns[8], false);
        let expected: Vec<usize> =
            (0..class.hypotheses()).filter(|&h| class.label(h, 3) && !class.label(h, 8)).collect();
        assert_eq!(space.iter().collect::<Vec<_>>(), expected);
        assert_eq!(space.len(), expected.len());
    }
}

//! Sets of hypotheses as bit masks.

use std::hash::Hash;

/// A set of hypotheses. One word is enough for small classes, and saves the allocation of keys.
pub trait Rows: Clone + Eq + Hash {
    /// The set of the first `count` hypotheses.
    fn full(count: usize) -> Self;

    /// Makes `side` the members whose bit in `column` is `label`, and returns how many there are.
    fn side(&self, column: &[u64], label: bool, side: &mut Self) -> u32;

    /// Bytes that a stored key takes, the entry of the hash table included.
    fn stored(&self) -> usize;
}

fn flip(label: bool) -> u64 {
    if label { 0 } else { u64::MAX }
}

impl Rows for u64 {
    fn full(count: usize) -> Self {
        if count == 64 { Self::MAX } else { (1 << count) - 1 }
    }

    fn side(&self, column: &[u64], label: bool, side: &mut Self) -> u32 {
        *side = self & (column[0] ^ flip(label));
        side.count_ones()
    }

    fn stored(&self) -> usize {
        // A key, a value and a control byte, at a load of one half.
        2 * 17
    }
}

impl Rows for Box<[u64]> {
    fn full(count: usize) -> Self {
        let mut words = vec![u64::MAX; count.div_ceil(64)];
        if let Some(last) = words.last_mut()
            && !count.is_multiple_of(64)
        {
            *last = (1 << (count % 64)) - 1;
        }
        words.into_boxed_slice()
    }

    fn side(&self, column: &[u64], label: bool, side: &mut Self) -> u32 {
        let flip = flip(label);
        let mut count = 0;
        for ((to, from), word) in side.iter_mut().zip(self.iter()).zip(column) {
            *to = from & (word ^ flip);
            count += to.count_ones();
        }
        count
    }

    fn stored(&self) -> usize {
        // The words with the allocator's header, and the entry at a load of one half.
        8 * self.len() + 16 + 2 * 25
    }
}

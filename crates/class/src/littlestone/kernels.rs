//! The bit-parallel inner loops of the search, run with the widest instructions of the machine.
//!
//! Each kernel is plain Rust on `u64` words. The `pulp` crate compiles it a second time for
//! machines with AVX2 and a population-count instruction and picks the version at run time, so
//! there is no unsafe code here and the results do not depend on the machine.

#![expect(
    clippy::inline_always,
    reason = "a loop that is not inlined is compiled without the wide instructions"
)]

use pulp::{Arch, Simd, WithSimd};

/// Columns handled together in [`Kernels::squeeze`].
const BATCH: usize = 8;

/// The instruction set in use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kernels(Arch);

/// Bit masks that move the selected bits of a word to its low end (Hacker's Delight, 7-4): made
/// once for a mask, applied to the same word of every column.
struct Squeeze {
    mask: u64,
    moves: [u64; 6],
}

impl Squeeze {
    #[inline(always)]
    fn new(mask: u64) -> Self {
        let mut moves = [0; 6];
        let mut m = mask;
        let mut below = !mask << 1;
        for (i, slot) in moves.iter_mut().enumerate() {
            let mut parity = below ^ (below << 1);
            parity ^= parity << 2;
            parity ^= parity << 4;
            parity ^= parity << 8;
            parity ^= parity << 16;
            parity ^= parity << 32;
            *slot = parity & m;
            m = (m ^ *slot) | (*slot >> (1 << i));
            below &= !parity;
        }
        Self { mask, moves }
    }

    #[inline(always)]
    fn apply(&self, word: u64) -> u64 {
        let mut x = word & self.mask;
        for (i, &mv) in self.moves.iter().enumerate() {
            let t = x & mv;
            x = (x ^ t) | (t >> (1 << i));
        }
        x
    }

    #[inline(always)]
    fn apply_all(&self, words: &mut [u64; BATCH]) {
        for x in words.iter_mut() {
            *x &= self.mask;
        }
        for (i, &mv) in self.moves.iter().enumerate() {
            for x in words.iter_mut() {
                let t = *x & mv;
                *x = (*x ^ t) | (t >> (1 << i));
            }
        }
    }
}

/// Sums of ones are at most the number of rows, which fits `u32`: they are added with
/// `wrapping_add` only to spare the inner loops a check that cannot fire.
///
/// Makes `out` as long as the results that are about to be written over it. The loops below are
/// written out, not built from closures: a closure that is not inlined would lose the wide
/// instructions.
#[inline(always)]
fn fit<T: Copy + Default>(out: &mut Vec<T>, len: usize) {
    out.resize(len, T::default());
}

/// Declares a kernel as a method of [`Kernels`] whose body is compiled for each instruction set.
macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident($($arg:ident: $ty:ty),*) -> $out:ty $body:block) => {
        $(#[$doc])*
        pub(crate) fn $name<'a>(self, $($arg: $ty),*) -> $out {
            struct Op<'a> { $($arg: $ty,)* marker: std::marker::PhantomData<&'a ()> }
            impl<'a> WithSimd for Op<'a> {
                type Output = $out;
                #[inline(always)]
                fn with_simd<S: Simd>(self, _simd: S) -> $out {
                    let Self { $($arg,)* .. } = self;
                    $body
                }
            }
            self.0.dispatch(Op { $($arg,)* marker: std::marker::PhantomData })
        }
    };
}

impl Kernels {
    /// The best version for this machine.
    pub(super) fn new() -> Self {
        Self(Arch::new())
    }

    kernel! {
        /// Number of ones of each column; `columns` holds them one after the other, `words` each.
        count(columns: &'a [u64], words: usize, out: &'a mut Vec<u32>) -> () {
            fit(out, columns.len() / words);
            if words == 1 {
                for (total, c) in out.iter_mut().zip(columns) {
                    *total = c.count_ones();
                }
            } else {
                for (total, column) in out.iter_mut().zip(columns.chunks_exact(words)) {
                    let mut sum = 0;
                    for c in column {
                        sum = c.count_ones().wrapping_add(sum);
                    }
                    *total = sum;
                }
            }
        }
    }

    kernel! {
        /// For column `first` and each column of `others`, the number of rows in which both are
        /// one.
        count_meets(
            columns: &'a [u64], words: usize, first: u32, others: &'a [u32], out: &'a mut [u32]
        ) -> () {
            if words == 1 {
                let x = columns[first as usize];
                for (total, &c) in out.iter_mut().zip(others) {
                    *total = (columns[c as usize] & x).count_ones();
                }
            } else {
                let x = &columns[first as usize * words..][..words];
                for (total, &c) in out.iter_mut().zip(others) {
                    let column = &columns[c as usize * words..][..words];
                    let mut sum = 0;
                    for (c, v) in column.iter().zip(x) {
                        sum = (c & v).count_ones().wrapping_add(sum);
                    }
                    *total = sum;
                }
            }
        }
    }

    kernel! {
        /// Keeps of each column the rows selected by `mask` and closes the gaps. The result has
        /// `out_words` words a column, enough for the selected rows.
        squeeze(
            columns: &'a [u64], words: usize, mask: &'a [u64], out_words: usize,
            out: &'a mut Vec<u64>
        ) -> () {
            if words == 1 {
                fit(out, columns.len());
                let squeeze = Squeeze::new(mask[0]);
                for (target, &c) in out.iter_mut().zip(columns) {
                    *target = squeeze.apply(c);
                }
            } else {
                out.clear();
                let count = columns.len() / words;
                fit(out, count * out_words);
                let mut offset = 0usize;
                for (i, &m) in mask.iter().enumerate() {
                    if m == 0 {
                        continue;
                    }
                    let squeeze = Squeeze::new(m);
                    let (word, shift) = (offset / 64, offset % 64);
                    let ones = m.count_ones() as usize;
                    // Eight columns at a time, so that the compiler keeps them in wide registers.
                    let sources = columns.chunks(BATCH * words);
                    for (source, target) in sources.zip(out.chunks_mut(BATCH * out_words)) {
                        let mut bits = [0; BATCH];
                        for (b, column) in bits.iter_mut().zip(source.chunks_exact(words)) {
                            *b = column[i];
                        }
                        squeeze.apply_all(&mut bits);
                        if shift + ones <= 64 {
                            for (b, column) in bits.iter().zip(target.chunks_exact_mut(out_words)) {
                                column[word] |= b << shift;
                            }
                        } else {
                            for (b, column) in bits.iter().zip(target.chunks_exact_mut(out_words)) {
                                column[word] |= b << shift;
                                column[word + 1] |= b >> (64 - shift);
                            }
                        }
                    }
                    offset += ones;
                }
            }
        }
    }

    kernel! {
        /// Whether a class of at most 64 rows has Littlestone dimension at least 4; `rows` is the
        /// mask of its rows.
        at_least_4(columns: &'a [u64], rows: u64) -> bool {
            let size = rows.count_ones();
            for &x in columns {
                let ones = (rows & x).count_ones();
                if ones.min(size - ones) < 8 {
                    continue;
                }
                let (small, large) =
                    if 2 * ones <= size { (rows & x, rows & !x) } else { (rows & !x, rows & x) };
                if at_least_3(columns, small) && at_least_3(columns, large) {
                    return true;
                }
            }
            false
        }
    }

    kernel! {
        /// Whether the selected rows of a class of at most 64 rows have Littlestone dimension at
        /// least 3.
        at_least_3(columns: &'a [u64], rows: u64) -> bool {
            at_least_3(columns, rows)
        }
    }
}

/// Whether `rows` have Littlestone dimension at least 3: some column splits them into two sides,
/// each of which some column splits into two sides of at least 2 rows.
#[inline(always)]
fn at_least_3(columns: &[u64], rows: u64) -> bool {
    let size = rows.count_ones();
    if size < 8 {
        return false;
    }
    for &y in columns {
        let one = rows & y;
        let ones = one.count_ones();
        let zeros = size - ones;
        if ones.min(zeros) < 4 {
            continue;
        }
        let zero = rows & !y;
        let (mut one_splits, mut zero_splits) = (false, false);
        for &z in columns {
            let a = (one & z).count_ones();
            let b = (zero & z).count_ones();
            one_splits |= a.min(ones - a) >= 2;
            zero_splits |= b.min(zeros - b) >= 2;
            if one_splits && zero_splits {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use littlestone_properties::config;
    use proptest::prelude::*;

    fn naive_squeeze(column: &[u64], mask: &[u64]) -> Vec<bool> {
        (0..mask.len() * 64)
            .filter(|i| mask[i / 64] >> (i % 64) & 1 == 1)
            .map(|i| column[i / 64] >> (i % 64) & 1 == 1)
            .collect()
    }

    proptest! {
        #![proptest_config(config(256))]

        #[test]
        fn kernels_agree_with_bit_by_bit_loops(
            words in 1usize..4,
            seed in prop::collection::vec(any::<u64>(), 24),
            dense in any::<bool>(),
        ) {
            let columns: Vec<u64> = seed[..words * 5].to_vec();
            let mask: Vec<u64> = seed[20..20 + words].iter().enumerate()
                .map(|(i, &m)| if dense { m | seed[i] } else { m & seed[i + 1] & seed[i + 2] }).collect();
            let kept: usize = mask.iter().map(|m| m.count_ones() as usize).sum();
            let out_words = kept.div_ceil(64).max(1);
            for kernels in [Kernels::new(), Kernels(Arch::Scalar)] {
                let mut out = Vec::new();
                kernels.squeeze(&columns, words, &mask, out_words, &mut out);
                let mut counts = Vec::new();
                kernels.count(&columns, words, &mut counts);
                let mut with_mask = columns.clone();
                with_mask.extend(&mask);
                let mut meets = vec![0; 5];
                kernels.count_meets(&with_mask, words, 5, &[0, 1, 2, 3, 4], &mut meets);
                for c in 0..5 {
                    let column = &columns[c * words..(c + 1) * words];
                    let expected = naive_squeeze(column, &mask);
                    let packed = &out[c * out_words..(c + 1) * out_words];
                    for i in 0..out_words * 64 {
                        prop_assert_eq!(packed[i / 64] >> (i % 64) & 1 == 1, expected.get(i).copied().unwrap_or(false));
                    }
                    let ones = expected.iter().filter(|&&b| b).count();
                    prop_assert_eq!(meets[c] as usize, ones);
                    let all: usize = column.iter().map(|v| v.count_ones() as usize).sum();
                    prop_assert_eq!(counts[c] as usize, all);
                }
            }
        }
    }
}

//! Seeded random families. A seed means the same class for ever.
//!
//! Generator, version 1: the 64-bit words of `ChaCha8Rng::seed_from_u64(seed)` of the crate
//! `rand_chacha`, in order, used as follows and in no other way.
//! - `word()` is the next word.
//! - `below(n)` takes words until one is less than the greatest multiple of n that is at most
//!   2^64, and gives its remainder modulo n, which is uniform.
//! - `bits(n)` takes one word per started 64 bits; bit i of the result is bit i mod 64 of word
//!   i / 64, and the rest of the last word is dropped.
//!
//! Each family says in which order it draws. A change of any of this needs a new family name.

use itertools::Itertools;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::rows::{Distinct, index, numbered, packed};
use super::size::{Count, Size, binomials_up_to, exactly, product};
use super::{Family, Parameter};
use crate::Class;
use littlestone_base::error::Result;
use littlestone_base::limits::Meter;

/// What the seeded families draw from, for messages and certificates.
pub const GENERATOR: &str = "ChaCha8, version 1";

const SEED: Parameter = Parameter::from("seed", 0);

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "random",
        arguments: "rows,cols,seed with rows ≥ 1 and cols ≥ 1",
        summary: "rows of uniform random bits, duplicates merged; draws bits(cols) per row",
        size: "at most rows × cols",
        dimension: "no closed form",
        example: "random:32,16,1",
        parameters: &[Parameter::from("rows", 1), Parameter::from("cols", 1), SEED],
        measure: |a| Ok(table_size(a[0], a[1])),
        build: |a, meter| random(index(a[0]), index(a[1]), a[2], meter),
    },
    Family {
        name: "sparse",
        arguments: "rows,cols,percent,seed with rows ≥ 1, cols ≥ 1 and percent from 0 to 100",
        summary: "rows of random bits that are 1 with the given probability, duplicates merged; \
                  a bit is 1 iff below(100) < percent, row by row",
        size: "at most rows × cols",
        dimension: "no closed form",
        example: "sparse:32,16,20,1",
        parameters: &[
            Parameter::from("rows", 1),
            Parameter::from("cols", 1),
            Parameter::between("percent", 0, 100),
            SEED,
        ],
        measure: |a| Ok(table_size(a[0], a[1])),
        build: |a, meter| sparse((index(a[0]), index(a[1])), a[2], a[3], meter),
    },
    Family {
        name: "balls",
        arguments: "n,r,count,seed with n ≥ 1, r ≥ 0 and count ≥ 1",
        summary: "the union of count Hamming balls of radius r on n points around random centres; \
                  draws bits(n) per centre",
        size: "at most count (C(n,0) + … + C(n,r)) × n",
        dimension: "no closed form; min(r, n) for count = 1",
        example: "balls:10,2,3,1",
        parameters: &[
            Parameter::from("n", 1),
            Parameter::from("r", 0),
            Parameter::from("count", 1),
            SEED,
        ],
        measure: |a| {
            let value = product(exactly(a[2]), binomials_up_to(a[0], a[1]));
            let formula = format!("{2} (C({0},0) + … + C({0},{1}))", a[0], a[1], a[2]);
            Ok(Size::new(Count::at_most(formula, value), Count::plain(exactly(a[0]))))
        },
        build: |a, meter| balls((index(a[0]), index(a[1])), index(a[2]), a[3], meter),
    },
];

fn table_size(rows: u64, columns: u64) -> Size {
    Size::new(Count::at_most("", exactly(rows)), Count::plain(exactly(columns)))
}

/// The generator described at the top of this module.
pub(super) struct Source(ChaCha8Rng);

impl Source {
    pub(super) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    pub(super) fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number below `n ≥ 1`.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        // 2^64 mod n.
        let excess = (u64::MAX % n + 1) % n;
        loop {
            let word = self.word();
            if word <= u64::MAX - excess {
                return word % n;
            }
        }
    }

    /// A uniform row of `n` bits.
    pub(super) fn bits(&mut self, n: usize) -> Vec<u64> {
        let mut words: Vec<u64> = (0..n.div_ceil(64)).map(|_| self.word()).collect();
        if let Some(last) = words.last_mut()
            && !n.is_multiple_of(64)
        {
            *last &= (1 << (n % 64)) - 1;
        }
        words
    }
}

fn random(rows: usize, columns: usize, seed: u64, meter: &mut Meter<'_>) -> Result<Class> {
    let mut source = Source::new(seed);
    let mut class = Distinct::new(numbered(columns), meter);
    for _ in 0..rows {
        class.push(&source.bits(columns))?;
    }
    Ok(class.build())
}

fn sparse(
    (rows, columns): (usize, usize),
    percent: u64,
    seed: u64,
    meter: &mut Meter<'_>,
) -> Result<Class> {
    let mut source = Source::new(seed);
    let mut class = Distinct::new(numbered(columns), meter);
    for _ in 0..rows {
        let ones = (0..columns).filter(|_| source.below(100) < percent);
        let row = packed(class.stride(), ones);
        class.push(&row)?;
    }
    Ok(class.build())
}

fn balls((n, r): (usize, usize), count: usize, seed: u64, meter: &mut Meter<'_>) -> Result<Class> {
    let mut source = Source::new(seed);
    let mut class = Distinct::new(numbered(n), meter);
    for _ in 0..count {
        let centre = source.bits(n);
        for flips in (0..=r.min(n)).flat_map(|k| (0..n).combinations(k)) {
            let mut row = centre.clone();
            for x in flips {
                row[x / 64] ^= 1 << (x % 64);
            }
            class.push(&row)?;
        }
    }
    Ok(class.build())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{class, dimension, rows};
    use super::*;

    #[test]
    fn below_rejects_exactly_the_excess() {
        // For n = 3, 2^64 mod 3 = 1: only the greatest word is rejected; for powers of two none.
        for n in [1, 2, 3, 100, 1 << 63, u64::MAX] {
            let excess = (u64::MAX % n + 1) % n;
            assert_eq!((u128::from(u64::MAX) + 1 - u128::from(excess)) % u128::from(n), 0);
            assert!(excess < n);
        }
        let mut source = Source::new(7);
        let mut counts = [0u32; 5];
        for _ in 0..5000 {
            counts[index(source.below(5))] += 1;
        }
        // Far outside ten standard deviations (28 each) around 1000.
        assert!(counts.iter().all(|c| (700..1300).contains(c)), "{counts:?}");
    }

    #[test]
    fn a_seed_means_the_same_class_for_ever() {
        // Regression oracles. The rows were worked out by a second program, which implements the
        // description at the top of this module (ChaCha with 8 rounds, a 64-bit counter, and the
        // key that `seed_from_u64` documents) without this crate. A difference means that
        // published seeds have changed their meaning.
        let rows_of_bits = ["10001101", "11010110", "10100110"];
        assert_eq!(rows("random:3,8,1"), rows_of_bits);
        assert_eq!(rows("balls:8,0,3,1"), rows_of_bits);
        assert_eq!(rows("sparse:3,8,20,1"), ["10000001", "00000001", "10000100"]);
        assert_eq!(
            rows("random:2,70,7"),
            [
                "1101110111000010111010111100010000101100110010101010011000010100010111",
                "1000110010101001001001001010001010011101000011101101001000101101110001",
            ]
        );
    }

    #[test]
    fn extreme_probabilities_and_seeds() {
        assert_eq!(rows("sparse:9,5,0,3"), ["00000"]);
        assert_eq!(rows("sparse:9,5,100,3"), ["11111"]);
        assert_ne!(rows("random:4,70,0"), rows("random:4,70,18446744073709551615"));
        // All 8 rows come within 500 draws but with probability below 8 (7/8)^500 < 10^-27.
        assert_eq!(class("random:500,3,5").hypotheses(), 8);
    }

    #[test]
    fn balls_have_their_radius() {
        let class = class("balls:9,2,2,4");
        // The first ball has 1 + 9 + 36 members, its centre first.
        let distance = |g: usize, h: usize| (class.row(g)[0] ^ class.row(h)[0]).count_ones();
        assert!((0..46).all(|h| distance(0, h) <= 2));
        assert!((46..class.hypotheses()).all(|h| distance(0, h) > 2));
        assert_eq!(dimension("balls:4,2,1,9"), 2);
    }
}

//! Where the randomness of a run comes from.
//!
//! Algorithm 2 draws three things: the group of each record of a batch, which records a group
//! stores, and the answers of Select. A run is a function of these.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::Law;
use littlestone_exact::{BigInt, Number, Rational};

use super::{Function, Record};

/// The answer of a call of Select; nothing is ⊥.
pub type Answer = Option<Function>;

/// What decides the random choices of a run.
pub trait Oracle {
    /// The group, from 0, of each record of the batch with this number, from 1 (line 4).
    fn assign(&mut self, batch: usize, records: &[Record], groups: usize) -> Vec<usize>;

    /// Which of the records that a group received it stores: `size` different places in `received`,
    /// in increasing order (line 5). Asked only where there is a choice.
    fn sample(&mut self, batch: usize, received: &[Received], size: usize) -> Vec<usize>;

    /// The place of the answer in the law of a call of Select (line 7).
    fn select(&mut self, law: &Law<Answer>) -> usize;
}

/// A record that a group received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Received {
    /// The record.
    pub record: Record,
    /// Its place in the batch, from 0.
    pub place: usize,
}

/// A seed means the same run for ever.
///
/// Generator, version 1: the 64-bit words of `ChaCha8Rng::seed_from_u64(seed)`, in order. A uniform
/// choice below m takes words until one is less than the greatest multiple of m that is at most
/// 2^64, and gives its remainder. Line 4 makes one choice below k for each record; line 5 draws the
/// stored places one by one, each among those that are left; line 7 compares one word w with the
/// law: the answer is the first whose probability, added to those before it, is more than w/2^64.
#[derive(Debug)]
pub struct Seeded(ChaCha8Rng);

impl Seeded {
    /// The choices of this seed.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    fn below(&mut self, options: usize) -> usize {
        let options = options as u64;
        // 2^64 modulo the number of options, without a wider type.
        let excess = (u64::MAX % options + 1) % options;
        loop {
            let word = self.0.next_u64();
            if word <= u64::MAX - excess {
                return usize::try_from(word % options).expect("less than a usize");
            }
        }
    }
}

impl Oracle for Seeded {
    fn assign(&mut self, _: usize, records: &[Record], groups: usize) -> Vec<usize> {
        records.iter().map(|_| self.below(groups)).collect()
    }

    fn sample(&mut self, _: usize, received: &[Received], size: usize) -> Vec<usize> {
        let mut left: Vec<usize> = (0..received.len()).collect();
        let mut stored: Vec<usize> =
            (0..size).map(|_| left.remove(self.below(left.len()))).collect();
        stored.sort_unstable();
        stored
    }

    fn select(&mut self, law: &Law<Answer>) -> usize {
        let word = BigInt::from(self.0.next_u64());
        let drawn = Number::from(Rational::new(word, BigInt::from(1) << 64));
        let mut sum = Number::zero();
        for (place, (_, weight)) in law.iter().enumerate() {
            sum = &sum + weight;
            if drawn < sum {
                return place;
            }
        }
        law.len() - 1
    }
}

/// In every choice a most likely option, the first one among several: records go to the groups in
/// turn, and a group stores the first records that it received.
#[derive(Debug, Default)]
pub struct Likely;

impl Oracle for Likely {
    fn assign(&mut self, _: usize, records: &[Record], groups: usize) -> Vec<usize> {
        (0..records.len()).map(|place| place % groups).collect()
    }

    fn sample(&mut self, _: usize, _: &[Received], size: usize) -> Vec<usize> {
        (0..size).collect()
    }

    fn select(&mut self, law: &Law<Answer>) -> usize {
        let mut best = (0, Number::zero());
        for (place, (_, weight)) in law.iter().enumerate() {
            if *weight > best.1 {
                best = (place, weight.clone());
            }
        }
        best.0
    }
}

/// The assignment and the numbers of Lemma 10: for each batch number and each *original timestamp* a
/// group and a number. A group stores the records with the n smallest numbers. Select is left to
/// another oracle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// For each batch and each round of the stream, the group.
    pub groups: Vec<Vec<usize>>,
    /// For each batch and each round, the number; the smaller timestamp first among equal ones.
    pub numbers: Vec<Vec<usize>>,
    /// The misreading of the coupling that the tables are keyed by the place in the batch.
    pub by_place: bool,
}

impl Table {
    fn key(&self, record: &Record, place: usize) -> usize {
        if self.by_place { place } else { record.time - 1 }
    }

    /// The groups of the records of a batch.
    pub fn assign(&self, batch: usize, records: &[Record]) -> Vec<usize> {
        let row = &self.groups[batch - 1];
        records.iter().enumerate().map(|(place, record)| row[self.key(record, place)]).collect()
    }

    /// The places of the records with the smallest numbers, in increasing order.
    pub fn sample(&self, batch: usize, received: &[Received], size: usize) -> Vec<usize> {
        let row = &self.numbers[batch - 1];
        let mut places: Vec<usize> = (0..received.len()).collect();
        places.sort_by_key(|&at| {
            let Received { record, place } = received[at];
            (row[self.key(&record, place)], record.time)
        });
        places.truncate(size);
        places.sort_unstable();
        places
    }
}

/// A table for lines 4 and 5, with another oracle for line 7.
#[derive(Debug)]
pub struct Fixed<'a, O> {
    /// The table.
    pub table: &'a Table,
    /// What answers for Select.
    pub select: O,
}

impl<O: Oracle> Oracle for Fixed<'_, O> {
    fn assign(&mut self, batch: usize, records: &[Record], _: usize) -> Vec<usize> {
        self.table.assign(batch, records)
    }

    fn sample(&mut self, batch: usize, received: &[Received], size: usize) -> Vec<usize> {
        self.table.sample(batch, received, size)
    }

    fn select(&mut self, law: &Law<Answer>) -> usize {
        self.select.select(law)
    }
}

impl<O: Oracle> Oracle for &mut O {
    fn assign(&mut self, batch: usize, records: &[Record], groups: usize) -> Vec<usize> {
        (**self).assign(batch, records, groups)
    }

    fn sample(&mut self, batch: usize, received: &[Received], size: usize) -> Vec<usize> {
        (**self).sample(batch, received, size)
    }

    fn select(&mut self, law: &Law<Answer>) -> usize {
        (**self).select(law)
    }
}

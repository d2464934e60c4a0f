//! The transposition table: what is proved about each compressed matrix that was searched.
//!
//! Keys are stored whole and compared whole, so no collision of hashes can falsify an answer. The
//! table is shared by all threads of a search; it is cut into shards, each behind its own lock.

use std::hash::Hasher;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::matrix::Matrix;

const SHARDS: usize = 64;
/// Words in one block of stored keys (8 MiB).
const BLOCK: usize = 1 << 20;

/// Proved bounds on a Littlestone dimension: at least `lo`, at most `hi`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub lo: u8,
    pub hi: u8,
}

impl Bounds {
    /// Nothing known.
    pub const OPEN: Self = Self { lo: 0, hi: u8::MAX };
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    hash: u64,
    block: u32,
    start: u32,
    bounds: Bounds,
}

#[derive(Debug, Default)]
struct Shard {
    entries: HashTable<Entry>,
    blocks: Vec<Vec<u64>>,
}

/// The shared table.
#[derive(Debug)]
pub(super) struct Table {
    shards: Vec<Mutex<Shard>>,
    words: AtomicUsize,
    capacity: usize,
}

/// The hash of a matrix, computed once and used for every access.
pub(super) fn hash(matrix: &Matrix) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_usize(matrix.rows);
    for &word in &matrix.data {
        hasher.write_u64(word);
    }
    hasher.finish()
}

fn header(matrix: &Matrix) -> u64 {
    (matrix.rows as u64) << 32 | matrix.columns as u64
}

/// Whether `entry` is about `matrix`: the whole key is compared.
fn is_about(blocks: &[Vec<u64>], entry: &Entry, hash: u64, matrix: &Matrix) -> bool {
    entry.hash == hash && {
        let stored = &blocks[entry.block as usize][entry.start as usize..];
        stored[0] == header(matrix) && stored[1..=matrix.data.len()] == matrix.data
    }
}

impl Shard {
    fn store(&mut self, hash: u64, matrix: &Matrix, bounds: Bounds) {
        let need = matrix.data.len() + 1;
        if self.blocks.last().is_none_or(|b| b.len() + need > b.capacity()) {
            // Blocks never move, so a growing table is never copied.
            self.blocks.push(Vec::with_capacity(
                need.max(BLOCK.min(1 << (6 + self.blocks.len().min(14)))),
            ));
        }
        let block = self.blocks.len() - 1;
        let keys = &mut self.blocks[block];
        let start = keys.len();
        keys.push(header(matrix));
        keys.extend_from_slice(&matrix.data);
        let entry = Entry {
            hash,
            block: u32::try_from(block).expect("number of blocks fits u32"),
            start: u32::try_from(start).expect("a block's length fits u32"),
            bounds,
        };
        self.entries.insert_unique(hash, entry, |e| e.hash);
    }
}

impl Table {
    /// An empty table that stores keys of at most `capacity` words in all. A full table learns no
    /// new keys: searches become slower, never wrong.
    pub fn new(capacity: usize) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            words: AtomicUsize::new(0),
            capacity,
        }
    }

    fn shard(&self, hash: u64) -> std::sync::MutexGuard<'_, Shard> {
        // The middle bits: hashbrown uses the low and the top ones.
        let index = (hash >> 40) as usize % SHARDS;
        self.shards[index].lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// What is known of `matrix`.
    pub fn get(&self, hash: u64, matrix: &Matrix) -> Bounds {
        let shard = self.shard(hash);
        shard
            .entries
            .find(hash, |e| is_about(&shard.blocks, e, hash, matrix))
            .map_or(Bounds::OPEN, |e| e.bounds)
    }

    /// Records that the dimension of `matrix` is at least k (`yes`), or at most k − 1.
    pub fn learn(&self, hash: u64, matrix: &Matrix, k: u8, yes: bool) {
        let mut guard = self.shard(hash);
        let shard = &mut *guard;
        let news = if yes {
            Bounds { lo: k, ..Bounds::OPEN }
        } else {
            Bounds { hi: k - 1, ..Bounds::OPEN }
        };
        let Shard { entries, blocks } = shard;
        let found = entries.find_mut(hash, |e| is_about(blocks, e, hash, matrix));
        if let Some(entry) = found {
            entry.bounds.lo = entry.bounds.lo.max(news.lo);
            entry.bounds.hi = entry.bounds.hi.min(news.hi);
        } else {
            let need = matrix.data.len() + 4;
            if self.words.fetch_add(need, Ordering::Relaxed) + need <= self.capacity {
                shard.store(hash, matrix, news);
            } else {
                self.words.fetch_sub(need, Ordering::Relaxed);
            }
        }
    }

    /// Number of matrices stored.
    pub fn len(&self) -> usize {
        self.shards
            .iter()
            .map(|s| s.lock().unwrap_or_else(std::sync::PoisonError::into_inner).entries.len())
            .sum()
    }
}

//! The subclasses that a search meets, each compressed, stored once and given a number.
//!
//! Dimension, irreducibility order and the existence of valid trees do not depend on constant or
//! repeated points, on labels that are complemented throughout, or on the names of points. So
//! subclasses with equal compressed matrices share one state. Keys are whole matrices, compared
//! whole: no collision of hashes can make an answer wrong.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::VersionSpace;
use crate::littlestone::{Kernels, Matrix, Scratch, Search, Solver};
use littlestone_exact::limits::Stopped;

/// The number of a state.
pub(super) type Id = u32;

const UNKNOWN: Id = Id::MAX;

/// No set of points is that large.
pub(super) const NEVER: u32 = u32::MAX;

/// A compressed subclass and what is known of it.
#[derive(Debug)]
pub(super) struct State {
    pub matrix: Matrix,
    /// The Littlestone dimension.
    pub dimension: i32,
    /// Proved bounds on the least number of SOA-labelled points that lower the dimension.
    pub delta: (u32, u32),
    /// Columns, the most balanced first, with the number of ones.
    pub order: Vec<(u32, u32)>,
    /// For each column the states of its two sides.
    children: Vec<[Id; 2]>,
}

/// All states met so far.
pub(super) struct States<'s> {
    solver: &'s Solver<'s>,
    search: Search<'s>,
    kernels: Kernels,
    met: Vec<State>,
    index: HashTable<(u64, Id)>,
    scratch: Scratch,
    buffer: Matrix,
    mask: Vec<u64>,
    counts: Vec<u32>,
    squeezed: Vec<u64>,
}

impl std::fmt::Debug for States<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("States").field("met", &self.met.len()).finish_non_exhaustive()
    }
}

impl<'s> States<'s> {
    pub fn new(solver: &'s Solver<'s>) -> Self {
        Self {
            solver,
            search: solver.search(),
            kernels: solver.kernels(),
            met: Vec::new(),
            index: HashTable::new(),
            scratch: Scratch::default(),
            buffer: Matrix::default(),
            mask: Vec::new(),
            counts: Vec::new(),
            squeezed: Vec::new(),
        }
    }

    pub fn solver(&self) -> &'s Solver<'s> {
        self.solver
    }

    pub fn state(&self, id: Id) -> &State {
        &self.met[id as usize]
    }

    pub fn state_mut(&mut self, id: Id) -> &mut State {
        &mut self.met[id as usize]
    }

    /// Number of states met so far.
    pub fn len(&self) -> usize {
        self.met.len()
    }

    /// Counts one step of a search against the limits.
    pub fn count(&mut self) -> Result<(), Stopped> {
        self.search.count_state()
    }

    pub fn dimension(&self, id: Id) -> i32 {
        self.state(id).dimension
    }

    /// The state of a version space that is not empty.
    pub fn of(&mut self, space: &VersionSpace) -> Result<Id, Stopped> {
        let source = (self.solver.flat(), space.words().len());
        self.buffer.compress_from(
            self.kernels,
            source,
            space.words(),
            space.len(),
            &mut self.scratch,
        );
        self.intern(i32::MAX)
    }

    /// The state of one side of a column: the rows with the given label in the matrix.
    pub fn child(&mut self, id: Id, column: u32, label: bool) -> Result<Id, Stopped> {
        let known = self.state(id).children[column as usize][usize::from(label)];
        if known != UNKNOWN {
            return Ok(known);
        }
        let state = &self.met[id as usize];
        let bound = state.dimension;
        state.matrix.side(column as usize, label, &mut self.mask);
        let count = self.mask.iter().map(|w| w.count_ones() as usize).sum();
        let source = (state.matrix.data.as_slice(), state.matrix.words);
        self.buffer.compress_from(self.kernels, source, &self.mask, count, &mut self.scratch);
        let child = self.intern(bound)?;
        self.met[id as usize].children[column as usize][usize::from(label)] = child;
        Ok(child)
    }

    /// The side of a column that keeps the dimension, if one does, and its state. At most one
    /// does, or the whole would have a greater dimension.
    pub fn keeper(&mut self, id: Id, column: u32) -> Result<Option<Id>, Stopped> {
        let dimension = self.dimension(id);
        for label in [false, true] {
            let child = self.child(id, column, label)?;
            if self.dimension(child) == dimension {
                return Ok(Some(child));
            }
        }
        Ok(None)
    }

    /// The first point that splits `space` as `column` splits the state of `space`.
    pub fn point_of(&mut self, space: &VersionSpace, column: u32) -> usize {
        let id = self.of(space).expect("a state that was met before costs nothing");
        let matrix = &self.met[id as usize].matrix;
        let wanted = matrix.column(column as usize);
        let (rows, words) = (matrix.rows, matrix.words);
        let last = if rows.is_multiple_of(64) { u64::MAX } else { (1 << (rows % 64)) - 1 };
        let same = |packed: &[u64]| {
            let flip = (packed[0] & 1).wrapping_neg();
            let mut pairs = packed.iter().zip(wanted).enumerate();
            pairs.all(|(i, (a, b))| (a ^ flip) & if i + 1 == words { last } else { !0 } == *b)
        };
        let (flat, width) = (self.solver.flat(), space.words().len());
        self.kernels.squeeze(flat, width, space.words(), words, &mut self.squeezed);
        let point = self.squeezed.chunks_exact(words).position(same);
        point.expect("a column of the matrix is the column of a point")
    }

    /// The number of the matrix in the buffer, whose dimension is at most `bound`.
    fn intern(&mut self, bound: i32) -> Result<Id, Stopped> {
        let hash = hash(&self.buffer);
        let Self { index, met, buffer, .. } = self;
        if let Some(&(_, id)) =
            index.find(hash, |&(h, id)| h == hash && met[id as usize].matrix == *buffer)
        {
            return Ok(id);
        }
        self.search.count_state()?;
        let dimension = self.dimension_of_buffer(bound)?;
        let matrix = self.buffer.clone();
        let rows = u32::try_from(matrix.rows).expect("rows fit u32");
        self.kernels.count(&matrix.data, matrix.words, &mut self.counts);
        let mut order: Vec<(u32, u32)> = (0..).zip(self.counts.iter().copied()).collect();
        order.sort_by_key(|&(column, ones)| (std::cmp::Reverse(ones.min(rows - ones)), column));
        let delta = match dimension {
            0 => (NEVER, NEVER),
            // Every other function of the class must be excluded, and a point excludes but one.
            1 => (rows - 1, rows - 1),
            _ => (1, u32::try_from(matrix.columns).expect("columns fit u32")),
        };
        let id = Id::try_from(self.met.len()).expect("fewer states than 2^32 fit in memory");
        let children = vec![[UNKNOWN; 2]; matrix.columns];
        self.met.push(State { matrix, dimension, delta, order, children });
        self.index.insert_unique(hash, (hash, id), |&(h, _)| h);
        Ok(id)
    }

    fn dimension_of_buffer(&mut self, bound: i32) -> Result<i32, Stopped> {
        let mut dimension = 0;
        while dimension < bound {
            let next = usize::try_from(dimension + 1).expect("positive");
            // A class of dimension k has at least 2^k rows.
            if next >= 32 || !self.search.matrix_at_least(&self.buffer, next)? {
                break;
            }
            dimension += 1;
        }
        Ok(dimension)
    }
}

fn hash(matrix: &Matrix) -> u64 {
    let mut hasher = FxHasher::default();
    matrix.rows.hash(&mut hasher);
    matrix.data.hash(&mut hasher);
    hasher.finish()
}

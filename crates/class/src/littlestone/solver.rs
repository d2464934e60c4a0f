//! Decides the Littlestone dimension of a class and of its version spaces.
//!
//! *Idea.* "Ldim ≥ k?" is asked for k = 1, 2, …, up to the bound that counting gives; each answer is a
//! search of [`search`](super::search), and what one learnt serves the next, through one table.
//!
//! *Invariant.* `lower` was shown by a search that found a tree, `upper` by counting or by a search that
//! ended without one; a limit leaves both as they were proved. The answers do not depend on the
//! number of threads.
//!
//! *Not here.* Trees and refutations for certificates are built afterwards, in
//! [`tree`](super::tree) and [`refutation`](super::refutation), from questions to this solver.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::{Class, VersionSpace};
use littlestone_exact::limits::{Limits, Progress, Stopped};

use super::kernels::Kernels;
use super::matrix::{Matrix, Scratch};
use super::search::Search;
use super::table::Table;

/// Words of keys that a table stores at most (10 GiB).
const TABLE_WORDS: usize = 10 << 27;

/// What is known of a Littlestone dimension: `lower ≤ Ldim ≤ upper`, both proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dimension {
    /// The greatest depth that was proved, −1 for the empty class.
    pub lower: i32,
    /// The least bound that was proved.
    pub upper: i32,
    /// Why the two differ, if they do.
    pub stopped: Option<Stopped>,
}

impl Dimension {
    /// The dimension, when it is decided.
    pub fn value(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// Answers questions about the Littlestone dimension of one class; what one answer learnt serves
/// the next.
#[derive(Debug)]
pub struct Solver<'c> {
    class: &'c Class,
    columns: OnceLock<Vec<Vec<u64>>>,
    flat: Vec<u64>,
    limits: Limits,
    progress: Arc<Progress>,
    kernels: Kernels,
    table: Table,
}

impl<'c> Solver<'c> {
    /// A solver for `class`.
    pub fn new(class: &'c Class, limits: Limits) -> Self {
        Self {
            class,
            flat: class.packed_columns(),
            columns: OnceLock::new(),
            limits,
            progress: Arc::default(),
            kernels: Kernels::new(),
            table: Table::new(TABLE_WORDS),
        }
    }

    /// The same, seen in `progress`.
    #[must_use]
    pub fn seen_in(self, progress: &Arc<Progress>) -> Self {
        Self { progress: Arc::clone(progress), ..self }
    }

    /// The class.
    pub fn class(&self) -> &'c Class {
        self.class
    }

    /// The columns of the class, as in [`Class::columns`].
    pub fn columns(&self) -> &[Vec<u64>] {
        self.columns.get_or_init(|| self.class.columns())
    }

    /// The columns, one after the other.
    pub(crate) fn flat(&self) -> &[u64] {
        &self.flat
    }

    /// The inner loops for this machine.
    pub(crate) fn kernels(&self) -> Kernels {
        self.kernels
    }

    /// Counters that a display may watch while the solver works.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }

    /// Number of compressed matrices about which something was learnt.
    pub fn learnt(&self) -> usize {
        self.table.len()
    }

    /// Ldim(H), or the best bounds proved when a limit is hit.
    pub fn dimension(&self) -> Dimension {
        let space = VersionSpace::full(self.class);
        self.progress.ask("Littlestone dimension");
        self.progress.at_most(i64::from(size_bound(&space)).into());
        self.bounds_of(&space, |lower| self.progress.at_least(i64::from(lower).into()))
    }

    /// Ldim(G) for a version space G of the class.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn dimension_of(&self, space: &VersionSpace) -> Result<i32, Stopped> {
        let Dimension { lower, stopped, .. } = self.bounds_of(space, |_| {});
        stopped.map_or(Ok(lower), Err)
    }

    /// The bounds on Ldim(G), with `proved` called on each lower one as it is found.
    fn bounds_of(&self, space: &VersionSpace, proved: impl Fn(i32)) -> Dimension {
        let size_bound = size_bound(space);
        // A class with a hypothesis shatters the tree of depth 0.
        let known = if space.is_empty() { -1 } else { 0 };
        proved(known);
        // Many searches end before they count a state.
        if let Err(stopped) = self.limits.check() {
            return Dimension { lower: known, upper: size_bound, stopped: Some(stopped) };
        }
        if self.jobs(space) > 1 {
            return Self::climb(known, size_bound, |k| self.at_least(space, k), proved);
        }
        // All questions are about the same matrix, which is compressed only once.
        let mut matrix = Matrix::default();
        if !space.is_empty() {
            let source = (self.flat.as_slice(), space.words().len());
            let scratch = &mut Scratch::default();
            matrix.compress_from(self.kernels, source, space.words(), space.len(), scratch);
        }
        let mut search = self.search();
        let at_least = |k| search.matrix_at_least(&matrix, usize::try_from(k).unwrap_or(0));
        Self::climb(known, size_bound, at_least, proved)
    }

    /// Asks for one depth after the other, from that above `lower`, until the answer is no, or `size_bound` is reached.
    fn climb(
        mut lower: i32,
        size_bound: i32,
        mut at_least: impl FnMut(i32) -> Result<bool, Stopped>,
        proved: impl Fn(i32),
    ) -> Dimension {
        while lower < size_bound {
            match at_least(lower + 1) {
                Ok(true) => {
                    lower += 1;
                    proved(lower);
                }
                Ok(false) => return Dimension { lower, upper: lower, stopped: None },
                Err(stopped) => {
                    return Dimension { lower, upper: size_bound, stopped: Some(stopped) };
                }
            }
        }
        Dimension { lower, upper: lower, stopped: None }
    }

    /// How many threads are worth their while on a version space.
    fn jobs(&self, space: &VersionSpace) -> usize {
        if space.len() < 256 { 1 } else { self.limits.threads().get() }
    }

    /// Whether Ldim(G) ≥ k for a version space G of the class.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn at_least(&self, space: &VersionSpace, k: i32) -> Result<bool, Stopped> {
        let Ok(k) = usize::try_from(k) else { return Ok(true) };
        if k >= 32 {
            // A class of dimension k has at least 2^k hypotheses; no class here is that large.
            return Ok(false);
        }
        let ask = |search: &mut Search<'_>| {
            search.at_least((&self.flat, space.words().len()), space.words(), space.len(), k)
        };
        let jobs = self.jobs(space);
        if jobs == 1 {
            return ask(&mut self.search());
        }
        let finished = AtomicBool::new(false);
        let finished = &finished;
        let ask = &ask;
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..jobs)
                .map(|job| {
                    let from =
                        if job % 2 == 0 { usize::MAX } else { k.saturating_sub(job / 2 + 1) };
                    scope.spawn(move || {
                        let answer = ask(&mut self.search().in_team(finished, from));
                        if answer.is_ok() {
                            finished.store(true, Ordering::Relaxed);
                        }
                        answer
                    })
                })
                .collect();
            let mut stopped = Stopped::Elsewhere;
            for worker in workers {
                match worker.join().expect("a search does not panic") {
                    Ok(answer) => return Ok(answer),
                    Err(Stopped::Elsewhere) => {}
                    Err(limit) => stopped = limit,
                }
            }
            Err(stopped)
        })
    }

    /// A search that shares this solver's table.
    pub(crate) fn search(&self) -> Search<'_> {
        Search::new(self.kernels, &self.table, &self.limits, &self.progress)
    }
}

/// Ldim(G) ≤ log₂ |G|.
fn size_bound(space: &VersionSpace) -> i32 {
    space.len().checked_ilog2().map_or(-1, log_to_i32)
}

fn log_to_i32(log: u32) -> i32 {
    i32::try_from(log).expect("a logarithm fits i32")
}

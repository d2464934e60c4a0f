//! Whether valid trees exist: the recursion behind Definition 8.
//!
//! All conditions on a node are upper bounds on its depth, and the two subtrees of a node are
//! chosen independently. So "the state A at depth t has a valid subtree whose leaves have dimension
//! at most r" holds up to some greatest t, called `τ_r(A)`. Queries with an empty side never help: to
//! leave one out lifts what is below it. Let q be the dimension of A.
//!
//! - q ≤ r and t ≤ leaf(q): there is one. A leaf, if A is irreducible enough; otherwise a least set
//!   of SOA-labelled points, at most need(q) = node(q) − leaf(q) of them, leads to a smaller
//!   dimension at depth at most node(q) = leaf(q − 1), and every other label on the way does too.
//! - q ≤ r and t > leaf(q): no node of dimension q below can be a leaf, so `τ_r(A)` ≥ t iff
//!   `τ_{q−1}(A)` ≥ t. What remains is q > r.
//! - q > r and δ(A) > node(q) + 1 − t: none, for the SOA-labelled path keeps dimension q too long.
//! - q = r + 1 and δ(A) ≤ node(q) − t: there is one, by the first rule at the ends of the paths.
//! - Everything else is decided by trying all points. This includes q = r + 1 with
//!   δ(A) = node(q) + 1 − t, where the path ends one level below leaf(q − 1) and all depends on
//!   what is left there.

use littlestone_exact::limits::Stopped;

use super::bounds::Bounds;
use super::states::{Id, States};

/// What is known of `τ_r` of a state with q > r.
#[derive(Debug, Clone, Copy)]
struct Known {
    /// `τ_r` ≥ `reached`.
    reached: i64,
    /// `τ_r` < `refuted`.
    refuted: i64,
    /// A column to ask at any depth up to `reached`.
    column: Option<u32>,
}

/// Decides which states have valid subtrees at which depths.
#[derive(Debug)]
pub(super) struct Trees<'s> {
    pub states: States<'s>,
    pub bounds: Bounds,
    /// For each state and each r below its dimension.
    known: Vec<Vec<Known>>,
}

impl<'s> Trees<'s> {
    pub fn new(states: States<'s>, bounds: Bounds) -> Self {
        Self { states, bounds, known: Vec::new() }
    }

    /// Whether `τ_r` ≥ t for the state.
    pub fn exists(&mut self, id: Id, depth: i64, r: i32) -> Result<bool, Stopped> {
        let q = self.states.dimension(id);
        if q <= r {
            if depth <= self.bounds.leaf_cap(q) {
                return Ok(true);
            }
            return if q == 0 { Ok(false) } else { self.reduces(id, depth, q - 1) };
        }
        self.reduces(id, depth, r)
    }

    /// The column that [`Trees::exists`] found for a state with q > r, once it said yes and unless
    /// a least set that lowers the dimension serves.
    pub fn column(&mut self, id: Id, depth: i64, r: i32) -> Option<u32> {
        let known = *self.known(id, r);
        known.column.filter(|_| depth <= known.reached)
    }

    /// [`Trees::exists`] for q > r.
    fn reduces(&mut self, id: Id, depth: i64, r: i32) -> Result<bool, Stopped> {
        let known = *self.known(id, r);
        if depth <= known.reached {
            return Ok(true);
        }
        if depth >= known.refuted {
            return Ok(false);
        }
        let found = self.search(id, depth, r)?;
        let known = self.known(id, r);
        match found {
            Found::Column(column) => {
                *known = Known { reached: depth, column: Some(column), ..*known };
                Ok(true)
            }
            Found::LeastSet(reached) => {
                *known = Known { reached, column: None, ..*known };
                Ok(true)
            }
            Found::Nothing => {
                known.refuted = known.refuted.min(depth);
                Ok(false)
            }
        }
    }

    fn search(&mut self, id: Id, depth: i64, r: i32) -> Result<Found, Stopped> {
        let q = self.states.dimension(id);
        let room = self.bounds.cap(q) - depth;
        if room < 0 {
            return Ok(Found::Nothing);
        }
        if q == r + 1 && self.states.delta_at_most(id, cut(room))? {
            let (_, upper) = self.states.state(id).delta;
            return Ok(Found::LeastSet(self.bounds.cap(q) - i64::from(upper)));
        }
        if q == 1 || !self.states.delta_at_most(id, cut(room + 1))? {
            return Ok(Found::Nothing);
        }
        self.states.count()?;
        for i in 0..self.states.state(id).order.len() {
            let column = self.states.state(id).order[i].0;
            let mut sides =
                [self.states.child(id, column, false)?, self.states.child(id, column, true)?];
            // The side that is more likely to fail goes first.
            let weight = |id: Id| {
                let state = self.states.state(id);
                (state.dimension, state.matrix.rows)
            };
            if weight(sides[0]) < weight(sides[1]) {
                sides.swap(0, 1);
            }
            if self.exists(sides[0], depth + 1, r)? && self.exists(sides[1], depth + 1, r)? {
                return Ok(Found::Column(column));
            }
        }
        Ok(Found::Nothing)
    }

    fn known(&mut self, id: Id, r: i32) -> &mut Known {
        let index = id as usize;
        if self.known.len() <= index {
            self.known.resize_with(self.states.len().max(index + 1), Vec::new);
        }
        if self.known[index].is_empty() {
            let q = self.states.dimension(id);
            let open = Known { reached: -1, refuted: self.bounds.cap(q) + 1, column: None };
            self.known[index] = vec![open; usize::try_from(q).expect("a dimension of a class")];
        }
        &mut self.known[index][usize::try_from(r).expect("r is at least 0")]
    }
}

enum Found {
    /// A column whose two sides have valid subtrees one level deeper.
    Column(u32),
    /// A least set that lowers the dimension serves at every depth up to this one.
    LeastSet(i64),
    Nothing,
}

fn cut(bound: i64) -> u32 {
    u32::try_from(bound).unwrap_or(u32::MAX - 1)
}

//! Trees that avoid one function as the SOA of a leaf of dimension ρ.
//!
//! A subclass can have f as its SOA only if f gives the labels on which all of it agrees. So below
//! an edge whose label is not that of f anything goes, and what is left to search are the subclasses
//! G|(x, f(x)), x ∈ P, for sets P of points. Once the dimension is ρ = r on that path:
//!
//! - if the SOA is f, then it is f for every leaf of dimension r below, since a subclass of the same
//!   dimension that is 1-irreducible has the same SOA. So all leaves must have dimension below r;
//! - otherwise, by the same reason, no leaf of dimension r below has the SOA f.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::VersionSpace;
use littlestone_exact::limits::Stopped;

use super::tau::Trees;
use super::tree::{self, Step, Tree};

/// What is known of a subclass on the path of the function: as for trees at large, a subtree
/// exists up to some depth.
#[derive(Debug, Clone, Copy)]
struct Known {
    reached: i64,
    refuted: i64,
    point: usize,
}

/// The search for a tree that avoids a function.
pub(super) struct Avoidance<'t, 's> {
    trees: &'t mut Trees<'s>,
    labels: Vec<bool>,
    text: &'t str,
    r: i32,
    known: HashMap<VersionSpace, Known, FxBuildHasher>,
}

/// What a subtree must achieve.
#[derive(Clone, Copy)]
enum Goal {
    /// Leaves of dimension at most this.
    AtMost(i32),
    /// The same with r, and no leaf of dimension r with the function as its SOA.
    Avoid,
}

impl<'t, 's> Avoidance<'t, 's> {
    /// Optimal trees (ρ = r) without a leaf of dimension r whose SOA is the function with the given
    /// labels.
    pub fn new(trees: &'t mut Trees<'s>, text: &'t str, r: i32) -> Self {
        let labels = text.bytes().map(|b| b == b'1').collect();
        Self { trees, labels, text, r, known: HashMap::default() }
    }

    /// Such a tree, if there is one.
    pub fn tree(mut self, full: &VersionSpace) -> Result<Option<Tree>, Stopped> {
        if !self.exists(full, 0)? {
            return Ok(None);
        }
        let Self { trees, labels, text, r, known } = self;
        tree::grow(trees, full, Goal::Avoid, |trees, space, depth, goal| {
            let id = trees.states.of(space)?;
            let goal = match goal {
                Goal::AtMost(most) => most,
                Goal::Avoid => match known.get(space) {
                    Some(&Known { point, reached, .. }) => {
                        assert!(depth <= reached, "a subtree was found at depth {reached}");
                        let mut goals = [Goal::AtMost(r); 2];
                        goals[usize::from(labels[point])] = Goal::Avoid;
                        return Ok(Step::Query { point, goals });
                    }
                    None if forbidden(trees, space, r, text)? => r - 1,
                    None => r,
                },
            };
            Ok(match tree::step(trees, space, id, depth, goal)? {
                Step::Leaf => Step::Leaf,
                Step::Query { point, goals } => {
                    Step::Query { point, goals: goals.map(Goal::AtMost) }
                }
            })
        })
        .map(Some)
    }

    /// Whether there is a subtree for `space`, on the path of the function, at this depth.
    fn exists(&mut self, space: &VersionSpace, depth: i64) -> Result<bool, Stopped> {
        let r = self.r;
        let id = self.trees.states.of(space)?;
        let q = self.trees.states.dimension(id);
        if q <= r {
            let below = forbidden(self.trees, space, r, self.text)?;
            return self.trees.exists(id, depth, if below { r - 1 } else { r });
        }
        if let Some(known) = self.known.get(space) {
            if depth <= known.reached {
                return Ok(true);
            }
            if depth >= known.refuted {
                return Ok(false);
            }
        }
        let found =
            if self.trees.exists(id, depth, r)? { self.search(space, depth)? } else { None };
        let open = Known { reached: -1, refuted: i64::MAX, point: 0 };
        let known = self.known.entry(space.clone()).or_insert(open);
        match found {
            Some(point) => *known = Known { reached: depth, point, ..*known },
            None => known.refuted = known.refuted.min(depth),
        }
        Ok(found.is_some())
    }

    /// A point to query at `space`, of dimension above r.
    fn search(&mut self, space: &VersionSpace, depth: i64) -> Result<Option<usize>, Stopped> {
        self.trees.states.count()?;
        let solver = self.trees.states.solver();
        for (point, column) in solver.columns().iter().enumerate() {
            let label = self.labels[point];
            let on = space.restrict(column, label);
            if on.is_empty() || on.len() == space.len() {
                continue;
            }
            let off = self.trees.states.of(&space.restrict(column, !label))?;
            if self.trees.exists(off, depth + 1, self.r)? && self.exists(&on, depth + 1)? {
                return Ok(Some(point));
            }
        }
        Ok(None)
    }
}

/// Whether the SOA of a subclass of dimension r is the function, so that no leaf of that dimension
/// may stand below.
pub(super) fn forbidden(
    trees: &mut Trees<'_>,
    space: &VersionSpace,
    r: i32,
    text: &str,
) -> Result<bool, Stopped> {
    let id = trees.states.of(space)?;
    Ok(trees.states.dimension(id) == r && tree::soa_of(trees, space)? == text)
}

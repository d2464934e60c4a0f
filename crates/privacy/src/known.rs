//! What is known about pairs of streams whose state before the differing round is known.
//!
//! M(s) is the worst divergence of such pairs, over all suffixes of a given length. It does not
//! depend on the prefix, and is equal for questions that a renaming of records, states and symbols
//! takes to one another.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use littlestone_exact::Arithmetic;

use super::least::Goal;
use super::symmetry::{Form, Forms, Root, Symmetries};

/// What is known about one M(s).
#[derive(Debug, Clone)]
enum Bound<V> {
    /// It is this, with a suffix that attains it unless it is zero.
    Exactly(V, Vec<u32>),
    /// It does not reach this goal.
    Misses(Goal<V>),
}

/// What has been found out about all M(s).
pub(super) struct Known<'s, A: Arithmetic> {
    forms: Forms<'s>,
    bounds: HashMap<(Root, usize), Bound<A::Value>, FxBuildHasher>,
}

impl<'s, A: Arithmetic> Known<'s, A> {
    pub fn new(symmetries: &'s Symmetries) -> Self {
        Self { forms: Forms::new(symmetries), bounds: HashMap::default() }
    }

    /// The question that stands for all questions equal to this one.
    pub fn form(&mut self, root: Root) -> Form {
        self.forms.least(root)
    }

    /// M(s) for a root in least form, and a suffix that attains it.
    pub fn exact(&self, least: Root, left: usize) -> Option<(&A::Value, &[u32])> {
        match self.bounds.get(&(least, left))? {
            Bound::Exactly(value, suffix) => Some((value, suffix)),
            Bound::Misses(_) => None,
        }
    }

    /// A number that M(s) does not exceed, for a root in least form.
    pub fn at_most(&self, least: Root, left: usize) -> Option<&A::Value> {
        match self.bounds.get(&(least, left))? {
            Bound::Exactly(value, _) | Bound::Misses(Goal::Attain(value) | Goal::Exceed(value)) => {
                Some(value)
            }
        }
    }

    /// Whether M(s) reaches a goal, if that is known, for a root in least form.
    pub fn reaches(
        &self,
        arithmetic: &A,
        least: Root,
        left: usize,
        goal: &Goal<A::Value>,
    ) -> Option<bool> {
        match self.bounds.get(&(least, left))? {
            Bound::Exactly(value, _) => Some(goal.reached(arithmetic, value)),
            Bound::Misses(missed) => goal.implies(arithmetic, missed).then_some(false),
        }
    }

    /// Records M(s).
    pub fn is(&mut self, least: Root, left: usize, value: A::Value, suffix: Vec<u32>) {
        self.bounds.insert((least, left), Bound::Exactly(value, suffix));
    }

    /// Records that M(s) does not reach a goal.
    pub fn misses(&mut self, arithmetic: &A, least: Root, left: usize, goal: Goal<A::Value>) {
        let entry = self.bounds.entry((least, left)).or_insert_with(|| Bound::Misses(goal.clone()));
        if let Bound::Misses(missed) = entry
            && missed.implies(arithmetic, &goal)
        {
            *missed = goal;
        }
    }
}

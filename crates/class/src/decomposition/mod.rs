//! Irreducibility, the decomposition dimension and essential hypotheses (Definitions 7, 8 and 9).
//!
//! The ambient dimension d is an explicit argument, fixed for all subclasses of one class H: with
//! the dimension of the class at hand in its place, Fact 2 fails. Conventions: Ldim(∅) = −1, the
//! SOA predicts 1 when both labels lower the dimension, and the points of Definition 7 may repeat.
//!
//! Nothing here depends on how ties of the SOA are broken: every nonempty leaf of a valid tree is
//! at least 1-irreducible, and then one label at each point keeps the dimension.

mod bounds;
pub mod certify;
mod delta;
mod dimension;
mod essential;
pub mod fact2;
mod irreducible;
mod paths;
mod states;
mod tau;
mod tree;

use crate::VersionSpace;
use crate::littlestone::{Dimension, Solver};
use littlestone_base::error::Error;
use littlestone_exact::limits::Stopped;

use bounds::{Bounds, MAX_AMBIENT};
use paths::Avoidance;
use states::{Id, States};
use tau::Trees;

pub use dimension::Bounded;
pub use essential::{Essential, EssentialOver, Excluded};
pub use irreducible::{Irreducible, Order, irreducibility_order, irreducible};
pub use tree::{Leaf, Node, Tree};

/// Why a decomposition cannot be begun.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unavailable {
    /// The question is at fault.
    #[error(transparent)]
    Input(#[from] Error),
    /// A limit was hit before the Littlestone dimension of the class was known. The decomposition
    /// dimension is at least 0 and at most the upper bound.
    #[error("the Littlestone dimension is not known: {}", .0.stopped.unwrap_or(Stopped::Elsewhere))]
    Undecided(Dimension),
}

/// The decomposition of a class at given p and d: `ρ_p` (Definition 8), an optimal tree, and the
/// essential hypotheses `C_p` (Definition 9). The limits are those of the solver; the search runs on
/// one thread.
#[derive(Debug)]
pub struct Decomposition<'s> {
    trees: Trees<'s>,
    full: VersionSpace,
    root: Id,
    dimension: Option<Bounded>,
    optimal: Option<Tree>,
}

impl<'s> Decomposition<'s> {
    /// Begins the decomposition of the solver's class with parameter `p` ≥ 1. The ambient
    /// dimension is that of the class unless it is given.
    ///
    /// # Errors
    /// When p is 0, the class is empty, or the ambient dimension is smaller than that of the class
    /// or larger than 64; and when a limit is hit before the dimension of the class is known.
    pub fn new(solver: &'s Solver<'s>, p: u32, ambient: Option<i32>) -> Result<Self, Unavailable> {
        if p == 0 {
            return Err(Error::argument("p: expected at least 1, found 0").into());
        }
        let full = VersionSpace::full(solver.class());
        if full.is_empty() {
            let message = "Definition 8 asks for a class with at least one hypothesis, found none";
            return Err(Error::argument(message).into());
        }
        if let Some(found) = ambient.filter(|&ambient| ambient > MAX_AMBIENT) {
            return Err(Error::argument(format!(
                "ambient: expected at most {MAX_AMBIENT}, found {found}"
            ))
            .into());
        }
        let dimension = solver.dimension();
        let ambient_is_small = |&ambient: &i32| ambient < dimension.lower;
        if let Some(found) = ambient.filter(ambient_is_small) {
            return Err(Error::argument_with_help(
                format!(
                    "ambient: expected at least {}, the Littlestone dimension of \
                     the class, found {found}",
                    dimension.lower
                ),
                "d is the dimension of a class H that holds this one as a subclass",
            )
            .into());
        }
        let value = dimension.value().ok_or(Unavailable::Undecided(dimension))?;
        let mut states = States::new(solver);
        let root = states.of(&full).map_err(|stopped| {
            Unavailable::Undecided(Dimension { stopped: Some(stopped), ..dimension })
        })?;
        let bounds = Bounds { p, ambient: ambient.unwrap_or(value) };
        Ok(Self { trees: Trees::new(states, bounds), full, root, dimension: None, optimal: None })
    }

    /// The parameter p.
    pub fn p(&self) -> u32 {
        self.trees.bounds.p
    }

    /// The ambient dimension d.
    pub fn ambient(&self) -> i32 {
        self.trees.bounds.ambient
    }

    /// The Littlestone dimension of the class.
    pub fn littlestone_dimension(&self) -> i32 {
        self.trees.states.dimension(self.root)
    }

    /// `ρ_p` of the class, or the best bounds proved when a limit is hit.
    pub fn dimension(&mut self) -> Bounded {
        if let Some(known) = self.dimension {
            return known;
        }
        let found = dimension::decide(&mut self.trees, self.root);
        self.dimension = Some(found);
        found
    }

    /// An optimal decomposition tree: valid, and with no leaf of dimension above `ρ_p`. A function
    /// of the class, p and d alone.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn tree(&mut self) -> Result<Tree, Stopped> {
        if let Some(known) = &self.optimal {
            return Ok(known.clone());
        }
        let r = self.decided()?;
        let found = tree::optimal(&mut self.trees, &self.full, r)?;
        self.optimal = Some(found.clone());
        Ok(found)
    }

    /// The essential hypotheses `C_p` of the class (Definition 9).
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn essential(&mut self) -> Result<Essential, Stopped> {
        let r = self.decided()?;
        if r == 0 {
            return Ok(essential::all(self.trees.states.solver().class()));
        }
        let candidates = self.tree()?.soas(r);
        essential::essential(&mut self.trees, &self.full, r, candidates)
    }

    /// The essential hypotheses, or what a misreading takes for them: all SOAs of leaves of dimension
    /// ρ of [`Decomposition::tree`].
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn essential_over(&mut self, trees: EssentialOver) -> Result<Essential, Stopped> {
        if trees == EssentialOver::All {
            return self.essential();
        }
        let tree = self.tree()?;
        let hypotheses = tree.soas(tree.dimension());
        Ok(Essential { hypotheses, excluded: Vec::new(), avoiding: Vec::new() })
    }

    /// An optimal tree that avoids the function with these labels, in point order: no leaf of
    /// dimension ρ has it as its SOA. There is none exactly when the function is essential.
    ///
    /// # Errors
    /// When a limit is hit.
    ///
    /// # Panics
    /// When the function does not have one label for each point.
    pub fn avoiding(&mut self, function: &str) -> Result<Option<Tree>, Stopped> {
        let class = self.trees.states.solver().class();
        assert_eq!(function.len(), class.points(), "one label for each point");
        let r = self.decided()?;
        if r == 0 {
            // Every function of the class has a leaf of its own in every tree (P4 of Fact 2).
            let essential = (0..class.hypotheses()).any(|h| class.labels(h) == function);
            return if essential { Ok(None) } else { self.tree().map(Some) };
        }
        Avoidance::new(&mut self.trees, function, r).tree(&self.full)
    }

    /// Number of compressed subclasses met so far.
    pub fn states(&self) -> usize {
        self.trees.states.len()
    }

    fn decided(&mut self) -> Result<i32, Stopped> {
        let found = self.dimension();
        found.value().ok_or(found.stopped.unwrap_or(Stopped::Elsewhere))
    }
}

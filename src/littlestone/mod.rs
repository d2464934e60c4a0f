//! The Littlestone dimension (Definition 6), shattered trees and the Standard Optimal Algorithm.
//!
//! Conventions: Ldim(∅) = −1 and a single hypothesis has dimension 0.

mod kernels;
mod matrix;
mod refutation;
mod search;
mod solver;
mod table;
mod tree;

pub use refutation::Written;
pub use solver::{Dimension, Solver};
pub use tree::ShatteredTree;

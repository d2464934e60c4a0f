//! The Littlestone dimension (Definition 6), shattered trees and the Standard Optimal Algorithm.
//!
//! Conventions: Ldim(∅) = −1 and a single hypothesis has dimension 0.

pub mod soa;
mod solver;
mod tree;

pub use solver::{Dimension, Solver};
pub use tree::ShatteredTree;

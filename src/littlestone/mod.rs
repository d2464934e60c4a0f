//! The Littlestone dimension (Definition 6), shattered trees and the Standard Optimal Algorithm.
//!
//! Conventions: Ldim(∅) = −1 and a single hypothesis has dimension 0.

pub mod encode;
mod meter;
mod solver;
mod threshold_dimension;
mod tree;
mod vc;

pub use solver::{Dimension, Solver};
pub use threshold_dimension::{ThresholdSequence, threshold_dimension, threshold_sequence};
pub use tree::ShatteredTree;
pub use vc::{ShatteredSet, shattered_set, vc_dimension};

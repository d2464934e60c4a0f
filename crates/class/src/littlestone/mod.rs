//! The Littlestone dimension (Definition 6), shattered trees and the Standard Optimal Algorithm.
//!
//! Conventions: Ldim(∅) = −1 and a single hypothesis has dimension 0. The VC and threshold
//! dimensions are here too, for comparison; they can be far harder to compute.

pub mod certify;
pub mod encode;
mod kernels;
mod matrix;
mod refutation;
mod search;
pub mod soa;
mod solver;
mod table;
mod threshold_dimension;
mod tree;
mod vc;

pub(crate) use kernels::Kernels;
pub(crate) use matrix::{Matrix, Scratch};
pub(crate) use refutation::by_rows;
pub(crate) use search::Search;

pub use refutation::Written;
pub use solver::{Dimension, Solver};
pub use threshold_dimension::{ThresholdSequence, threshold_dimension, threshold_sequence};
pub use tree::ShatteredTree;
pub use vc::{ShatteredSet, shattered_set, vc_dimension};

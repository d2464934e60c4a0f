//! Finite hypothesis classes `H ⊆ {0,1}^X`: rows are hypotheses, columns are points.

pub mod families;
mod table;
mod version_space;

pub use table::{Class, ClassBuilder, Merge};
pub use version_space::VersionSpace;

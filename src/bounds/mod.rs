//! The theorems of the paper as formulas: hypotheses that are decided, values that are enclosed.

pub mod learning;
pub mod real;

pub use real::Real;

//! The theorems of the paper as formulas with numbers.

mod figure;
pub mod learning;
pub mod predictor;

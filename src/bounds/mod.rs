//! The paper's bounds as numbers: what its formulas give at chosen parameters and constants.
//!
//! | module | idea |
//! | --- | --- |
//! | [`logs`] | certified logarithms at one precision |
//! | [`size`] | natural numbers, exact or as towers of two with an enclosed exponent |
//! | [`predictor`] | Theorem 3 with the parameters of Algorithms 2 to 4 |
//!
//! Logarithms are natural, as in the paper, unless they are written log2. Nothing here is rounded to
//! nearest: a number is exact, or both ends of an enclosure are given.

pub mod logs;
pub mod predictor;
pub mod size;

pub use logs::Logs;
pub use size::Size;

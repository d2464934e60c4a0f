//! The theorems of the paper as formulas: hypotheses that are decided, values that are enclosed.
//!
//! | module | idea |
//! | --- | --- |
//! | [`real`] | closed forms of real numbers |
//! | [`learning`] | the bounds on private learning |
//! | [`logs`] | certified logarithms at one precision, of numbers with very many digits |
//! | [`size`] | natural numbers, exact or as towers of two with an enclosed exponent |
//! | [`predictor`] | Theorem 3 with the parameters of Algorithms 2 to 4 |
//!
//! Logarithms are natural, as in the paper, unless they are written log2. Nothing here is rounded to
//! nearest: a number is exact, or both ends of an enclosure are given.

pub mod learning;
pub mod logs;
pub mod predictor;
pub mod real;
pub mod size;

pub use logs::Logs;
pub use real::Real;
pub use size::Size;

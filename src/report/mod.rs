//! How results are shown.

pub mod check;
pub mod tree;

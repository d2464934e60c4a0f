//! How results are shown.

pub mod check;
pub mod privacy;
pub mod tree;

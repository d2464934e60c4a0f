//! How results are shown.

pub mod tree;

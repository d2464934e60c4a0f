//! How results are shown.

pub mod check;
pub mod privacy;
pub mod profile;
pub mod tree;

//! How results are shown.

pub mod check;

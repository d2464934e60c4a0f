//! How results are shown.

mod axes;
pub mod check;
pub mod combine;
pub mod privacy;
pub mod profile;
pub mod tree;

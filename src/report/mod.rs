//! How results are shown.

pub mod check;
pub mod combine;
pub mod minimax;
pub mod privacy;
pub mod profile;
pub mod tree;

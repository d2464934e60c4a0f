//! How results are shown.

mod axes;
pub mod check;
pub mod combine;
pub mod phases;
pub mod potentials;
pub mod privacy;
pub mod profile;
pub mod thirds;
pub mod tree;

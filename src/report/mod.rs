//! How results are shown.

mod axes;
pub mod check;
pub mod combine;
pub mod phases;
pub mod plot;
pub mod thirds;
pub mod tree;

pub use crate::text::Lines;

//! How results are shown.

mod axes;
pub mod bounds;
pub mod check;
pub mod combine;
mod object;
pub mod phases;
pub mod plot;
pub mod thirds;
pub mod tree;

pub use crate::text::Lines;
pub(crate) use object::Object;

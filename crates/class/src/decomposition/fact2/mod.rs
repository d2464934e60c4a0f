//! Fact 2, exhaustively: its parts for all classes on a few points, or for a class and its subclasses.

mod domain;
mod property;
mod tally;

pub use domain::{AmbientDimension, Domain};
pub use property::{Fact2, Property};
pub use tally::Tally;

//! What every other part of littlestone stands on: rational numbers and naturals, their parser and
//! printer, limits on work, errors, and text from outside.

mod arithmetic;
pub mod error;
#[cfg(feature = "files")]
pub mod file;
mod gcd;
pub mod integer;
pub mod limits;
pub mod parse;
pub mod rational;
pub mod text;
pub mod weight;

pub use arithmetic::{add, multiply};
pub use integer::Integer;
pub use parse::{ParseNumberError, parse_rational};
pub use rational::{BigInt, BigUint, Rational, decimal, show};
pub use weight::Natural;

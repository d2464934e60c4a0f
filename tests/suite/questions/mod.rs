//! The same question through every door.

mod adversaries;
mod posed;

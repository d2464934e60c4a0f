//! The same question through every door.

mod adversaries;
mod asked;
mod decomposition;
mod posed;
mod privacy;
mod soa;

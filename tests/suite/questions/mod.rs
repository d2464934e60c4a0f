//! The same question through every door.

mod adversaries;
mod bounds;
mod decomposition;
mod dimension;
mod posed;
mod privacy;
mod soa;

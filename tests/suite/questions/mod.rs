//! The same question through every door.

mod adversaries;
mod bounds;
mod decomposition;
mod dimension;
mod exact;
mod posed;
mod privacy;
mod requests;
mod soa;

//! Certificates of privacy and of expected mistakes: what the searches write verifies, the
//! verifier agrees with them and with the literal reference, and forged ones are rejected or true.
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

#[path = "../support/literal.rs"]
mod literal;

mod agreement;
mod every_length;
mod forged;
mod manual;
mod oracle;
mod produced;
mod tools;

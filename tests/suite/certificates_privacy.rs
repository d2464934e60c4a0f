//! Certificates of privacy and of expected mistakes: what the searches write verifies, the
//! verifier agrees with them and with the literal reference, and forged ones are rejected or true.
use crate::support::literal;

mod agreement;
mod every_length;
mod forged;
mod manual;
mod oracle;
mod produced;
mod tools;

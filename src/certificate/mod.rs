//! Certificates, and the verifier that shares no code with the searches.
//!
//! A certificate is a JSON file that holds a statement, the object the statement is about, and a
//! proof. The verifier reads nothing else. This module imports the standard library, serde and
//! thiserror only: it has its own class, its own compression and its own recursion, all of them
//! plain rather than fast, so that no fault of a search can hide behind the same fault here.
//! The format, and why a proof that passes is a proof, stand in `docs/certificates.md`.
//!
//! | file | idea |
//! | --- | --- |
//! | `format` | the JSON of each kind, as serde structs |
//! | `verify` | the entry points: reading, dispatch on `kind`, what is reported |
//! | `littlestone_dimension` | the rules for the kind `littlestone-dimension` |
//! | `matrix` | compressed classes and the plain recursion |
//! | `rejection` | what can be wrong with a certificate |
//!
//! A further kind is a struct in `format`, a file of rules, and one line in the dispatch.

pub mod format;
mod littlestone_dimension;
mod matrix;
mod rejection;
mod verify;

pub use rejection::{Malformed, Rejection, Unproved};
pub use verify::{Limits, Outcome, Report, Statement, recheck, verify};

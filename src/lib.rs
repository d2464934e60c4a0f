//! Exact computation and formal checking for private online learning.
//!
//! The library computes, for finite hypothesis classes and tiny horizons, the quantities of the
//! paper *Private online learning and prediction for Littlestone classes*, exactly: no verdict
//! passes through a floating-point number, and every answer can be written down as a certificate
//! that a separate verifier checks.
//!
//! | module | idea |
//! | --- | --- |
//! | [`class`] | finite hypothesis classes: reading, generating, deriving |
//! | [`littlestone`] | Littlestone dimension (Definition 6), shattered trees, the SOA |
//! | [`decomposition`] | irreducibility, decomposition dimension, essential hypotheses (Definitions 7 to 9) |
//! | [`atlas`] | all classes on at most 4 points up to symmetry |
//! | [`certificate`] | the proof format and the verifier, which shares no code with the searches |
//! | [`claims`] | claim files: what a paper says about an instance, and what is expected |
//! | [`report`] | how results are shown: trees, JSON, JUnit, GitHub annotations |
//! | [`cli`] | the command line, which the binary calls |
//! | [`limits`] | bounds on the work a search may do |
//! | [`error`] | what can be wrong with an input |

pub mod atlas;
pub mod certificate;
pub mod claims;
pub mod class;
pub mod cli;
pub mod decomposition;
pub mod error;
pub mod limits;
pub mod littlestone;
pub mod report;

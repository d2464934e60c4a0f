//! Exact computation and formal checking for private online learning.
//!
//! The library computes, for finite hypothesis classes and tiny horizons, the quantities of the
//! paper *Private online learning and prediction for Littlestone classes*, exactly: no verdict
//! passes through a floating-point number, and every answer can be written down as a certificate
//! that a separate verifier checks.
//!
//! | module | idea |
//! | --- | --- |
//! | [`exact`] | exact numbers: rationals, e^q and what they make, and the signs of both |
//! | [`class`] | finite hypothesis classes: reading, generating, deriving |
//! | [`littlestone`] | Littlestone dimension (Definition 6), shattered trees, the SOA |
//! | [`mechanism`] | learners, predictors, transducers: laws, automata, scripts, tables |
//! | [`catalogue`] | the named mechanisms, and mechanisms that a misreading would accept |
//! | [`privacy`] | exact verdicts on privacy over all neighbouring streams (Definitions 2, 4) |
//! | [`always`] | statements for every value of the randomness: reachability with a monitor |
//! | [`certificate`] | the proof format and the verifier, which shares no code with the searches |
//! | [`claims`] | claim files: what a paper says about an instance, and what is expected |
//! | [`report`] | how results are shown: trees, JSON, JUnit, GitHub annotations |
//! | [`cli`] | the command line, which the binary calls |
//! | [`mistakes`] | expected mistakes on a stream, on random streams, on the worst stream |
//! | [`limits`] | bounds on the work a search may do |
//! | [`error`] | what can be wrong with an input |

pub mod always;
pub mod catalogue;
pub mod certificate;
pub mod claims;
pub mod class;
pub mod cli;
pub mod error;
pub mod exact;
pub mod limits;
pub mod littlestone;
pub mod mechanism;
pub mod mistakes;
pub mod privacy;
pub mod report;

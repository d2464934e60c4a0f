//! Certificates, and the verifier that shares no code with the searches.
//!
//! A certificate is a JSON file that holds a statement, the object the statement is about, and a
//! proof. The verifier reads nothing else. This crate depends on the standard library, serde and
//! thiserror, and of littlestone on the rational numbers and their parser: it has its own class, its
//! own compression and recursion, its own reading and enumeration of automata and its own
//! enclosures of powers of e, all of them plain rather than fast, so that no fault of a search can
//! hide behind the same fault here. Its binary, `littlestone-checker`, verifies files and does nothing
//! else.
//! The format, and why a proof that passes is a proof, stand in `docs/certificates.md`.
//!
//! | file | idea |
//! | --- | --- |
//! | `format` | the JSON of each kind, as serde structs |
//! | `verify` | the entry points: reading, dispatch on `kind`, what is reported |
//! | `littlestone_dimension` | the rules for the kind `littlestone-dimension` |
//! | `matrix` | compressed classes, counting of rows, and the plain recursion for small bounds |
//! | `irreducible`, `decomposition_dimension`, `essential_hypotheses` | the rules for these kinds |
//! | `decomposed` | what these three kinds share: the class, and the check of a tree |
//! | `states`, `facts` | their table of states, what a state shows, and what is evident without one |
//! | `members` | the table that shows that a hypothesis is essential |
//! | `bounds` | the bounds on depth in Definition 8 |
//! | `privacy`, `expected_mistakes` | the rules for the kinds of these names |
//! | `every_length` | the rules for `privacy-every-length` |
//! | `minimax` | the rules for `minimax`: a learner and an adversary |
//! | `question` | divergences of pairs of streams, for `privacy` |
//! | `automaton`, `alphabets` | reading an embedded mechanism |
//! | `enumerate`, `mistakes` | straight enumeration of its streams, outputs and coins |
//! | `number`, `notation`, `exponential` | sums of powers of e: signs, text, enclosures |
//! | `statement` | what is proved, in words |
//! | `judgement` | what is said about a certificate, and how grave it is |
//! | `rejection` | what can be wrong with a certificate |
//!
//! A further kind is a struct in `format`, a file of rules, and one line in the dispatch.

mod alphabets;
mod automaton;
mod bounds;
mod decomposed;
mod decomposition_dimension;
mod enumerate;
mod essential_hypotheses;
mod every_length;
mod expected_mistakes;
mod exponential;
mod facts;
pub mod format;
mod irreducible;
pub mod judgement;
mod littlestone_dimension;
mod matrix;
mod members;
mod minimax;
mod mistakes;
mod notation;
mod number;
mod privacy;
mod question;
mod rejection;
mod statement;
mod states;
mod verify;

pub use rejection::{Malformed, Rejection, Unproved};
pub use statement::{DecompositionParameters, MinimaxScope, MistakesOver, PrivacyScope, Statement};
pub use verify::{Limit, Limits, Outcome, Report, recheck, verify};

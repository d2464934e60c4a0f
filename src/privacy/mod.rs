//! Exact privacy verdicts: the worst δ over all neighbouring streams (Definitions 2 and 4).
//!
//! The engine knows automata, never scripts or the paper's mechanisms, and is generic over the
//! arithmetic of the weights.

mod causal;
pub mod certify;
pub mod direct;
mod envelope;
mod frontier;
mod gaps;
mod judge;
mod known;
mod layers;
mod least;
mod limit;
mod listed;
mod model;
mod node;
mod pair;
mod profile;
mod ratios;
mod search;
mod streams;
mod summary;
mod symmetry;
mod tails;
mod verdict;

pub use causal::{Causality, Looks, Violation, causal};
pub use judge::{Judgement, Span, Verdict, judge};
pub use limit::check_streams;
pub use listed::listed;
pub use profile::{Piece, Profile, listed_profile, profile};
pub use streams::Streams;
pub use verdict::{
    Decision, Event, Lengths, MAX_ROUNDS, Neighbour, Neighbours, Notion, Question, Worst, decide,
    event, event_unlisted, upper_bound, worst_delta,
};

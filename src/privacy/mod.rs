//! Exact privacy verdicts: the worst δ over all neighbouring streams (Definitions 2 and 4).
//!
//! The engine knows automata, never scripts or the paper's mechanisms, and is generic over the
//! arithmetic of the weights.

pub mod certify;
mod least;
mod model;
mod node;
mod pair;
mod search;
mod streams;
mod verdict;

pub use streams::Streams;
pub use verdict::{
    Decision, Event, Neighbour, Neighbours, Notion, Question, Worst, decide, event, worst_delta,
};

//! Exact privacy verdicts: the worst δ over all neighbouring streams (Definitions 2 and 4).
//!
//! The engine knows automata, never scripts or the paper's mechanisms, and is generic over the
//! arithmetic of the weights.
//!
//! What else is asked of an automaton, over the same streams:
//!
//! | module | idea |
//! | --- | --- |
//! | [`mistakes`] | expected mistakes on a stream, on random streams, on the worst stream |
//! | [`always`] | statements for every value of the randomness: reachability with a monitor |
//! | [`regret`] | the greatest regret against the predictors that a rule sees |

pub mod always;
mod causal;
pub mod certify;
pub mod direct;
mod ends;
mod envelope;
mod event;
mod every;
mod frontier;
mod gaps;
mod independent;
mod judge;
mod known;
mod layers;
mod least;
mod limit;
mod listed;
pub mod mistakes;
mod model;
mod node;
mod pair;
mod part;
mod profile;
mod question;
mod ratios;
pub mod regret;
mod related;
mod search;
mod stated;
mod step;
mod streams;
mod summary;
mod symmetry;
mod tails;
mod verdict;
mod walk;

pub use causal::{Causality, Looks, Violation, causal};
pub use ends::{EndBound, end_bound};
pub use event::{Event, both_ways, event, event_unlisted};
pub use every::{DIRECT_ROUNDS, Every, bounds, every_length, every_length_of, prepared};
pub use independent::{INDEPENDENT, surely_independent};
pub use judge::{Judgement, Span, Verdict, judge};
pub use limit::check_streams;
pub use listed::listed;
pub use part::{Part, merge_decisions, merge_worst};
pub use profile::{Piece, Profile, listed_profile, profile};
pub use question::{MAX_ROUNDS, Neighbour, Neighbours, Notion, Question};
pub use related::{adjacent, within};
pub use stated::{misstated, not_neighbours, shown, shrinking};
pub use step::{Split, StepBound, step_bound};
pub use streams::Streams;
pub use verdict::{
    Decision, Lengths, Worst, admissible, decide, decide_of, upper_bound, worst_delta,
    worst_delta_of,
};

//! Exact expected mistakes `E[M_T]` of learners (Definition 1) and predictors (Definition 3).
//!
//! The adversary is *oblivious*: the stream, or the law from which it is drawn, is fixed before the
//! first round and independent of the coins of the mechanism. The law of the state then develops
//! linearly, whatever was released, and no history is kept.
//!
//! | item | idea |
//! | --- | --- |
//! | [`on_stream`], [`on_stream_within`] | one stream, round by round |
//! | [`on_streams`] | a listed law over streams |
//! | [`on_examples`] | independent examples of one law |
//! | [`worst`] | the worst stream of a length, realisable or any |
//! | [`greatest_excess`] | a combination of two predictors, for every threshold (Theorem 3) |
//! | [`read_weighted`] | listed laws over streams, as typed or in a file |

mod expected;
mod lump;
mod model;
mod places;
mod search;
mod threshold;
mod weighted;
mod worst;

pub use expected::{
    Expected, on_examples, on_examples_within, on_stream, on_stream_within, on_streams,
    on_streams_within,
};
pub use model::{Law, Model, collect, index};
pub use places::Streams;
pub use threshold::{Excess, greatest_excess};
pub use weighted::{parse_weighted, read_weighted};
pub use worst::{MAX_ROUNDS, Worst, worst};

use littlestone_base::error::{Error, Result};
use littlestone_mechanism::{Automaton, Kind};

/// Checks that mechanisms of this kind make mistakes at all.
///
/// # Errors
/// For transducers and one-shot mechanisms.
pub fn check_kind(kind: Kind) -> Result<()> {
    if matches!(kind, Kind::Learner | Kind::Predictor) {
        return Ok(());
    }
    Err(Error::argument(format!(
        "mistakes (Section 1.1) are made by learners and predictors; this is a {kind}, whose \
         outputs are not compared with labels"
    )))
}

/// Checks that the mechanism makes mistakes, and that its table covers the rounds.
///
/// # Errors
/// When it does not, or there are no rounds.
pub fn admissible(automaton: &Automaton, rounds: usize) -> Result<()> {
    check_kind(automaton.interface().kind())?;
    if rounds == 0 {
        return Err(Error::argument("the number of rounds must be at least 1"));
    }
    automaton.covers(rounds)
}

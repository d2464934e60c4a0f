//! The adversaries of the paper's lower bounds (Sections 2 and 5).
//!
//! An adversary is *oblivious*: a law over streams of labelled examples, fixed before the first
//! round.
//!
//! | item | idea |
//! | --- | --- |
//! | [`Thirds`] | Algorithm 1: informative examples in random thirds of thirds |
//! | [`Thirds::outcomes`] | its law over streams, listed, as written or as it could be misread |
//! | [`Drawn`] | what is computed from that list |
//! | [`Arguments`] | the adversary as it is typed, `thirds:p=1/2` |
//! | [`play`] | expected mistakes against it, without listing its streams |
//! | [`Blocks`], [`repeated`], [`retained()`] | the streams of Lemma 5 in its three regimes, and mistakes on them |
//! | [`phases()`] | Theorem 2's stream for a given learner |
//! | [`concentration`] | how concentrated a learner is, which earlier lower bounds assume |

mod argument;
mod blocks;
mod concentrated;
mod drawn;
mod outcomes;
mod phases;
mod play;
mod retained;
mod thirds;

pub use argument::{Arguments, example};
pub use blocks::{Block, Blocks, Blockwise, Instance, group_delta, repeated};
pub use concentrated::{Concentration, concentration};
pub use drawn::Drawn;
pub use outcomes::{Insertion, Outcome, Reading};
pub use phases::{Phase, Phases, Shared, phases};
pub use play::{Played, play};
pub use retained::{Retained, retained};
pub use thirds::{Interval, Thirds};

//! Finite randomised mechanisms: learners (Definition 1), predictors (Definition 3), transducers
//! and one-shot mechanisms, and their compilation to automata.
//!
//! A mechanism is a *step function on explicit state*. In every round it sees a *before* part,
//! releases a symbol, and sees an *after* part; each of its steps is a finite [`Law`] with exact
//! weights. Equal states are merged, so nothing ever enumerates coin sequences that lead to the
//! same place.
//!
//! | kind | before | output | after |
//! | --- | --- | --- | --- |
//! | learner | nothing | a hypothesis, as labels in point order (`0110`) | a labelled example (x, y) |
//! | predictor | a point x | a bit | a label y |
//! | transducer | any finite alphabet | any finite alphabet | any finite alphabet |
//! | one-shot | nothing | nothing until all records are seen, then one symbol | a record |
//!
//! One *record* of a stream is a pair (before, after); for learners and predictors that is a
//! labelled example, written `3:0`.
//!
//! # Conventions that change numbers
//!
//! - The SOA predicts 0 iff Ldim(G|x=0) = Ldim(G), so a tie gives 1.
//! - On a sample that no hypothesis fits, the SOA is the all-zero function.
//! - Weights are never normalised: a row that does not sum to 1 exactly is an error.
//! - Streams are fixed in advance, independently of the coins (an oblivious adversary).
//!
//! # Map
//!
//! | item | idea |
//! | --- | --- |
//! | [`Mechanism`] | the trait that mechanisms written in Rust implement |
//! | [`Boxed`] | a mechanism of any state type behind one type |
//! | [`Automaton`], [`compile`] | the compiled form, which is all that the searches see |
//! | [`Script`] | mechanisms written as `.rhai` scripts |
//! | [`Monitor`] | statements about single runs, written as scripts |
//! | [`table`] | automata as JSON, and as graphs for drawing |
//! | [`spec`] | what `MECHANISM` means on the command line and in claim files |
//! | [`catalogue`] | the named mechanisms, and mechanisms that a misreading would accept |
//! | [`stream`] | streams of records as text |
//! | [`expression`] | exact expressions for bounds and parameters |

mod automaton;
mod boxed;
pub mod catalogue;
mod compile;
mod dot;
mod interface;
mod law;
mod minimise;
mod on_records;
mod script;
pub mod spec;
pub mod stream;
pub mod table;

use std::fmt::Debug;
use std::hash::Hash;

pub use automaton::every_length_covered;
pub use automaton::{Automaton, Response, Row, Weighted};
pub use boxed::Boxed;
pub use compile::{Options, compile};
pub use interface::{Interface, Kind};
pub use law::Law;
pub use script::{Memory, Monitor, Script, Tools};

pub use littlestone_exact::expression;

use littlestone_base::error::{Error, Result};

/// What a mechanism releases, by name: the labels of a hypothesis in point order for a learner,
/// `0` or `1` for a predictor, a symbol of the output alphabet otherwise.
pub type Output = String;

/// A finite randomised mechanism: its laws, step by step.
///
/// In every round of a stream, [`respond`](Self::respond) is asked first (it sees only the
/// *before* part of the round) and [`observe`](Self::observe) second. Causality (a learner
/// releases `h_r` before it sees the example of round r) is thus a matter of types. One-shot
/// mechanisms only observe, and [`finish`](Self::finish) is asked once at the end.
pub trait Mechanism {
    /// Everything the mechanism remembers. States that are equal are merged.
    type State: Clone + Eq + Hash + Debug;

    /// The kind of the mechanism and the names of its symbols.
    fn interface(&self) -> &Interface;

    /// The law of the state before the first round.
    ///
    /// # Errors
    /// When the mechanism's own description is at fault.
    fn start(&self) -> Result<Law<Self::State>>;

    /// The joint law of the released symbol and the next state, given the *before* part of the
    /// round as an index into [`Interface::before`].
    ///
    /// # Errors
    /// When the mechanism's own description is at fault.
    fn respond(&self, state: &Self::State, before: usize) -> Result<Law<(Output, Self::State)>>;

    /// The law of the next state, given the *after* part of the round as an index into
    /// [`Interface::after`].
    ///
    /// # Errors
    /// When the mechanism's own description is at fault.
    fn observe(&self, state: &Self::State, after: usize) -> Result<Law<Self::State>>;

    /// The law of the output of a one-shot mechanism that has observed all its records.
    ///
    /// # Errors
    /// When the mechanism is of another kind, or its own description is at fault.
    fn finish(&self, state: &Self::State) -> Result<Law<Output>> {
        let _ = state;
        Err(Error::argument(format!(
            "a {} has no output at the end of the stream",
            self.interface().kind()
        )))
    }

    /// The greatest number of rounds (records, of a one-shot mechanism) that the description covers,
    /// as the key `rounds` of a table says; `None` when it covers all.
    fn rounds(&self) -> Option<usize> {
        None
    }

    /// Preconditions of the paper that the parameters violate though the mechanism is well defined
    /// with them, a sentence each.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// How a state is shown in reports.
    fn describe(&self, state: &Self::State) -> String {
        format!("{state:?}")
    }
}

//! Algorithm 2: a private sequence of candidates (Section 7.1, Figure 4).
//!
//! The algorithm is one function of a state, a prefix of the stream and an [`Oracle`] that makes the
//! random choices: [`Algorithm::next`] handles one batch, so that Algorithm 3 can resume it, and
//! [`Algorithm::run`] all of them. With the oracle [`Enumerate`] every value of the randomness is
//! tried in turn, which gives exact laws ([`Algorithm::law`], [`Algorithm::law_of_next`]) and
//! statements about every run ([`Algorithm::for_each_run`]).
//!
//! | module | idea |
//! | --- | --- |
//! | `function` | functions on the domain, which need not be in the class |
//! | `parameters` | n, k, s, N, K, thresholds, list parameters, Select; what the paper asks of them |
//! | `lists` | essential hypotheses of subclasses |
//! | `oracle` | where the randomness comes from: a seed, the most likely, a fixed table |
//! | `algorithm` | Algorithm 2 line by line |
//! | `law` | all values of the randomness |
//! | `streams` | all streams of one length |
//! | `statement` | statements about every run (Algorithm 2, Lemmas 3, 8, 9) |
//! | `chances` | probabilities of runs (Lemmas 3, 7) |
//! | `sampling` | how a batch is divided (Lemma 6) |
//! | `group_set` | the groups that are successful for every full batch (Lemma 6) |
//! | `coupling` | fixed assignments and numbers (Lemma 10) |

mod algorithm;
mod chances;
mod coupling;
mod function;
mod group_set;
mod law;
mod lists;
mod oracle;
mod parameters;
mod sampling;
mod statement;
mod streams;

use littlestone_base::error::Error;
use littlestone_exact::limits::Stopped;
use littlestone_exact::{BigInt, Number, Rational};

pub use algorithm::{Algorithm, Call, Record, Run, State, Step, batch};
pub use chances::Chances;
pub use coupling::{Changed, Pair};
pub use function::Function;
pub use group_set::GroupSet;
pub use law::Enumerate;
pub use lists::{List, Members};
pub use oracle::{Answer, Fixed, Likely, Oracle, Received, Seeded, Table};
pub use parameters::{Condition, Parameters, Variant};
pub use sampling::{Rule, tail};
pub use statement::{Said, Statement};
pub use streams::{Stream, fits, streams};

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A limit was hit.
    #[error("{0}")]
    Stopped(Stopped),
    /// The question is at fault, or a number is beyond all limits.
    #[error(transparent)]
    Input(#[from] Error),
}

impl From<Stopped> for Fault {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// A natural number as an exact number.
fn whole(value: usize) -> Number {
    Rational::from_integer(BigInt::from(value)).into()
}

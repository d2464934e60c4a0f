//! The named mechanisms, in Rust or as scripts: what `name:key=value` means.
//!
//! Learner and predictor forms of one idea have two names: `subsampled-soa` is the predictor,
//! `subsampled-soa-learner` the learner. States are merged canonically: a mechanism remembers the
//! version space of what it retained, never the examples. Some entries are *twins*: mechanisms
//! which a misreading of a definition would accept, and which the definition refutes.
//!
//! | module | idea |
//! | --- | --- |
//! | `given` | the values of parameters, with defaults |
//! | `describe` | how version spaces are shown |
//! | `release` | bits and hypotheses with independent flips |
//! | `scripted` | mechanisms that are scripts, twins among them |
//! | `constant` | mechanisms that ignore the stream |
//! | `soa`, `subsampled_soa` | the SOA, without privacy and subsampled (Fact 5) |
//! | `subsample` | the wrapper of Proposition 1 |
//! | `restriction`, `blocks` | a learner in a phase of Theorem 2, and that of Lemma 5 |
//! | `absorbing` | learners that settle on a label once |
//! | `geometric` | two-sided geometric noise on all integers, summed in closed form |
//! | `queries` | one-shot mechanisms on a vector of query answers |
//! | `sparse_vector`, `noisy_max`, `exponential_mechanism` | such mechanisms |
//! | `discrete_laplace`, `thresholded_release`, `batches` | noisy counts and sums |
//! | `prefix_sums`, `tree_counter` | continual counting |
//! | `above_threshold`, `tree_counter_learner` | private learners for point functions |
//! | `compose` | independent runs on one data set |
//! | `event_of` | whether one output occurs |
//! | `mirror` | the private delay of Fact 4 |
//! | `selection`, `shares` | the private selection of Fact 3, and probabilities in given proportions |
//! | `replacement` | one sequence of predictions in place of another, and chains (Definition 10) |
//! | `adaptive` | two transducers, the second of which is given the answers of the first (Lemma 12) |
//! | [`candidates`] | the candidate sequence (Algorithm 2), which is no mechanism by itself |
//! | `combine` | the comparison rule (Algorithm 4) |
//! | `online` | the candidates used online (Algorithm 3) |
//! | `combined` | the whole predictor: two predictors and the comparison rule (Theorem 3) |

mod above_threshold;
mod absorbing;
mod adaptive;
mod batches;
mod blocks;
pub mod candidates;
mod combine;
mod combined;
mod compose;
mod constant;
mod describe;
mod discrete_laplace;
mod event_of;
mod exponential_mechanism;
mod geometric;
mod given;
mod mirror;
mod noisy_max;
mod online;
mod prefix_sums;
mod queries;
mod release;
mod replacement;
mod restriction;
mod scripted;
mod selection;
mod shares;
mod soa;
mod sparse_vector;
mod subsample;
mod subsampled_soa;
mod thresholded_release;
mod tree_counter;
mod tree_counter_learner;

use std::fmt;

pub use given::Given;
pub use selection::{Count, Select};

use crate::spec::{Arguments, Catalogue, Context, Parameter};
use crate::{Boxed, Kind, Mechanism as _};
use littlestone_base::error::{Error, Result};

/// A named mechanism.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// What it does, in one line.
    pub law: &'static str,
    /// The item of the paper that it belongs to.
    pub paper: &'static str,
    /// For a twin, the misreading that would accept it.
    pub twin: Option<&'static str>,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    build: fn(&Given<'_>) -> Result<Boxed>,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

/// All named mechanisms, in the order in which they are listed: twins last.
pub const ENTRIES: &[Entry] = &[
    constant::PREDICTOR,
    constant::LEARNER,
    scripted::FAIR_BITS,
    soa::PREDICTOR,
    soa::LEARNER,
    scripted::RANDOMISED_RESPONSE,
    scripted::RANDOMISED_RESPONSE_LEARNER,
    scripted::RANDOMISED_RESPONSE_ONE_SHOT,
    subsampled_soa::PREDICTOR,
    subsampled_soa::LEARNER,
    subsample::ENTRY,
    restriction::ENTRY,
    blocks::ENTRY,
    scripted::SWITCH_AT_MISTAKE,
    scripted::HAZARD,
    absorbing::ENTRY,
    mirror::ENTRY,
    selection::ENTRY,
    above_threshold::ENTRY,
    tree_counter_learner::ENTRY,
    discrete_laplace::ENTRY,
    exponential_mechanism::ENTRY,
    noisy_max::ENTRY,
    sparse_vector::ENTRY,
    prefix_sums::ENTRY,
    tree_counter::ENTRY,
    thresholded_release::ENTRY,
    batches::ENTRY,
    compose::ENTRY,
    event_of::ENTRY,
    replacement::ENTRY,
    replacement::CHAIN,
    replacement::PATTERNS,
    adaptive::ENTRY,
    combine::ENTRY,
    online::ENTRY,
    online::PATHS,
    combined::ENTRY,
    scripted::LABEL_PEEKER,
    scripted::CORRELATED_ROUNDS,
    scripted::CONTRADICTION_ALARM,
    scripted::XOR_OF_PAST_POINTS,
    scripted::REPEATED_ANSWER,
    subsample::SKIPPING,
    subsample::INFORMED,
    blocks::UNSHIFTED,
];

/// The learner at the parameter `of`.
fn learner(given: &Given<'_>) -> Result<Boxed> {
    let inner = given.mechanism("of")?;
    match inner.interface().kind() {
        Kind::Learner => Ok(inner),
        kind => Err(Error::argument(format!("the parameter `of` takes a learner, not a {kind}"))),
    }
}

/// The mechanism of that name.
pub fn entry(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

/// The catalogue of all [`ENTRIES`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Standard;

impl Catalogue for Standard {
    fn names(&self) -> Vec<&str> {
        ENTRIES.iter().map(|entry| entry.name).collect()
    }

    fn parameters(&self, name: &str) -> Option<Vec<Parameter>> {
        entry(name).map(|entry| entry.parameters.to_vec())
    }

    fn build(&self, name: &str, arguments: &Arguments, context: &Context<'_>) -> Result<Boxed> {
        let entry = entry(name)
            .ok_or_else(|| Error::argument(format!("there is no mechanism `{name}`")))?;
        (entry.build)(&Given::new(entry, arguments, context))
    }
}

#[cfg(test)]
mod tests {
    use itertools::Itertools;

    use super::*;

    #[test]
    fn names_are_distinct_and_twins_come_last() {
        assert!(ENTRIES.iter().map(|entry| entry.name).all_unique());
        assert!(ENTRIES.iter().map(|entry| entry.twin.is_some()).is_sorted());
        for entry in ENTRIES {
            assert!(entry.parameters.iter().map(|p| p.name).all_unique(), "{}", entry.name);
            assert!(!entry.law.contains('\n') && !entry.paper.is_empty(), "{}", entry.name);
        }
    }
}

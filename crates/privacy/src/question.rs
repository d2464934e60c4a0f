//! What is asked about the privacy of a mechanism.

use littlestone_base::error::{Error, Result};
use littlestone_exact::Epsilon;

/// The greatest number of rounds a question may be about.
pub const MAX_ROUNDS: usize = 256;

/// Checks that a number of rounds is from 1 to [`MAX_ROUNDS`].
pub(super) fn check_rounds(rounds: usize) -> Result<()> {
    if (1..=MAX_ROUNDS).contains(&rounds) {
        return Ok(());
    }
    let message = format!("the number of rounds must be from 1 to {MAX_ROUNDS}, not {rounds}");
    Err(Error::argument(message))
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notion {
    /// The whole output (Definition 2): all T hypotheses, or all T symbols.
    Whole,
    /// The output without the symbol of the differing round (Definition 4).
    Joint,
}

/// Which streams are neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neighbours {
    /// Streams of one length that differ in one record.
    Replacement,
    /// One stream has one record more than the other; for one-shot mechanisms.
    AddRemove,
}

impl Neighbours {
    /// What may stand in the differing round of the two streams, in both directions; `None` is an absent
    /// record.
    pub(super) fn sides<R: Copy + PartialEq>(
        self,
        records: impl Iterator<Item = R>,
    ) -> Vec<[Option<R>; 2]> {
        let all: Vec<Option<R>> = records.map(Some).collect();
        match self {
            Self::Replacement => {
                let pairs = all.iter().flat_map(|&z| all.iter().map(move |&w| [z, w]));
                pairs.filter(|[z, w]| z != w).collect()
            }
            Self::AddRemove => all.into_iter().flat_map(|z| [[None, z], [z, None]]).collect(),
        }
    }
}

/// A question about the privacy of a mechanism.
#[derive(Debug, Clone)]
pub struct Question {
    /// What is compared.
    pub notion: Notion,
    /// Which streams are neighbours.
    pub neighbours: Neighbours,
    /// ε ≥ 0.
    pub epsilon: Epsilon,
}

/// Two neighbouring streams, as indices of records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbour {
    /// The stream whose outputs are the more likely ones.
    pub first: Vec<usize>,
    /// The other stream.
    pub second: Vec<usize>,
}

//! A private learner for point functions: one binary-tree counter for each point.
//!
//! The counter of a point h counts the examples (h,1). After t rounds the rounds so far fall into
//! dyadic blocks, one for each 1 in the binary notation of t; each block has its number of examples
//! and one noise, drawn when the block is complete, and the estimate is the sum over the blocks. The
//! noise is cut at a bound, which is part of the mechanism.

use super::above_threshold::{point_function, truncated};
use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;

/// The entry.
pub const ENTRY: Entry = Entry {
    name: "tree-counter-learner",
    kind: Kind::Learner,
    law: "releases the zero function until the binary-tree counter of the examples (h,1) exceeds \
          alpha for some point h, and the function that is 1 at h alone from then on",
    paper: "Definition 5",
    twin: None,
    parameters: &[
        Parameter {
            name: "alpha",
            default: Some("1"),
            meaning: "an estimate above this integer from 0 to 256 fires",
        },
        Parameter {
            name: "ratio",
            default: Some("1/2"),
            meaning: "the ratio in [0, 1) of the noise of each block, P(z) ~ ratio^|z| for \
                      |z| <= bound",
        },
        Parameter {
            name: "bound",
            default: Some("1"),
            meaning: "the greatest absolute value of the noise of a block, from 0 to 16",
        },
    ],
    build: |given: &Given<'_>| {
        Ok(Boxed::new(TreeCounterLearner {
            interface: Interface::learner(given.points()?)?,
            alpha: given.integer("alpha", 0..=256)?,
            noise: truncated(&given.noise("ratio")?, given.integer("bound", 0..=16)?)?,
        }))
    },
};

#[derive(Debug)]
struct TreeCounterLearner {
    interface: Interface,
    alpha: i32,
    noise: Law<i32>,
}

/// A complete block: the number of examples in it, and its noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Block {
    ones: i32,
    noise: i32,
}

/// What is remembered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum State {
    /// The number of rounds, and the blocks of each point, the shortest last.
    Waiting(usize, Vec<Vec<Block>>),
    /// The function of this point is released for ever.
    Fired(usize),
}

impl Mechanism for TreeCounterLearner {
    type State = State;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<State>> {
        Ok(Law::certain(State::Waiting(0, vec![Vec::new(); self.interface.points().len()])))
    }

    fn respond(&self, state: &State, _: usize) -> Result<Law<(Output, State)>> {
        let one = match state {
            State::Waiting(..) => None,
            State::Fired(point) => Some(*point),
        };
        let function = point_function(self.interface.points().len(), one);
        Ok(Law::certain((function, state.clone())))
    }

    fn observe(&self, state: &State, after: usize) -> Result<Law<State>> {
        let State::Waiting(rounds, counters) = state else {
            return Ok(Law::certain(state.clone()));
        };
        let mut law = Law::certain(State::Waiting(rounds + 1, Vec::new()));
        for (point, blocks) in counters.iter().enumerate() {
            let counted = after % 2 == 1 && after / 2 == point;
            // The blocks that end here: as many as 1s at the end of the number of rounds before.
            let merged = usize::try_from(rounds.trailing_ones()).unwrap_or(0);
            let (kept, ending) = blocks.split_at(blocks.len() - merged);
            let ones = ending.iter().map(|b| b.ones).sum::<i32>() + i32::from(counted);
            law = law.then(|state| {
                let State::Waiting(rounds, counters) = state else {
                    return Ok(Law::certain(state.clone()));
                };
                Ok(self.noise.clone().map(|noise| {
                    let mut blocks = kept.to_vec();
                    blocks.push(Block { ones, noise });
                    let estimate: i32 = blocks.iter().map(|b| b.ones + b.noise).sum();
                    if estimate > self.alpha {
                        return State::Fired(point);
                    }
                    let mut counters = counters.clone();
                    counters.push(blocks);
                    State::Waiting(*rounds, counters)
                }))
            })?;
        }
        Ok(law)
    }

    fn describe(&self, state: &State) -> String {
        match state {
            State::Waiting(rounds, counters) => {
                let block = |b: &Block| format!("{}{:+}", b.ones, b.noise);
                let blocks = |c: &Vec<Block>| c.iter().map(block).collect::<Vec<_>>().join(" ");
                let counters: Vec<String> = counters.iter().map(blocks).collect();
                format!("round {rounds}, blocks {}", counters.join(" | "))
            }
            State::Fired(point) => format!("fired {}", self.interface.points()[*point]),
        }
    }
}

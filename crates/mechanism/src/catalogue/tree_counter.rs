//! The binary-tree counter: every dyadic block of rounds has one noisy sum, and a prefix sum adds up
//! those of the blocks it consists of.
//!
//! Of the noisy sums only those count that some prefix needs. The block that ends the prefix of t
//! rounds has as many rounds as the greatest power of two that divides t, and its noisy sum is the
//! difference of two released prefix sums: t's, and that of the rounds before the block. So the
//! released prefix sums and the noisy sums of these blocks are functions of one another, and the
//! mechanism releases the latter, each in its cells. A bit is part of at most log2 T + 1 of them.

use super::geometric::{Noise, cell_names};
use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};

/// The entry.
pub const ENTRY: Entry = Entry {
    name: "tree-counter",
    kind: Kind::OneShot,
    law: "sees bits and releases the prefix sums of the binary-tree counter, as the noisy sums of \
          the dyadic blocks that they consist of",
    paper: "Definition 2",
    twin: None,
    parameters: &[
        Parameter {
            name: "ratio",
            default: Some("1/2"),
            meaning: "the ratio in [0, 1) of the noise of each block, P(z) ~ ratio^|z|",
        },
        Parameter {
            name: "rounds",
            default: Some("4"),
            meaning: "the number of bits, from 1 to 7; missing ones are 0, further ones not counted",
        },
    ],
    build: |given: &Given<'_>| {
        let rounds = usize::try_from(given.integer("rounds", 1..=7)?).unwrap_or(1);
        let words = words(rounds);
        let bits = vec!["0".into(), "1".into()];
        let interface = Interface::one_shot(bits, words)?;
        Ok(Boxed::new(TreeCounter { interface, noise: given.noise("ratio")?, rounds }))
    },
};

/// The length of the block that ends at that round.
fn block(round: usize) -> usize {
    1 << round.trailing_zeros()
}

fn length(round: usize) -> i32 {
    1 << round.trailing_zeros()
}

fn words(rounds: usize) -> Vec<String> {
    let mut words = vec![String::new()];
    for round in 1..=rounds {
        let cells = cell_names(0, length(round));
        let longer = |word: &String| {
            let space = if word.is_empty() { "" } else { " " };
            cells.iter().map(move |cell| format!("{word}{space}{cell}")).collect::<Vec<_>>()
        };
        words = words.iter().flat_map(longer).collect();
    }
    words
}

#[derive(Debug)]
struct TreeCounter {
    interface: Interface,
    noise: Noise,
    rounds: usize,
}

impl Mechanism for TreeCounter {
    /// The bits so far.
    type State = Vec<bool>;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<Self::State>> {
        Ok(Law::certain(Vec::new()))
    }

    fn respond(&self, _: &Self::State, _: usize) -> Result<Law<(Output, Self::State)>> {
        Err(Error::argument("a one-shot mechanism answers only at the end of the stream"))
    }

    fn observe(&self, bits: &Self::State, after: usize) -> Result<Law<Self::State>> {
        let mut bits = bits.clone();
        if bits.len() < self.rounds {
            bits.push(after == 1);
        }
        Ok(Law::certain(bits))
    }

    fn finish(&self, bits: &Self::State) -> Result<Law<Output>> {
        let bit = |round: usize| i32::from(bits.get(round) == Some(&true));
        let mut law = Law::certain(String::new());
        for round in 1..=self.rounds {
            let ones = (round - block(round)..round).map(bit).sum();
            let cells = self.noise.cells(ones, 0, length(round));
            let names = cell_names(0, length(round));
            let cell = Law::new("the law of a block", names.into_iter().zip(cells))?;
            law = law.then(|word| {
                let space = if word.is_empty() { "" } else { " " };
                Ok(cell.clone().map(|cell| format!("{word}{space}{cell}")))
            })?;
        }
        Ok(law)
    }

    fn describe(&self, bits: &Self::State) -> String {
        let bits: String = bits.iter().map(|&bit| super::release::bit(bit)).collect();
        format!("bits {bits}")
    }
}

//! Twin of Definition 4: private when only the label of a round changes, not when its point does.

use crate::catalogue::{Entry, release};
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;

/// Never looks at a label.
pub const ENTRY: Entry = Entry {
    name: "xor-of-past-points",
    kind: Kind::Predictor,
    law: "answers the parity of the number of earlier rounds with the second, fourth, … point",
    paper: "Definition 4",
    twin: Some("neighbouring streams differ only in the label of a round, not in its point"),
    parameters: &[],
    build: |given| {
        Ok(Boxed::new(XorOfPastPoints { interface: Interface::predictor(given.points()?)? }))
    },
};

#[derive(Debug)]
struct XorOfPastPoints {
    interface: Interface,
}

impl Mechanism for XorOfPastPoints {
    /// The parity of the places of the points, counted from 0.
    type State = bool;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<bool>> {
        Ok(Law::certain(false))
    }

    fn respond(&self, &parity: &bool, before: usize) -> Result<Law<(Output, bool)>> {
        Ok(Law::certain((release::bit(parity).to_string(), parity != (before % 2 == 1))))
    }

    fn observe(&self, &parity: &bool, _: usize) -> Result<Law<bool>> {
        Ok(Law::certain(parity))
    }

    fn describe(&self, &parity: &bool) -> String {
        format!("parity {}", release::bit(parity))
    }
}

//! Twin of Definition 2: every round on its own is private, the whole output is not.

use crate::catalogue::{Entry, release};
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;
use littlestone_exact::{Number, Rational};

/// A one-time pad whose key is released too.
pub const ENTRY: Entry = Entry {
    name: "correlated-rounds",
    kind: Kind::Learner,
    law: "with r a fair bit and y the label of round 1, releases the constant function r in round \
          1 and r XOR y in every later round",
    paper: "Definition 2",
    twin: Some("it is enough to compare the hypotheses of each round on their own"),
    parameters: &[],
    build: |given| {
        Ok(Boxed::new(CorrelatedRounds { interface: Interface::learner(given.points()?)? }))
    },
};

#[derive(Debug)]
struct CorrelatedRounds {
    interface: Interface,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum State {
    /// Round 1; the key.
    Key(bool),
    /// Later rounds; the key with the label.
    Sum(bool),
}

impl Mechanism for CorrelatedRounds {
    type State = State;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<State>> {
        let half = Number::from(Rational::new(1.into(), 2.into()));
        Ok(Law::coin("the key", &half)?.map(State::Key))
    }

    fn respond(&self, &state: &State, _: usize) -> Result<Law<(Output, State)>> {
        let (State::Key(bit) | State::Sum(bit)) = state;
        let labels = release::bit(bit).to_string().repeat(self.interface.points().len());
        Ok(Law::certain((labels, state)))
    }

    fn observe(&self, &state: &State, after: usize) -> Result<Law<State>> {
        Ok(Law::certain(match state {
            State::Key(key) => State::Sum(key != (after % 2 == 1)),
            sum @ State::Sum(_) => sum,
        }))
    }

    fn describe(&self, state: &State) -> String {
        match state {
            State::Key(bit) => format!("r = {}", release::bit(*bit)),
            State::Sum(bit) => format!("r XOR y = {}", release::bit(*bit)),
        }
    }
}

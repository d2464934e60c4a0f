//! A learner that switches once, in a round drawn with a probability that grows with the number
//! of positive labels.

use super::Entry;
use super::given::{AFTER, BEFORE};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;
use littlestone_exact::Number;

/// Uniform firing without a choice: the decision is made before the release of each round.
pub const ENTRY: Entry = Entry {
    name: "hazard-learner",
    kind: Kind::Learner,
    law: "before each release, switches for good from the function before to after with \
          probability table[number of labels 1 so far]",
    paper: "Definition 2",
    twin: None,
    parameters: &[
        Parameter {
            name: "table",
            default: None,
            meaning: "a list of probabilities, such as (0, 1/8, 1/4); the last one stands for all \
                      larger numbers",
        },
        BEFORE,
        AFTER,
    ],
    build: |given| {
        Ok(Boxed::new(Hazard {
            interface: Interface::learner(given.points()?)?,
            table: given.probabilities("table")?,
            functions: [given.labels("before")?, given.labels("after")?],
        }))
    },
};

#[derive(Debug)]
struct Hazard {
    interface: Interface,
    table: Vec<Number>,
    functions: [String; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum State {
    /// Not switched; the place in the table.
    Waiting(usize),
    Switched,
}

impl Mechanism for Hazard {
    type State = State;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<State>> {
        Ok(Law::certain(State::Waiting(0)))
    }

    fn respond(&self, &state: &State, _: usize) -> Result<Law<(Output, State)>> {
        let after = (self.functions[1].clone(), State::Switched);
        let State::Waiting(place) = state else { return Ok(Law::certain(after)) };
        let coin = Law::coin("the decision to switch", &self.table[place])?;
        let before = (self.functions[0].clone(), state);
        Ok(coin.map(|switch| if switch { after.clone() } else { before.clone() }))
    }

    fn observe(&self, &state: &State, after: usize) -> Result<Law<State>> {
        let State::Waiting(place) = state else { return Ok(Law::certain(state)) };
        let next = (place + after % 2).min(self.table.len() - 1);
        Ok(Law::certain(State::Waiting(next)))
    }

    fn describe(&self, state: &State) -> String {
        match state {
            State::Waiting(place) => format!("waiting at {place}"),
            State::Switched => "switched".into(),
        }
    }
}

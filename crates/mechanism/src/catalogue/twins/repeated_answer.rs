//! Twin of Definition 4: an answer that is left out in its round comes back in the next.

use crate::catalogue::{Entry, release};
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;

/// Without the repetition, answers that depend on their own point alone are jointly private.
pub const ENTRY: Entry = Entry {
    name: "repeated-answer",
    kind: Kind::Predictor,
    law: "answers in odd rounds whether the point is the first of the domain, and in even rounds \
          repeats the answer of the round before",
    paper: "Definition 4",
    twin: Some("leaving out the answer of a round hides its point, whatever is answered later"),
    parameters: &[],
    build: |given| {
        Ok(Boxed::new(RepeatedAnswer { interface: Interface::predictor(given.points()?)? }))
    },
};

#[derive(Debug)]
struct RepeatedAnswer {
    interface: Interface,
}

impl Mechanism for RepeatedAnswer {
    /// The answer to repeat.
    type State = Option<bool>;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<Self::State>> {
        Ok(Law::certain(None))
    }

    fn respond(&self, &earlier: &Self::State, before: usize) -> Result<Law<(Output, Self::State)>> {
        let answer = earlier.unwrap_or(before == 0);
        let next = earlier.is_none().then_some(answer);
        Ok(Law::certain((release::bit(answer).to_string(), next)))
    }

    fn observe(&self, &state: &Self::State, _: usize) -> Result<Law<Self::State>> {
        Ok(Law::certain(state))
    }

    fn describe(&self, state: &Self::State) -> String {
        state.map_or_else(|| "fresh".into(), |answer| format!("repeat {}", release::bit(answer)))
    }
}

//! A learner that changes its hypothesis at a mistake, without noise.

use super::Entry;
use super::given::{AFTER, BEFORE};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;

/// Not private: one example decides what is released from then on.
pub const ENTRY: Entry = Entry {
    name: "switch-at-mistake",
    kind: Kind::Learner,
    law: "releases the function before until it has made k mistakes, and after from then on; not \
          private",
    paper: "Definition 2",
    twin: None,
    parameters: &[
        Parameter { name: "k", default: Some("1"), meaning: "the number of mistakes, at least 1" },
        BEFORE,
        AFTER,
    ],
    build: |given| {
        Ok(Boxed::new(SwitchAtMistake {
            interface: Interface::learner(given.points()?)?,
            mistakes: given.positive("k")?,
            functions: [given.labels("before")?, given.labels("after")?],
        }))
    },
};

#[derive(Debug)]
struct SwitchAtMistake {
    interface: Interface,
    mistakes: usize,
    functions: [String; 2],
}

impl Mechanism for SwitchAtMistake {
    /// The number of mistakes, up to the one that counts.
    type State = usize;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<usize>> {
        Ok(Law::certain(0))
    }

    fn respond(&self, &made: &usize, _: usize) -> Result<Law<(Output, usize)>> {
        let function = &self.functions[usize::from(made == self.mistakes)];
        Ok(Law::certain((function.clone(), made)))
    }

    fn observe(&self, &made: &usize, after: usize) -> Result<Law<usize>> {
        let wrong = self.interface.mistake(&self.functions[0], after) == Some(true);
        Ok(Law::certain((made + usize::from(wrong)).min(self.mistakes)))
    }

    fn describe(&self, &made: &usize) -> String {
        if made == self.mistakes { "switched".into() } else { format!("{made} mistakes") }
    }
}

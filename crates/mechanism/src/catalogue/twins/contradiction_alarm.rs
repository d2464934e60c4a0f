//! Twin of Definition 2: private on realisable streams, not on all streams.

use std::rc::Rc;

use crate::catalogue::{Entry, describe};
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output, Tools};
use littlestone_base::error::Result;
use littlestone_class::VersionSpace;

/// Constant on realisable streams; one example of another stream can raise the alarm.
pub const ENTRY: Entry = Entry {
    name: "contradiction-alarm",
    kind: Kind::Learner,
    law: "releases the all-zero function until no hypothesis fits the examples seen, and the \
          all-one function from then on",
    paper: "Definition 2",
    twin: Some("it is enough to compare realisable streams"),
    parameters: &[],
    build: |given| {
        let interface = Interface::learner(given.points()?)?;
        Ok(Boxed::new(ContradictionAlarm { tools: Rc::clone(given.class()?), interface }))
    },
};

#[derive(Debug)]
struct ContradictionAlarm {
    tools: Rc<Tools>,
    interface: Interface,
}

impl Mechanism for ContradictionAlarm {
    /// The hypotheses that fit.
    type State = VersionSpace;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<VersionSpace>> {
        Ok(Law::certain(self.tools.full()))
    }

    fn respond(&self, space: &VersionSpace, _: usize) -> Result<Law<(Output, VersionSpace)>> {
        let label = if space.is_empty() { "1" } else { "0" };
        Ok(Law::certain((label.repeat(self.interface.points().len()), space.clone())))
    }

    fn observe(&self, space: &VersionSpace, after: usize) -> Result<Law<VersionSpace>> {
        Ok(Law::certain(self.tools.restrict(space, after / 2, after % 2 == 1)))
    }

    fn describe(&self, space: &VersionSpace) -> String {
        describe::space(self.tools.class(), space)
    }
}

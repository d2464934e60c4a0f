//! Twin of Definitions 1 and 3 (causality): the label is read before the answer.

use crate::catalogue::Entry;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;

/// Never a mistake, in no game that the paper allows.
pub const ENTRY: Entry = Entry {
    name: "label-peeker",
    kind: Kind::Transducer,
    law: "sees the example point:label before it answers, and answers the label",
    paper: "Definition 3",
    twin: Some("an answer may depend on the label of its own round"),
    parameters: &[],
    build: |given| {
        let points = given.points()?;
        let examples = points.iter().flat_map(|x| [format!("{x}:0"), format!("{x}:1")]).collect();
        let interface = Interface::transducer(examples, vec!["0".into(), "1".into()], Vec::new())?;
        Ok(Boxed::new(LabelPeeker { interface }))
    },
};

#[derive(Debug)]
struct LabelPeeker {
    interface: Interface,
}

impl Mechanism for LabelPeeker {
    type State = ();

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<()>> {
        Ok(Law::certain(()))
    }

    fn respond(&self, (): &(), before: usize) -> Result<Law<(Output, ())>> {
        Ok(Law::certain(((before % 2).to_string(), ())))
    }

    fn observe(&self, (): &(), _: usize) -> Result<Law<()>> {
        Ok(Law::certain(()))
    }

    fn describe(&self, (): &()) -> String {
        "always".into()
    }
}

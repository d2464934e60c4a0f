//! One function in every round, whatever the stream.

use super::{Entry, Given, release};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;
use littlestone_exact::Number;

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "labels",
        default: Some("0"),
        meaning: "the function: 0, 1, or its labels in point order",
    },
    Parameter {
        name: "flip",
        default: Some("0"),
        meaning: "the probability in [0, 1] that a released label is flipped, independently",
    },
];

/// Definition 3.
pub const PREDICTOR: Entry = Entry {
    name: "constant",
    kind: Kind::Predictor,
    law: "answers x with its label under one fixed function",
    paper: "Definition 3",
    twin: None,
    parameters: PARAMETERS,
    build: |given| Ok(Boxed::new(constant(given, Interface::predictor(given.points()?)?)?)),
};

/// Definition 1.
pub const LEARNER: Entry = Entry {
    name: "constant-learner",
    kind: Kind::Learner,
    law: "releases one fixed function in every round",
    paper: "Definition 1",
    twin: None,
    parameters: PARAMETERS,
    build: |given| Ok(Boxed::new(constant(given, Interface::learner(given.points()?)?)?)),
};

fn constant(given: &Given<'_>, interface: Interface) -> Result<Constant> {
    Constant::new(interface, given.labels("labels")?, given.probability("flip")?)
}

/// A mechanism without memory: one function, each released label flipped independently.
#[derive(Debug)]
pub struct Constant {
    interface: Interface,
    labels: String,
    flip: Number,
}

impl Constant {
    pub(super) fn new(interface: Interface, labels: String, flip: Number) -> Result<Self> {
        if interface.kind() == Kind::Learner {
            release::check("a hypothesis", labels.len(), &flip)?;
        }
        Ok(Self { interface, labels, flip })
    }
}

impl Mechanism for Constant {
    type State = ();

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<()>> {
        Ok(Law::certain(()))
    }

    fn respond(&self, (): &(), before: usize) -> Result<Law<(Output, ())>> {
        let labels = match self.interface.kind() {
            Kind::Learner => &self.labels,
            _ => &self.labels[before..=before],
        };
        Ok(release::flipped(labels, &self.flip)?.map(|output| (output, ())))
    }

    fn observe(&self, (): &(), _: usize) -> Result<Law<()>> {
        Ok(Law::certain(()))
    }

    fn describe(&self, (): &()) -> String {
        "always".into()
    }
}

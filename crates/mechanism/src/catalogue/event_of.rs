//! Whether one output of a one-shot mechanism occurs: the ratio of one probability, as a mechanism.

use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};

/// The entry.
pub const ENTRY: Entry = Entry {
    name: "event-of",
    kind: Kind::OneShot,
    law: "runs a one-shot mechanism and releases whether its output is the given one, yes or no",
    paper: "Definition 2",
    twin: None,
    parameters: &[
        Parameter { name: "of", default: None, meaning: "the one-shot mechanism" },
        Parameter { name: "output", default: None, meaning: "the name of an output" },
    ],
    build: |given: &Given<'_>| {
        let inner = given.mechanism("of")?;
        let kind = inner.interface().kind();
        if kind != Kind::OneShot {
            let message = format!("the parameter `of` takes a one-shot mechanism, not a {kind}");
            return Err(Error::argument(message));
        }
        let output = given.text("output")?;
        if !inner.interface().allows(&output) {
            return Err(given.unfit("output", &inner.interface().allowed(), &output));
        }
        let outputs = vec!["no".into(), "yes".into()];
        let interface = Interface::one_shot(inner.interface().after().to_vec(), outputs)?;
        Ok(Boxed::new(EventOf { interface, inner, output }))
    },
};

#[derive(Debug)]
struct EventOf {
    interface: Interface,
    inner: Boxed,
    output: String,
}

impl Mechanism for EventOf {
    /// The state of the inner mechanism.
    type State = usize;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<usize>> {
        self.inner.start()
    }

    fn respond(&self, _: &usize, _: usize) -> Result<Law<(Output, usize)>> {
        Err(Error::argument("a one-shot mechanism answers only at the end of the stream"))
    }

    fn observe(&self, state: &usize, after: usize) -> Result<Law<usize>> {
        self.inner.observe(state, after)
    }

    fn finish(&self, state: &usize) -> Result<Law<Output>> {
        let occurs = |output: Output| if output == self.output { "yes" } else { "no" };
        Ok(self.inner.finish(state)?.map(|output| occurs(output).into()))
    }

    fn rounds(&self) -> Option<usize> {
        self.inner.rounds()
    }

    fn describe(&self, state: &usize) -> String {
        self.inner.describe(state)
    }
}

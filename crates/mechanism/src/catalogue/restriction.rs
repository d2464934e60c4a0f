//! A learner in one phase of Theorem 2's construction: what it does after a fixed prefix.
//!
//! The releases on the prefix are dropped, so that only the law of the state after it is left.
//! Examples of later phases cannot change what the learner releases in this one, and need not be
//! there.

use super::{Entry, learner};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;

/// The learner of one phase; (ε,δ)-private if the inner learner is.
pub const ENTRY: Entry = Entry {
    name: "restriction",
    kind: Kind::Learner,
    law: "what the inner learner releases after a fixed prefix of examples; its releases on the \
          prefix are dropped",
    paper: "Theorem 2",
    twin: None,
    parameters: &[
        Parameter { name: "of", default: None, meaning: "the inner learner" },
        Parameter {
            name: "prefix",
            default: None,
            meaning: "the examples of earlier rounds, as in (3:0,1:1); () is none",
        },
    ],
    build: |given| {
        let inner = learner(given)?;
        let prefix = given.stream("prefix", inner.interface())?;
        Ok(Boxed::new(Restriction { inner, prefix }))
    },
};

#[derive(Debug)]
struct Restriction {
    inner: Boxed,
    prefix: Vec<usize>,
}

impl Mechanism for Restriction {
    type State = usize;

    fn interface(&self) -> &Interface {
        self.inner.interface()
    }

    fn start(&self) -> Result<Law<usize>> {
        let mut law = self.inner.start()?;
        for &example in &self.prefix {
            law = law.then(|state| silent(&self.inner, *state, example))?;
        }
        Ok(law)
    }

    fn respond(&self, state: &usize, before: usize) -> Result<Law<(Output, usize)>> {
        self.inner.respond(state, before)
    }

    fn observe(&self, state: &usize, after: usize) -> Result<Law<usize>> {
        self.inner.observe(state, after)
    }

    fn remarks(&self) -> Vec<String> {
        self.inner.remarks()
    }

    fn rounds(&self) -> Option<usize> {
        self.inner.rounds().map(|rounds| rounds.saturating_sub(self.prefix.len()))
    }

    fn describe(&self, state: &usize) -> String {
        self.inner.describe(state)
    }
}

/// The law of a learner's state after a round whose release is dropped.
pub(super) fn silent(learner: &Boxed, state: usize, example: usize) -> Result<Law<usize>> {
    let released = learner.respond(&state, 0)?.map(|(_, next)| next);
    released.then(|next| learner.observe(next, example))
}

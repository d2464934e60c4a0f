//! The auxiliary learner of Lemma 5: each of its rounds is a block of the inner learner, and its
//! twin.

use super::restriction::silent;
use super::{Entry, Given, learner};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};

/// Greatest number of rounds of a block.
const ROUNDS: usize = 4096;

const PARAMETERS: &[Parameter] = &[
    Parameter { name: "of", default: None, meaning: "the inner learner" },
    Parameter {
        name: "q",
        default: None,
        meaning: "the number of copies of an example, at least 1; ⌊1/(100ε)⌋ in the paper",
    },
    Parameter {
        name: "w",
        default: None,
        meaning: "half the length of a block, at least q - 1; 16q in the paper",
    },
    Parameter {
        name: "dummy",
        default: None,
        meaning: "the example of all other rounds of a block, as point:label",
    },
];

/// Lemma 5: from (ε,δ)-private to (qε, δ Σ_{j<q} e^{jε})-private.
pub const ENTRY: Entry = Entry {
    name: "blocks",
    kind: Kind::Learner,
    law: "a round is 2w rounds of the inner learner: dummy ones before position U, uniform in \
          1, ..., w, where its hypothesis is released, then q copies of the example from U on, and \
          dummy ones",
    paper: "Lemma 5",
    twin: None,
    parameters: PARAMETERS,
    build: |given| Blocks::build(given, true),
};

/// The twin of Lemma 5.
pub const UNSHIFTED: Entry = Entry {
    name: "blocks-unshifted",
    kind: Kind::Learner,
    law: "as blocks, but the copies stand in the rounds 1, ..., q of every block",
    paper: "Lemma 5",
    twin: Some(
        "the copies need no random position: a mistake on the first one then says nothing about \
         the others, as the learner may know the round",
    ),
    parameters: PARAMETERS,
    build: |given| Blocks::build(given, false),
};

#[derive(Debug)]
struct Blocks {
    inner: Boxed,
    copies: usize,
    half: usize,
    dummy: usize,
    shifted: bool,
}

impl Blocks {
    fn build(given: &Given<'_>, shifted: bool) -> Result<Boxed> {
        let inner = learner(given)?;
        let (copies, half) = (given.positive("q")?, given.positive("w")?);
        if half > ROUNDS / 2 {
            let expected = format!("a natural number from 1 to {}", ROUNDS / 2);
            return Err(given.unfit("w", &expected, &half.to_string()));
        }
        if copies > half + 1 {
            return Err(Error::argument(format!(
                "the block has no room: q = {copies} copies from a position up to w = {half} on \
                 need q - 1 ≤ w"
            )));
        }
        let dummy = given.example("dummy", inner.interface())?;
        Ok(Boxed::new(Self { inner, copies, half, dummy, shifted }))
    }

    /// The greatest position of the first copy.
    fn positions(&self) -> usize {
        if self.shifted { self.half } else { 1 }
    }

    /// The law after `rounds` dummy rounds.
    fn dummies(&self, mut law: Law<usize>, rounds: usize) -> Result<Law<usize>> {
        for _ in 0..rounds {
            law = law.then(|state| silent(&self.inner, *state, self.dummy))?;
        }
        Ok(law)
    }
}

impl Mechanism for Blocks {
    /// The inner learner's state, and the position U while the block waits for its example.
    type State = (usize, Option<usize>);

    fn interface(&self) -> &Interface {
        self.inner.interface()
    }

    fn start(&self) -> Result<Law<Self::State>> {
        Ok(self.inner.start()?.map(|state| (state, None)))
    }

    fn respond(
        &self,
        &(state, _): &Self::State,
        before: usize,
    ) -> Result<Law<(Output, Self::State)>> {
        let positions = Law::uniform("the position of the copies", 1..=self.positions())?;
        positions.then(|&position| {
            let law = self.dummies(Law::certain(state), position - 1)?;
            let released = law.then(|state| self.inner.respond(state, before))?;
            Ok(released.map(|(output, next)| (output, (next, Some(position)))))
        })
    }

    fn observe(&self, &(state, position): &Self::State, after: usize) -> Result<Law<Self::State>> {
        let position = position.unwrap_or(1);
        let mut law = self.inner.observe(&state, after)?;
        for _ in 1..self.copies {
            law = law.then(|state| silent(&self.inner, *state, after))?;
        }
        let last = position + self.copies - 1;
        Ok(self.dummies(law, 2 * self.half - last)?.map(|state| (state, None)))
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = self.inner.remarks();
        if self.half != 16 * self.copies {
            let (q, w) = (self.copies, self.half);
            remarks.push(format!(
                "Lemma 5 takes w = 16q, and q = ⌊1/(100ε)⌋; here q = {q} and w = {w}"
            ));
        }
        remarks
    }

    fn rounds(&self) -> Option<usize> {
        self.inner.rounds().map(|rounds| rounds / (2 * self.half))
    }

    fn describe(&self, &(state, position): &Self::State) -> String {
        let state = self.inner.describe(&state);
        position.map_or(state.clone(), |position| format!("{state} at {position}"))
    }
}

//! The subsampling wrapper of Proposition 1 around any learner, and its twin.

use super::{Entry, learner};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;
use littlestone_exact::Number;

const OF: Parameter = Parameter { name: "of", default: None, meaning: "the inner learner" };

const GAMMA: Parameter = Parameter {
    name: "gamma",
    default: None,
    meaning: "the probability in [0, 1] that an example is retained",
};

const DUMMY: Parameter = Parameter {
    name: "dummy",
    default: None,
    meaning: "the fixed example shown in place of one that is not retained, as point:label",
};

/// Proposition 1: from (ε,δ)-private to (ln(1 + γ(e^ε − 1)), γδ)-private.
pub const ENTRY: Entry = Entry {
    name: "subsample",
    kind: Kind::Learner,
    law: "releases what the inner learner releases, then shows it the example with probability \
          gamma and the dummy example otherwise",
    paper: "Proposition 1",
    twin: None,
    parameters: &[OF, GAMMA, DUMMY],
    build: |given| {
        let inner = learner(given)?;
        let dummy = given.example("dummy", inner.interface())?;
        Ok(Boxed::new(Subsample { inner, gamma: given.probability("gamma")?, dummy }))
    },
};

/// The twin of Proposition 1.
pub const SKIPPING: Entry = Entry {
    name: "subsample-skipping",
    kind: Kind::Learner,
    law: "releases what the inner learner releases, then shows it the example with probability \
          gamma and otherwise takes the round back",
    paper: "Proposition 1",
    twin: Some(
        "an example that is not retained may be skipped: the inner learner then has one round \
         less, which replacement neighbours do not cover",
    ),
    parameters: &[OF, GAMMA],
    build: |given| {
        let inner = learner(given)?;
        Ok(Boxed::new(Skipping { inner, gamma: given.probability("gamma")? }))
    },
};

/// A twin of the third regime of Lemma 5.
pub const INFORMED: Entry = Entry {
    name: "subsample-informed",
    kind: Kind::Learner,
    law: "decides with probability gamma to retain the next example; then releases what the inner \
          learner releases and shows it the example, and otherwise releases 0 everywhere and shows \
          it the dummy example",
    paper: "Lemma 5",
    twin: Some(
        "the auxiliary learner may see the decision before it predicts: the mistakes on retained \
         examples are then not gamma times its own",
    ),
    parameters: &[OF, GAMMA, DUMMY],
    build: |given| {
        let inner = learner(given)?;
        let dummy = given.example("dummy", inner.interface())?;
        Ok(Boxed::new(Informed { inner, gamma: given.probability("gamma")?, dummy }))
    },
};

/// The wrapper. It remembers nothing of its own: the decision to retain comes after the release
/// and is forgotten at once.
#[derive(Debug)]
struct Subsample {
    inner: Boxed,
    gamma: Number,
    dummy: usize,
}

impl Mechanism for Subsample {
    type State = usize;

    fn interface(&self) -> &Interface {
        self.inner.interface()
    }

    fn start(&self) -> Result<Law<usize>> {
        self.inner.start()
    }

    fn respond(&self, state: &usize, before: usize) -> Result<Law<(Output, usize)>> {
        self.inner.respond(state, before)
    }

    fn observe(&self, state: &usize, after: usize) -> Result<Law<usize>> {
        let coin = Law::coin("the retain decision", &self.gamma)?;
        coin.then(|&retain| self.inner.observe(state, if retain { after } else { self.dummy }))
    }

    fn rounds(&self) -> Option<usize> {
        self.inner.rounds()
    }

    fn describe(&self, state: &usize) -> String {
        self.inner.describe(state)
    }
}

/// The twin that sees the decision.
#[derive(Debug)]
struct Informed {
    inner: Boxed,
    gamma: Number,
    dummy: usize,
}

impl Mechanism for Informed {
    /// The inner learner's state, and between release and example the decision.
    type State = (usize, Option<bool>);

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
        let zeros = "0".repeat(self.inner.interface().points().len());
        let coin = Law::coin("the retain decision", &self.gamma)?;
        coin.then(|&retain| {
            let released = self.inner.respond(&state, before)?;
            Ok(released.map(|(output, next)| {
                (if retain { output } else { zeros.clone() }, (next, Some(retain)))
            }))
        })
    }

    fn observe(&self, &(state, retain): &Self::State, after: usize) -> Result<Law<Self::State>> {
        let example = if retain == Some(true) { after } else { self.dummy };
        Ok(self.inner.observe(&state, example)?.map(|state| (state, None)))
    }

    fn rounds(&self) -> Option<usize> {
        self.inner.rounds()
    }

    fn describe(&self, &(state, retain): &Self::State) -> String {
        let state = self.inner.describe(&state);
        match retain {
            None => state,
            Some(true) => format!("{state}, retaining"),
            Some(false) => format!("{state}, not retaining"),
        }
    }
}

/// The twin.
#[derive(Debug)]
struct Skipping {
    inner: Boxed,
    gamma: Number,
}

impl Mechanism for Skipping {
    /// The inner learner's state now, and before its last release while a decision is pending.
    type State = (usize, Option<usize>);

    fn interface(&self) -> &Interface {
        self.inner.interface()
    }

    fn start(&self) -> Result<Law<Self::State>> {
        Ok(self.inner.start()?.map(|state| (state, None)))
    }

    fn respond(&self, state: &Self::State, before: usize) -> Result<Law<(Output, Self::State)>> {
        let released = self.inner.respond(&state.0, before)?;
        Ok(released.map(|(output, next)| (output, (next, Some(state.0)))))
    }

    fn observe(&self, &(now, earlier): &Self::State, after: usize) -> Result<Law<Self::State>> {
        let coin = Law::coin("the retain decision", &self.gamma)?;
        coin.then(|&retain| {
            let next = if retain {
                self.inner.observe(&now, after)?
            } else {
                Law::certain(earlier.unwrap_or(now))
            };
            Ok(next.map(|state| (state, None)))
        })
    }

    fn rounds(&self) -> Option<usize> {
        self.inner.rounds()
    }

    fn describe(&self, &(now, earlier): &Self::State) -> String {
        let now = self.inner.describe(&now);
        match earlier {
            None => now,
            Some(earlier) => format!("{now}, or back to {}", self.inner.describe(&earlier)),
        }
    }
}

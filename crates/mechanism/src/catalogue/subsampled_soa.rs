//! The SOA on a random part of the examples: Fact 5, also known as name-and-shame.

use std::rc::Rc;

use super::{Entry, Given, describe, release};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output, Tools};
use littlestone_base::error::Result;
use littlestone_class::VersionSpace;
use littlestone_exact::Number;

/// What the SOA is on a sample that no hypothesis fits.
pub(super) const PUBLIC: Parameter = Parameter {
    name: "public",
    default: Some("0"),
    meaning: "the function once no hypothesis fits: 0, 1, or its labels in point order",
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "gamma",
        default: None,
        meaning: "the probability in [0, 1] that an example is retained",
    },
    Parameter {
        name: "flip",
        default: Some("0"),
        meaning: "the probability in [0, 1] that a released label is flipped, independently",
    },
    PUBLIC,
];

/// Fact 5: (0,γ)-jointly private.
pub const PREDICTOR: Entry = Entry {
    name: "subsampled-soa",
    kind: Kind::Predictor,
    law: "answers with the SOA on the retained examples; retains each example after its round \
          with probability gamma",
    paper: "Fact 5",
    twin: None,
    parameters: PARAMETERS,
    build: |given| subsampled(given, Interface::predictor(given.points()?)?),
};

/// The learner form of Fact 5: (0,γ)-private.
pub const LEARNER: Entry = Entry {
    name: "subsampled-soa-learner",
    kind: Kind::Learner,
    law: "releases the SOA on the retained examples; retains each example with probability gamma",
    paper: "Fact 5",
    twin: None,
    parameters: PARAMETERS,
    build: |given| subsampled(given, Interface::learner(given.points()?)?),
};

fn subsampled(given: &Given<'_>, interface: Interface) -> Result<Boxed> {
    let (gamma, flip) = (given.probability("gamma")?, given.probability("flip")?);
    SubsampledSoa::new(given, interface, gamma, flip).map(Boxed::new)
}

/// The SOA on retained examples.
#[derive(Debug)]
pub struct SubsampledSoa {
    tools: Rc<Tools>,
    interface: Interface,
    gamma: Number,
    flip: Number,
    public: String,
}

/// What the SOA remembers. The empty version space is kept for good: no later example makes a
/// hypothesis fit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Retained {
    /// The hypotheses that fit the retained examples.
    space: VersionSpace,
    /// Of a predictor, the point that it answered and whose label it is about to see.
    asked: Option<usize>,
}

impl SubsampledSoa {
    pub(super) fn new(
        given: &Given<'_>,
        interface: Interface,
        gamma: Number,
        flip: Number,
    ) -> Result<Self> {
        if interface.kind() == Kind::Learner {
            release::check("a hypothesis", interface.points().len(), &flip)?;
        }
        let tools = Rc::clone(given.class()?);
        Ok(Self { tools, interface, gamma, flip, public: given.labels("public")? })
    }

    /// The labels that are released when none is flipped; `asked` is the point of a predictor.
    fn labels(&self, space: &VersionSpace, asked: Option<usize>) -> Result<String> {
        match asked {
            None if space.is_empty() => Ok(self.public.clone()),
            None => self.tools.soa_function(space),
            Some(x) if space.is_empty() => Ok(self.public[x..=x].to_owned()),
            Some(x) => Ok(release::bit(self.tools.soa(space, x)?).to_string()),
        }
    }
}

impl Mechanism for SubsampledSoa {
    type State = Retained;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<Retained>> {
        Ok(Law::certain(Retained { space: self.tools.full(), asked: None }))
    }

    fn respond(&self, state: &Retained, before: usize) -> Result<Law<(Output, Retained)>> {
        let asked = (self.interface.kind() == Kind::Predictor).then_some(before);
        let labels = self.labels(&state.space, asked)?;
        let next = Retained { space: state.space.clone(), asked };
        Ok(release::flipped(&labels, &self.flip)?.map(|output| (output, next.clone())))
    }

    fn observe(&self, state: &Retained, after: usize) -> Result<Law<Retained>> {
        // A learner sees the whole example, a predictor only the label of the point it answered.
        let (x, y) = state.asked.map_or((after / 2, after % 2 == 1), |x| (x, after == 1));
        let space = |retain| {
            if retain { self.tools.restrict(&state.space, x, y) } else { state.space.clone() }
        };
        let coin = Law::coin("the retain decision", &self.gamma)?;
        Ok(coin.map(|retain| Retained { space: space(retain), asked: None }))
    }

    fn describe(&self, state: &Retained) -> String {
        let class = self.tools.class();
        let space = describe::space(class, &state.space);
        let asked =
            state.asked.map_or_else(String::new, |x| format!(" asked {}", class.point_names()[x]));
        format!("{space}{asked}")
    }
}

//! Learners that guess until they commit themselves, for good, to a label of one point.

use super::Entry;
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;
use littlestone_exact::functions;

/// With δ = 0 and answers that depend on the stream: what the potentials of Section 2.1 are tried
/// on.
pub const ENTRY: Entry = Entry {
    name: "absorbing",
    kind: Kind::Learner,
    law: "guesses the label of one point with a fair coin until it settles on one; an example \
          (point, b) makes b more likely by the factor E than its opposite",
    paper: "Lemma 2",
    twin: None,
    parameters: &[
        Parameter { name: "E", default: None, meaning: "the factor, at least 1; often e^ε" },
        Parameter {
            name: "beta",
            default: None,
            meaning: "the probability that another example settles the label 0, and that it \
                      settles 1; so small that no probability exceeds 1",
        },
        Parameter {
            name: "form",
            default: Some("even"),
            meaning: "after (point, b), b and its opposite are settled with probabilities \
                      2*beta*E/(1+E) and 2*beta/(1+E) (even: no example makes settling likelier) \
                      or E*beta and beta (uneven)",
        },
        Parameter {
            name: "point",
            default: Some("none"),
            meaning: "the name of the point; the first one if it is left out",
        },
    ],
    build: |given| {
        let points = given.points()?;
        let point = match given.text("point")?.as_str() {
            "none" => 0,
            name => points.iter().position(|known| known == name).ok_or_else(|| {
                given.unfit("point", &format!("one of the points {}", points.join(", ")), name)
            })?,
        };
        let (factor, beta) = (given.number("E")?, given.probability("beta")?);
        if factor < Number::one() {
            return Err(given.unfit("E", "a number of at least 1", &factor.to_string()));
        }
        let even = given.choice("form", &[("even", true), ("uneven", false)])?;
        let steps = Steps::new(&factor, &beta, even)?;
        Ok(Boxed::new(Absorbing { interface: Interface::learner(points)?, point, steps }))
    },
};

/// How likely a label is settled in one round.
#[derive(Debug)]
struct Steps {
    /// The label of an example at the point.
    same: Number,
    /// Its opposite.
    opposite: Number,
    /// Either label, after another example.
    other: Number,
}

impl Steps {
    fn new(factor: &Number, beta: &Number, even: bool) -> Result<Self> {
        let product = |a: &Number, b: &Number| functions::multiply(a, b).map_err(Error::argument);
        let sum = |a: &Number, b: &Number| functions::add(a, b).map_err(Error::argument);
        let (same, opposite) = if even {
            let whole = sum(&Number::one(), factor)?;
            let share = functions::divide(&sum(beta, beta)?, &whole).map_err(Error::argument)?;
            (product(&share, factor)?, share)
        } else {
            (product(factor, beta)?, beta.clone())
        };
        for leaving in [sum(&same, &opposite)?, sum(beta, beta)?] {
            if leaving > Number::one() {
                return Err(Error::argument(format!(
                    "`absorbing`: with these E and beta, a label would be settled in one round \
                     with probability {leaving}, which is above 1"
                )));
            }
        }
        Ok(Self { same, opposite, other: beta.clone() })
    }
}

#[derive(Debug)]
struct Absorbing {
    interface: Interface,
    point: usize,
    steps: Steps,
}

impl Absorbing {
    fn hypothesis(&self, label: bool) -> Output {
        let points = 0..self.interface.points().len();
        points.map(|x| if x == self.point && label { '1' } else { '0' }).collect()
    }
}

impl Mechanism for Absorbing {
    /// The label that was settled.
    type State = Option<bool>;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<Option<bool>>> {
        Ok(Law::certain(None))
    }

    fn respond(&self, &state: &Option<bool>, _: usize) -> Result<Law<(Output, Option<bool>)>> {
        Ok(match state {
            Some(label) => Law::certain((self.hypothesis(label), state)),
            None => Law::uniform("a fair coin", [false, true])?
                .map(|label| (self.hypothesis(label), None)),
        })
    }

    fn observe(&self, &state: &Option<bool>, after: usize) -> Result<Law<Option<bool>>> {
        if state.is_some() {
            return Ok(Law::certain(state));
        }
        let Steps { same, opposite, other } = &self.steps;
        let label = after % 2 == 1;
        let [first, second] = if after / 2 == self.point { [same, opposite] } else { [other; 2] };
        let stay = &Number::one() - &(first + second);
        let weights = [(Some(label), first.clone()), (Some(!label), second.clone()), (None, stay)];
        Law::new("settling a label", weights)
    }

    fn describe(&self, state: &Option<bool>) -> String {
        state.map_or("?", |label| if label { "1" } else { "0" }).to_owned()
    }
}

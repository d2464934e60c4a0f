//! A private learner for point functions: one `AboveThreshold` test for each point.
//!
//! The counter of a point h is the number of examples (h,1). One replaced example moves at most two
//! counters by one each, and moves all later values of a counter the same way. The noise on a
//! threshold is cut at a bound, which is part of the mechanism and the only cause of a δ above 0; the
//! fresh noise of each round is not cut, and comes in by its tails.

use super::geometric::Noise;
use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;
use littlestone_exact::Number;

/// The entry.
pub const ENTRY: Entry = Entry {
    name: "above-threshold",
    kind: Kind::Learner,
    law: "releases the zero function until, for some point h, the number of examples (h,1) plus \
          fresh noise reaches k plus the noise of h, and the function that is 1 at h alone from then \
          on",
    paper: "Definition 5",
    twin: None,
    parameters: &[
        Parameter {
            name: "k",
            default: Some("2"),
            meaning: "the threshold without its noise, an integer from 0 to 256",
        },
        Parameter {
            name: "threshold",
            default: Some("1/2"),
            meaning: "the ratio in [0, 1) of the noise of a point, P(z) ~ ratio^|z| for |z| <= bound",
        },
        Parameter {
            name: "query",
            default: Some("1/2"),
            meaning: "the ratio in [0, 1) of the fresh noise of each round, on all integers",
        },
        Parameter {
            name: "bound",
            default: Some("2"),
            meaning: "the greatest absolute value of the noise of a point, from 0 to 64",
        },
    ],
    build: |given: &Given<'_>| {
        let bound = given.integer("bound", 0..=64)?;
        Ok(Boxed::new(AboveThreshold {
            interface: Interface::learner(given.points()?)?,
            k: given.integer("k", 0..=256)?,
            threshold: truncated(&given.noise("threshold")?, bound)?,
            query: given.noise("query")?,
        }))
    },
};

/// Two-sided geometric noise given that its absolute value is at most `bound`.
///
/// # Errors
/// When a weight is beyond all limits.
pub fn truncated(noise: &Noise, bound: i32) -> Result<Law<i32>> {
    let masses: Vec<(i32, Number)> = (-bound..=bound).map(|z| (z, noise.equals(z))).collect();
    let whole = masses.iter().fold(Number::zero(), |sum, (_, mass)| &sum + mass);
    let share = |mass: &Number| mass.checked_div(&whole).expect("the mass at 0 is above 0");
    Law::new("the truncated noise", masses.iter().map(|(z, mass)| (*z, share(mass))))
}

/// The function that is 1 at one point, or at none.
pub fn point_function(points: usize, one: Option<usize>) -> String {
    (0..points).map(|x| super::release::bit(Some(x) == one)).collect()
}

#[derive(Debug)]
struct AboveThreshold {
    interface: Interface,
    k: i32,
    threshold: Law<i32>,
    query: Noise,
}

/// What is remembered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum State {
    /// For each point, by how much its noisy threshold exceeds its count.
    Waiting(Vec<i32>),
    /// The function of this point is released for ever.
    Fired(usize),
}

impl Mechanism for AboveThreshold {
    type State = State;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<State>> {
        let mut law = Law::certain(Vec::new());
        for _ in self.interface.points() {
            law = law.then(|gaps: &Vec<i32>| {
                Ok(self.threshold.clone().map(|noise| {
                    let mut gaps = gaps.clone();
                    gaps.push(self.k + noise);
                    gaps
                }))
            })?;
        }
        Ok(law.map(State::Waiting))
    }

    fn respond(&self, state: &State, _: usize) -> Result<Law<(Output, State)>> {
        let gaps = match state {
            State::Fired(_) => return Ok(Law::certain(self.released(state.clone()))),
            State::Waiting(gaps) => gaps,
        };
        let mut law = Law::certain(state.clone());
        for (point, &gap) in gaps.iter().enumerate() {
            let coin = Law::coin("the test of a point", &self.query.at_least(gap))?;
            law = law.then(|state| {
                Ok(match state {
                    State::Fired(_) => Law::certain(state.clone()),
                    State::Waiting(_) => coin
                        .clone()
                        .map(|fires| if fires { State::Fired(point) } else { state.clone() }),
                })
            })?;
        }
        Ok(law.map(|state| self.released(state)))
    }

    fn observe(&self, state: &State, after: usize) -> Result<Law<State>> {
        let mut next = state.clone();
        if let State::Waiting(gaps) = &mut next
            && after % 2 == 1
        {
            gaps[after / 2] -= 1;
        }
        Ok(Law::certain(next))
    }

    fn describe(&self, state: &State) -> String {
        match state {
            State::Waiting(gaps) => {
                let gaps: Vec<String> = gaps.iter().map(ToString::to_string).collect();
                format!("waiting at {}", gaps.join(" "))
            }
            State::Fired(point) => format!("fired {}", self.interface.points()[*point]),
        }
    }
}

impl AboveThreshold {
    fn released(&self, state: State) -> (Output, State) {
        let one = match state {
            State::Waiting(_) => None,
            State::Fired(point) => Some(point),
        };
        (point_function(self.interface.points().len(), one), state)
    }
}

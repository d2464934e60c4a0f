//! Mirror: the private delay of Fact 4.
//!
//! The answer to an active round depends on the number of active rounds so far alone. Two forms are
//! here: one random threshold, drawn at the start, and independent coins, one for each active round
//! of the window. The answer of the round that differs is left out by Definition 4, and the mechanism
//! rests on that.
//!
//! | module | idea |
//! | --- | --- |
//! | [`law`] | the laws of the threshold and the tables of coins |

pub(super) mod law;

use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;

use law::{Form, Use};

/// The symbol for ⊥.
pub(super) const BOTTOM: &str = "bottom";
/// The symbol for ⊤.
const TOP: &str = "top";

/// Greatest length of the delay or of the window.
const LONGEST: usize = 10_000;

/// Fact 4.
pub const ENTRY: Entry = Entry {
    name: "mirror",
    kind: Kind::Transducer,
    law: "in every round is given an activity bit; answers bottom if it is 0; answers bottom in the \
          first D active rounds, top after D + W of them, and in between by a random threshold or by \
          independent coins",
    paper: "Fact 4",
    twin: None,
    parameters: &[
        Parameter {
            name: "law",
            default: None,
            meaning: "optimal or uniform, the law of the threshold on 0, …, W; the W + 1 \
                      probabilities themselves; or independent, a coin in each round",
        },
        Parameter {
            name: "E",
            default: Some("none"),
            meaning: "with law=optimal, the level e^a: an exact number above 1, in the paper at most e",
        },
        Parameter {
            name: "W",
            default: Some("none"),
            meaning: "the length of the window, at least 1; it may be left out where the law says it",
        },
        Parameter {
            name: "D",
            default: Some("1"),
            meaning: "the delay: the number of active rounds that are answered bottom, at least 1",
        },
        Parameter {
            name: "table",
            default: Some("none"),
            meaning: "with law=independent, the probabilities of top in the W active rounds of the \
                      window",
        },
        Parameter {
            name: "m",
            default: Some("none"),
            meaning: "with law=independent and L, in place of a table: from 1/2 at the L-th round of \
                      the window the probabilities fall by the factor m/(m+1) a round towards the \
                      first, and grow alike towards the last; W = 2L - 1",
        },
        Parameter { name: "L", default: Some("none"), meaning: "see m" },
        Parameter {
            name: "variant",
            default: Some("paper"),
            meaning: "paper; or a twin: no-delay, the window begins at once; clock, inactive rounds \
                      count too",
        },
    ],
    build: |given| Mirror::new(given).map(Boxed::new),
};

/// What is not as in the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    Paper,
    NoDelay,
    Clock,
}

#[derive(Debug)]
struct Mirror {
    interface: Interface,
    form: Form,
    delay: usize,
    variant: Variant,
    remarks: Vec<String>,
}

/// What decides the later answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum State {
    /// With a threshold: the number of active rounds that are still answered bottom.
    Left(usize),
    /// With coins: the number of active rounds so far, at most D + W.
    Active(usize),
}

impl Mirror {
    fn new(given: &Given<'_>) -> Result<Self> {
        let variant = given.choice(
            "variant",
            &[("paper", Variant::Paper), ("no-delay", Variant::NoDelay), ("clock", Variant::Clock)],
        )?;
        let bits = vec!["0".into(), "1".into()];
        let outputs = vec![BOTTOM.into(), TOP.into()];
        let interface = Interface::transducer(bits, outputs, Vec::new())?;
        let (form, delay) = (Form::read(given)?, given.positive("D")?);
        for (what, length) in [("the delay", delay), ("the window", form.window())] {
            if length > LONGEST {
                return Err(Error::TooLarge {
                    what: format!("{what} of `mirror`"),
                    size: format!("{length} rounds"),
                    limit: LONGEST.to_string(),
                });
            }
        }
        let delay = if variant == Variant::NoDelay { 0 } else { delay };
        let remarks = form.remarks(given, Use::Fact4)?;
        Ok(Self { interface, form, delay, variant, remarks })
    }

    /// The probability of top in the `active`-th active round, with independent coins.
    fn coin(table: &[Number], active: usize, delay: usize) -> Number {
        match active.checked_sub(delay) {
            None | Some(0) => Number::zero(),
            Some(place) => table.get(place - 1).cloned().unwrap_or_else(Number::one),
        }
    }
}

impl Mechanism for Mirror {
    type State = State;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<State>> {
        match &self.form {
            Form::Threshold(law) => {
                let law = law.iter().enumerate();
                let left = law.map(|(tau, q)| (State::Left(self.delay + tau), q.clone()));
                Law::new("the law of the threshold of `mirror`", left)
            }
            Form::Independent(_) => Ok(Law::certain(State::Active(0))),
        }
    }

    fn respond(&self, &state: &State, before: usize) -> Result<Law<(Output, State)>> {
        let active = before == 1;
        if !active && self.variant != Variant::Clock {
            return Ok(Law::certain((BOTTOM.into(), state)));
        }
        let (top, next) = match (state, &self.form) {
            (State::Left(left), _) => {
                let top = if left == 0 { Number::one() } else { Number::zero() };
                (top, State::Left(left.saturating_sub(1)))
            }
            (State::Active(count), Form::Independent(table)) => {
                let count = (count + 1).min(self.delay + table.len() + 1);
                (Self::coin(table, count, self.delay), State::Active(count))
            }
            (State::Active(_), Form::Threshold(_)) => {
                return Err(Error::argument("a state of another form of `mirror`"));
            }
        };
        let law = Law::coin("the coin of `mirror`", &top)?;
        Ok(law.map(|top| (if top && active { TOP } else { BOTTOM }.into(), next)))
    }

    fn observe(&self, &state: &State, _: usize) -> Result<Law<State>> {
        Ok(Law::certain(state))
    }

    fn remarks(&self) -> Vec<String> {
        self.remarks.clone()
    }

    fn describe(&self, state: &State) -> String {
        match state {
            State::Left(left) => format!("{left} more bottom"),
            State::Active(count) if *count == self.delay + self.form.window() + 1 => {
                format!("{count} active or more")
            }
            State::Active(count) => format!("{count} active"),
        }
    }
}

//! Algorithm 3: the candidates of Algorithm 2 used online, one replacement for each (Section 7.2).
//!
//! | module | idea |
//! | --- | --- |
//! | `tape` | random choices with names, so that two runs can make the same ones |
//! | `algorithm` | Algorithm 3 line by line, and `A_N` with all candidates available |
//! | `paths` | both on one stream with the same randomness, path by path |
//!
//! All parameters are free. The laws of Algorithm 2's choices and of Mirror's and the acceptance
//! test's coins are exact; a choice is made when it is needed, so states with equal futures merge.

mod algorithm;
mod paths;
mod tape;

use super::candidates::{self, Algorithm, Function, Parameters};
use super::replacement::{PARAMETERS, Rule};
use super::{Entry, Given, Select};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use algorithm::{Online, State, Variant};
use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;
use littlestone_exact::limits::Limits;
use tape::{Player, Tape};

pub use paths::ENTRY as PATHS;

/// The parameters of the predictor.
const ALL: [Parameter; 18] = {
    let [_, a, b, c, d, e, f, g, h, i, j] = PARAMETERS;
    let delays = Parameter {
        name: "D",
        default: None,
        meaning: "the delays D_1, …, D_N of at most 4 rules, as in (1, 6); their number is N",
    };
    let first = Parameter {
        name: "h0",
        default: Some("0"),
        meaning: "the public function h_0: 0, 1, or its labels in point order",
    };
    let groups = Parameter { name: "k", default: Some("1"), meaning: "the number of groups" };
    let sample = Parameter { name: "n", default: Some("1"), meaning: "the size of a full sample" };
    let batch = Parameter { name: "K", default: Some("1"), meaning: "the size of a full batch" };
    let base = Parameter {
        name: "q",
        default: Some("2"),
        meaning: "the base of Select's weights, an exact number above 1",
    };
    let score = Parameter {
        name: "B",
        default: Some("1"),
        meaning: "the score of bottom, an integer: its weight is q^B",
    };
    let variant = Parameter {
        name: "variant",
        default: Some("paper"),
        meaning: "paper; since-activation: K mistakes after the candidate was obtained; no-replay: a \
                  replacement does not see the earlier rounds; one-a-round: at most one candidate is \
                  obtained in a round",
    };
    [delays, first, groups, sample, batch, base, score, a, b, c, d, e, f, g, h, i, j, variant]
};

/// Algorithm 3.
pub const ENTRY: Entry = Entry {
    name: "online-predictor",
    kind: Kind::Predictor,
    law: "obtains h_(m+1) from Algorithm 2 once h_m has made K mistakes, runs the replacement that \
          defines A_(m+1) on the earlier rounds, and answers with A_m",
    paper: "Algorithm 3",
    twin: None,
    parameters: &ALL,
    build: |given| {
        let interface = Interface::predictor(given.points()?)?;
        Ok(Boxed::new(Predictor { interface, online: Online::of(given)? }))
    },
};

impl Online {
    fn of(given: &Given<'_>) -> Result<Self> {
        let tools = given.class()?;
        let rules = Rule::chain(given)?;
        let number = |name: &str| {
            given.integer(name, 1..=1000).map(|n| usize::try_from(n).expect("it is at least 1"))
        };
        let ambient = tools.dimension(&tools.full())?;
        let sample = number("n")?;
        let score = Number::from(i64::from(given.integer("B", 0..=1000)?));
        let select = Select::with_powers(&given.number("q")?, &score)?;
        let parameters = Parameters {
            ambient,
            sample,
            groups: number("k")?,
            list_bound: 1,
            candidates: rules.len(),
            batch: number("K")?,
            thresholds: Parameters::paper_thresholds(ambient),
            lists: Parameters::paper_lists(ambient, sample)?,
            first: Function::new(&given.labels("h0")?).expect("labels are 0 or 1"),
            select,
            score: score.as_rational().cloned().expect("an integer"),
            variant: candidates::Variant::Paper,
        };
        let algorithm = Algorithm::new(tools.class(), parameters, &Limits::default())
            .map_err(|fault| Error::argument(fault.to_string()))?;
        let variant = given.choice(
            "variant",
            &[
                ("paper", Variant::Paper),
                ("since-activation", Variant::SinceActivation),
                ("no-replay", Variant::NoReplay),
                ("one-a-round", Variant::OneARound),
            ],
        )?;
        Ok(Self { algorithm, rules, variant })
    }

    /// What of Section 7.2 the parameters violate.
    fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> = self.rules.iter().flat_map(Rule::remarks).collect();
        remarks.dedup();
        remarks
    }
}

/// Algorithm 3 as a predictor.
#[derive(Debug)]
struct Predictor {
    interface: Interface,
    online: Online,
}

impl Predictor {
    /// The law of what `step` comes to, over all its choices.
    fn law<T: Clone + Eq + std::hash::Hash>(
        &self,
        state: &State,
        mut step: impl FnMut(&mut State, &mut Player<'_>) -> Result<T>,
    ) -> Result<Law<(T, State)>> {
        let mut tape = Tape::default();
        let mut weights = Vec::new();
        loop {
            let mut next = state.clone();
            let outcome = step(&mut next, &mut Player::new(&mut tape))?;
            weights.push(((outcome, self.online.canonical(next)), tape.probability()));
            if !tape.advance() {
                return Law::new("a step of Algorithm 3", weights);
            }
        }
    }
}

impl Mechanism for Predictor {
    type State = State;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<State>> {
        Ok(Law::certain(self.online.start()))
    }

    fn respond(&self, state: &State, before: usize) -> Result<Law<(Output, State)>> {
        let law = self.law(state, |state, player| self.online.respond(state, before, player))?;
        Ok(law.map(|((answer, _), state)| (u8::from(answer).to_string(), state)))
    }

    fn observe(&self, state: &State, after: usize) -> Result<Law<State>> {
        let law =
            self.law(state, |state, player| self.online.observe(state, after == 1, player))?;
        Ok(law.map(|((), state)| state))
    }

    fn remarks(&self) -> Vec<String> {
        self.online.remarks()
    }

    fn describe(&self, state: &State) -> String {
        self.online.describe(state, self.interface.points())
    }
}

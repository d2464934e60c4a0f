//! Replacing one sequence of predictions by another: Definition 10, and chains of it (Lemma 12).
//!
//! | module | idea |
//! | --- | --- |
//! | `acceptance` | the noisy test whether the second sequence is good enough |
//! | `delay` | Mirror's answers, drawn when they are given |
//! | `rule` | one replacement, on merged states |
//! | `chain` | replacements that each build on the one before |
//! | `patterns` | the same over patterns of mistakes, for statements about every randomness |
//!
//! The acceptance bit is drawn when the D-th disagreement has its label. Before it, Mirror answers
//! bottom, so this is no restriction.

mod acceptance;
mod chain;
mod delay;
mod patterns;
mod rule;

use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::Result;
pub(super) use rule::{Asked, PARAMETERS, Reading, Rule, Stage, asked};

pub use chain::ENTRY as CHAIN;
pub use patterns::ENTRY as PATTERNS;

const VARIANT: Parameter = Parameter {
    name: "variant",
    default: Some("definition"),
    meaning: "definition; all-rounds: c counts the rounds with v = y before the D-th disagreement, \
              agreements too; early: the test comes after the first half of the D disagreements",
};

/// Definition 10.
pub const ENTRY: Entry = Entry {
    name: "replacement",
    kind: Kind::Transducer,
    law: "sees predictions u and v, answers u or v, sees the label; changes from u to v at a random \
          disagreement after the first D if v was right at about half of those",
    paper: "Definition 10",
    twin: None,
    parameters: &{
        let [a, b, c, d, e, f, g, h, i, j, k] = PARAMETERS;
        [a, b, c, d, e, f, g, h, i, j, k, VARIANT]
    },
    build: |given| Replacement::of(given).map(Boxed::new),
};

/// Rep(U, V, D) as a transducer over records (u, v, y).
#[derive(Debug)]
struct Replacement {
    interface: Interface,
    rule: Rule,
}

/// The stage, and what the rule waits for.
type State = (Stage, Option<Asked>);

impl Replacement {
    fn of(given: &Given<'_>) -> Result<Self> {
        let reading = match given.word("variant", &["definition", "all-rounds", "early"])? {
            "all-rounds" => Reading::AllRounds,
            "early" => Reading::Early,
            _ => Reading::Definition,
        };
        let bits = || vec!["0".into(), "1".into()];
        let pairs = ["u0v0", "u0v1", "u1v0", "u1v1"].map(String::from).to_vec();
        let interface = Interface::transducer(pairs, bits(), bits())?;
        Ok(Self { interface, rule: Rule::of(given, reading, false)? })
    }
}

impl Mechanism for Replacement {
    type State = State;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<State>> {
        Ok(Law::certain((Rule::START, None)))
    }

    fn respond(&self, &(stage, _): &State, before: usize) -> Result<Law<(Output, State)>> {
        let (first, second) = (before / 2 == 1, before % 2 == 1);
        let asked = self.rule.asks(stage, first, second);
        let law = self.rule.respond(stage, first, second)?;
        Ok(law.map(|(top, stage)| {
            let answer = if top && stage.accepted == Some(true) { second } else { first };
            (u8::from(answer).to_string(), (stage, asked))
        }))
    }

    fn observe(&self, &(stage, asked): &State, after: usize) -> Result<Law<State>> {
        let Some(asked) = asked else { return Ok(Law::certain((stage, None))) };
        Ok(self.rule.observe(stage, asked, after == 1)?.map(|stage| (stage, None)))
    }

    fn remarks(&self) -> Vec<String> {
        self.rule.remarks()
    }

    fn describe(&self, &(stage, asked): &State) -> String {
        format!("{}{}", self.rule.describe(stage), self::asked(asked))
    }
}

//! Kind `phases`: the deterministic stream of Theorem 2 for a learner.

use std::collections::BTreeMap;

use crate::adversary::{Phases, Shared, phases};
use crate::error::Error;
use crate::exact::Number;
use crate::limits::Limits;
use crate::littlestone::Solver;
use crate::mechanism::stream;

use super::super::{Fields, Finding, Verdict};
use super::bound::Bounds;
use super::subject::{MECHANISM, ROUNDS, Subject, WITH, natural, show_stream};
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "phases",
    about: "a quantity of the deterministic stream that Theorem 2 builds for a learner",
    keys: &[
        MECHANISM,
        keys::CLASS,
        keys::HEADER,
        ROUNDS,
        Key {
            name: "quantity",
            grid: true,
            about: "`mistakes` (E[M_T] on the stream), `informative` (those on informative \
                    examples) or `unrealisable` (1 if no hypothesis fits the stream, else 0)",
        },
        Key {
            name: "reading",
            grid: true,
            about: "`paper`, or a misreading: `first-node` (the dummy example is that of the \
                    first phase's node, not of the root)",
        },
        keys::EXACTLY,
        keys::NO_LESS,
        keys::NO_MORE,
        WITH,
    ],
    parse: Parse::Own(parse),
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quantity {
    Mistakes,
    Informative,
    Unrealisable,
}

#[derive(Debug)]
struct PhasesCheck {
    subject: Subject,
    rounds: usize,
    quantity: Quantity,
    shared: Shared,
    bounds: Bounds,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let subject = Subject::parse(fields);
    let bounds = Bounds::parse(fields);
    let rounds = fields.needed_rounds(ROUNDS.name);
    let quantity = fields.choice(
        "quantity",
        &[
            ("mistakes", Quantity::Mistakes),
            ("informative", Quantity::Informative),
            ("unrealisable", Quantity::Unrealisable),
        ],
    );
    let shared =
        fields.choice("reading", &[("paper", Shared::Root), ("first-node", Shared::FirstNode)]);
    Some(Box::new(PhasesCheck {
        subject: subject?,
        rounds: rounds?,
        quantity: quantity?,
        shared: shared?,
        bounds: bounds?,
    }))
}

impl Check for PhasesCheck {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let class = self.subject.class("a shattered tree")?;
        let built = self.subject.build(&Subject::options(self.rounds, limits), limits)?;
        let mut scope = self.subject.scope(Some(self.rounds), self.bounds.expressions())?;
        let solver = Solver::new(class, limits.clone());
        let mut meter = limits.meter();
        let found = phases(&built.automaton, &solver, self.rounds, self.shared, &mut meter)
            .map_err(|error| self.subject.fault(&error))?;
        scope.insert("k".into(), natural(found.phases.len()));
        scope.insert("n".into(), natural(found.length));
        let claimed = self.bounds.evaluate(&scope)?;
        let (value, name) = match self.quantity {
            Quantity::Mistakes => (found.expected.mistakes.clone(), "E[M_T]"),
            Quantity::Informative => (informative(&found), "E[mistakes on informative examples]"),
            Quantity::Unrealisable => {
                (natural(usize::from(found.hypothesis.is_none())), "unrealisable")
            }
        };
        let mut verdict = claimed.decide(&value, &value);
        let mut details = Vec::new();
        let most = match self.quantity {
            Quantity::Unrealisable => Number::one(),
            Quantity::Informative => natural(found.length * found.phases.len()),
            Quantity::Mistakes => natural(self.rounds),
        };
        if verdict == Verdict::Holds && claimed.is_vacuous(&Number::zero(), &most) {
            verdict = Verdict::Vacuous;
            details.push(format!("vacuous: the value is between 0 and {most} for any learner"));
        }
        let interface = built.automaton.interface();
        let stream = show_stream(interface, &found.stream);
        let path: Vec<String> = found
            .phases
            .iter()
            .map(|phase| {
                let record = 2 * phase.point + usize::from(phase.label);
                let example = stream::name(interface, record);
                format!("{example} with E[X] = {}", phase.mistakes)
            })
            .collect();
        let path = format!("phases {}", path.join("; "));
        if verdict == Verdict::Refuted {
            details.push(path.clone());
        }
        Ok(Finding {
            verdict,
            found: format!("{name} = {value} on {stream}; claimed {claimed}"),
            non_vacuous: (verdict == Verdict::Holds).then_some(path),
            details,
            values: BTreeMap::from([("value".into(), value.to_string())]),
        })
    }
}

fn informative(found: &Phases) -> Number {
    found.phases.iter().fold(Number::zero(), |sum, phase| &sum + &phase.mistakes)
}

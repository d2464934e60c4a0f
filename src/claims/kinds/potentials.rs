//! Kind `potentials`: the inequalities of Sections 2.1 and 5 for a learner against Algorithm 1.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::exact::{Epsilon, Number};
use crate::limits::Limits;
use crate::potentials::{
    Context, Extras, Potentials, Row, STATEMENTS, Statement, Verdict as Instance, potentials,
    statement,
};
use crate::report::potentials::{choices, covered, false_claim, tightest};

use super::super::{Fields, Finding, Located, Verdict};
use super::subject::{MECHANISM, ROUNDS, Subject, WITH, adversary};
use super::verdict::{delta, epsilon};
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "potentials",
    about: "an inequality about the potentials of a learner against Algorithm 1 (Lemmas 1 and 2)",
    keys: &[
        MECHANISM,
        keys::CLASS,
        keys::HEADER,
        ROUNDS,
        Key { name: "adversary", grid: true, about: "the adversary, as in \"thirds:p=1/2\"" },
        Key {
            name: "epsilon", grid: true, about: "ε ≥ 0: a number such as 1/100, or \"ln(9/8)\""
        },
        Key {
            name: "delta",
            grid: true,
            about: "the δ that is claimed of the learner, an expression; the one that it has on \
                    the streams compared if it is left out",
        },
        Key {
            name: "inequality",
            grid: true,
            about: "which one: `Lemma 1`, `(1)`, `(2)`, …; docs/claims.md has all",
        },
        WITH,
    ],
    parse: Parse::Own(parse),
};

#[derive(Debug)]
struct PotentialsCheck {
    subject: Subject,
    rounds: usize,
    adversary: Located<String>,
    epsilon: Epsilon,
    delta: Option<Located<String>>,
    statement: &'static Statement,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let subject = Subject::parse(fields);
    let rounds = fields.needed_rounds(ROUNDS.name);
    let adversary = fields.text("adversary");
    let epsilon = epsilon(fields);
    let delta = if fields.has("delta") { Some(fields.expression("delta")?) } else { None };
    let name = fields.text("inequality")?;
    let Some(statement) = statement(&name.value) else {
        let names: Vec<String> = STATEMENTS.iter().map(|s| format!("`{}`", s.name)).collect();
        let expected = format!("one of {} at `inequality`", names.join(", "));
        fields.refuse(name.position, &expected, &format!("`{}`", name.value));
        return None;
    };
    Some(Box::new(PotentialsCheck {
        subject: subject?,
        rounds: rounds?,
        adversary: adversary?,
        epsilon: epsilon?,
        delta,
        statement,
    }))
}

impl Check for PotentialsCheck {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let rounds = self.rounds;
        let built = self.subject.build(&Subject::options(rounds, limits), limits)?;
        let automaton = &built.automaton;
        let thirds = adversary(&self.adversary, &self.subject, automaton.interface(), rounds)?;
        let scope = self.subject.scope(Some(rounds), self.delta.iter())?;
        let claimed = self.delta.as_ref().map(|at| delta(at, &scope)).transpose()?;
        let extras = Extras { unconditioned: self.statement.unconditioned };
        let found = potentials(automaton, &thirds, &self.epsilon, extras, &mut limits.meter())
            .map_err(|error| self.subject.fault(&error))?;
        let context = Context { potentials: &found, delta: claimed.as_ref() };
        let rows = self.statement.rows(&context);
        let mut finding = self.finding(&found, claimed.as_ref(), &rows);
        finding.details.extend(built.notes());
        Ok(finding)
    }
}

impl PotentialsCheck {
    fn finding(&self, found: &Potentials, claimed: Option<&Number>, rows: &[Row]) -> Finding {
        let count = |verdict| rows.iter().filter(|row| row.verdict() == verdict).count();
        let (refuted, holds) = (count(Instance::Refuted), count(Instance::Holds));
        let verdict = if refuted > 0 {
            Verdict::Refuted
        } else if holds > 0 {
            Verdict::Holds
        } else {
            Verdict::Vacuous
        };
        let row = tightest(rows).expect("every statement has an instance");
        let real = found.delta(found.length());
        let mut details = Vec::new();
        match verdict {
            Verdict::Refuted => {
                details.push(format!("counterexample, {}", shown(row)));
                details.push(format!("{refuted} of {} instances are false", rows.len()));
            }
            Verdict::Vacuous => details.push(format!(
                "vacuous: the right side reaches {}, which the left side cannot pass",
                row.trivial.decimal(8)
            )),
            _ => {}
        }
        if let Some(claimed) = claimed.filter(|claimed| **claimed < real) {
            details.push(false_claim(claimed, &real));
        }
        if !covered(found) {
            details.push("note: (3) and (7) are proved for ε ≤ ln(9/8)".to_owned());
        }
        let last = found.mean(found.length(), crate::potentials::Choice::information);
        let non_vacuous = (verdict == Verdict::Holds).then(|| {
            format!(
                "{holds} of {} instances say something; E[I_L] = {}",
                rows.len(),
                last.decimal(8)
            )
        });
        let values = BTreeMap::from([
            ("delta".into(), real.to_string()),
            ("left".into(), row.left.to_string()),
            ("right".into(), row.right.to_string()),
            ("slack".into(), row.slack().to_string()),
            ("trivial".into(), row.trivial.to_string()),
        ]);
        let found = format!("{}: tightest {}", self.statement.name, shown(row));
        Finding { verdict, found, non_vacuous, details, values }
    }
}

/// An instance in one line.
fn shown(row: &Row) -> String {
    let at = match &row.thirds {
        None => format!("t = {}", row.stage),
        Some(thirds) => format!("t = {}, J = {}", row.stage, choices(Some(thirds))),
    };
    let place = if row.place.is_empty() { String::new() } else { format!(", {}", row.place) };
    format!(
        "{at}{place}: {} {} {}, slack {}, δ = {}",
        row.left.decimal(10),
        row.relation.sign(),
        row.right.decimal(10),
        row.slack().decimal(10),
        row.delta.decimal(8)
    )
}

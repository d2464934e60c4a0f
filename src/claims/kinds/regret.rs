//! Kind `regret`: mistakes of a rule against those of the predictors that it sees (Lemma 13).

use std::collections::BTreeMap;

use crate::error::Error;
use crate::exact::Number;
use crate::limits::Limits;
use crate::regret::{Found, Regret, greatest};

use super::super::{Fields, Finding, Located, Verdict};
use super::bound::{Bounds, evaluate};
use super::subject::{MECHANISM, ROUNDS, Subject, WITH, natural, show_stream};
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "regret",
    about: "the greatest of E[mistakes] − factor · min(mistakes of the predictors that are seen)",
    keys: &[
        MECHANISM,
        keys::CLASS,
        keys::HEADER,
        ROUNDS,
        Key {
            name: "factor",
            grid: true,
            about: "what the mistakes of the best predictor are multiplied with, at least 0; 1 if it \
                    is left out",
        },
        keys::EXACTLY,
        keys::NO_LESS,
        keys::NO_MORE,
        WITH,
    ],
    parse: Parse::Own(parse),
};

#[derive(Debug)]
struct RegretCheck {
    subject: Subject,
    rounds: usize,
    factor: Option<Located<String>>,
    bounds: Bounds,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let subject = Subject::parse(fields);
    let bounds = Bounds::parse(fields);
    let rounds = fields.needed_rounds(ROUNDS.name);
    let factor = if fields.has("factor") { Some(fields.expression("factor")?) } else { None };
    let check = RegretCheck { subject: subject?, rounds: rounds?, factor, bounds: bounds? };
    Some(Box::new(check))
}

impl Check for RegretCheck {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let rounds = self.rounds;
        let built = self.subject.build(&Subject::options(rounds, limits), limits)?;
        let expressions = self.bounds.expressions().chain(&self.factor);
        let scope = self.subject.scope(Some(rounds), expressions)?;
        let claimed = self.bounds.evaluate(&scope)?;
        let factor = match &self.factor {
            None => Number::one(),
            Some(factor) => {
                let value = evaluate(factor, &scope)?;
                if value.signum() < 0 {
                    let found = value.to_string();
                    return Err(Error::malformed(
                        factor.position.clone(),
                        "a factor of at least 0",
                        found,
                    ));
                }
                value
            }
        };
        let automaton = &built.automaton;
        let found = greatest(automaton, &factor, rounds, limits)
            .map_err(|error| self.subject.fault(&error))?;
        let mut finding = Finding {
            verdict: Verdict::Undecided,
            found: String::new(),
            non_vacuous: None,
            details: Vec::new(),
            values: BTreeMap::new(),
        };
        let lengths = match found {
            Found::Exact(lengths) => lengths,
            Found::Stopped(stopped) => {
                finding.found = format!("not found ({stopped})");
                return Ok(finding);
            }
        };
        let last = lengths.last().expect("there is a round");
        let value = &last.value;
        let on = |regret: &Regret| {
            let stream = show_stream(automaton.interface(), &regret.stream);
            format!("{} on {stream}, against predictor {}", regret.value, regret.against + 1)
        };
        finding.verdict = claimed.decide(value, value);
        finding.found = format!(
            "greatest E[M] − {factor} · min = {value} ≈ {}, T = {rounds}; claimed {claimed}",
            value.decimal(6)
        );
        finding.values.insert("regret".into(), value.to_string());
        // A rule may be wrong in every round while one predictor never is.
        let (least, most) = (Number::zero(), natural(rounds));
        if finding.verdict == Verdict::Holds && claimed.is_vacuous(&least, &most) {
            finding.verdict = Verdict::Vacuous;
            finding.details.push(format!(
                "vacuous: 0 ≤ greatest regret ≤ T = {rounds} for every rule, so this claim says \
                 nothing"
            ));
        }
        match finding.verdict {
            Verdict::Holds => finding.non_vacuous = Some(on(last)),
            Verdict::Refuted => {
                finding.details.push(format!("attained by: {}", on(last)));
                // What a length attains, the next one does too.
                let shorter = lengths.iter().find(|regret| claimed.is_exceeded_by(&regret.value));
                finding.details.extend(
                    shorter.map(|r| format!("counterexample, T = {}: {}", r.stream.len(), on(r))),
                );
            }
            _ => {}
        }
        finding.details.extend(built.notes());
        Ok(finding)
    }
}

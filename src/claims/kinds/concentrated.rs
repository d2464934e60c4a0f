//! Kind `concentrated`: whether a learner is β-concentrated ([DSS24, Definition 7]).

use std::collections::BTreeMap;

use crate::adversary::{Concentration, concentration};
use crate::error::Error;
use crate::exact::Number;
use crate::limits::Limits;

use super::super::{Fields, Finding, Located, Verdict};
use super::bound::evaluate;
use super::subject::{MECHANISM, ROUNDS, Subject, WITH};
use super::{Check, Classes, Key, Kind, Parse, keys};

const BETA: Key = Key { name: "beta", grid: true, about: "the claimed β, an expression" };
const LEAST: Key =
    Key { name: "least_beta", grid: true, about: "the claimed least β, an expression" };

pub(super) static KIND: Kind = Kind {
    name: "concentrated",
    about: "a learner is β-concentrated: on some constant stream it keeps one label at another \
            point with probability at least 1 - β (an assumption of earlier lower bounds)",
    keys: &[MECHANISM, keys::CLASS, keys::HEADER, ROUNDS, BETA, LEAST, WITH],
    parse: Parse::Own(parse),
};

#[derive(Debug)]
struct ConcentratedCheck {
    subject: Subject,
    rounds: usize,
    beta: Option<Located<String>>,
    least: Option<Located<String>>,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let subject = Subject::parse(fields);
    let rounds = fields.needed_rounds(ROUNDS.name);
    let beta = fields.expression(BETA.name);
    let least = fields.expression(LEAST.name);
    if !fields.has(BETA.name) && !fields.has(LEAST.name) {
        fields.missing("one of the keys `beta` and `least_beta`");
        return None;
    }
    Some(Box::new(ConcentratedCheck { subject: subject?, rounds: rounds?, beta, least }))
}

impl Check for ConcentratedCheck {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let class = self.subject.class("the hypotheses f0 and f1")?;
        let built = self.subject.build(&Subject::options(self.rounds, limits), limits)?;
        let expressions = || self.beta.iter().chain(&self.least);
        let scope = self.subject.scope(Some(self.rounds), expressions())?;
        let value = |text: &Option<Located<String>>| {
            text.as_ref().map(|text| evaluate(text, &scope)).transpose()
        };
        let (beta, least) = (value(&self.beta)?, value(&self.least)?);
        let found = concentration(&built.automaton, class, self.rounds, &mut limits.meter())
            .map_err(|error| self.subject.fault(&error))?;
        let Some(found) = found else {
            return Ok(Finding {
                verdict: Verdict::Refuted,
                found: "no two hypotheses agree at a point and differ at another as is needed"
                    .into(),
                non_vacuous: None,
                details: Vec::new(),
                values: BTreeMap::new(),
            });
        };
        let real = &Number::one() - &found.probability;
        let fits = beta.as_ref().is_none_or(|beta| real <= *beta)
            && least.as_ref().is_none_or(|least| real == *least);
        // Every learner is 1-concentrated.
        let vacuous = least.is_none() && beta.as_ref().is_some_and(|beta| *beta >= Number::one());
        let verdict = match (fits, vacuous) {
            (false, _) => Verdict::Refuted,
            (true, true) => Verdict::Vacuous,
            (true, false) => Verdict::Holds,
        };
        let points = class.point_names();
        let Concentration { equal, different, label, probability, .. } = &found;
        let (equal, different, label) = (&points[*equal], &points[*different], u8::from(*label));
        let event = format!(
            "f0 = {}, f1 = {}: on the stream of {equal}:{label} every hypothesis has the label \
             {label} at {different} with probability {probability}",
            class.hypothesis_name(found.first),
            class.hypothesis_name(found.second)
        );
        Ok(Finding {
            verdict,
            found: format!("β-concentrated iff β ≥ {real}, T = {}", self.rounds),
            non_vacuous: (verdict == Verdict::Holds).then(|| event.clone()),
            details: if verdict == Verdict::Refuted { vec![event] } else { Vec::new() },
            values: BTreeMap::from([("least_beta".into(), real.to_string())]),
        })
    }
}

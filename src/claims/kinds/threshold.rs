//! Kind `threshold`: the mistakes of the whole predictor for every threshold (Step 3 of Theorem 3).

use std::collections::BTreeMap;

use crate::error::Error;
use crate::limits::Limits;
use crate::mechanism::spec::Spec;
use crate::mistakes::{Excess, greatest_excess};

use super::super::{Fields, Finding, Located, Verdict};
use super::bound::Bounds;
use super::subject::{MECHANISM, ROUNDS, STREAMS, Subject, WITH, Which, natural, show_stream};
use super::{Check, Classes, Key, Kind, Parse, keys};

pub(super) static KIND: Kind = Kind {
    name: "threshold",
    about: "the greatest of E[M(C)] − 3B − 3 P(M(A) > B) E[M(F)] over streams and thresholds B",
    keys: &[
        MECHANISM,
        Key { name: "first", grid: false, about: "the predictor A, with its parameters" },
        Key { name: "second", grid: false, about: "the predictor F, with its parameters" },
        keys::CLASS,
        keys::HEADER,
        ROUNDS,
        STREAMS,
        keys::EXACTLY,
        keys::NO_LESS,
        keys::NO_MORE,
        WITH,
    ],
    parse: Parse::Own(parse),
};

#[derive(Debug)]
struct ThresholdCheck {
    subject: Subject,
    first: Located<Spec>,
    second: Located<Spec>,
    rounds: usize,
    streams: Which,
    bounds: Bounds,
}

fn parse(fields: &mut Fields<'_>) -> Option<Box<dyn Check>> {
    let subject = Subject::parse(fields);
    let (first, second) = (fields.mechanism("first"), fields.mechanism("second"));
    let bounds = Bounds::parse(fields);
    let rounds = fields.needed_rounds(ROUNDS.name);
    let streams =
        fields.choice(STREAMS.name, &[("realisable", Which::Realisable), ("all", Which::All)]);
    let check = ThresholdCheck {
        subject: subject?,
        first: first?,
        second: second?,
        rounds: rounds?,
        streams: streams?,
        bounds: bounds?,
    };
    Some(Box::new(check))
}

impl Check for ThresholdCheck {
    fn load(&mut self, classes: &mut Classes<'_>) {
        self.subject.load(classes);
    }

    fn run(&self, limits: &Limits) -> Result<Finding, Error> {
        let rounds = self.rounds;
        let options = Subject::options(rounds, limits);
        let built = self.subject.build(&options, limits)?;
        let [first, second] = [&self.first, &self.second]
            .map(|part| self.subject.build_other(part, &options, limits));
        let (first, second) = (first?.automaton, second?.automaton);
        let scope = self.subject.scope(Some(rounds), self.bounds.expressions())?;
        let claimed = self.bounds.evaluate(&scope)?;
        let interface = built.automaton.interface();
        let streams = self.subject.streams(self.streams, interface, limits)?;
        let found = greatest_excess([&built.automaton, &first, &second], &streams, rounds, limits)
            .map_err(|error| self.subject.fault(&error))?;
        let mut finding = Finding {
            verdict: Verdict::Undecided,
            found: String::new(),
            non_vacuous: None,
            details: Vec::new(),
            values: BTreeMap::new(),
        };
        let Excess { value, stream, threshold, combined, failure, second } = match found {
            Ok(found) => found,
            Err(stopped) => {
                finding.found = format!("not found ({stopped})");
                return Ok(finding);
            }
        };
        finding.verdict = claimed.decide(&value, &value);
        finding.found = format!(
            "greatest E[M(C)] − 3B − 3 P(M(A) > B) E[M(F)] = {value} ≈ {}, T = {rounds}; claimed \
             {claimed}",
            value.decimal(6)
        );
        finding.values.insert("excess".into(), value.to_string());
        let on = format!(
            "E[M(C)] = {combined}, B = {threshold}, P(M(A) > B) = {failure}, E[M(F)] = {second} on {}",
            show_stream(interface, &stream)
        );
        match finding.verdict {
            // The left side is at most E[M(C)] ≤ T, and at B = T it is no less than −3T.
            Verdict::Holds if claimed.is_vacuous(&-&natural(3 * rounds), &natural(rounds)) => {
                finding.verdict = Verdict::Vacuous;
                finding.details.push("vacuous: this is true of all predictors".into());
            }
            Verdict::Holds => finding.non_vacuous = Some(on),
            _ => finding.details.push(format!("attained by: {on}")),
        }
        finding.details.extend(built.notes());
        Ok(finding)
    }
}

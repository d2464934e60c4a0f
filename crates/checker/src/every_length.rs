//! The rules for certificates of the kind `privacy-every-length`.
//!
//! `docs/certificates.md` states the rules and why they suffice. The table of states must be closed,
//! and from each state before a round that streams reach, one step under two differing records must
//! be (ε,δ)-close.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::alphabets::{Kind, expected};
use super::automaton::Table;
use super::enumerate::Allowed;
use super::format::EveryLength;
use super::notation;
use super::number::{Calculator, Quotient, Sum};
use super::privacy::{allowed, delta, exactly_if, informative, not_checked, one_of};
use super::question::excess;
use super::rejection::{Malformed, Rejection, Unproved};
use super::statement::{PrivacyScope, Statement};
use super::verify::{End, Limits, Outcome, Report, Work};

/// Verifies that δ suffices at every length.
pub(super) fn verify(certificate: &EveryLength, limits: Limits) -> Result<Outcome, Rejection> {
    let mut report = Report {
        kind: certificate.kind.clone(),
        proved: Vec::new(),
        hypotheses: certificate.hypotheses.as_ref().map_or(0, Vec::len),
        points: certificate.automaton.points.len(),
        states: u64::try_from(certificate.automaton.states.len()).unwrap_or(u64::MAX),
        examined: 0,
        taken_on_trust: Vec::new(),
        not_checked: not_checked(
            certificate.hypotheses.is_some(),
            false,
            informative(&certificate.producer, &certificate.source),
        ),
    };
    let mut calculator = Calculator::new(Work::new(limits));
    let end = check(certificate, &mut calculator);
    report.examined = calculator.work.done();
    match end {
        Ok(statement) => {
            report.proved.push(statement);
            Ok(Outcome::Proved(report))
        }
        Err(End::Limit(limit)) => Ok(Outcome::Undecided { report, limit }),
        Err(End::Rejected(rejection)) => Err(rejection),
    }
}

fn check(certificate: &EveryLength, calculator: &mut Calculator) -> Result<Statement, End> {
    one_of("notion", &certificate.notion, &["whole", "joint"])?;
    one_of("neighbours", &certificate.neighbours, &["replacement", "add-remove"])?;
    one_of("streams", &certificate.streams, &["all", "realisable"])?;
    let realisable = certificate.streams == "realisable";
    exactly_if("hypotheses", certificate.hypotheses.is_some(), realisable)?;
    let table = Table::read(&certificate.automaton, calculator)?;
    if let Some(rounds) = table.rounds {
        let fault = expected("a table for streams of every length", &rounds.to_string());
        return Err(Rejection::malformed("automaton.rounds", fault).into());
    }
    let joint = certificate.notion == "joint";
    let add_remove = certificate.neighbours == "add-remove";
    if joint && matches!(table.kind, Kind::Learner | Kind::OneShot) {
        let reason = "joint privacy (Definition 4) is a property of predictors and transducers";
        return Err(Rejection::malformed("notion", Malformed::Unfit { reason }).into());
    }
    if add_remove && table.kind != Kind::OneShot {
        let reason = "only streams of one-shot mechanisms may differ in length";
        return Err(Rejection::malformed("neighbours", Malformed::Unfit { reason }).into());
    }
    let steps = Steps {
        allowed: allowed(certificate.hypotheses.as_deref(), &table)?,
        table: &table,
        joint,
        add_remove,
        factor: notation::epsilon("epsilon", &certificate.epsilon, calculator)?,
    };
    let (bound, text) = delta("delta", &certificate.delta, calculator)?;
    for (state, rows) in steps.reached()? {
        steps.close(state, &rows, &bound, &text, calculator)?;
    }
    let scope = PrivacyScope {
        notion: certificate.notion.clone(),
        neighbours: certificate.neighbours.clone(),
        streams: certificate.streams.clone(),
        rounds: None,
        epsilon: certificate.epsilon.clone(),
    };
    Ok(Statement::Private { scope, delta: text })
}

/// A law of (symbol of the round, next symbol, state), as numerators.
type View = BTreeMap<Vec<usize>, Sum>;

/// What happens in one round.
struct Steps<'s> {
    table: &'s Table,
    allowed: Allowed,
    joint: bool,
    add_remove: bool,
    /// e^ε.
    factor: Quotient,
}

impl Steps<'_> {
    fn one_shot(&self) -> bool {
        self.table.kind == Kind::OneShot
    }

    /// The states before a round that streams reach, each with the rows of the class that fit the
    /// stream. A law that is missing there is a fault, so the table is closed. The ends of one-shot
    /// mechanisms must have laws as well.
    fn reached(&self) -> Result<BTreeSet<(usize, Vec<usize>)>, Rejection> {
        let rows = self.allowed.rows();
        let start = self.table.start.iter().map(|(state, _)| (*state, rows.clone()));
        let mut reached: BTreeSet<(usize, Vec<usize>)> = start.collect();
        let mut open: Vec<(usize, Vec<usize>)> = reached.iter().cloned().collect();
        while let Some((state, rows)) = open.pop() {
            if self.one_shot() {
                self.table.finish(state)?;
            }
            for record in 0..self.table.records.len() {
                let rows = self.allowed.fitting(&rows, record);
                if rows.is_empty() {
                    continue;
                }
                for next in self.successors(state, record)? {
                    if reached.insert((next, rows.clone())) {
                        open.push((next, rows.clone()));
                    }
                }
            }
        }
        Ok(reached)
    }

    fn successors(&self, state: usize, record: usize) -> Result<BTreeSet<usize>, Rejection> {
        let mut between = BTreeSet::from([state]);
        if !self.one_shot() {
            between = self.table.respond(state, record)?.iter().map(|(_, to, _)| *to).collect();
        }
        let mut next = BTreeSet::new();
        for state in between {
            next.extend(self.table.observe(state, record)?.iter().map(|(to, _)| *to));
        }
        Ok(next)
    }

    /// Checks that no two records that may differ in a round from this state lead to views that
    /// diverge by more than `bound`.
    fn close(
        &self,
        state: usize,
        rows: &[usize],
        bound: &Quotient,
        text: &str,
        calculator: &mut Calculator,
    ) -> Result<(), End> {
        let records = || (0..self.table.records.len()).map(Some);
        let sides: Vec<Option<usize>> =
            if self.add_remove { records().chain([None]).collect() } else { records().collect() };
        let fitting = |record: Option<usize>| match record {
            Some(record) => self.allowed.fitting(rows, record),
            None => rows.to_vec(),
        };
        let release = self.table.respond_denominator();
        let denominator = calculator.product(self.table.round_denominator(), release)?;
        // The views of this state, each computed once.
        let mut views: BTreeMap<(Option<usize>, Option<usize>), View> = BTreeMap::new();
        for &first in &sides {
            for &second in &sides {
                // One stream has a record more, or both have one.
                let absent = [first, second].iter().filter(|record| record.is_none()).count();
                if first == second || absent != usize::from(self.add_remove) {
                    continue;
                }
                let fitting = [fitting(first), fitting(second)];
                if fitting.iter().any(Vec::is_empty) {
                    continue;
                }
                for question in self.questions(&fitting) {
                    for record in [first, second] {
                        if let Entry::Vacant(place) = views.entry((record, question)) {
                            place.insert(self.view(state, record, question, calculator)?);
                        }
                    }
                    let (p, q) = (&views[&(first, question)], &views[&(second, question)]);
                    let divergence = excess(p, q, &self.factor, &denominator, calculator)?;
                    if calculator.compare(&divergence, bound)?.is_gt() {
                        let name = |record: Option<usize>| {
                            record.map_or("no record".to_owned(), |record| {
                                format!("the record {}", self.table.records[record])
                            })
                        };
                        let fault = Unproved::DivergenceAbove {
                            bound: text.to_owned(),
                            divergence: divergence.to_string(),
                            first: name(first),
                            second: name(second),
                        };
                        let place = format!("automaton.states[{state}]");
                        return Err(Rejection::unproved(place, fault).into());
                    }
                }
            }
        }
        Ok(())
    }

    /// A record for each question that may be shown before the next release; nothing stands for an
    /// end without one.
    fn questions(&self, fitting: &[Vec<usize>; 2]) -> Vec<Option<usize>> {
        if self.one_shot() {
            return vec![None];
        }
        let possible = |record: usize| {
            fitting.iter().all(|rows| !self.allowed.fitting(rows, record).is_empty())
        };
        let questions: Vec<Option<usize>> = self
            .table
            .questions()
            .filter(|first| (0..self.table.afters()).any(|after| possible(first + after)))
            .map(Some)
            .collect();
        if questions.is_empty() { vec![None] } else { questions }
    }

    /// The law of what one round and the release after it show, and of the state then. Where there
    /// is no release the state counts for one-shot mechanisms alone.
    fn view(
        &self,
        state: usize,
        record: Option<usize>,
        question: Option<usize>,
        calculator: &mut Calculator,
    ) -> Result<View, End> {
        let table = self.table;
        let release = table.respond_denominator();
        let mut view = View::new();
        let Some(record) = record else {
            let whole = calculator.product(table.round_denominator(), release)?;
            return Ok(View::from([(vec![state], whole)]));
        };
        let mut released = Vec::new();
        if self.one_shot() {
            released.push((None, state, Sum::one()));
        } else {
            for (output, to, weight) in table.respond(state, record)? {
                released.push((Some(*output).filter(|_| !self.joint), *to, weight.clone()));
            }
        }
        for (output, between, weight) in released {
            for (to, observed) in table.observe(between, record)? {
                let mass = calculator.product(&weight, observed)?;
                let Some(question) = question else {
                    let mass = calculator.product(&mass, release)?;
                    let state = self.one_shot().then_some(*to);
                    let key = output.into_iter().chain(state).collect();
                    view.entry(key).or_default().add(&mass);
                    continue;
                };
                for (next, after, weight) in table.respond(*to, question)? {
                    let mass = calculator.product(&mass, weight)?;
                    let key = output.into_iter().chain([*next, *after]).collect();
                    view.entry(key).or_default().add(&mass);
                }
            }
        }
        Ok(view)
    }
}

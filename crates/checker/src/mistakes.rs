//! The expected number of mistakes on streams, round by round over the law of the state.

use std::collections::BTreeMap;

use super::automaton::Table;
use super::enumerate::Allowed;
use super::number::{Calculator, Sum};
use super::verify::End;

/// A stream so far: the law of the state, and the sum over its rounds of the probability of a
/// mistake, both as numerators.
#[derive(Debug, Clone)]
pub(super) struct Erring {
    law: BTreeMap<usize, Sum>,
    mistakes: Sum,
}

impl Erring {
    /// Before the first round.
    pub(super) fn start(table: &Table) -> Self {
        let mut law = BTreeMap::<usize, Sum>::new();
        for (state, weight) in &table.start {
            law.entry(*state).or_default().add(weight);
        }
        Self { law, mistakes: Sum::default() }
    }

    /// After one more round.
    pub(super) fn round(
        &self,
        table: &Table,
        record: usize,
        calculator: &mut Calculator,
    ) -> Result<Self, End> {
        let mut next = BTreeMap::<usize, Sum>::new();
        // What was counted in earlier rounds has this round's denominator too.
        let mut mistakes = calculator.product(&self.mistakes, table.round_denominator())?;
        for (state, mass) in &self.law {
            for (output, between, released) in table.respond(*state, record)? {
                let mass = calculator.product(mass, released)?;
                let errs = table.mistake(*output, record);
                for (to, weight) in table.observe(*between, record)? {
                    let product = calculator.product(&mass, weight)?;
                    if errs {
                        mistakes.add(&product);
                    }
                    next.entry(*to).or_default().add(&product);
                }
            }
        }
        Ok(Self { law: next, mistakes })
    }

    /// The expected number of mistakes so far, as a numerator.
    pub(super) fn mistakes(&self) -> &Sum {
        &self.mistakes
    }
}

/// The expected number of mistakes on a stream, as a numerator.
pub(super) fn mistakes_on(
    table: &Table,
    stream: &[usize],
    calculator: &mut Calculator,
) -> Result<Sum, End> {
    let mut erring = Erring::start(table);
    for &record in stream {
        erring = erring.round(table, record, calculator)?;
    }
    Ok(erring.mistakes)
}

/// Called with a stream and the expected number of mistakes on it as a numerator.
type Visit<'v> = &'v mut dyn FnMut(&mut Calculator, &[usize], &Sum) -> Result<(), End>;

/// Calls `visit` with every stream of `rounds` records that counts, and the expected number of
/// mistakes on it as a numerator.
pub(super) fn each_stream(
    table: &Table,
    allowed: &Allowed,
    rounds: usize,
    calculator: &mut Calculator,
    visit: Visit<'_>,
) -> Result<(), End> {
    let start = (allowed.rows(), Erring::start(table));
    let mut walk = StreamWalk { table, allowed, rounds, stream: Vec::new() };
    walk.follow(&start, calculator, visit)
}

struct StreamWalk<'w> {
    table: &'w Table,
    allowed: &'w Allowed,
    rounds: usize,
    stream: Vec<usize>,
}

impl StreamWalk<'_> {
    fn follow(
        &mut self,
        (rows, erring): &(Vec<usize>, Erring),
        calculator: &mut Calculator,
        visit: Visit<'_>,
    ) -> Result<(), End> {
        if self.stream.len() == self.rounds {
            return visit(calculator, &self.stream, erring.mistakes());
        }
        for record in 0..self.table.records.len() {
            let rows = self.allowed.fitting(rows, record);
            if rows.is_empty() {
                continue;
            }
            let next = (rows, erring.round(self.table, record, calculator)?);
            self.stream.push(record);
            self.follow(&next, calculator, visit)?;
            self.stream.pop();
        }
        Ok(())
    }
}

//! Straight enumeration of the streams, outputs and coins of an automaton.
//!
//! The law of a prefix is kept for each word of released symbols and each state. Nothing is
//! bounded, pruned or merged across words or streams.

use std::collections::BTreeMap;

use super::alphabets::Kind;
use super::automaton::Table;
use super::number::{Calculator, Sum};
use super::verify::End;

/// The joint law of released words and states, as numerators.
pub(super) type Law = BTreeMap<(Vec<usize>, usize), Sum>;

/// The law of output words at the end of a stream, as numerators.
pub(super) type Words = BTreeMap<Vec<usize>, Sum>;

/// Which streams count.
#[derive(Debug)]
pub(super) enum Allowed {
    All,
    /// The streams that some row of this class fits; record 2x + y is the example (x, y).
    Realisable(Vec<Vec<bool>>),
}

impl Allowed {
    /// The rows that fit the empty stream. For all streams there is one row, which fits always.
    pub(super) fn rows(&self) -> Vec<usize> {
        match self {
            Self::All => vec![0],
            Self::Realisable(class) => (0..class.len()).collect(),
        }
    }

    /// The rows among `rows` that fit a record.
    pub(super) fn fitting(&self, rows: &[usize], record: usize) -> Vec<usize> {
        match self {
            Self::All => rows.to_vec(),
            Self::Realisable(class) => {
                let fits = |h: &usize| class[*h][record / 2] == (record % 2 == 1);
                rows.iter().copied().filter(fits).collect()
            }
        }
    }

    /// Whether a stream counts.
    pub(super) fn allows(&self, stream: &[usize]) -> bool {
        let rows = stream.iter().fold(self.rows(), |rows, &record| self.fitting(&rows, record));
        !rows.is_empty()
    }
}

/// The law before the first round.
pub(super) fn start(table: &Table) -> Law {
    let mut law = Law::new();
    for (state, weight) in &table.start {
        law.entry((Vec::new(), *state)).or_default().add(weight);
    }
    law
}

/// The law after one more round. The released symbol is left out of the words if `omitted`.
pub(super) fn round(
    table: &Table,
    law: &Law,
    record: usize,
    omitted: bool,
    calculator: &mut Calculator,
) -> Result<Law, End> {
    let mut next = Law::new();
    for ((word, state), mass) in law {
        if table.kind == Kind::OneShot {
            for (to, weight) in table.observe(*state, record)? {
                let product = calculator.product(mass, weight)?;
                next.entry((word.clone(), *to)).or_default().add(&product);
            }
            continue;
        }
        for (output, between, released) in table.respond(*state, record)? {
            let mass = calculator.product(mass, released)?;
            let mut word = word.clone();
            if !omitted {
                word.push(*output);
            }
            for (to, weight) in table.observe(*between, record)? {
                let product = calculator.product(&mass, weight)?;
                next.entry((word.clone(), *to)).or_default().add(&product);
            }
        }
    }
    Ok(next)
}

/// The law of the output words of a stream with that law.
pub(super) fn words(table: &Table, law: &Law, calculator: &mut Calculator) -> Result<Words, End> {
    let mut words = Words::new();
    for ((word, state), mass) in law {
        if table.kind != Kind::OneShot {
            words.entry(word.clone()).or_default().add(mass);
            continue;
        }
        for (output, weight) in table.finish(*state)? {
            let product = calculator.product(mass, weight)?;
            words.entry(vec![*output]).or_default().add(&product);
        }
    }
    Ok(words)
}

/// The law of the output words of a stream; the symbol of the round `omitted` is left out.
pub(super) fn words_of(
    table: &Table,
    stream: &[usize],
    omitted: Option<usize>,
    calculator: &mut Calculator,
) -> Result<Words, End> {
    let mut law = start(table);
    for (i, &record) in stream.iter().enumerate() {
        law = round(table, &law, record, omitted == Some(i), calculator)?;
    }
    words(table, &law, calculator)
}

/// A stream so far: its records, the law after them, and the rows of the class that fit.
#[derive(Debug, Clone)]
pub(super) struct Side {
    pub(super) stream: Vec<usize>,
    pub(super) law: Law,
    rows: Vec<usize>,
}

/// Called with two neighbouring streams.
pub(super) type Visit<'v> = &'v mut dyn FnMut(&mut Calculator, &Side, &Side) -> Result<(), End>;

/// All pairs of neighbouring streams.
#[derive(Debug)]
pub(super) struct Pairs<'p> {
    pub(super) table: &'p Table,
    pub(super) allowed: &'p Allowed,
    pub(super) rounds: usize,
    /// Whether the symbol of the differing round is left out.
    pub(super) joint: bool,
    /// Whether one stream has one record more, instead of another record.
    pub(super) add_remove: bool,
}

impl Pairs<'_> {
    /// Calls `visit` with the two streams of every unordered pair, the longer one first. With
    /// added records one pair may come several times.
    pub(super) fn each(&self, calculator: &mut Calculator, visit: Visit<'_>) -> Result<(), End> {
        let empty = Side { stream: Vec::new(), law: start(self.table), rows: self.allowed.rows() };
        self.common(&empty, calculator, visit)
    }

    fn common(
        &self,
        prefix: &Side,
        calculator: &mut Calculator,
        visit: Visit<'_>,
    ) -> Result<(), End> {
        if prefix.stream.len() == self.rounds {
            return Ok(());
        }
        let records = 0..self.table.records.len();
        let mut differing = Vec::new();
        for record in records.clone() {
            differing.extend(self.longer(prefix, record, self.joint, calculator)?);
        }
        for (i, first) in differing.iter().enumerate() {
            if self.add_remove {
                self.parted(first, prefix, calculator, visit)?;
                continue;
            }
            for second in &differing[i + 1..] {
                self.parted(first, second, calculator, visit)?;
            }
        }
        for record in records {
            if let Some(longer) = self.longer(prefix, record, false, calculator)? {
                self.common(&longer, calculator, visit)?;
            }
        }
        Ok(())
    }

    /// Goes on with common records after the streams have parted.
    fn parted(
        &self,
        first: &Side,
        second: &Side,
        calculator: &mut Calculator,
        visit: Visit<'_>,
    ) -> Result<(), End> {
        if first.stream.len() == self.rounds {
            return visit(calculator, first, second);
        }
        for record in 0..self.table.records.len() {
            let Some(first) = self.longer(first, record, false, calculator)? else { continue };
            let Some(second) = self.longer(second, record, false, calculator)? else { continue };
            self.parted(&first, &second, calculator, visit)?;
        }
        Ok(())
    }

    /// The stream with one more record, if it still counts.
    fn longer(
        &self,
        side: &Side,
        record: usize,
        omitted: bool,
        calculator: &mut Calculator,
    ) -> Result<Option<Side>, End> {
        let rows = self.allowed.fitting(&side.rows, record);
        if rows.is_empty() {
            return Ok(None);
        }
        let mut stream = side.stream.clone();
        stream.push(record);
        let law = round(self.table, &side.law, record, omitted, calculator)?;
        Ok(Some(Side { stream, law, rows }))
    }
}

//! Which streams a verdict speaks about, as a finite automaton over records.

use std::collections::BTreeMap;

use littlestone_base::error::{Error, Result};
use littlestone_class::{Class, VersionSpace};
use littlestone_exact::limits::{Limits, Stopped};
use littlestone_mechanism::Interface;

use super::question::Neighbour;

/// The streams that count: from each place, where each record leads, `None` where it may not
/// stand.
#[derive(Debug, Clone)]
pub struct Streams {
    next: Vec<Vec<Option<u32>>>,
}

impl Streams {
    /// The greatest number of version spaces for realisable streams, through every door.
    pub const MAX_PLACES: usize = 1_000_000;

    /// The place before round 1.
    pub(crate) const START: u32 = 0;

    /// All streams over `records` records.
    pub fn all(records: usize) -> Self {
        Self { next: vec![vec![Some(Self::START); records]] }
    }

    /// The streams realisable by `class`: some hypothesis fits all records. Record `2x + y` is the
    /// labelled example (x, y).
    ///
    /// # Errors
    /// When the class has more than `limit` version spaces.
    pub fn realisable(class: &Class, limit: usize) -> Result<Self> {
        Self::realisable_within(class, limit, &Limits::default())
    }

    /// The streams realisable by `class` of a mechanism that sees its labelled examples.
    ///
    /// # Errors
    /// When the rounds of the mechanism are others, or the class has more than
    /// [`Self::MAX_PLACES`] version spaces, or a limit is hit.
    pub fn realisable_by(class: &Class, interface: &Interface, limits: &Limits) -> Result<Self> {
        let examples =
            class.point_names().iter().flat_map(|x| [format!("{x}:0"), format!("{x}:1")]);
        let records = (0..interface.records()).map(|record| interface.record_name(record));
        if !records.eq(examples) {
            return Err(Error::argument(format!(
                "realisable streams are those of mechanisms whose rounds are labelled examples of the \
                 class; this is a {} with other rounds",
                interface.kind()
            )));
        }
        Self::realisable_within(class, Self::MAX_PLACES, limits)
    }

    /// [`realisable`](Self::realisable) within limits.
    ///
    /// # Errors
    /// As [`realisable`](Self::realisable), or when a limit is hit.
    pub fn realisable_within(class: &Class, limit: usize, limits: &Limits) -> Result<Self> {
        let mut meter = limits.meter();
        let columns = class.columns();
        let full = VersionSpace::full(class);
        let full_words = full.words().len().max(16);
        let mut places = BTreeMap::from([(full.words().to_vec(), 0u32)]);
        let mut spaces = vec![full];
        let mut next = Vec::new();
        while let Some(space) = spaces.get(next.len()).cloned() {
            let mut row = Vec::with_capacity(2 * columns.len());
            for column in &columns {
                meter.work(8 * full_words)?;
                for label in [false, true] {
                    let child = space.restrict(column, label);
                    if child.is_empty() {
                        row.push(None);
                        continue;
                    }
                    let fresh = u32::try_from(spaces.len()).expect("places fit u32");
                    let place = *places.entry(child.words().to_vec()).or_insert_with(|| {
                        spaces.push(child);
                        fresh
                    });
                    row.push(Some(place));
                }
            }
            next.push(row);
            if spaces.len() > limit {
                let message = format!("the class has more than {limit} version spaces");
                return Err(Error::limit(Stopped::Size, message));
            }
        }
        Ok(Self { next })
    }

    /// Number of records.
    pub fn records(&self) -> usize {
        self.next[0].len()
    }

    /// Number of places.
    pub(crate) fn places(&self) -> usize {
        self.next.len()
    }

    /// Whether every record may stand everywhere. The number of places does not tell: a class of one
    /// hypothesis has one version space, and fits half of the examples.
    pub(crate) fn are_all(&self) -> bool {
        self.next.iter().flatten().all(Option::is_some)
    }

    /// Whether a record stands in some stream. All places can be reached.
    pub fn ever(&self, record: usize) -> bool {
        self.next.iter().any(|row| row[record].is_some())
    }

    /// The place after `record`, if the record may stand there.
    pub(crate) fn step(&self, place: u32, record: u32) -> Option<u32> {
        self.next[place as usize][record as usize]
    }

    /// Whether the stream is one of these.
    pub fn contains(&self, stream: &[usize]) -> bool {
        self.end(stream).is_some()
    }

    fn end(&self, stream: &[usize]) -> Option<u32> {
        stream
            .iter()
            .try_fold(Self::START, |place, &record| self.step(place, u32::try_from(record).ok()?))
    }

    /// Whether some record may follow both streams of a pair, and then again and again: a stream
    /// that a hypothesis fits stays so when its last example is repeated.
    pub fn continues(&self, pair: &Neighbour) -> bool {
        let (Some(first), Some(second)) = (self.end(&pair.first), self.end(&pair.second)) else {
            return false;
        };
        let next = |place: u32| &self.next[place as usize];
        next(first).iter().zip(next(second)).any(|pair| matches!(pair, (Some(_), Some(_))))
    }
}

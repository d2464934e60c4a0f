//! Which streams the adversary may choose.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use littlestone_class::{Class, VersionSpace};
use littlestone_mechanism::Interface;

use super::model::index;
use littlestone_base::error::{Error, Result};

/// The streams that an adversary may choose.
#[derive(Debug, Clone, Copy)]
pub enum Streams<'c> {
    /// All streams of labelled examples.
    All,
    /// The streams realisable by a class: some hypothesis fits all examples.
    Realisable(&'c Class),
}

impl Streams<'_> {
    /// Checks that there is a stream, over the points of the mechanism.
    pub(super) fn admissible(self, interface: &Interface) -> Result<()> {
        let Self::Realisable(class) = self else { return Ok(()) };
        if class.point_names() != interface.points() {
            return Err(Error::argument(format!(
                "the class has the points {}, the mechanism {}",
                class.point_names().join(", "),
                interface.points().join(", ")
            )));
        }
        if class.hypotheses() == 0 {
            return Err(Error::argument("no stream is realisable by a class without hypotheses"));
        }
        Ok(())
    }
}

/// Where a record leads.
#[derive(Debug, Clone, Copy)]
enum Next {
    /// Nobody has asked yet.
    Unknown,
    /// Nowhere: no hypothesis fits.
    Nowhere,
    Place(u32),
}

/// How much of the stream still binds the adversary: the version space, as a number. Version
/// spaces are numbered when they are first met.
#[derive(Debug)]
pub(super) struct Places {
    columns: Option<Vec<Vec<u64>>>,
    spaces: Vec<VersionSpace>,
    numbers: HashMap<VersionSpace, u32, FxBuildHasher>,
    /// `next[place][record]`.
    next: Vec<Vec<Next>>,
    records: usize,
}

impl Places {
    /// The place before round 1.
    pub const START: u32 = 0;

    pub fn new(streams: Streams<'_>, records: u32) -> Self {
        let records = records as usize;
        let mut places = Self {
            columns: None,
            spaces: Vec::new(),
            numbers: HashMap::default(),
            next: vec![vec![Next::Unknown; records]],
            records,
        };
        match streams {
            Streams::All => places.next[0] = vec![Next::Place(Self::START); records],
            Streams::Realisable(class) => {
                let full = VersionSpace::full(class);
                places.columns = Some(class.columns());
                places.spaces.push(full.clone());
                places.numbers.insert(full, Self::START);
            }
        }
        places
    }

    /// The place after `record`; `None` where the record may not stand.
    pub fn step(&mut self, place: u32, record: u32) -> Option<u32> {
        let (place, record) = (place as usize, record as usize);
        match self.next[place][record] {
            Next::Unknown => {}
            Next::Nowhere => return None,
            Next::Place(next) => return Some(next),
        }
        let columns = self.columns.as_ref().expect("without a class, all places are known");
        let child = self.spaces[place].restrict(&columns[record / 2], record % 2 == 1);
        let next = (!child.is_empty()).then(|| {
            *self.numbers.entry(child).or_insert_with_key(|child| {
                self.spaces.push(child.clone());
                self.next.push(vec![Next::Unknown; self.records]);
                index(self.spaces.len() - 1)
            })
        });
        self.next[place][record] = next.map_or(Next::Nowhere, Next::Place);
        next
    }
}

//! Whether the output of a mechanism surely does not depend on the stream: a cheap test that never
//! says so wrongly.
//!
//! With k rounds left, two states are alike if whatever records may come, the law of (output, next
//! class with k − 1 rounds left) is one and the same for both. A state from which two records lead to
//! different laws is in no class. By induction on k, from a state in a class the law of all later
//! outputs is the same on all streams; so the whole output is independent of the stream if the states
//! before round 1 are in classes. The converse is false: states that no output tells apart may differ
//! in what they do.

use std::collections::BTreeMap;

use littlestone_exact::Number;
use littlestone_mechanism::{Automaton, Kind};

use super::direct::add;
use super::question::Neighbours;
use super::streams::Streams;

/// What is said then.
pub const INDEPENDENT: &str = "the output does not depend on the stream: its law is the same on every \
                               stream that was asked about, which is most often a fault of the \
                               mechanism's description, such as a comparison that is never true";

/// At most so many states, places and records are gone through for each number of rounds left.
const WORK: usize = 1 << 20;

/// Whether the law of the output is surely the same on all streams of each length up to `rounds`
/// (for one-shot mechanisms, of that number of records), where it could differ at all: a learner
/// always releases the same before it has seen anything.
pub fn surely_independent(
    automaton: &Automaton,
    streams: &Streams,
    neighbours: Neighbours,
    rounds: usize,
) -> bool {
    let interface = automaton.interface();
    let one_shot = interface.kind() == Kind::OneShot;
    let early = rounds > 1 || one_shot || interface.before().len() > 1;
    let size = automaton.len().checked_mul(streams.places());
    let work = size.and_then(|size| size.checked_mul(interface.records()));
    if !early || interface.records() < 2 || work.is_none_or(|work| work > WORK) {
        return false;
    }
    if neighbours == Neighbours::AddRemove {
        // Data sets of several sizes are compared: all of them must end alike.
        let ends = automaton.rows().iter().filter(|row| !row.finish.is_empty());
        let mut laws = ends.map(|row| collected(row.finish.iter().cloned()));
        let first = laws.next();
        return laws.all(|law| first.as_ref() == Some(&law));
    }
    let test = Test { automaton, streams, one_shot };
    let mut classes = test.ended();
    for _ in 0..rounds {
        let next = test.preceded(&classes);
        if next == classes {
            break;
        }
        classes = next;
    }
    let start = |state: usize| classes[test.place(state, Streams::START)];
    automaton.start().iter().all(|(state, _)| start(*state).is_some())
}

/// A law of outputs and classes.
type Signature = Vec<((usize, u32), Number)>;

struct Test<'t> {
    automaton: &'t Automaton,
    streams: &'t Streams,
    one_shot: bool,
}

impl Test<'_> {
    fn place(&self, state: usize, place: u32) -> usize {
        state * self.streams.places() + place as usize
    }

    /// The classes when nothing is left but the output at the end.
    fn ended(&self) -> Vec<Option<u32>> {
        let mut numbers = Numbers::default();
        let rows = self.automaton.rows().iter();
        rows.flat_map(|row| {
            let ends = row.finish.iter().map(|(output, weight)| ((*output, 0), weight.clone()));
            let class = if self.one_shot && row.finish.is_empty() {
                None
            } else {
                Some(numbers.number(collected(ends)))
            };
            std::iter::repeat_n(class, self.streams.places())
        })
        .collect()
    }

    /// The classes with one round more, from those without it.
    fn preceded(&self, classes: &[Option<u32>]) -> Vec<Option<u32>> {
        let places = u32::try_from(self.streams.places()).expect("places fit u32");
        let mut numbers = Numbers::default();
        (0..self.automaton.len())
            .flat_map(|state| (0..places).map(move |place| (state, place)))
            .map(|(state, place)| self.law(state, place, classes).map(|law| numbers.number(law)))
            .collect()
    }

    /// The law of what the next round leads to, if it is one for all records.
    fn law(&self, state: usize, place: u32, classes: &[Option<u32>]) -> Option<Signature> {
        let mut common: Option<Signature> = None;
        for record in 0..self.automaton.interface().records() {
            let narrow = u32::try_from(record).expect("records fit u32");
            let Some(next) = self.streams.step(place, narrow) else { continue };
            let law = self.step(state, record, |to| classes[self.place(to, next)])?;
            if common.as_ref().is_some_and(|common| *common != law) {
                return None;
            }
            common = Some(law);
        }
        Some(common.unwrap_or_default())
    }

    fn step(
        &self,
        state: usize,
        record: usize,
        class: impl Fn(usize) -> Option<u32>,
    ) -> Option<Signature> {
        let (before, after) = self.automaton.interface().parts(record);
        let rows = self.automaton.rows();
        let mut law = Signature::new();
        let mut push = |from: usize, output: usize, mass: &Number| {
            for (to, weight) in rows[from].observe.get(after)? {
                law.push(((output, class(*to)?), mass * weight));
            }
            Some(())
        };
        if self.one_shot {
            push(state, 0, &Number::one())?;
        } else {
            for response in rows[state].respond.get(before)? {
                push(response.next, response.output, &response.weight)?;
            }
        }
        Some(collected(law))
    }
}

/// Classes by what they stand for, numbered in the order in which they are met.
struct Numbers<T>(BTreeMap<T, u32>);

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Ord> Numbers<T> {
    fn number(&mut self, value: T) -> u32 {
        let fresh = u32::try_from(self.0.len()).expect("classes fit u32");
        *self.0.entry(value).or_insert(fresh)
    }
}

/// The law with the weights of equal outcomes added up, sorted.
fn collected<T: Ord>(law: impl IntoIterator<Item = (T, Number)>) -> Vec<(T, Number)> {
    let mut sums: BTreeMap<T, Number> = BTreeMap::new();
    for (outcome, weight) in law {
        add(&mut sums, outcome, &weight);
    }
    sums.into_iter().collect()
}

//! One pair of streams, looked at output by output: the law of the output under both, exactly.
//!
//! The words are gone through depth first, so they come in lexicographic order and nothing is looked
//! up. Each carries the masses of the states under both streams, as integers over the denominator of
//! its length, and no word is held but the one at hand.

use std::collections::BTreeMap;

use littlestone_exact::Arithmetic;
use littlestone_exact::limits::{Meter, Stopped};

use super::model::{Model, Move};
use super::node;

/// The masses of each output word under the two streams of a pair, in lexicographic order of the
/// words, which have one length. Words of mass 0 under both are left out.
pub(super) struct Masses<W> {
    symbols: Vec<u32>,
    length: usize,
    pairs: Vec<[W; 2]>,
}

impl<W> Masses<W> {
    fn new(length: usize) -> Self {
        Self { symbols: Vec::new(), length, pairs: Vec::new() }
    }

    fn push(&mut self, word: &[u32], masses: [W; 2]) {
        debug_assert_eq!(word.len(), self.length, "the words have one length");
        self.symbols.extend_from_slice(word);
        self.pairs.push(masses);
    }

    /// The words and their masses.
    pub fn iter(&self) -> impl Iterator<Item = (&[u32], &[W; 2])> {
        let word = |i: usize| &self.symbols[i * self.length..][..self.length];
        self.pairs.iter().enumerate().map(move |(i, masses)| (word(i), masses))
    }
}

/// The masses of all output words under both streams of a pair, over the denominators of their
/// lengths brought to that of the longer one. The symbol of round `omitted` (from 0) is left out.
/// Only streams of one-shot mechanisms may differ in length.
///
/// # Errors
/// When a limit is hit.
pub(super) fn masses<A: Arithmetic>(
    arithmetic: &A,
    model: &Model<A>,
    streams: [&[u32]; 2],
    omitted: Option<usize>,
    meter: &mut Meter<'_>,
) -> Result<Masses<A::Weight>, Stopped> {
    if let Some(finish) = &model.finish {
        return ends(arithmetic, model, finish, streams, meter);
    }
    let rounds = streams[0].len();
    debug_assert_eq!(rounds, streams[1].len(), "streams of one length");
    let left_out = usize::from(omitted.is_some_and(|round| round < rounds));
    let mut walk = Walk { arithmetic, model, streams, omitted, meter };
    let start: Vec<Entry<A::Weight>> =
        model.start.iter().map(|(s, w)| (*s, [w.clone(), w.clone()])).collect();
    let mut masses = Masses::new(rounds - left_out);
    // The lists of each round are used again and again.
    let mut levels: Vec<Level<A::Weight>> =
        (0..rounds).map(|_| Level { states: Vec::new(), terms: Vec::new() }).collect();
    walk.follow(&start, &mut levels, &mut Vec::with_capacity(rounds), &mut masses)?;
    Ok(masses)
}

/// The law of the output at the end.
fn ends<A: Arithmetic>(
    arithmetic: &A,
    model: &Model<A>,
    finish: &[Vec<(u32, A::Weight)>],
    streams: [&[u32]; 2],
    meter: &mut Meter<'_>,
) -> Result<Masses<A::Weight>, Stopped> {
    let longer = streams[0].len().max(streams[1].len());
    let mut sums: BTreeMap<u32, [A::Weight; 2]> = BTreeMap::new();
    for (side, stream) in streams.into_iter().enumerate() {
        let mut law = model.start.clone();
        for &record in stream {
            law = node::advance_law(arithmetic, model, &law, record, meter)?;
        }
        let mut lift = arithmetic.one();
        for _ in stream.len()..longer {
            lift = arithmetic.mul(&lift, &model.round_denominator);
        }
        for (state, mass) in law {
            let mass = arithmetic.mul(&mass, &lift);
            meter.operations(finish[state as usize].len())?;
            for (output, weight) in &finish[state as usize] {
                let zero = || [arithmetic.zero(), arithmetic.zero()];
                let sum = &mut sums.entry(*output).or_insert_with(zero)[side];
                arithmetic.add(sum, &arithmetic.mul(&mass, weight));
            }
        }
    }
    let mut masses = Masses::new(1);
    for (output, pair) in sums {
        masses.push(&[output], pair);
    }
    Ok(masses)
}

/// The masses of one state under both streams.
type Entry<W> = (u32, [W; 2]);

/// What may follow a word, by symbol and state, and what one of its symbols leads to.
struct Level<W> {
    terms: Vec<(u32, Entry<W>)>,
    states: Vec<Entry<W>>,
}

struct Walk<'w, 'p, A: Arithmetic> {
    arithmetic: &'w A,
    model: &'w Model<A>,
    streams: [&'w [u32]; 2],
    omitted: Option<usize>,
    meter: &'w mut Meter<'p>,
}

impl<A: Arithmetic> Walk<'_, '_, A> {
    /// Pushes all words that begin with `word`, which leads to `states`. There is a level for each
    /// round that is left.
    fn follow(
        &mut self,
        states: &[Entry<A::Weight>],
        levels: &mut [Level<A::Weight>],
        word: &mut Vec<u32>,
        masses: &mut Masses<A::Weight>,
    ) -> Result<(), Stopped> {
        let round = self.streams[0].len() - levels.len();
        let Some((Level { terms, states: next }, rest)) = levels.split_first_mut() else {
            let mut sums = [self.arithmetic.zero(), self.arithmetic.zero()];
            for (_, pair) in states {
                self.add(&mut sums, pair);
            }
            masses.push(word, sums);
            return Ok(());
        };
        self.step(states, round, terms);
        self.meter.operations(1 + terms.len())?;
        let mut rest_of_terms = terms.drain(..).peekable();
        while let Some((symbol, entry)) = rest_of_terms.next() {
            next.clear();
            next.push(entry);
            while let Some((_, (state, pair))) = rest_of_terms.next_if(|term| term.0 == symbol) {
                match next.last_mut() {
                    Some((last, sums)) if *last == state => self.add(sums, &pair),
                    _ => next.push((state, pair)),
                }
            }
            let length = word.len();
            word.extend((self.omitted != Some(round)).then_some(symbol));
            self.follow(next, rest, word, masses)?;
            word.truncate(length);
        }
        Ok(())
    }

    /// The symbols and states that one round leads to, sorted. After the last round states do not
    /// matter, and the symbol of the omitted round never does.
    fn step(
        &self,
        states: &[Entry<A::Weight>],
        round: usize,
        terms: &mut Vec<(u32, Entry<A::Weight>)>,
    ) {
        let Self { arithmetic, model, .. } = self;
        let records = self.streams.map(|stream| stream[round]);
        let last = round + 1 == self.streams[0].len();
        let mut push = |symbol: u32, state: u32, pair: [A::Weight; 2]| {
            let symbol = if self.omitted == Some(round) { 0 } else { symbol };
            terms.push((symbol, (state, pair)));
        };
        for (state, pair) in states {
            // A record that both streams have moves both masses at once.
            let sides: &[&[usize]] =
                if records[0] == records[1] { &[&[0, 1]] } else { &[&[0], &[1]] };
            for side in sides {
                let record = records[side[0]];
                let moved = |weight: &A::Weight| {
                    std::array::from_fn(|i| {
                        if side.contains(&i) && !arithmetic.is_zero(&pair[i]) {
                            arithmetic.mul(&pair[i], weight)
                        } else {
                            arithmetic.zero()
                        }
                    })
                };
                if side.iter().all(|&i| arithmetic.is_zero(&pair[i])) {
                    continue;
                }
                if last {
                    for (symbol, weight) in model.released(record, *state) {
                        push(*symbol, 0, moved(weight));
                    }
                } else {
                    for Move { output, to, weight } in model.moves(record, *state) {
                        push(*output, *to, moved(weight));
                    }
                }
            }
        }
        terms.sort_unstable_by_key(|&(symbol, (state, _))| (symbol, state));
    }

    fn add(&self, sums: &mut [A::Weight; 2], pair: &[A::Weight; 2]) {
        for (sum, mass) in sums.iter_mut().zip(pair) {
            self.arithmetic.add(sum, mass);
        }
    }
}

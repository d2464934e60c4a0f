//! Causality: what is released in a round depends only on what the game has shown by then
//! (Definitions 1 and 3).
//!
//! Learners and predictors are causal by their types. A transducer that is given a whole round at
//! once need not be, and whether it is can be seen from its laws alone: two streams that show the
//! same before output r must give the outputs 1, …, r the same law.

use std::collections::HashSet;
use std::sync::atomic::Ordering;

use rustc_hash::FxBuildHasher;

use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::{Limits, Meter, Progress, Stopped};
use littlestone_exact::{Arithmetic, Choice, Epsilon, Number, choose};
use littlestone_mechanism::{Automaton, Kind};

use super::model::Model;
use super::node::{self, Direction, Node};
use super::pair;
use super::question::check_rounds;

/// What a mechanism may have seen when it answers: records with the same number look alike before
/// the output of their own round. Earlier rounds are seen in full, later rounds not at all.
pub type Looks = [usize];

/// Whether outputs depend only on what was to be seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Causality {
    /// They do, up to the given number of rounds.
    Causal {
        /// Pairs of rounds that look alike and whose laws were compared.
        compared: u64,
        /// Whether the comparison covers streams of every length.
        every_length: bool,
    },
    /// They do not.
    Violated(Violation),
    /// A limit was hit; streams of fewer rounds are without violation.
    Undecided {
        /// The length at which the search ended.
        rounds: usize,
        /// The limit.
        stopped: Stopped,
    },
}

/// Two streams that look alike up to the last output and give the outputs different laws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The lexicographically least such pair of the least possible length.
    pub streams: [Vec<usize>; 2],
    /// The output words whose probabilities differ, with both, in lexicographic order.
    pub words: Vec<(Vec<usize>, [Number; 2])>,
}

/// The observer's knowledge without its probabilities: one direction for each class of histories.
type Shape<W> = Vec<Direction<W, 1>>;

/// Whether, for every r ≤ `rounds`, the outputs 1, …, r have the same law on any two streams with
/// equal records before round r and records in round r that look alike.
///
/// # Errors
/// When `looks` has not one entry for each record, there is no round, or the mechanism does not
/// answer in rounds.
pub fn causal(
    automaton: &Automaton,
    looks: &Looks,
    rounds: usize,
    limits: &Limits,
    progress: &Progress,
) -> Result<Causality> {
    let interface = automaton.interface();
    check_rounds(rounds)?;
    if interface.kind() == Kind::OneShot {
        return Err(Error::argument(
            "causality is about answers in rounds; a one-shot mechanism answers once, at the end",
        ));
    }
    if looks.len() != interface.records() {
        return Err(Error::argument(format!(
            "{} records are described, the mechanism has {}",
            looks.len(),
            interface.records()
        )));
    }
    automaton.covers(rounds)?;
    let pairs = alike(looks);
    Ok(match choose(automaton.weights(), &Epsilon::zero()) {
        Choice::LogRational(a) => search(&a, automaton, &pairs, rounds, limits, progress),
        Choice::TranscendentalRational(a) => {
            search(&a, automaton, &pairs, rounds, limits, progress)
        }
        Choice::Polynomial(a) => search(&a, automaton, &pairs, rounds, limits, progress),
    })
}

/// The pairs of different records that look alike, in lexicographic order.
fn alike(looks: &Looks) -> Vec<(u32, u32)> {
    let index = |i: usize| u32::try_from(i).expect("records fit u32");
    let later = |z: usize| (z + 1..looks.len()).filter(move |&w| looks[z] == looks[w]);
    (0..looks.len()).flat_map(|z| later(z).map(move |w| (index(z), index(w)))).collect()
}

/// Goes through the prefixes of streams, shorter ones first and those of one length in
/// lexicographic order. A prefix after which the observer can know just what he could know after
/// an earlier one leads to nothing new.
fn search<A: Arithmetic>(
    arithmetic: &A,
    automaton: &Automaton,
    pairs: &[(u32, u32)],
    rounds: usize,
    limits: &Limits,
    progress: &Progress,
) -> Causality {
    let mut meter = limits.meter();
    let model = match Model::new(arithmetic, automaton, rounds, &mut meter) {
        Ok(model) => model,
        Err(stopped) => return Causality::Undecided { rounds: 1, stopped },
    };
    let start = model.start.iter().map(|(state, mass)| (*state, [mass.clone()])).collect();
    let root: Node<A::Weight, 1> = vec![(start, arithmetic.one())];
    let mut seen: HashSet<Shape<A::Weight>, FxBuildHasher> = HashSet::default();
    seen.insert(shape(&root));
    let mut level = vec![(Vec::new(), root)];
    let mut compared = 0u64;
    let mut states = 0u64;
    for round in 1..=rounds {
        let mut next = Vec::new();
        for (prefix, node) in &level {
            states += 1;
            if let Some(stopped) = over(limits, states, progress) {
                return Causality::Undecided { rounds: round, stopped };
            }
            for &(z, w) in pairs {
                compared += 1;
                if !node.iter().all(|(direction, _)| agree(arithmetic, &model, direction, z, w)) {
                    return match violation(arithmetic, &model, prefix, [z, w], &mut meter) {
                        Ok(violation) => Causality::Violated(violation),
                        Err(stopped) => Causality::Undecided { rounds: round, stopped },
                    };
                }
            }
            if round == rounds {
                continue;
            }
            for record in 0..model.records {
                let child = match node::advance(arithmetic, &model, node, record, &mut meter) {
                    Ok(child) => child,
                    Err(stopped) => return Causality::Undecided { rounds: round + 1, stopped },
                };
                if seen.insert(shape(&child)) {
                    let prefix: Vec<u32> = prefix.iter().copied().chain([record]).collect();
                    next.push((prefix, child));
                }
            }
        }
        if round < rounds && next.is_empty() {
            return Causality::Causal { compared, every_length: true };
        }
        level = next;
    }
    Causality::Causal { compared, every_length: false }
}

fn over(limits: &Limits, states: u64, progress: &Progress) -> Option<Stopped> {
    progress.states.store(states, Ordering::Relaxed);
    if limits.states.is_some_and(|limit| states > limit) {
        return Some(Stopped::States);
    }
    limits.check().err()
}

fn shape<W: Clone>(node: &Node<W, 1>) -> Shape<W> {
    node.iter().map(|(direction, _)| direction.clone()).collect()
}

/// Whether the next output has the same law under both records, given one history.
fn agree<A: Arithmetic>(
    arithmetic: &A,
    model: &Model<A>,
    direction: &Direction<A::Weight, 1>,
    z: u32,
    w: u32,
) -> bool {
    // Laws that are equal state by state need no sums.
    direction.iter().all(|(state, _)| model.released(z, *state) == model.released(w, *state))
        || released(arithmetic, model, direction, z) == released(arithmetic, model, direction, w)
}

fn released<A: Arithmetic>(
    arithmetic: &A,
    model: &Model<A>,
    direction: &Direction<A::Weight, 1>,
    record: u32,
) -> Vec<(u32, A::Weight)> {
    let mut law: Vec<(u32, A::Weight)> = Vec::new();
    for (state, [mass]) in direction {
        for (output, weight) in model.released(record, *state) {
            let mass = arithmetic.mul(mass, weight);
            match law.iter_mut().find(|(o, _)| o == output) {
                Some((_, sum)) => arithmetic.add(sum, &mass),
                None => law.push((*output, mass)),
            }
        }
    }
    law.sort_unstable_by_key(|&(output, _)| output);
    law
}

/// The violation by two streams, recomputed word by word.
fn violation<A: Arithmetic>(
    arithmetic: &A,
    model: &Model<A>,
    prefix: &[u32],
    last: [u32; 2],
    meter: &mut Meter<'_>,
) -> Result<Violation, Stopped> {
    let streams = last.map(|record| [prefix, &[record]].concat());
    let masses = pair::masses(arithmetic, model, [&streams[0], &streams[1]], None, meter)?;
    let denominator = model.denominator(arithmetic, prefix.len() + 1);
    let wide = |indices: &[u32]| indices.iter().map(|&i| i as usize).collect::<Vec<usize>>();
    let words = masses
        .iter()
        .filter(|(_, [p, q])| p != q)
        .map(|(word, masses)| {
            let probability = |mass: &A::Weight| arithmetic.weight_number(mass, &denominator);
            (wide(word), [probability(&masses[0]), probability(&masses[1])])
        })
        .collect();
    Ok(Violation { streams: streams.map(|stream| wide(&stream)), words })
}

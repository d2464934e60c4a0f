//! The regret of a rule that sees predictions and answers with a bit (Lemma 13): how many more
//! mistakes it is expected to make than a multiple of those of its best predictor.
//!
//! The rule is a transducer. Each digit of a *before* symbol is the prediction of one predictor
//! (`u0v1`), the output is a bit and the *after* symbol the label. The adversary fixes predictions
//! and labels in advance. Its gain against one predictor,
//!
//! > E\[mistakes of the rule\] − factor · mistakes of the predictor,
//!
//! is a sum over rounds, and the law of the state is all that the future depends on. So the greatest
//! gain is found by dynamic programming over laws of states, round by round; for a rule whose state
//! is a function of the stream these are its states, and no sequences are enumerated.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;
use littlestone_exact::functions;
use littlestone_exact::limits::{Limits, Stopped};
use littlestone_mechanism::{Automaton, Interface, Kind};

/// The greatest regret over all streams of one length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regret {
    /// max over streams and predictors of E\[mistakes\] − factor · mistakes of the predictor.
    pub value: Number,
    /// A stream that attains it, as records.
    pub stream: Vec<usize>,
    /// The predictor, from 0, against which it is attained.
    pub against: usize,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// The greatest regret for each length 1, …, T.
    Exact(Vec<Regret>),
    /// A limit was hit.
    Stopped(Stopped),
}

/// The greatest regret over all streams of each length up to `rounds`.
///
/// # Errors
/// When the mechanism is no transducer from predictions to bits, there is no round, or a number
/// grows beyond all limits.
pub fn greatest(
    automaton: &Automaton,
    factor: &Number,
    rounds: usize,
    limits: &Limits,
) -> Result<Found> {
    if rounds == 0 {
        return Err(Error::argument("the number of rounds must be at least 1"));
    }
    automaton.covers(rounds)?;
    let predictions = predictions(automaton.interface())?;
    let mut best: Vec<Regret> = Vec::new();
    for against in 0..predictions[0].len() {
        let mut game = Game { automaton, factor, predictions: &predictions, against };
        match game.play(rounds, limits)? {
            Found::Exact(found) if best.is_empty() => best = found,
            Found::Exact(found) => {
                for (best, found) in best.iter_mut().zip(found) {
                    if functions::compare(&found.value, &best.value)
                        .map_err(Error::argument)?
                        .is_gt()
                    {
                        *best = found;
                    }
                }
            }
            stopped @ Found::Stopped(_) => return Ok(stopped),
        }
    }
    Ok(Found::Exact(best))
}

/// For each *before* symbol, what the predictors predict.
fn predictions(interface: &Interface) -> Result<Vec<Vec<bool>>> {
    let bits = |names: &[String]| names == ["0", "1"];
    let digits = |name: &String| -> Vec<bool> {
        name.chars().filter(char::is_ascii_digit).map(|c| c == '1').collect()
    };
    let binary = |name: &String| name.chars().all(|c| !c.is_ascii_digit() || c == '0' || c == '1');
    let all: Vec<Vec<bool>> = interface.before().iter().map(digits).collect();
    let predictors = all[0].len();
    let fits = interface.kind() == Kind::Transducer
        && bits(interface.outputs())
        && bits(interface.after())
        && predictors > 0
        && all.iter().all(|row| row.len() == predictors)
        && interface.before().iter().all(binary);
    if fits {
        return Ok(all);
    }
    Err(Error::argument(
        "regret is about transducers that are given predictions, one digit 0 or 1 each, answer 0 or \
         1 and see a label 0 or 1",
    ))
}

/// A law of states, by state.
type Belief = Vec<(usize, Number)>;

/// The game against one predictor.
struct Game<'a> {
    automaton: &'a Automaton,
    factor: &'a Number,
    predictions: &'a [Vec<bool>],
    against: usize,
}

/// What the adversary can do in the rounds so far to have this law of states.
struct Node {
    belief: Belief,
    gain: Number,
}

impl Game<'_> {
    fn play(&mut self, rounds: usize, limits: &Limits) -> Result<Found> {
        let mut start: Belief = self.automaton.start().to_vec();
        start.sort_unstable_by_key(|(state, _)| *state);
        let mut layer = vec![Node { belief: start, gain: Number::zero() }];
        // For each round and node, the node before and the record between.
        let mut ways: Vec<Vec<(usize, usize)>> = Vec::new();
        let mut found = Vec::new();
        let mut nodes = 0u64;
        for _ in 0..rounds {
            let mut next: Vec<Node> = Vec::new();
            let mut way: Vec<(usize, usize)> = Vec::new();
            let mut places: HashMap<Belief, usize, FxBuildHasher> = HashMap::default();
            for (from, node) in layer.iter().enumerate() {
                if let Err(stopped) = limits.check() {
                    return Ok(Found::Stopped(stopped));
                }
                for record in 0..self.automaton.interface().records() {
                    let (belief, gain) = self.step(node, record)?;
                    if let Some(&place) = places.get(&belief) {
                        let known = &next[place].gain;
                        if functions::compare(&gain, known).map_err(Error::argument)?.is_gt() {
                            next[place].gain = gain;
                            way[place] = (from, record);
                        }
                        continue;
                    }
                    nodes += 1;
                    if limits.states.is_some_and(|limit| nodes > limit) {
                        return Ok(Found::Stopped(Stopped::States));
                    }
                    places.insert(belief.clone(), next.len());
                    next.push(Node { belief, gain });
                    way.push((from, record));
                }
            }
            ways.push(way);
            layer = next;
            found.push(self.best(&layer, &ways)?);
        }
        Ok(Found::Exact(found))
    }

    /// The law of states after a record, and the gain with it.
    fn step(&self, node: &Node, record: usize) -> Result<(Belief, Number)> {
        let (before, after) = self.automaton.interface().parts(record);
        let fault = |found: String| Error::argument(found);
        let mut gain = node.gain.clone();
        let mut next: Belief = Vec::new();
        for (state, weight) in &node.belief {
            for response in self.automaton.respond(*state, before) {
                let weight = functions::multiply(weight, &response.weight).map_err(fault)?;
                if response.output != after {
                    gain = functions::add(&gain, &weight).map_err(fault)?;
                }
                for (to, chance) in self.automaton.observe(response.next, after) {
                    next.push((*to, functions::multiply(&weight, chance).map_err(fault)?));
                }
            }
        }
        if self.predictions[before][self.against] != (after == 1) {
            gain = functions::subtract(&gain, self.factor).map_err(fault)?;
        }
        next.sort_unstable_by_key(|(state, _)| *state);
        let mut merged: Belief = Vec::new();
        for (state, weight) in next {
            match merged.last_mut() {
                Some((last, sum)) if *last == state => {
                    *sum = functions::add(sum, &weight).map_err(fault)?;
                }
                _ => merged.push((state, weight)),
            }
        }
        Ok((merged, gain))
    }

    fn best(&self, layer: &[Node], ways: &[Vec<(usize, usize)>]) -> Result<Regret> {
        let mut best = 0;
        for (place, node) in layer.iter().enumerate() {
            let order = functions::compare(&node.gain, &layer[best].gain);
            if order.map_err(Error::argument)?.is_gt() {
                best = place;
            }
        }
        let mut stream = Vec::new();
        let mut at = best;
        for way in ways.iter().rev() {
            let (from, record) = way[at];
            stream.push(record);
            at = from;
        }
        stream.reverse();
        Ok(Regret { value: layer[best].gain.clone(), stream, against: self.against })
    }
}

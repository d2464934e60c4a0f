//! What one record can change of the output of a one-shot mechanism: a bound on the worst δ that
//! holds for data sets of every size.
//!
//! The bound of [`super::step`] compares the states right after the differing record, which nobody
//! sees: noise that is added at the end does not help it. Here the laws of the *output* are compared,
//! for every two states at which neighbouring data sets may end.
//!
//! # The bound
//!
//! Let the data sets be u z v and u w v, where z or w may be absent, and let s be the state after u: it
//! has the same law for both. Given s, let P and Q be the laws of the state after z and after w, let
//! `K_v` be the law of the last state from a given one, F that of the output, α = e^ε ≥ 1, and
//! `D(X‖Y)` = max over events E of X(E) − α·Y(E). D is jointly convex, so
//!
//! ```text
//! δ ≤ max over s, z, w and v of D(P·K_v·F ‖ Q·K_v·F).
//! ```
//!
//! Split P = P₁ + P₂ and Q = Q₁ + Q₂ with P₁ = min(P, α·Q) and Q₁ = P₁/α, state by state. Then
//! P₁ − α·Q₁ = 0, so that only P₂ = max(0, P − α·Q) and Q₂ = max(0, Q − P/α) count; no state has both.
//! With d = |P₂| ≤ 1 we have |Q₂| = 1 − (1 − d)/α ≥ d, so a part of Q₂ of mass d can be coupled with
//! P₂, in any way. What is left of Q₂ only lowers the difference. By joint convexity again,
//!
//! ```text
//! D(P·K_v·F ‖ Q·K_v·F) ≤ Σ over a of P₂(a) · max over b with Q₂(b) > 0 of D(a·K_v·F ‖ b·K_v·F).
//! ```
//!
//! For a pair (a, b) of states and v = r v′, the same argument with the laws of a and b after r bounds
//! `D(a·K_v·F ‖ b·K_v·F)` by the greatest such value of the pairs that r leads to, with v′ in place of
//! v. So it is at most R(a, b): the greatest `D(F(a′) ‖ F(b′))` over the pairs (a′, b′) that (a, b)
//! leads to under common records. There are finitely many pairs, and no size is mentioned.
//!
//! # How good it is
//!
//! Where records lead from state to state with certainty, and the first state is certain, all laws are
//! points: R(a, b) is attained by a suffix v, and s by a prefix u. The bound then *is* the greatest
//! worst δ of any size. Otherwise it may exceed it, since it sees the random state after u. As R ≤ 1,
//! it never exceeds the bound on the state after the record, Σ P₂.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use littlestone_base::error::Result;
use littlestone_exact::Number;
use littlestone_exact::limits::{Limits, Progress, Stopped};
use littlestone_mechanism::{Automaton, Kind};

use super::direct::add;
use super::question::{Neighbours, Question};
use super::step::count;
use super::verdict::admissible;

/// A bound on the worst δ of a one-shot mechanism at every size of its data set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndBound {
    /// The bound.
    pub bound: Number,
    /// The state before the differing record and the records, `None` for an absent one, that attain it
    /// first.
    pub attained_by: (usize, [Option<usize>; 2]),
    /// Number of pairs of states whose outputs were compared.
    pub pairs: usize,
}

/// The bound for a one-shot mechanism that covers data sets of every size; `None` for other
/// mechanisms, which release something on the way. A limit that is hit is `Ok(Some(Err(…)))`.
///
/// # Errors
/// As [`worst_delta`](super::worst_delta).
pub fn end_bound(
    automaton: &Automaton,
    question: &Question,
    limits: &Limits,
    progress: &Progress,
) -> Result<Option<std::result::Result<EndBound, Stopped>>> {
    if automaton.interface().kind() != Kind::OneShot {
        return Ok(None);
    }
    automaton.covers_every_length()?;
    let streams = super::Streams::all(automaton.interface().records());
    admissible(automaton, &streams, question, 1)?;
    let factor = question.epsilon.factor();
    let ends = Ends { automaton, factor, limits, progress };
    Ok(Some(ends.bound(question.neighbours)))
}

/// A law over states.
type Law = BTreeMap<usize, Number>;

struct Ends<'e> {
    automaton: &'e Automaton,
    /// e^ε.
    factor: Number,
    limits: &'e Limits,
    progress: &'e Progress,
}

/// Pairs of states and what each leads to, numbered in the order in which they are met.
#[derive(Default)]
struct Pairs {
    numbers: BTreeMap<(usize, usize), usize>,
    met: Vec<(usize, usize)>,
}

impl Pairs {
    fn number(&mut self, pair: (usize, usize)) -> usize {
        match self.numbers.entry(pair) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                self.met.push(pair);
                *entry.insert(self.met.len() - 1)
            }
        }
    }
}

impl Ends<'_> {
    fn bound(&self, neighbours: Neighbours) -> std::result::Result<EndBound, Stopped> {
        let sides = neighbours.sides(0..self.automaton.interface().records());
        let states = self.reached()?;
        let mut pairs = Pairs::default();
        // What P₂ and Q₂ are for each state and each two records: pairs by number, for each state of
        // P₂ with its mass.
        let mut splits = Vec::new();
        for &state in &states {
            for &records in &sides {
                count(self.limits, self.progress)?;
                let [first, second] = records.map(|record| self.after(state, record));
                splits.push(((state, records), self.split(&first, &second, &mut pairs)));
            }
        }
        let worst = self.worst_of(&mut pairs)?;
        let mut best: Option<EndBound> = None;
        for (attained_by, split) in splits {
            let mut sum = Number::zero();
            for (mass, related) in split {
                let most = related.iter().map(|pair| &worst[*pair]).max();
                sum = &sum + &(&mass * most.expect("Q₂ is not empty where P₂ is not"));
            }
            if best.as_ref().is_none_or(|best| sum > best.bound) {
                best = Some(EndBound { bound: sum, attained_by, pairs: pairs.met.len() });
            }
        }
        let nothing = EndBound { bound: Number::zero(), attained_by: (0, [None; 2]), pairs: 0 };
        Ok(best.unwrap_or(nothing))
    }

    /// The states that some data set leads to, in increasing order.
    fn reached(&self) -> std::result::Result<Vec<usize>, Stopped> {
        let mut reached: Vec<usize> = self.automaton.start().iter().map(|(s, _)| *s).collect();
        let mut met = vec![false; self.automaton.len()];
        for &state in &reached {
            met[state] = true;
        }
        let mut next = 0;
        while let Some(&state) = reached.get(next) {
            next += 1;
            count(self.limits, self.progress)?;
            for (to, _) in self.automaton.rows()[state].observe.iter().flatten() {
                if !std::mem::replace(&mut met[*to], true) {
                    reached.push(*to);
                }
            }
        }
        reached.sort_unstable();
        Ok(reached)
    }

    fn after(&self, state: usize, record: Option<usize>) -> Law {
        let Some(record) = record else { return Law::from([(state, Number::one())]) };
        let mut law = Law::new();
        for (to, weight) in self.automaton.observe(state, record) {
            add(&mut law, *to, weight);
        }
        law
    }

    /// For each state of P₂ its mass and the pairs with the states of Q₂, by number.
    fn split(&self, first: &Law, second: &Law, pairs: &mut Pairs) -> Vec<(Number, Vec<usize>)> {
        let zero = Number::zero();
        let lowered = |state: &usize, mass: &Number| {
            mass - &(&self.factor * second.get(state).unwrap_or(&zero))
        };
        let left: Vec<usize> = second
            .iter()
            .filter(|(state, q)| &self.factor * q > *first.get(state).unwrap_or(&zero))
            .map(|(state, _)| *state)
            .collect();
        let mut split = Vec::new();
        for (state, p) in first {
            let mass = lowered(state, p);
            if mass > zero {
                let related = left.iter().map(|b| pairs.number((*state, *b))).collect();
                split.push((mass, related));
            }
        }
        split
    }

    /// R for every pair that is met, which are all that those in `pairs` lead to.
    fn worst_of(&self, pairs: &mut Pairs) -> std::result::Result<Vec<Number>, Stopped> {
        let records = self.automaton.interface().records();
        let mut own = Vec::new();
        let mut led_from: Vec<Vec<usize>> = Vec::new();
        while let Some(&(a, b)) = pairs.met.get(own.len()) {
            count(self.limits, self.progress)?;
            let from = own.len();
            own.push(self.released(a, b));
            for record in 0..records {
                let laws = [a, b].map(|state| self.after(state, Some(record)));
                for (_, related) in self.split(&laws[0], &laws[1], pairs) {
                    for to in related {
                        if led_from.len() <= to {
                            led_from.resize(to + 1, Vec::new());
                        }
                        led_from[to].push(from);
                    }
                }
            }
        }
        led_from.resize(own.len(), Vec::new());
        // The greatest first: what leads to it has no greater one.
        let mut order: Vec<usize> = (0..own.len()).collect();
        order.sort_by(|a, b| own[*b].cmp(&own[*a]).then(a.cmp(b)));
        let mut settled: Vec<Option<usize>> = vec![None; own.len()];
        for greatest in order {
            let mut open = vec![greatest];
            while let Some(pair) = open.pop() {
                if settled[pair].is_none() {
                    settled[pair] = Some(greatest);
                    open.extend(&led_from[pair]);
                }
            }
        }
        let settled = settled.into_iter().map(|pair| pair.expect("each pair leads to itself"));
        Ok(settled.map(|pair| own[pair].clone()).collect())
    }

    /// D(F(a) ‖ F(b)).
    fn released(&self, a: usize, b: usize) -> Number {
        let [first, second] = [a, b].map(|state| {
            let mut law = Law::new();
            for (output, weight) in self.automaton.finish(state) {
                add(&mut law, *output, weight);
            }
            law
        });
        let zero = Number::zero();
        let excess = first
            .iter()
            .map(|(output, p)| p - &(&self.factor * second.get(output).unwrap_or(&zero)));
        excess.filter(|excess| *excess > zero).fold(Number::zero(), |sum, excess| &sum + &excess)
    }
}

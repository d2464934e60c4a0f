//! Random automaton learners, as data that the reference reads too.

use std::ops::RangeInclusive;

use littlestone::error::Result;
use littlestone::exact::{Number, Rational};
use littlestone::mechanism::{Automaton, Interface, Law, Mechanism, Options, Output, compile};
use proptest::prelude::*;

/// A learner over POINT3 that speaks of point 1 alone. In each round it releases 1 with
/// probability `out[state]` and then moves by `moves[example]`, for the dummy example (3,0), (1,0)
/// and (1,1); other examples are as the dummy one.
#[derive(Debug, Clone)]
pub struct Walk {
    pub out: Vec<Rational>,
    pub moves: [Vec<Vec<Rational>>; 3],
}

impl Walk {
    pub fn compiled(&self, rounds: usize) -> Automaton {
        compile(&Compiled::new(self.clone()), &Options::rounds(rounds, 1000)).unwrap()
    }
}

#[derive(Debug)]
struct Compiled {
    walk: Walk,
    interface: Interface,
}

impl Compiled {
    fn new(walk: Walk) -> Self {
        let points = ["1", "2", "3"].map(String::from).into();
        Self { walk, interface: Interface::learner(points).unwrap() }
    }
}

impl Mechanism for Compiled {
    type State = usize;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<usize>> {
        Ok(Law::certain(0))
    }

    fn respond(&self, &state: &usize, _: usize) -> Result<Law<(Output, usize)>> {
        let one: Number = self.walk.out[state].clone().into();
        Ok(Law::coin("release", &one)?
            .map(|one| (if one { "100".to_owned() } else { "000".to_owned() }, state)))
    }

    fn observe(&self, &state: &usize, after: usize) -> Result<Law<usize>> {
        let example = if after < 2 { 1 + after } else { 0 };
        let row = &self.walk.moves[example][state];
        Law::new("move", row.iter().cloned().map(Number::from).enumerate())
    }
}

fn ratio(p: u32, q: u32) -> Rational {
    Rational::new(p.into(), q.into())
}

/// A law over `states` states in quarters.
fn row(states: usize) -> impl Strategy<Value = Vec<Rational>> {
    prop::collection::vec(0..states, 4).prop_map(move |places| {
        let count = |state| places.iter().filter(|place| **place == state).count();
        (0..states).map(|state| ratio(u32::try_from(count(state)).unwrap(), 4)).collect()
    })
}

/// Learners with so many states. Informative examples mix the moves of the dummy one with others, by
/// a share that may be small, so that some learners are nearly private.
pub fn walks(states: RangeInclusive<usize>) -> impl Strategy<Value = Walk> {
    mixed(states, vec![ratio(1, 40), ratio(1, 16), ratio(1, 8), ratio(1, 1)])
}

/// As [`walks`], with one of the given shares.
pub fn mixed(states: RangeInclusive<usize>, shares: Vec<Rational>) -> impl Strategy<Value = Walk> {
    states.prop_flat_map(move |states| {
        let out = prop::collection::vec(prop::sample::select(vec![0u32, 1, 2, 3, 4]), states);
        let rows = || prop::collection::vec(row(states), states);
        let share = prop::sample::select(shares.clone());
        (out, rows(), rows(), rows(), share).prop_map(|(out, dummy, zero, one, share)| {
            let mixed = |rows: Vec<Vec<Rational>>| -> Vec<Vec<Rational>> {
                let mix = |(a, b): (&Rational, Rational)| a * (ratio(1, 1) - &share) + b * &share;
                let rows = dummy.iter().zip(rows);
                rows.map(|(a, b)| a.iter().zip(b).map(mix).collect()).collect()
            };
            let moves = [dummy.clone(), mixed(zero), mixed(one)];
            Walk { out: out.into_iter().map(|p| ratio(p, 4)).collect(), moves }
        })
    })
}

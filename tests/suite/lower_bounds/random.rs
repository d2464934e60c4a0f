//! Random learners with two states.

use littlestone::error::Result;
use littlestone::exact::{Number, Rational};
use littlestone::mechanism::{Interface, Law, Mechanism, Output};
use proptest::prelude::*;

/// A learner over the points 1, 2, 3. In each state it releases one of two hypotheses, the first
/// with probability `heads`/4, and then moves to state 1 with probability `moves[record]`/4.
#[derive(Debug, Clone)]
pub struct Learner {
    interface: Interface,
    states: [State; 2],
}

#[derive(Debug, Clone)]
struct State {
    hypotheses: [Output; 2],
    heads: i64,
    moves: Vec<i64>,
}

impl Mechanism for Learner {
    type State = usize;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<usize>> {
        Ok(Law::certain(0))
    }

    fn respond(&self, &state: &usize, _: usize) -> Result<Law<(Output, usize)>> {
        let State { hypotheses, heads, .. } = &self.states[state];
        let coin = Law::coin("heads", &quarters(*heads))?;
        Ok(coin.map(|heads| (hypotheses[usize::from(!heads)].clone(), state)))
    }

    fn observe(&self, &state: &usize, after: usize) -> Result<Law<usize>> {
        let coin = Law::coin("move", &quarters(self.states[state].moves[after]))?;
        Ok(coin.map(usize::from))
    }
}

fn quarters(n: i64) -> Number {
    Rational::new(n.into(), 4.into()).into()
}

fn state() -> impl Strategy<Value = State> {
    let hypothesis = || "[01]{3}";
    let moves = prop::collection::vec(0i64..=4, 6);
    (hypothesis(), hypothesis(), 0i64..=4, moves).prop_map(|(first, second, heads, moves)| State {
        hypotheses: [first, second],
        heads,
        moves,
    })
}

pub fn learners() -> impl Strategy<Value = Learner> {
    (state(), state()).prop_map(|(first, second)| Learner {
        interface: Interface::learner(["1", "2", "3"].map(String::from).into()).unwrap(),
        states: [first, second],
    })
}

//! What the streams of Algorithm 1 look like, round by round, as lanes of a [`Front`].
//!
//! Given the choices of thirds, the insertions of different stages are independent and lie in
//! windows that follow each other. So one lane is enough outside windows, and in a window two: one
//! on which the example has not come, one on which it has.
//!
//! [`Front`]: super::front::Front

use super::front::{Round, Term};
use super::learner::{DUMMY, informative};
use crate::adversary::{Interval, Thirds};
use littlestone_exact::{Arithmetic, BigInt, natural};

/// The streams after some stages of the adversary.
#[derive(Debug)]
pub(super) struct Plan<A: Arithmetic> {
    arithmetic: A,
    windows: Vec<Interval>,
    /// p = up/whole.
    up: BigInt,
    whole: BigInt,
}

impl<A: Arithmetic> Plan<A> {
    /// The streams with a possible insertion in each of the windows.
    pub(super) fn new(arithmetic: &A, adversary: &Thirds, windows: Vec<Interval>) -> Self {
        let p = adversary.probability();
        let (up, whole) = (p.numer().clone(), p.denom().clone());
        Self { arithmetic: arithmetic.clone(), windows, up, whole }
    }

    /// The window with that round, and the place of the round in it, counted from 1.
    fn window(&self, round: usize) -> Option<(Interval, usize)> {
        let window = self.windows.iter().find(|window| window.rounds().contains(&round))?;
        Some((*window, round - window.after))
    }

    /// The number of lanes of one label after that round.
    pub(super) fn width(&self, round: usize) -> usize {
        match self.window(round) {
            Some((window, place)) if place < window.len() => 2,
            _ => 1,
        }
    }

    /// The lanes after a round for one label, whose lanes before it begin at `from`.
    pub(super) fn lanes(
        &self,
        round: usize,
        label: bool,
        from: usize,
    ) -> Vec<Vec<Term<A::Weight>>> {
        let term = |from: usize, example: usize, factor: BigInt| Term {
            from,
            example,
            factor: natural(&self.arithmetic, &factor),
        };
        let one = || BigInt::from(1);
        let Some((window, place)) = self.window(round) else {
            return vec![vec![term(from, DUMMY, one())]];
        };
        let mut inserted = vec![term(from, informative(label), self.up.clone())];
        if place > 1 {
            inserted.push(term(from + 1, DUMMY, one()));
        }
        if place < window.len() {
            return vec![vec![term(from, DUMMY, one())], inserted];
        }
        inserted.push(term(from, DUMMY, self.left(window, place)));
        vec![inserted]
    }

    /// What the denominator gains in a round beside that of every round: the lane with the
    /// insertion is over a number of its own, which is counted when the window ends.
    pub(super) fn scale(&self, round: usize) -> A::Weight {
        let value = match self.window(round) {
            Some((window, place)) if place == window.len() => self.chances(window),
            _ => BigInt::from(1),
        };
        natural(&self.arithmetic, &value)
    }

    /// The law after a round, from its lanes beginning at `from`: the factors of the lanes, and
    /// what the sum is over.
    pub(super) fn reading(&self, round: usize) -> (Vec<A::Weight>, A::Weight) {
        let natural = |value: BigInt| natural(&self.arithmetic, &value);
        match self.window(round) {
            Some((window, place)) if place < window.len() => {
                let factors = vec![natural(self.left(window, place)), natural(BigInt::from(1))];
                (factors, natural(self.chances(window)))
            }
            _ => (vec![natural(BigInt::from(1))], natural(BigInt::from(1))),
        }
    }

    /// The probability that no example came in the first `place` rounds, times [`Self::chances`].
    fn left(&self, window: Interval, place: usize) -> BigInt {
        self.chances(window) - &self.up * place
    }

    fn chances(&self, window: Interval) -> BigInt {
        &self.whole * window.len()
    }

    /// A round on which the lanes of both labels move, those of label 0 first.
    pub(super) fn both(&self, round: usize) -> Round<A::Weight> {
        let mut lanes = self.lanes(round, false, 0);
        lanes.extend(self.lanes(round, true, self.width(round - 1)));
        Round { lanes, scale: self.scale(round) }
    }
}

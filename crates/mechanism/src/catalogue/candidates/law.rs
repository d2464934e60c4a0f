//! Exact laws: all assignments, all samples, all answers of Select, each with its probability.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use itertools::Itertools;
use num_integer::binomial;

use crate::Law;
use littlestone_exact::functions;
use littlestone_exact::limits::Limits;
use littlestone_exact::{BigInt, Number, Rational};

use super::algorithm::{Algorithm, Record, Run, State};
use super::oracle::{Answer, Oracle, Received};
use super::{Fault, Function};

/// Goes through all values of the random choices: each run asks for choices in an order that depends
/// on the choices so far alone, and [`Enumerate::advance`] goes on to the next values.
#[derive(Debug, Default)]
pub struct Enumerate {
    /// For each choice of the present run the option that is taken and the number of options.
    taken: Vec<(usize, usize)>,
    at: usize,
    weight: Option<Number>,
}

impl Enumerate {
    /// Before the first run.
    pub fn new() -> Self {
        Self::default()
    }

    /// The probability of the choices of the present run.
    pub fn probability(&self) -> Number {
        self.weight.clone().unwrap_or_else(Number::one)
    }

    /// Begins the next run; `false` after the last one.
    pub fn advance(&mut self) -> bool {
        self.taken.truncate(self.at);
        (self.at, self.weight) = (0, None);
        while let Some((option, options)) = self.taken.pop() {
            if option + 1 < options {
                self.taken.push((option + 1, options));
                return true;
            }
        }
        false
    }

    fn choose(&mut self, options: usize) -> usize {
        if self.at == self.taken.len() {
            self.taken.push((0, options));
        }
        let (option, _) = self.taken[self.at];
        self.at += 1;
        option
    }

    fn times(&mut self, factor: &Number) {
        self.weight = Some(match &self.weight {
            None => factor.clone(),
            Some(weight) => weight * factor,
        });
    }

    fn uniform(&mut self, options: usize) -> usize {
        let option = self.choose(options);
        if options > 1 {
            let share = functions::reciprocal(options).expect("at least one option");
            self.times(&share);
        }
        option
    }
}

impl Oracle for Enumerate {
    fn assign(&mut self, _: usize, records: &[Record], groups: usize) -> Vec<usize> {
        records.iter().map(|_| self.uniform(groups)).collect()
    }

    fn sample(&mut self, _: usize, received: &[Received], size: usize) -> Vec<usize> {
        let subsets = binomial(BigInt::from(received.len()), BigInt::from(size));
        let option = self.choose(usize::try_from(&subsets).unwrap_or(usize::MAX));
        self.times(&Rational::new(1.into(), subsets).into());
        (0..received.len()).combinations(size).nth(option).expect("one of the subsets")
    }

    fn select(&mut self, law: &Law<Answer>) -> usize {
        let place = self.choose(law.len());
        let (_, weight) = law.iter().nth(place).expect("one of the answers");
        let weight = weight.clone();
        self.times(&weight);
        place
    }
}

impl Algorithm {
    /// Calls `visit` on every run with positive probability, with its probability, in a fixed order;
    /// ends early when it breaks. The probabilities sum to 1.
    ///
    /// # Errors
    /// When a limit is hit: each run counts as one state.
    pub fn for_each_run<B>(
        &self,
        stream: &[(usize, bool)],
        limits: &Limits,
        mut visit: impl FnMut(&Run, &Number) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Fault> {
        let mut meter = limits.meter();
        let mut choices = Enumerate::new();
        loop {
            meter.count()?;
            let run = self.run(stream, &mut choices)?;
            if let ControlFlow::Break(found) = visit(&run, &choices.probability()) {
                return Ok(ControlFlow::Break(found));
            }
            if !choices.advance() {
                return Ok(ControlFlow::Continue(()));
            }
        }
    }

    /// The law of the state after one more batch. States that have the same law of what follows are
    /// merged ([`State::canonical`]).
    ///
    /// # Errors
    /// When a limit is hit: each value of the choices counts as one state.
    ///
    /// # Panics
    /// As [`Algorithm::next`].
    pub fn law_of_next(
        &self,
        state: &State,
        stream: &[(usize, bool)],
        limits: &Limits,
    ) -> Result<Law<State>, Fault> {
        let mut meter = limits.meter();
        let mut weights: BTreeMap<State, Number> = BTreeMap::new();
        let mut choices = Enumerate::new();
        loop {
            meter.count()?;
            let mut next = state.clone();
            self.next(&mut next, stream, &mut choices)?;
            let sum = weights
                .entry(next.canonical(self.parameters().variant))
                .or_insert_with(Number::zero);
            *sum = &*sum + &choices.probability();
            if !choices.advance() {
                return Ok(Law::new("the law of the next candidate", weights)?);
            }
        }
    }

    /// The law of what is returned on a stream: `h_0`, …, `h_N`, in the order of their labels.
    ///
    /// # Errors
    /// When a limit is hit: each value of the choices of one batch counts as one state.
    pub fn law(
        &self,
        stream: &[(usize, bool)],
        limits: &Limits,
    ) -> Result<Law<Vec<Function>>, Fault> {
        let mut beliefs = BTreeMap::from([(self.start(), Number::one())]);
        for _ in 0..self.parameters().candidates {
            let mut next: BTreeMap<State, Number> = BTreeMap::new();
            for (state, weight) in &beliefs {
                for (after, share) in self.law_of_next(state, stream, limits)?.iter() {
                    let sum = next.entry(after.clone()).or_insert_with(Number::zero);
                    *sum = &*sum + &(weight * share);
                }
            }
            beliefs = next;
        }
        let mut returned: BTreeMap<Vec<Function>, Number> = BTreeMap::new();
        for (state, weight) in &beliefs {
            let sum = returned.entry(self.returned(state)).or_insert_with(Number::zero);
            *sum = &*sum + weight;
        }
        Ok(Law::new("the law of the candidates", returned)?)
    }
}

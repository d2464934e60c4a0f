//! Random choices with names: every value of them in turn, and the same ones for two runs.

use itertools::Itertools;
use num_integer::binomial;
use rustc_hash::FxHashMap;

use crate::Law;
use crate::catalogue::candidates::{Answer, Oracle, Received, Record};
use crate::catalogue::replacement::Stage;
use littlestone_exact::Number;
use littlestone_exact::functions;

/// The name of a choice. Two runs that ask for the choice of the same name get the same option.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    /// The group of the record of a round in a batch.
    Group { batch: usize, time: usize },
    /// Which of the records that a group received it stores.
    Sample { batch: usize, times: Vec<usize> },
    /// The answer of a call of Select, by its number in the run, given what may be answered.
    Select { call: usize, answers: Vec<Answer> },
    /// The coin of a replacement rule in a stage, when it answers or when it sees a label.
    Rule { rule: usize, stage: Stage, answers: bool },
}

/// A choice of the present run.
#[derive(Debug)]
struct Choice {
    option: usize,
    weights: Vec<Number>,
}

/// Goes through all values of the choices: what is asked for depends on the choices so far alone.
#[derive(Debug, Default)]
pub(super) struct Tape {
    path: Vec<Choice>,
    made: FxHashMap<Key, usize>,
    at: usize,
}

impl Tape {
    /// The probability of the choices of the present run.
    pub fn probability(&self) -> Number {
        let factors = self.path[..self.at].iter().map(|choice| &choice.weights[choice.option]);
        factors.fold(Number::one(), |product, factor| &product * factor)
    }

    /// Begins the next run; `false` after the last one.
    pub fn advance(&mut self) -> bool {
        self.path.truncate(self.at);
        (self.at, self.made) = (0, FxHashMap::default());
        while let Some(Choice { option, weights }) = self.path.pop() {
            if option + 1 < weights.len() {
                self.path.push(Choice { option: option + 1, weights });
                return true;
            }
        }
        false
    }

    fn choose(&mut self, key: Key, weights: impl FnOnce() -> Vec<Number>) -> usize {
        if let Some(&option) = self.made.get(&key) {
            return option;
        }
        if self.at == self.path.len() {
            self.path.push(Choice { option: 0, weights: weights() });
        }
        let option = self.path[self.at].option;
        self.at += 1;
        self.made.insert(key, option);
        option
    }

    fn uniform(&mut self, key: Key, options: usize) -> usize {
        if options == 1 {
            return 0;
        }
        self.choose(key, || {
            let share = functions::reciprocal(options).expect("at least one option");
            vec![share; options]
        })
    }
}

/// One run that makes its choices by a tape.
#[derive(Debug)]
pub(super) struct Player<'t> {
    tape: &'t mut Tape,
    calls: usize,
}

impl<'t> Player<'t> {
    /// At the beginning of a run.
    pub fn new(tape: &'t mut Tape) -> Self {
        Self { tape, calls: 0 }
    }

    /// An outcome of the law of a replacement rule, by its number, in a stage.
    pub fn rule<T: Clone + Eq + std::hash::Hash>(
        &mut self,
        rule: usize,
        stage: Stage,
        answers: bool,
        law: Law<T>,
    ) -> T {
        let place = match law.len() {
            1 => 0,
            _ => self.tape.choose(Key::Rule { rule, stage, answers }, || weights(&law)),
        };
        law.into_vec().swap_remove(place).0
    }
}

fn weights<T: Clone + Eq + std::hash::Hash>(law: &Law<T>) -> Vec<Number> {
    law.iter().map(|(_, weight)| weight.clone()).collect()
}

impl Oracle for Player<'_> {
    fn assign(&mut self, batch: usize, records: &[Record], groups: usize) -> Vec<usize> {
        let group =
            |record: &Record| self.tape.uniform(Key::Group { batch, time: record.time }, groups);
        records.iter().map(group).collect()
    }

    fn sample(&mut self, batch: usize, received: &[Received], size: usize) -> Vec<usize> {
        let times = received.iter().map(|received| received.record.time).collect();
        let options = binomial(received.len(), size);
        let option = self.tape.uniform(Key::Sample { batch, times }, options);
        (0..received.len()).combinations(size).nth(option).expect("one of the subsets")
    }

    fn select(&mut self, law: &Law<Answer>) -> usize {
        self.calls += 1;
        if law.len() == 1 {
            return 0;
        }
        let answers = law.iter().map(|(answer, _)| answer.clone()).collect();
        self.tape.choose(Key::Select { call: self.calls, answers }, || weights(law))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use littlestone_exact::parse_rational;

    fn number(text: &str) -> Number {
        parse_rational(text).unwrap().into()
    }

    /// Two runs that share a coin of 1/4 and a group of two: four pairs, and the same choices in
    /// both; by hand 1/8, 1/8, 3/8, 3/8.
    #[test]
    fn runs_that_ask_alike_choose_alike() {
        let coin = Law::coin("coin", &number("1/4")).unwrap();
        let stage = crate::catalogue::replacement::Rule::START;
        let record = Record { time: 3, point: 0, label: true };
        let mut tape = Tape::default();
        let mut seen = Vec::new();
        loop {
            let run = |tape: &mut Tape| {
                let mut player = Player::new(tape);
                (player.rule(0, stage, true, coin.clone()), player.assign(1, &[record], 2)[0])
            };
            let (first, second) = (run(&mut tape), run(&mut tape));
            assert_eq!(first, second);
            seen.push((first, tape.probability()));
            if !tape.advance() {
                break;
            }
        }
        let (eighth, rest) = (number("1/8"), number("3/8"));
        let expected = [
            ((true, 0), eighth.clone()),
            ((true, 1), eighth),
            ((false, 0), rest.clone()),
            ((false, 1), rest),
        ];
        assert_eq!(seen, expected);
    }
}

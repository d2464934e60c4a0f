//! The worst δ by a loop over streams, coins and outputs, with integer weights over a common
//! denominator a round: what one would write without sharing, merging or bounds.

use littlestone::exact::{BigInt, BigUint, Number, Rational};
use littlestone::mechanism::Automaton;
use littlestone::privacy::{Notion, Question};
use num_integer::Integer;

/// Where a round can lead: symbol, next state, weight.
type Move = (usize, usize, u128);

/// A mechanism with e^ε = `a`/`b`.
pub struct Loops {
    start: usize,
    /// For each record and state.
    moves: Vec<Vec<Vec<Move>>>,
    outputs: usize,
    denominator: u128,
    joint: bool,
    a: u128,
    b: u128,
}

fn rational(number: &Number) -> &Rational {
    number.as_rational().expect("a rational weight")
}

fn small(n: &BigInt) -> u128 {
    u128::try_from(n.clone()).expect("a small number")
}

impl Loops {
    pub fn new(automaton: &Automaton, question: &Question) -> Self {
        let interface = automaton.interface();
        let mut denominators = [1u128; 2];
        for row in automaton.rows() {
            for response in row.respond.iter().flatten() {
                denominators[0] = denominators[0].lcm(&small(rational(&response.weight).denom()));
            }
            for (_, weight) in row.observe.iter().flatten() {
                denominators[1] = denominators[1].lcm(&small(rational(weight).denom()));
            }
        }
        let numerator = |number: &Number, common: u128| {
            let q = rational(number);
            small(q.numer()) * (common / small(q.denom()))
        };
        let round = |record: usize, state: usize| -> Vec<Move> {
            let (before, after) = interface.parts(record);
            let Some(law) = automaton.rows()[state].respond.get(before) else { return Vec::new() };
            law.iter()
                .flat_map(|response| {
                    let weight = numerator(&response.weight, denominators[0]);
                    let next = automaton.rows()[response.next].observe.get(after);
                    next.into_iter().flatten().map(move |(to, w)| {
                        (response.output, *to, weight * numerator(w, denominators[1]))
                    })
                })
                .collect()
        };
        let factor = question.epsilon.factor();
        Self {
            start: automaton.start()[0].0,
            moves: (0..interface.records())
                .map(|z| (0..automaton.len()).map(|s| round(z, s)).collect())
                .collect(),
            outputs: automaton.outputs().len(),
            denominator: denominators[0] * denominators[1],
            joint: question.notion == Notion::Joint,
            a: small(rational(&factor).numer()),
            b: small(rational(&factor).denom()),
        }
    }

    /// Number of ordered pairs of neighbouring streams.
    pub fn pairs(&self, rounds: usize) -> u128 {
        let records = self.moves.len() as u128;
        records.pow(u32::try_from(rounds).expect("small")) * rounds as u128 * (records - 1)
    }

    /// A guess at the number of sequences of coins that one pair takes.
    pub fn steps(&self, rounds: usize) -> u128 {
        let most = self.moves.iter().flatten().map(Vec::len).max().unwrap_or(1) as u128;
        2 * most.pow(u32::try_from(rounds).expect("small"))
    }

    /// The greatest divergence over every `share`-th pair.
    pub fn worst(&self, rounds: usize, share: u128) -> Number {
        let records = self.moves.len();
        let mut stream = vec![0; rounds];
        let (mut worst, mut count) = (0u128, 0u128);
        loop {
            for round in 0..rounds {
                for record in (0..records).filter(|&z| z != stream[round]) {
                    count += 1;
                    if count.is_multiple_of(share) {
                        let mut other = stream.clone();
                        other[round] = record;
                        worst = worst.max(self.divergence(&stream, &other, round));
                    }
                }
            }
            let Some(last) = stream.iter().rposition(|&z| z + 1 < records) else { break };
            stream[last] += 1;
            stream[last + 1..].fill(0);
        }
        let whole = BigUint::from(self.denominator).pow(u32::try_from(rounds).expect("small"));
        Number::from(Rational::new(BigInt::from(worst), BigInt::from(whole * self.b)))
    }

    fn divergence(&self, first: &[usize], second: &[usize], round: usize) -> u128 {
        let omitted = self.joint.then_some(round);
        let p = self.law(first, omitted);
        let q = self.law(second, omitted);
        p.iter().zip(&q).map(|(p, q)| (self.b * p).saturating_sub(self.a * q)).sum()
    }

    /// The weight of each output word, by following every sequence of coins.
    fn law(&self, stream: &[usize], omitted: Option<usize>) -> Vec<u128> {
        let letters = stream.len() - usize::from(omitted.is_some());
        let mut law = vec![0; self.outputs.pow(u32::try_from(letters).expect("small"))];
        self.follow(stream, omitted, 0, self.start, 0, 1, &mut law);
        law
    }

    #[expect(clippy::too_many_arguments, reason = "the state of a recursion")]
    fn follow(
        &self,
        stream: &[usize],
        omitted: Option<usize>,
        round: usize,
        state: usize,
        word: usize,
        weight: u128,
        law: &mut [u128],
    ) {
        let Some(&record) = stream.get(round) else {
            law[word] += weight;
            return;
        };
        for &(output, to, w) in &self.moves[record][state] {
            let word = if omitted == Some(round) { word } else { word * self.outputs + output };
            self.follow(stream, omitted, round + 1, to, word, weight * w, law);
        }
    }
}

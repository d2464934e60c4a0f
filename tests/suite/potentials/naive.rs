//! The definitions of Section 2.1, taken literally: the law of the outputs on each single stream,
//! mixtures of them over the adversary's choices, sums over all outputs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use littlestone::exact::{BigInt, Rational};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use super::random::Walk;

/// A law over outputs, a bit a round.
type Law = BTreeMap<Vec<bool>, Rational>;

/// Such a law in units of which all laws of one game have as many.
type Units = BTreeMap<Vec<bool>, u128>;

/// The law of the informative rounds.
type Positions = BTreeMap<BTreeSet<usize>, Rational>;

/// What was asked for before: laws by informative rounds and label, and mixtures of them.
#[derive(Debug, Default)]
struct Known {
    laws: BTreeMap<(BTreeSet<usize>, bool), Rc<Units>>,
    mixtures: BTreeMap<(Positions, bool, Vec<usize>), Law>,
    revealed: BTreeMap<Positions, Vec<Rational>>,
}

/// The adversary: rounds and p.
#[derive(Debug, Clone)]
pub struct Game<'w> {
    walk: &'w Walk,
    rounds: usize,
    p: Rational,
    /// e^ε.
    factor: Rational,
    known: Rc<RefCell<Known>>,
}

fn whole(n: usize) -> Rational {
    Rational::from_integer(n.into())
}

fn half() -> Rational {
    Rational::new(1.into(), 2.into())
}

/// What the reference says of one choice of thirds.
#[derive(Debug, PartialEq, Eq)]
pub struct Reference {
    pub revealed: Vec<Rational>,
    pub information: Rational,
    pub variance: Rational,
    pub within: Vec<Rational>,
    pub difference: Rational,
    pub signed: Rational,
    pub unconditioned: Rational,
    pub errors: Vec<Rational>,
    pub delta: Rational,
    pub wrong: Rational,
    pub wrong_after: Rational,
}

/// The least common denominator.
fn common<'q>(values: impl Iterator<Item = &'q Rational>) -> Rational {
    Rational::from_integer(values.fold(One::one(), |lcm, value| value.denom().lcm(&lcm)))
}

/// A multiple of 1/`unit` as how many of them it is.
fn units(value: &Rational, unit: &Rational) -> u128 {
    (value * unit).to_integer().to_u128().unwrap()
}

impl<'w> Game<'w> {
    pub fn new(walk: &'w Walk, rounds: usize, p: Rational, factor: Rational) -> Self {
        Self { walk, rounds, p, factor, known: Rc::default() }
    }

    pub fn stages(&self) -> u32 {
        (0..9).rev().find(|l| 3usize.pow(*l) <= self.rounds).unwrap()
    }

    /// (a, b] after the choices.
    fn interval(&self, choices: &[u8]) -> (usize, usize) {
        let (mut a, mut b) = (0, 3usize.pow(self.stages()));
        for &j in choices {
            let n = (b - a) / 3;
            a += (usize::from(j) - 1) * n;
            b = a + n;
        }
        (a, b)
    }

    /// The law of the informative rounds after the choices.
    fn positions(&self, choices: &[u8]) -> Positions {
        let mut law = Positions::from([(BTreeSet::new(), Rational::one())]);
        for t in 0..choices.len() {
            if choices[t] != 2 {
                continue;
            }
            let (a, b) = self.interval(&choices[..t]);
            let n = (b - a) / 3;
            let mut next: Positions = BTreeMap::new();
            for (set, weight) in law {
                *next.entry(set.clone()).or_default() += &weight * (Rational::one() - &self.p);
                for s in a + 1..=a + n {
                    let more: BTreeSet<usize> = set.iter().copied().chain([s]).collect();
                    *next.entry(more).or_default() += &weight * &self.p / whole(n);
                }
            }
            law = next;
        }
        law
    }

    /// The law of Y on the stream whose informative rounds are `set`, with label `b`.
    fn law(&self, set: &BTreeSet<usize>, b: bool) -> Rc<Units> {
        let key = (set.clone(), b);
        if let Some(law) = self.known.borrow().laws.get(&key) {
            return Rc::clone(law);
        }
        let law = Rc::new(self.outputs(set, b));
        self.known.borrow_mut().laws.insert(key, Rc::clone(&law));
        law
    }

    /// Units of the probability of a release, and of a move.
    fn unit(&self) -> [Rational; 2] {
        let walk = self.walk;
        [common(walk.out.iter()), common(walk.moves.iter().flatten().flatten())]
    }

    /// How many units a law has in all.
    fn total(&self) -> Rational {
        let [release, moves] = self.unit();
        (0..self.rounds).fold(Rational::one(), |total, _| total * &release * &moves)
    }

    /// All outputs, summed over all paths of states.
    fn outputs(&self, set: &BTreeSet<usize>, b: bool) -> Units {
        let walk = self.walk;
        let [release, moves] = self.unit();
        let whole = units(&Rational::one(), &release);
        let released: Vec<u128> = walk.out.iter().map(|one| units(one, &release)).collect();
        let moved = walk.moves.each_ref().map(|rows| -> Vec<Vec<u128>> {
            rows.iter().map(|row| row.iter().map(|p| units(p, &moves)).collect()).collect()
        });
        let mut reached: BTreeMap<(Vec<bool>, usize), u128> =
            BTreeMap::from([((Vec::new(), 0), 1)]);
        for r in 1..=self.rounds {
            let example = if set.contains(&r) { 1 + usize::from(b) } else { 0 };
            let mut next: BTreeMap<(Vec<bool>, usize), u128> = BTreeMap::new();
            for ((y, state), weight) in reached {
                let one = released[state];
                for (bit, share) in [(false, whole - one), (true, one)] {
                    for (to, p) in moved[example][state].iter().enumerate() {
                        if share * p > 0 {
                            let y = y.iter().copied().chain([bit]).collect();
                            *next.entry((y, to)).or_default() += weight * share * p;
                        }
                    }
                }
            }
            reached = next;
        }
        let mut law = Units::new();
        for ((y, _), weight) in reached {
            *law.entry(y).or_default() += weight;
        }
        law
    }

    /// The law of Y given B = b after the choices, with the rounds `extra` informative too.
    fn mixture(&self, choices: &[u8], b: bool, extra: &[usize]) -> Law {
        let positions = self.positions(choices);
        let key = (positions, b, extra.to_vec());
        if let Some(mixed) = self.known.borrow().mixtures.get(&key) {
            return mixed.clone();
        }
        let unit = common(key.0.values());
        let mut mixed = Units::new();
        for (set, weight) in &key.0 {
            let weight = units(weight, &unit);
            for (y, q) in self.law(&set.iter().chain(extra).copied().collect(), b).iter() {
                *mixed.entry(y.clone()).or_default() += weight * q;
            }
        }
        let total = unit * self.total();
        let part = |(y, sum): (Vec<bool>, u128)| (y, Rational::from_integer(sum.into()) / &total);
        let mixed: Law = mixed.into_iter().filter(|(_, sum)| *sum > 0).map(part).collect();
        self.known.borrow_mut().mixtures.insert(key, mixed.clone());
        mixed
    }

    /// V(0), …, V(T): the expectation of the squared conditional expectation of 2B − 1.
    fn revealed(&self, choices: &[u8]) -> Vec<Rational> {
        let key = self.positions(choices);
        if let Some(revealed) = self.known.borrow().revealed.get(&key) {
            return revealed.clone();
        }
        let laws = [false, true].map(|b| self.mixture(choices, b, &[]));
        let value = |r: usize| -> Rational {
            let mut prefixes: BTreeMap<Vec<bool>, [Rational; 2]> = BTreeMap::new();
            for (b, law) in laws.iter().enumerate() {
                for (y, q) in law {
                    let pair = prefixes.entry(y[..r].to_vec()).or_default();
                    pair[b] += q * half();
                }
            }
            let term = |[zero, one]: &[Rational; 2]| {
                let both = zero + one;
                let mean = (one - zero) / &both;
                both * &mean * &mean
            };
            prefixes.values().map(term).sum()
        };
        let revealed: Vec<Rational> = (0..=self.rounds).map(value).collect();
        self.known.borrow_mut().revealed.insert(key, revealed.clone());
        revealed
    }

    fn clip(&self, ratio: Rational) -> Rational {
        ratio.clamp(Rational::one() / &self.factor, self.factor.clone())
    }

    fn worst(&self, choices: &[u8]) -> Rational {
        let (a, b) = self.interval(choices);
        let n = (b - a) / 3;
        let whole = |part: &BigInt| part.to_u128().unwrap();
        let (above, below) = (whole(self.factor.numer()), whole(self.factor.denom()));
        let mut worst = 0;
        for label in [false, true] {
            let fair = Game { p: half(), ..self.clone() };
            for set in fair.positions(choices).into_keys() {
                let with = |rounds: &[usize]| -> BTreeSet<usize> {
                    set.iter().chain(rounds).copied().collect()
                };
                let mut pairs: Vec<_> = (a + 1..=b).map(|s| (with(&[]), with(&[s]))).collect();
                for first in a + 1..=a + n {
                    pairs.extend(
                        (a + n + 1..=a + 2 * n).map(|s| (with(&[first]), with(&[first, s]))),
                    );
                }
                for (one, other) in pairs {
                    let (one, other) = (self.law(&one, label), self.law(&other, label));
                    for (p, q) in [(&one, &other), (&other, &one)] {
                        // (p − e^ε q)₊ times the denominator of e^ε.
                        let excess = |(y, p): (&Vec<bool>, &u128)| {
                            (below * p).saturating_sub(above * q.get(y).unwrap_or(&0))
                        };
                        worst = worst.max(p.iter().map(excess).sum());
                    }
                }
            }
        }
        Rational::from_integer(worst.into()) / (self.total() * Rational::from_integer(below.into()))
    }

    pub fn reference(&self, choices: &[u8]) -> Reference {
        let (a, b) = self.interval(choices);
        let (length, third) = (b - a, (b - a) / 3);
        let mut result = Reference {
            revealed: self.revealed(choices),
            information: Rational::zero(),
            variance: Rational::zero(),
            within: vec![Rational::zero(); 3],
            difference: Rational::zero(),
            signed: Rational::zero(),
            unconditioned: Rational::zero(),
            errors: vec![Rational::zero(); if third == 0 { length } else { length + 3 }],
            delta: if third == 0 { Rational::zero() } else { self.worst(choices) },
            wrong: Rational::zero(),
            wrong_after: Rational::zero(),
        };
        let v = &result.revealed;
        result.information = &v[a] + whole(2) * (&v[b] - &v[a]);
        let zero = Rational::zero();
        let mut averaged: [Vec<Law>; 2] = [Vec::new(), Vec::new()];
        for label in [false, true] {
            let plain = self.mixture(choices, label, &[]);
            let inserted: Vec<Law> =
                (a + 1..=b).map(|s| self.mixture(choices, label, &[s])).collect();
            let outputs: BTreeSet<&Vec<bool>> =
                plain.keys().chain(inserted.iter().flat_map(|law| law.keys())).collect();
            for y in outputs {
                let q = plain.get(y).unwrap_or(&zero);
                let masses: Vec<&Rational> =
                    inserted.iter().map(|law| law.get(y).unwrap_or(&zero)).collect();
                let ratios: Vec<Rational> = masses
                    .iter()
                    .map(|&mass| if q.is_zero() { zero.clone() } else { self.clip(mass / q) })
                    .collect();
                result.variance += q * variance(&ratios) * half();
                let gaps: Vec<Rational> =
                    masses.iter().zip(&ratios).map(|(&mass, ratio)| mass - q * ratio).collect();
                for (error, gap) in result.errors.iter_mut().zip(&gaps) {
                    *error += magnitude(gap) * half();
                }
                if third > 0 {
                    let part = |j: usize| j * third..(j + 1) * third;
                    for j in 0..3 {
                        result.within[j] += q * variance(&ratios[part(j)]) * half();
                        let gap: Rational = gaps[part(j)].iter().sum();
                        result.errors[length + j] += magnitude(&gap) / whole(third) * half();
                    }
                    let apart = mean(&ratios[part(0)]) - mean(&ratios[part(2)]);
                    result.difference += q * &apart * &apart * half();
                    result.signed += q * apart * half();
                }
            }
            for (place, s) in (a + 1..=a + third).enumerate() {
                let wrong = |law: &Law, r: usize| -> Rational {
                    law.iter().filter(|(y, _)| y[r - 1] != label).map(|(_, q)| q).sum()
                };
                result.wrong += wrong(&plain, s) * half() / whole(third);
                result.wrong_after += wrong(&inserted[place], s + 1) * half() / whole(third);
            }
            averaged[0].push(plain);
            for (place, law) in inserted.into_iter().enumerate() {
                if label {
                    let other = &mut averaged[1][place];
                    for (y, q) in law {
                        *other.entry(y).or_default() += q;
                    }
                } else {
                    averaged[1].push(law);
                }
            }
        }
        let both: Vec<Law> = averaged[0].clone();
        let outputs: BTreeSet<&Vec<bool>> = both.iter().flat_map(|law| law.keys()).collect();
        for y in outputs {
            let q: Rational = both.iter().map(|law| law.get(y).unwrap_or(&zero)).sum();
            if third > 0 {
                let ratios: Vec<Rational> = averaged[1]
                    .iter()
                    .map(|law| self.clip(law.get(y).unwrap_or(&zero) / &q))
                    .collect();
                let apart = mean(&ratios[..third]) - mean(&ratios[2 * third..]);
                result.unconditioned += q * &apart * &apart * half();
            }
        }
        result
    }
}

fn mean(values: &[Rational]) -> Rational {
    values.iter().sum::<Rational>() / whole(values.len())
}

fn variance(values: &[Rational]) -> Rational {
    let mean = mean(values);
    let square = |value: &Rational| (value - &mean) * (value - &mean);
    values.iter().map(square).sum::<Rational>() / whole(values.len())
}

fn magnitude(value: &Rational) -> Rational {
    if *value < Rational::zero() { -value } else { value.clone() }
}

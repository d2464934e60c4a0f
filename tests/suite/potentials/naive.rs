//! The definitions of Section 2.1, taken literally: the law of the outputs on each single stream,
//! mixtures of them over the adversary's choices, sums over all outputs.

use std::collections::{BTreeMap, BTreeSet};

use littlestone::exact::Rational;
use num_traits::{One, Zero};

use super::random::Walk;

/// A law over outputs, a bit a round.
type Law = BTreeMap<Vec<bool>, Rational>;

/// The adversary: rounds and p.
#[derive(Debug, Clone)]
pub struct Game<'w> {
    pub walk: &'w Walk,
    pub rounds: usize,
    pub p: Rational,
    /// e^ε.
    pub factor: Rational,
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

impl Game<'_> {
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
    fn positions(&self, choices: &[u8]) -> BTreeMap<BTreeSet<usize>, Rational> {
        let mut law = BTreeMap::from([(BTreeSet::new(), Rational::one())]);
        for t in 0..choices.len() {
            if choices[t] != 2 {
                continue;
            }
            let (a, b) = self.interval(&choices[..t]);
            let n = (b - a) / 3;
            let mut next: BTreeMap<BTreeSet<usize>, Rational> = BTreeMap::new();
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
    fn law(&self, set: &BTreeSet<usize>, b: bool) -> Law {
        let mut reached: BTreeMap<(Vec<bool>, usize), Rational> =
            BTreeMap::from([((Vec::new(), 0), Rational::one())]);
        for r in 1..=self.rounds {
            let example = if set.contains(&r) { 1 + usize::from(b) } else { 0 };
            let mut next: BTreeMap<(Vec<bool>, usize), Rational> = BTreeMap::new();
            for ((y, state), weight) in reached {
                let one = self.walk.out[state].clone();
                for (bit, release) in [(false, Rational::one() - &one), (true, one)] {
                    for to in 0..self.walk.states() {
                        let moved = &weight * &release * &self.walk.moves[example][state][to];
                        if !moved.is_zero() {
                            let y = y.iter().copied().chain([bit]).collect();
                            *next.entry((y, to)).or_default() += moved;
                        }
                    }
                }
            }
            reached = next;
        }
        let mut law = Law::new();
        for ((y, _), weight) in reached {
            *law.entry(y).or_default() += weight;
        }
        law
    }

    /// The law of Y given B = b after the choices, with the rounds `extra` informative too.
    fn mixture(&self, choices: &[u8], b: bool, extra: &[usize]) -> Law {
        let mut mixed = Law::new();
        for (set, weight) in self.positions(choices) {
            let set = set.iter().chain(extra).copied().collect();
            for (y, q) in self.law(&set, b) {
                *mixed.entry(y).or_default() += &weight * q;
            }
        }
        mixed
    }

    /// V(0), …, V(T): the expectation of the squared conditional expectation of 2B − 1.
    fn revealed(&self, choices: &[u8]) -> Vec<Rational> {
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
        (0..=self.rounds).map(value).collect()
    }

    fn clip(&self, ratio: Rational) -> Rational {
        ratio.clamp(Rational::one() / &self.factor, self.factor.clone())
    }

    fn worst(&self, choices: &[u8]) -> Rational {
        let (a, b) = self.interval(choices);
        let n = (b - a) / 3;
        let mut worst = Rational::zero();
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
                        let zero = Rational::zero();
                        let excess = |(y, p): (&Vec<bool>, &Rational)| {
                            (p - &self.factor * q.get(y).unwrap_or(&zero)).max(zero.clone())
                        };
                        worst = worst.max(p.iter().map(excess).sum());
                    }
                }
            }
        }
        worst
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

//! Causality and statements for every randomness, against the literal reference: streams and coins
//! are enumerated one by one on the mechanism trait.

use crate::support::literal;

use std::collections::BTreeMap;

use crate::support::config;
use itertools::Itertools;
use littlestone::always::{Always, always};
use littlestone::error::Result;
use littlestone::exact::{Number, Rational};
use littlestone::limits::{Limits, Progress};
use littlestone::mechanism::{Interface, Law, Mechanism, Monitor, Options, Output, compile};
use littlestone::privacy::{Causality, Streams, causal};
use proptest::prelude::*;

/// A transducer with tables of quarters: often one symbol's row is that of another, so that both
/// verdicts occur.
#[derive(Debug, Clone)]
struct Random {
    interface: Interface,
    respond: Vec<Vec<[u8; 4]>>,
    observe: Vec<Vec<u8>>,
}

const STATES: usize = 2;

impl Mechanism for Random {
    type State = usize;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<usize>> {
        Ok(Law::certain(0))
    }

    /// Four outcomes of weight 1/4 each, as output * STATES + state.
    fn respond(&self, state: &usize, before: usize) -> Result<Law<(Output, usize)>> {
        let row = self.respond[*state][before].map(usize::from);
        let outcome = |i: usize| (self.interface.outputs()[i / STATES].clone(), i % STATES);
        Law::uniform("respond", row.map(outcome))
    }

    fn observe(&self, state: &usize, after: usize) -> Result<Law<usize>> {
        Ok(Law::certain(usize::from(self.observe[*state][after])))
    }
}

fn random() -> impl Strategy<Value = Random> {
    let row = || prop::array::uniform4(0u8..4);
    let rows = prop::collection::vec((row(), 0usize..3, 0u8..8), 3 * STATES);
    let observe = prop::collection::vec(prop::collection::vec(0u8..2, 2), STATES);
    (rows, observe).prop_map(|(rows, observe)| {
        let names = |prefix: &str, n: usize| (0..n).map(|i| format!("{prefix}{i}")).collect();
        let interface = Interface::transducer(names("b", 3), names("o", 2), names("a", 2))
            .expect("distinct names");
        // A symbol may share the row of an earlier symbol of its state, in another order.
        let respond = rows
            .chunks(3)
            .map(|chunk| {
                let mut table: Vec<[u8; 4]> = Vec::new();
                for &(row, like, quiet) in chunk {
                    let mut row = table.get(like).copied().unwrap_or(row);
                    row.reverse();
                    // Most rows release o0 alone, so that o1 is rare, and often impossible.
                    if quiet > 0 {
                        row = row.map(|outcome| outcome % 2);
                    }
                    table.push(row);
                }
                table
            })
            .collect();
        Random { interface, respond, observe }
    })
}

fn streams(records: usize, rounds: usize) -> impl Iterator<Item = Vec<usize>> {
    std::iter::repeat_n(0..records, rounds).multi_cartesian_product()
}

/// The least pair of the shortest streams that share all rounds but the last, look alike in it, and
/// give the outputs different laws.
fn violation(mechanism: &Random, looks: &[usize], rounds: usize) -> Option<[Vec<usize>; 2]> {
    let records = looks.len();
    for length in 1..=rounds {
        let mut least: Option<[Vec<usize>; 2]> = None;
        let all: Vec<Vec<usize>> = streams(records, length).collect();
        for (s, t) in
            all.iter().flat_map(|s| all.iter().map(move |t| (s, t))).filter(|(s, t)| s < t)
        {
            let last = length - 1;
            let alike = s[..last] == t[..last] && looks[s[last]] == looks[t[last]];
            let pair = [s.clone(), t.clone()];
            if alike
                && least.as_ref().is_none_or(|least| pair < *least)
                && literal::law(mechanism, &pair[0]) != literal::law(mechanism, &pair[1])
            {
                least = Some(pair);
            }
        }
        if least.is_some() {
            return least;
        }
    }
    None
}

/// The law of the outputs has no entry for what has probability 0.
fn words(mechanism: &Random, pair: &[Vec<usize>; 2]) -> BTreeMap<Vec<Output>, [Number; 2]> {
    let mut words: BTreeMap<Vec<Output>, [Number; 2]> = BTreeMap::new();
    for (side, stream) in pair.iter().enumerate() {
        for (word, weight) in literal::law(mechanism, stream) {
            words.entry(word).or_insert_with(|| [Number::zero(), Number::zero()])[side] = weight;
        }
    }
    words.retain(|_, [p, q]| p != q);
    words
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn causality_agrees_with_enumeration(
        mechanism in random(),
        seen in prop::collection::vec(0usize..2, 3),
    ) {
        const ROUNDS: usize = 2;
        let automaton = compile(&mechanism, &Options::rounds(ROUNDS, 1000)).unwrap();
        let looks: Vec<usize> = (0..6).map(|record| seen[record / 2]).collect();
        let found =
            causal(&automaton, &looks, ROUNDS, &Limits::default(), &Progress::default()).unwrap();
        match (found, violation(&mechanism, &looks, ROUNDS)) {
            (Causality::Causal { .. }, None) => {}
            (Causality::Violated(found), Some(expected)) => {
                prop_assert_eq!(&found.streams, &expected);
                let named: BTreeMap<Vec<Output>, [Number; 2]> = found
                    .words
                    .into_iter()
                    .map(|(word, laws)| {
                        (word.iter().map(|&o| automaton.outputs()[o].clone()).collect(), laws)
                    })
                    .collect();
                prop_assert_eq!(named, words(&mechanism, &expected));
            }
            (found, expected) => prop_assert!(false, "{found:?} against {expected:?}"),
        }
    }

    /// The statement: output o1 is not released three times. A run of positive probability is an
    /// output word of positive probability on its stream.
    #[test]
    fn statements_for_every_randomness_agree_with_enumeration(
        mechanism in random(),
        times in 1usize..4,
    ) {
        const ROUNDS: usize = 3;
        let automaton = compile(&mechanism, &Options::rounds(ROUNDS, 1000)).unwrap();
        let monitor = format!(
            "fn start() {{ 0 }}
             fn step(m, r, b, o, a) {{ if o == \"o1\" {{ m + 1 }} else {{ m }} }}
             fn ok(m, r) {{ m < {times} }}"
        );
        let values = BTreeMap::new();
        let (interface, outputs) = (automaton.interface(), automaton.outputs());
        let monitor = Monitor::new("m", &monitor, None, &values, interface, outputs, &Limits::default()).unwrap();
        let all = Streams::all(6);
        let (limits, progress) = (Limits::default(), Progress::default());
        let found = always(&automaton, &monitor, &all, ROUNDS, &limits, &progress).unwrap();
        let shortest = (1..=ROUNDS).find(|&length| {
            streams(6, length).any(|stream| {
                let law = literal::law(&mechanism, &stream);
                law.keys().any(|word| word.iter().filter(|o| *o == "o1").count() >= times)
            })
        });
        match (found, shortest) {
            (Always::Holds { .. }, None) => {}
            (Always::Violated(run), Some(length)) => {
                prop_assert_eq!(run.len(), length);
                let stream: Vec<usize> = run.iter().map(|s| s.before * 2 + s.after).collect();
                let word: Vec<Output> =
                    run.iter().map(|s| automaton.outputs()[s.output].clone()).collect();
                let count = word.iter().filter(|o| *o == "o1").count();
                prop_assert_eq!(count, times);
                prop_assert!(literal::law(&mechanism, &stream).contains_key(&word));
            }
            (found, expected) => prop_assert!(false, "{found:?} against {expected:?}"),
        }
    }
}

/// Answers a bit after flipping it with a given probability; it remembers nothing.
#[derive(Debug)]
struct Masked(Interface, Number);
impl Mechanism for Masked {
    type State = ();
    fn interface(&self) -> &Interface {
        &self.0
    }
    fn start(&self) -> Result<Law<()>> {
        Ok(Law::certain(()))
    }
    fn respond(&self, (): &(), before: usize) -> Result<Law<(Output, ())>> {
        let coin = Law::coin("mask", &self.1)?;
        Ok(coin.map(|flip| ((before ^ usize::from(flip)).to_string(), ())))
    }
    fn observe(&self, (): &(), _: usize) -> Result<Law<()>> {
        Ok(Law::certain(()))
    }
}

/// What an observer can know never changes: a fair coin that masks every label is causal for every
/// number of rounds.
#[test]
fn a_closed_search_covers_every_length() {
    let interface = Interface::transducer(
        vec!["x:0".into(), "x:1".into()],
        vec!["0".into(), "1".into()],
        Vec::new(),
    );
    let verdict = |p: i64, q: i64, limits: &Limits| {
        let p = Number::from(Rational::new(p.into(), q.into()));
        let mechanism = Masked(interface.clone().unwrap(), p);
        let automaton = compile(&mechanism, &Options::rounds(9, 10)).unwrap();
        causal(&automaton, &[0, 0], 9, limits, &Progress::default()).unwrap()
    };
    let free = Limits::default();
    assert_eq!(verdict(1, 2, &free), Causality::Causal { compared: 1, every_length: true });
    assert!(matches!(verdict(1, 3, &free), Causality::Violated(_)));
    let none = Limits { states: Some(0), ..Limits::default() };
    assert!(matches!(verdict(1, 3, &none), Causality::Undecided { rounds: 1, .. }));
}

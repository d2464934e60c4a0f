//! Whether a statement is true of the mechanism in a certificate, by the literal reference.

use std::collections::BTreeMap;

use littlestone::certificate::{MistakesOver, PrivacyScope, Statement};
use littlestone::exact::{Epsilon, Number};
use littlestone::mechanism::Automaton;
use serde_json::Value;

use super::literal::{self, Outputs};
use super::tools::{number, parse};

/// What is said of every length must be true of these lengths.
const LENGTHS: usize = 2;

/// Whether a statement is true of the automaton, and of the class, in `certificate`.
pub fn is_true(certificate: &Value, statement: &Statement) -> bool {
    let automaton = automaton(certificate);
    let class: Option<Vec<String>> =
        serde_json::from_value(certificate["hypotheses"].clone()).unwrap();
    let class = class.as_deref();
    match statement {
        Statement::Private { scope, delta } => {
            let lengths = scope.rounds.map_or(1..=LENGTHS, |rounds| rounds..=rounds);
            let mut worst = lengths.map(|rounds| worst(&automaton, class, scope, rounds));
            worst.all(|worst| worst <= number(delta))
        }
        Statement::NotPrivate { scope, delta, .. } => {
            worst(&automaton, class, scope, scope.rounds.unwrap()) > number(delta)
        }
        Statement::WorstDelta { scope, delta } => {
            worst(&automaton, class, scope, scope.rounds.unwrap()) == number(delta)
        }
        Statement::ExpectedMistakes { over, mistakes } => {
            self::mistakes(&automaton, class, certificate, over) == number(mistakes)
        }
        other => unreachable!("{other:?} is not about a mechanism"),
    }
}

/// The automaton, said to cover the lengths that the certificate speaks about and no more: the
/// verifier asks for no law that such streams do not need, and the reader of tables does.
fn automaton(certificate: &Value) -> Automaton {
    let length = |entry: &Value| entry["stream"].as_array().unwrap().len();
    let listed = || certificate["listed"].as_array().unwrap().iter().map(length).max().unwrap();
    let rounds = match &certificate["rounds"] {
        Value::Number(rounds) => rounds.as_u64().unwrap().try_into().unwrap(),
        _ if certificate["kind"] == "privacy-every-length" => LENGTHS,
        _ => listed(),
    };
    let mut table = certificate["automaton"].clone();
    table["rounds"] = rounds.into();
    parse(&table.to_string())
}

fn realisable(automaton: &Automaton, class: Option<&[String]>, stream: &[usize]) -> bool {
    let fits = |h: &String| {
        stream.iter().all(|&record| {
            let (x, y) = automaton.interface().example(record).unwrap();
            (h.as_bytes()[x] == b'1') == y
        })
    };
    class.is_none_or(|class| class.iter().any(fits))
}

fn streams(automaton: &Automaton, class: Option<&[String]>, rounds: usize) -> Vec<Vec<usize>> {
    let mut streams = literal::streams(automaton.interface().records(), rounds);
    streams.retain(|stream| realisable(automaton, class, stream));
    streams
}

/// The greatest divergence over all ordered pairs of neighbouring streams.
fn worst(
    automaton: &Automaton,
    class: Option<&[String]>,
    scope: &PrivacyScope,
    rounds: usize,
) -> Number {
    let factor = Epsilon::parse(&scope.epsilon).unwrap().factor();
    let law = |stream: &Vec<usize>| literal::law(automaton, stream);
    let longer = streams(automaton, class, rounds);
    let laws: BTreeMap<&Vec<usize>, Outputs> = longer.iter().map(|s| (s, law(s))).collect();
    let mut worst = Number::zero();
    let mut compare = |p: &Outputs, q: &Outputs| {
        let both = [literal::divergence(p, q, &factor), literal::divergence(q, p, &factor)];
        worst = [worst.clone()].into_iter().chain(both).max().unwrap();
    };
    for (i, s) in longer.iter().enumerate() {
        if scope.neighbours == "add-remove" {
            for round in 0..s.len() {
                let mut rest = s.clone();
                rest.remove(round);
                compare(&laws[s], &law(&rest));
            }
            continue;
        }
        for t in &longer[..i] {
            let differing: Vec<usize> = (0..s.len()).filter(|&r| s[r] != t[r]).collect();
            let [round] = differing[..] else { continue };
            if scope.notion == "joint" {
                compare(&literal::without(&laws[s], round), &literal::without(&laws[t], round));
            } else {
                compare(&laws[s], &laws[t]);
            }
        }
    }
    worst
}

fn mistakes(
    automaton: &Automaton,
    class: Option<&[String]>,
    certificate: &Value,
    over: &MistakesOver,
) -> Number {
    let on = |stream: &Vec<usize>| literal::expected_mistakes(automaton, stream);
    match over {
        MistakesOver::Listed(_) => {
            let mut sum = Number::zero();
            for entry in certificate["listed"].as_array().unwrap() {
                let names: Vec<String> = serde_json::from_value(entry["stream"].clone()).unwrap();
                let record = |name: &String| automaton.interface().record_index(name).unwrap();
                let stream = names.iter().map(record).collect();
                let weight = number(entry["weight"].as_str().unwrap());
                sum = &sum + &(&weight * &on(&stream));
            }
            sum
        }
        MistakesOver::All(rounds) | MistakesOver::Realisable(rounds) => {
            streams(automaton, class, *rounds).iter().map(on).max().unwrap()
        }
    }
}

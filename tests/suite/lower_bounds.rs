//! Lemma 5's blocks, Theorem 2's phases and concentrated learners against references that follow the
//! text: positions one by one, streams one by one, outputs one by one.

mod blocks;
mod command_line;
mod phases;
mod random;

use crate::support::literal;

use std::path::Path;
use std::rc::Rc;

use littlestone::adversary::Thirds;
use littlestone::catalogue::Standard;
use littlestone::class::{self, Class};
use littlestone::exact::{Number, parse_rational};
use littlestone::limits::Limits;
use littlestone::mechanism::spec::{Context, Spec};
use littlestone::mechanism::{Automaton, Boxed, Mechanism, Options, Tools, compile};

fn number(text: &str) -> Number {
    parse_rational(text).unwrap().into()
}

fn class(name: &str) -> Class {
    class::load(name).unwrap().class
}

/// A learner of the catalogue.
fn learner(text: &str, class_name: &str) -> Boxed {
    let tools = Some(Tools::new(Rc::new(class(class_name)), Limits::default()));
    let spec = Spec::parse(text, Path::new("")).unwrap();
    Context { tools, catalogue: &Standard, limits: Limits::default() }.resolve(&spec).unwrap()
}

fn compiled<M: Mechanism>(mechanism: &M, rounds: usize) -> Automaton {
    compile(mechanism, &Options::rounds(rounds, 10_000)).unwrap()
}

/// Algorithm 1 with the dummy example (3, 0) and the informative point 1.
fn thirds(rounds: usize, p: &str) -> Thirds {
    Thirds::new(rounds, parse_rational(p).unwrap(), 4, 0).unwrap()
}

/// The probability of a mistake in a round (from 0) with the record `compared`, on a stream.
fn wrong<M: Mechanism>(mechanism: &M, stream: &[usize], round: usize, compared: usize) -> Number {
    let law = literal::law(mechanism, stream);
    let words = law
        .iter()
        .filter(|(word, _)| (word[round].as_bytes()[compared / 2] == b'1') != (compared % 2 == 1));
    words.fold(Number::zero(), |sum, (_, weight)| &sum + weight)
}

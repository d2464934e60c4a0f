//! Algorithm 1 and the potentials of Section 2.1 against references that follow the text: streams
//! one by one, outputs one by one.

mod adversary;
mod agreement;
mod command_line;
mod inequalities;
mod naive;
mod random;
mod values;

use std::path::Path;
use std::rc::Rc;

use littlestone::adversary::{Arguments, Thirds};
use littlestone::catalogue::Standard;
use littlestone::class;
use littlestone::exact::{Number, parse_rational};
use littlestone::limits::Limits;
use littlestone::mechanism::spec::{Context, Spec};
use littlestone::mechanism::{Automaton, Options, Tools, compile};

fn number(text: &str) -> Number {
    parse_rational(text).unwrap().into()
}

/// A learner of the catalogue over POINT3.
fn learner(text: &str, rounds: usize) -> Automaton {
    let class = class::load("point:3").unwrap().class;
    let tools = Some(Tools::new(Rc::new(class), Limits::default()));
    let spec = Spec::parse(text, Path::new("")).unwrap();
    let mechanism =
        Context { tools, catalogue: &Standard, limits: Limits::default() }.resolve(&spec).unwrap();
    compile(&mechanism, &Options::rounds(rounds, Options::STATES)).unwrap()
}

/// Algorithm 1 over the points 1, 2, 3.
fn thirds(rounds: usize, p: &str) -> Thirds {
    let points: Vec<String> = ["1", "2", "3"].map(String::from).into();
    let arguments = Arguments { probability: parse_rational(p).unwrap(), ..Arguments::default() };
    arguments.over(&points, rounds).unwrap()
}

//! The named mechanisms: their laws against the definitions, worst δ with known values, faults in
//! parameters, and the command line.

mod classical;
mod command_line;
mod laws;
use crate::support::literal;
mod online;
mod parameters;
mod parts;
mod privacy;
mod replacing;
mod twins;

use std::path::Path;
use std::rc::Rc;

use littlestone::catalogue::Standard;
use littlestone::class::{self, Class};
use littlestone::error::Result;
use littlestone::exact::{Number, parse_rational};
use littlestone::limits::Limits;
use littlestone::mechanism::spec::{Context, Spec};
use littlestone::mechanism::{Boxed, Tools};

fn number(text: &str) -> Number {
    parse_rational(text).unwrap().into()
}

fn class(name: &str) -> Class {
    class::load(name).unwrap().class
}

/// A mechanism as on the command line; scripts are those of `examples/mechanisms/`.
fn try_mechanism(text: &str, over: &str) -> Result<Boxed> {
    let tools = Some(Tools::new(Rc::new(class(over)), Limits::default()));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/mechanisms");
    Context { tools, catalogue: &Standard, limits: Limits::default() }
        .resolve(&Spec::parse(text, &folder)?)
}

fn mechanism(text: &str, over: &str) -> Boxed {
    try_mechanism(text, over).unwrap()
}

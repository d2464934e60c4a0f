//! `littlestone compile`: a mechanism as an automaton.

use std::cell::RefCell;
use std::path::PathBuf;

use clap::ValueEnum;

use crate::error::Error;
use crate::mechanism::{Kind, Mechanism, Options, compile, table};
use crate::privacy::{self, Neighbours, Streams};
use crate::questions::given::MechanismFields;
use crate::questions::{Heard, Run};

use super::common::{self, LimitArgs};
use super::exit;
use super::files::Files;
use super::output::{Outcome, Output};
use super::question::tell;

/// Print the automaton of a mechanism.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    subject: MechanismFields,
    /// Compile what streams of at most T rounds reach [default: everything, which must be
    /// finite].
    #[arg(long, value_name = "T", value_parser = rounds, allow_hyphen_values = true)]
    rounds: Option<usize>,
    /// Merge states that no stream can tell apart.
    #[arg(long)]
    minimise: bool,
    /// How the automaton is written.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Json)]
    format: Format,
    /// Write to FILE instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table that can be given as MECHANISM again; see docs/schemas.
    Json,
    /// A graph for Graphviz.
    Dot,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone compile subsampled-soa:gamma=1/4 --class point:3
  littlestone compile randomised-response:flip=1/3 --format dot
  littlestone compile learner.rhai --class point:3 --rounds 3 -o learner.json

Without --limit-states an automaton has at most 1000000 states.
`littlestone list mechanisms` shows the named mechanisms. States are numbered in the order of a
breadth-first search, and weights are exact.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    Files::new().inputs(args.subject.files()).output("--output", args.output.as_ref()).check()?;
    let limits = args.limits.limits(output)?;
    let told = RefCell::new(Vec::new());
    let listener = |heard: Heard| told.borrow_mut().push(heard);
    let run = Run::within(limits.clone()).heard_by(&listener);
    let MechanismFields { mechanism, with } = &args.subject;
    let (class, header) = (with.class.as_ref(), with.header.said());
    let subject = run.resolve(mechanism, class, header, Heard::Warning);
    told.take().into_iter().for_each(|heard| tell(heard, output));
    let subject = subject?;
    let mechanism = &subject.mechanism;
    let rounds = args.rounds;
    // A table is read for data sets of every size up to its bound, so it must answer for each.
    let one_shot = mechanism.interface().kind() == Kind::OneShot;
    let sizes = rounds.filter(|_| one_shot).map(|rounds| 0..=rounds);
    let options = Options {
        states: limits.states_or(Options::STATES),
        rounds,
        sizes,
        limits: limits.clone(),
    };
    let mut automaton = compile(mechanism, &options)?;
    let (all, last) = (Streams::all(automaton.interface().records()), automaton.rounds());
    let last = last.unwrap_or(privacy::MAX_ROUNDS);
    subject.note_independence(&automaton, &all, Neighbours::Replacement, last, &run);
    told.take().into_iter().for_each(|heard| tell(heard, output));
    if args.minimise {
        automaton = automaton.minimised_within(&mut limits.meter()).map_err(Error::from)?;
    }
    let mut text = match args.format {
        Format::Json => table::write(&automaton),
        Format::Dot => automaton.to_dot(),
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    match &args.output {
        None => output.document(&text)?,
        Some(path) => {
            common::write_file(path, text.as_bytes())?;
            output.wrote("automaton", path);
        }
    }
    let states = common::count(automaton.len(), "state", "states");
    let transitions = common::count(automaton.transitions(), "transition", "transitions");
    output.note(format_args!("{states}, {transitions}"));
    Ok(exit::EXPECTED)
}

fn rounds(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("expected a number of rounds, at least 1".into()),
        Ok(rounds) => Ok(rounds),
    }
}

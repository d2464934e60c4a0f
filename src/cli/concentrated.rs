//! `littlestone concentrated`: how concentrated a learner is.

use serde_json::{Value, json};

use crate::adversary::{self as lower_bounds, Concentration};
use crate::class::Class;
use crate::exact::{Number, Rational};
use crate::limits::Meter;

use super::common::{self, Format, LimitArgs};
use super::exit;
use super::mechanism::{self, MechanismArgs};
use super::output::{Failure, Outcome, Output};
use super::progress;

/// Decide whether a learner is β-concentrated, as lower bounds before this paper assume.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    mechanism: MechanismArgs,
    /// Number of rounds.
    #[arg(long, value_name = "T", value_parser = mechanism::length, allow_hyphen_values = true)]
    rounds: usize,
    /// The β to decide, in [0, 1]. Without it the least β is printed alone.
    #[arg(long, value_name = "B", value_parser = beta, allow_hyphen_values = true)]
    beta: Option<Rational>,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone concentrated soa-learner --class point:3 --rounds 9
  littlestone concentrated absorbing:E=9/8,beta=1/8 --class point:3 --rounds 9 --beta 1/10

A learner is β-concentrated ([DSS24, Definition 7]; not Definition 7 of the paper) if there are
hypotheses f0, f1 and points x_eq, x_dif with f0(x_eq) = f1(x_eq) = f0(x_dif) ≠ f1(x_dif) such that
on the stream of T examples (x_eq, f0(x_eq)) all its hypotheses have the value f0(x_dif) at x_dif
with probability at least 1 − β.
Exit codes: 0 it is or no β was given, 1 it is not, 2 malformed input, 3 a limit was hit.";

fn beta(text: &str) -> Result<Rational, String> {
    let value = crate::exact::parse_rational(text).map_err(|error| error.to_string())?;
    let unit = Rational::from_integer(0.into())..=Rational::from_integer(1.into());
    if unit.contains(&value) {
        Ok(value)
    } else {
        Err(format!("expected a number in [0, 1], found {value}"))
    }
}

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    let rounds = args.rounds;
    let subject = args.mechanism.load(&limits, output)?;
    let class = subject.class("the hypotheses f0 and f1")?;
    let automaton = subject.automaton(rounds, &limits)?;
    let counters = output.progress();
    counters.enter(format!("{rounds} rounds for each x_eq, x_dif and label"));
    let found = progress::watch(output, || {
        let mut meter = Meter::new(&limits, counters);
        lower_bounds::concentration(&automaton, class, rounds, &mut meter)
    })?;
    let beta = args.beta.clone().map(Number::from);
    let report = Report { args, class, rounds, found, beta };
    match args.format {
        Format::Human => report.human(output)?,
        Format::Json => common::print_json(&report.json(), output)?,
    }
    Ok(if report.holds() == Some(false) { exit::REFUTED } else { exit::EXPECTED })
}

struct Report<'r> {
    args: &'r Args,
    class: &'r Class,
    rounds: usize,
    found: Option<Concentration>,
    beta: Option<Number>,
}

impl Report<'_> {
    fn least(&self) -> Option<Number> {
        self.found.as_ref().map(|found| &Number::one() - &found.probability)
    }

    fn holds(&self) -> Option<bool> {
        let beta = self.beta.as_ref()?;
        Some(self.least().is_some_and(|least| least <= *beta))
    }

    fn human(&self, output: &mut Output<'_>) -> Result<(), Failure> {
        output.line(format_args!("mechanism: {} (learner)", self.args.mechanism.mechanism))?;
        if let Some(name) = &self.args.mechanism.class {
            output.line(common::class_line(name, self.class))?;
        }
        output.line(format_args!("rounds: {}", self.rounds))?;
        match (&self.found, self.least()) {
            (Some(found), Some(least)) => {
                let points = self.class.point_names();
                let (equal, different) = (&points[found.equal], &points[found.different]);
                let label = u8::from(found.label);
                let [first, second] =
                    [found.first, found.second].map(|h| self.class.hypothesis_name(h));
                output.line(format_args!(
                    "most concentrated at: x_eq = {equal}, x_dif = {different}, f0 = {first}, f1 = \
                     {second}"
                ))?;
                output.line(format_args!(
                    "on the stream of {equal}:{label} all hypotheses have label {label} at \
                     {different} with probability {}",
                    shown(&found.probability)
                ))?;
                let least = shown(&least);
                output.line(format_args!("β-concentrated exactly for β ≥ {least}"))?;
            }
            _ => output
                .line("the class has no hypotheses f0, f1 and points x_eq, x_dif as needed")?,
        }
        if let Some(holds) = self.holds() {
            output.line(format_args!("verdict: {}", if holds { "holds" } else { "refuted" }))?;
        }
        Ok(())
    }

    fn json(&self) -> common::Object {
        let mut object = common::object("concentrated");
        let text = |number: &Number| Value::from(number.to_string());
        object.insert("beta", self.beta.as_ref().map_or(Value::Null, text));
        object.insert("class", self.args.mechanism.class.clone().into());
        object.insert("least_beta", self.least().as_ref().map_or(Value::Null, text));
        object.insert("mechanism", self.args.mechanism.mechanism.clone().into());
        object.insert("rounds", self.rounds.into());
        let verdict = self.holds().map(|holds| if holds { "holds" } else { "refuted" });
        object.insert("verdict", verdict.into());
        let points = self.class.point_names();
        let witness = self.found.as_ref().map(|found| {
            json!({
                "f0": self.class.hypothesis_name(found.first),
                "f1": self.class.hypothesis_name(found.second),
                "label": u8::from(found.label),
                "probability": found.probability.to_string(),
                "x_dif": points[found.different],
                "x_eq": points[found.equal],
            })
        });
        object.insert("witness", witness.into());
        object
    }
}

/// An exact number with a decimal where that is shorter.
fn shown(value: &Number) -> String {
    let (exact, decimal) = (value.to_string(), value.decimal(6));
    if exact == decimal { exact } else { format!("{exact} ≈ {decimal}") }
}

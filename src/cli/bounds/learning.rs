//! `littlestone bounds learning`: Theorems A, B, 1 and 2, Table 1 and Figure 1.

use std::collections::BTreeMap;
use std::path::PathBuf;

use num_traits::{One, Signed};

use crate::bounds::learning::{CONSTANTS, Constants, Question, Side, Subject, bounds};
use crate::error::Error;
use crate::exact::{BigInt, BigUint, Epsilon, Number, Rational, parse_rational};
use crate::limits::Stopped;
use crate::littlestone::Solver;
use crate::mechanism::expression;
use crate::report::bounds as report;

use crate::cli::common::{self, ClassArgs, Format, LimitArgs};
use crate::cli::exit;
use crate::cli::files::Files;
use crate::cli::mechanism;
use crate::cli::output::{Outcome, Output};
use crate::cli::progress;

/// Lower and upper bounds on the expected mistakes of private online learners (Theorems A, B, 1, 2,
/// Table 1, Figure 1), each with its hypotheses decided.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct Args {
    /// The class: a file (CSV, 0/1 text or JSON), or a family such as `point:3`.
    #[arg(long, value_name = "CLASS", required_unless_present = "d")]
    class: Option<String>,
    #[command(flatten)]
    reading: ClassArgs,
    /// The Littlestone dimension, when there is no class at hand.
    #[arg(long, value_name = "D", value_parser = common::number::<usize>, conflicts_with = "class",
          allow_hyphen_values = true)]
    d: Option<usize>,
    /// The number of rounds, such as 1000 or 10^6.
    #[arg(long, value_name = "T", value_parser = rounds, allow_hyphen_values = true)]
    rounds: BigUint,
    /// The ε: a rational number such as 1/100, or a logarithm such as `ln(3/2)`.
    #[arg(long, value_name = "E", value_parser = mechanism::epsilon, allow_hyphen_values = true)]
    epsilon: Epsilon,
    /// The δ, a rational number in [0, 1).
    #[arg(long, value_name = "D", value_parser = mechanism::delta, allow_hyphen_values = true)]
    delta: Number,
    /// The β of β-concentrated learners, a rational number in [0, 1].
    #[arg(long, value_name = "B", value_parser = beta, default_value = "1/10",
          allow_hyphen_values = true)]
    beta: Rational,
    /// The value of a constant that its source leaves unspecified, 1 if it is not given.
    #[arg(long = "constant", value_name = "NAME=C", value_parser = constant)]
    constants: Vec<(String, Rational)>,
    /// Draw the bounds over δ, as in Figure 1, to an SVG file.
    #[arg(long, value_name = "FILE.svg", value_parser = common::svg)]
    plot: Option<PathBuf>,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone bounds learning --class point:3 --rounds 10^6 --epsilon 1/100 --delta 1/20
  littlestone bounds learning --d 5 --rounds 10^9 --epsilon 1/2 --delta 0
  littlestone bounds learning --class point:3 --rounds 10^6 --epsilon 1/100 --delta 1/20 --plot f.svg
  littlestone bounds learning --d 2 --rounds 81 --epsilon 1 --delta 0 --constant theorem-2=1/100

Logarithms are natural. Names of constants: theorem-1, theorem-2, dss24, cln24, lwy24, figure-1,
lwy25, lyu26. A value is cut to six decimals; --format json has rational bounds on it.
Exit codes: 0 some lower bound applies, 2 none does or the input is malformed, 3 undecided.";

/// The greatest number of bits of T: with more, a logarithm takes minutes.
const ROUNDS_BITS: u64 = 1 << 16;

fn rounds(text: &str) -> Result<BigUint, String> {
    let value = expression::evaluate(text, &BTreeMap::new()).map_err(|error| error.to_string())?;
    value
        .as_rational()
        .filter(|value| value.is_integer() && value.is_positive())
        .and_then(|value| BigInt::to_biguint(value.numer()))
        .filter(|rounds| rounds.bits() <= ROUNDS_BITS)
        .ok_or_else(|| {
            format!(
                "expected a number of rounds, at least 1 and below 2^{ROUNDS_BITS}, such as 1000 or \
                 10^6"
            )
        })
}

fn beta(text: &str) -> Result<Rational, String> {
    let beta = parse_rational(text).map_err(|error| error.to_string())?;
    if !beta.is_negative() && beta <= Rational::one() {
        Ok(beta)
    } else {
        Err("expected a β from 0 to 1".into())
    }
}

fn constant(text: &str) -> Result<(String, Rational), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=C, such as theorem-1=1/100")?;
    if !CONSTANTS.contains(&name) {
        return Err(format!("expected one of {}, found `{name}`", CONSTANTS.join(", ")));
    }
    let value = parse_rational(value).map_err(|error| error.to_string())?;
    if value.is_positive() {
        Ok((name.to_owned(), value))
    } else {
        Err("expected a constant that is positive".into())
    }
}

pub(in crate::cli) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    Files::new().class(args.class.as_deref()).output("--plot", args.plot.as_ref()).check()?;
    let (name, subject) = match (&args.class, args.d) {
        (Some(name), _) => {
            let class = common::load(name, args.reading, &limits, output)?;
            let solver = Solver::new(&class, limits).seen_in(output.progress());
            let dimension = progress::watch(output, || solver.dimension());
            let Some(dimension) = dimension.value() else {
                let stopped = dimension.stopped.unwrap_or(Stopped::Elsewhere);
                let message =
                    format!("the Littlestone dimension of {name} is not known: {stopped}");
                return Err(Error::limit(stopped, message).into());
            };
            let dimension = usize::try_from(dimension).map_err(|_| {
                Error::argument(format!("--class {name}: expected a class with a function"))
            })?;
            (name.clone(), Subject::of_class(&class, dimension))
        }
        (None, Some(d)) => (format!("any with d = {d}"), Subject::of_dimension(d)),
        (None, None) => return Err(Error::argument("expected --class or --d").into()),
    };
    let question = question(args, subject)?;
    match args.format {
        Format::Human => output.lines(&report::human(&name, &question))?,
        Format::Json => common::print_json(&report::json(&name, &question), output)?,
    }
    if let Some(path) = &args.plot {
        output.making_files()?;
        let drawing = report::draw(&name, &question)?;
        common::write_file(path, drawing.as_bytes())?;
        output.wrote("plot", path);
    }
    if bounds(&question).iter().any(|bound| bound.side == Side::Lower && bound.applies()) {
        Ok(exit::EXPECTED)
    } else {
        Err(Error::argument("no lower bound applies; what each one asks for is listed above")
            .into())
    }
}

fn question(args: &Args, subject: Subject) -> crate::error::Result<Question> {
    let mut constants = Constants::default();
    for (name, value) in &args.constants {
        if constants.is_set(name) {
            return Err(Error::argument(format!("--constant: {name} is given twice")));
        }
        constants.set(name, value.clone());
    }
    Ok(Question {
        subject,
        rounds: args.rounds.clone(),
        epsilon: args.epsilon.clone(),
        delta: args.delta.clone(),
        beta: args.beta.clone(),
        constants,
    })
}

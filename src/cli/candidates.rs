//! `littlestone candidates`: a run of Algorithm 2 as a table, or the law of what it returns.

mod show;

use std::path::Path;

use crate::catalogue::Select;
use crate::catalogue::candidates::{
    Algorithm, Fault, Function, Likely, Parameters, Seeded, Variant,
};
use crate::class::{Class, read_stream};
use crate::error::{Error, Result};
use crate::exact::{BigInt, Number, Rational, parse_rational};
use crate::limits::{Limits, Stopped};
use crate::littlestone::Solver;

use super::common::{self, ClassArgs, Format, LimitArgs};
use super::exit;
use super::output::{Outcome, Output};

/// Show a run of Algorithm 2, the private candidate sequence: batches, groups, lists, choices.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// A file (CSV, 0/1 text or JSON), or a family such as `cube:4`.
    class: String,
    #[command(flatten)]
    reading: ClassArgs,
    /// The labelled examples: `x:y,x:y,…` with point names x and labels y, or a file of them.
    #[arg(long, value_name = "FILE|x:y,…")]
    stream: String,
    /// n, the size of a full sample.
    #[arg(long = "n", value_name = "N", value_parser = size, allow_hyphen_values = true,
          default_value_t = 1)]
    sample: usize,
    /// k, the number of groups.
    #[arg(long = "k", value_name = "N", value_parser = size, allow_hyphen_values = true,
          default_value_t = 1)]
    groups: usize,
    /// N, the number of candidates beside `h_0`.
    #[arg(long = "N", value_name = "N", value_parser = size, allow_hyphen_values = true,
          default_value_t = 2)]
    candidates: usize,
    /// K, the size of a full batch [default: 2kn, as in the paper].
    #[arg(long = "K", value_name = "N", value_parser = size, allow_hyphen_values = true)]
    batch: Option<usize>,
    /// d, at least the Littlestone dimension of the class, which it is by default.
    #[arg(long, value_name = "D", value_parser = ambient, allow_hyphen_values = true)]
    ambient: Option<i32>,
    /// q, the base of Select's weights q^c, above 1.
    #[arg(long, value_name = "Q", default_value = "2", conflicts_with = "a", value_parser = exact,
          allow_hyphen_values = true)]
    q: Rational,
    /// In place of q, a rational a > 0 with q = e^(a/2).
    #[arg(long, value_name = "A", value_parser = exact, allow_hyphen_values = true)]
    a: Option<Rational>,
    /// B, the score of ⊥ in Select: an integer with q, a rational with a
    /// [default: 3k/4, rounded up].
    #[arg(long = "B", value_name = "B", value_parser = exact, allow_hyphen_values = true)]
    score: Option<Rational>,
    /// The thresholds `a_0,…,a_d` [default: the paper's, 1/8 − ℓ/(32(d+1))].
    #[arg(long, value_name = "A,…", value_delimiter = ',', value_parser = exact,
          allow_hyphen_values = true)]
    thresholds: Vec<Rational>,
    /// The list parameters `p_0,…,p_d` [default: the paper's, 2^ℓ n].
    #[arg(long, value_name = "P,…", value_delimiter = ',', value_parser = list,
          allow_hyphen_values = true)]
    lists: Vec<u32>,
    /// `h_0`, as labels in point order [default: 0 at every point].
    #[arg(long, value_name = "LABELS")]
    first: Option<String>,
    /// The algorithm of the paper, or a misreading of it.
    #[arg(long, value_name = "NAME", value_parser = variant, default_value = "paper")]
    variant: Named,
    /// Draw the random choices with this seed; otherwise each one is a most likely option.
    #[arg(long, value_name = "SEED", value_parser = common::number::<u64>,
          allow_hyphen_values = true)]
    seed: Option<u64>,
    /// The exact law of what is returned, in place of one run.
    #[arg(long, conflicts_with = "seed")]
    all: bool,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

/// A variant with its name.
#[derive(Debug, Clone, Copy)]
struct Named(&'static str, Variant);

const AFTER_HELP: &str = "\
Examples:
  littlestone candidates point:3 --stream 1:1,2:0,1:1 --k 2
  littlestone candidates cube:2 --stream 1:1,2:1 --n 1 --k 1 --N 2 --K 1 --seed 7
  littlestone candidates point:3 --stream 1:1 --all --format json

All parameters are free. What the paper asks of them is printed with whether it holds; the paper's
own values cannot be run. In the table, each call of Select has a row for each group: what the group
stored of this batch, how many hypotheses fit all of its samples, their decomposition dimension and
essential hypotheses. Without a seed every choice is a most likely one, the first among several, and
records go to the groups in turn. The same seed gives the same run for ever.";

fn exact(text: &str) -> std::result::Result<Rational, String> {
    parse_rational(text).map_err(|error| format!("expected a rational number: {error}"))
}

/// Numbers that are out of range are refused with the other parameters.
fn size(text: &str) -> std::result::Result<usize, String> {
    text.parse().map_err(|_| format!("expected a number from 1 to {}", Parameters::GREATEST_SIZE))
}

fn ambient(text: &str) -> std::result::Result<i32, String> {
    text.parse()
        .map_err(|_| format!("expected a number from 0 to {}", Parameters::GREATEST_AMBIENT))
}

fn list(text: &str) -> std::result::Result<u32, String> {
    text.parse().map_err(|_| format!("expected numbers from 1 to {}", u32::MAX))
}

fn variant(text: &str) -> std::result::Result<Named, String> {
    let found = Variant::ALL.iter().find(|(name, _)| *name == text);
    found.map(|&(name, variant)| Named(name, variant)).ok_or_else(|| {
        let names: Vec<&str> = Variant::ALL.iter().map(|(name, _)| *name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    let class = common::load(&args.class, args.reading, &limits, output)?;
    let stream = read_stream(&class, &args.stream, Path::new(""), "--stream")?;
    match answer(args, &class, &stream, &limits) {
        Ok(shown) => {
            match args.format {
                Format::Human => output.lines(&show::human(&shown, args)?)?,
                Format::Json => common::print_json(&show::json(&shown, args)?, output)?,
            }
            Ok(exit::EXPECTED)
        }
        Err(Fault::Input(error)) => Err(error.into()),
        Err(Fault::Stopped(stopped)) => Err(Error::from(stopped).into()),
    }
}

/// What is shown.
struct Shown<'a> {
    class: &'a Class,
    stream: &'a [(usize, bool)],
    algorithm: Algorithm,
    what: What,
}

enum What {
    Run(crate::catalogue::candidates::Run),
    Law(Vec<(Vec<Function>, Number)>),
}

fn answer<'a>(
    args: &Args,
    class: &'a Class,
    stream: &'a [(usize, bool)],
    limits: &Limits,
) -> std::result::Result<Shown<'a>, Fault> {
    let ambient = if let Some(ambient) = args.ambient {
        ambient
    } else {
        let found = Solver::new(class, limits.clone()).dimension();
        found.value().ok_or(Fault::Stopped(found.stopped.unwrap_or(Stopped::Elsewhere)))?
    };
    let algorithm = Algorithm::new(class, parameters(args, class, ambient)?, limits)?;
    let what = if args.all {
        let law = algorithm.law(stream, limits)?;
        let mut law = law.into_vec();
        law.sort_by(|a, b| a.0.cmp(&b.0));
        What::Law(law)
    } else {
        What::Run(match args.seed {
            Some(seed) => algorithm.run(stream, &mut Seeded::new(seed))?,
            None => algorithm.run(stream, &mut Likely)?,
        })
    };
    Ok(Shown { class, stream, algorithm, what })
}

fn parameters(args: &Args, class: &Class, ambient: i32) -> Result<Parameters> {
    Parameters::check_ambient(ambient)?;
    Parameters::check_size("k", args.groups)?;
    let score = args
        .score
        .clone()
        .unwrap_or_else(|| Rational::new(BigInt::from(args.groups) * 3, 4.into()).ceil());
    let select = match &args.a {
        Some(a) => Select::with_exponentials(a, &score)?,
        None => Select::with_powers(&args.q.clone().into(), &score.clone().into())?,
    };
    let first = match &args.first {
        None => Function::zero(class.points()),
        Some(text) => Function::new(text).ok_or_else(|| {
            Error::argument(format!("--first: expected labels 0 and 1, found `{text}`"))
        })?,
    };
    let twice = args.groups.checked_mul(args.sample).and_then(|kn| kn.checked_mul(2));
    let thresholds = if args.thresholds.is_empty() {
        Parameters::paper_thresholds(ambient)
    } else {
        args.thresholds.clone()
    };
    let lists = if args.lists.is_empty() {
        Parameters::paper_lists(ambient, args.sample)?
    } else {
        args.lists.clone()
    };
    Ok(Parameters {
        ambient,
        sample: args.sample,
        groups: args.groups,
        list_bound: usize::try_from(Parameters::paper_list_bound(ambient, args.sample))
            .unwrap_or(usize::MAX),
        candidates: args.candidates,
        batch: args.batch.or(twice).unwrap_or(usize::MAX),
        thresholds,
        lists,
        first,
        select,
        score,
        variant: args.variant.1,
    })
}

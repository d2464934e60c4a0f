//! `littlestone soa`: the Standard Optimal Algorithm against a stream, round by round.

use clap::ValueEnum;
use serde_json::{Value, json};

use std::path::Path;

use crate::class::{Class, read_stream};
use crate::error::{Error, Result};
use crate::littlestone::Solver;
use crate::littlestone::soa::{self, OnInconsistent, Round, RunError};

use super::common::{self, ClassArgs, Format, LimitArgs};
use super::exit;
use super::output::{Failure, Outcome, Output};
use super::progress;

/// Play the Standard Optimal Algorithm against a stream, round by round.
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
    /// What to do once no hypothesis fits the stream.
    #[arg(long, value_enum, default_value_t = Policy::Error, value_name = "POLICY")]
    on_inconsistent: Policy,
    /// The fixed public function of `--on-inconsistent fixed`, as labels in point order
    /// [default: 0 at every point].
    #[arg(long, value_name = "LABELS")]
    public: Option<String>,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Policy {
    /// Refuse the stream, with exit code 2.
    Error,
    /// From the next round on, predict with the fixed public function.
    Fixed,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone soa point:3 --stream 3:0,1:1
  littlestone soa class.csv --stream stream.txt --format json
  littlestone soa point:3 --stream 1:1,2:1,3:0 --on-inconsistent fixed --public 001

For each round: the number of hypotheses that fit all earlier rounds, their Littlestone
dimension, the prediction, the label, and whether it was a mistake. A file holds examples on
lines, with comments after #; `-` is standard input.
The prediction at x is 0 iff label 0 at x keeps the dimension, so a tie predicts 1.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let limits = args.limits.limits(output)?;
    let class = common::load(&args.class, args.reading, &limits, output)?;
    let policy = policy(args, &class)?;
    let stream = read_stream(&class, &args.stream, Path::new(""), "--stream")?;
    if stream.is_empty() {
        return Err(Error::argument_with_help(
            "--stream: expected at least one labelled example, found none",
            "a stream is a file, or examples such as `x:0,y:1`",
        )
        .into());
    }
    let solver = Solver::new(&class, limits).seen_in(output.progress());
    let played = progress::watch(output, || soa::run(&solver, &stream, &policy));
    match played {
        Ok(rounds) => {
            match args.format {
                Format::Human => human(args, &class, &rounds, output)?,
                Format::Json => json(args, &class, &rounds, output)?,
            }
            Ok(exit::EXPECTED)
        }
        Err(RunError::Inconsistent { round }) => {
            let message = format!(
                "--stream: no hypothesis fits the stream up to and including round {round}"
            );
            let help = "--on-inconsistent fixed goes on with a fixed public function";
            Err(Error::argument_with_help(message, help).into())
        }
        Err(ref error @ RunError::Stopped { reason, .. }) => {
            Err(Error::limit(reason, error.to_string()).into())
        }
    }
}

fn policy(args: &Args, class: &Class) -> Result<OnInconsistent> {
    match (args.on_inconsistent, &args.public) {
        (Policy::Error, None) => Ok(OnInconsistent::Refuse),
        (Policy::Error, Some(_)) => Err(Error::argument_with_help(
            "--public has no effect without --on-inconsistent fixed",
            "add --on-inconsistent fixed",
        )),
        (Policy::Fixed, None) => Ok(OnInconsistent::Fixed(vec![false; class.points()])),
        (Policy::Fixed, Some(text)) => labels(text, class.points()).map(OnInconsistent::Fixed),
    }
}

fn labels(text: &str, points: usize) -> Result<Vec<bool>> {
    let read: Vec<bool> = text
        .chars()
        .enumerate()
        .map(|(i, symbol)| match symbol {
            '0' => Ok(false),
            '1' => Ok(true),
            other => Err(Error::argument(format!(
                "--public: expected 0 or 1 at place {}, found {other:?}",
                i + 1
            ))),
        })
        .collect::<Result<_>>()?;
    if read.len() == points {
        return Ok(read);
    }
    Err(Error::argument(format!(
        "--public: expected {}, one for each point, found {}",
        common::count(points, "label", "labels"),
        read.len()
    )))
}

fn mistakes(rounds: &[Round]) -> usize {
    rounds.iter().filter(|round| round.mistake()).count()
}

const HEADER: [&str; 7] =
    ["round", "point", "hypotheses", "Littlestone dimension", "prediction", "label", "mistake"];

fn human(
    args: &Args,
    class: &Class,
    rounds: &[Round],
    output: &mut Output<'_>,
) -> std::result::Result<(), Failure> {
    output.line(common::class_line(&args.class, class))?;
    let mut table = vec![HEADER.map(String::from)];
    table.extend(rounds.iter().enumerate().map(|(index, round)| {
        [
            (index + 1).to_string(),
            class.point_names()[round.point].clone(),
            round.version_space.to_string(),
            round.dimension.to_string(),
            u8::from(round.prediction).to_string(),
            u8::from(round.label).to_string(),
            if round.mistake() { "yes" } else { "no" }.to_owned(),
        ]
    }));
    let widths: Vec<usize> = (0..HEADER.len())
        .map(|column| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    for row in &table {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:>width$}")).collect();
        output.line(cells.join("  "))?;
    }
    output.line(format_args!("mistakes: {}", mistakes(rounds)))?;
    Ok(())
}

fn json(
    args: &Args,
    class: &Class,
    rounds: &[Round],
    output: &mut Output<'_>,
) -> std::result::Result<(), Failure> {
    let mut object = common::object("soa");
    object.insert("class", Value::from(args.class.as_str()));
    object.insert("hypotheses", Value::from(class.hypotheses()));
    object.insert("points", Value::from(class.points()));
    object.insert("mistakes", Value::from(mistakes(rounds)));
    let rounds = rounds.iter().map(|round| {
        // Written in sorted order, so that it stays so if the JSON library keeps insertion order.
        json!({
            "hypotheses": round.version_space,
            "label": u8::from(round.label),
            "littlestone_dimension": round.dimension,
            "mistake": round.mistake(),
            "point": class.point_names()[round.point],
            "prediction": u8::from(round.prediction),
        })
    });
    object.insert("rounds", rounds.collect());
    common::print_json(&object, output)
}

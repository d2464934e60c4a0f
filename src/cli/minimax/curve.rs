//! `littlestone minimax --curve`.

use num_traits::One;

use serde_json::{Value, json};

use crate::class::Class;
use crate::error::Error;
use crate::exact::{Epsilon, Rational, enclose_ln, rational};
use crate::limits::Limits;
use crate::minimax::{Against, Bounds, curve};
use crate::report::minimax::{self as report, Axis, Row};

use super::super::common;
use super::super::exit;
use super::super::output::{Outcome, Output};
use super::{Args, Curve, Format, Question};

/// Binary digits of the places where values are drawn.
const BITS: u64 = 64;

pub(super) fn run(
    args: &Args,
    which: Curve,
    class: &Class,
    limits: &Limits,
    output: &mut Output<'_>,
) -> Outcome {
    let (axis, rows, stopped) = match which {
        Curve::Delta => delta(args, class, limits, output)?,
        Curve::Rounds => rounds(args, class, limits, output)?,
        Curve::Epsilon => epsilons(args, class, limits, output)?,
    };
    if let Some(path) = &args.plot {
        let game = if args.joint { "joint-private prediction" } else { "online learning" };
        let game = format!("{game}, {}", args.class);
        let svg = report::draw(axis, &rows, &game, &setting(args, which))?;
        common::write_file(path, svg.as_bytes())?;
        output.wrote("drawing", path);
    }
    match args.format {
        Format::Human => {
            output.line(common::class_line(&args.class, class))?;
            output.line(setting(args, which))?;
            output.text(&report::human(axis, &rows))?;
            if stopped {
                output.line("verdict: undecided")?;
            }
        }
        Format::Csv => output.text(&report::csv(axis, &rows))?,
        Format::Json => {
            let mut object = common::object("minimax");
            object.insert("class", args.class.clone().into());
            object.insert("curve", axis_name(which).into());
            object.insert("notion", if args.joint { "joint" } else { "whole" }.into());
            let table = rows.iter().map(|row| {
                json!({
                    "at": row.label,
                    "lower": rational::show(&row.lower),
                    "upper": rational::show(&row.upper),
                })
            });
            object.insert("table", Value::Array(table.collect()));
            object.insert("undecided", stopped.into());
            common::print_json(&object, output)?;
        }
    }
    Ok(if stopped { exit::UNDECIDED } else { exit::EXPECTED })
}

fn axis_name(which: Curve) -> &'static str {
    match which {
        Curve::Delta => "delta",
        Curve::Rounds => "rounds",
        Curve::Epsilon => "epsilon",
    }
}

/// What is the same for all rows.
fn setting(args: &Args, which: Curve) -> String {
    let epsilon = format!("ε = {}", args.epsilon[0]);
    let delta = format!("δ = {}", args.delta);
    let rounds = format!("T = {}", args.rounds.first);
    match which {
        Curve::Delta => format!("{rounds}, {epsilon}"),
        Curve::Rounds => format!("{epsilon}, {delta}"),
        Curve::Epsilon => format!("{rounds}, {delta}"),
    }
}

type Table = (Axis, Vec<Row>, bool);

fn delta(
    args: &Args,
    class: &Class,
    limits: &Limits,
    output: &mut Output<'_>,
) -> Result<Table, Error> {
    let question = Question::new(args, class, args.rounds.first, &args.epsilon[0], limits)?;
    if question.privacy.low != question.privacy.high {
        return Err(Error::argument_with_help(
            "--curve delta: expected an ε with a rational e^ε",
            "as in `--epsilon 'ln(2)'`",
        ));
    }
    match curve::curve(&question.game, &question.group, &question.privacy, limits.deadline) {
        Ok(corners) => {
            let row = |corner: curve::Corner| Row {
                label: rational::show(&corner.delta),
                place: corner.delta,
                lower: corner.value.clone(),
                upper: corner.value,
            };
            Ok((Axis::Delta, corners.into_iter().map(row).collect(), false))
        }
        Err(unknown) => {
            let at = rational::show(&unknown.delta);
            output.warning(format_args!("no exact value was found at δ = {at}"));
            let row = row(at, unknown.delta.clone(), &unknown.bounds);
            Ok((Axis::Delta, vec![row], true))
        }
    }
}

fn row(label: String, place: Rational, bounds: &Bounds) -> Row {
    let (lower, upper) = (bounds.lower.bound.clone(), bounds.upper.bound.clone());
    Row { label, place, lower, upper }
}

fn rounds(
    args: &Args,
    class: &Class,
    limits: &Limits,
    output: &mut Output<'_>,
) -> Result<Table, Error> {
    let (mut rows, mut stopped) = (Vec::new(), false);
    // The largest program is refused first.
    Question::new(args, class, args.rounds.last, &args.epsilon[0], limits)?;
    for rounds in args.rounds.all() {
        let question = Question::new(args, class, rounds, &args.epsilon[0], limits)?;
        let bounds = question.solve(&Against::Worst, limits, output);
        stopped |= bounds.stopped;
        rows.push(row(rounds.to_string(), Rational::from_integer(rounds.into()), &bounds));
    }
    Ok((Axis::Rounds, rows, stopped))
}

fn epsilons(
    args: &Args,
    class: &Class,
    limits: &Limits,
    output: &mut Output<'_>,
) -> Result<Table, Error> {
    let (mut rows, mut stopped) = (Vec::new(), false);
    for epsilon in &args.epsilon {
        let question = Question::new(args, class, args.rounds.first, epsilon, limits)?;
        let bounds = question.solve(&Against::Worst, limits, output);
        stopped |= bounds.stopped;
        let place = match epsilon {
            Epsilon::Rational(value) => value.clone(),
            Epsilon::Ln(factor) => {
                let factor = factor.clone().max(Rational::one());
                enclose_ln(&factor, BITS).expect("at least 1").low()
            }
        };
        rows.push(row(epsilon.to_string(), place, &bounds));
    }
    rows.sort_by(|a, b| a.place.cmp(&b.place));
    Ok((Axis::Epsilon, rows, stopped))
}

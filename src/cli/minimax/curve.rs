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
        Curve::Rounds | Curve::Epsilon => grid(args, which, class, limits, output)?,
    };
    // A curve that is not known has one row.
    if let Some(path) = args.plot.as_ref().filter(|_| !stopped || rows.len() > 1) {
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
            output.lines(&report::human(axis, &rows))?;
            if stopped {
                output.line("verdict: undecided")?;
            }
        }
        Format::Csv => {
            output.document(&report::csv(axis, &rows))?;
            if stopped {
                output.line("# verdict: undecided")?;
            }
        }
        Format::Json => {
            let mut object = common::object("minimax");
            object.insert("class", args.class.clone().into());
            object.insert("curve", axis_name(which).into());
            object.insert("notion", if args.joint { "joint" } else { "whole" }.into());
            let table = rows.iter().map(|row| {
                let mut json = json!({
                    "at": row.label,
                    "lower": rational::show(&row.lower),
                    "upper": rational::show(&row.upper),
                });
                if let Some(series) = &row.series {
                    json["series"] = series.clone().into();
                }
                json
            });
            object.insert("table", Value::Array(table.collect()));
            object.insert("undecided", stopped.into());
            if stopped {
                object.insert("verdict", "undecided".into());
            }
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
    let delta = format!("δ = {}", args.delta());
    let rounds = format!("T = {}", args.rounds.first);
    match which {
        Curve::Delta => format!("{rounds}, {epsilon}"),
        Curve::Rounds if args.epsilon.len() == 1 => format!("{epsilon}, {delta}"),
        Curve::Epsilon if !args.rounds.range => format!("{rounds}, {delta}"),
        Curve::Rounds | Curve::Epsilon => delta,
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
    if !question.privacy.is_rational() {
        return Err(Error::argument_with_help(
            "--curve delta: expected an ε with a rational e^ε",
            "as in `--epsilon 'ln(2)'`",
        ));
    }
    match curve::curve(&question.game, &question.group, &question.privacy, limits) {
        Ok(corners) => {
            let row = |corner: curve::Corner| Row {
                series: None,
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
    Row { series: None, label, place, lower, upper }
}

/// A row for each number of rounds and each ε: those of one ε together, or those of one number of
/// rounds.
fn grid(
    args: &Args,
    which: Curve,
    class: &Class,
    limits: &Limits,
    output: &mut Output<'_>,
) -> Result<Table, Error> {
    let (mut rows, mut stopped) = (Vec::new(), false);
    // The largest program is refused first.
    Question::new(args, class, args.rounds.last, &args.epsilon[0], limits)?;
    let mut epsilons: Vec<(Rational, &Epsilon)> =
        args.epsilon.iter().map(|epsilon| (place(epsilon), epsilon)).collect();
    epsilons.sort_by(|a, b| a.0.cmp(&b.0));
    let rounds: Vec<usize> = args.rounds.all().collect();
    let mut at = |rounds: usize, (place, epsilon): &(Rational, &Epsilon)| {
        let question = Question::new(args, class, rounds, epsilon, limits)?;
        let bounds = question.solve(&Against::Worst, limits, output);
        stopped |= bounds.stopped.is_some();
        let (of_rounds, of_epsilon) = (rounds.to_string(), epsilon.to_string());
        rows.push(if which == Curve::Rounds {
            let series = (args.epsilon.len() > 1).then_some(of_epsilon);
            Row { series, ..row(of_rounds, Rational::from_integer(rounds.into()), &bounds) }
        } else {
            let series = args.rounds.range.then_some(of_rounds);
            Row { series, ..row(of_epsilon, place.clone(), &bounds) }
        });
        Ok::<(), Error>(())
    };
    if which == Curve::Rounds {
        for epsilon in &epsilons {
            rounds.iter().try_for_each(|&rounds| at(rounds, epsilon))?;
        }
    } else {
        for &rounds in &rounds {
            epsilons.iter().try_for_each(|epsilon| at(rounds, epsilon))?;
        }
    }
    let axis = if which == Curve::Rounds { Axis::Rounds } else { Axis::Epsilon };
    Ok((axis, rows, stopped))
}

/// Where an ε is drawn.
fn place(epsilon: &Epsilon) -> Rational {
    match epsilon {
        Epsilon::Rational(value) => value.clone(),
        Epsilon::Ln(factor) => {
            let factor = factor.enclosure(BITS).0.max(Rational::one());
            enclose_ln(&factor, BITS).expect("at least 1").low()
        }
    }
}

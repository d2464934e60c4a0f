//! The report of `profile` for reading.

use super::{Asked, Curve, epsilon, epsilon_decimal, length_name, pair};
use crate::exact::Number;
use crate::mechanism::Kind;
use crate::privacy::Piece;
use crate::report::privacy::{Adjacency, neighbours, notion, with_decimal};
use crate::text::Lines;

/// Digits after the point in the table.
const SHORT: u32 = 6;

/// The report: one part for each mechanism, separated by empty lines.
pub fn human(asked: &Asked<'_>, curves: &[Curve<'_>]) -> Lines {
    let mut text = Lines::new();
    for (index, curve) in curves.iter().enumerate() {
        if index > 0 {
            text.push("");
        }
        part(&mut text, asked, curve);
    }
    if curves.iter().any(|curve| curve.profile.stopped.is_some()) {
        text.push("verdict: undecided");
    }
    text
}

fn part(text: &mut Lines, asked: &Asked<'_>, curve: &Curve<'_>) {
    let mut line = |name: &str, value: &str| writeln!(text, "{name}: {value}");
    let kind = curve.automaton.interface().kind();
    let states = curve.automaton.len();
    let states = format!("{states} {}", if states == 1 { "state" } else { "states" });
    line("mechanism", &format!("{} ({kind}, {states})", curve.mechanism));
    if let Some(class) = asked.class {
        line("class", class);
    }
    line("notion", notion(asked.notion));
    line("neighbours", &neighbours(asked.adjacency, asked.scope, kind));
    if let Some(rounds) = asked.rounds {
        line(length_name(kind), &lengths(asked.adjacency, rounds));
    }
    table(text, curve, kind);
    answers(text, asked, curve);
}

fn lengths(adjacency: Adjacency, rounds: usize) -> String {
    match adjacency {
        Adjacency::AddRemove => format!("{rounds} and {}", rounds - 1),
        _ => rounds.to_string(),
    }
}

/// One line for each linear piece.
fn table(text: &mut Lines, curve: &Curve<'_>, kind: Kind) {
    let what = if kind == Kind::OneShot { "data sets" } else { "streams" };
    let attained = format!("attained by the {what} S and S'");
    let mut cells: Vec<[String; 5]> =
        vec![["from e^ε", "ε", "δ", "and on", &attained].map(String::from)];
    cells.extend(curve.profile.pieces.iter().map(|piece| row(curve, piece)));
    let width = |column: usize| -> usize {
        cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
    };
    let widths = [width(0), width(1), width(2), width(3)];
    for [factor, epsilon, delta, rule, pair] in &cells {
        let row = format!(
            "{factor:<0$}  {epsilon:<1$}  {delta:<2$}  {rule:<3$}  {pair}",
            widths[0], widths[1], widths[2], widths[3]
        );
        text.push(row.trim_end());
    }
}

fn row(curve: &Curve<'_>, piece: &Piece) -> [String; 5] {
    let factor = &piece.from;
    let simple = factor.is_one();
    let written = epsilon(factor);
    let epsilon =
        if simple { written } else { format!("{written} = {}", epsilon_decimal(factor, SHORT)) };
    let delta = piece.at(factor);
    let sign = if piece.proved { "" } else { "≥ " };
    let delta = if delta.as_rational().is_some_and(num_rational::BigRational::is_integer) {
        format!("{sign}{delta}")
    } else {
        format!("{sign}{delta} = {}", delta.decimal(SHORT))
    };
    let pair = match &piece.attained_by {
        Some(streams) => pair(curve, streams).join(" | "),
        None => "every pair, for no output is too likely".to_owned(),
    };
    [factor.to_string(), epsilon, delta, rule(piece), pair]
}

/// `3/8 − 1/8·e^ε`.
fn rule(piece: &Piece) -> String {
    let bracketed = |value: &Number| match value.as_rational() {
        Some(_) => value.to_string(),
        None => format!("({value})"),
    };
    if piece.second.is_zero() {
        return piece.first.to_string();
    }
    let factor = if piece.second.is_one() {
        "e^ε".to_owned()
    } else {
        format!("{}·e^ε", bracketed(&piece.second))
    };
    format!("{} − {factor}", bracketed(&piece.first))
}

fn answers(text: &mut Lines, asked: &Asked<'_>, curve: &Curve<'_>) {
    let profile = &curve.profile;
    let mut line = |name: &str, proved: bool, value: &str| {
        let sign = if proved { "" } else { "at least " };
        writeln!(text, "{name}: {sign}{value}");
    };
    let at = |factor: &Number| (profile.proves(factor), with_decimal(&profile.at(factor)));
    let (proved, delta) = at(&Number::one());
    line("δ at ε = 0", proved, &delta);
    if let Some(epsilon) = asked.epsilon {
        let (proved, delta) = at(&epsilon.factor());
        line(&format!("δ at ε = {epsilon}"), proved, &delta);
    }
    if let Some(delta) = asked.delta {
        let (proved, epsilon) = least(curve, delta);
        line(&format!("least ε for δ = {delta}"), proved, &epsilon);
    }
    let (proved, epsilon) = least(curve, &Number::zero());
    line("least ε for δ = 0", proved, &epsilon);
}

/// The least ε for a δ, and whether it is proved.
fn least(curve: &Curve<'_>, delta: &Number) -> (bool, String) {
    let profile = &curve.profile;
    match profile.least_factor(delta) {
        Some(factor) if factor.is_one() => (profile.proves(&factor), "0".to_owned()),
        Some(factor) => {
            let decimal = epsilon_decimal(&factor, super::DIGITS);
            (profile.proves(&factor), format!("{} = {decimal}", epsilon(&factor)))
        }
        None => {
            // Even a lower bound on the profile shows this.
            let last = &profile.pieces[profile.pieces.len() - 1];
            let sign = if last.proved { "tends to" } else { "does not fall below" };
            (true, format!("none, for δ {sign} {} as ε grows", with_decimal(profile.limit())))
        }
    }
}

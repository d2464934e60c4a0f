//! Profiles for reading, and as comma-separated values.

use crate::exact::{Epsilon, Number, decimal, enclose_ln, exp};
use crate::mechanism::{Interface, Kind, stream};
use crate::privacy::{Neighbour, Notion, Piece};
use crate::questions::blocks::{DIGITS, equal_decimal};
use crate::questions::privacy::text::Heading;
use crate::text::{Lines, visible};

use super::{Curve, ProfileQuestion};

/// Digits after the point in the table.
const SHORT: u32 = 6;

/// The ε with e^ε = `factor`, at least 1, as [`Epsilon::parse`] reads it.
pub(super) fn epsilon(factor: &Number) -> String {
    Epsilon::ln(factor.clone()).map_or_else(|| "0".into(), |epsilon| epsilon.to_string())
}

/// The ε with e^ε = `factor` as a decimal, as [`decimal`] shows it.
pub(super) fn epsilon_decimal(factor: &Number, digits: u32) -> String {
    match factor {
        Number::Exponential(power) if *factor == exp(power.unit()) => decimal(power.unit(), digits),
        _ if factor.is_one() => "0".to_owned(),
        _ => {
            // ln of any other number is irrational: both ends agree in the end.
            let mut bits = 64 + 4 * u64::from(digits);
            loop {
                let (low, high) = factor.enclosure(bits);
                let end = |value| enclose_ln(value, bits).expect("a factor of at least 1");
                let ends = [end(&low).low(), end(&high).high()].map(|end| decimal(&end, digits));
                let stem = |text: &str| text.replace('…', "");
                if stem(&ends[0]) == stem(&ends[1]) && ends.iter().all(|end| end.contains('…')) {
                    return ends[0].clone();
                }
                bits *= 2;
            }
        }
    }
}

/// Both streams of a pair, as the command line reads them.
pub(super) fn pair(curve: &Curve, pair: &Neighbour) -> [String; 2] {
    let interface: &Interface = curve.automaton.interface();
    [&pair.first, &pair.second].map(|records| {
        if records.is_empty() { "(empty)".to_owned() } else { stream::write(interface, records) }
    })
}

/// One part for each mechanism, separated by empty lines.
pub(super) fn human(asked: &ProfileQuestion, curves: &[Curve]) -> Lines {
    let mut text = Lines::new();
    for (index, curve) in curves.iter().enumerate() {
        if index > 0 {
            text.push("");
        }
        let kind = curve.automaton.interface().kind();
        let rounds = asked.rounds.as_ref().map(|rounds| rounds.value.0);
        let heading = Heading {
            mechanism: &curve.mechanism,
            class: asked.subject.class(),
            automaton: &curve.automaton,
            notion: if asked.joint() { Notion::Joint } else { Notion::Whole },
            relation: &curve.relation,
            streams: asked.streams,
            rounds: rounds.and_then(|rounds| curve.relation.lengths(rounds)),
        };
        heading.write(&mut text);
        table(&mut text, curve, kind);
        answers(&mut text, asked, curve);
    }
    text
}

/// One line for each linear piece.
fn table(text: &mut Lines, curve: &Curve, kind: Kind) {
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

fn row(curve: &Curve, piece: &Piece) -> [String; 5] {
    let factor = &piece.from;
    let written = epsilon(factor);
    let epsilon = if factor.is_one() {
        written
    } else {
        format!("{written} = {}", epsilon_decimal(factor, SHORT))
    };
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

fn answers(text: &mut Lines, asked: &ProfileQuestion, curve: &Curve) {
    let profile = &curve.profile;
    let mut line = |name: &str, proved: bool, value: &str| {
        let sign = if proved { "" } else { "at least " };
        writeln!(text, "{name}: {sign}{value}");
    };
    let at = |factor: &Number| (profile.proves(factor), equal_decimal(&profile.at(factor)));
    let (proved, delta) = at(&Number::one());
    line("δ at ε = 0", proved, &delta);
    if let Some(epsilon) = &asked.epsilon {
        let (proved, delta) = at(&epsilon.value.factor());
        line(&format!("δ at ε = {}", epsilon.value), proved, &delta);
    }
    if let Some(delta) = asked.delta() {
        let (proved, epsilon) = least(curve, delta);
        line(&format!("least ε for δ = {delta}"), proved, &epsilon);
    }
    let (proved, epsilon) = least(curve, &Number::zero());
    line("least ε for δ = 0", proved, &epsilon);
}

/// The least ε for a δ, and whether it is proved.
fn least(curve: &Curve, delta: &Number) -> (bool, String) {
    let profile = &curve.profile;
    match profile.least_factor(delta) {
        Some(factor) if factor.is_one() => (profile.proves(&factor), "0".to_owned()),
        Some(factor) => {
            let decimal = epsilon_decimal(&factor, DIGITS);
            (profile.proves(&factor), format!("{} = {decimal}", epsilon(&factor)))
        }
        None => {
            // Even a lower bound on the profile shows this.
            let last = &profile.pieces[profile.pieces.len() - 1];
            let sign = if last.proved { "tends to" } else { "does not fall below" };
            (true, format!("none, for δ {sign} {} as ε grows", equal_decimal(profile.limit())))
        }
    }
}

/// The columns.
const HEADER: [&str; 10] = [
    "mechanism",
    "exp_epsilon",
    "epsilon",
    "epsilon_decimal",
    "delta",
    "delta_decimal",
    "slope",
    "exact",
    "first",
    "second",
];

/// One row for each linear piece of each profile: where it begins, δ there, its slope in e^ε, and
/// the pair that attains it. Decimals are truncated to 12 digits. A last line
/// `verdict: undecided` says that a profile is not fully known.
pub(super) fn csv(curves: &[Curve]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |row: &[String]| writer.write_record(row).expect("writing to memory");
    write(&HEADER.map(String::from));
    for curve in curves {
        for piece in &curve.profile.pieces {
            let delta = piece.at(&piece.from);
            let digits = |text: String| text.replace('…', "");
            let [first, second] = match &piece.attained_by {
                Some(streams) => pair(curve, streams),
                None => [String::new(), String::new()],
            };
            write(&[
                visible(&curve.mechanism.to_string()).into_owned(),
                piece.from.to_string(),
                epsilon(&piece.from),
                digits(epsilon_decimal(&piece.from, DIGITS)),
                delta.to_string(),
                digits(delta.decimal(DIGITS)),
                (-&piece.second).to_string(),
                piece.proved.to_string(),
                first,
                second,
            ]);
        }
    }
    let bytes = writer.into_inner().expect("writing to memory");
    let mut text = String::from_utf8(bytes).expect("text was written");
    if curves.iter().any(|curve| curve.profile.stopped.is_some()) {
        text.push_str("verdict: undecided\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{Rational, parse_rational};

    #[test]
    fn the_epsilon_of_a_factor_is_as_simple_as_it_can_be() {
        let number = |text: &str| Number::from(parse_rational(text).unwrap());
        let half = exp(&Rational::new(1.into(), 2.into()));
        let sum = &half + &Number::one();
        let shown = |factor: &Number| (epsilon(factor), epsilon_decimal(factor, 6));
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(shown(&Number::one()), pair("0", "0"));
        // ln(3/2) = 0.405465…, ln(1 + √e) = 0.974076…, from tables.
        assert_eq!(shown(&number("3/2")), pair("ln(3/2)", "0.405465…"));
        assert_eq!(shown(&half), pair("1/2", "0.5"));
        assert_eq!(shown(&sum), pair("ln(1 + exp(1/2))", "0.974076…"));
    }
}

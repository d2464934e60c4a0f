//! The blocks that the text of answers is made of.

use std::collections::BTreeSet;
use std::fmt::Display;

use num_bigint::BigInt;
use num_integer::Integer as _;

use crate::class::Class;
use crate::exact::{Number, Rational, decimal};
use crate::mechanism::{Automaton, Interface, stream};
use crate::text::Lines;

use super::Answer;

/// Digits after the point of a decimal beside an exact number.
pub(crate) const DIGITS: u32 = 12;

/// Digits after the point of the ends of an enclosure.
const ENDS: u32 = 20;

/// The greatest number of output words that are printed.
const WORDS: usize = 6;

/// The first line about a class.
pub(crate) fn class_line(name: &str, class: &Class) -> String {
    sizes_line(name, class.hypotheses(), class.points())
}

/// [`class_line`] of a class with these numbers of hypotheses and points.
pub(crate) fn sizes_line(name: &str, hypotheses: usize, points: usize) -> String {
    format!(
        "class: {name} ({}, {})",
        count(hypotheses, "hypothesis", "hypotheses"),
        count(points, "point", "points")
    )
}

/// The first lines about a mechanism: with which class and how many rounds.
pub(crate) fn asked(
    mechanism: &impl Display,
    class: Option<&impl Display>,
    rounds: &impl Display,
) -> Lines {
    let mut text = Lines::new();
    writeln!(text, "mechanism: {mechanism}");
    if let Some(class) = class {
        writeln!(text, "class: {class}");
    }
    writeln!(text, "rounds: {rounds}");
    text
}

/// What was found in one line, and why it says something or nothing.
pub(crate) fn found(text: &mut Lines, answer: &dyn Answer) {
    writeln!(text, "found: {}", answer.found());
    let vacuous = answer.vacuous().map(|why| format!("vacuous: {why}"));
    if let Some(line) = vacuous.or_else(|| answer.evidence()) {
        text.push(&line);
    }
}

/// `1 point`, `2 points`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A table with its columns aligned to the right.
pub(crate) fn table<const N: usize>(text: &mut Lines, header: [&str; N], rows: &[[String; N]]) {
    let header = header.map(str::to_owned);
    let all = || std::iter::once(&header).chain(rows);
    let widths: [usize; N] = std::array::from_fn(|column| {
        all().map(|row| row[column].chars().count()).max().unwrap_or(0)
    });
    for row in all() {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:>width$}")).collect();
        text.push(&cells.join("  "));
    }
}

/// How many members of a set are shown.
const SHOWN: usize = 16;

/// A set, cut off where it is long.
pub(crate) fn set(members: &BTreeSet<&str>) -> String {
    let shown: Vec<&str> = members.iter().take(SHOWN).copied().collect();
    let more = members.len().saturating_sub(SHOWN);
    let more = if more == 0 { String::new() } else { format!(", and {more} more") };
    format!("{{{}{more}}}", shown.join(", "))
}

/// `p/q (= decimal)`, or the number alone where it is its own decimal.
pub(crate) fn with_decimal(number: &Number) -> String {
    let (exact, decimal) = (number.to_string(), number.decimal(6));
    if exact == decimal { exact } else { format!("{exact} (= {decimal})") }
}

/// `p/q = decimal`, or the number alone where it is its own decimal.
pub(crate) fn equal_decimal(number: &Number) -> String {
    let (exact, decimal) = (number.to_string(), number.decimal(DIGITS));
    if exact == decimal { exact } else { format!("{exact} = {decimal}") }
}

/// A stream as `(1:0, 2:1)`.
pub(crate) fn tuple(interface: &Interface, records: &[usize]) -> String {
    let records: Vec<String> =
        records.iter().map(|&record| stream::name(interface, record)).collect();
    format!("({})", records.join(", "))
}

/// A table with its columns aligned to the left.
pub(crate) fn left(text: &mut Lines, rows: &[Vec<String>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let length = |row: &Vec<String>, k: usize| row.get(k).map_or(0, |cell| cell.chars().count());
    let widths: Vec<usize> =
        (0..columns).map(|k| rows.iter().map(|row| length(row, k)).max().unwrap_or(0)).collect();
    for row in rows {
        let padded = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        text.push(padded.collect::<Vec<_>>().join("  ").trim_end());
    }
}

/// Decimals below and above a number that is not rational.
pub(crate) fn enclosure(value: &Number) -> [String; 2] {
    let (low, high) = value.enclosure(96);
    let scale = BigInt::from(10u32).pow(ENDS);
    let rounded = |numerator: BigInt| decimal(&Rational::new(numerator, scale.clone()), ENDS);
    let down = (low.numer() * &scale).div_floor(low.denom());
    let up = (high.numer() * &scale).div_ceil(high.denom());
    [rounded(down), rounded(up)]
}

/// An output word; under joint privacy the dropped symbol is shown as `·`.
pub(crate) fn word_text(automaton: &Automaton, word: &[usize], dropped: Option<usize>) -> String {
    let mut symbols: Vec<&str> =
        word.iter().map(|&output| automaton.outputs()[output].as_str()).collect();
    if let Some(round) = dropped {
        symbols.insert(round.min(symbols.len()), "·");
    }
    symbols.join(" ")
}

/// An event as `{0 1, 1 1}`, or its first words and their number when it is large. Words are sorted
/// as they are shown.
pub(crate) fn event_text(
    automaton: &Automaton,
    words: &[Vec<usize>],
    dropped: Option<usize>,
) -> String {
    let mut shown: Vec<String> =
        words.iter().map(|word| word_text(automaton, word, dropped)).collect();
    shown.sort_unstable();
    if shown.len() > WORDS {
        shown.truncate(WORDS);
        shown.push(format!("… ({} words)", words.len()));
    }
    format!("{{{}}}", shown.join(", "))
}

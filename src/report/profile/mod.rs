//! Reports of `profile`: the worst δ as a function of ε, as a table, CSV, JSON and a drawing.

mod csv;
mod human;
mod json;
mod plot;

pub use csv::csv;
pub use human::human;
pub use json::json;
pub use plot::{Vertical, draw};

use crate::exact::{Epsilon, Number, decimal, enclose_ln, exp};
use crate::mechanism::{Automaton, Interface, Kind, stream};
use crate::privacy::{Neighbour, Notion, Profile};

use super::privacy::{Adjacency, Scope};

/// What was asked, of every mechanism alike.
#[derive(Debug)]
pub struct Asked<'a> {
    /// The class as written.
    pub class: Option<&'a str>,
    /// What was compared.
    pub notion: Notion,
    /// Which streams are neighbours.
    pub adjacency: Adjacency,
    /// Which streams count.
    pub scope: Scope,
    /// The length of the streams; `None` for listed pairs.
    pub rounds: Option<usize>,
    /// The δ for which the least ε is asked.
    pub delta: Option<&'a Number>,
    /// The ε at which δ is asked.
    pub epsilon: Option<&'a Epsilon>,
}

/// A mechanism and its profile.
#[derive(Debug)]
pub struct Curve<'a> {
    /// The mechanism as written.
    pub mechanism: &'a str,
    /// The compiled mechanism.
    pub automaton: &'a Automaton,
    /// The profile.
    pub profile: Profile,
}

/// Digits after the point of decimals beside exact numbers.
const DIGITS: u32 = 12;

/// The ε with e^ε = `factor`, at least 1, as [`Epsilon::parse`] reads it.
pub fn epsilon(factor: &Number) -> String {
    Epsilon::ln(factor.clone()).expect("a factor of at least 1").to_string()
}

/// The ε with e^ε = `factor` as a decimal, as [`decimal`] shows it.
pub fn epsilon_decimal(factor: &Number, digits: u32) -> String {
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

/// A stream as the command line reads it.
fn written(interface: &Interface, records: &[usize]) -> String {
    if records.is_empty() { "(empty)".to_owned() } else { stream::write(interface, records) }
}

/// Both streams of a pair.
fn pair(curve: &Curve<'_>, pair: &Neighbour) -> [String; 2] {
    let interface = curve.automaton.interface();
    [written(interface, &pair.first), written(interface, &pair.second)]
}

/// What the records of the mechanism are counted in.
fn length_name(kind: Kind) -> &'static str {
    if kind == Kind::OneShot { "records" } else { "rounds" }
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

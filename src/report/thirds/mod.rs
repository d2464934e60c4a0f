//! Reports of `adversary thirds`: the law of Algorithm 1 as text and JSON, and a drawing like
//! Figure 2(a).

mod plot;

use std::borrow::Cow;
use std::collections::BTreeMap;

use num_traits::ToPrimitive;
use serde_json::{Value, json};

pub use plot::draw;
pub(in crate::report) use plot::subscript;

use crate::adversary::{Reading, Thirds};
use crate::error::Result;
use crate::exact::{BigInt, Rational, decimal};
use crate::limits::Limits;
use crate::text::{Lines, quote};

/// The greatest number of streams that are listed.
const LISTED: usize = 1000;

/// The greatest number of digits of a number of streams that is printed in full.
const DIGITS: usize = 30;

/// An adversary, and how it was asked for.
#[derive(Debug)]
pub struct Asked<'a> {
    /// The adversary.
    pub adversary: &'a Thirds,
    /// The class as written.
    pub class: &'a str,
    /// The names of its points.
    pub points: &'a [String],
    /// Bounds on listing the law.
    pub limits: &'a Limits,
}

/// A stream of the law: its informative rounds, their label (`None` where there is none), and its
/// probability.
type Listed = (Vec<usize>, Option<bool>, Rational);

impl Asked<'_> {
    /// The dummy example as it is typed.
    pub fn dummy(&self) -> String {
        let [dummy, _] = self.adversary.examples(self.points);
        dummy
    }

    /// The informative point as it is typed.
    pub fn point(&self) -> Cow<'_, str> {
        quote(&self.points[self.adversary.point()])
    }

    /// The law, or nothing where it has too many streams to list.
    ///
    /// # Errors
    /// When it cannot be computed.
    fn law(&self) -> Result<Option<Vec<Listed>>> {
        if self.adversary.number_of_streams() > BigInt::from(LISTED) {
            return Ok(None);
        }
        let mut law: BTreeMap<(Vec<usize>, Option<bool>), Rational> = BTreeMap::new();
        for outcome in self.adversary.outcomes_within(Reading::Paper, &mut self.limits.meter())? {
            let rounds: Vec<usize> = outcome.insertions.iter().map(|i| i.round).collect();
            let label = (!rounds.is_empty()).then_some(outcome.label);
            *law.entry((rounds, label)).or_default() += outcome.weight;
        }
        Ok(Some(law.into_iter().map(|((rounds, label), p)| (rounds, label, p)).collect()))
    }
}

/// The law as text.
///
/// # Errors
/// When it cannot be computed.
pub fn human(asked: &Asked<'_>) -> Result<Lines> {
    let Asked { adversary, .. } = asked;
    let mut text = Lines::new();
    let stages = adversary.stages();
    let (rounds, p) = (adversary.rounds(), adversary.probability());
    writeln!(text, "adversary: thirds (Algorithm 1), T = {rounds}, p = {p}");
    writeln!(text, "class: {}", asked.class);
    writeln!(text, "dummy example: {}", asked.dummy());
    writeln!(text, "informative examples: {}:B, B a fair bit", asked.point());
    if stages == 0 {
        writeln!(text, "stages: none; the first round is informative (Theorem 1)");
    } else {
        let last = adversary.whole().last;
        writeln!(text, "stages: L = {stages}, on the rounds 1 to {last}");
    }
    let mean = adversary.expected_informative();
    let formula = if stages == 0 { "" } else { " = Lp/3" };
    writeln!(text, "expected number of informative examples: {mean}{formula}");
    for (number, weight) in adversary.informative_law().iter().enumerate() {
        writeln!(text, "  {number} with probability {}", shown(weight));
    }
    match asked.law()? {
        None => {
            let digits = adversary.number_of_streams().to_string();
            let number = if digits.len() > DIGITS {
                format!("more than 10^{}", digits.len() - 1)
            } else {
                digits
            };
            writeln!(text, "streams: {number}, all realisable; too many to list");
        }
        Some(law) => {
            writeln!(text, "streams: {}, all realisable", law.len());
            for (rounds, label, weight) in law {
                let rounds: Vec<String> = rounds.iter().map(ToString::to_string).collect();
                let what = match label {
                    None => "all dummy".to_owned(),
                    Some(label) => {
                        let (point, label) = (asked.point(), u8::from(label));
                        let word = if rounds.len() == 1 { "round" } else { "rounds" };
                        format!("{point}:{label} in {word} {}", rounds.join(", "))
                    }
                };
                writeln!(text, "  {what}: {}", shown(&weight));
            }
        }
    }
    Ok(text)
}

/// A fraction with its decimal.
fn shown(value: &Rational) -> String {
    if value.is_integer() {
        value.to_string()
    } else {
        format!("{value} ≈ {}", decimal(value, 6))
    }
}

/// The law as JSON, without the keys of every command.
///
/// # Errors
/// When it cannot be computed.
pub fn json(asked: &Asked<'_>) -> Result<BTreeMap<&'static str, Value>> {
    let Asked { adversary, .. } = asked;
    let strings = |list: &[Rational]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    let law = asked.law()?;
    let streams = adversary.number_of_streams().to_u64();
    let law = law.map(|law| {
        let entry = |(rounds, label, weight): Listed| {
            json!({
                "informative_rounds": rounds,
                "label": label.map(u8::from),
                "probability": weight.to_string(),
            })
        };
        law.into_iter().map(entry).collect::<Vec<_>>()
    });
    Ok(BTreeMap::from([
        ("adversary", "thirds".into()),
        ("class", asked.class.into()),
        ("dummy", asked.dummy().into()),
        ("expected_informative", adversary.expected_informative().to_string().into()),
        ("informative_law", strings(&adversary.informative_law()).into()),
        ("informative_point", asked.point().into()),
        ("law", law.into()),
        ("p", adversary.probability().to_string().into()),
        ("rounds", adversary.rounds().into()),
        ("stages", adversary.stages().into()),
        ("streams", streams.into()),
    ]))
}

//! The law of Algorithm 1 as it is shown.

use schemars::JsonSchema;
use serde::Serialize;

use crate::adversary::Thirds;
use crate::exact::{Number, Rational, decimal};
use crate::questions::blocks::with_decimal;
use crate::questions::known::{self, size};
use crate::questions::subject::MechanismName;
use crate::questions::written::ClassName;
use crate::questions::{Answer, Ending, Exact, Json as _, Trivial};
use crate::text::Lines;

use super::ThirdsQuantity;

/// The law of Algorithm 1.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ThirdsAnswer {
    /// `thirds`.
    pub(super) adversary: &'static str,
    /// The class as it was asked for.
    pub(super) class: Option<ClassName>,
    /// The mechanism as it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mechanism: Option<MechanismName>,
    /// The dummy example, as point:label.
    pub(super) dummy: String,
    /// The expected number of informative examples: Lp/3, or 1 for T = 1, 2.
    #[schemars(extend("format" = "amount"))]
    pub(super) expected_informative: Exact<Rational>,
    /// For each number of informative examples from 0, its probability.
    #[schemars(extend("format" = "probability"))]
    pub(super) informative_law: Vec<Exact<Rational>>,
    /// The point of informative examples.
    pub(super) informative_point: String,
    /// The streams; null when there are more than 1000.
    pub(super) law: Option<Vec<ListedOutcome>>,
    /// The probability of an insertion where the middle third is chosen.
    #[schemars(extend("format" = "probability"))]
    pub(super) p: Exact<Rational>,
    /// The number T of rounds.
    pub(super) rounds: usize,
    /// The number L of stages.
    pub(super) stages: usize,
    /// How many streams there are; null when there are 2^64 or more.
    pub(super) streams: Option<u64>,
    /// The value of the quantity, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<Exact>,
    #[serde(skip)]
    pub(super) how: Option<String>,
    #[serde(skip)]
    pub(super) quantity: Option<ThirdsQuantity>,
    #[serde(skip)]
    pub(super) stage: usize,
    #[serde(skip)]
    pub(super) thirds: Thirds,
}

/// A stream of the law of Algorithm 1.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ListedOutcome {
    /// Its informative rounds.
    pub(super) informative_rounds: Vec<usize>,
    /// The bit B; null when no round is informative.
    pub(super) label: Option<u8>,
    /// Its probability.
    #[schemars(extend("format" = "probability"))]
    pub(super) probability: Exact<Rational>,
}

/// The greatest number of digits of a number of streams that is printed in full.
const DIGITS: usize = 30;

/// A fraction with its decimal.
fn shown(value: &Rational) -> String {
    if value.is_integer() {
        value.to_string()
    } else {
        format!("{value} ≈ {}", decimal(value, 6))
    }
}

impl Answer for ThirdsAnswer {
    fn ending(&self) -> Ending {
        Ending::Found
    }

    fn text(&self) -> Lines {
        let (thirds, point) = (&self.thirds, &self.informative_point);
        let mut text = Lines::new();
        let (rounds, p, stages) = (self.rounds, thirds.probability(), self.stages);
        writeln!(text, "adversary: thirds (Algorithm 1), T = {rounds}, p = {p}");
        if let Some(mechanism) = &self.mechanism {
            writeln!(text, "mechanism: {mechanism}");
        }
        if let Some(class) = &self.class {
            writeln!(text, "class: {class}");
        }
        writeln!(text, "dummy example: {}", self.dummy);
        writeln!(text, "informative examples: {point}:B, B a fair bit");
        if stages == 0 {
            writeln!(text, "stages: none; the first round is informative (Theorem 1)");
        } else {
            let last = thirds.whole().last;
            writeln!(text, "stages: L = {stages}, on the rounds 1 to {last}");
        }
        let mean = &self.expected_informative.0;
        let formula = if stages == 0 { "" } else { " = Lp/3" };
        writeln!(text, "expected number of informative examples: {mean}{formula}");
        for (number, weight) in self.informative_law.iter().enumerate() {
            writeln!(text, "  {number} with probability {}", shown(&weight.0));
        }
        match &self.law {
            None => {
                let digits = thirds.number_of_streams().to_string();
                let number = if digits.len() > DIGITS {
                    format!("more than 10^{}", digits.len() - 1)
                } else {
                    digits
                };
                writeln!(text, "streams: {number}, all realisable; too many to list");
            }
            Some(law) => {
                writeln!(text, "streams: {}, all realisable", law.len());
                for ListedOutcome { informative_rounds, label, probability } in law {
                    let rounds: Vec<String> =
                        informative_rounds.iter().map(ToString::to_string).collect();
                    let what = match label {
                        None => "all dummy".to_owned(),
                        Some(label) => {
                            let word = if rounds.len() == 1 { "round" } else { "rounds" };
                            format!("{point}:{label} in {word} {}", rounds.join(", "))
                        }
                    };
                    writeln!(text, "  {what}: {}", shown(&probability.0));
                }
            }
        }
        if let Some(Exact(value)) = &self.value {
            writeln!(text, "{}: {}", self.symbol("value"), with_decimal(value));
        }
        text
    }

    /// The streams of the law, where they are listed.
    fn csv(&self) -> String {
        let Some(law) = &self.law else { return known::csv(&self.json()) };
        let header = ["informative_rounds", "label", "probability"].map(str::to_owned).to_vec();
        let row = |listed: &ListedOutcome| {
            let rounds = listed.informative_rounds.iter().map(ToString::to_string);
            let label = listed.label.map_or_else(String::new, |label| label.to_string());
            vec![rounds.collect::<Vec<_>>().join(" "), label, listed.probability.0.to_string()]
        };
        known::rows(std::iter::once(header).chain(law.iter().map(row)))
    }

    fn symbol(&self, path: &str) -> String {
        match self.quantity.filter(|_| path == "value") {
            None => path.to_owned(),
            Some(ThirdsQuantity::Informative) => "E[informative examples]".to_owned(),
            Some(ThirdsQuantity::Unrealisable) => "P(no hypothesis fits)".to_owned(),
            Some(ThirdsQuantity::Mistakes) => "E[mistakes on informative examples]".to_owned(),
            Some(ThirdsQuantity::Stage) => {
                format!("E[mistakes on the examples of stage {}]", self.stage)
            }
        }
    }

    fn names(&self) -> Vec<(&'static str, Number)> {
        vec![
            ("L", size(self.stages)),
            ("p", self.p.0.clone().into()),
            ("mu", self.expected_informative.0.clone().into()),
        ]
    }

    fn setting(&self) -> String {
        format!(", T = {}, p = {}", self.rounds, self.p.0)
    }

    fn trivial(&self, path: &str) -> Option<Trivial> {
        let mean = &self.expected_informative.0;
        // At most one example a stage; how many are expected depends on no mechanism.
        let (most, of): (Number, _) = match self.quantity.filter(|_| path == "value")? {
            ThirdsQuantity::Unrealisable => (Number::one(), "adversary"),
            ThirdsQuantity::Informative => (size(self.stages.max(1)), "adversary"),
            ThirdsQuantity::Mistakes => (mean.clone().into(), "mechanism"),
            ThirdsQuantity::Stage => {
                ((mean / Rational::from_integer(self.stages.max(1).into())).into(), "mechanism")
            }
        };
        let reason = format!("the value is between 0 and {most} whatever the {of}");
        Some(Trivial { lower: Some(Number::zero()), upper: Some(most), reason })
    }

    fn evidence(&self) -> Option<String> {
        Some(format!("computed {}, L = {}", self.how.as_ref()?, self.stages))
    }
}

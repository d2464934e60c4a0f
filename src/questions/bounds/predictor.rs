//! Theorem 3 in numbers.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds::predictor::{self as engine, Asked, Constants, Part, Predictor, Status, Value};
use crate::bounds::{Logs, Size, logs};
use crate::error::{Error, Result};
use crate::exact::{BigInt, BigUint, Enclosure, Epsilon, Rational, decimal, show};
use crate::text::Lines;

use super::super::written::{Delta, Text};
use super::super::{Answer, Ending, Exact, Json as _, Known, NoFiles, Question, Run, known};

/// The mistake bound of Theorem 3 with the parameters of Algorithms 2 to 4.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize, JsonSchema)]
#[command(after_help = EXAMPLES)]
pub struct BoundsPredictorQuestion {
    /// The Littlestone dimension, from 0 to 1000000.
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pub d: Text<u32>,
    /// The target ε, a rational number with 0 < ε ≤ 1.
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    pub epsilon: Text<Epsilon>,
    /// The target δ, a rational number with 0 < δ < 1/10.
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pub delta: Text<Delta>,
    /// The constant C0 of n.
    #[arg(long, value_name = "C", default_value_t = one(), allow_hyphen_values = true,
          help_heading = "Constants")]
    #[serde(default = "one")]
    pub c0: Text<Rational>,
    /// The constant C1 of k.
    #[arg(long, value_name = "C", default_value_t = one(), allow_hyphen_values = true,
          help_heading = "Constants")]
    #[serde(default = "one")]
    pub c1: Text<Rational>,
    /// The constant C of (11).
    #[arg(long, value_name = "C", default_value_t = proved_c(), allow_hyphen_values = true,
          help_heading = "Constants")]
    #[serde(default = "proved_c")]
    pub c: Text<Rational>,
    /// The constant C' of the D of Algorithm 4.
    #[arg(long, value_name = "C", default_value_t = proved_combine_c(), allow_hyphen_values = true,
          help_heading = "Constants")]
    #[serde(default = "proved_combine_c")]
    pub combine_c: Text<Rational>,
    /// Show all digits of integers with at most this many, up to 5000; longer ones are shown as
    /// powers of two with an enclosed exponent.
    #[arg(long, value_name = "N", default_value_t = few_digits(), allow_hyphen_values = true)]
    #[serde(default = "few_digits")]
    pub digits: Text<u32>,
}

fn one() -> Text<Rational> {
    Text::default_of("1")
}

fn proved_c() -> Text<Rational> {
    Text::default_of("960")
}

fn proved_combine_c() -> Text<Rational> {
    Text::default_of("615")
}

fn few_digits() -> Text<u32> {
    Text::default_of("60")
}

const EXAMPLES: &str = "\
Examples:
  littlestone bounds predictor --d 1 --epsilon 1 --delta 1/20
  littlestone bounds predictor --d 1 --epsilon 1/2 --delta 1e-6 --digits 2000 --format json
  littlestone bounds predictor --d 1 --epsilon 1 --delta 1/20 --c0 2 --c1 25000

The paper leaves the constants unspecified. With the default C and C' the steps that need them are
proved; C0 and C1 are 1, and each hypothesis says whether that is enough. Logarithms are natural
unless they are written log2.";

/// Digits after the point of an enclosed logarithm.
const PLACES: u32 = 6;

/// Greatest number of digits that can be asked for.
const MOST_DIGITS: u32 = 5_000;

/// The bound of Theorem 3, and all that it is made of.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct BoundsPredictorAnswer {
    /// The Littlestone dimension.
    d: u32,
    /// ε.
    epsilon: Exact<Rational>,
    /// δ.
    delta: Exact<Rational>,
    /// The constants that were used.
    constants: ShownConstants,
    /// The parameters of Algorithms 2 to 4; empty for d = 0.
    quantities: BTreeMap<&'static str, Quantity>,
    /// What the proof needs of the parameters; empty for d = 0.
    hypotheses: Vec<ShownHypothesis>,
    /// The least natural number c for which 2^(2^(c(d+1)^2)) ε^(-2) ln^2(2/(εδ)) is at least the
    /// bound; null for d = 0 or where the enclosures do not decide it.
    least_c: Option<String>,
    /// 3B + 12d + 2D, the bound of Theorem 3; 0 for d = 0.
    bound: Quantity,
    #[serde(skip)]
    found: Option<Predictor>,
}

/// C, C0, C1 and C'.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ShownConstants {
    c: Exact<Rational>,
    c0: Exact<Rational>,
    c1: Exact<Rational>,
    combine_c: Exact<Rational>,
}

/// What the proof needs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ShownHypothesis {
    /// The item of the paper that needs it.
    item: &'static str,
    statement: &'static str,
    /// `open`: its constant is unspecified, and it is met for constants up to 2^`log2_margin`.
    status: &'static str,
    /// Decimals on both sides of log2(left side/right side); where the status is open, the right side
    /// is without its constant C.
    log2_margin: [String; 2],
}

/// A number with its formula.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Quantity {
    formula: &'static str,
    #[serde(flatten)]
    value: Shown,
    /// The least number of digits that it can have, where it is long.
    #[serde(skip)]
    digits: Option<BigInt>,
}

/// The exact number where it is short, and otherwise decimals on both sides of a logarithm.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// The number.
    Value(Exact<Rational>),
    /// log2 of it.
    Log2([String; 2]),
    /// log2 log2 of it.
    Log2Log2([String; 2]),
}

impl Quantity {
    fn new(formula: &'static str, value: &Value, logs: &Logs, digits: u32) -> Self {
        let log2 = |x: &Enclosure| Shown::Log2(logs::decimals(x, PLACES));
        let value = match value {
            Value::Rational(q) if is_short(q) || within(q.denom().magnitude(), digits) => {
                Shown::Value(Exact(q.clone()))
            }
            Value::Rational(q) => log2(&logs.log2(q)),
            Value::Log2(x) => log2(x),
            Value::Size(Size::Exact(n)) if within(n, digits) => {
                Shown::Value(Exact(BigInt::from(n.clone()).into()))
            }
            Value::Size(size) => {
                let value = if let Some(x) = size.log2(logs) {
                    log2(&x)
                } else {
                    let x = size.log2_log2(logs).expect("a tower has both logarithms");
                    Shown::Log2Log2(logs::decimals(&x, PLACES))
                };
                return Self { formula, value, digits: size.digits(logs) };
            }
        };
        Self { formula, value, digits: None }
    }
}

/// A value with its sign: `= 64`, or `= 2^x with x in [low, high]`.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Shown::Value(Exact(q)) if is_short(q) => write!(f, "= {}", show(q)),
            Shown::Value(Exact(q)) => write!(f, "= {} ({})", show(q), decimal(q, PLACES)),
            Shown::Log2([low, high]) => write!(f, "= 2^x with x in [{low}, {high}]"),
            Shown::Log2Log2([low, high]) => write!(f, "= 2^(2^x) with x in [{low}, {high}]"),
        }?;
        self.digits.as_ref().map_or(Ok(()), |digits| write!(f, ", with {digits} digits"))
    }
}

/// Whether a rational number is as easily read as its decimals.
fn is_short(q: &Rational) -> bool {
    q.is_integer() || show(q).len() <= 12
}

/// Whether an integer has at most that many digits.
fn within(n: &BigUint, digits: u32) -> bool {
    // 10^digits has fewer than 4·digits bits.
    n.bits() <= 4 * u64::from(digits) && *n < BigUint::from(10u32).pow(digits)
}

impl BoundsPredictorQuestion {
    fn asked(&self) -> Result<Asked> {
        let rational = |number: Option<&Rational>, name| {
            let refused = || Error::argument(format!("{name}: expected a rational number"));
            number.cloned().ok_or_else(refused)
        };
        let epsilon = match &self.epsilon.value {
            Epsilon::Rational(epsilon) => Some(epsilon),
            Epsilon::Ln(_) => None,
        };
        Ok(Asked {
            d: self.d.value,
            epsilon: rational(epsilon, "epsilon")?,
            delta: rational(self.delta.value.0.as_rational(), "delta")?,
            constants: Constants {
                c0: self.c0.value.clone(),
                c1: self.c1.value.clone(),
                c: self.c.value.clone(),
                combine: self.combine_c.value.clone(),
            },
        })
    }
}

impl Question for BoundsPredictorQuestion {
    const NAME: &'static str = "bounds-predictor";
    type Answer = BoundsPredictorAnswer;
    type Files = NoFiles;

    fn validate(&self) -> Result<()> {
        let digits = self.digits.value;
        if !(1..=MOST_DIGITS).contains(&digits) {
            let expected = format!("expected a number from 1 to {MOST_DIGITS}");
            return Err(Error::argument(format!("digits: {expected}, found {digits}")));
        }
        self.asked().and_then(|asked| asked.check())
    }

    fn inputs(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn answer_with(&self, _: &NoFiles, _: &Run<'_>) -> Result<BoundsPredictorAnswer> {
        let asked = self.asked()?;
        let found = engine::predictor(&asked)?;
        let digits = self.digits.value;
        let zero = || Quantity {
            formula: "0",
            value: Shown::Value(Exact(BigInt::ZERO.into())),
            digits: None,
        };
        let quantities = found.iter().flat_map(|found| {
            found.quantities.iter().map(|quantity| {
                let shown = Quantity::new(quantity.formula, &quantity.value, &found.logs, digits);
                (quantity.key, shown)
            })
        });
        let hypotheses =
            found.iter().flat_map(|found| &found.hypotheses).map(|h| ShownHypothesis {
                item: h.item,
                statement: h.statement,
                status: h.status.word(),
                log2_margin: logs::decimals(&h.margin, PLACES),
            });
        let bound = found.as_ref().map_or_else(zero, |found| {
            let bound = Value::Size(found.bound.clone());
            Quantity::new("3B + 12d + 2D", &bound, &found.logs, digits)
        });
        let Constants { c, c0, c1, combine } = asked.constants;
        Ok(BoundsPredictorAnswer {
            d: asked.d,
            epsilon: Exact(asked.epsilon),
            delta: Exact(asked.delta),
            constants: ShownConstants {
                c: Exact(c),
                c0: Exact(c0),
                c1: Exact(c1),
                combine_c: Exact(combine),
            },
            quantities: quantities.collect(),
            hypotheses: hypotheses.collect(),
            least_c: found.as_ref().and_then(|found| Some(found.least_c.as_ref()?.to_string())),
            bound,
            found,
        })
    }
}

impl Answer for BoundsPredictorAnswer {
    fn ending(&self) -> Ending {
        Ending::Found
    }

    fn text(&self) -> Lines {
        let mut text = Lines::new();
        let ShownConstants { c, c0, c1, combine_c } = &self.constants;
        let constants = [("C0", c0), ("C1", c1), ("C", c), ("C'", combine_c)];
        let constants = constants.map(|(name, Exact(value))| format!("{name} = {}", show(value)));
        let (epsilon, delta) = (show(&self.epsilon.0), show(&self.delta.0));
        writeln!(text, "d = {}, ε = {epsilon}, δ = {delta}; {}", self.d, constants.join(", "));
        let Some(found) = &self.found else {
            text.push("Theorem 3, d = 0: a fixed hypothesis of the class makes no mistake");
            text.push("bound: 0");
            return text;
        };
        for (part, title) in [
            (Part::Candidates, "Algorithm 2, run with (ε', δ') and failure probability β:"),
            (Part::Online, "Algorithm 3, with P(M ≤ B) ≥ 1 − δ (equation (4)):"),
            (
                Part::Combined,
                "Algorithm 4, with the predictor of Fact 5 that retains with probability γ:",
            ),
        ] {
            text.push(title);
            for quantity in found.quantities.iter().filter(|quantity| quantity.part == part) {
                let (name, shown) = (quantity.name, &self.quantities[quantity.key]);
                writeln!(text, "  {name} = {} {shown}", shown.formula);
            }
        }
        text.push("what the proof needs:");
        for ShownHypothesis { item, statement, status, log2_margin: [low, high] } in
            &self.hypotheses
        {
            let open = *status == Status::Open.word();
            let right = if open { "right side at C = 1" } else { "right side" };
            writeln!(
                text,
                "  {status}: {item}: {statement}; log2(left side/{right}) in [{low}, {high}]"
            );
        }
        text.push("Theorem 3, with E the expectation of the mistakes on any realisable stream:");
        if let Some(c) = &self.least_c {
            writeln!(
                text,
                "  2^(2^(c(d+1)^2)) ε^(-2) ln^2(2/(εδ)) is at least the bound from c = {c} on"
            );
        }
        let unmet = |h: &&ShownHypothesis| h.status == Status::NotMet.word();
        let unmet = self.hypotheses.iter().filter(unmet).count();
        if unmet > 0 {
            writeln!(
                text,
                "  {unmet} of {} hypotheses are not met: with these constants the proof does not go \
                 through",
                self.hypotheses.len()
            );
        }
        writeln!(text, "bound: E ≤ {} {}", self.bound.formula, self.bound);
        text
    }

    /// A logarithm is known to be between its decimals.
    fn known(&self, path: &str) -> Option<Known> {
        let json = self.json();
        known::between(&json, path, ["0", "1"]).or_else(|| known::at(&json, path))
    }
}

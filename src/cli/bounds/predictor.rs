//! `littlestone bounds predictor`: Theorem 3 in numbers.

use serde_json::{Value as Json, json};

use crate::bounds::predictor::{
    self, Asked, Constants, Hypothesis, Part, Predictor, Status, Value,
};
use crate::bounds::{Logs, Size, logs};
use crate::exact::{BigUint, Epsilon, Rational, decimal, parse_rational, show};

use super::super::common::{self, Format};
use super::super::output::{Outcome, Output};
use super::super::{exit, mechanism};

/// Digits after the point of an enclosed logarithm.
const PLACES: u32 = 6;

/// Greatest number of digits that can be asked for.
const MOST_DIGITS: u32 = 5_000;

/// The mistake bound of Theorem 3 with the parameters of Algorithms 2 to 4.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct Args {
    /// The Littlestone dimension, from 0 to 1000000.
    #[arg(long, value_name = "D", value_parser = dimension, allow_hyphen_values = true)]
    d: u32,
    /// The target ε, a rational number with 0 < ε ≤ 1.
    #[arg(long, value_name = "E", value_parser = epsilon, allow_hyphen_values = true)]
    epsilon: Rational,
    /// The target δ, a rational number with 0 < δ < 1/10.
    #[arg(long, value_name = "D", value_parser = delta, allow_hyphen_values = true)]
    delta: Rational,
    /// The constant C0 of n.
    #[arg(long, value_name = "C", value_parser = rational, allow_hyphen_values = true,
          default_value = "1", help_heading = "Constants")]
    c0: Rational,
    /// The constant C1 of k.
    #[arg(long, value_name = "C", value_parser = rational, allow_hyphen_values = true,
          default_value = "1", help_heading = "Constants")]
    c1: Rational,
    /// The constant C of (11).
    #[arg(long, value_name = "C", value_parser = rational, allow_hyphen_values = true,
          default_value = "960", help_heading = "Constants")]
    c: Rational,
    /// The constant C' of the D of Algorithm 4.
    #[arg(long, value_name = "C", value_parser = rational, allow_hyphen_values = true,
          default_value = "615", help_heading = "Constants")]
    combine_c: Rational,
    /// Show all digits of integers with at most this many, up to 5000; longer ones are shown as
    /// powers of two with an enclosed exponent.
    #[arg(long, value_name = "N", value_parser = digits, allow_hyphen_values = true,
          default_value = "60")]
    digits: u32,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

const AFTER_HELP: &str = "\
Examples:
  littlestone bounds predictor --d 1 --epsilon 1 --delta 1/20
  littlestone bounds predictor --d 1 --epsilon 1/2 --delta 1e-6 --digits 2000 --format json
  littlestone bounds predictor --d 1 --epsilon 1 --delta 1/20 --c0 2 --c1 25000

The paper leaves the constants unspecified. With the default C and C' the steps that need them are
proved; C0 and C1 are 1, and each hypothesis says whether that is enough. Logarithms are natural
unless they are written log2.";

pub(super) fn run(args: &Args, output: &mut Output<'_>) -> Outcome {
    let asked = Asked {
        d: args.d,
        epsilon: args.epsilon.clone(),
        delta: args.delta.clone(),
        constants: Constants {
            c0: args.c0.clone(),
            c1: args.c1.clone(),
            c: args.c.clone(),
            combine: args.combine_c.clone(),
        },
    };
    let found = predictor::predictor(&asked)?;
    match args.format {
        Format::Human => human(&asked, found.as_ref(), args.digits, output)?,
        Format::Json => json_report(&asked, found.as_ref(), args.digits, output)?,
    }
    Ok(exit::EXPECTED)
}

fn epsilon(text: &str) -> Result<Rational, String> {
    match mechanism::epsilon(text)? {
        Epsilon::Rational(epsilon) => Ok(epsilon),
        Epsilon::Ln(_) => Err("expected a rational ε".to_owned()),
    }
}

fn delta(text: &str) -> Result<Rational, String> {
    let delta = mechanism::delta(text)?;
    delta.as_rational().cloned().ok_or_else(|| "expected a rational δ".to_owned())
}

fn rational(text: &str) -> Result<Rational, String> {
    parse_rational(text).map_err(|error| error.to_string())
}

/// A number beyond the range is refused with the other arguments.
fn dimension(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| format!("expected a number from 0 to {}", predictor::GREATEST_DIMENSION))
}

fn digits(text: &str) -> Result<u32, String> {
    let found = text.parse().ok().filter(|n| (1..=MOST_DIGITS).contains(n));
    found.ok_or_else(|| format!("expected a number from 1 to {MOST_DIGITS}"))
}

fn human(
    asked: &Asked,
    found: Option<&Predictor>,
    digits: u32,
    output: &mut Output<'_>,
) -> std::io::Result<()> {
    let Constants { c0, c1, c, combine } = &asked.constants;
    output.line(format_args!(
        "d = {}, ε = {}, δ = {}; C0 = {}, C1 = {}, C = {}, C' = {}",
        asked.d,
        show(&asked.epsilon),
        show(&asked.delta),
        show(c0),
        show(c1),
        show(c),
        show(combine)
    ))?;
    let Some(found) = found else {
        output.line("Theorem 3, d = 0: a fixed hypothesis of the class makes no mistake")?;
        return output.line("bound: 0");
    };
    for (part, title) in [
        (Part::Candidates, "Algorithm 2, run with (ε', δ') and failure probability β:"),
        (Part::Online, "Algorithm 3, with P(M ≤ B) ≥ 1 − δ (equation (4)):"),
        (
            Part::Combined,
            "Algorithm 4, with the predictor of Fact 5 that retains with probability γ:",
        ),
    ] {
        output.line(title)?;
        for quantity in found.quantities.iter().filter(|quantity| quantity.part == part) {
            let value = shown(&quantity.value, &found.logs, digits);
            output.line(format_args!("  {} = {} {value}", quantity.name, quantity.formula))?;
        }
    }
    output.line("what the proof needs:")?;
    for Hypothesis { item, statement, status, margin } in &found.hypotheses {
        let [low, high] = logs::decimals(margin, PLACES);
        let sides = if *status == Status::Open { "right side at C = 1" } else { "right side" };
        output.line(format_args!(
            "  {}: {item}: {statement}; log2(left side/{sides}) in [{low}, {high}]",
            status.word()
        ))?;
    }
    output.line("Theorem 3, with E the expectation of the mistakes on any realisable stream:")?;
    if let Some(c) = &found.least_c {
        output.line(format_args!(
            "  2^(2^(c(d+1)^2)) ε^(-2) ln^2(2/(εδ)) is at least the bound from c = {c} on"
        ))?;
    }
    let unmet = found.hypotheses.iter().filter(|h| h.status == Status::NotMet).count();
    if unmet > 0 {
        output.line(format_args!(
            "  {unmet} of {} hypotheses are not met: with these constants the proof does not go through",
            found.hypotheses.len()
        ))?;
    }
    let value = shown(&Value::Size(found.bound.clone()), &found.logs, digits);
    output.line(format_args!("bound: E ≤ 3B + 12d + 2D {value}"))
}

/// A value with its sign: `= 64`, or `= 2^x with x in [low, high]`.
fn shown(value: &Value, logs: &Logs, digits: u32) -> String {
    match value {
        Value::Rational(q) => {
            let exact = show(q);
            if q.is_integer() || exact.len() <= 12 {
                return format!("= {exact}");
            }
            if within(q.denom().magnitude(), digits) {
                return format!("= {exact} ({})", decimal(q, PLACES));
            }
            let [low, high] = logs::decimals(&logs.log2(q), PLACES);
            format!("= 2^x with x in [{low}, {high}]")
        }
        Value::Log2(x) => {
            let [low, high] = logs::decimals(x, PLACES);
            format!("= 2^x with x in [{low}, {high}]")
        }
        Value::Size(Size::Exact(n)) if within(n, digits) => format!("= {n}"),
        Value::Size(size) => {
            let (form, x) = enclosed(size, logs);
            let [low, high] = logs::decimals(&x, PLACES);
            let count = match size.digits(logs) {
                Some(count) if form == "log2" => format!(", with {count} digits"),
                _ => String::new(),
            };
            let form = if form == "log2" { "2^x" } else { "2^(2^x)" };
            format!("= {form} with x in [{low}, {high}]{count}")
        }
    }
}

/// Whether an integer has at most that many digits.
fn within(n: &BigUint, digits: u32) -> bool {
    // 10^digits has fewer than 4·digits bits.
    n.bits() <= 4 * u64::from(digits) && *n < BigUint::from(10u32).pow(digits)
}

/// An enclosure of log2, or of `log2_log2`, with which of them it is.
fn enclosed(size: &Size, logs: &Logs) -> (&'static str, crate::exact::Enclosure) {
    match size.log2(logs) {
        Some(x) => ("log2", x),
        None => ("log2_log2", size.log2_log2(logs).expect("a tower has both logarithms")),
    }
}

fn json_report(
    asked: &Asked,
    found: Option<&Predictor>,
    digits: u32,
    output: &mut Output<'_>,
) -> Result<(), super::super::output::Failure> {
    let Constants { c0, c1, c, combine } = &asked.constants;
    let mut object = common::object("bounds predictor");
    object.insert("d", json!(asked.d));
    object.insert("delta", json!(show(&asked.delta)));
    object.insert("epsilon", json!(show(&asked.epsilon)));
    object.insert(
        "constants",
        json!({ "c": show(c), "c0": show(c0), "c1": show(c1), "combine_c": show(combine) }),
    );
    let Some(found) = found else {
        object.insert("bound", json!({ "formula": "0", "value": "0" }));
        object.insert("hypotheses", json!([]));
        object.insert("least_c", Json::Null);
        object.insert("quantities", json!({}));
        return common::print_json(&object, output);
    };
    let value = |formula: &str, value: &Value| -> Json {
        let mut fields = number(value, &found.logs, digits);
        fields.insert("formula".into(), json!(formula));
        fields.into()
    };
    let quantities: serde_json::Map<String, Json> = found
        .quantities
        .iter()
        .map(|quantity| (quantity.key.to_owned(), value(quantity.formula, &quantity.value)))
        .collect();
    object.insert("quantities", quantities.into());
    let hypotheses: Vec<Json> = found
        .hypotheses
        .iter()
        .map(|hypothesis| {
            json!({
                "item": hypothesis.item,
                "log2_margin": logs::decimals(&hypothesis.margin, PLACES),
                "statement": hypothesis.statement,
                "status": hypothesis.status.word(),
            })
        })
        .collect();
    object.insert("hypotheses", hypotheses.into());
    object.insert("least_c", json!(found.least_c.as_ref().map(ToString::to_string)));
    object.insert("bound", value("3B + 12d + 2D", &Value::Size(found.bound.clone())));
    common::print_json(&object, output)
}

/// The exact value if it is short, and enclosures otherwise.
fn number(value: &Value, logs: &Logs, digits: u32) -> serde_json::Map<String, Json> {
    let mut fields = serde_json::Map::new();
    match value {
        Value::Rational(q) if within(q.denom().magnitude(), digits) => {
            fields.insert("value".into(), json!(show(q)));
        }
        Value::Rational(q) => {
            fields.insert("log2".into(), json!(logs::decimals(&logs.log2(q), PLACES)));
        }
        Value::Log2(x) => {
            fields.insert("log2".into(), json!(logs::decimals(x, PLACES)));
        }
        Value::Size(Size::Exact(n)) if within(n, digits) => {
            fields.insert("value".into(), json!(n.to_string()));
        }
        Value::Size(size) => {
            let (key, x) = enclosed(size, logs);
            fields.insert(key.into(), json!(logs::decimals(&x, PLACES)));
        }
    }
    fields
}

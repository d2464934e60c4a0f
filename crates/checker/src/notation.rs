//! How numbers are written in a certificate: `3/4`, `1/2 - 1/8*exp(1/2)`, `(1)/(1 + exp(1/2))`.

use littlestone_base::{BigInt, Rational, parse_rational};

use super::number::{Calculator, Quotient, Sum};
use super::rejection::{Malformed, Rejection};
use super::verify::End;

/// The greatest magnitude of an exponent of e.
const GREATEST_EXPONENT: i64 = 1 << 16;
/// The most bits of an exponent of e. Sums of powers of e may agree in about as many digits for each
/// power, and a sign is decided only beyond them.
const EXPONENT_BITS: u64 = 1024;

/// Reads the number that stands at `place`.
pub(super) fn number(
    place: &str,
    text: &str,
    calculator: &mut Calculator,
) -> Result<Quotient, End> {
    let refuse = |reason: String| malformed(place, text, reason);
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let Some((numerator, denominator)) = inner.and_then(|inner| inner.split_once(")/(")) else {
        return Ok(sum(text).map_err(refuse)?.into());
    };
    let (numerator, denominator) =
        (sum(numerator).map_err(refuse)?, sum(denominator).map_err(refuse)?);
    let quotient = calculator.quotient(&numerator, &denominator)?;
    quotient.ok_or_else(|| refuse("the denominator is zero".to_owned()).into())
}

/// Reads ε ≥ 0, a rational number or `ln(…)` of a number, and returns e^ε.
pub(super) fn epsilon(
    place: &str,
    text: &str,
    calculator: &mut Calculator,
) -> Result<Quotient, End> {
    let refuse = |reason: String| malformed(place, text, reason);
    let negative = || refuse("ε is negative".to_owned());
    if let Some(inner) = text.strip_prefix("ln(").and_then(|rest| rest.strip_suffix(')')) {
        let factor = number(place, inner, calculator)?;
        if calculator.compare(&factor, &Sum::one().into())?.is_lt() {
            return Err(negative().into());
        }
        return Ok(factor);
    }
    let epsilon = exponent(text).map_err(refuse)?;
    if epsilon < Rational::from(BigInt::from(0)) {
        return Err(negative().into());
    }
    Ok(Sum::term(Rational::from(BigInt::from(1)), epsilon).into())
}

fn malformed(place: &str, text: &str, reason: String) -> Rejection {
    Rejection::malformed(place, Malformed::Number { text: text.to_owned(), reason })
}

fn sum(text: &str) -> Result<Sum, String> {
    let mut sum = Sum::default();
    let (mut rest, mut negative) = match text.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    loop {
        let next = [(" + ", false), (" - ", true)]
            .into_iter()
            .filter_map(|(separator, sign)| rest.find(separator).map(|at| (at, separator, sign)))
            .min();
        let end = next.map_or(rest.len(), |(at, ..)| at);
        let (coefficient, exponent) = term(&rest[..end])?;
        sum.add_term(if negative { -coefficient } else { coefficient }, exponent);
        let Some((at, separator, sign)) = next else { return Ok(sum) };
        rest = &rest[at + separator.len()..];
        negative = sign;
    }
}

/// `c`, `exp(q)` or `c*exp(q)`, as c and q.
fn term(text: &str) -> Result<(Rational, Rational), String> {
    let one = || Rational::from(BigInt::from(1));
    let Some((before, inner)) = text.split_once("exp(") else {
        return Ok((rational(text)?, Rational::from(BigInt::from(0))));
    };
    let coefficient = match before.strip_suffix('*') {
        Some(coefficient) => rational(coefficient)?,
        None if before.is_empty() => one(),
        None => return Err(format!("expected `*` after `{before}`")),
    };
    let inner = inner.strip_suffix(')').ok_or("expected `)` after an exponent")?;
    Ok((coefficient, exponent(inner)?))
}

fn exponent(text: &str) -> Result<Rational, String> {
    let exponent = rational(text)?;
    let greatest = Rational::from(BigInt::from(GREATEST_EXPONENT));
    if exponent > greatest || exponent < -greatest {
        return Err(format!("expected an exponent of at most {GREATEST_EXPONENT} in magnitude"));
    }
    if exponent.numer().bits().max(exponent.denom().bits()) > EXPONENT_BITS {
        return Err(format!("expected an exponent of at most {EXPONENT_BITS} bits"));
    }
    Ok(exponent)
}

fn rational(text: &str) -> Result<Rational, String> {
    parse_rational(text).map_err(|fault| format!("`{text}`: {fault}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::{Limits, Work};

    fn read(text: &str) -> Result<String, End> {
        number("x", text, &mut Calculator::new(Work::new(Limits::default()))).map(|n| n.to_string())
    }

    #[test]
    fn what_is_written_is_read() {
        for text in [
            "0",
            "3/4",
            "-1/3",
            "1/2 - 1/8*exp(1/2)",
            "-2*exp(-3) + 1 - exp(5/7)",
            "(1)/(1 + exp(1/2))",
            "(-1 + exp(1))/(1 - 2*exp(1/3) + exp(2))",
        ] {
            assert_eq!(read(text).unwrap(), text);
        }
        assert_eq!(read("1 + 1").unwrap(), "2");
        assert_eq!(read("(2)/(4)").unwrap(), "1/2");
        assert_eq!(read("(exp(1))/(2*exp(2))").unwrap(), "1/2*exp(-1)");
        assert_eq!(read("0.25").unwrap(), "1/4");
    }

    #[test]
    fn everything_else_is_refused() {
        for text in [
            "",
            "x",
            "exp(1",
            "exp()",
            "2exp(1)",
            "(1)/(0)",
            "(1)/(exp(1) - exp(1))",
            "1 +",
            "()/()",
            "exp(65537)",
            "1/2*exp(1/2^4000)",
            "exp(1)*2",
            "1/0",
            "exp(1)exp(2)",
            "(1)/(2)/(3)",
            "--1/2-",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        let epsilon =
            |text| epsilon("epsilon", text, &mut Calculator::new(Work::new(Limits::default())));
        // 2 < e < 3.
        for text in [
            "-1",
            "ln(1/2)",
            "ln 2",
            "exp(1)",
            "65537",
            "",
            "2^-1025",
            "ln(1/3*exp(1))",
            "ln((1)/(0))",
        ] {
            assert!(epsilon(text).is_err(), "{text}");
        }
        for (text, factor) in [
            ("ln(3/2)", "3/2"),
            ("1/2", "exp(1/2)"),
            ("0", "1"),
            ("ln(1/2*exp(1))", "1/2*exp(1)"),
            ("ln((1 + exp(1))/(1 + exp(1/2)))", "(1 + exp(1))/(1 + exp(1/2))"),
        ] {
            assert_eq!(epsilon(text).unwrap().to_string(), factor);
        }
    }
}

//! Axes: round numbers to label them with, and the places of values on paper.
//!
//! Values are rational here: those that are not have been cut to many more digits than a drawing
//! shows. Places are whole hundredths of a pixel, so that a drawing is the same on every machine.

use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive};

use crate::exact::{BigInt, Rational, decimal, enclose_exp, enclose_ln};

/// Binary digits after the point of logarithms.
const BITS: u64 = 64;

/// A stretch of paper that stands for a range of values.
#[derive(Debug, Clone)]
pub(in crate::report) struct Scale {
    from: Rational,
    to: Rational,
    /// Where `from` and `to` are, in hundredths of a pixel.
    start: i64,
    end: i64,
}

impl Scale {
    /// The scale on which `from` < `to` are at the given places.
    pub fn new(from: Rational, to: Rational, (start, end): (i64, i64)) -> Self {
        Self { from, to, start, end }
    }

    /// The place of a value; values far outside of the range are at its ends, prolonged.
    pub fn place(&self, value: &Rational) -> i64 {
        let part = (value - &self.from) / (&self.to - &self.from);
        let two = Rational::from_integer(2.into());
        let part = part.min(two.clone()).max(-two);
        let length = Rational::from_integer(BigInt::from(self.end - self.start));
        self.start + (part * length).round().to_integer().to_i64().expect("a place on paper")
    }

    /// The value at a place.
    pub fn value(&self, place: i64) -> Rational {
        let part = Rational::new((place - self.start).into(), (self.end - self.start).into());
        &self.from + part * (&self.to - &self.from)
    }
}

/// Hundredths of a pixel as pixels.
pub(in crate::report) fn pixels(hundredths: i64) -> String {
    decimal(&Rational::new(hundredths.into(), 100.into()), 2)
}

/// The least of 1, 2 and 5 times a power of ten with at most `count` steps to `top`, which is
/// positive.
pub(in crate::report) fn step(top: &Rational, count: u32) -> Rational {
    let least = top / Rational::from_integer(count.into());
    let ten = Rational::from_integer(10.into());
    let mut power = Rational::one();
    while power > least {
        power /= &ten;
    }
    loop {
        for factor in [1, 2, 5] {
            let step = &power * Rational::from_integer(factor.into());
            if step >= least {
                return step;
            }
        }
        power *= &ten;
    }
}

/// The values from `first` to `last` in steps, with their labels.
pub(in crate::report) fn ticks(
    step: &Rational,
    first: &Rational,
    last: &Rational,
) -> Vec<(Rational, String)> {
    let mut ticks = Vec::new();
    let mut value = first.clone();
    while value <= *last {
        let label = decimal(&value, 60);
        ticks.push((value.clone(), label));
        value += step;
    }
    ticks
}

/// log10 of a positive number, cut to about 19 digits.
pub(in crate::report) fn log10(value: &Rational) -> Rational {
    let ln = |value: &Rational| enclose_ln(value, BITS).expect("a positive number").low();
    ln(value) / ln(&Rational::from_integer(10.into()))
}

/// 10 to a rational number, cut to about 19 digits.
pub(crate) fn power_of_ten(exponent: &Rational) -> Rational {
    let ln = enclose_ln(&Rational::from_integer(10.into()), BITS).expect("a positive number").low();
    enclose_exp(&(exponent * ln), BITS).low()
}

/// The integer exponents of 10 from `from` to `to`, at most about `count` of them.
pub(in crate::report) fn decades(from: &BigInt, to: &BigInt, count: u32) -> Vec<BigInt> {
    let stride = (to - from).div_ceil(&BigInt::from(count)).max(BigInt::one());
    let mut exponents = Vec::new();
    let mut exponent = to.clone();
    while exponent >= *from {
        exponents.push(exponent.clone());
        exponent -= &stride;
    }
    exponents.reverse();
    exponents
}

/// An exponent with a proper minus sign.
pub(in crate::report) fn signed(exponent: &BigInt) -> String {
    if exponent.is_negative() { format!("−{}", exponent.abs()) } else { exponent.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parse_rational;

    fn rational(text: &str) -> Rational {
        parse_rational(text).unwrap()
    }

    #[test]
    fn steps_are_round_and_few() {
        for (top, expected) in [
            ("1", "1/5"),
            ("7/10", "1/5"),
            ("3/10", "1/20"),
            ("1/3", "1/10"),
            ("12", "2"),
            ("13", "5"),
        ] {
            assert_eq!(step(&rational(top), 6), rational(expected), "{top}");
        }
        assert_eq!(step(&rational("3/1000000"), 6), rational("1/2000000"));
        let labels = |step: &str, top: &str| -> Vec<String> {
            let ticks = ticks(&rational(step), &rational("0"), &rational(top));
            ticks.into_iter().map(|tick| tick.1).collect()
        };
        assert_eq!(labels("1/20", "1/8"), ["0", "0.05", "0.1"]);
    }

    #[test]
    fn places_are_proportional() {
        let scale = Scale::new(rational("0"), rational("2"), (1000, 5000));
        assert_eq!(scale.place(&rational("1/2")), 2000);
        assert_eq!(scale.value(2000), rational("1/2"));
        // Downwards, as on the vertical axis of a picture; and not farther than paper reaches.
        let scale = Scale::new(rational("0"), rational("2"), (5000, 1000));
        assert_eq!(scale.place(&rational("1/2")), 4000);
        assert_eq!(scale.place(&rational("1000")), -3000);
        assert_eq!((pixels(-3000), pixels(1205)), ("-30".into(), "12.05".into()));
    }

    #[test]
    fn decades_end_at_the_greatest() {
        let shown = |from: i64, to: i64| {
            let exponents = decades(&from.into(), &to.into(), 4);
            exponents.iter().map(signed).collect::<Vec<_>>()
        };
        assert_eq!(shown(-2, 0), ["−2", "−1", "0"]);
        assert_eq!(shown(-9, 0), ["−9", "−6", "−3", "0"]);
        assert_eq!(log10(&rational("1000")).round(), rational("3"));
    }
}

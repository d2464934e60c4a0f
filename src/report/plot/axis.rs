//! The axes of a plot: ranges, round numbers to label them with, and where a value is.

use num_traits::{One, Signed, Zero};

use crate::error::{Error, Result};
use crate::exact::{BigInt, Rational};
use crate::report::axes::{LABEL, Scale, Tick, decades, log10, signed, step, ticks};
use crate::report::tree::measure::width;

/// How far beyond its end an axis puts what it has no place for, in hundredths of a pixel.
const BEYOND: i64 = 10_000;

/// At most so many integers are written below an axis.
const MOST_INTEGERS: usize = 16;

/// What an axis shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    name: String,
    logarithmic: bool,
    /// The ends of the axis; of logarithms to base 10 if it is logarithmic.
    from: Rational,
    to: Rational,
    /// The labelled values, likewise, with their labels and how wide those are.
    ticks: Vec<(Rational, String, i64)>,
}

impl Axis {
    /// From 0 to `to`, which is positive, with at most `count` steps; `round` prolongs the axis to
    /// a whole step.
    pub fn linear(name: &str, to: &Rational, count: u32, round: bool) -> Self {
        Self::between(name, &Rational::zero(), to, count, round)
    }

    /// From `from` to `to`, which is greater, as [`linear`](Self::linear); `round` prolongs the
    /// axis at both ends.
    pub fn between(name: &str, from: &Rational, to: &Rational, count: u32, round: bool) -> Self {
        let step = step(&(to - from), count);
        let (from, to) = if round {
            ((from / &step).floor() * &step, (to / &step).ceil() * &step)
        } else {
            (from.clone(), to.clone())
        };
        let first = (&from / &step).ceil() * &step;
        let ticks = ticks(&step, &first, &to).into_iter();
        let ticks = ticks.map(|(value, label)| {
            let wide = width(&label, LABEL);
            (value, label, wide)
        });
        Self { name: name.into(), logarithmic: false, ticks: ticks.collect(), from, to }
    }

    /// The integers from `first` to `last`, with half a step of room on both sides.
    pub fn integers(name: &str, first: usize, last: usize) -> Self {
        let end = |n: usize, by: i64| Rational::new(BigInt::from(2 * n) + by, 2.into());
        let every = (last - first + 1).div_ceil(MOST_INTEGERS);
        let ticks = (first..=last).filter(|n| n % every == 0).map(|n| {
            let label = n.to_string();
            let wide = width(&label, LABEL);
            (Rational::from_integer(n.into()), label, wide)
        });
        Self {
            name: name.into(),
            logarithmic: false,
            ticks: ticks.collect(),
            from: end(first, -1),
            to: end(last, 1),
        }
    }

    /// The logarithm, over values from `least` to `greatest`, both positive; `round` prolongs the
    /// axis to whole powers of ten, with half a decade of room below.
    ///
    /// # Errors
    /// When a value is not positive.
    pub fn logarithmic(
        name: &str,
        least: &Rational,
        greatest: &Rational,
        round: bool,
    ) -> Result<Self> {
        if !least.is_positive() || greatest < least {
            return Err(Error::argument(format!(
                "the logarithm of {name} cannot be drawn from {least} to {greatest}"
            )));
        }
        let (mut from, mut to) = (log10(least), log10(greatest));
        if round {
            from = (from - Rational::new(1.into(), 2.into())).floor();
            to = to.ceil();
        }
        if from == to {
            to += Rational::one();
        }
        let exponents = decades(&from.ceil().to_integer(), &to.floor().to_integer(), 8);
        let tick = |exponent: BigInt| {
            let shown = signed(&exponent);
            let wide = width("10", LABEL) + width(&shown, 10);
            let label = format!("10<tspan dy=\"-5\" font-size=\"10\">{shown}</tspan>");
            (Rational::from_integer(exponent), label, wide)
        };
        let ticks = exponents.into_iter().map(tick).collect();
        Ok(Self { name: name.into(), logarithmic: true, from, to, ticks })
    }

    /// Its name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The widest label, in pixels.
    pub(super) fn widest(&self) -> i64 {
        self.ticks.iter().map(|tick| tick.2).max().unwrap_or(0)
    }

    /// The axis on paper, between two places in hundredths of a pixel.
    pub(super) fn lay(&self, span: (i64, i64)) -> Laid {
        let scale = Scale::new(self.from.clone(), self.to.clone(), span);
        let ticks = self.ticks.iter().map(|(value, label, _)| (scale.place(value), label.clone()));
        let ticks = ticks.collect();
        let below = span.0 - (span.1 - span.0).signum() * BEYOND;
        Laid { logarithmic: self.logarithmic, ticks, scale, below }
    }

    /// Values at about `stride` hundredths of a pixel from each other on an axis of `length`
    /// pixels.
    pub fn samples(&self, length: i64, stride: usize) -> Vec<Rational> {
        let scale = Scale::new(self.from.clone(), self.to.clone(), (0, length * 100));
        (0..length * 100).step_by(stride).map(|place| scale.value(place)).collect()
    }
}

/// An axis on paper.
pub(super) struct Laid {
    logarithmic: bool,
    pub(super) ticks: Vec<Tick>,
    scale: Scale,
    below: i64,
}

impl Laid {
    /// The place of a value in hundredths of a pixel; beyond the axis if it has no logarithm.
    pub(super) fn place(&self, value: &Rational) -> i64 {
        if !self.logarithmic {
            self.scale.place(value)
        } else if value.is_positive() {
            self.scale.place(&log10(value))
        } else {
            self.below
        }
    }

    /// Whether the axis has a place for the value.
    pub(super) fn shows(&self, value: &Rational) -> bool {
        !self.logarithmic || value.is_positive()
    }
}

//! The acceptance test of Definition 10: acc = 1 iff c + ξ ≥ D/2, with noise ξ that is cut.
//!
//! | noise | law |
//! | --- | --- |
//! | `geometric` | P(k) ∝ g^\|k\| on the integers with \|k\| ≤ cut |
//! | `laplace` | density ∝ e^(−\|z\|/scale) on \|z\| ≤ cut: for 0 ≤ t ≤ cut, P(ξ ≥ t) = (e^(−t/scale) − e^(−cut/scale)) / (2(1 − e^(−cut/scale))) |
//!
//! The paper's noise is `laplace` with scale 4/a and cut D/8. A cut of 0 is no noise; so is a cut
//! below 1 of the geometric noise.

use crate::catalogue::Given;
use crate::spec::Parameter;
use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;
use littlestone_exact::functions;

/// Which noise.
pub(super) const NOISE: Parameter = Parameter {
    name: "noise",
    default: Some("geometric"),
    meaning: "the noise of the acceptance test: geometric (on integers) or laplace",
};
/// The ratio of the geometric noise.
pub(super) const RATIO: Parameter = Parameter {
    name: "g",
    default: Some("1/2"),
    meaning: "the ratio in (0, 1) of the geometric noise, P(k) ~ g^|k|",
};
/// The scale of the Laplace noise.
pub(super) const SCALE: Parameter = Parameter {
    name: "scale",
    default: Some("4"),
    meaning: "the scale of the Laplace noise, a rational number above 0; the paper's is 4/a",
};
/// Where the noise is cut.
pub(super) const CUT: Parameter = Parameter {
    name: "cut",
    default: Some("D/8"),
    meaning: "the greatest magnitude of the noise, at least 0; the paper's is D/8",
};

/// The chance of acceptance for each value of c.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Acceptance {
    chances: Vec<Number>,
    cut: Number,
}

/// A noise, up to where it is cut.
enum Noise {
    Geometric(Number),
    Laplace(Number),
}

impl Acceptance {
    /// The test that the parameters describe, for c in 0..=D.
    pub fn of(given: &Given<'_>, delay: i32) -> Result<Self> {
        let cut = if given.text("cut")? == "D/8" {
            ratio(i64::from(delay), 8)?
        } else {
            given.number("cut")?
        };
        if cut.as_rational().is_none() || functions::is_negative(&cut) {
            return Err(given.unfit("cut", "a rational number of at least 0", &given.text("cut")?));
        }
        let noise = if given.word("noise", &["geometric", "laplace"])? == "laplace" {
            let scale = given.number("scale")?;
            if scale.as_rational().is_none() || scale.signum() <= 0 {
                return Err(given.unfit(
                    "scale",
                    "a rational number above 0",
                    &given.text("scale")?,
                ));
            }
            Noise::Laplace(scale)
        } else {
            let g = given.number("g")?;
            if g.signum() <= 0 || g >= Number::one() {
                return Err(given.unfit("g", "a ratio in (0, 1)", &given.text("g")?));
            }
            Noise::Geometric(g)
        };
        let fault = |found: String| Error::argument(format!("the acceptance test has {found}"));
        // D/2 − c.
        let missing = |c: i32| ratio(i64::from(delay) - 2 * i64::from(c), 2);
        let chances: Result<_> =
            (0..=delay).map(|c| noise.reaches(&missing(c)?, &cut).map_err(fault)).collect();
        Ok(Self { chances: chances?, cut })
    }

    /// P(c + ξ ≥ D/2); a c above D counts as D.
    pub fn chance(&self, c: usize) -> &Number {
        &self.chances[c.min(self.chances.len() - 1)]
    }

    /// The outcome, if it is the same for all values that c can have in the end. The chance grows
    /// with c.
    pub fn settled(&self, least: usize, most: usize) -> Option<bool> {
        if self.chance(least).is_one() {
            return Some(true);
        }
        self.chance(most).is_zero().then_some(false)
    }

    /// Where the noise is cut.
    pub fn cut(&self) -> &Number {
        &self.cut
    }
}

impl Noise {
    /// P(ξ ≥ t).
    fn reaches(&self, t: &Number, cut: &Number) -> std::result::Result<Number, String> {
        match self {
            Self::Geometric(g) => {
                let cut = functions::floor(cut)?;
                let least = functions::ceil(t)?;
                let (Some(cut), Some(least)) =
                    (functions::as_integer(&cut), functions::as_integer(&least))
                else {
                    return Err("noise beyond all limits".into());
                };
                geometric(g, least, cut)
            }
            Self::Laplace(scale) => laplace(scale, t, cut),
        }
    }
}

/// P(k ≥ least) under P(k) ∝ g^|k| on |k| ≤ cut.
fn geometric(g: &Number, least: i64, cut: i64) -> std::result::Result<Number, String> {
    if least <= -cut {
        return Ok(Number::one());
    }
    let sum = |from: i64| {
        (from..=cut).try_fold(Number::zero(), |sum, k| {
            functions::add(&sum, &functions::power(g, &Number::from(k.abs()))?)
        })
    };
    functions::divide(&sum(least)?, &sum(-cut)?)
}

/// P(ξ ≥ t) under the Laplace law of that scale, cut at `cut`.
fn laplace(scale: &Number, t: &Number, cut: &Number) -> std::result::Result<Number, String> {
    if *t <= -cut {
        return Ok(Number::one());
    }
    if t >= cut {
        return Ok(Number::zero());
    }
    if functions::is_negative(t) {
        let beyond = laplace(scale, &-t, cut)?;
        return functions::subtract(&Number::one(), &beyond);
    }
    let power = |z: &Number| functions::exp(&-&functions::divide(z, scale)?);
    let end = power(cut)?;
    let above = functions::subtract(&power(t)?, &end)?;
    let all = functions::subtract(&Number::one(), &end)?;
    functions::divide(&above, &(&all * &Number::from(2)))
}

fn ratio(numerator: i64, denominator: i64) -> Result<Number> {
    functions::divide(&numerator.into(), &denominator.into()).map_err(Error::argument)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(p: i64, q: i64) -> Number {
        ratio(p, q).unwrap()
    }

    /// By hand: g = 1/2 cut at 2 has the masses 1/10, 2/10, 4/10, 2/10, 1/10.
    #[test]
    fn geometric_tails_are_sums_of_masses() {
        let half = number(1, 2);
        let tails = [-3, -2, -1, 0, 1, 2, 3].map(|k| geometric(&half, k, 2).unwrap());
        let tenths = [10, 10, 9, 7, 3, 1, 0].map(|n| number(n, 10));
        assert_eq!(tails, tenths);
        assert_eq!([0, 1].map(|k| geometric(&half, k, 0).unwrap()), [number(1, 1), number(0, 1)]);
    }

    /// D = 4 with g = 1/2 cut at 1: chances 0, 1/4 for c = 1, 3/4 for c = 2, and 1 from c = 3 on.
    #[test]
    fn outcomes_are_settled_once_they_cannot_change() {
        let chances = [number(0, 1), number(1, 4), number(3, 4), number(1, 1), number(1, 1)];
        let test = Acceptance { chances: chances.to_vec(), cut: number(1, 1) };
        assert_eq!(test.settled(3, 4), Some(true));
        assert_eq!(test.settled(0, 0), Some(false));
        let open = [(0, 1), (1, 1), (2, 2), (2, 4), (0, 4)];
        assert!(open.iter().all(|&(least, most)| test.settled(least, most).is_none()));
    }

    /// The integral of e^(−z) from 1 to 2 over twice that from 0 to 2; the law is symmetric.
    #[test]
    fn laplace_tails_have_a_closed_form() {
        let (one, two) = (number(1, 1), number(2, 1));
        let tail = laplace(&one, &one, &two).unwrap();
        let e =
            |k: i64| littlestone_exact::exp(&littlestone_exact::Rational::from_integer(k.into()));
        let expected = (&e(-1) - &e(-2)).checked_div(&(&two - &(&two * &e(-2)))).unwrap();
        assert_eq!(tail, expected);
        let below = laplace(&one, &-&one, &two).unwrap();
        assert_eq!(&tail + &below, one);
        assert_eq!(laplace(&one, &number(0, 1), &two).unwrap(), number(1, 2));
        assert_eq!(laplace(&one, &two, &two).unwrap(), number(0, 1));
        assert_eq!(laplace(&one, &number(0, 1), &number(0, 1)).unwrap(), one);
    }
}

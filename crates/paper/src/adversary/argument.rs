//! Adversaries as they are typed: `thirds:p=1/2,dummy=3:0,informative=1`.

use std::path::Path;

use num_traits::One;

use super::Thirds;
use littlestone_base::error::{Error, Result};
use littlestone_exact::Rational;
use littlestone_mechanism::spec::{Spec, Target};

/// The example that is dummy where nothing else is said, and the informative point: those of
/// Section 2.1, which are points of POINT3.
const DUMMY: (&str, bool) = ("3", false);
const POINT: &str = "1";

/// The parameters of Algorithm 1, with names of points that are not looked up yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments {
    /// The probability p of an insertion.
    pub probability: Rational,
    /// The name of the point of the dummy example and its label; `None` is (3, 0).
    pub dummy: Option<(String, bool)>,
    /// The name of the point of informative examples; `None` is 1.
    pub informative: Option<String>,
}

impl Default for Arguments {
    fn default() -> Self {
        Self { probability: Rational::one(), dummy: None, informative: None }
    }
}

impl Arguments {
    /// Reads an adversary: `thirds`, and any of `p=P` with 0 < p ≤ 1 (1 if it is left out),
    /// `dummy=x:y` (3:0) and `informative=x` (1).
    ///
    /// # Errors
    /// When the text has another form.
    pub fn parse(text: &str) -> Result<Self> {
        let spec = Spec::parse(text, Path::new(""))?;
        if spec.target != Target::Name("thirds".into()) {
            return Err(Error::argument_with_help(
                format!("there is no adversary `{text}` in the lower bounds here"),
                "Algorithm 1 is `thirds`, as in `thirds:p=1/2`; Theorem 2's, `phases`, has no \
                 parameters and goes with the command `mistakes` and the kind of claims `phases`",
            ));
        }
        let mut arguments = Self::default();
        for (name, value) in &spec.arguments {
            match name.as_str() {
                "p" => {
                    let number = value.number(name)?;
                    let rational = number.as_rational().cloned();
                    arguments.probability = rational.ok_or_else(|| {
                        Error::argument(format!("the parameter `p` must be rational, not {number}"))
                    })?;
                }
                "dummy" => arguments.dummy = Some(example(value.text(name)?)?),
                "informative" => arguments.informative = Some(value.text(name)?.to_owned()),
                other => {
                    return Err(Error::argument_with_help(
                        format!("the adversary `thirds` has no parameter `{other}`"),
                        "it has p, dummy and informative",
                    ));
                }
            }
        }
        Ok(arguments)
    }

    /// The adversary over the given points for streams of `rounds` rounds.
    ///
    /// # Errors
    /// When a point is unknown, or a parameter out of range.
    pub fn over(&self, points: &[String], rounds: usize) -> Result<Thirds> {
        let find = |name: &str, default: bool| {
            points.iter().position(|point| point == name).ok_or_else(|| {
                let message = format!("there is no point `{name}` among {}", points.join(", "));
                if default {
                    let help = "choose the dummy example and the informative point";
                    Error::argument_with_help(message, help)
                } else {
                    Error::argument(message)
                }
            })
        };
        let (point, label) = match &self.dummy {
            Some((point, label)) => (find(point, false)?, *label),
            None => (find(DUMMY.0, true)?, DUMMY.1),
        };
        let informative = match &self.informative {
            Some(point) => find(point, false)?,
            None => find(POINT, true)?,
        };
        let dummy = 2 * point + usize::from(label);
        Thirds::new(rounds, self.probability.clone(), dummy, informative)
    }
}

/// Reads an example `x:y`; the name of the point may hold colons.
///
/// # Errors
/// When it has another form.
pub fn example(text: &str) -> Result<(String, bool)> {
    let parts = text.rsplit_once(':').and_then(|(point, label)| match label.trim() {
        "0" => Some((point.trim().to_owned(), false)),
        "1" => Some((point.trim().to_owned(), true)),
        _ => None,
    });
    parts.ok_or_else(|| Error::argument(format!("expected an example such as 3:0, found `{text}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adversaries_are_read_with_their_defaults() {
        let names: Vec<String> = ["1", "2", "3"].map(String::from).into();
        let read = |text: &str| Arguments::parse(text).and_then(|a| a.over(&names, 9));
        let half = Rational::new(1.into(), 2.into());
        assert_eq!(read("thirds"), Thirds::new(9, Rational::one(), 4, 0));
        assert_eq!(read("thirds:p=1/2"), Thirds::new(9, half.clone(), 4, 0));
        assert_eq!(read("thirds:p=0.5,dummy=1:1,informative=2"), Thirds::new(9, half, 1, 1));
        for wrong in [
            "halves",
            "thirds:q=1",
            "thirds:p=2",
            "thirds:p=x",
            "thirds:dummy=3",
            "thirds:dummy=4:0",
            "thirds:informative=3",
            "thirds:dummy=3:2",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(Arguments::default().over(&["a".into(), "b".into()], 9).is_err());
    }
}

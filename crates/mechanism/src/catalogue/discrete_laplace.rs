//! The discrete Laplace (geometric) mechanism on a clipped sum, in three forms.

use super::geometric::{Noise, cell_names};
use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;

/// The entry: a count by default.
pub const ENTRY: Entry = Entry {
    name: "discrete-laplace",
    kind: Kind::OneShot,
    law: "sums the records, clips the sum to from..to and adds two-sided geometric noise; plain \
          (all values beyond from and to as one each), clamped or renormalised on from..to",
    paper: "Definition 2",
    twin: None,
    parameters: &[
        Parameter {
            name: "form",
            default: Some("plain"),
            meaning: "plain, clamped or renormalised",
        },
        Parameter {
            name: "ratio",
            default: Some("1/2"),
            meaning: "the ratio in [0, 1) of the noise, P(z) ~ ratio^|z|",
        },
        Parameter { name: "from", default: Some("0"), meaning: "the least sum and clamped output" },
        Parameter {
            name: "to",
            default: Some("4"),
            meaning: "the greatest sum and clamped output",
        },
        Parameter { name: "least", default: Some("0"), meaning: "the least record" },
        Parameter { name: "most", default: Some("1"), meaning: "the greatest record" },
    ],
    build,
};

/// The range of sums and of records.
const RANGE: i32 = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Cells,
    Renormalised,
}

#[derive(Debug)]
struct DiscreteLaplace {
    interface: Interface,
    noise: Noise,
    form: Form,
    outputs: Vec<String>,
    from: i32,
    to: i32,
    least: i32,
}

fn build(given: &Given<'_>) -> Result<Boxed> {
    let from = given.integer("from", -RANGE..=RANGE)?;
    let to = given.integer("to", from..=RANGE)?;
    let least = given.integer("least", -RANGE..=RANGE)?;
    let most = given.integer("most", least..=RANGE)?;
    // Clamping moves the mass beyond an end to the end: the cells of the plain form, renamed.
    let form = given.word("form", &["plain", "clamped", "renormalised"])?;
    let plain = || cell_names(from, to);
    let outputs = if form == "plain" { plain() } else { integers(from, to) };
    let records = integers(least, most);
    let form = if form == "renormalised" { Form::Renormalised } else { Form::Cells };
    Ok(Boxed::new(DiscreteLaplace {
        interface: Interface::one_shot(records, outputs.clone())?,
        noise: given.noise("ratio")?,
        form,
        outputs,
        from,
        to,
        least,
    }))
}

fn integers(from: i32, to: i32) -> Vec<String> {
    (from..=to).map(|z| z.to_string()).collect()
}

impl Mechanism for DiscreteLaplace {
    /// The sum of the records.
    type State = i64;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<i64>> {
        Ok(Law::certain(0))
    }

    fn respond(&self, _: &i64, _: usize) -> Result<Law<(Output, i64)>> {
        Err(Error::argument("a one-shot mechanism answers only at the end of the stream"))
    }

    fn observe(&self, &sum: &i64, after: usize) -> Result<Law<i64>> {
        let place = i64::try_from(after).map_err(|_| Error::argument("too many records"))?;
        Ok(Law::certain(sum + i64::from(self.least) + place))
    }

    fn finish(&self, &sum: &i64) -> Result<Law<Output>> {
        let clipped = sum.clamp(self.from.into(), self.to.into());
        let centre = i32::try_from(clipped).expect("the ends of the range are of this type");
        let weights = match self.form {
            Form::Cells => self.noise.cells(centre, self.from, self.to),
            Form::Renormalised => {
                let masses: Vec<Number> =
                    (self.from..=self.to).map(|z| self.noise.equals(z - centre)).collect();
                let whole = masses.iter().fold(Number::zero(), |sum, mass| &sum + mass);
                let share = |mass: &Number| mass.checked_div(&whole);
                let shares: std::result::Result<_, _> = masses.iter().map(share).collect();
                shares.expect("the mass at the sum itself is above 0")
            }
        };
        Law::new("the law of the noisy sum", self.outputs.iter().cloned().zip(weights))
    }

    fn describe(&self, sum: &i64) -> String {
        format!("sum {sum}")
    }
}

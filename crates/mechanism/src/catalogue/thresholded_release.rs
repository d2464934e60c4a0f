//! The release of a key whose noisy count reaches a threshold, which hides keys that few records
//! have.

use super::geometric::{Noise, cell_names};
use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;
use littlestone_exact::functions;

/// Greatest threshold and count that are told apart.
const RANGE: i32 = 256;

/// The entry. Its δ is the chance that one record releases the key.
pub const ENTRY: Entry = Entry {
    name: "thresholded-release",
    kind: Kind::OneShot,
    law: "counts the records of one key and, if there is one, releases count plus noise when it \
          reaches the threshold; otherwise nothing",
    paper: "Definition 2",
    twin: None,
    parameters: &[
        Parameter {
            name: "threshold",
            default: Some("3"),
            meaning: "the threshold, a number from 0 to 256",
        },
        Parameter {
            name: "release",
            default: Some("at"),
            meaning: "at: also a noisy count that is equal to the threshold; above: not",
        },
        Parameter {
            name: "ratio",
            default: Some("1/2"),
            meaning: "the ratio in [0, 1) of the noise, P(z) ~ ratio^|z|",
        },
        Parameter {
            name: "most",
            default: Some("4"),
            meaning: "the greatest count; noisy counts from there on are released as one",
        },
    ],
    build,
};

#[derive(Debug)]
struct ThresholdedRelease {
    interface: Interface,
    noise: Noise,
    /// The least noisy count that is released.
    first: i32,
    most: i32,
}

fn build(given: &Given<'_>) -> Result<Boxed> {
    let threshold = given.number("threshold")?;
    let above = given.word("release", &["at", "above"])? == "above";
    let ceiling = functions::ceil(&threshold).map_err(Error::argument)?;
    let whole = functions::as_integer(&ceiling).and_then(|n| i32::try_from(n).ok());
    let whole = whole.filter(|n| threshold.signum() >= 0 && *n <= RANGE).ok_or_else(|| {
        given.unfit("threshold", "a number from 0 to 256", &threshold.to_string())
    })?;
    let first = whole + i32::from(above && ceiling == threshold);
    let most = given.integer("most", 1..=RANGE)?;
    let mut outputs = vec!["nothing".to_owned()];
    outputs.extend(released(first, most));
    Ok(Boxed::new(ThresholdedRelease {
        interface: Interface::one_shot(vec!["key".into(), "other".into()], outputs)?,
        noise: given.noise("ratio")?,
        first,
        most,
    }))
}

/// The names of the noisy counts from `first` on.
fn released(first: i32, most: i32) -> Vec<String> {
    cell_names(first - 1, most.max(first)).split_off(1)
}

impl Mechanism for ThresholdedRelease {
    /// The number of records of the key.
    type State = i32;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<i32>> {
        Ok(Law::certain(0))
    }

    fn respond(&self, _: &i32, _: usize) -> Result<Law<(Output, i32)>> {
        Err(Error::argument("a one-shot mechanism answers only at the end of the stream"))
    }

    fn observe(&self, &count: &i32, after: usize) -> Result<Law<i32>> {
        Ok(Law::certain((count + i32::from(after == 0)).min(self.most)))
    }

    fn finish(&self, &count: &i32) -> Result<Law<Output>> {
        if count == 0 {
            return Ok(Law::certain("nothing".into()));
        }
        let mut names = vec!["nothing".to_owned()];
        names.extend(released(self.first, self.most));
        let weights: Vec<Number> =
            self.noise.cells(count, self.first - 1, self.most.max(self.first));
        Law::new("the law of the release", names.into_iter().zip(weights))
    }

    fn describe(&self, count: &i32) -> String {
        format!("count {count}")
    }
}

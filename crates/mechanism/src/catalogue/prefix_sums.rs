//! Continual counting the naive way: fresh noise on every prefix sum.

use super::geometric::{Noise, cell_names};
use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};

/// The entry.
pub const ENTRY: Entry = Entry {
    name: "prefix-sums",
    kind: Kind::Transducer,
    law: "in every round sees a bit and releases the number of ones so far plus fresh two-sided \
          geometric noise; sums beyond 0 and most as one each",
    paper: "Definition 2",
    twin: None,
    parameters: &[
        Parameter {
            name: "ratio",
            default: Some("1/2"),
            meaning: "the ratio in [0, 1) of the noise, P(z) ~ ratio^|z|",
        },
        Parameter {
            name: "most",
            default: Some("4"),
            meaning: "the greatest sum; more ones are not counted",
        },
    ],
    build: |given: &Given<'_>| {
        let most = given.integer("most", 1..=256)?;
        let bits = vec!["0".into(), "1".into()];
        let interface = Interface::transducer(bits, cell_names(0, most), Vec::new())?;
        Ok(Boxed::new(PrefixSums { interface, noise: given.noise("ratio")?, most }))
    },
};

#[derive(Debug)]
struct PrefixSums {
    interface: Interface,
    noise: Noise,
    most: i32,
}

impl Mechanism for PrefixSums {
    /// The number of ones so far.
    type State = i32;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<i32>> {
        Ok(Law::certain(0))
    }

    fn respond(&self, &count: &i32, before: usize) -> Result<Law<(Output, i32)>> {
        let bit = i32::try_from(before).map_err(|_| Error::argument("a record is a bit"))?;
        let count = (count + bit).min(self.most);
        let weights = self.noise.cells(count, 0, self.most);
        let outputs = cell_names(0, self.most).into_iter().map(|name| (name, count));
        Law::new("the law of the noisy prefix sum", outputs.zip(weights))
    }

    fn observe(&self, &count: &i32, _: usize) -> Result<Law<i32>> {
        Ok(Law::certain(count))
    }

    fn describe(&self, count: &i32) -> String {
        format!("count {count}")
    }
}

//! The Standard Optimal Algorithm as a mechanism: deterministic, so private for no ε.

use super::subsampled_soa::{PUBLIC, SubsampledSoa};
use super::{Entry, Given};
use crate::{Boxed, Interface, Kind};
use littlestone_base::error::Result;
use littlestone_exact::Number;

/// Section 7.1.
pub const PREDICTOR: Entry = Entry {
    name: "soa",
    kind: Kind::Predictor,
    law: "answers with the SOA on all earlier examples; not private (Fact 5 with retention for \
          certain)",
    paper: "Fact 5",
    twin: None,
    parameters: &[PUBLIC],
    build: |given| soa(given, Interface::predictor(given.points()?)?),
};

/// Section 7.1, releasing the whole function before the example is seen.
pub const LEARNER: Entry = Entry {
    name: "soa-learner",
    kind: Kind::Learner,
    law: "releases the SOA on all earlier examples; not private (Fact 5 with retention for \
          certain)",
    paper: "Fact 5",
    twin: None,
    parameters: &[PUBLIC],
    build: |given| soa(given, Interface::learner(given.points()?)?),
};

fn soa(given: &Given<'_>, interface: Interface) -> Result<Boxed> {
    SubsampledSoa::new(given, interface, Number::one(), Number::zero()).map(Boxed::new)
}

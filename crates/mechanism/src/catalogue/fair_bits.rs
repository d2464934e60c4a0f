//! A fair coin for every answer.

use super::Entry;
use super::constant::Constant;
use crate::{Boxed, Interface, Kind};
use littlestone_exact::{Number, Rational};

/// Definition 3. Whatever the stream, all words of T bits are equally likely.
pub const ENTRY: Entry = Entry {
    name: "fair-bits",
    kind: Kind::Predictor,
    law: "answers every point with a fair coin",
    paper: "Definition 3",
    twin: None,
    parameters: &[],
    build: |given| {
        let points = given.points()?;
        let labels = "0".repeat(points.len());
        let half = Number::from(Rational::new(1.into(), 2.into()));
        Constant::new(Interface::predictor(points)?, labels, half).map(Boxed::new)
    },
};

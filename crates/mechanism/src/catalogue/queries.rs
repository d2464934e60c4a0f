//! One-shot mechanisms on a vector of query answers: the data set is one record, the vector itself.
//!
//! The answers of m queries are written with one of `-`, `0`, `+` each, such as `0+-` for (0, 1, −1).
//! Two vectors are adjacent when every answer moves by at most one; all may move at once.

use std::fmt::Debug;

use itertools::Itertools;

use crate::spec::Parameter;
use crate::{Boxed, Interface, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};

use super::Given;

/// Greatest number of queries: the alphabet has 3^queries vectors.
const QUERIES: usize = 5;

/// The number of queries.
pub const PARAMETER: Parameter = Parameter {
    name: "queries",
    default: Some("3"),
    meaning: "the number of answers in the record, from 1 to 5, each one of -, 0, +",
};

/// What is released on a vector of answers.
pub trait Answer: Debug {
    /// The law of the output.
    ///
    /// # Errors
    /// When a weight is beyond all limits.
    fn law(&self, answers: &[i32]) -> Result<Law<Output>>;
}

/// The number of queries.
///
/// # Errors
/// When it is out of range.
pub fn count(given: &Given<'_>) -> Result<usize> {
    let queries = given.positive(PARAMETER.name)?;
    if queries > QUERIES {
        return Err(Error::TooLarge {
            what: "the alphabet of vectors".into(),
            size: format!("3^{queries} vectors"),
            limit: format!("3^{QUERIES}"),
        });
    }
    Ok(queries)
}

/// The mechanism that releases `answer` on the last record; on no record all answers are 0.
///
/// # Errors
/// When the outputs have no names of their own.
pub fn mechanism(
    queries: usize,
    outputs: Vec<String>,
    answer: impl Answer + 'static,
) -> Result<Boxed> {
    let vectors: Vec<Vec<i32>> =
        std::iter::repeat_n(-1..=1, queries).multi_cartesian_product().collect();
    let names = vectors.iter().map(|vector| name(vector)).collect();
    let interface = Interface::one_shot(names, outputs)?;
    Ok(Boxed::new(OnVector { interface, vectors, zero: vec![0; queries], answer }))
}

fn name(vector: &[i32]) -> String {
    let sign = |&answer: &i32| match answer {
        0 => '0',
        a if a < 0 => '-',
        _ => '+',
    };
    vector.iter().map(sign).collect()
}

#[derive(Debug)]
struct OnVector<A> {
    interface: Interface,
    vectors: Vec<Vec<i32>>,
    zero: Vec<i32>,
    answer: A,
}

impl<A: Answer> Mechanism for OnVector<A> {
    /// The last record.
    type State = Option<usize>;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<Self::State>> {
        Ok(Law::certain(None))
    }

    fn respond(&self, _: &Self::State, _: usize) -> Result<Law<(Output, Self::State)>> {
        Err(Error::argument("a one-shot mechanism answers only at the end of the stream"))
    }

    fn observe(&self, _: &Self::State, after: usize) -> Result<Law<Self::State>> {
        Ok(Law::certain(Some(after)))
    }

    fn finish(&self, state: &Self::State) -> Result<Law<Output>> {
        self.answer.law(state.map_or(&self.zero, |record| &self.vectors[record]))
    }

    fn describe(&self, state: &Self::State) -> String {
        state.map_or_else(|| "no record".into(), |record| name(&self.vectors[record]))
    }
}

//! One epoch of noisy batch sums, with batches that are shuffled or sampled.

use super::geometric::{Noise, cell_names};
use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;
use littlestone_exact::functions;

/// The entry.
pub const ENTRY: Entry = Entry {
    name: "batches",
    kind: Kind::OneShot,
    law: "takes as many steps as there are records, each of which releases the noisy sum of a \
          batch; shuffled: the records in random order, one a step; sampled: each record in each \
          step with probability 1/records",
    paper: "Definition 2",
    twin: None,
    parameters: &[
        Parameter { name: "order", default: Some("shuffled"), meaning: "shuffled or sampled" },
        Parameter {
            name: "records",
            default: Some("2"),
            meaning: "the number of records, each 0 or 1, and of steps, from 1 to 4; missing records are \
                      0, further ones not counted",
        },
        Parameter {
            name: "ratio",
            default: Some("1/2"),
            meaning: "the ratio in [0, 1) of the noise, P(z) ~ ratio^|z|",
        },
    ],
    build: |given: &Given<'_>| {
        let order = given.word("order", &["shuffled", "sampled"])?;
        let records = given.integer("records", 1..=4)?;
        // The greatest sum of a batch; cells up to it lose nothing.
        let most = if order == "sampled" { records } else { 1 };
        let bits = vec!["0".into(), "1".into()];
        let outputs = words(&cell_names(0, most), records);
        let interface = Interface::one_shot(bits, outputs)?;
        let noise = given.noise("ratio")?;
        Ok(Boxed::new(Batches { interface, noise, records, most, sampled: order == "sampled" }))
    },
};

fn words(cells: &[String], steps: i32) -> Vec<String> {
    let mut words = cells.to_vec();
    for _ in 1..steps {
        let longer = |word: &String| -> Vec<String> {
            cells.iter().map(|cell| format!("{word} {cell}")).collect()
        };
        words = words.iter().flat_map(longer).collect();
    }
    words
}

#[derive(Debug)]
struct Batches {
    interface: Interface,
    noise: Noise,
    records: i32,
    most: i32,
    sampled: bool,
}

impl Batches {
    fn step(&self, sum: i32) -> Result<Law<String>> {
        let cells = self.noise.cells(sum, 0, self.most);
        Law::new("the law of a step", cell_names(0, self.most).into_iter().zip(cells))
    }

    /// The steps are independent; the sum of each is binomial.
    fn sampled(&self, ones: i32) -> Result<Law<Output>> {
        let p = Number::one().checked_div(&i64::from(self.records).into());
        let coin = Law::coin("the sampling of a record", &p.expect("there is a record"))?;
        let mut sum = Law::certain(0);
        for _ in 0..ones {
            sum = sum.then(|&sum| Ok(coin.clone().map(|taken| sum + i32::from(taken))))?;
        }
        let step = sum.then(|&sum| self.step(sum))?;
        let mut law = step.clone();
        for _ in 1..self.records {
            law = law.then(|word| Ok(step.clone().map(|cell| format!("{word} {cell}"))))?;
        }
        Ok(law)
    }

    /// In each step the next record is a one with the share of ones among those that are left.
    fn shuffled(&self, ones: i32) -> Result<Law<Output>> {
        let mut law = Law::certain((String::new(), ones));
        for step in 0..self.records {
            let left = i64::from(self.records - step);
            law = law.then(|(word, ones)| {
                let share = functions::divide(&i64::from(*ones).into(), &left.into());
                let one = Law::coin("the next record", &share.map_err(Error::argument)?)?;
                one.then(|&one| {
                    let next = ones - i32::from(one);
                    let space = if word.is_empty() { "" } else { " " };
                    let cell = self.step(i32::from(one))?;
                    Ok(cell.map(|cell| (format!("{word}{space}{cell}"), next)))
                })
            })?;
        }
        Ok(law.map(|(word, _)| word))
    }
}

impl Mechanism for Batches {
    /// The numbers of records and of ones.
    type State = (i32, i32);

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<Self::State>> {
        Ok(Law::certain((0, 0)))
    }

    fn respond(&self, _: &Self::State, _: usize) -> Result<Law<(Output, Self::State)>> {
        Err(Error::argument("a one-shot mechanism answers only at the end of the stream"))
    }

    fn observe(&self, &(seen, ones): &Self::State, after: usize) -> Result<Law<Self::State>> {
        if seen == self.records {
            return Ok(Law::certain((seen, ones)));
        }
        Ok(Law::certain((seen + 1, ones + i32::from(after == 1))))
    }

    fn finish(&self, &(_, ones): &Self::State) -> Result<Law<Output>> {
        if self.sampled { self.sampled(ones) } else { self.shuffled(ones) }
    }

    fn describe(&self, (seen, ones): &Self::State) -> String {
        format!("{ones} ones among {seen} records")
    }
}

//! k-fold composition of a one-shot mechanism: k independent runs on one data set.
//!
//! The k outputs are independent and have one law, so that given how often each occurs their order
//! is uniform whatever the data set. Releasing the numbers of occurrences therefore keeps every
//! divergence, and there are C(k + n − 1, k) of them for n outputs in place of n^k.

use std::collections::BTreeMap;

use super::{Entry, Given};
use crate::spec::Parameter;
use crate::{Boxed, Interface, Kind, Law, Mechanism, Output};
use littlestone_base::error::{Error, Result};

/// Greatest number of runs.
const RUNS: usize = 64;
/// Greatest number of outputs.
const OUTPUTS: usize = 20_000;

/// The entry.
pub const ENTRY: Entry = Entry {
    name: "compose",
    kind: Kind::OneShot,
    law: "runs a one-shot mechanism k times on the same records, independently, and releases how \
          often each output occurred (the order tells nothing)",
    paper: "Fact 1",
    twin: None,
    parameters: &[
        Parameter { name: "of", default: None, meaning: "the one-shot mechanism" },
        Parameter { name: "k", default: Some("2"), meaning: "the number of runs, from 1 to 64" },
    ],
    build,
};

fn build(given: &Given<'_>) -> Result<Boxed> {
    let inner = given.mechanism("of")?;
    let kind = inner.interface().kind();
    if kind != Kind::OneShot {
        let message = format!("the parameter `of` takes a one-shot mechanism, not a {kind}");
        return Err(Error::argument(message));
    }
    let runs = given.positive("k")?;
    if runs > RUNS {
        return Err(given.unfit("k", "a natural number from 1 to 64", &runs.to_string()));
    }
    let outputs = inner.interface().outputs().to_vec();
    let mut words = Vec::new();
    multisets(outputs.len(), runs, &mut Vec::new(), &mut words)?;
    let names = words.iter().map(|word| show(word, &outputs)).collect();
    let interface = Interface::one_shot(inner.interface().after().to_vec(), names)?;
    Ok(Boxed::new(Compose { interface, inner, runs, outputs }))
}

/// A multiset of places: how often each occurs.
type Multiset = BTreeMap<usize, usize>;

/// All sorted sequences of `runs` places below `places`.
fn multisets(
    places: usize,
    runs: usize,
    chosen: &mut Vec<usize>,
    all: &mut Vec<Multiset>,
) -> Result<()> {
    if chosen.len() == runs {
        let mut counts = Multiset::new();
        for &place in chosen.iter() {
            *counts.entry(place).or_default() += 1;
        }
        all.push(counts);
        if all.len() > OUTPUTS {
            return Err(Error::TooLarge {
                what: "the alphabet of `compose`".into(),
                size: format!("more than {OUTPUTS} outputs"),
                limit: OUTPUTS.to_string(),
            });
        }
        return Ok(());
    }
    for place in chosen.last().copied().unwrap_or(0)..places {
        chosen.push(place);
        multisets(places, runs, chosen, all)?;
        chosen.pop();
    }
    Ok(())
}

fn show(word: &Multiset, outputs: &[String]) -> String {
    let parts = word.iter().map(|(&place, times)| format!("{times}x[{}]", outputs[place]));
    parts.collect::<Vec<_>>().join(" ")
}

#[derive(Debug)]
struct Compose {
    interface: Interface,
    inner: Boxed,
    runs: usize,
    outputs: Vec<String>,
}

impl Compose {
    /// The law of the multiset of draws from the laws that `of` gives for the members of a
    /// multiset, one for each.
    fn draws(
        members: &Multiset,
        mut of: impl FnMut(usize) -> Result<Law<usize>>,
    ) -> Result<Law<Multiset>> {
        let mut law = Law::certain(Multiset::new());
        for (&member, &times) in members {
            let one = of(member)?;
            for _ in 0..times {
                law = law.then(|drawn| {
                    Ok(one.clone().map(|next| {
                        let mut drawn = drawn.clone();
                        *drawn.entry(next).or_default() += 1;
                        drawn
                    }))
                })?;
            }
        }
        Ok(law)
    }
}

impl Mechanism for Compose {
    /// How many runs are in each state.
    type State = Multiset;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<Multiset>> {
        let runs = Multiset::from([(0, self.runs)]);
        Self::draws(&runs, |_| self.inner.start())
    }

    fn respond(&self, _: &Multiset, _: usize) -> Result<Law<(Output, Multiset)>> {
        Err(Error::argument("a one-shot mechanism answers only at the end of the stream"))
    }

    fn observe(&self, states: &Multiset, after: usize) -> Result<Law<Multiset>> {
        Self::draws(states, |state| self.inner.observe(&state, after))
    }

    fn finish(&self, states: &Multiset) -> Result<Law<Output>> {
        let place = |output: &Output| {
            let place = self.outputs.iter().position(|other| other == output);
            place
                .ok_or_else(|| Error::argument(format!("`{output}` is no output of the mechanism")))
        };
        let words = Self::draws(states, |state| {
            self.inner.finish(&state)?.then(|output| Ok(Law::certain(place(output)?)))
        })?;
        Ok(words.map(|word| show(&word, &self.outputs)))
    }

    fn rounds(&self) -> Option<usize> {
        self.inner.rounds()
    }

    fn describe(&self, states: &Multiset) -> String {
        let parts = states.iter().map(|(s, times)| format!("{times}x[{}]", self.inner.describe(s)));
        parts.collect::<Vec<_>>().join(" ")
    }
}

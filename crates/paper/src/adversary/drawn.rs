//! The law of Algorithm 1, listed, and what is computed from it.

use std::collections::BTreeMap;

use littlestone_base::error::Result;
use littlestone_class::Class;
use littlestone_exact::limits::Meter;
use littlestone_exact::{BigInt, Number, Rational};
use littlestone_mechanism::Automaton;
use littlestone_privacy::mistakes::on_stream_within;

use super::{Outcome, Reading, Thirds};

/// The greatest number of streams that are listed for reading.
const LISTED: usize = 1000;

/// All outcomes of Algorithm 1, as written or as it could be misread.
#[derive(Debug)]
pub struct Drawn<'t> {
    thirds: &'t Thirds,
    outcomes: Vec<Outcome>,
}

impl<'t> Drawn<'t> {
    /// Lists the outcomes.
    ///
    /// # Errors
    /// As [`Thirds::outcomes_within`].
    pub fn new(thirds: &'t Thirds, reading: Reading, meter: &mut Meter<'_>) -> Result<Self> {
        Ok(Self { thirds, outcomes: thirds.outcomes_within(reading, meter)? })
    }

    /// How many there are.
    pub fn outcomes(&self) -> usize {
        self.outcomes.len()
    }

    /// The expected number of informative examples.
    pub fn informative(&self) -> Rational {
        let number = |outcome: &Outcome| {
            &outcome.weight * Rational::from_integer(outcome.insertions.len().into())
        };
        self.outcomes.iter().map(number).sum()
    }

    /// The probability that no hypothesis of the class fits the stream.
    pub fn unrealisable(&self, class: &Class) -> Rational {
        let fits = |stream: &[usize]| {
            (0..class.hypotheses())
                .any(|h| stream.iter().all(|r| class.label(h, r / 2) == (r % 2 == 1)))
        };
        let broken = self.outcomes.iter().filter(|outcome| !fits(&outcome.stream(self.thirds)));
        broken.map(|outcome| &outcome.weight).sum()
    }

    /// Expected mistakes on the examples that are inserted in a stage, or in all.
    ///
    /// # Errors
    /// As [`on_stream_within`]. An outcome counts as a state, too.
    pub fn mistakes(
        &self,
        automaton: &Automaton,
        stage: Option<usize>,
        meter: &mut Meter<'_>,
    ) -> Result<Number> {
        let mut known: BTreeMap<Vec<usize>, Vec<Number>> = BTreeMap::new();
        let mut sum = Number::zero();
        for outcome in &self.outcomes {
            meter.count()?;
            let stream = outcome.stream(self.thirds);
            if !known.contains_key(&stream) {
                let found = on_stream_within(automaton, &stream, meter)?;
                known.insert(stream.clone(), found.rounds);
            }
            let mistakes = &known[&stream];
            // For T = 1, 2 the only example counts as that of stage 1.
            let own = |of: usize| stage.is_none_or(|stage| of.max(1) == stage);
            for insertion in outcome.insertions.iter().filter(|i| own(i.stage)) {
                let weight = Number::from(outcome.weight.clone());
                sum = &sum + &(&weight * &mistakes[insertion.round - 1]);
            }
        }
        Ok(sum)
    }
}

/// A stream of the law: its informative rounds, their label (`None` where there is none), and its
/// probability.
type Listed = (Vec<usize>, Option<bool>, Rational);

impl Thirds {
    /// The law over streams by their informative rounds and label, or nothing where there are more
    /// than 1000.
    ///
    /// # Errors
    /// As [`Thirds::outcomes_within`].
    pub fn law(&self, meter: &mut Meter<'_>) -> Result<Option<Vec<Listed>>> {
        if self.number_of_streams() > BigInt::from(LISTED) {
            return Ok(None);
        }
        let mut law: BTreeMap<(Vec<usize>, Option<bool>), Rational> = BTreeMap::new();
        for outcome in self.outcomes_within(Reading::Paper, meter)? {
            let rounds: Vec<usize> = outcome.insertions.iter().map(|i| i.round).collect();
            let label = (!rounds.is_empty()).then_some(outcome.label);
            *law.entry((rounds, label)).or_default() += outcome.weight;
        }
        Ok(Some(law.into_iter().map(|((rounds, label), p)| (rounds, label, p)).collect()))
    }
}

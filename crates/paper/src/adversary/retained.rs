//! The third regime of Lemma 5, `ε_0` ≤ ε ≤ 1: informative examples that are retained with
//! probability r (Proposition 1), listed decision by decision.

use num_traits::One;

use super::{Reading, Thirds};
use littlestone_base::error::Result;
use littlestone_exact::limits::Meter;
use littlestone_exact::{Number, Rational};
use littlestone_mechanism::Automaton;
use littlestone_privacy::mistakes;

/// Expected mistakes where informative examples are retained with probability r.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retained {
    /// μ: the expected number of auxiliary informative examples, retained or not.
    pub informative: Number,
    /// The expected number of mistakes of the auxiliary learner on them. It predicts with the
    /// inner learner's hypothesis.
    pub auxiliary: Number,
    /// E\[X\]: the expected number of mistakes of the learner on the retained examples.
    pub retained: Number,
}

/// Plays a learner against Algorithm 1 where every informative example is retained with
/// probability `probability` in [0, 1], and replaced by the dummy example otherwise. All streams
/// and all decisions are listed.
///
/// # Errors
/// As [`Thirds::streams`] and [`mistakes::on_stream_within`]. A stream with decisions counts as a
/// state, too.
pub fn retained(
    automaton: &Automaton,
    thirds: &Thirds,
    probability: &Rational,
    meter: &mut Meter<'_>,
) -> Result<Retained> {
    let mut found = Retained {
        informative: thirds.expected_informative().into(),
        auxiliary: Number::zero(),
        retained: Number::zero(),
    };
    for (stream, weight) in thirds.streams(Reading::Paper)? {
        let places: Vec<usize> =
            (0..stream.len()).filter(|i| stream[*i] / 2 == thirds.point()).collect();
        for decisions in 0..1usize << places.len() {
            meter.count()?;
            let mut fed = vec![thirds.dummy(); stream.len()];
            let mut chance = weight.clone();
            for (bit, &place) in places.iter().enumerate() {
                if decisions >> bit & 1 == 1 {
                    fed[place] = stream[place];
                    chance *= probability;
                } else {
                    chance *= Rational::one() - probability;
                }
            }
            let chance = Number::from(chance);
            let add = |sum: &mut Number, p: &Number| *sum = &*sum + &(&chance * p);
            for (bit, &place) in places.iter().enumerate() {
                // The example is compared with what is released before the decision is known.
                let shown = [&fed[..place], &stream[place..=place]].concat();
                let wrong = &mistakes::on_stream_within(automaton, &shown, meter)?.rounds[place];
                add(&mut found.auxiliary, wrong);
                if decisions >> bit & 1 == 1 {
                    add(&mut found.retained, wrong);
                }
            }
        }
    }
    Ok(found)
}

//! The third regime of Lemma 5, `ε_0` ≤ ε ≤ 1: informative examples that are retained with
//! probability r (Proposition 1), listed decision by decision.

use num_traits::One;

use super::{Reading, Thirds};
use crate::error::Result;
use crate::exact::{Number, Rational};
use crate::mechanism::Automaton;
use crate::mistakes;

/// Expected mistakes where informative examples are retained with probability r.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retained {
    /// μ: the expected number of auxiliary informative examples, retained or not.
    pub informative: Number,
    /// The expected number of mistakes of the auxiliary learner on them. It predicts with the
    /// inner learner's hypothesis.
    pub auxiliary: Number,
    /// The same for an auxiliary learner that sees the decision before it predicts, and predicts 0
    /// where it does not retain. It releases no more about the stream, but the count fails.
    pub informed: Number,
    /// E\[X\]: the expected number of mistakes of the learner on the retained examples.
    pub retained: Number,
}

/// Plays a learner against Algorithm 1 where every informative example is retained with
/// probability `probability` in [0, 1], and replaced by the dummy example otherwise. All streams
/// and all decisions are listed.
///
/// # Errors
/// As [`Thirds::streams`] and [`mistakes::on_stream`].
pub fn retained(
    automaton: &Automaton,
    thirds: &Thirds,
    probability: &Rational,
) -> Result<Retained> {
    let mut found = Retained {
        informative: thirds.expected_informative().into(),
        auxiliary: Number::zero(),
        informed: Number::zero(),
        retained: Number::zero(),
    };
    for (stream, weight) in thirds.streams(Reading::Paper)? {
        let places: Vec<usize> =
            (0..stream.len()).filter(|i| stream[*i] / 2 == thirds.point()).collect();
        for decisions in 0..1usize << places.len() {
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
                let wrong = &mistakes::on_stream(automaton, &shown)?.rounds[place];
                add(&mut found.auxiliary, wrong);
                if decisions >> bit & 1 == 1 {
                    add(&mut found.retained, wrong);
                    add(&mut found.informed, wrong);
                } else if stream[place] % 2 == 1 {
                    add(&mut found.informed, &Number::one());
                }
            }
        }
    }
    Ok(found)
}

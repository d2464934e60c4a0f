//! Expected mistakes where the law of the stream is given.

use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::Meter;
use littlestone_exact::with_arithmetic;
use littlestone_exact::{Arithmetic, Number};
use littlestone_mechanism::Automaton;

use super::admissible;
use super::model::{Law, Model, collect, index, reduce};

/// Expected mistakes, round by round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// `E[M_T]`, where `M_T` counts the rounds with a mistake.
    pub mistakes: Number,
    /// For each round, the probability of a mistake in it.
    pub rounds: Vec<Number>,
}

impl Expected {
    /// The expected mistakes with these probabilities of a mistake, round by round.
    pub fn from_rounds(rounds: Vec<Number>) -> Self {
        let mistakes = rounds.iter().fold(Number::zero(), |sum, p| &sum + p);
        Self { mistakes, rounds }
    }
}

/// Expected mistakes on a stream, given as records: (point x, label y) is 2x + y.
///
/// # Errors
/// When the mechanism is neither a learner nor a predictor, the stream is empty or longer than the
/// table covers, or it has an unknown record.
pub fn on_stream(automaton: &Automaton, stream: &[usize]) -> Result<Expected> {
    on_stream_within(automaton, stream, &mut Meter::default())
}

/// Expected mistakes on a stream, as [`on_stream`], within the limits of `meter`.
///
/// # Errors
/// As [`on_stream`], or when a limit is hit. Each round counts as a state.
pub fn on_stream_within(
    automaton: &Automaton,
    stream: &[usize],
    meter: &mut Meter<'_>,
) -> Result<Expected> {
    admissible(automaton, stream.len())?;
    known(automaton, stream.iter().copied())?;
    let rounds: Vec<Vec<(usize, Number)>> =
        stream.iter().map(|&record| vec![(record, Number::one())]).collect();
    independent(automaton, rounds.iter().map(Vec::as_slice), meter)
}

/// Expected mistakes on `rounds` independent examples, each drawn from the law `examples` over
/// records. The law need not be realisable.
///
/// # Errors
/// As [`on_stream`], or when the weights are not those of a law.
pub fn on_examples(
    automaton: &Automaton,
    examples: &[(usize, Number)],
    rounds: usize,
) -> Result<Expected> {
    on_examples_within(automaton, examples, rounds, &mut Meter::default())
}

/// [`on_examples`] within the limits of `meter`.
///
/// # Errors
/// As [`on_examples`], or when a limit is hit. Each round counts as a state.
pub fn on_examples_within(
    automaton: &Automaton,
    examples: &[(usize, Number)],
    rounds: usize,
    meter: &mut Meter<'_>,
) -> Result<Expected> {
    admissible(automaton, rounds)?;
    known(automaton, examples.iter().map(|(record, _)| *record))?;
    is_law(examples.iter().map(|(_, weight)| weight))?;
    independent(automaton, std::iter::repeat_n(examples, rounds), meter)
}

/// Expected mistakes on a stream drawn from a listed law over streams of one length. The stream is
/// drawn before the first round and not told to the mechanism.
///
/// # Errors
/// As [`on_stream`], or when the lengths differ, or the weights are not those of a law.
pub fn on_streams(automaton: &Automaton, streams: &[(Vec<usize>, Number)]) -> Result<Expected> {
    on_streams_within(automaton, streams, &mut Meter::default())
}

/// [`on_streams`] within the limits of `meter`.
///
/// # Errors
/// As [`on_streams`], or when a limit is hit. Each round of each stream counts as a state.
pub fn on_streams_within(
    automaton: &Automaton,
    streams: &[(Vec<usize>, Number)],
    meter: &mut Meter<'_>,
) -> Result<Expected> {
    is_law(streams.iter().map(|(_, weight)| weight))?;
    let length = streams.first().map_or(0, |(stream, _)| stream.len());
    if let Some((odd, _)) = streams.iter().find(|(stream, _)| stream.len() != length) {
        return Err(Error::argument(format!(
            "the listed streams must have one length: one has {length} rounds, another {}",
            odd.len()
        )));
    }
    let mut rounds = vec![Number::zero(); length];
    for (stream, weight) in streams {
        let expected = on_stream_within(automaton, stream, meter)?;
        for (sum, p) in rounds.iter_mut().zip(&expected.rounds) {
            *sum = &*sum + &(weight * p);
        }
    }
    Ok(Expected::from_rounds(rounds))
}

fn known(automaton: &Automaton, records: impl IntoIterator<Item = usize>) -> Result<()> {
    let count = automaton.interface().records();
    match records.into_iter().find(|&record| record >= count) {
        Some(record) => Err(Error::argument(format!(
            "the mechanism has {count} records, numbered from 0; there is no record {record}"
        ))),
        None => Ok(()),
    }
}

fn is_law<'n>(weights: impl Iterator<Item = &'n Number>) -> Result<()> {
    let mut sum = Number::zero();
    for weight in weights {
        if weight.sign().is_lt() {
            return Err(Error::argument(format!("the weight {weight} is negative")));
        }
        sum = &sum + weight;
    }
    if sum.is_one() {
        return Ok(());
    }
    Err(Error::argument(format!("the weights must sum to 1, not to {sum}")))
}

/// Expected mistakes on a stream whose examples are independent; `rounds` has the law of each.
///
/// An example is independent of the state before its round, so the probability of a mistake is a
/// sum over both, and the law of the state moves by the mixture of the steps.
fn independent<'l>(
    automaton: &Automaton,
    rounds: impl Iterator<Item = &'l [(usize, Number)]> + Clone,
    meter: &mut Meter<'_>,
) -> Result<Expected> {
    // Equal laws stand at one address: the numbers of a repeated law are looked at once.
    let mut laws: Vec<&[(usize, Number)]> = Vec::new();
    for law in rounds.clone() {
        if laws.last().is_none_or(|last| !std::ptr::eq(*last, law)) {
            laws.push(law);
        }
    }
    let weights = || laws.iter().flat_map(|law| law.iter().map(|(_, weight)| weight));
    with_arithmetic!(automaton.weights().chain(weights()), arithmetic => {
        let model = Model::new(arithmetic, automaton, meter)?;
        Ok(Expected::from_rounds(play(&model, rounds, meter)?))
    })
}

fn play<'l, A: Arithmetic>(
    model: &Model<A>,
    rounds: impl Iterator<Item = &'l [(usize, Number)]>,
    meter: &mut Meter<'_>,
) -> Result<Vec<Number>> {
    let arithmetic = &model.arithmetic;
    let (mut law, mut denominator) = (model.start.clone(), model.start_denominator.clone());
    rounds
        .map(|examples| {
            meter.count()?;
            let weights: Vec<Number> = examples.iter().map(|(_, weight)| weight.clone()).collect();
            let (weights, own) =
                arithmetic.common(&weights).expect("the arithmetic was chosen for these numbers");
            let mut mistake = arithmetic.zero();
            let mut next: Law<A::Weight> = Vec::new();
            for ((record, _), weight) in examples.iter().zip(&weights) {
                if arithmetic.is_zero(weight) {
                    continue;
                }
                let record = index(*record);
                let moves: usize =
                    law.iter().map(|(state, _)| 1 + model.step(*state, record).next.len()).sum();
                meter.operations(moves)?;
                let wrong = arithmetic.mul(&model.mistake(&law, record), weight);
                arithmetic.add(&mut mistake, &wrong);
                let moved = model.advance(&law, record).into_iter();
                next.extend(moved.map(|(s, w)| (s, arithmetic.mul(&w, weight))));
            }
            denominator =
                arithmetic.mul(&denominator, &arithmetic.mul(&model.round_denominator, &own));
            let probability = arithmetic.weight_number(&mistake, &denominator);
            // A common factor of all weights is one of their sum, which is the denominator.
            let (reduced, factor) = reduce(arithmetic, collect(arithmetic, next));
            denominator = arithmetic.divide(&denominator, &factor);
            law = reduced;
            Ok(probability)
        })
        .collect()
}

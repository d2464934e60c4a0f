//! The event that shows a divergence between two given streams, word by word.

use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::Meter;
use littlestone_exact::with_arithmetic;
use littlestone_exact::{Arithmetic, Number};
use littlestone_mechanism::{Automaton, Kind};

use super::model::Model;
use super::pair;
use super::question::{Neighbour, Notion, Question};
use super::summary;

/// The event that shows a divergence, with its probabilities under both streams.
#[derive(Debug, Clone)]
pub struct Event {
    /// The round in which the streams differ, from 0.
    pub round: usize,
    /// The output words of the event, in lexicographic order. Under joint privacy they lack the
    /// symbol of the differing round.
    pub words: Vec<Vec<usize>>,
    /// The probability of the event under the first stream.
    pub first: Number,
    /// The probability of the event under the second stream.
    pub second: Number,
    /// The divergence: first − e^ε · second.
    pub divergence: Number,
}

/// The event {y : P(y) > e^ε·Q(y)} of a pair of neighbouring streams, with its probabilities
/// recomputed word by word.
///
/// # Errors
/// As [`worst_delta`](super::worst_delta), when the streams are not neighbours, and when a limit is hit.
pub fn event(
    automaton: &Automaton,
    question: &Question,
    neighbour: &Neighbour,
    meter: &mut Meter<'_>,
) -> Result<Event> {
    let streams = narrowed(neighbour);
    let (rounds, round) = differing_round(automaton, &streams)?;
    let omitted = (question.notion == Notion::Joint).then_some(round);
    with_arithmetic!(automaton.weights(), &question.epsilon, arithmetic => {
        let model = Model::new(&arithmetic, automaton, rounds, meter)?;
        let streams = [&streams[0][..], &streams[1][..]];
        let masses = pair::masses(&arithmetic, &model, streams, omitted, meter)?;
        let denominator = model.denominator(&arithmetic, rounds);
        let (mut words, mut divergence) = (Vec::new(), arithmetic.value_zero());
        let mut sums = [arithmetic.zero(), arithmetic.zero()];
        for (word, [p, q]) in masses.iter() {
            meter.operations(1)?;
            let Some(excess) = arithmetic.excess(p, q) else { continue };
            arithmetic.value_add(&mut divergence, &excess);
            arithmetic.add(&mut sums[0], p);
            arithmetic.add(&mut sums[1], q);
            words.push(word.iter().map(|&o| o as usize).collect());
        }
        Ok(Event {
            round,
            words,
            first: arithmetic.weight_number(&sums[0], &denominator),
            second: arithmetic.weight_number(&sums[1], &denominator),
            divergence: arithmetic.number(&divergence, &denominator),
        })
    })
}

/// The divergences of two streams of one length that differ in one record, in both directions: the
/// laws of all output words under both are computed once. For one-shot mechanisms also of data sets of
/// different sizes.
///
/// # Errors
/// As [`event`].
pub fn both_ways(
    automaton: &Automaton,
    question: &Question,
    neighbour: &Neighbour,
    meter: &mut Meter<'_>,
) -> Result<[Number; 2]> {
    let streams = narrowed(neighbour);
    let (rounds, round) = differing_round(automaton, &streams)?;
    let omitted = (question.notion == Notion::Joint).then_some(round);
    with_arithmetic!(automaton.weights(), &question.epsilon, arithmetic => {
        let model = Model::new(&arithmetic, automaton, rounds, meter)?;
        let streams = [&streams[0][..], &streams[1][..]];
        let masses = pair::masses(&arithmetic, &model, streams, omitted, meter)?;
        let mut sums = [arithmetic.value_zero(), arithmetic.value_zero()];
        for (_, [p, q]) in masses.iter() {
            meter.operations(1)?;
            for (sum, (p, q)) in sums.iter_mut().zip([(p, q), (q, p)]) {
                if let Some(excess) = arithmetic.excess(p, q) {
                    arithmetic.value_add(sum, &excess);
                }
            }
        }
        let denominator = model.denominator(&arithmetic, rounds);
        Ok(sums.map(|sum| arithmetic.number(&sum, &denominator)))
    })
}

/// [`event`] without the words, for events that are too large to be listed: the streams have one
/// length and differ in one record, and the mechanism is not one-shot.
///
/// # Errors
/// When the streams or the mechanism are of another form, and when a limit is hit.
pub fn event_unlisted(
    automaton: &Automaton,
    question: &Question,
    neighbour: &Neighbour,
    meter: &mut Meter<'_>,
) -> Result<Event> {
    let streams = narrowed(neighbour);
    let rounds = streams[0].len();
    let different: Vec<usize> =
        (0..rounds).filter(|&i| streams[0].get(i) != streams[1].get(i)).collect();
    let one_shot = automaton.interface().kind() == Kind::OneShot;
    let [round] = different[..] else {
        return Err(Error::argument("the streams do not differ in exactly one record"));
    };
    if one_shot || streams[1].len() != rounds {
        return Err(Error::argument("the streams are not those of one length of rounds"));
    }
    let counted = question.notion == Notion::Whole;
    with_arithmetic!(automaton.weights(), &question.epsilon, arithmetic => {
        let model = Model::new(&arithmetic, automaton, rounds, meter)?;
        let streams = [&streams[0][..], &streams[1][..]];
        let (sums, divergence) = summary::masses(&arithmetic, &model, streams, round, counted, meter)?;
        let denominator = model.denominator(&arithmetic, rounds);
        Ok(Event {
            round,
            words: Vec::new(),
            first: arithmetic.weight_number(&sums[0], &denominator),
            second: arithmetic.weight_number(&sums[1], &denominator),
            divergence: arithmetic.number(&divergence, &denominator),
        })
    })
}

/// The number of records of the longer stream, and the first round in which they differ.
fn differing_round(automaton: &Automaton, streams: &[Vec<u32>; 2]) -> Result<(usize, usize)> {
    let rounds = streams[0].len().max(streams[1].len());
    let round = (0..rounds)
        .find(|&i| streams[0].get(i) != streams[1].get(i))
        .ok_or_else(|| Error::argument("the two streams are equal"))?;
    if automaton.interface().kind() != Kind::OneShot && streams[0].len() != streams[1].len() {
        return Err(Error::argument("the streams are not those of one length of rounds"));
    }
    Ok((rounds, round))
}

/// The two streams as the engine numbers records; the opposite of [`indices`].
pub(super) fn narrowed(neighbour: &Neighbour) -> [Vec<u32>; 2] {
    [&neighbour.first, &neighbour.second]
        .map(|stream| stream.iter().map(|&z| u32::try_from(z).expect("records fit u32")).collect())
}

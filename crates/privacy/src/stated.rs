//! Answers that someone else has found: what can be checked of them without a search.
//!
//! A pair of streams shows a divergence, and that is recomputed. That no pair exceeds a number is
//! shown by nothing, so it is only compared with what the pairs show.

use super::event::{event, event_unlisted};
use super::question::{Neighbour, Neighbours, Question};
use super::streams::Streams;
use super::verdict::Worst;
use littlestone_base::error::Result;
use littlestone_exact::Number;
use littlestone_exact::limits::Meter;
use littlestone_mechanism::{Automaton, Kind};

/// Why two streams are no neighbours of the given kind; `None` when they are.
pub fn not_neighbours(kind: Neighbours, pair: &Neighbour) -> Option<String> {
    let Neighbour { first, second } = pair;
    if kind == Neighbours::AddRemove {
        let (short, long) =
            if first.len() < second.len() { (first, second) } else { (second, first) };
        let removed = (0..long.len()).any(|i| {
            let rest = long[..i].iter().chain(&long[i + 1..]);
            rest.eq(short.iter())
        });
        return (!removed).then(|| "no record was added or removed, or more than one".into());
    }
    if first.len() != second.len() {
        return Some("the streams have different lengths".into());
    }
    let different = first.iter().zip(second).filter(|(a, b)| a != b).count();
    (different != 1).then(|| format!("the streams differ in {different} records, not in one"))
}

/// The divergence that a pair shows, recomputed from the automaton.
fn divergence(
    automaton: &Automaton,
    question: &Question,
    pair: &Neighbour,
    meter: &mut Meter<'_>,
) -> Result<Number> {
    let one_shot = automaton.interface().kind() == Kind::OneShot;
    let event = if one_shot { event } else { event_unlisted };
    Ok(event(automaton, question, pair, meter)?.divergence)
}

/// The divergence of a pair that is to be an answer to a question about streams of `rounds` rounds,
/// or why it cannot be one.
///
/// # Errors
/// When the automaton does not cover the streams, or a limit is hit.
pub fn shown(
    automaton: &Automaton,
    streams: &Streams,
    question: &Question,
    rounds: usize,
    pair: &Neighbour,
    meter: &mut Meter<'_>,
) -> Result<std::result::Result<Number, String>> {
    let length = pair.first.len().max(pair.second.len());
    let fault = not_neighbours(question.neighbours, pair).or_else(|| {
        if length != rounds {
            return Some(format!("the streams have {length} rounds, not {rounds}"));
        }
        let counted = [&pair.first, &pair.second].iter().all(|stream| streams.contains(stream));
        (!counted).then(|| "a stream is not realisable".into())
    });
    Ok(match fault {
        Some(fault) => Err(fault),
        None => Ok(divergence(automaton, question, pair, meter)?),
    })
}

/// Why a stated worst δ over streams of `rounds` rounds does not agree with the pair that it names;
/// `None` when it does.
///
/// # Errors
/// As [`shown`].
pub fn misstated(
    automaton: &Automaton,
    streams: &Streams,
    question: &Question,
    rounds: usize,
    stated: &Worst,
    meter: &mut Meter<'_>,
) -> Result<Option<String>> {
    let (lower, pair, upper) = match stated {
        Worst::Exact { delta, attained_by } => (delta, attained_by, delta),
        Worst::Between { lower, attained_by, upper, .. } => (lower, attained_by, upper),
    };
    if upper < lower {
        return Ok(Some(format!("a bound of {upper} is less than the divergence {lower}")));
    }
    let Some(pair) = pair else {
        let unshown = *lower != Number::zero();
        return Ok(unshown.then(|| format!("no pair of streams shows the divergence {lower}")));
    };
    Ok(match shown(automaton, streams, question, rounds, pair, meter)? {
        Ok(real) if real == *lower => None,
        Ok(real) => Some(format!("the pair has the divergence {real}, not {lower}")),
        Err(fault) => Some(fault),
    })
}

/// Why the worst δ of lengths 1, 2, … disagree with one another; `None` when they do not. What was
/// released stays released, so where a pair can be continued the worst δ does not shrink.
pub fn shrinking(automaton: &Automaton, streams: &Streams, answers: &[Worst]) -> Option<String> {
    if automaton.interface().kind() == Kind::OneShot {
        return None;
    }
    answers.windows(2).zip(1..).find_map(|(pair, rounds)| {
        let (lower, shown) = match &pair[0] {
            Worst::Exact { delta, attained_by } => (delta, attained_by),
            Worst::Between { lower, attained_by, .. } => (lower, attained_by),
        };
        let (Worst::Exact { delta: upper, .. } | Worst::Between { upper, .. }) = &pair[1];
        let longer = shown.as_ref().is_some_and(|pair| streams.continues(pair));
        (longer && upper < lower).then(|| {
            format!(
                "a pair of {rounds} rounds shows the divergence {lower}, and longer streams are \
                 said to have at most {upper}"
            )
        })
    })
}

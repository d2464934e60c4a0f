//! The δ that a learner has at ε on the streams that the proof of Lemma 2 compares.

use super::front::{Front, Meter, Round, Term};
use super::learner::{DUMMY, Learner, informative};
use crate::adversary::{Interval, Thirds};
use crate::error::Result;
use crate::exact::{Arithmetic, Number};

/// The worst δ over these pairs, in both directions, between the laws of `Y_1`, …, `Y_T`: any stream
/// after the stages with windows `windows`, and the same stream with one more example in
/// `interval` = `A_t`; any such stream with an example in the first third of `A_t`, and the same with
/// one more in the middle third. The label is that of B in all of them.
///
/// These are the comparisons of (5), for `Q_s` and Q and for the two components of `P_s`⁺ and P.
///
/// # Errors
/// When a limit is hit.
pub(super) fn worst<A: Arithmetic>(
    learner: &Learner<A>,
    adversary: &Thirds,
    windows: &[Interval],
    interval: Interval,
    meter: &mut Meter,
) -> Result<Number> {
    let mut worst = Number::zero();
    for label in [false, true] {
        for stream in streams(windows) {
            let found = pairs(learner, adversary, &stream, interval, label, meter)?;
            worst = worst.max(found);
            if interval.len() < 3 {
                continue;
            }
            for first in interval.third(1).rounds() {
                let mut stream = stream.clone();
                stream.push(first);
                let found = pairs(learner, adversary, &stream, interval.third(2), label, meter)?;
                worst = worst.max(found);
            }
        }
    }
    Ok(worst)
}

/// All streams, as their informative rounds: at most one in each window.
fn streams(windows: &[Interval]) -> Vec<Vec<usize>> {
    windows.iter().fold(vec![Vec::new()], |streams, window| {
        let more = |stream: &Vec<usize>| {
            let longer = window.rounds().map(|round| [stream.as_slice(), &[round]].concat());
            std::iter::once(stream.clone()).chain(longer).collect::<Vec<_>>()
        };
        streams.iter().flat_map(more).collect()
    })
}

/// The worst δ between one stream and those with one more example in `interval`.
fn pairs<A: Arithmetic>(
    learner: &Learner<A>,
    adversary: &Thirds,
    stream: &[usize],
    interval: Interval,
    label: bool,
    meter: &mut Meter,
) -> Result<Number> {
    let arithmetic = &learner.arithmetic;
    let mut front = Front::start(learner, 1);
    let mut width = 1;
    for round in 1..=adversary.rounds() {
        let example = if stream.contains(&round) { informative(label) } else { DUMMY };
        let term = |from, example| vec![Term { from, example, factor: arithmetic.one() }];
        let mut lanes: Vec<_> = (0..width).map(|lane| term(lane, example)).collect();
        if interval.rounds().contains(&round) {
            lanes.push(term(0, informative(label)));
        }
        width = lanes.len();
        front.advance(&Round { lanes, scale: arithmetic.one() }, meter)?;
    }
    let mut sums = vec![arithmetic.value_zero(); 2 * (width - 1)];
    for (masses, factor) in front.masses() {
        for (place, inserted) in masses[1..].iter().enumerate() {
            for (sum, p, q) in
                [(2 * place, inserted, &masses[0]), (2 * place + 1, &masses[0], inserted)]
            {
                if let Some(excess) = arithmetic.excess(p, q) {
                    arithmetic.value_add(&mut sums[sum], &arithmetic.value_scale(&excess, &factor));
                }
            }
        }
    }
    let worst = sums.iter().max_by(|a, b| arithmetic.value_cmp(a, b));
    Ok(worst.map_or_else(Number::zero, |worst| arithmetic.number(worst, &front.denominator)))
}

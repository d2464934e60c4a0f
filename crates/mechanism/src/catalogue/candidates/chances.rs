//! Probabilities and numbers of runs of Algorithm 2 on one stream (Lemmas 3 and 7).

use std::ops::ControlFlow;

use littlestone_base::error::Error;
use littlestone_exact::Number;
use littlestone_exact::functions;
use littlestone_exact::limits::Limits;

use super::algorithm::{Algorithm, Call};
use super::statement::{pairs, promised};
use super::{Fault, whole};

/// What the runs on one stream come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chances {
    /// The probability that some candidate makes fewer than K mistakes (Lemma 3).
    pub candidate: Number,
    /// The probability that Select returns ⊥ at ℓ = d.
    pub ended: Number,
    /// The probability that some call of Select breaks the promise of Lemma 7.
    pub broken: Number,
    /// The greatest probability, over the calls that occur, that this one call does.
    pub call: Number,
    /// The greatest number of calls in one run.
    pub calls: usize,
    /// The greatest number of pairs of a group and a function that some list of the group names in
    /// one run: P in Step 1 of Section 3.
    pub pairs: usize,
    /// The greatest size of a list.
    pub list: usize,
}

impl Algorithm {
    /// Adds up over all runs on a stream.
    ///
    /// # Errors
    /// When a limit is hit: each run counts as one state.
    pub fn chances(&self, stream: &[(usize, bool)], limits: &Limits) -> Result<Chances, Fault> {
        let size = self.parameters().batch;
        let zero = Number::zero;
        let mut found = Chances {
            candidate: zero(),
            ended: zero(),
            broken: zero(),
            call: zero(),
            calls: 0,
            pairs: 0,
            list: 0,
        };
        let all = self.for_each_run(stream, limits, |run, weight| {
            let calls = || run.steps.iter().flat_map(|step| &step.calls);
            if run.candidates.iter().any(|h| h.mistakes(stream) < size) {
                found.candidate = &found.candidate + weight;
            }
            if run.ended {
                found.ended = &found.ended + weight;
            }
            if !calls().all(promised) {
                found.broken = &found.broken + weight;
            }
            for call in calls() {
                found.call = found.call.clone().max(broken(call));
            }
            found.calls = found.calls.max(calls().count());
            found.pairs = found.pairs.max(pairs(run));
            let sizes = calls().flat_map(|call| &call.lists).map(|(_, list)| list.functions.len());
            found.list = sizes.fold(found.list, usize::max);
            ControlFlow::<()>::Continue(())
        })?;
        debug_assert!(all.is_continue());
        Ok(found)
    }
}

/// The probability that a call on these lists breaks the promise of Lemma 7.
fn broken(call: &Call) -> Number {
    let mut sum = Number::zero();
    let mut asked = call.clone();
    for (answer, weight) in call.law.iter() {
        asked.answer.clone_from(answer);
        if !promised(&asked) {
            sum = &sum + weight;
        }
    }
    sum
}

/// P ≥ 0 and Q given by outcome, both sorted: Σ max(0, P(o) − E·Q(o)).
///
/// # Errors
/// When a number is beyond all limits.
pub(super) fn divergence<T: Ord>(
    p: &[(T, Number)],
    q: &[(T, Number)],
    level: &Number,
) -> Result<Number, Error> {
    let mut sum = Number::zero();
    for (outcome, weight) in p {
        let other = q.binary_search_by(|(o, _)| o.cmp(outcome)).ok().map(|at| &q[at].1);
        let excess = match other {
            None => weight.clone(),
            Some(other) => {
                let scaled = functions::multiply(level, other).map_err(Error::argument)?;
                functions::subtract(weight, &scaled).map_err(Error::argument)?
            }
        };
        if excess.sign().is_gt() {
            sum = functions::add(&sum, &excess).map_err(Error::argument)?;
        }
    }
    Ok(sum)
}

/// A probability as a share of equally likely cases.
pub(super) fn share(cases: usize, of: usize) -> Result<Number, Fault> {
    Ok(functions::divide(&whole(cases), &whole(of)).map_err(Error::argument)?)
}

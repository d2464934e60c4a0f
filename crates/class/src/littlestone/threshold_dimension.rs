//! The threshold dimension: the longest sequence of points and hypotheses that compare as numbers.
//!
//! The search is over sets of points rather than sequences. Points can be put in an order
//! x₁, …, xₖ that hypotheses h₁, …, hₖ witness exactly if the traces {x in S : h(x) = 1} of the
//! class on S = {x₁, …, xₖ} contain a chain from S down to a single point that loses one point
//! at a time: hᵢ is a hypothesis with the trace {xᵢ, …, xₖ}. Every subset of such a set is such
//! a set, by restriction of the chain, so a point that cannot be added stays useless.

mod bounds;
mod chain;
mod relation;

use crate::Class;
use littlestone_exact::limits::{Limits, Meter, Stopped};

use super::Dimension;
use chain::Traces;
use relation::Relation;

/// What is known of a threshold dimension, with its proof from below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThresholdSequence {
    /// The bounds that were proved.
    pub dimension: Dimension,
    /// Points x₁, …, xₖ, as many as the lower bound says.
    pub points: Vec<usize>,
    /// Hypotheses h₁, …, hₖ with hᵢ(xⱼ) = 1 iff i ≤ j.
    pub hypotheses: Vec<usize>,
}

/// The threshold dimension of `class`: the largest k such that there are points x₁, …, xₖ and
/// hypotheses h₁, …, hₖ with hᵢ(xⱼ) = 1 iff i ≤ j; columns are not complemented. It is −1 for
/// the empty class and 0 for the zero function alone. When a limit is hit, the best bounds proved.
///
/// The search runs on one thread; a state is a set of points whose extensions are tried.
pub fn threshold_dimension(class: &Class, limits: &Limits) -> Dimension {
    threshold_sequence(class, limits).dimension
}

/// A longest sequence, as [`threshold_dimension`].
pub fn threshold_sequence(class: &Class, limits: &Limits) -> ThresholdSequence {
    if class.hypotheses() == 0 {
        let dimension = Dimension { lower: -1, upper: -1, stopped: None };
        return ThresholdSequence { dimension, points: Vec::new(), hypotheses: Vec::new() };
    }
    let relation = Relation::new(class);
    let upper = bounds::upper(&relation);
    let mut search = Search {
        relation: &relation,
        traces: Traces::new(&relation),
        meter: limits.meter(),
        best: Vec::new(),
        upper,
    };
    let stopped = search.run().err();
    let best = search.best;
    // A limit that was hit matters only if it left something open.
    let stopped = stopped.filter(|_| best.len() < upper);
    let number = |n: usize| i32::try_from(n).expect("a dimension fits i32");
    let upper = if stopped.is_some() { upper } else { best.len() };
    let dimension = Dimension { lower: number(best.len()), upper: number(upper), stopped };
    let (points, hypotheses) = relation.sequence(&best);
    ThresholdSequence { dimension, points, hypotheses }
}

/// A row and an item of the relation: (hᵢ, xᵢ).
type Pair = (usize, usize);

struct Search<'r> {
    relation: &'r Relation,
    traces: Traces<'r>,
    meter: Meter<'static>,
    best: Vec<Pair>,
    upper: usize,
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), Stopped> {
        let relation = self.relation;
        bounds::dive(relation, &mut self.meter, &mut self.best)?;
        if self.best.len() == self.upper {
            return Ok(());
        }
        // What served the first dive well is tried first.
        let mut order: Vec<usize> = self.best.iter().map(|&(_, item)| item).collect();
        let mut rest: Vec<usize> = (0..relation.items()).filter(|i| !order.contains(i)).collect();
        rest.sort_by_key(|&item| std::cmp::Reverse(relation.column_weight(item)));
        order.append(&mut rest);
        let alive: Vec<usize> = (0..relation.rows()).collect();
        self.extend(&mut vec![0; relation.stride()], 0, &alive, &order)
    }

    /// Tries every set that adds to `set`, of `size` items, some of `candidates`; `alive` holds the
    /// rows that can take part in its chain. Stops early when the upper bound is reached.
    fn extend(
        &mut self,
        set: &mut [u64],
        size: usize,
        alive: &[usize],
        candidates: &[usize],
    ) -> Result<(), Stopped> {
        self.meter.count()?;
        let mut fit = Vec::new();
        for (index, &item) in candidates.iter().enumerate() {
            if size + fit.len() + candidates.len() - index <= self.best.len() {
                return Ok(());
            }
            self.meter.work(alive.len() * self.relation.stride())?;
            set[item / 64] |= 1 << (item % 64);
            self.traces.read(set, alive);
            let chain = self.traces.chain(set);
            set[item / 64] &= !(1 << (item % 64));
            let Some(chain) = chain else { continue };
            fit.push(item);
            if chain.len() > self.best.len() {
                self.best = chain;
                if self.best.len() == self.upper {
                    return Ok(());
                }
            }
        }
        for (index, &item) in fit.iter().enumerate() {
            if size + fit.len() - index <= self.best.len() || self.best.len() == self.upper {
                break;
            }
            set[item / 64] |= 1 << (item % 64);
            self.traces.read(set, alive);
            let useful = self.traces.useful(set, alive);
            self.extend(set, size + 1, &useful, &fit[index + 1..])?;
            set[item / 64] &= !(1 << (item % 64));
        }
        Ok(())
    }
}

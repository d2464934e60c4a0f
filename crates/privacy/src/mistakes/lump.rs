//! Merges states that no stream can tell apart by mistakes.

use rustc_hash::FxHashMap;

use littlestone_exact::Arithmetic;
use littlestone_exact::limits::{Meter, Stopped};

use super::model::{Law, Model, Step, collect, index};

/// What a state does, up to blocks: its block so far and a step for each record.
type Signature<W> = (u32, Vec<Step<W>>);

/// Larger models are searched as they are: every pass reads the whole table, and there may be as
/// many passes as states.
const MAX_STATES: usize = 20_000;

impl<A: Arithmetic> Model<A> {
    /// The model with states merged by the coarsest partition in which the states of a block have,
    /// for every record, the same probability of a mistake and the same law of the next block.
    ///
    /// Expected mistakes are the same on every stream. Released symbols count through mistakes
    /// alone, so more states are merged than a bisimulation could. Blocks are numbered by their
    /// first states.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn lumped(self, meter: &mut Meter<'_>) -> Result<Self, Stopped> {
        if self.steps.len() > MAX_STATES {
            return Ok(self);
        }
        let mut blocks = vec![0u32; self.steps.len()];
        let mut count = self.steps.len().min(1);
        loop {
            let mut places: FxHashMap<Signature<A::Weight>, u32> = FxHashMap::default();
            let next = (0..self.steps.len())
                .map(|state| {
                    let weights: usize = self.steps[state].iter().map(|s| 1 + s.next.len()).sum();
                    meter.operations(weights)?;
                    let fresh = index(places.len());
                    let signature = (blocks[state], self.steps_to_blocks(state, &blocks));
                    Ok(*places.entry(signature).or_insert(fresh))
                })
                .collect::<Result<_, Stopped>>()?;
            blocks = next;
            if places.len() == count {
                return Ok(self.quotient(&blocks, count));
            }
            count = places.len();
        }
    }

    fn law_to_blocks(&self, law: &Law<A::Weight>, blocks: &[u32]) -> Law<A::Weight> {
        let terms = law.iter().map(|(s, w)| (blocks[*s as usize], w.clone())).collect();
        collect(&self.arithmetic, terms)
    }

    fn steps_to_blocks(&self, state: usize, blocks: &[u32]) -> Vec<Step<A::Weight>> {
        let step = |step: &Step<A::Weight>| Step {
            mistake: step.mistake.clone(),
            next: self.law_to_blocks(&step.next, blocks),
        };
        self.steps[state].iter().map(step).collect()
    }

    fn quotient(self, blocks: &[u32], count: usize) -> Self {
        let mut steps: Vec<Vec<Step<A::Weight>>> = Vec::with_capacity(count);
        for (state, &block) in blocks.iter().enumerate() {
            if block as usize == steps.len() {
                steps.push(self.steps_to_blocks(state, blocks));
            }
        }
        let start = self.law_to_blocks(&self.start, blocks);
        Self { start, steps, ..self }
    }
}

//! What mistakes depend on: in every state, the probability of a mistake and the law of the next
//! state, with integer weights over one denominator.

use littlestone_exact::limits::{Meter, Stopped};
use littlestone_exact::{Arithmetic, Number};
use littlestone_mechanism::Automaton;

/// A law over states, up to a common factor: sorted by state, no zero weights.
pub type Law<W> = Vec<(u32, W)>;

/// A round that carries one record, from one state. Both parts are over
/// [`Model::round_denominator`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Step<W> {
    /// The probability of a mistake.
    pub mistake: W,
    /// The law of the next state.
    pub next: Law<W>,
}

/// A learner or predictor over a fixed arithmetic, without its outputs.
#[derive(Debug, Clone)]
pub struct Model<A: Arithmetic> {
    /// The arithmetic of the weights.
    pub arithmetic: A,
    /// The law of the state before round 1, over [`Model::start_denominator`].
    pub start: Law<A::Weight>,
    /// What the weights of `start` are over.
    pub start_denominator: A::Weight,
    /// What the weights of `steps` are over.
    pub round_denominator: A::Weight,
    /// `steps[state][record]`; empty for a state that no stream asks to respond.
    pub steps: Vec<Vec<Step<A::Weight>>>,
    /// How many records there are: (point x, label y) is 2x + y.
    pub records: u32,
}

/// An index that the compiler of automata has bounded.
pub fn index(i: usize) -> u32 {
    u32::try_from(i).expect("indices fit u32")
}

impl<A: Arithmetic> Model<A> {
    /// The model of a learner or predictor.
    ///
    /// # Errors
    /// When a limit is hit.
    ///
    /// # Panics
    /// When a probability is not a number of this arithmetic, or the mechanism makes no mistakes.
    pub fn new(
        arithmetic: A,
        automaton: &Automaton,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stopped> {
        let rows = automaton.rows();
        let interface = automaton.interface();
        let common = |numbers: Vec<Number>| {
            arithmetic.common(&numbers).expect("the arithmetic was chosen for these numbers")
        };
        let weights = |law: &[(usize, Number)]| -> Vec<Number> {
            law.iter().map(|(_, weight)| weight.clone()).collect()
        };
        let (start, start_denominator) = common(weights(automaton.start()));
        let responses = rows.iter().flat_map(|row| row.respond.iter().flatten());
        let (respond, respond_denominator) = common(responses.map(|r| r.weight.clone()).collect());
        let observations = rows.iter().flat_map(|row| row.observe.iter());
        let (observe, observe_denominator) =
            common(observations.flat_map(|l| weights(l)).collect());

        // The numerators in the order in which the rows list them.
        let mut respond = respond.into_iter();
        let respond: Vec<Vec<Vec<A::Weight>>> = rows
            .iter()
            .map(|row| {
                row.respond.iter().map(|law| respond.by_ref().take(law.len()).collect()).collect()
            })
            .collect();
        let mut observe = observe.into_iter();
        let observe: Vec<Vec<Law<A::Weight>>> = rows
            .iter()
            .map(|row| {
                let numbered = |law: &Vec<(usize, Number)>| {
                    law.iter().map(|(to, _)| index(*to)).zip(observe.by_ref()).collect()
                };
                row.observe.iter().map(numbered).collect()
            })
            .collect();

        let mut step = |state: usize, record: usize| {
            let (before, after) = interface.parts(record);
            let mut mistake = arithmetic.zero();
            let mut next = Vec::new();
            for (response, weight) in
                rows[state].respond[before].iter().zip(&respond[state][before])
            {
                meter.operations(1 + observe[response.next][after].len())?;
                let output = &automaton.outputs()[response.output];
                if interface.mistake(output, record).expect("a learner or predictor") {
                    arithmetic.add(&mut mistake, weight);
                }
                for (to, w) in &observe[response.next][after] {
                    next.push((*to, arithmetic.mul(weight, w)));
                }
            }
            let mistake = arithmetic.mul(&mistake, &observe_denominator);
            Ok(Step { mistake, next: collect(&arithmetic, next) })
        };
        let steps = (0..rows.len())
            .map(|state| {
                let asked = !rows[state].respond.is_empty();
                (0..interface.records()).filter(|_| asked).map(|r| step(state, r)).collect()
            })
            .collect::<Result<_, Stopped>>()?;
        Ok(Self {
            start: automaton.start().iter().map(|(s, _)| index(*s)).zip(start).collect(),
            start_denominator,
            round_denominator: arithmetic.mul(&respond_denominator, &observe_denominator),
            steps,
            records: index(interface.records()),
            arithmetic,
        })
    }

    /// What a round with `record` does from `state`.
    pub fn step(&self, state: u32, record: u32) -> &Step<A::Weight> {
        &self.steps[state as usize][record as usize]
    }

    /// The probability of a mistake in a round with `record`, over the denominator of the law
    /// times that of a round.
    pub fn mistake(&self, law: &Law<A::Weight>, record: u32) -> A::Weight {
        let mut sum = self.arithmetic.zero();
        for (state, weight) in law {
            let step = self.step(*state, record);
            self.arithmetic.add(&mut sum, &self.arithmetic.mul(weight, &step.mistake));
        }
        sum
    }

    /// The law after a round with `record`, over the denominator of the law times that of a round.
    pub fn advance(&self, law: &Law<A::Weight>, record: u32) -> Law<A::Weight> {
        let mut terms = Vec::new();
        for (state, weight) in law {
            for (to, w) in &self.step(*state, record).next {
                terms.push((*to, self.arithmetic.mul(weight, w)));
            }
        }
        collect(&self.arithmetic, terms)
    }
}

/// Sorts terms by state and adds up those of equal states.
pub fn collect<A: Arithmetic>(arithmetic: &A, mut terms: Law<A::Weight>) -> Law<A::Weight> {
    terms.sort_unstable_by_key(|(state, _)| *state);
    terms.dedup_by(|later, kept| {
        let equal = later.0 == kept.0;
        if equal {
            arithmetic.add(&mut kept.1, &later.1);
        }
        equal
    });
    terms
}

/// The law without the common factor of its weights, and the factor.
pub fn reduce<A: Arithmetic>(
    arithmetic: &A,
    mut law: Law<A::Weight>,
) -> (Law<A::Weight>, A::Weight) {
    let factor = arithmetic.content(law.iter().map(|(_, weight)| weight));
    if factor != arithmetic.one() {
        for (_, weight) in &mut law {
            *weight = arithmetic.divide(weight, &factor);
        }
    }
    (law, factor)
}

//! The potentials of Section 2.1 for a given learner, exactly, and the inequalities about them:
//! Lemmas 1 and 2, (1) to (3), (5) to (7), and the steps of their proofs.
//!
//! The learner is an automaton and the adversary that of Algorithm 1, so the released bits
//! `Y_r` = `h_r(x)` come from a hidden Markov model. What is kept for a history `y_1`, …, `y_r` are the
//! joint weights of the state on the streams that are compared; all that is asked of them is
//! homogeneous, so histories with proportional weights are merged (`front`). For learners that
//! forget little of what they released there are few of those that differ, and T = 27 is in
//! reach; for others their number doubles in every round.
//!
//! | item | idea |
//! | --- | --- |
//! | [`potentials`] | V_t(r), I_t, W_t, D_t for all choices of thirds, and the δ that the learner has |
//! | [`STATEMENTS`] | the inequalities, with their misreadings, and what they come to |

mod delta;
mod front;
mod learner;
mod plan;
mod ratios;
mod side;
mod statements;
mod sum;
mod values;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use ratios::Ratios;
pub use side::Side;
pub use statements::{
    Constant, Context, Relation, Row, STATEMENTS, Statement, Verdict, statement, tightest,
};

use crate::adversary::{Interval, Thirds};
use littlestone_base::error::Result;
use littlestone_exact::limits::Meter;
use littlestone_exact::with_arithmetic;
use littlestone_exact::{Arithmetic, Epsilon, Number, Rational};
use littlestone_mechanism::Automaton;

use learner::Learner;
use plan::Plan;
use values::Values;

/// The quantities for one choice of thirds `J_1`, …, `J_t`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// `J_1`, …, `J_t`.
    pub thirds: Vec<u8>,
    /// `A_t`.
    pub interval: Interval,
    values: Arc<Values>,
    /// `W_t`, `D_t` and the like.
    pub ratios: Ratios,
    /// The δ that the learner has at ε on the streams that the proof compares; 0 where t = L.
    pub delta: Number,
    /// `D_t` as a misreading has it, where it was asked for.
    pub unconditioned: Option<Number>,
}

impl Choice {
    /// `V_t(0)`, …, `V_t(T)`.
    pub fn revealed(&self) -> &[Number] {
        &self.values.revealed
    }

    /// `I_t` = `V_t(a_t)` + `2(V_t(b_t)` − `V_t(a_t)`).
    pub fn information(&self) -> Number {
        let [at, to] = [self.interval.after, self.interval.last].map(|r| &self.revealed()[r]);
        at + &(&Number::from(2) * &(to - at))
    }

    /// `P(Y_s` ≠ B), averaged over the rounds s of the first third of `A_t`.
    pub fn wrong(&self) -> Number {
        self.average(&self.values.wrong)
    }

    /// P(Y_{s+1} ≠ B) after an insertion at s, averaged over the same rounds: what Lemma 1 is not
    /// about.
    pub fn wrong_after(&self) -> Number {
        self.average(&self.values.wrong_after)
    }

    fn average(&self, rounds: &[Number]) -> Number {
        let first = self.interval.third(1);
        let sum = first.rounds().fold(Number::zero(), |sum, s| &sum + &rounds[s - 1]);
        &sum * &share(first.len())
    }
}

/// 1/n.
fn share(n: usize) -> Number {
    Rational::new(1.into(), n.max(1).into()).into()
}

/// The potentials of one learner against one adversary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Potentials {
    /// The adversary.
    pub adversary: Thirds,
    /// ε.
    pub epsilon: Epsilon,
    /// For each t from 0 to L, all choices of thirds in lexicographic order.
    pub stages: Vec<Vec<Choice>>,
}

impl Potentials {
    /// The number L of stages.
    pub fn length(&self) -> usize {
        self.stages.len() - 1
    }

    /// An expectation over the choices of t thirds.
    pub fn mean(&self, t: usize, value: impl Fn(&Choice) -> Number) -> Number {
        let choices = &self.stages[t];
        let sum = choices.iter().fold(Number::zero(), |sum, choice| &sum + &value(choice));
        &sum * &share(choices.len())
    }

    /// The three choices that go on from one.
    pub fn next(&self, choice: &Choice) -> [&Choice; 3] {
        let place = choice.thirds.iter().fold(0, |place, j| 3 * place + usize::from(*j) - 1);
        let next = &self.stages[choice.thirds.len() + 1];
        [0, 1, 2].map(|j| &next[3 * place + j])
    }

    /// Whether ε is small enough for the proof of (7): e^ε ≤ 9/8.
    pub fn ratios_are_covered(&self) -> bool {
        self.epsilon.factor() <= Number::from(Rational::new(9.into(), 8.into()))
    }

    /// The greatest δ on the streams compared in any of the stages t < `stages`.
    pub fn delta(&self, stages: usize) -> Number {
        let choices = self.stages[..stages].iter().flatten();
        choices.map(|choice| choice.delta.clone()).max().unwrap_or_else(Number::zero)
    }
}

/// What to compute beside the potentials.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extras {
    /// `D_t` with the ratio of the laws of Y alone, for the misreading that does not condition on B.
    pub unconditioned: bool,
}

/// The potentials of a learner (Definition 1) against the adversary of Algorithm 1.
///
/// `epsilon` ≥ 0 is where the ratios are clipped, to [e^(−ε), e^ε], and where the learner's δ is
/// asked for. The laws of Y are those of the labels at the informative point; the δ of all that
/// the learner releases may be larger.
///
/// # Errors
/// When the mechanism is no learner over the adversary's points, its table does not cover the
/// rounds, its weights and e^ε have no common unit, T < 3, or a limit is hit. Every belief that is
/// moved by a round counts as a state. Of the parts of the work that are done the meter sees the
/// choices of thirds, `(3^{L+1}` − 1)/2 in all.
pub fn potentials(
    automaton: &Automaton,
    adversary: &Thirds,
    epsilon: &Epsilon,
    extras: Extras,
    meter: &mut Meter<'_>,
) -> Result<Potentials> {
    learner::admissible(automaton, adversary)?;
    if adversary.stages() == 0 {
        return Err(littlestone_base::error::Error::argument_with_help(
            "the potentials are about the stages of Algorithm 1, which need at least 3 rounds",
            "for T = 1, 2 the proof of Theorem 1 inserts one example; see \
             `littlestone mistakes --adversary thirds`",
        ));
    }
    automaton.fits([&epsilon.factor()])?;
    with_arithmetic!(automaton.weights(), epsilon, arithmetic => {
        let learner = Learner::new(arithmetic, automaton, adversary, meter)?;
        compute(&learner, adversary, epsilon, extras, meter)
    })
}

fn compute<A: Arithmetic>(
    learner: &Learner<A>,
    adversary: &Thirds,
    epsilon: &Epsilon,
    extras: Extras,
    meter: &mut Meter<'_>,
) -> Result<Potentials> {
    // The choices 1 and 3 leave the streams as they are, so few sets of windows occur.
    let mut known: BTreeMap<Vec<Interval>, Arc<Values>> = BTreeMap::new();
    let mut stages = Vec::new();
    for t in 0..=adversary.stages() {
        let mut choices = Vec::new();
        for thirds in Thirds::choices(t) {
            let windows = adversary.windows(&thirds);
            let interval = adversary.interval(&thirds);
            let plan = Plan::new(&learner.arithmetic, adversary, windows.clone());
            let values = match known.get(&windows) {
                Some(values) => Arc::clone(values),
                None => Arc::new(values::values(learner, adversary, &plan, meter)?),
            };
            known.insert(windows.clone(), Arc::clone(&values));
            let ratios = ratios::ratios(learner, adversary, &plan, interval, epsilon, meter)?;
            let last = t == adversary.stages();
            let delta = if last {
                Number::zero()
            } else {
                delta::worst(learner, adversary, &windows, interval, meter)?
            };
            let unconditioned = if extras.unconditioned && !last {
                Some(ratios::unconditioned_difference(
                    learner, adversary, &plan, interval, epsilon, meter,
                )?)
            } else {
                None
            };
            meter.done();
            choices.push(Choice { thirds, interval, values, ratios, delta, unconditioned });
        }
        stages.push(choices);
    }
    Ok(Potentials { adversary: adversary.clone(), epsilon: epsilon.clone(), stages })
}

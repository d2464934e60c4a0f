//! The worst stream of a length.

use std::ops::RangeInclusive;

use littlestone_base::error::{Error, Result};
use littlestone_exact::limits::{Limits, Progress, Stopped};
use littlestone_exact::with_arithmetic;
use littlestone_exact::{Arithmetic, Number};
use littlestone_mechanism::Automaton;

use super::admissible;
use super::model::{Model, reduce};
use super::places::{Places, Streams};
use super::search::{Node, Search, Value};

/// The greatest number of rounds of a search; it uses a stack frame a round.
pub const MAX_ROUNDS: usize = 1000;

/// The greatest expected number of mistakes over all streams of one length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Worst {
    /// Found exactly.
    Exact {
        /// `max E[M_T]`.
        mistakes: Number,
        /// The lexicographically least stream that attains it, as records.
        attained_by: Vec<usize>,
    },
    /// A limit was hit: `lower ≤ max E[M_T] ≤ upper`.
    Between {
        /// Some stream has at least so many expected mistakes.
        lower: Number,
        /// A bound on the expected number of mistakes on every stream.
        upper: Number,
        /// The limit.
        stopped: Stopped,
    },
}

impl Worst {
    /// What is known before anything is computed.
    fn unknown(rounds: usize, stopped: Stopped) -> Self {
        let rounds = i64::try_from(rounds).expect("rounds are few");
        Self::Between { lower: Number::zero(), upper: Number::from(rounds), stopped }
    }
}

/// The greatest expected number of mistakes over all streams of T rounds that the adversary may
/// choose, for each T in `rounds`, with the lexicographically least stream that attains it.
/// Records are compared by their numbers: (point x, label y) is 2x + y.
///
/// The limit on states holds for all lengths together. The search runs on one thread, so the
/// result is the same for any number of jobs.
///
/// # Errors
/// When the mechanism is neither a learner nor a predictor, its points are not those of the class,
/// the class is empty, or a number of rounds is 0, more than the table covers or more than
/// [`MAX_ROUNDS`].
pub fn worst(
    automaton: &Automaton,
    streams: Streams<'_>,
    rounds: RangeInclusive<usize>,
    limits: &Limits,
    progress: &Progress,
) -> Result<Vec<Worst>> {
    admissible(automaton, *rounds.start())?;
    admissible(automaton, *rounds.end())?;
    if *rounds.end() > MAX_ROUNDS {
        return Err(Error::Limit {
            stopped: Stopped::Size,
            message: format!(
                "the search for the worst stream goes up to {MAX_ROUNDS} rounds, not to {}",
                rounds.end()
            ),
            help: "ask for fewer rounds, or for a stream with --stream".into(),
        });
    }
    streams.admissible(automaton.interface())?;
    with_arithmetic!(automaton.weights(), arithmetic => {
        let meter = &mut limits.meter();
        let model = Model::new(arithmetic, automaton, meter).and_then(|model| model.lumped(meter));
        let model = match model {
            Ok(model) => model,
            Err(stopped) => return Ok(rounds.map(|rounds| Worst::unknown(rounds, stopped)).collect()),
        };
        let places = Places::new(streams, model.records);
        let mut search = Search::new(&model, places, *rounds.end(), limits, progress);
        // A longer stream has no fewer mistakes: what a length attains, the next one does, too.
        let mut floor = Number::zero();
        let last = *rounds.end();
        let one = |rounds: usize| {
            progress.enter(format!("T = {rounds}"));
            let mut worst = at_length(&model, &mut search, rounds);
            match &mut worst {
                Worst::Exact { mistakes, .. } => floor = mistakes.clone(),
                Worst::Between { lower, .. } => {
                    *lower = floor.clone().max(lower.clone());
                    floor = lower.clone();
                }
            }
            progress.at_least(floor.clone());
            if let (Worst::Between { upper, .. }, true) = (&worst, rounds == last) {
                progress.at_most(upper.clone());
            }
            worst
        };
        Ok(rounds.map(one).collect())
    })
}

fn at_length<A: Arithmetic>(model: &Model<A>, search: &mut Search<'_, A>, rounds: usize) -> Worst {
    let arithmetic = &model.arithmetic;
    let (law, factor) = reduce(arithmetic, model.start.clone());
    let root = Node { law, place: Places::START, left: rounds };
    let (value, seen) = search.value_of(&root);
    let denominator = arithmetic.divide(&model.start_denominator, &factor);
    let denominator = arithmetic.mul(&denominator, search.power(rounds));
    let number = |weight: &A::Weight| arithmetic.weight_number(weight, &denominator);
    let least = match &value {
        Value::Exact(value) => search.least_stream(&root, value),
        Value::AtMost(_) => None,
    };
    match (value, least) {
        (Value::Exact(value), Some(stream)) => Worst::Exact {
            mistakes: number(&value),
            attained_by: stream.into_iter().map(|record| record as usize).collect(),
        },
        (Value::Exact(upper) | Value::AtMost(upper), _) => Worst::Between {
            lower: number(&seen),
            upper: number(&upper),
            stopped: search.stopped().unwrap_or(Stopped::Elsewhere),
        },
    }
}

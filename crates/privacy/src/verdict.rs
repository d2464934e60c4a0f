//! Verdicts: the worst δ, where it is attained, and whether a claim holds.

use std::ops::RangeInclusive;

use num_traits::Zero;

use littlestone_base::error::{Error, Result};
use littlestone_exact::functions::exponents;
use littlestone_exact::limits::{Limits, Meter, Progress, Stopped};
use littlestone_exact::with_arithmetic;
use littlestone_exact::{Arithmetic, Epsilon, Number, Rational, rational};
use littlestone_mechanism::{Automaton, Kind};

use super::frontier::{self, Halted};
use super::gaps;
use super::least::Goal;
use super::model::Model;
use super::part::Part;
use super::question::{Neighbour, Neighbours, Notion, Question, check_rounds};
use super::search::{Best, Pair, Problem, Records, Search};
use super::streams::Streams;
use super::symmetry::Symmetries;
use super::tails::Tails;

/// The worst δ over all pairs of neighbouring streams of one length.
#[derive(Debug, Clone)]
pub enum Worst {
    /// Found exactly.
    Exact {
        /// The least δ with which the mechanism is (ε,δ)-private at this length.
        delta: Number,
        /// The lexicographically least pair of streams that attains it, or some pair that does if
        /// a limit was hit before the least one was found. `None` when no two streams are
        /// neighbours, or no pair was asked for at this length.
        attained_by: Option<Neighbour>,
    },
    /// A limit was hit: `lower ≤ δ ≤ upper`.
    Between {
        /// A divergence that some pair has.
        lower: Number,
        /// Such a pair, unless `lower` is zero.
        attained_by: Option<Neighbour>,
        /// A bound on the divergence of every pair.
        upper: Number,
        /// The limit.
        stopped: Stopped,
    },
}

impl Worst {
    /// What is known before anything is computed.
    fn unknown(stopped: Stopped) -> Self {
        let (lower, upper) = (Number::zero(), Number::one());
        Self::Between { lower, attained_by: None, upper, stopped }
    }
}

/// At which lengths a pair that attains the worst δ is looked for.
#[derive(Debug, Clone)]
pub struct Lengths {
    /// The greatest number of rounds.
    pub last: usize,
    /// At this number of rounds and all greater ones.
    pub from: usize,
    /// And wherever the worst δ exceeds this.
    pub above: Option<Number>,
}

impl Lengths {
    /// At all lengths up to `last`.
    pub fn all(last: usize) -> Self {
        Self { last, from: 1, above: None }
    }

    fn ask_for(&self, length: usize, delta: &Number) -> bool {
        length >= self.from || self.above.as_ref().is_some_and(|above| delta > above)
    }
}

/// The worst δ at ε over all pairs of neighbouring streams of each length 1, …, `lengths.last`
/// (Definitions 2 and 4): the greatest `Σ_y max(0, P(y) − e^ε·Q(y))`.
///
/// # Errors
/// When the question does not fit the mechanism: joint privacy of a learner or of a one-shot
/// mechanism, added records for anything but a one-shot mechanism, no round, streams over other
/// records.
pub fn worst_delta(
    automaton: &Automaton,
    streams: &Streams,
    question: &Question,
    lengths: &Lengths,
    limits: &Limits,
    progress: &Progress,
) -> Result<Vec<Worst>> {
    worst_delta_of(automaton, streams, question, lengths, Part::WHOLE, limits, progress)
}

/// [`worst_delta`] over one part of the pairs; [`merge_worst`](super::merge_worst) puts the answers
/// to all parts together.
///
/// # Errors
/// As [`worst_delta`].
pub fn worst_delta_of(
    automaton: &Automaton,
    streams: &Streams,
    question: &Question,
    lengths: &Lengths,
    part: Part,
    limits: &Limits,
    progress: &Progress,
) -> Result<Vec<Worst>> {
    admissible(automaton, streams, question, lengths.last)?;
    with_arithmetic!(automaton.weights(), &question.epsilon, arithmetic => {
        let rounds = lengths.last;
        let model = match Model::new(&arithmetic, automaton, rounds, &mut limits.meter()) {
            Ok(model) => model,
            Err(stopped) => return Ok(vec![Worst::unknown(stopped); rounds]),
        };
        let mut problem =
            problem(&arithmetic, &model, streams, question, rounds, limits, progress);
        problem.differing = part.of(problem.differing, &problem.symmetries);
        // The worst δ never falls with the length, so that of the last one is what all are bounded
        // by; a one-shot mechanism with fewer records is another question.
        problem.answers = (model.finish.is_none() || lengths.from >= rounds).then_some(rounds);
        Ok(horizons(&problem, lengths))
    })
}

/// Whether a δ suffices.
#[derive(Debug, Clone)]
pub enum Decision {
    /// No pair of streams of any length asked about exceeds δ.
    Holds,
    /// A pair exceeds δ: the lexicographically least one of the least possible length.
    Refuted(Neighbour),
    /// A limit was hit before the given length was decided; all shorter ones hold.
    Undecided {
        /// The length at which the search ended.
        rounds: usize,
        /// The limit.
        stopped: Stopped,
    },
}

/// Decides whether the mechanism is (ε,δ)-private for all streams of at most `rounds` rounds,
/// without computing the worst δ. A one-shot mechanism is asked about data sets of exactly that
/// size: smaller ones are other questions.
///
/// # Errors
/// As [`worst_delta`]; and when δ is negative.
pub fn decide(
    automaton: &Automaton,
    streams: &Streams,
    question: &Question,
    rounds: usize,
    delta: &Number,
    limits: &Limits,
    progress: &Progress,
) -> Result<Decision> {
    decide_of(automaton, streams, question, rounds, delta, Part::WHOLE, limits, progress)
}

/// [`decide`] over one part of the pairs; [`merge_decisions`](super::merge_decisions) puts the
/// decisions about all parts together.
///
/// # Errors
/// As [`decide`].
#[expect(clippy::too_many_arguments, reason = "the arguments of `decide`, and the part")]
pub fn decide_of(
    automaton: &Automaton,
    streams: &Streams,
    question: &Question,
    rounds: usize,
    delta: &Number,
    part: Part,
    limits: &Limits,
    progress: &Progress,
) -> Result<Decision> {
    let one_shot = automaton.interface().kind() == Kind::OneShot;
    let first = if one_shot { rounds } else { 1 };
    decide_part(automaton, streams, question, first..=rounds, delta, part, limits, progress)
}

/// [`decide`] for streams of the given numbers of rounds; shorter ones are not looked at.
pub(super) fn decide_lengths(
    automaton: &Automaton,
    streams: &Streams,
    question: &Question,
    lengths: RangeInclusive<usize>,
    delta: &Number,
    limits: &Limits,
    progress: &Progress,
) -> Result<Decision> {
    decide_part(automaton, streams, question, lengths, delta, Part::WHOLE, limits, progress)
}

#[expect(clippy::too_many_arguments, reason = "the arguments of `decide`, and the part")]
fn decide_part(
    automaton: &Automaton,
    streams: &Streams,
    question: &Question,
    lengths: RangeInclusive<usize>,
    delta: &Number,
    part: Part,
    limits: &Limits,
    progress: &Progress,
) -> Result<Decision> {
    let rounds = *lengths.end();
    admissible(automaton, streams, question, rounds)?;
    check_unit(automaton, &question.epsilon, Some(delta))?;
    with_arithmetic!(automaton.weights().chain([delta]), &question.epsilon, arithmetic => {
        let (numerator, denominator) = arithmetic
            .common(std::slice::from_ref(delta))
            .ok_or_else(|| Error::argument(format!("δ must be at least 0, not {delta}")))?;
        let mut model = match Model::new(&arithmetic, automaton, rounds, &mut limits.meter()) {
            Ok(model) => model,
            Err(stopped) => {
                return Ok(Decision::Undecided { rounds: *lengths.start(), stopped });
            }
        };
        // δ becomes a numerator over the denominator of the weights.
        model.scale(&arithmetic, &denominator);
        let mut problem =
            problem(&arithmetic, &model, streams, question, rounds, limits, progress);
        problem.differing = part.of(problem.differing, &problem.symmetries);
        let mut search = Search::new(&problem);
        for length in lengths {
            progress.enter(format!("T = {length}"));
            let whole = arithmetic.divide(&model.denominator(&arithmetic, length), &denominator);
            let weight = arithmetic.mul(&numerator[0], &whole);
            let delta = arithmetic.excess(&weight, &arithmetic.zero());
            let goal = Goal::Exceed(delta.unwrap_or_else(|| arithmetic.value_zero()));
            match search.least(length, &goal) {
                Ok(None) => {}
                Ok(Some(pair)) => return Ok(Decision::Refuted(indices(pair))),
                Err(stopped) => return Ok(Decision::Undecided { rounds: length, stopped }),
            }
        }
        Ok(Decision::Holds)
    })
}

/// Checks that a question fits a mechanism and the streams that count.
///
/// # Errors
/// As [`worst_delta`].
pub fn admissible(
    automaton: &Automaton,
    streams: &Streams,
    question: &Question,
    rounds: usize,
) -> Result<()> {
    let kind = automaton.interface().kind();
    check_rounds(rounds)?;
    if question.notion == Notion::Joint && matches!(kind, Kind::Learner | Kind::OneShot) {
        return Err(Error::argument(format!(
            "joint privacy (Definition 4) is a property of predictors and transducers; this is a {kind}"
        )));
    }
    if question.neighbours == Neighbours::AddRemove && kind != Kind::OneShot {
        return Err(Error::argument(format!(
            "add-remove neighbours are for one-shot mechanisms; this is a {kind}"
        )));
    }
    let interface = automaton.interface();
    let records = interface.before().len() * interface.after().len();
    if streams.records() != records {
        return Err(Error::argument(format!(
            "the streams have {} records, the mechanism has {records}",
            streams.records()
        )));
    }
    check_unit(automaton, &question.epsilon, None)?;
    automaton.covers(rounds)?;
    if kind == Kind::OneShot {
        let shorter = usize::from(question.neighbours == Neighbours::AddRemove);
        (rounds - shorter..=rounds).try_for_each(|records| automaton.ends_after(records))?;
    }
    Ok(())
}

/// The greatest multiple of the common unit of ε, δ and the weights that a question may need.
const MULTIPLES: u32 = 1 << 12;

/// Refuses an ε or a δ that has no common unit of tolerable size with weights that are powers of e:
/// all would be polynomials in e^unit, of as high a degree.
fn check_unit(automaton: &Automaton, epsilon: &Epsilon, delta: Option<&Number>) -> Result<()> {
    let units = automaton.weights().filter_map(|number| match number {
        Number::Exponential(x) => Some(x.unit()),
        Number::Rational(_) => None,
    });
    let weights = units.fold(Rational::zero(), |g, q| rational::gcd(&g, q));
    let of_delta = delta.and_then(exponents);
    let others: Vec<_> = epsilon.exponents().into_iter().chain(of_delta).collect();
    let unit = others.iter().fold(weights.clone(), |g, (unit, _)| rational::gcd(&g, unit));
    if unit.is_zero() {
        return Ok(());
    }
    let sizes = others.iter().map(|(_, reach)| reach).chain([&weights]);
    let multiple = sizes.max().expect("the unit of the weights") / &unit;
    if multiple <= Rational::from_integer(MULTIPLES.into()) {
        return Ok(());
    }
    let delta = delta.map_or_else(String::new, |delta| format!(", δ = {delta}"));
    let powers =
        if weights.is_zero() { String::new() } else { format!(" with powers of e^{weights}") };
    Err(Error::TooLarge {
        what: format!("the arithmetic for ε = {epsilon}{delta} and probabilities{powers}"),
        size: format!("powers of e^{unit} up to {multiple}"),
        limit: format!("{MULTIPLES}; choose exponents that have a greater common unit"),
    })
}

/// The pairs of records that may stand in the differing round.
pub(super) fn differing<A: Arithmetic>(model: &Model<A>, neighbours: Neighbours) -> Vec<Records> {
    let sides = neighbours.sides(0..model.records).into_iter();
    sides.map(|[first, second]| Records { first, second }).collect()
}

fn problem<'p, A: Arithmetic>(
    arithmetic: &'p A,
    model: &'p Model<A>,
    streams: &'p Streams,
    question: &Question,
    rounds: usize,
    limits: &'p Limits,
    progress: &'p Progress,
) -> Problem<'p, A> {
    Problem {
        arithmetic,
        model,
        streams,
        symmetries: Symmetries::new(model, streams, limits),
        tails: Tails::new(arithmetic, model, streams, rounds.div_ceil(2), limits),
        differing: differing(model, question.neighbours),
        counted: question.notion == Notion::Whole,
        limits,
        progress,
        answers: None,
    }
}

/// Answers for each length in turn; what is learnt at one serves the next.
fn horizons<A: Arithmetic>(problem: &Problem<'_, A>, lengths: &Lengths) -> Vec<Worst> {
    let mut search = Search::new(problem);
    let mut answers = Vec::new();
    let mut shorter = None;
    let static_bound = upper(problem);
    if problem.answers.is_some() {
        problem.progress.at_most(static_bound.clone());
    }
    for length in 1..=lengths.last {
        problem.progress.enter(format!("T = {length}"));
        let mut best = Best { value: problem.arithmetic.value_zero(), pair: None };
        let continued = match shorter.take().filter(|_| problem.model.finish.is_none()) {
            Some(shorter) => search.continued(&shorter, &mut best).map_err(Halted::from),
            None => Ok(()),
        };
        let halted = continued.and_then(|()| worst_at_length(&mut search, length, &mut best)).err();
        let delta = problem.number(&best.value, length);
        let found = best.pair.clone().map(indices);
        if problem.model.finish.is_none() || length >= lengths.from {
            problem.progress.at_least(delta.clone());
        }
        let answer = if let Some(Halted { stopped, upper }) = halted {
            let upper = upper.map(|upper| problem.number(&upper, length));
            let upper = upper.unwrap_or_else(|| static_bound.clone()).min(static_bound.clone());
            if upper <= delta {
                // Nothing can exceed what was found.
                Worst::Exact { delta, attained_by: found }
            } else {
                Worst::Between { lower: delta, attained_by: found, upper, stopped }
            }
        } else {
            let least = if lengths.ask_for(length, &delta) {
                search.least(length, &Goal::Attain(best.value.clone()))
            } else {
                Ok(None)
            };
            let attained_by = least.map_or(found, |pair| pair.map(indices));
            Worst::Exact { delta, attained_by }
        };
        answers.push(answer);
        shorter = best.pair;
    }
    answers
}

/// Raises `best` to the worst divergence over all pairs of streams of `length` rounds. Those that
/// differ late are cheap, and what is learnt from them is used for the others.
pub(super) fn worst_at_length<A: Arithmetic>(
    search: &mut Search<'_, A>,
    length: usize,
    best: &mut Best<A::Value>,
) -> std::result::Result<(), Halted<A::Value>> {
    for round in (2..=length).rev() {
        search.worst_at(round, length - round, best)?;
    }
    frontier::worst_at_first(search, length - 1, best)
}

pub(super) fn indices(pair: Pair) -> Neighbour {
    let widen = |stream: Vec<u32>| stream.into_iter().map(|z| z as usize).collect();
    Neighbour { first: widen(pair.first), second: widen(pair.second) }
}

/// A bound that holds for every pair: the worst divergence of the state right after the differing
/// round, over all states before it.
fn upper<A: Arithmetic>(problem: &Problem<'_, A>) -> Number {
    let arithmetic = problem.arithmetic;
    let mut worst = arithmetic.value_zero();
    for state in 0..problem.model.states() {
        // The search that comes next says that it was stopped.
        if problem.limits.check().is_err() {
            return Number::one();
        }
        for &records in &problem.differing {
            let Ok(split) = problem.split_from(state, records) else { return Number::one() };
            let value = gaps::revealed(arithmetic, &split);
            if arithmetic.value_cmp(&value, &worst).is_gt() {
                worst = value;
            }
        }
    }
    arithmetic.number(&worst, &problem.model.round_denominator).min(Number::one())
}

/// A bound on the worst δ at every number of rounds: the greatest divergence of what a single
/// round releases together with the state after it, over all states before it.
///
/// # Errors
/// As [`worst_delta`].
pub fn upper_bound(
    automaton: &Automaton,
    streams: &Streams,
    question: &Question,
) -> Result<Number> {
    admissible(automaton, streams, question, 1)?;
    with_arithmetic!(automaton.weights(), &question.epsilon, arithmetic => {
        let model = Model::new(&arithmetic, automaton, 1, &mut Meter::default())?;
        let (limits, progress) = (Limits::default(), Progress::default());
        Ok(upper(&problem(&arithmetic, &model, streams, question, 0, &limits, &progress)))
    })
}

//! Algorithm 2, line by line, with the random choices from outside.

use std::sync::Arc;

use num_integer::binomial;

use crate::Law;
use crate::catalogue::Count;
use littlestone_base::error::Error;
use littlestone_class::Class;
use littlestone_class::littlestone::Solver;
use littlestone_exact::functions;
use littlestone_exact::limits::{Limits, Stopped};
use littlestone_exact::{BigInt, Number, Rational};

use super::lists::{List, Lists, Members};
use super::oracle::{Answer, Oracle, Received};
use super::{Fault, Function, Parameters, Variant};

/// The greatest number of hypotheses of the class.
const MOST_HYPOTHESES: usize = 64;

/// An example of the stream with its round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Record {
    /// The round t ≥ 1.
    pub time: usize,
    /// `x_t`.
    pub point: usize,
    /// `y_t`.
    pub label: bool,
}

/// `B_K(h, S)`: the first K examples of the stream on which h is wrong, or all such examples.
///
/// The whole stream counts, from its first round on, also rounds before h was known.
///
/// # Panics
/// When a point is not in the domain of h.
pub fn batch(h: &Function, stream: &[(usize, bool)], size: usize) -> Vec<Record> {
    wrong(h, stream).take(size).collect()
}

fn wrong(h: &Function, stream: &[(usize, bool)]) -> impl Iterator<Item = Record> {
    let records = (1..).zip(stream).map(|(time, &(point, label))| Record { time, point, label });
    records.filter(|record| h.label(record.point) != record.label)
}

/// What Algorithm 2 remembers between two batches: everything that later candidates depend on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    candidates: Vec<Function>,
    level: usize,
    ended: bool,
    /// For each group and each level ℓ the class `G_i^ℓ` of the samples so far.
    classes: Vec<Vec<Members>>,
    /// The round up to which the variant `suffix` has looked.
    seen: usize,
}

impl State {
    /// The candidates that were made, `h_0` first; without padding.
    pub fn candidates(&self) -> &[Function] {
        &self.candidates
    }

    /// ℓ, the number of unsuccessful selections so far.
    pub fn level(&self) -> usize {
        self.level
    }

    /// Whether Select returned ⊥ at ℓ = d: then all further candidates are `h_0`.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// `h_m`, if it is known already: after the end every one is.
    pub fn candidate(&self, m: usize) -> Option<&Function> {
        let padded = self.candidates.first().filter(|_| self.ended);
        self.candidates.get(m).or(padded)
    }

    /// The class `G_i^ℓ` of a group, from 0, at a level, for the samples so far.
    pub fn class(&self, group: usize, level: usize) -> Members {
        self.classes[group][level]
    }

    /// The same state with the groups in a fixed order, and without what can no longer matter. Groups
    /// are alike: later assignments are uniform and Select counts lists. So the law of what follows
    /// is the same.
    #[must_use]
    pub fn canonical(mut self, variant: Variant) -> Self {
        let gone = if variant == Variant::FreshLevels { 0 } else { self.level };
        for classes in &mut self.classes {
            classes[..gone].fill(0);
            if self.ended {
                classes.fill(0);
            }
        }
        self.classes.sort_unstable();
        self
    }
}

/// What happened for one batch: lines 3 to 10.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// j, the number of the batch and of the candidate that is looked for.
    pub number: usize,
    /// `B_j`.
    pub records: Vec<Record>,
    /// Whether it holds exactly K records.
    pub full: bool,
    /// For each record its group, from 0.
    pub groups: Vec<usize>,
    /// For each group what it stored.
    pub samples: Vec<Vec<Record>>,
    /// The calls of Select.
    pub calls: Vec<Call>,
}

impl Step {
    /// The candidate, unless the last call returned ⊥.
    pub fn candidate(&self) -> Option<&Function> {
        self.calls.last().and_then(|call| call.answer.as_ref())
    }
}

/// One call of Select.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// ℓ.
    pub level: usize,
    /// `p_ℓ`.
    pub p: u32,
    /// For each group its class `G_i^ℓ` and its list.
    pub lists: Vec<(Members, Arc<List>)>,
    /// The law of the answer.
    pub law: Law<Answer>,
    /// The answer; nothing is ⊥.
    pub answer: Answer,
}

impl Call {
    /// The number of lists that name a function.
    pub fn count(&self, h: &Function) -> usize {
        self.lists.iter().filter(|(_, list)| list.functions.binary_search(h).is_ok()).count()
    }
}

/// A run of Algorithm 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The batches.
    pub steps: Vec<Step>,
    /// What is returned: `h_0`, …, `h_N`.
    pub candidates: Vec<Function>,
    /// Whether Select returned ⊥ at ℓ = d.
    pub ended: bool,
    /// How many of the candidates were made, `h_0` among them; the others are padding.
    pub made: usize,
}

impl Run {
    /// The probability of this run: of its assignments, its samples and the answers of Select.
    ///
    /// # Errors
    /// When it is beyond all limits.
    pub fn probability(&self) -> Result<Number, Error> {
        let mut factors = Vec::new();
        for step in &self.steps {
            let groups = step.samples.len();
            factors.extend(step.groups.iter().filter_map(|_| functions::reciprocal(groups)));
            for (group, sample) in step.samples.iter().enumerate() {
                let received = step.groups.iter().filter(|&&of| of == group).count();
                let subsets = binomial(BigInt::from(received), BigInt::from(sample.len()));
                factors.push(Rational::new(1.into(), subsets).into());
            }
            factors.extend(step.calls.iter().map(|call| call.law.weight(&call.answer)));
        }
        factors
            .iter()
            .try_fold(Number::one(), |product, factor| functions::multiply(&product, factor))
            .map_err(Error::argument)
    }
}

/// Algorithm 2 for one class and one choice of parameters.
#[derive(Debug)]
pub struct Algorithm {
    parameters: Parameters,
    lists: Lists,
}

impl Algorithm {
    /// The algorithm for a class.
    ///
    /// # Errors
    /// When the class is empty, a parameter is out of its range, d is less than the dimension of the
    /// class, or `h_0` has another domain; [`Error::Limit`] when the class has more than 64
    /// hypotheses; when a limit is hit before the dimension is known.
    pub fn new(class: &Class, parameters: Parameters, limits: &Limits) -> Result<Self, Fault> {
        let size = class.hypotheses();
        if size == 0 {
            let message = "Algorithm 2: expected a class with a hypothesis, found the empty class";
            return Err(Error::argument(message).into());
        }
        if size > MOST_HYPOTHESES {
            return Err(Error::Limit {
                stopped: Stopped::Size,
                message: format!(
                    "Algorithm 2 is run on classes of at most {MOST_HYPOTHESES} hypotheses, this one \
                     has {size}"
                ),
                help: "take a part of the class; the lists of its groups are found by searches over \
                       subclasses"
                    .into(),
            }
            .into());
        }
        parameters.check()?;
        let (found, points) = (parameters.first.labels().len(), class.points());
        if found != points {
            let message =
                format!("h_0: expected {points} labels, one for each point, found {found}");
            return Err(Error::argument(message).into());
        }
        let dimension = Solver::new(class, limits.clone()).dimension();
        if parameters.ambient < dimension.lower {
            return Err(Error::argument(format!(
                "d: expected at least {}, the Littlestone dimension of the class, found {}",
                dimension.lower, parameters.ambient
            ))
            .into());
        }
        if dimension.value().is_none() {
            return Err(Fault::Stopped(dimension.stopped.unwrap_or(Stopped::Elsewhere)));
        }
        let lists = Lists::new(class.clone(), parameters.ambient, limits.clone());
        Ok(Self { parameters, lists })
    }

    /// The class H.
    pub fn class(&self) -> &Class {
        self.lists.class()
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The state before the first batch: no samples, ℓ = 0, the candidate `h_0`.
    pub fn start(&self) -> State {
        let all = self.members(|_| true);
        State {
            candidates: vec![self.parameters.first.clone()],
            level: 0,
            ended: false,
            classes: vec![vec![all; self.parameters.lists.len()]; self.parameters.groups],
            seen: 0,
        }
    }

    /// The batch of the next candidate, `B_K(h_(j-1), S)`.
    ///
    /// # Panics
    /// When a point of the stream is not in the domain.
    pub fn batch(&self, state: &State, stream: &[(usize, bool)]) -> Vec<Record> {
        let last = state.candidates.last().expect("h_0");
        let skipped = if self.parameters.variant == Variant::Suffix { state.seen } else { 0 };
        let later = wrong(last, stream).filter(|record| record.time > skipped);
        later.take(self.parameters.batch).collect()
    }

    /// The hypotheses that make few enough mistakes on a sample at a level: the error, which is
    /// divided by n even if the sample is smaller, is at most `a_ℓ`.
    pub fn fitting(&self, sample: &[Record], level: usize) -> Members {
        let divisor = match self.parameters.variant {
            Variant::SampleSize => sample.len(),
            _ => self.parameters.sample,
        };
        let most = &self.parameters.thresholds[level] * Rational::from_integer(divisor.into());
        self.members(|h| {
            let wrong = |r: &&Record| self.class().label(h, r.point) != r.label;
            let mistakes = sample.iter().filter(wrong).count();
            Rational::from_integer(BigInt::from(mistakes)) <= most
        })
    }

    fn members(&self, fits: impl Fn(usize) -> bool) -> Members {
        let fitting = (0..self.class().hypotheses()).filter(|&h| fits(h));
        fitting.fold(0, |members, h| members | 1 << h)
    }

    /// `C_p(G)` and `ρ_p(G)` of a subclass.
    ///
    /// # Errors
    /// When a limit is hit.
    pub fn list(&self, members: Members, p: u32) -> Result<Arc<List>, Fault> {
        self.lists.of(members, p)
    }

    /// The lists of all groups at the present level, and the law of Select for them.
    ///
    /// # Errors
    /// When a limit is hit, or a weight of Select is beyond all limits.
    pub fn call(&self, state: &State) -> Result<Call, Fault> {
        let level = state.level;
        let p = self.parameters.lists[level];
        let classes = state.classes.iter().map(|classes| classes[level]);
        let lists: Vec<(Members, Arc<List>)> = classes
            .map(|members| Ok((members, self.list(members, p)?)))
            .collect::<Result<_, Fault>>()?;
        let named: Vec<&[Function]> =
            lists.iter().map(|(_, list)| list.functions.as_slice()).collect();
        let law = self.parameters.select.law(&named, Count::Lists)?;
        Ok(Call { level, p, lists, law, answer: None })
    }

    /// One batch: lines 3 to 10. The stream may be any prefix of the whole one on which the last
    /// candidate makes at least K mistakes: the batch is then the same. After the end nothing
    /// happens.
    ///
    /// # Errors
    /// When a limit is hit, or a weight of Select is beyond all limits.
    ///
    /// # Panics
    /// When all candidates were made, or a point of the stream is not in the domain.
    pub fn next(
        &self,
        state: &mut State,
        stream: &[(usize, bool)],
        oracle: &mut impl Oracle,
    ) -> Result<Option<Step>, Fault> {
        if state.ended {
            return Ok(None);
        }
        let number = state.candidates.len();
        assert!(number <= self.parameters.candidates, "at most N candidates beside h_0");
        let records = self.batch(state, stream);
        let full = records.len() == self.parameters.batch;
        let groups = oracle.assign(number, &records, self.parameters.groups);
        let samples = self.samples(number, &records, &groups, oracle);
        if self.parameters.variant == Variant::FreshLevels {
            state.level = 0;
        }
        if self.parameters.variant == Variant::Suffix {
            state.seen = match records.last() {
                Some(last) if full => last.time,
                _ => stream.len(),
            };
        }
        for (classes, sample) in state.classes.iter_mut().zip(&samples) {
            for (level, members) in classes.iter_mut().enumerate() {
                if self.parameters.variant == Variant::Forgetful {
                    *members = self.members(|_| true);
                }
                *members &= self.fitting(sample, level);
            }
        }
        let mut calls = Vec::new();
        loop {
            let mut call = self.call(state)?;
            let place = oracle.select(&call.law);
            call.answer = call.law.iter().nth(place).and_then(|(answer, _)| answer.clone());
            let answer = call.answer.clone();
            calls.push(call);
            if let Some(function) = answer {
                state.candidates.push(function);
                break;
            }
            if state.level + 1 == self.parameters.lists.len() {
                state.ended = true;
                break;
            }
            state.level += 1;
        }
        Ok(Some(Step { number, records, full, groups, samples, calls }))
    }

    /// Line 5 for all groups.
    fn samples(
        &self,
        number: usize,
        records: &[Record],
        groups: &[usize],
        oracle: &mut impl Oracle,
    ) -> Vec<Vec<Record>> {
        let mut received = vec![Vec::new(); self.parameters.groups];
        for (place, (&record, &group)) in records.iter().zip(groups).enumerate() {
            received[group].push(Received { record, place });
        }
        let size = self.parameters.sample;
        let store = |received: Vec<Received>| {
            if received.len() <= size {
                return received.iter().map(|received| received.record).collect();
            }
            let stored = oracle.sample(number, &received, size);
            stored.into_iter().map(|at| received[at].record).collect()
        };
        received.into_iter().map(store).collect()
    }

    /// A whole run on a stream.
    ///
    /// # Errors
    /// When a limit is hit, or a weight of Select is beyond all limits.
    pub fn run(&self, stream: &[(usize, bool)], oracle: &mut impl Oracle) -> Result<Run, Fault> {
        let mut state = self.start();
        let mut steps = Vec::new();
        while state.candidates.len() <= self.parameters.candidates {
            let Some(step) = self.next(&mut state, stream, oracle)? else { break };
            steps.push(step);
        }
        Ok(Run {
            steps,
            candidates: self.returned(&state),
            ended: state.ended,
            made: state.candidates.len(),
        })
    }

    /// What is returned in a state after which nothing more is made: N + 1 functions.
    pub fn returned(&self, state: &State) -> Vec<Function> {
        let mut functions = state.candidates.clone();
        if self.parameters.variant != Variant::Unpadded {
            functions.resize(self.parameters.candidates + 1, self.parameters.first.clone());
        }
        functions
    }
}

//! Statements about every run of Algorithm 2, each with what the paper supposes.

use std::collections::BTreeSet;
use std::sync::Arc;

use itertools::Itertools;

use littlestone_exact::{BigInt, Rational};

use super::algorithm::{Algorithm, Record, Run, Step, batch};
use super::lists::{List, Members};

/// A statement about one run on one stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Statement {
    /// N + 1 functions are returned: `h_0`, the answers of Select in turn, and `h_0` for those that
    /// are missing after ⊥ at ℓ = d (Algorithm 2).
    Returned,
    /// `B_j` is `B_K(h_(j-1), S)` for the whole stream, and if it is full, also for the prefix that
    /// ends with its last record (Algorithm 2).
    Batches,
    /// Each group stores min{n, |`B_(j,i)`|} different records that it received, and `G_i^ℓ` holds
    /// the hypotheses with at most `a_ℓ n` mistakes on every sample so far (Algorithm 2).
    Classes,
    /// In each call ℓ is the number of calls before it that returned ⊥ (Algorithm 2).
    Levels,
    /// A group that had `h_j` in its list when it was selected, and then stored n records of the
    /// next batch, has it in no later list (Step 1 of Section 3).
    Removed,
    /// If no call returned ⊥, some candidate makes fewer than K mistakes (Lemma 3).
    Candidate,
    /// The counting of Step 1 of Section 3, where lists have at most s functions, every selected
    /// function is named by the lists of at least k/2 groups that store n records of every full
    /// batch, and full batches give N selections: P, the number of pairs of a group and a function
    /// that some list of the group names, is at most k(d+1)s, and at least k/2 for each selected
    /// function whose own batch is full; and some candidate makes fewer than K mistakes (Lemma 3,
    /// which needs N = 2(d+1)s + 2 for the last).
    Counted,
    /// Between two consecutive calls the decomposition dimension of no group grows; where it is
    /// equal, the new list is part of the old one; every list has size at most s (Lemma 8).
    Nested,
    /// If every processed batch is full, at least 0.99k groups are successful for all of them and
    /// every call keeps the promise of Lemma 7, then there are N successful selections (Lemma 9).
    Selections {
        /// The greatest difference of errors of a successful group, `1/(64(d+1))` in the paper.
        tolerance: Rational,
    },
}

/// What a statement says of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Said {
    /// What happened, of which the statement speaks; nothing when its premises fail.
    pub events: BTreeSet<&'static str>,
    /// Why it is false of the run.
    pub fault: Option<String>,
}

impl Said {
    fn event(&mut self, name: &'static str, happened: bool) {
        if happened {
            self.events.insert(name);
        }
    }

    fn claim(&mut self, holds: bool, fault: impl FnOnce() -> String) {
        if !holds && self.fault.is_none() {
            self.fault = Some(fault());
        }
    }
}

impl Statement {
    /// What the statement says of a run on a stream.
    pub fn of(&self, algorithm: &Algorithm, stream: &[(usize, bool)], run: &Run) -> Said {
        let mut said = Said::default();
        match self {
            Self::Returned => returned(algorithm, run, &mut said),
            Self::Batches => batches(algorithm, stream, run, &mut said),
            Self::Classes => classes(algorithm, run, &mut said),
            Self::Levels => levels(run, &mut said),
            Self::Removed => removed(algorithm, run, &mut said),
            Self::Candidate => candidate(algorithm, stream, run, &mut said),
            Self::Counted => counted(algorithm, stream, run, &mut said),
            Self::Nested => nested(algorithm, run, &mut said),
            Self::Selections { tolerance } => selections(algorithm, run, tolerance, &mut said),
        }
        said
    }
}

fn returned(algorithm: &Algorithm, run: &Run, said: &mut Said) {
    let parameters = algorithm.parameters();
    let mut expected = vec![parameters.first.clone()];
    expected.extend(run.steps.iter().filter_map(|step| step.candidate().cloned()));
    let made = expected.len();
    expected.resize(parameters.candidates + 1, parameters.first.clone());
    said.event("padded with h_0", made < expected.len());
    said.event("all candidates selected", made == expected.len());
    said.claim(run.candidates == expected, || {
        let (found, wanted) = (run.candidates.len(), parameters.candidates + 1);
        format!(
            "{found} functions are returned, not h_0 and the selected ones up to N + 1 = {wanted}"
        )
    });
}

fn batches(algorithm: &Algorithm, stream: &[(usize, bool)], run: &Run, said: &mut Said) {
    let size = algorithm.parameters().batch;
    let mut before = 0;
    for (step, h) in run.steps.iter().zip(&run.candidates) {
        // The definition of B_K: wrong at t, and at most K times in the rounds up to t.
        let wrong = |r: &usize| h.label(stream[*r].0) != stream[*r].1;
        let expected: Vec<usize> = (0..stream.len())
            .filter(|t| wrong(t) && (0..=*t).filter(wrong).count() <= size)
            .map(|t| t + 1)
            .collect();
        let times: Vec<usize> = step.records.iter().map(|record| record.time).collect();
        let last = times.last().copied().unwrap_or(0);
        said.event("a full batch ends before the stream", step.full && last < stream.len());
        said.event("a batch that is not full", !step.full);
        let again = times.first().is_some_and(|&first| first <= before);
        said.event("a batch goes back behind the end of the one before", again);
        said.claim(times == expected, || {
            format!("B_{} has the rounds {}, not {}", step.number, list(&times), list(&expected))
        });
        said.claim(step.full == (step.records.len() == size), || {
            format!("B_{} is full without K records", step.number)
        });
        if step.full {
            said.claim(batch(h, &stream[..last], size) == step.records, || {
                format!("B_{} differs on the prefix that ends with round {last}", step.number)
            });
        }
        before = last;
    }
}

fn classes(algorithm: &Algorithm, run: &Run, said: &mut Said) {
    let parameters = algorithm.parameters();
    for (j, step) in run.steps.iter().enumerate() {
        for (group, sample) in step.samples.iter().enumerate() {
            let received: Vec<&Record> = step
                .records
                .iter()
                .zip(&step.groups)
                .filter_map(|(record, &of)| (of == group).then_some(record))
                .collect();
            said.event("a sample shorter than n", sample.len() < parameters.sample);
            said.event("a group received more than n", received.len() > sample.len());
            let stored = sample.iter().all(|record| received.contains(&record))
                && sample.iter().all_unique()
                && sample.len() == received.len().min(parameters.sample);
            said.claim(stored, || {
                format!("group {} stores a wrong sample of B_{}", group + 1, step.number)
            });
        }
        for call in &step.calls {
            let most = &parameters.thresholds[call.level]
                * Rational::from_integer(parameters.sample.into());
            for (group, (members, _)) in call.lists.iter().enumerate() {
                let samples = run.steps[..=j].iter().map(|step| &step.samples[group]);
                let fits = |h: &usize| {
                    samples.clone().all(|sample| {
                        Rational::from_integer(mistakes(algorithm, *h, sample).into()) <= most
                    })
                };
                let hypotheses = 0..algorithm.class().hypotheses();
                let expected: Members = hypotheses.filter(fits).fold(0, |all, h| all | 1 << h);
                let earlier = j > 0 && run.steps[..j].iter().any(|s| !s.samples[group].is_empty());
                said.event("a sample of an earlier batch", earlier);
                said.claim(*members == expected, || {
                    format!(
                        "group {} has another class than {{h : err_A(h) ≤ a_{}}} after B_{}",
                        group + 1,
                        call.level,
                        step.number
                    )
                });
            }
        }
    }
}

/// The number of records of the sample on which hypothesis h is wrong.
fn mistakes(algorithm: &Algorithm, h: usize, sample: &[Record]) -> usize {
    let wrong = |record: &&Record| algorithm.class().label(h, record.point) != record.label;
    sample.iter().filter(wrong).count()
}

fn levels(run: &Run, said: &mut Said) {
    let mut bottoms = 0;
    for step in &run.steps {
        let (first, expected) = (step.calls.first().map(|call| call.level), bottoms);
        said.event("a batch begins at ℓ > 0", expected > 0);
        said.claim(first.is_none_or(|level| level == expected), || {
            format!("B_{} begins at another ℓ than {expected}, the number of ⊥", step.number)
        });
        for call in &step.calls {
            said.event("a call after ⊥ in the same batch", bottoms > expected);
            said.claim(call.level == bottoms, || {
                format!(
                    "a call for h_{} has ℓ = {} after {bottoms} times ⊥",
                    step.number, call.level
                )
            });
            bottoms += usize::from(call.answer.is_none());
        }
    }
}

fn removed(algorithm: &Algorithm, run: &Run, said: &mut Said) {
    for (j, pair) in run.steps.windows(2).enumerate() {
        let (Some(h), Some(call)) = (pair[0].candidate(), pair[0].calls.last()) else { continue };
        for (group, (_, chosen)) in call.lists.iter().enumerate() {
            let full = pair[1].samples[group].len() == algorithm.parameters().sample;
            if !full || chosen.functions.binary_search(h).is_err() {
                continue;
            }
            said.event("a group stored n mistakes of a candidate from its list", true);
            for later in run.steps[j + 1..].iter().flat_map(|step| &step.calls) {
                let back = later.lists[group].1.functions.binary_search(h).is_ok();
                said.claim(!back, || {
                    format!("h_{} = {h} is again in the list of group {}", j + 1, group + 1)
                });
            }
        }
    }
}

fn candidate(algorithm: &Algorithm, stream: &[(usize, bool)], run: &Run, said: &mut Said) {
    let bottom = run.steps.iter().flat_map(|step| &step.calls).any(|call| call.answer.is_none());
    let size = algorithm.parameters().batch;
    let mistakes: Vec<usize> = run.candidates.iter().map(|h| h.mistakes(stream)).collect();
    if bottom || mistakes[0] < size {
        return;
    }
    said.event("no ⊥, and h_0 makes at least K mistakes", true);
    said.event("h_1 makes at least K mistakes, too", mistakes.get(1).is_some_and(|&m| m >= size));
    said.claim(mistakes.iter().any(|&mistakes| mistakes < size), || {
        format!("the candidates make {} mistakes, each at least K = {size}", list(&mistakes))
    });
}

/// P: the pairs of a group and a function that some list of the group names during the run.
pub(super) fn pairs(run: &Run) -> usize {
    let calls = run.steps.iter().flat_map(|step| &step.calls);
    let lists = calls.flat_map(|call| call.lists.iter().enumerate());
    let named = |(group, (_, list)): (usize, &(Members, Arc<List>))| {
        list.functions.iter().map(|h| (group, h.clone())).collect_vec()
    };
    lists.flat_map(named).unique().count()
}

fn counted(algorithm: &Algorithm, stream: &[(usize, bool)], run: &Run, said: &mut Said) {
    let parameters = algorithm.parameters();
    let (groups, size, bound) = (parameters.groups, parameters.batch, parameters.list_bound);
    let calls = || run.steps.iter().flat_map(|step| &step.calls);
    let short = calls().flat_map(|call| &call.lists).all(|(_, l)| l.functions.len() <= bound);
    let stores = |group: &usize| {
        let mut full = run.steps.iter().filter(|step| step.full);
        full.all(|step| step.samples[*group].len() == parameters.sample)
    };
    let named = run.steps.iter().all(|step| {
        let (Some(h), Some(call)) = (step.candidate(), step.calls.last()) else { return true };
        let names = |group: &usize| {
            call.lists[*group].1.functions.binary_search(h).is_ok() && stores(group)
        };
        2 * (0..groups).filter(names).count() >= groups
    });
    let selected = run.made == parameters.candidates + 1;
    let mistakes: Vec<usize> = run.candidates.iter().map(|h| h.mistakes(stream)).collect();
    let all_full = run.steps.iter().all(|step| step.full);
    if !short || !named || (all_full && !selected) || mistakes[0] < size {
        return;
    }
    // Levels 0, …, d have a list parameter each.
    let (pairs, most) = (pairs(run), groups * parameters.lists.len() * bound);
    // The batch of a selected function is the one after it.
    let removals = run.steps.iter().skip(1).filter(|step| step.full).count();
    said.event("h_0 makes at least K mistakes, and the premises hold", true);
    said.event("h_1 makes at least K mistakes, too", removals > 0);
    said.event("⊥ before a success", calls().any(|call| call.answer.is_none()) && selected);
    said.event("P = k(d+1)s", pairs == most);
    said.claim(pairs <= most, || format!("P = {pairs}, more than k(d+1)s = {most}"));
    said.claim(2 * pairs >= removals * groups, || {
        format!("P = {pairs}, less than k/2 = {groups}/2 for each of {removals} full batches")
    });
    said.claim(mistakes.iter().any(|&mistakes| mistakes < size), || {
        format!("the candidates make {} mistakes, each at least K = {size}", list(&mistakes))
    });
}

fn nested(algorithm: &Algorithm, run: &Run, said: &mut Said) {
    let bound = algorithm.parameters().list_bound;
    let calls: Vec<_> = run.steps.iter().flat_map(|step| &step.calls).collect();
    for call in &calls {
        for (group, (_, list)) in call.lists.iter().enumerate() {
            let size = list.functions.len();
            said.claim(size <= bound, || {
                format!("the list of group {} has size {size}, more than s = {bound}", group + 1)
            });
        }
    }
    for pair in calls.windows(2) {
        for (group, (old, new)) in pair[0].lists.iter().zip(&pair[1].lists).enumerate() {
            let (Some(before), Some(after)) = (old.1.dimension, new.1.dimension) else {
                said.claim(false, || format!("the class of group {} is empty", group + 1));
                continue;
            };
            let (old, new) = (&old.1.functions, &new.1.functions);
            said.event("a decomposition dimension falls", after < before);
            said.event("a list shrinks", after == before && new.len() < old.len());
            let doubled = pair[0].p < pair[1].p && after == before && after > 0;
            said.event("p grows and a dimension above 0 stays", doubled);
            said.claim(after <= before, || {
                format!(
                    "the decomposition dimension of group {} grows from {before} to {after}",
                    group + 1
                )
            });
            let part = after != before || new.iter().all(|h| old.binary_search(h).is_ok());
            said.claim(part, || {
                format!("group {} has a new function in its list at the same dimension", group + 1)
            });
        }
    }
}

/// Whether a group is successful for a full batch (Lemma 6): it received n records, and the errors on
/// its sample and on the batch differ by at most the tolerance for every hypothesis.
pub(super) fn successful(
    algorithm: &Algorithm,
    records: &[Record],
    sample: &[Record],
    tolerance: &Rational,
) -> bool {
    if sample.len() < algorithm.parameters().sample {
        return false;
    }
    let error = |h: usize, records: &[Record], size: usize| {
        Rational::new(BigInt::from(mistakes(algorithm, h, records)), size.into())
    };
    (0..algorithm.class().hypotheses()).all(|h| {
        let difference =
            error(h, sample, algorithm.parameters().sample) - error(h, records, records.len());
        difference <= *tolerance && -difference <= *tolerance
    })
}

/// The promise of Lemma 7 for one call: a returned function is in at least 3k/5 lists; if the answer
/// is ⊥, no function is in 9k/10.
pub(super) fn promised(call: &super::Call) -> bool {
    let groups = call.lists.len();
    if let Some(h) = &call.answer {
        return 5 * call.count(h) >= 3 * groups;
    }
    let named = call.lists.iter().flat_map(|(_, list)| &list.functions);
    named.unique().all(|h| 10 * call.count(h) < 9 * groups)
}

fn selections(algorithm: &Algorithm, run: &Run, tolerance: &Rational, said: &mut Said) {
    let parameters = algorithm.parameters();
    let groups = parameters.groups;
    let good = |group: &usize| {
        let fits =
            |step: &Step| successful(algorithm, &step.records, &step.samples[*group], tolerance);
        run.steps.iter().all(fits)
    };
    let calls = || run.steps.iter().flat_map(|step| &step.calls);
    let premises = run.steps.iter().all(|step| step.full)
        && calls().all(promised)
        && 100 * (0..groups).filter(good).count() >= 99 * groups;
    if !premises {
        return;
    }
    said.event("full batches, good samples and kept promises", true);
    said.event("⊥ before a success", calls().any(|call| call.answer.is_none()));
    said.claim(!run.ended && run.made == parameters.candidates + 1, || {
        format!(
            "there are {} successful selections, not N = {}",
            run.made - 1,
            parameters.candidates
        )
    });
}

fn list(numbers: &[usize]) -> String {
    numbers.iter().join(", ")
}

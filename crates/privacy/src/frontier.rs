//! The pairs that differ in round 1: the bulk of the work.
//!
//! Their suffixes are cut into tasks by their first records. Tasks are taken in the order of their
//! bounds, so the bound of the first unfinished one, or the best found if that is greater, bounds
//! the worst δ at any time. Tasks are independent of one another and run on several threads.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use littlestone_exact::Arithmetic;
use littlestone_exact::limits::Stopped;

use super::gaps::{self, GapsOf};
use super::least::Goal;
use super::search::{Best, Climb, Pair, Places, Problem, Records, Search, places_after};
use super::streams::Streams;

/// No more tasks than this, unless there are more pairs of records in round 1.
const TASKS: usize = 4096;

/// The first records of the suffixes of a task: at most so many.
const DEPTH: usize = 3;

/// Suffixes that begin alike.
struct Task<A: Arithmetic> {
    bound: A::Value,
    records: Records,
    path: Vec<u32>,
    node: GapsOf<A>,
    places: Places,
}

/// What the threads share.
struct Shared<A: Arithmetic> {
    best: Best<A::Value>,
    next: usize,
    running: BTreeSet<usize>,
    stopped: Option<Stopped>,
}

/// A search that a limit has ended, and a bound on all divergences, if it has one.
pub(super) struct Halted<V> {
    pub stopped: Stopped,
    pub upper: Option<V>,
}

impl<V> From<Stopped> for Halted<V> {
    fn from(stopped: Stopped) -> Self {
        Self { stopped, upper: None }
    }
}

/// Raises `best` to the worst divergence over the pairs that differ in round 1 and have `left`
/// rounds after it. `best` must already be that over all other pairs of their length.
pub(super) fn worst_at_first<A: Arithmetic>(
    search: &mut Search<'_, A>,
    left: usize,
    best: &mut Best<A::Value>,
) -> Result<(), Halted<A::Value>> {
    let problem = search.problem();
    let arithmetic = problem.arithmetic;
    let start = known_start(problem);
    let mut roots = BTreeSet::new();
    let mut tasks = Vec::new();
    for &records in &problem.differing {
        search.check()?;
        let Some(places) = places_after(problem.streams, Streams::START, records) else { continue };
        // One question of each orbit. A renaming may move the state before round 1; then the
        // question stays as it is.
        let mut root = (0, places, records);
        if let Some(state) = start {
            let least = search.known.form((state, places, records)).root;
            root = if least.0 == state { least } else { (state, places, records) };
            let goal = Goal::Exceed(best.value.clone());
            let missed = search.known.reaches(arithmetic, least, left, &goal) == Some(false);
            if missed || !roots.insert(root) {
                continue;
            }
        }
        let (_, places, records) = root;
        let histories = problem.histories(&[])?;
        let node = problem.split(&histories, records)?;
        let bound = problem.scaled(&gaps::revealed(arithmetic, &node), left);
        tasks.push(Task { bound, records, path: Vec::new(), node, places });
    }
    for depth in 0..DEPTH {
        if left <= depth + problem.tails.rounds()
            || tasks.len() * problem.model.records as usize > TASKS
        {
            break;
        }
        let climb = Climb::new(best.value.clone());
        let mut finer = Vec::new();
        for task in &tasks {
            search.count_state()?;
            let children = problem.children(&task.node, task.places, left - depth, &climb)?;
            for (bound, record, node, places) in children {
                let path = task.path.iter().copied().chain([record]).collect();
                finer.push(Task { bound, records: task.records, path, node, places });
            }
        }
        tasks = finer;
    }
    tasks.sort_by(|a, b| arithmetic.value_cmp(&b.bound, &a.bound));
    run(problem, &tasks, left, best)?;
    for root in roots {
        let reached = best.pair.as_ref().is_some_and(|pair| pair.begins_with(root.2));
        if !reached {
            let least = search.known.form(root).root;
            search.known.misses(arithmetic, least, left, Goal::Exceed(best.value.clone()));
        }
    }
    Ok(())
}

/// The state before round 1, if it is certain and has weight one.
fn known_start<A: Arithmetic>(problem: &Problem<'_, A>) -> Option<u32> {
    match &problem.model.start[..] {
        [(state, mass)] if *mass == problem.arithmetic.one() => Some(*state),
        _ => None,
    }
}

fn run<A: Arithmetic>(
    problem: &Problem<'_, A>,
    tasks: &[Task<A>],
    left: usize,
    best: &mut Best<A::Value>,
) -> Result<(), Halted<A::Value>> {
    let shared = Mutex::new(Shared::<A> {
        best: best.clone(),
        next: 0,
        running: BTreeSet::new(),
        stopped: None,
    });
    let jobs = problem.limits.threads().get();
    let jobs = jobs.min(tasks.len());
    if jobs <= 1 {
        work(problem, tasks, left, &shared);
    } else {
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| work(problem, tasks, left, &shared));
            }
        });
    }
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    *best = shared.best.clone();
    match shared.stopped {
        Some(stopped) => Err(Halted { stopped, upper: Some(upper(problem, tasks, &shared)) }),
        None => Ok(()),
    }
}

/// A bound on the divergence of every pair: that of the first unfinished task, or the best found.
fn upper<A: Arithmetic>(
    problem: &Problem<'_, A>,
    tasks: &[Task<A>],
    shared: &Shared<A>,
) -> A::Value {
    let unfinished = shared.running.first().copied().unwrap_or(shared.next);
    let best = &shared.best.value;
    match tasks.get(unfinished) {
        Some(task) if problem.arithmetic.value_cmp(&task.bound, best) == Ordering::Greater => {
            task.bound.clone()
        }
        _ => best.clone(),
    }
}

fn work<A: Arithmetic>(
    problem: &Problem<'_, A>,
    tasks: &[Task<A>],
    left: usize,
    shared: &Mutex<Shared<A>>,
) {
    let arithmetic = problem.arithmetic;
    let mut search = Search::new(problem);
    let mut climb = Climb::new(arithmetic.value_zero());
    loop {
        let (index, task) = {
            let mut shared = lock(shared);
            let index = shared.next;
            let Some(task) = tasks.get(index) else { return };
            // The tasks are sorted: no later one can beat the best either.
            let hopeful = arithmetic.value_cmp(&task.bound, &shared.best.value);
            if shared.stopped.is_some() || hopeful != Ordering::Greater {
                return;
            }
            shared.next += 1;
            shared.running.insert(index);
            climb.value = shared.best.value.clone();
            (index, task)
        };
        climb.suffix = None;
        climb.path.clone_from(&task.path);
        let result = search.suffixes(&task.node, task.places, left - task.path.len(), &mut climb);
        let mut shared = lock(shared);
        if let Some(suffix) = climb.suffix.take()
            && arithmetic.value_cmp(&climb.value, &shared.best.value) == Ordering::Greater
        {
            let pair = Some(Pair::new(&[], task.records, &suffix));
            shared.best = Best { value: climb.value.clone(), pair };
        }
        match result {
            Ok(()) => {
                shared.running.remove(&index);
                if problem.answers == Some(left + 1) {
                    let upper = upper(problem, tasks, &shared);
                    problem.progress.at_most(problem.number(&upper, left + 1));
                }
            }
            Err(stopped) => shared.stopped = Some(stopped),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

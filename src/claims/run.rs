//! Runs checks on several threads; the results do not depend on how many.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use crate::error::Error;
use crate::exact::Rational;
use crate::limits::Limits;
use crate::questions::Shared;

use super::kinds::Check;
use super::outcome::{CheckInfo, CheckResult, Fault, Finding, Outcome, Perturbed, Tier, Verdict};
use super::plan::{Item, not_run};

/// Which checks to run, and how.
#[derive(Debug, Clone, Default)]
pub struct CheckOptions {
    /// Threads, and the bounds on each check's work; the deadline is that of the whole run, which
    /// the checks that it leaves out are told to be undecided by. Each check runs on one thread.
    pub limits: Limits,
    /// The greatest time for one check.
    pub claim_timeout: Option<Duration>,
    /// Select the checks whose name, paper item, file, kind or `key=value` label contains one of
    /// these; all checks when there are none.
    pub only: Vec<String>,
    /// Stop at the first check, in the order of the files, whose verdict is not as expected, or
    /// fault.
    pub fail_fast: bool,
    /// The greatest slack of a claim that holds and says nothing of its own.
    pub max_slack: Option<Rational>,
    /// Whether claims that hold are tried again with each constant made stronger.
    pub perturb: bool,
}

/// What a run tells as it goes.
#[derive(Debug)]
pub enum Event<'e> {
    /// The next result, in the order of the files.
    Result(&'e CheckResult),
    /// A fault of the input, in the same order.
    Fault(&'e Error),
    /// One more check is done.
    Done {
        /// Number of checks that are done.
        done: usize,
        /// Number of checks that were selected.
        total: usize,
        /// The first check, in the order of the files, that is not done.
        next: &'e CheckInfo,
    },
}

/// The checks of some claim files, and the faults beside them.
#[derive(Debug)]
pub struct Suite {
    items: Vec<Item>,
}

impl Suite {
    pub(super) fn new(items: Vec<Item>) -> Self {
        Self { items }
    }

    /// The checks, in the order of the files.
    pub fn checks(&self) -> impl Iterator<Item = &CheckInfo> {
        self.items.iter().filter_map(|item| match item {
            Item::Check(info, _) | Item::NotRun(info, _) => Some(info),
            Item::Fault(_) => None,
        })
    }

    /// What is wrong with the files, in their order.
    pub fn faults(&self) -> impl Iterator<Item = &Error> {
        self.items.iter().filter_map(|item| match item {
            Item::Fault(error) => Some(error),
            Item::Check(..) | Item::NotRun(..) => None,
        })
    }

    /// Keeps the checks of that tier; faults stay.
    pub fn select_tier(&mut self, tier: Tier) {
        self.items.retain(|item| match item {
            Item::Check(info, _) | Item::NotRun(info, _) => info.tier == tier,
            Item::Fault(_) => true,
        });
    }

    /// Keeps the checks that match one of `patterns`, see [`CheckOptions::only`]; faults stay.
    pub fn select(&mut self, patterns: &[String]) {
        if !patterns.is_empty() {
            self.items.retain(|item| match item {
                Item::Check(info, _) | Item::NotRun(info, _) => {
                    patterns.iter().any(|p| matches(info, p))
                }
                Item::Fault(_) => true,
            });
        }
    }

    /// Runs the checks, each with what it needs, and tells `tell` each result and fault as soon as
    /// it and all before it are there. When `tell` breaks off, the rest is left out.
    pub fn run(
        self,
        options: &CheckOptions,
        tell: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Outcome {
        let (mut slots, mut checks) = (Vec::new(), Vec::new());
        // The first place where a run that stops at failures stops for certain.
        let mut first_failure = usize::MAX;
        for (place, item) in self.items.into_iter().enumerate() {
            let mut known = |found| {
                first_failure = first_failure.min(place);
                Some(found)
            };
            slots.push(match item {
                Item::Check(info, check) => {
                    checks.push((place, check));
                    Slot { info: Some(info), ..Slot::default() }
                }
                Item::NotRun(info, limit) => {
                    let found = known(finding_of(limit));
                    Slot { info: Some(info), found, ..Slot::default() }
                }
                Item::Fault(error) => Slot { found: known(Err(vec![error])), ..Slot::default() },
            });
        }
        // Bytes are those of the process, so they are counted in a fixed order on one thread alone.
        let counted = options.limits.memory.is_some_and(|memory| memory.given);
        let jobs = if counted { 1 } else { options.limits.jobs.get() };
        let workers = jobs.min(checks.len());
        let work = Work {
            options,
            expected: slots
                .iter()
                .map(|slot| slot.info.as_ref().map(|i| i.expect.verdict()))
                .collect(),
            queue: Mutex::new(checks.into_iter()),
            last: AtomicUsize::new(if options.fail_fast { first_failure } else { usize::MAX }),
            shared: Arc::default(),
        };
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..workers {
                let sender = sender.clone();
                scope.spawn(|| work.run(sender));
            }
            drop(sender);
            let outcome = Collector::new(slots, tell, options).collect(&receiver);
            // Nothing after this place is wanted.
            work.last.store(0, Ordering::SeqCst);
            outcome
        })
    }
}

fn matches(info: &CheckInfo, pattern: &str) -> bool {
    [info.name.as_str(), &info.paper, &info.file, info.kind, &info.label()]
        .iter()
        .any(|text| text.contains(pattern))
}

/// What a check comes to: a finding, or what is wrong with it.
type Found = Result<Finding, Vec<Error>>;

/// A place in the order of the files: a check, or a fault.
#[derive(Default)]
struct Slot {
    info: Option<CheckInfo>,
    found: Option<Found>,
    perturbed: Option<Vec<Perturbed>>,
    time: Duration,
}

impl Slot {
    fn done(&mut self, Done { found, perturbed, time, .. }: Done) {
        (self.found, self.perturbed, self.time) = (Some(found), perturbed, time);
    }
}

/// A check that is done.
struct Done {
    place: usize,
    found: Found,
    perturbed: Option<Vec<Perturbed>>,
    time: Duration,
}

/// What the threads share.
struct Work<'o> {
    options: &'o CheckOptions,
    expected: Vec<Option<Verdict>>,
    /// The checks with their places, increasing.
    queue: Mutex<std::vec::IntoIter<(usize, Box<dyn Check>)>>,
    /// Checks after this place are left out.
    last: AtomicUsize,
    shared: Arc<Shared>,
}

impl Work<'_> {
    /// Takes checks in order until there is none, and sends what they come to.
    #[allow(
        clippy::needless_pass_by_value,
        reason = "the last sender that is dropped ends the run"
    )]
    fn run(&self, sender: mpsc::Sender<Done>) {
        loop {
            let next = self.queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((place, check)) = next else { break };
            if place > self.last.load(Ordering::SeqCst) {
                break;
            }
            let began = Instant::now();
            let found = self.one(&*check);
            let verdict = found.as_ref().ok().map(|finding| finding.verdict);
            if self.options.fail_fast && verdict != self.expected[place] {
                // Checks are taken in order, so all before this one have been taken.
                self.last.fetch_min(place, Ordering::SeqCst);
            }
            let time = began.elapsed();
            let holds = verdict == Some(Verdict::Holds) && verdict == self.expected[place];
            let perturbed = (holds && self.options.perturb).then(|| {
                let pinned = found.as_ref().is_ok_and(Finding::is_pinned);
                if pinned { Vec::new() } else { check.perturbed(&self.limits(), &self.shared) }
            });
            if sender.send(Done { place, found, perturbed, time }).is_err() {
                break;
            }
        }
    }

    fn one(&self, check: &dyn Check) -> Found {
        let run = &self.options.limits;
        if let Err(stopped) = run.check() {
            return finding_of(not_run(stopped));
        }
        check.run(&self.limits(), &self.shared).or_else(finding_of)
    }

    /// The limits of a check that begins now.
    fn limits(&self) -> Limits {
        let run = &self.options.limits;
        let own =
            self.options.claim_timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let deadline = run.deadline.into_iter().chain(own).min();
        Limits { jobs: NonZeroUsize::MIN, deadline, ..run.clone() }
    }
}

/// The finding where a limit was hit before there was anything to report; other errors are faults.
fn finding_of(error: Error) -> Found {
    let Error::Limit { message, help, .. } = error else { return Err(vec![error]) };
    Ok(Finding {
        verdict: Verdict::Undecided,
        found: message,
        non_vacuous: None,
        details: vec![format!("help: {help}")],
        values: BTreeMap::new(),
        inequalities: Vec::new(),
    })
}

/// Puts what the threads find in order.
struct Collector<'t> {
    slots: Vec<Slot>,
    tell: &'t mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    options: &'t CheckOptions,
    outcome: Outcome,
    seen: FxHashSet<Error>,
}

impl<'t> Collector<'t> {
    fn new(
        slots: Vec<Slot>,
        tell: &'t mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
        options: &'t CheckOptions,
    ) -> Self {
        Self { slots, tell, options, outcome: Outcome::default(), seen: FxHashSet::default() }
    }

    fn collect(mut self, found: &mpsc::Receiver<Done>) -> Outcome {
        let is_check = |slot: &&Slot| slot.info.is_some();
        let total = self.slots.iter().filter(is_check).count();
        let mut done =
            self.slots.iter().filter(is_check).filter(|slot| slot.found.is_some()).count();
        for place in 0..self.slots.len() {
            while self.slots[place].found.is_none() {
                let Ok(found) = found.recv() else { return self.outcome };
                self.slots[found.place].done(found);
                done += 1;
                let waiting = self.slots[place..].iter().find(|slot| slot.found.is_none());
                if let Some(next) = waiting.and_then(|slot| slot.info.as_ref()) {
                    // A display is no part of the result.
                    let _ = (self.tell)(Event::Done { done, total, next });
                }
            }
            let (told, expected) = self.report(place);
            if told.is_break() || self.options.fail_fast && !expected {
                self.outcome.not_run = self.slots[place + 1..].iter().filter(is_check).count();
                break;
            }
        }
        self.outcome
    }

    /// Tells what stands at a place, and whether it is as expected.
    fn report(&mut self, place: usize) -> (ControlFlow<()>, bool) {
        let Slot { info, found, perturbed, time } = &mut self.slots[place];
        match (info.take(), found.take().expect("the caller waited for it")) {
            (Some(check), Ok(finding)) => {
                let greatest = self.options.max_slack.as_ref();
                let too_slack = finding.too_slack(check.expect, check.slack.as_ref(), greatest);
                let (perturbed, time) = (perturbed.take(), *time);
                let result = CheckResult { check, finding, too_slack, perturbed, time };
                let told = (self.tell)(Event::Result(&result));
                let expected = result.as_expected();
                self.outcome.results.push(result);
                (told, expected)
            }
            (_, Ok(_)) => unreachable!("a fault has no finding"),
            (_, Err(errors)) => {
                let mut told = ControlFlow::Continue(());
                for error in errors.into_iter().filter(|error| self.seen.insert(error.clone())) {
                    if told.is_continue() {
                        told = (self.tell)(Event::Fault(&error));
                    }
                    self.outcome.faults.push(Fault { error, after: self.outcome.results.len() });
                }
                (told, false)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::{Expect, Status};

    /// A check that ends with the given error.
    #[derive(Debug)]
    struct Ends(Error);

    impl Check for Ends {
        fn run(&self, _: &Limits, _: &Arc<Shared>) -> Result<Finding, Error> {
            Err(self.0.clone())
        }
    }

    fn item(error: Error) -> Item {
        let info = CheckInfo {
            file: "a.toml".into(),
            line: 1,
            name: "a".into(),
            paper: "Fact 5".into(),
            kind: "privacy",
            case: Vec::new(),
            expect: Expect::Holds,
            slack: None,
            tier: Tier::Short,
        };
        Item::Check(info, Box::new(Ends(error)))
    }

    fn limit() -> Error {
        Error::Limit {
            stopped: crate::limits::Stopped::States,
            message: "too many states".into(),
            help: "allow more".into(),
        }
    }

    #[test]
    fn a_limit_is_undecided_and_another_error_a_fault() {
        let items = vec![item(limit()), item(Error::argument("wrong")), item(limit())];
        let tell = &mut |_: Event<'_>| ControlFlow::Continue(());
        let outcome = Suite::new(items).run(&CheckOptions::default(), tell);
        assert_eq!((outcome.results.len(), outcome.undecided()), (2, 2));
        assert_eq!(outcome.results[0].finding.found, "too many states");
        assert_eq!(outcome.faults, [Fault { error: Error::argument("wrong"), after: 1 }]);
        assert_eq!(outcome.status(), Status::Faulty);
    }

    /// A check that waits until it is told to go on.
    #[derive(Debug)]
    struct Waits(Mutex<mpsc::Receiver<()>>);

    impl Check for Waits {
        fn run(&self, _: &Limits, _: &Arc<Shared>) -> Result<Finding, Error> {
            // The time is that of a test that fails.
            let patience = Duration::from_secs(60);
            let told = self.0.lock().expect("one thread waits").recv_timeout(patience);
            Err(told.map_or_else(|_| Error::argument("nothing was told"), |()| limit()))
        }
    }

    /// The second check ends only when the result of the first was told.
    #[test]
    fn a_result_is_told_before_later_checks_end() {
        let (go_on, told) = mpsc::channel();
        let Item::Check(info, _) = item(limit()) else { unreachable!("a check") };
        let waits = Item::Check(info, Box::new(Waits(Mutex::new(told))));
        let suite = Suite::new(vec![item(limit()), waits]);
        let outcome = suite.run(&CheckOptions::default(), &mut |event| {
            if let Event::Result(_) = event {
                let _ = go_on.send(());
            }
            ControlFlow::Continue(())
        });
        assert_eq!((outcome.results.len(), outcome.faults), (2, vec![]));
    }

    /// A listener that breaks off, as when the reader of the report has gone.
    #[test]
    fn nothing_is_told_after_a_break() {
        for jobs in [1, 3] {
            let jobs = NonZeroUsize::new(jobs).expect("positive");
            let limits = Limits { jobs, ..Limits::default() };
            let options = CheckOptions { limits, ..CheckOptions::default() };
            let mut told = 0;
            let suite = Suite::new((0..9).map(|_| item(limit())).collect());
            let outcome = suite.run(&options, &mut |event| {
                let Event::Result(_) = event else { return ControlFlow::Continue(()) };
                told += 1;
                if told == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!((told, outcome.results.len(), outcome.not_run), (2, 2, 7));
        }
    }
}

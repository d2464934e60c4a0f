//! Runs checks on several threads; the results do not depend on how many.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::class::{Header, Loaded, spec};
use crate::error::Error;
use crate::limits::Limits;

use super::kinds::Check;
use super::outcome::{CheckInfo, CheckResult, Faults, Finding, Outcome, Verdict};
use super::{Fields, Located, fields::record};

/// Which checks to run, and how.
#[derive(Debug, Clone, Default)]
pub struct CheckOptions {
    /// Threads, and the bounds on each check's work. Each check runs on one thread.
    pub limits: Limits,
    /// Select the checks whose name, paper item, file, kind or `key=value` label contains one of
    /// these; all checks when there are none.
    pub only: Vec<String>,
    /// Stop at the first check, in the order of the files, whose verdict is not as expected.
    pub fail_fast: bool,
}

/// A check that was read.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) info: CheckInfo,
    pub(super) check: Box<dyn Check>,
}

/// The checks of some claim files.
#[derive(Debug)]
pub struct Suite {
    checks: Vec<Planned>,
}

impl Suite {
    pub(super) fn new(checks: Vec<Planned>) -> Self {
        Self { checks }
    }

    /// The checks, in the order of the files.
    pub fn checks(&self) -> impl ExactSizeIterator<Item = &CheckInfo> {
        self.checks.iter().map(|planned| &planned.info)
    }

    /// Keeps the checks that match one of `patterns`, see [`CheckOptions::only`].
    pub fn select(&mut self, patterns: &[String]) {
        if !patterns.is_empty() {
            self.checks.retain(|planned| patterns.iter().any(|p| matches(&planned.info, p)));
        }
    }

    /// Loads what the checks need, runs them and tells `watch` after each one how many are done.
    ///
    /// # Errors
    /// When a class cannot be loaded or an object is malformed: all such faults, and no results.
    pub fn run(
        mut self,
        options: &CheckOptions,
        watch: &(dyn Fn(usize) + Sync),
    ) -> Result<Outcome, Faults> {
        let mut classes = Classes::default();
        for planned in &mut self.checks {
            planned.check.load(&mut classes);
        }
        Faults::none_or(classes.faults)?;

        let findings = run_all(&self.checks, options, watch);
        let mut outcome = Outcome { results: Vec::new(), not_run: 0 };
        let mut faults = Vec::new();
        let total = self.checks.len();
        for (index, (planned, finding)) in self.checks.into_iter().zip(findings).enumerate() {
            let finding = finding.expect("every check up to the first failure was run");
            match finding {
                Ok(finding) => {
                    let result = CheckResult { check: planned.info, finding };
                    let stop = options.fail_fast && !result.as_expected();
                    outcome.results.push(result);
                    if stop {
                        outcome.not_run = total - index - 1;
                        break;
                    }
                }
                Err(fault) => {
                    if !faults.contains(&fault) {
                        faults.push(fault);
                    }
                    if options.fail_fast {
                        break;
                    }
                }
            }
        }
        Faults::none_or(faults)?;
        Ok(outcome)
    }
}

fn matches(info: &CheckInfo, pattern: &str) -> bool {
    [info.name.as_str(), &info.paper, &info.file, info.kind, &info.label()]
        .iter()
        .any(|text| text.contains(pattern))
}

/// The findings by check; under `fail_fast` those after the first failure may be missing.
fn run_all(
    checks: &[Planned],
    options: &CheckOptions,
    watch: &(dyn Fn(usize) + Sync),
) -> Vec<Option<Result<Finding, Error>>> {
    let one_thread = Limits { jobs: std::num::NonZeroUsize::MIN, ..options.limits.clone() };
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);
    // Checks are taken in order, so all before this one have been taken when it is lowered.
    let first_failure = AtomicUsize::new(usize::MAX);
    let findings = Mutex::new(checks.iter().map(|_| None).collect::<Vec<_>>());
    let work = || loop {
        let index = next.fetch_add(1, Ordering::SeqCst);
        let Some(planned) = checks.get(index) else { break };
        if options.fail_fast && index > first_failure.load(Ordering::SeqCst) {
            break;
        }
        let finding = planned.check.run(&one_thread).or_else(undecided);
        let expected =
            finding.as_ref().is_ok_and(|finding| finding.verdict == planned.info.expect.verdict());
        if !expected {
            first_failure.fetch_min(index, Ordering::SeqCst);
        }
        findings.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(finding);
        watch(done.fetch_add(1, Ordering::SeqCst) + 1);
    };
    std::thread::scope(|scope| {
        for _ in 1..options.limits.jobs.get().min(checks.len()) {
            scope.spawn(work);
        }
        work();
    });
    findings.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The finding where a limit was hit before there was anything to report; other errors are faults.
fn undecided(error: Error) -> Result<Finding, Error> {
    let Error::Limit { message, help } = error else { return Err(error) };
    Ok(Finding {
        verdict: Verdict::Undecided,
        found: message,
        non_vacuous: None,
        details: vec![format!("help: {help}")],
        values: BTreeMap::new(),
    })
}

/// How the file of the class of a claim is found and read.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reading {
    /// The folder that paths in the claim are relative to.
    folder: PathBuf,
    header: Option<Header>,
}

impl Reading {
    /// Reads the key `header`.
    pub fn parse(fields: &mut Fields<'_>) -> Option<Self> {
        let header =
            if fields.has("header") { Some(fields.choice("header", &Header::ALL)?) } else { None };
        Some(Self { folder: fields.folder().to_path_buf(), header })
    }
}

/// Loads classes for checks, each once.
#[derive(Debug, Default)]
pub struct Classes {
    loaded: BTreeMap<(Reading, String), Arc<Loaded>>,
    faults: Vec<Error>,
}

impl Classes {
    /// Records a fault, once.
    pub fn refuse(&mut self, fault: Error) {
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// The class that a claim describes; a fault is recorded when there is none.
    pub fn load(&mut self, spec: &Located<String>, reading: &Reading) -> Option<Arc<Loaded>> {
        let key = (reading.clone(), spec.value.clone());
        if let Some(loaded) = self.loaded.get(&key) {
            return Some(Arc::clone(loaded));
        }
        match spec::load_as(&spec.value, &reading.folder, reading.header) {
            Ok(loaded) => {
                let loaded = Arc::new(loaded);
                self.loaded.insert(key, Arc::clone(&loaded));
                Some(loaded)
            }
            Err(reason) => {
                let found = format!("`{}`: {reason}", spec.value);
                record(&mut self.faults, spec.position.clone(), "a class", &found);
                None
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
        fn load(&mut self, _: &mut Classes) {}

        fn run(&self, _: &Limits) -> Result<Finding, Error> {
            Err(self.0.clone())
        }
    }

    fn run(error: Error) -> Result<Outcome, Faults> {
        let info = CheckInfo {
            file: "a.toml".into(),
            line: 1,
            name: "a".into(),
            paper: "Fact 5".into(),
            kind: "privacy",
            case: Vec::new(),
            expect: Expect::Holds,
        };
        let suite = Suite::new(vec![Planned { info, check: Box::new(Ends(error)) }]);
        suite.run(&CheckOptions::default(), &|_| {})
    }

    #[test]
    fn a_limit_is_undecided_and_another_error_a_fault() {
        let limit = Error::Limit { message: "too many states".into(), help: "allow more".into() };
        let outcome = run(limit).unwrap();
        assert_eq!(outcome.results[0].finding.verdict, Verdict::Undecided);
        assert_eq!(outcome.results[0].finding.found, "too many states");
        assert_eq!(outcome.status(), Status::Undecided);
        assert!(run(Error::argument("wrong")).is_err());
    }
}

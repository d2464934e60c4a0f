//! Whatever is computed before, after or beside a search asks the limits itself: a library has no
//! watchdog. Nothing here measures time; looks at the limits are counted.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use littlestone::class::families;
use littlestone::error::Error;
use littlestone::exact::{Epsilon, Number};
use littlestone::limits::{Limits, Memory, Progress, Stopped};
use littlestone::mechanism::spec::{Context, Spec};
use littlestone::mechanism::{Automaton, Monitor, Options, Tools, compile};
use littlestone::mistakes;
use littlestone::privacy::{
    self, Decision, Lengths, Neighbour, Neighbours, Notion, Question, Streams, Worst,
};

fn automaton(spec: &str, class: (&str, &str), rounds: usize) -> Automaton {
    let class = families::generate(class.0, class.1).unwrap();
    let context = Context {
        tools: Some(Tools::new(Rc::new(class), Limits::default())),
        catalogue: &littlestone::catalogue::Standard,
        limits: Limits::default(),
    };
    let spec = Spec::parse(spec, ".".as_ref()).unwrap();
    compile(&context.resolve(&spec).unwrap(), &Options::rounds(rounds, Options::STATES)).unwrap()
}

fn question() -> Question {
    Question {
        notion: Notion::Whole,
        neighbours: Neighbours::Replacement,
        epsilon: Epsilon::zero(),
    }
}

fn cancelled() -> Limits {
    Limits { cancelled: Some(Arc::new(AtomicBool::new(true))), ..Limits::default() }
}

const STOPPED: Stopped = Stopped::Cancelled;

#[track_caller]
fn stops<T: std::fmt::Debug>(what: &str, found: Result<T, Error>) {
    match found {
        Err(Error::Limit { stopped: STOPPED, .. }) => {}
        other => panic!("{what}: {other:?}"),
    }
}

#[test]
fn nothing_begins_when_the_answer_is_no_longer_wanted() {
    let soa = automaton("soa", ("point", "3"), 4);
    let (limits, question) = (cancelled(), question());
    let meter = || limits.meter();
    let pair = Neighbour { first: vec![1, 0, 0, 0], second: vec![0, 0, 0, 0] };
    let all = Streams::all(soa.interface().records());
    stops("event", privacy::event(&soa, &question, &pair, &mut meter()));
    stops("event_unlisted", privacy::event_unlisted(&soa, &question, &pair, &mut meter()));
    stops("both_ways", privacy::both_ways(&soa, &question, &pair, &mut meter()));
    stops("shown", privacy::shown(&soa, &all, &question, 4, &pair, &mut meter()));
    stops("minimised", soa.minimised_within(&mut meter()).map_err(Error::from));
    stops("prepared", privacy::prepared(&soa, &all, &limits));
    let law = vec![(0, Number::from(1))];
    stops("on_examples", mistakes::on_examples_within(&soa, &law, 4, &mut meter()));
    let streams = vec![(vec![0, 0], Number::from(1))];
    stops("on_streams", mistakes::on_streams_within(&soa, &streams, &mut meter()));
}

/// Where there are bounds that need no work, they are the answer.
#[test]
fn searches_that_cannot_begin_say_what_is_known_without_them() {
    let soa = automaton("soa", ("point", "3"), 4);
    let (limits, progress, question) = (cancelled(), Progress::default(), question());
    let all = Streams::all(soa.interface().records());
    let worst =
        privacy::worst_delta(&soa, &all, &question, &Lengths::all(4), &limits, &progress).unwrap();
    assert_eq!(worst.len(), 4);
    for answer in worst {
        let Worst::Between { lower, attained_by: None, upper, stopped: STOPPED } = answer else {
            panic!("{answer:?}");
        };
        // δ is a probability.
        assert_eq!((lower, upper), (Number::zero(), Number::from(1)));
    }
    let zero = Number::zero();
    let decision = privacy::decide(&soa, &all, &question, 4, &zero, &limits, &progress).unwrap();
    assert!(
        matches!(decision, Decision::Undecided { rounds: 1, stopped: STOPPED }),
        "{decision:?}"
    );
    let worst = mistakes::worst(&soa, mistakes::Streams::All, 3..=4, &limits, &progress).unwrap();
    let between = |upper: i64| mistakes::Worst::Between {
        lower: Number::zero(),
        upper: Number::from(upper),
        stopped: STOPPED,
    };
    // There are no more mistakes than rounds.
    assert_eq!(worst, [between(3), between(4)]);
}

/// The greatest number of looks at the limits, and the looks so far.
static LOOKS: AtomicU64 = AtomicU64::new(0);

/// Limits that are over at the second look.
fn twice() -> Limits {
    LOOKS.store(0, Ordering::Relaxed);
    let gauge = || LOOKS.fetch_add(1, Ordering::Relaxed) + 1;
    Limits { memory: Some(Memory { bytes: 1, gauge, given: true }), ..Limits::default() }
}

/// Work that is long looks again and again, and ends at the first look that says so.
#[test]
fn long_work_looks_again() {
    let rounds = 16;
    let flipped = automaton("subsampled-soa:gamma=1/8,flip=1/4", ("point", "3"), rounds);
    let first: Vec<usize> = (0..rounds).map(|round| round % 6).collect();
    let mut second = first.clone();
    second[1] = 0;
    let pair = Neighbour { first, second };
    // All 2^16 words of outputs have a probability (the predictor flips each), a good many
    // operations each.
    let limits = twice();
    let found = privacy::event(&flipped, &question(), &pair, &mut limits.meter());
    assert!(
        matches!(found, Err(Error::Limit { stopped: Stopped::Memory { .. }, .. })),
        "{found:?}"
    );
    assert_eq!(LOOKS.load(Ordering::Relaxed), 2);
}

#[test]
fn a_monitor_is_run_within_the_limits() {
    let soa = automaton("soa", ("point", "3"), 2);
    let script = "fn start() { loop { } }\nfn step(memory, round, before, output, after) { 0 }\n\
                  fn ok(memory, round) { true }";
    let limits = cancelled();
    let (values, interface) = (BTreeMap::new(), soa.interface());
    let monitor = Monitor::new("m", script, None, &values, interface, soa.outputs(), &limits);
    stops("monitor", monitor.and_then(|monitor| monitor.start()));
}

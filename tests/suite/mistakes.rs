//! Expected mistakes: against a literal enumeration of coins and streams, and against closed forms.

use crate::support::config;
use crate::support::schema::validate;
use std::cell::RefCell;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::rc::Rc;

use littlestone::class::{Class, families};
use littlestone::error::{Error, Result};
use littlestone::exact::{Number, Rational, exp};
use littlestone::limits::{Limits, Progress, Stopped};
use littlestone::mechanism::{
    Automaton, Interface, Kind, Law, Mechanism, Options, Output, Tools, compile,
};
use littlestone::mistakes::{
    Expected, MAX_ROUNDS, Streams, Worst, on_examples, on_stream, on_streams, worst,
};
use proptest::prelude::*;

fn q(p: i64, q: i64) -> Number {
    Rational::new(p.into(), q.into()).into()
}

fn class(spec: &str) -> Class {
    littlestone::class::load(spec).unwrap().class
}

fn automaton<M: Mechanism>(mechanism: &M, rounds: usize) -> Automaton {
    compile(mechanism, &Options::rounds(rounds, 100_000)).unwrap()
}

fn worst_with(
    automaton: &Automaton,
    streams: Streams<'_>,
    rounds: usize,
    limits: &Limits,
) -> Worst {
    let found = worst(automaton, streams, rounds..=rounds, limits, &Progress::default()).unwrap();
    found.into_iter().next().unwrap()
}

/// The worst value and the least stream that attains it.
fn exact(automaton: &Automaton, streams: Streams<'_>, rounds: usize) -> (Number, Vec<usize>) {
    match worst_with(automaton, streams, rounds, &Limits::default()) {
        Worst::Exact { mistakes, attained_by } => (mistakes, attained_by),
        Worst::Between { .. } => unreachable!("stopped without a limit"),
    }
}

// ---- The literal reference: it follows every sequence of coins on the trait. ----

/// For each round of the stream, the probability of a mistake.
fn literal<M: Mechanism>(mechanism: &M, stream: &[usize]) -> Vec<Number> {
    let mut rounds = vec![Number::zero(); stream.len()];
    for (state, weight) in mechanism.start().unwrap().into_vec() {
        follow(mechanism, &state, stream, 0, &weight, &mut rounds);
    }
    rounds
}

fn follow<M: Mechanism>(
    mechanism: &M,
    state: &M::State,
    stream: &[usize],
    round: usize,
    weight: &Number,
    rounds: &mut [Number],
) {
    let Some(&record) = stream.get(round) else { return };
    // Definitions 1 and 3: record 2x + y is the example (x, y); a learner released h with h(x) at
    // place x, a predictor one bit.
    let (x, y) = (record / 2, record % 2);
    let (before, after, place) = match mechanism.interface().kind() {
        Kind::Learner => (0, record, x),
        _ => (x, y, 0),
    };
    for ((output, middle), p) in mechanism.respond(state, before).unwrap().into_vec() {
        let path = weight * &p;
        if output.chars().nth(place) != char::from_digit(u32::try_from(y).unwrap(), 2) {
            rounds[round] = &rounds[round] + &path;
        }
        for (next, p) in mechanism.observe(&middle, after).unwrap().into_vec() {
            follow(mechanism, &next, stream, round + 1, &(&path * &p), rounds);
        }
    }
}

fn sum(rounds: &[Number]) -> Number {
    rounds.iter().fold(Number::zero(), |sum, p| &sum + p)
}

/// All streams in lexicographic order.
fn all_streams(records: usize, rounds: usize) -> Vec<Vec<usize>> {
    (0..rounds).fold(vec![vec![]], |shorter, _| {
        let longer = |s: Vec<usize>| (0..records).map(move |r| [&s[..], &[r]].concat());
        shorter.into_iter().flat_map(longer).collect()
    })
}

/// Section 1.1: some `f` in H has `f(x_r) = y_r` in every round.
fn realisable(class: &Class, stream: &[usize]) -> bool {
    let fits = |h: usize| stream.iter().all(|r| class.label(h, r / 2) == (r % 2 == 1));
    (0..class.hypotheses()).any(fits)
}

fn literal_worst<M: Mechanism>(
    mechanism: &M,
    class: Option<&Class>,
    rounds: usize,
) -> (Number, Vec<usize>) {
    let mut worst: Option<(Number, Vec<usize>)> = None;
    for stream in all_streams(mechanism.interface().records(), rounds) {
        if class.is_some_and(|class| !realisable(class, &stream)) {
            continue;
        }
        let value = sum(&literal(mechanism, &stream));
        if worst.as_ref().is_none_or(|(best, _)| value > *best) {
            worst = Some((value, stream));
        }
    }
    worst.unwrap()
}

// ---- Mechanisms. ----

/// Fact 5: predict with the SOA on the retained examples, retain each with probability γ. With
/// γ = 1 it is the SOA itself. The state is the retained sample.
struct Subsampled {
    interface: Interface,
    tools: Rc<Tools>,
    gamma: Number,
    labels: RefCell<HashMap<Vec<usize>, Output>>,
}

impl Subsampled {
    fn new(class: &Class, kind: Kind, gamma: Number) -> Self {
        let points = class.point_names().to_vec();
        let interface = match kind {
            Kind::Learner => Interface::learner(points),
            _ => Interface::predictor(points),
        };
        let tools = Tools::new(Rc::new(class.clone()), Limits::default());
        Self { interface: interface.unwrap(), tools, gamma, labels: RefCell::default() }
    }

    fn hypothesis(&self, kept: &[usize]) -> Output {
        let compute = || {
            let restrict = |space, r: &usize| self.tools.restrict(&space, r / 2, r % 2 == 1);
            self.tools.soa_function(&kept.iter().fold(self.tools.full(), restrict)).unwrap()
        };
        self.labels.borrow_mut().entry(kept.to_vec()).or_insert_with(compute).clone()
    }
}

impl Mechanism for Subsampled {
    /// The retained records, sorted and without repetition; for a predictor that has answered, the
    /// point as well.
    type State = (Vec<usize>, Option<usize>);

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<Self::State>> {
        Ok(Law::certain((vec![], None)))
    }

    fn respond(&self, state: &Self::State, before: usize) -> Result<Law<(Output, Self::State)>> {
        let h = self.hypothesis(&state.0);
        Ok(Law::certain(match self.interface.kind() {
            Kind::Learner => (h, state.clone()),
            _ => (h[before..=before].to_owned(), (state.0.clone(), Some(before))),
        }))
    }

    fn observe(&self, (kept, point): &Self::State, after: usize) -> Result<Law<Self::State>> {
        let record = point.map_or(after, |x| 2 * x + after);
        let mut more = kept.clone();
        more.push(record);
        more.sort_unstable();
        more.dedup();
        let lost = &Number::one() - &self.gamma;
        Law::new("retain", [((more, None), self.gamma.clone()), ((kept.clone(), None), lost)])
    }
}

/// A mechanism given by its laws.
#[derive(Debug, Clone)]
struct Given {
    interface: Interface,
    start: Law<usize>,
    /// `respond[state][before]`.
    respond: Vec<Vec<Law<(Output, usize)>>>,
    /// `observe[state][after]`.
    observe: Vec<Vec<Law<usize>>>,
}

impl Mechanism for Given {
    type State = usize;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> Result<Law<usize>> {
        Ok(self.start.clone())
    }

    fn respond(&self, &state: &usize, before: usize) -> Result<Law<(Output, usize)>> {
        Ok(self.respond[state][before].clone())
    }

    fn observe(&self, &state: &usize, after: usize) -> Result<Law<usize>> {
        Ok(self.observe[state][after].clone())
    }
}

fn points(count: usize) -> Vec<String> {
    (1..=count).map(|x| x.to_string()).collect()
}

/// A learner that always releases the same law over hypotheses.
fn memoryless(outputs: &[(&str, Number)]) -> Given {
    let count = outputs[0].0.len();
    let law = outputs.iter().map(|(h, w)| (((*h).to_owned(), 0), w.clone()));
    Given {
        interface: Interface::learner(points(count)).unwrap(),
        start: Law::certain(0),
        respond: vec![vec![Law::new("respond", law).unwrap()]],
        observe: vec![vec![Law::certain(0); 2 * count]],
    }
}

// ---- Random automata. ----

/// Weights of a law: what share the first of up to three outcomes has, and the second of the rest.
/// With `powers`, the shares involve e^(−1/2) as well.
fn shares(powers: bool) -> impl Strategy<Value = [Number; 3]> {
    let share = (0i64..=4).prop_flat_map(move |p| {
        let root = exp(&Rational::new((-1).into(), 2.into()));
        (0..if powers { 3usize } else { 1 }).prop_map(move |form| match form {
            0 => q(p, 4),
            1 => &q(p, 4) * &root,
            _ => &Number::one() - &(&q(p, 4) * &root),
        })
    });
    (share.clone(), share).prop_map(|(a, b)| {
        let rest = &Number::one() - &a;
        let (second, third) = (&rest * &b, &rest * &(&Number::one() - &b));
        [a, second, third]
    })
}

fn given(learner: bool, powers: bool) -> impl Strategy<Value = Given> {
    (1usize..=4, 1usize..=2).prop_flat_map(move |(states, count)| {
        let interface = if learner {
            Interface::learner(points(count)).unwrap()
        } else {
            Interface::predictor(points(count)).unwrap()
        };
        let place = move || prop::collection::vec(0..states, 3);
        let law = move || {
            (shares(powers), place())
                .prop_map(|(w, to)| Law::new("law", to.into_iter().zip(w)).unwrap())
        };
        let width = if learner { count } else { 1 };
        let release = move || {
            let outputs = prop::collection::vec(prop::collection::vec(any::<bool>(), width), 3);
            (shares(powers), outputs, place()).prop_map(|(w, outputs, to)| {
                let text = |o: Vec<bool>| -> Output {
                    o.into_iter().map(|b| if b { '1' } else { '0' }).collect()
                };
                let outcomes = outputs.into_iter().map(text).zip(to);
                Law::new("release", outcomes.zip(w)).unwrap()
            })
        };
        let respond = prop::collection::vec(
            prop::collection::vec(release(), interface.before().len()),
            states,
        );
        let observe =
            prop::collection::vec(prop::collection::vec(law(), interface.after().len()), states);
        (law(), respond, observe).prop_map(move |(start, respond, observe)| Given {
            interface: interface.clone(),
            start,
            respond,
            observe,
        })
    })
}

/// A class over the points, as the rows of a table in which every row may be missing.
fn some_class(count: usize, mask: u32) -> Class {
    let mut builder = littlestone::class::ClassBuilder::new(points(count));
    for h in 0..1u32 << count {
        if mask >> h & 1 == 1 || h == 0 {
            builder.push(None, (0..count).map(|x| h >> x & 1 == 1));
        }
    }
    builder.build()
}

fn agrees(mechanism: &Given, rounds: usize, mask: u32) -> std::result::Result<(), TestCaseError> {
    let automaton = automaton(mechanism, rounds);
    let records = mechanism.interface.records();
    for stream in all_streams(records, rounds.min(2)) {
        let expected = on_stream(&automaton, &stream).unwrap();
        prop_assert_eq!(&expected.rounds, &literal(mechanism, &stream));
    }
    prop_assert_eq!(
        exact(&automaton, Streams::All, rounds),
        literal_worst(mechanism, None, rounds)
    );
    let class = some_class(mechanism.interface.points().len(), mask);
    let streams = Streams::Realisable(&class);
    let literal = literal_worst(mechanism, Some(&class), rounds);
    prop_assert_eq!(exact(&automaton, streams, rounds), literal.clone());
    // Whatever was learnt at shorter lengths does no harm.
    let all = worst(&automaton, streams, 1..=rounds, &Limits::default(), &Progress::default());
    let (mistakes, attained_by) = literal.clone();
    prop_assert_eq!(all.unwrap().pop(), Some(Worst::Exact { mistakes, attained_by }));
    // Every limit gives an interval around the value, or the value and the same stream.
    for states in 0..12 {
        let limits = Limits { states: Some(states), ..Limits::default() };
        match worst_with(&automaton, streams, rounds, &limits) {
            Worst::Exact { mistakes, attained_by } => {
                prop_assert_eq!((mistakes, attained_by), literal.clone());
            }
            Worst::Between { lower, upper, stopped } => {
                prop_assert!(lower <= literal.0 && literal.0 <= upper, "{} {}", lower, upper);
                prop_assert_eq!(stopped, Stopped::States);
            }
        }
    }
    Ok(())
}

/// What a law of independent examples and the law over streams that it makes have in common, and
/// what the literal reference says.
fn random_streams_agree(
    mechanism: &Given,
    rounds: usize,
    shares: &[Number; 3],
) -> std::result::Result<(), TestCaseError> {
    let automaton = automaton(mechanism, rounds);
    let records = mechanism.interface.records();
    let examples: Vec<(usize, Number)> =
        shares.iter().enumerate().map(|(i, w)| (i * 5 % records, w.clone())).collect();
    let mut listed: Vec<(Vec<usize>, Number)> = vec![(vec![], Number::one())];
    for _ in 0..rounds {
        let longer = |(s, w): (Vec<usize>, Number)| -> Vec<(Vec<usize>, Number)> {
            examples.iter().map(|(r, v)| ([&s[..], &[*r]].concat(), &w * v)).collect()
        };
        listed = listed.into_iter().flat_map(longer).collect();
    }
    let mut literal_rounds = vec![Number::zero(); rounds];
    for (stream, weight) in &listed {
        for (sum, p) in literal_rounds.iter_mut().zip(literal(mechanism, stream)) {
            *sum = &*sum + &(weight * &p);
        }
    }
    let expected = Expected { mistakes: sum(&literal_rounds), rounds: literal_rounds };
    prop_assert_eq!(&on_examples(&automaton, &examples, rounds).unwrap(), &expected);
    prop_assert_eq!(&on_streams(&automaton, &listed).unwrap(), &expected);
    Ok(())
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn random_learners_agree_with_the_reference(
        mechanism in given(true, false), rounds in 1usize..=4, mask in any::<u32>()
    ) {
        agrees(&mechanism, rounds, mask)?;
    }

    #[test]
    fn random_predictors_agree_with_the_reference(
        mechanism in given(false, false), rounds in 1usize..=4, mask in any::<u32>()
    ) {
        agrees(&mechanism, rounds, mask)?;
    }

    #[test]
    fn weights_with_powers_of_e_agree_with_the_reference(
        mechanism in given(false, true), rounds in 1usize..=2, mask in any::<u32>()
    ) {
        agrees(&mechanism, rounds, mask)?;
    }

    #[test]
    fn random_streams_agree_with_the_reference(
        mechanism in given(true, false), rounds in 1usize..=3, shares in shares(true)
    ) {
        random_streams_agree(&mechanism, rounds, &shares)?;
    }
}

// ---- Closed forms. ----

/// (1 − (1 − γ)^T)/γ.
fn geometric(gamma: &Number, rounds: usize) -> Number {
    let lost = &Number::one() - gamma;
    let power = (0..rounds).fold(Number::one(), |power, _| &power * &lost);
    (&Number::one() - &power).checked_div(gamma).unwrap()
}

#[test]
fn name_and_shame_on_point3() {
    // On (1,1) repeated, the SOA errs exactly until the example is retained: in round t with
    // probability (1 − γ)^(t−1). No stream is worse: a retained mistake determines the function.
    let point3 = class("point:3");
    for kind in [Kind::Learner, Kind::Predictor] {
        for gamma in [q(1, 4), q(1, 8)] {
            let mechanism = Subsampled::new(&point3, kind, gamma.clone());
            let automaton = automaton(&mechanism, 6);
            let streams = Streams::Realisable(&point3);
            let found = worst(&automaton, streams, 1..=6, &Limits::default(), &Progress::default());
            for (rounds, found) in (1..=6).zip(found.unwrap()) {
                let attained_by = vec![1; rounds];
                let mistakes = geometric(&gamma, rounds);
                assert_eq!(found, Worst::Exact { mistakes, attained_by });
            }
        }
    }
}

#[test]
fn fact_5_bounds_the_mistakes_of_subsampled_soa() {
    // Dimensions: POINT_n has 1 (one mistake at the point of the target settles it), all functions
    // on n points n, thresholds on n points ⌊log2(n + 1)⌋ by binary search.
    let grid = [("point:3", 1), ("point:4", 1), ("cube:2", 2), ("threshold:3", 2), ("cube:3", 3)];
    for (spec, d) in grid {
        let class = class(spec);
        for gamma in [q(1, 8), q(1, 2), q(1, 1)] {
            let mechanism = Subsampled::new(&class, Kind::Predictor, gamma.clone());
            let automaton = automaton(&mechanism, 4);
            let bound = q(d, 1).checked_div(&gamma).unwrap();
            let streams = Streams::Realisable(&class);
            let found = worst(&automaton, streams, 1..=4, &Limits::default(), &Progress::default());
            for (rounds, found) in (1i64..).zip(found.unwrap()) {
                let Worst::Exact { mistakes, attained_by } = found else { panic!("no limit") };
                assert!(mistakes <= bound, "{spec}, γ = {gamma}, T = {rounds}");
                let stream = on_stream(&automaton, &attained_by).unwrap();
                assert_eq!(stream.mistakes, mistakes);
                if gamma.is_one() {
                    // The SOA makes at most d mistakes, and any algorithm can be made to make
                    // min(T, d) of them on a path of a shattered tree.
                    assert_eq!(mistakes, q(rounds.min(d), 1), "{spec}, T = {rounds}");
                }
            }
        }
    }
}

#[test]
fn the_bound_of_fact_5_can_fail_on_streams_that_are_not_realisable() {
    // Otherwise the restriction to realisable streams would do nothing. Against the SOA for one
    // function, the all-zero one, label 1 is wrong in every round.
    let single = families::generate("point", "1").unwrap();
    let mechanism = Subsampled::new(&single, Kind::Predictor, q(1, 1));
    let automaton = automaton(&mechanism, 4);
    // POINT_1 has the function 1 alone, d = 0.
    assert_eq!(exact(&automaton, Streams::Realisable(&single), 4), (q(0, 1), vec![1; 4]));
    // (1,0) in round 1 is a mistake; then no hypothesis fits, the prediction is 0, and label 1 is
    // wrong from then on.
    assert_eq!(exact(&automaton, Streams::All, 4), (q(4, 1), vec![0, 1, 1, 1]));
}

#[test]
fn a_constant_learner_errs_always_and_fair_bits_half_the_time() {
    let point3 = class("point:3");
    let constant = memoryless(&[("000", q(1, 1))]);
    let fair = memoryless(&[("000", q(1, 2)), ("111", q(1, 2))]);
    for rounds in [1, 2, 5, 40] {
        let t = i64::try_from(rounds).unwrap();
        for streams in [Streams::All, Streams::Realisable(&point3)] {
            let found = exact(&automaton(&constant, rounds), streams, rounds);
            assert_eq!(found, (q(t, 1), vec![1; rounds]));
            // Every stream is equally bad; the least one is (1,0) repeated.
            let found = exact(&automaton(&fair, rounds), streams, rounds);
            assert_eq!(found, (q(t, 2), vec![0; rounds]));
        }
    }
}

#[test]
fn the_longest_search_does_not_exhaust_the_stack() {
    let constant = automaton(&memoryless(&[("0", q(1, 1))]), MAX_ROUNDS);
    let found = exact(&constant, Streams::All, MAX_ROUNDS);
    assert_eq!(found, (q(i64::try_from(MAX_ROUNDS).unwrap(), 1), vec![1; MAX_ROUNDS]));
    let limits = Limits::default();
    let over = MAX_ROUNDS + 1;
    let table = compile(&memoryless(&[("0", q(1, 1))]), &Options::closed(10)).unwrap();
    let error = worst(&table, Streams::All, over..=over, &limits, &Progress::default());
    let error = error.unwrap_err();
    assert!(matches!(error, Error::Limit { .. }), "{error}");
    assert!(error.to_string().contains("goes up to 1000 rounds, not to 1001"), "{error}");
}

#[test]
fn examples_of_a_fair_coin_are_wrong_half_the_time() {
    // Labels that are fair and independent of the point cannot be predicted.
    let mechanism = Subsampled::new(&class("point:3"), Kind::Predictor, q(1, 4));
    let automaton = automaton(&mechanism, 4);
    let examples: Vec<(usize, Number)> = (0..6).map(|record| (record, q(1, 6))).collect();
    let expected = on_examples(&automaton, &examples, 4).unwrap();
    assert_eq!(expected, Expected { mistakes: q(2, 1), rounds: vec![q(1, 2); 4] });
}

#[test]
fn the_same_result_for_any_number_of_jobs() {
    let point3 = class("point:3");
    let mechanism = Subsampled::new(&point3, Kind::Predictor, q(1, 4));
    let automaton = automaton(&mechanism, 5);
    let results: Vec<Vec<Worst>> = [1, 2, 7]
        .map(|jobs| {
            (0..40u64)
                .map(|states| {
                    let jobs = NonZeroUsize::new(jobs).unwrap();
                    let limits = Limits { jobs, states: Some(states), ..Limits::default() };
                    worst_with(&automaton, Streams::Realisable(&point3), 5, &limits)
                })
                .collect()
        })
        .into();
    assert!(results.iter().all(|result| *result == results[0]));
    let undecided = |w: &&Worst| matches!(w, Worst::Between { .. });
    assert!(results[0].iter().filter(undecided).count() > 0, "some limit is hit");
}

// ---- Faults. ----

#[test]
fn mechanisms_without_labels_make_no_mistakes() {
    let names = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mirror = Given {
        interface: Interface::transducer(names(&["0", "1"]), names(&["0", "1"]), vec![]).unwrap(),
        start: Law::certain(0),
        respond: vec![vec![Law::certain(("1".to_owned(), 0)); 2]],
        observe: vec![vec![Law::certain(0)]],
    };
    let mirror = automaton(&mirror, 2);
    let message = "mistakes (Section 1.1) are made by learners and predictors; this is a \
                   transducer, whose outputs are not compared with labels";
    let (limits, progress) = (Limits::default(), Progress::default());
    let errors = [
        on_stream(&mirror, &[0, 1]).unwrap_err(),
        on_streams(&mirror, &[(vec![0, 1], q(1, 1))]).unwrap_err(),
        on_examples(&mirror, &[(0, q(1, 1))], 2).unwrap_err(),
        worst(&mirror, Streams::All, 1..=2, &limits, &progress).unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn faults_are_named() {
    let fair = automaton(&memoryless(&[("000", q(1, 2)), ("111", q(1, 2))]), 3);
    let (limits, progress) = (Limits::default(), Progress::default());
    let (empty, cube2) = (class("point:3"), class("cube:2"));
    let empty = littlestone::class::ClassBuilder::new(empty.point_names().to_vec()).build();
    let check = |error: Error, expected: &str| {
        assert_eq!(error.to_string(), expected);
    };
    check(on_stream(&fair, &[]).unwrap_err(), "the number of rounds must be at least 1");
    check(
        on_stream(&fair, &[0; 4]).unwrap_err(),
        "the table covers streams of at most 3 rounds, not of 4\n  help: its key `rounds` says so; \
         without the key it covers streams of every length",
    );
    check(
        on_stream(&fair, &[6]).unwrap_err(),
        "the mechanism has 6 records, numbered from 0; there is no record 6",
    );
    check(
        on_streams(&fair, &[(vec![0], q(1, 2)), (vec![0, 1], q(1, 2))]).unwrap_err(),
        "the listed streams must have one length: one has 1 rounds, another 2",
    );
    check(
        on_examples(&fair, &[(0, q(1, 2)), (1, q(1, 3))], 2).unwrap_err(),
        "the weights must sum to 1, not to 5/6",
    );
    check(
        on_examples(&fair, &[(0, q(3, 2)), (1, q(-1, 2))], 2).unwrap_err(),
        "the weight -1/2 is negative",
    );
    check(
        worst(&fair, Streams::Realisable(&empty), 1..=2, &limits, &progress).unwrap_err(),
        "no stream is realisable by a class without hypotheses",
    );
    check(
        worst(&fair, Streams::Realisable(&cube2), 1..=2, &limits, &progress).unwrap_err(),
        "the class has the points 1, 2, the mechanism 1, 2, 3",
    );
    check(
        worst(&fair, Streams::All, 0..=2, &limits, &progress).unwrap_err(),
        "the number of rounds must be at least 1",
    );
}

// ---- The command line. ----

fn littlestone(args: &[&str]) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::cargo_bin("littlestone").expect("the binary is built");
    command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("mistakes").args(args);
    command
}

const PREDICTOR: &str = "examples/mechanisms/subsampled-soa.rhai:gamma=1/4";

#[test]
fn the_worst_stream_on_the_command_line() {
    // The closed form (1 − (3/4)^3)/(1/4) = 37/16, and its summands.
    littlestone(&[PREDICTOR, "--class", "point:3", "--rounds", "3", "--worst"])
        .assert()
        .code(0)
        .stdout(format!(
            "mechanism: {PREDICTOR} (predictor)\nclass: point:3 (3 hypotheses, 3 points)\n\
             streams: realisable\nadversary: oblivious (the stream is fixed in advance)\n\
             stream: 1:1,1:1,1:1\nround 1 (1:1): 1\nround 2 (1:1): 3/4 (= 0.75)\n\
             round 3 (1:1): 9/16 (= 0.5625)\nexpected mistakes: 37/16 (= 2.3125)\n"
        ));
    littlestone(&[PREDICTOR, "--class", "point:3", "--rounds", "1..2", "--worst"])
        .assert()
        .code(0)
        .stdout(predicates::str::ends_with(
            "adversary: oblivious (the stream is fixed in advance)\n\
             rounds  expected mistakes  stream\n\
             \x20    1  1                  1:1\n     2  7/4 (= 1.75)       1:1,1:1\n",
        ));
}

/// Checks the keys of a result against the schema, and that they are sorted.
fn json(args: &[&str], code: i32) -> serde_json::Value {
    let schema = include_str!("../../docs/schemas/mistakes.schema.json");
    let schema: serde_json::Value = serde_json::from_str(schema).expect("JSON");
    let output = littlestone(args).args(["--format", "json"]).output().expect("runs");
    assert_eq!(output.status.code(), Some(code));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let top: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("  \""))
        .filter_map(|line| line.trim().split('"').nth(1))
        .collect();
    assert!(top.is_sorted(), "{top:?}");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    validate(&schema, &value).expect("what the schema says");
    value
}

#[test]
fn results_as_json() {
    let found = json(&[PREDICTOR, "--class", "point:3", "--stream", "3:0,1:1,1:1"], 0);
    // With nothing retained the SOA is 0 everywhere; once 3:0 is retained, f1 and f2 remain, which
    // tie at point 1, so it says 1 there. So 1:1 is wrong iff no earlier example was retained.
    assert_eq!(found["expected_mistakes"], "21/16");
    assert_eq!(found["mistake_probabilities"], serde_json::json!(["0", "3/4", "9/16"]));
    assert_eq!(found["stream"], serde_json::json!(["3:0", "1:1", "1:1"]));
    assert_eq!(found["adversary"], "oblivious");
    let found = json(&[PREDICTOR, "--class", "point:3", "--rounds", "1..2", "--worst"], 0);
    assert_eq!(found["table"][1]["expected_mistakes"], "7/4");
    let limited = ["--rounds", "4", "--worst", "--limit-states", "2"];
    let found = json(&[&[PREDICTOR, "--class", "point:3"], &limited[..]].concat(), 3);
    assert_eq!(found["verdict"], "undecided");
    assert_eq!(found["expected_mistakes"], serde_json::Value::Null);
}

#[test]
fn random_streams_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("law.txt");
    std::fs::write(&file, "# a fair choice\n1/2 3:0,1:1\n1/2 3:0,2:1\n").unwrap();
    let law = ["--distribution", file.to_str().unwrap()];
    let args = [&[PREDICTOR, "--class", "point:3"], &law[..]].concat();
    // As in `results_as_json`, by symmetry at both points.
    littlestone(&args).assert().code(0).stdout(predicates::str::ends_with(
        "round 2: 3/4 (= 0.75)\nexpected mistakes: 3/4 (= 0.75)\n",
    ));
    let iid = ["--iid", "1/2 1:0; 1/2 1:1", "--rounds", "1..2"];
    let args = [&["examples/mechanisms/fair-bits.rhai", "--class", "point:3"], &iid[..]].concat();
    littlestone(&args).assert().code(0).stdout(predicates::str::ends_with(
        "rounds  expected mistakes\n     1  1/2 (= 0.5)\n     2  1\n",
    ));
}

#[test]
fn faults_on_the_command_line() {
    let refused = |args: &[&str], message: &str| {
        let with_class = [&[PREDICTOR, "--class", "point:3"], args].concat();
        littlestone(&with_class)
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicates::str::contains(message));
    };
    refused(&["--worst"], "--rounds");
    refused(&["--worst", "--rounds", "0"], "at least 1");
    refused(&["--worst", "--rounds", "3", "--stream", "1:1"], "expected one of `stream`, `worst`,");
    refused(&["--stream", "1:1", "--rounds", "2"], "rounds: expected at most 1");
    refused(&["--stream", ""], "expected at least one labelled example");
    refused(&["--stream", "4:1"], "stream:1:1: expected a point of the class");
    refused(&["--stream", "1:1", "--streams", "all"], "found `stream` and `streams`");
    refused(&["--iid", "1/2 1:1; 1/3 1:0", "--rounds", "2"], "iid: expected weights that sum to 1");
    refused(
        &["--iid", "1 1:1,1:0", "--rounds", "2"],
        "iid: expected one example an entry, found 2",
    );
    refused(&["--distribution", "1/2 1:1; 1/2 1:1,1:0"], "streams of one length");
    // Nothing is wrong with the question.
    let long = [
        &["soa", "--class", "point:3", "--worst", "--rounds", "2000"][..],
        &["soa", "--class", "point:3", "--adversary", "thirds", "--rounds", "1594324"],
    ];
    for args in long {
        littlestone(args)
            .assert()
            .code(3)
            .stdout(predicates::str::ends_with("verdict: undecided\n"));
    }
    littlestone(&["examples/mechanisms/threshold-mirror.rhai", "--worst", "--rounds", "2"])
        .assert()
        .code(2)
        .stderr(predicates::str::contains("this is a transducer"));
    // Realisable by what?
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.json");
    let text = littlestone::mechanism::table::write(&automaton(&memoryless(&[("0", q(1, 1))]), 2));
    std::fs::write(&table, text).unwrap();
    let table = table.to_str().unwrap();
    littlestone(&[table, "--worst", "--rounds", "2"])
        .assert()
        .code(2)
        .stderr(predicates::str::contains("realisable streams need a class"));
    littlestone(&[table, "--worst", "--rounds", "2", "--streams", "all"])
        .assert()
        .code(0)
        .stdout(predicates::str::ends_with("expected mistakes: 2\n"));
}

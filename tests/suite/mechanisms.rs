//! Mechanisms: the example scripts, compilation, minimisation and tables, against the literal
//! reference.

use crate::support::literal;

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use crate::support::config;
use littlestone::class::ClassBuilder;
use littlestone::exact::{Number, parse_rational};
use littlestone::limits::{Limits, Progress};
use littlestone::mechanism::spec::{Arguments, Context, NoCatalogue, Spec};
use littlestone::mechanism::{
    Automaton, Boxed, Interface, Kind, Mechanism, Options, Script, Tools, compile, table,
};
use littlestone::privacy::{Lengths, Neighbours, Notion, Question, Streams, worst_delta};
use proptest::prelude::*;

const STATES: usize = 10_000;

/// Definition 5: three functions on {1, 2, 3}, each 1 at one point.
fn point3() -> Rc<Tools> {
    let mut builder = ClassBuilder::new(vec!["1".into(), "2".into(), "3".into()]);
    for h in 0..3 {
        builder.push(None, (0..3).map(|x| x == h));
    }
    Tools::new(Rc::new(builder.build()), Limits::default())
}

fn example(text: &str) -> Boxed {
    let tools = Some(point3());
    let context = Context { tools, catalogue: &NoCatalogue, limits: Limits::default() };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/mechanisms");
    context.resolve(&Spec::parse(text, &folder).unwrap()).unwrap()
}

fn script(text: &str) -> Result<Script, littlestone::error::Error> {
    Script::new("test.rhai", text, Some(&point3()), &Arguments::new())
}

fn number(text: &str) -> Number {
    parse_rational(text).unwrap().into()
}

/// The law of the outputs by forward propagation over the automaton, another route than the
/// literal enumeration.
fn propagate(automaton: &Automaton, stream: &[usize]) -> literal::Outputs {
    let interface = automaton.interface();
    let mut beliefs: BTreeMap<(Vec<usize>, usize), Number> = BTreeMap::new();
    let add = |beliefs: &mut BTreeMap<(Vec<usize>, usize), Number>, key, weight: &Number| {
        let sum = beliefs.entry(key).or_insert_with(Number::zero);
        *sum = &*sum + weight;
    };
    for (state, weight) in automaton.start() {
        add(&mut beliefs, (Vec::new(), *state), weight);
    }
    let one_shot = interface.kind() == Kind::OneShot;
    for &record in stream {
        let (before, after) = interface.parts(record);
        let mut middle = BTreeMap::new();
        for ((released, state), p) in beliefs {
            if one_shot {
                add(&mut middle, (released, state), &p);
                continue;
            }
            for response in automaton.respond(state, before) {
                let mut released = released.clone();
                released.push(response.output);
                add(&mut middle, (released, response.next), &(&p * &response.weight));
            }
        }
        beliefs = BTreeMap::new();
        for ((released, state), p) in middle {
            for (next, q) in automaton.observe(state, after) {
                add(&mut beliefs, (released.clone(), *next), &(&p * q));
            }
        }
    }
    let mut law = literal::Outputs::new();
    for ((released, state), p) in beliefs {
        let ends: Vec<(Vec<usize>, Number)> = if one_shot {
            automaton.finish(state).iter().map(|(o, q)| (vec![*o], &p * q)).collect()
        } else {
            vec![(released, p)]
        };
        for (released, weight) in ends {
            let names = released.iter().map(|&o| automaton.outputs()[o].clone()).collect();
            let sum = law.entry(names).or_insert_with(Number::zero);
            *sum = &*sum + &weight;
        }
    }
    law
}

fn agrees<M: Mechanism>(mechanism: &M, rounds: usize) {
    let automaton = compile(mechanism, &Options::rounds(rounds, STATES)).unwrap();
    let small = automaton.minimised();
    assert!(small.len() <= automaton.len());
    let text = table::write(&automaton);
    let again = table::parse("table.json", &text).unwrap();
    assert_eq!(again, automaton, "reading is the inverse of writing");
    assert_eq!(table::write(&again), text);
    for stream in literal::streams(mechanism.interface().records(), rounds) {
        let expected = literal::law(mechanism, &stream);
        assert_eq!(propagate(&automaton, &stream), expected, "{stream:?}");
        assert_eq!(propagate(&small, &stream), expected, "minimised, {stream:?}");
        assert_eq!(literal::law(&again, &stream), expected, "from the table, {stream:?}");
    }
}

const EXAMPLES: [(&str, usize); 11] = [
    ("constant.rhai", 2),
    ("fair-bits.rhai", 2),
    ("soa.rhai", 3),
    ("soa-learner.rhai", 3),
    ("subsampled-soa.rhai", 3),
    ("subsampled-soa-learner.rhai", 2),
    ("switch-at-mistake.rhai:k=2", 3),
    ("randomised-response.rhai:p=2/3", 3),
    ("threshold-mirror.rhai", 4),
    ("noisy-count.rhai:most=3", 3),
    ("exponential-selection.rhai", 3),
];

#[test]
fn compiled_examples_agree_with_the_literal_reference() {
    for (name, rounds) in EXAMPLES {
        agrees(&example(name), rounds);
    }
}

#[test]
fn every_example_file_is_tested() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/mechanisms");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            EXAMPLES.iter().any(|(example, _)| example.split(':').next() == Some(&name)),
            "{name}"
        );
    }
}

/// Fact 5 on the class of Definition 5: joint privacy is tight at δ = γ. Read as privacy of all
/// bits, δ would be 1 − (1 − γ)^(T−1): the changed example has T − 1 later rounds to be seen in,
/// and for T = 3, γ = 1/8 that is 15/64.
#[test]
fn fact_5_holds_jointly_and_not_for_all_bits() {
    for gamma in ["1/8", "1/4"] {
        let mechanism = example(&format!("subsampled-soa.rhai:gamma={gamma}"));
        for rounds in [2, 3] {
            let joint = literal::worst_joint_delta(&mechanism, rounds, &Number::one());
            assert_eq!(joint, number(gamma), "T = {rounds}");
        }
    }
    let mechanism = example("subsampled-soa.rhai:gamma=1/8");
    let full = literal::worst_delta(&mechanism, 3, &Number::one());
    assert_eq!(full, number("15/64"));
}

/// The learner form is (0, γ)-DP in all outputs.
#[test]
fn the_subsampled_learner_is_private() {
    let mechanism = example("subsampled-soa-learner.rhai:gamma=1/8");
    assert_eq!(literal::worst_delta(&mechanism, 2, &Number::one()), number("1/8"));
}

/// On T copies of (1, 1) the first retained copy ends the mistakes, so the expected number is
/// Σ (1 − γ)^j for j < T.
#[test]
fn mistakes_on_a_repeated_positive() {
    let mechanism = example("subsampled-soa.rhai:gamma=1/8");
    let record = mechanism.interface().record_index("1:1").unwrap();
    let expected = literal::expected_mistakes(&mechanism, &[record; 4]);
    // 1 + 7/8 + 49/64 + 343/512
    assert_eq!(expected, number("1695/512"));
}

/// The subsampled SOA (γ = 1/8) with every released bit flipped with probability 1/4. The numbers
/// are from two independent enumerations.
#[test]
fn flipped_bits() {
    let flipped = script(
        r#"fn kind() { "predictor" }
           fn start() { version_space([]) }
           fn predict(space, x) { let y = soa(space, x); if flip(1/4) { 1 - y } else { y } }
           fn observe(space, x, y) { if flip(1/8) { restrict(space, x, y) } else { space } }"#,
    );
    let flipped = Boxed::new(flipped.unwrap());
    for (factor, full, joint) in [("1", "15/128", "1/16"), ("3/2", "13/512", "13/512")] {
        assert_eq!(literal::worst_delta(&flipped, 3, &number(factor)), number(full));
        assert_eq!(literal::worst_joint_delta(&flipped, 3, &number(factor)), number(joint));
    }
    let record = |name: &&str| flipped.interface().record_index(name).unwrap();
    let s: Vec<usize> = ["3:0", "1:1", "2:0", "3:0", "1:1", "2:0"].iter().map(record).collect();
    let mut t = s.clone();
    t[1] = record(&"2:1");
    for (rounds, delta) in [(4, "0"), (5, "0"), (6, "39407/2097152")] {
        let p = literal::law(&flipped, &s[..rounds]);
        let q = literal::law(&flipped, &t[..rounds]);
        let (forth, back) = (
            literal::divergence(&p, &q, &number("3/2")),
            literal::divergence(&q, &p, &number("3/2")),
        );
        assert_eq!(forth.max(back), number(delta), "T = {rounds}");
    }
}

/// A learner that reacts to one example for certain has δ = 1 at every ε.
#[test]
fn switching_at_a_mistake_is_not_private() {
    let mechanism = example("switch-at-mistake.rhai");
    assert_eq!(literal::worst_delta(&mechanism, 2, &number("100")), Number::one());
}

/// A uniform threshold on 0, …, w gives (0, 1/(w+1))-joint privacy; with the answer of the changed
/// round kept, the first active round after the delay tells.
#[test]
fn a_uniform_mirror_is_jointly_private_only() {
    let mechanism = example("threshold-mirror.rhai:w=2");
    assert_eq!(literal::worst_joint_delta(&mechanism, 4, &Number::one()), number("1/3"));
    assert!(literal::worst_delta(&mechanism, 4, &Number::one()) > number("1/3"));
}

/// The optimal threshold law for e^ε = 3/2 and a window of 4 is (4, 6, 7, 6, 4)/27, with δ = 4/27:
/// the lesser of u(n) = 1 + (E − 1)·u(n−1), u(0) = 1, and E^(4−n), normalised.
#[test]
fn the_optimal_mirror_for_three_halves() {
    let mirror = script(
        r#"fn kind() { "transducer" }
           fn alphabet() { #{ before: [0, 1], output: ["bottom", "top"] } }
           fn start() { draw([[1, 4/27], [2, 6/27], [3, 7/27], [4, 6/27], [5, 4/27]]) }
           fn respond(left, active) {
               if active == 0 { "bottom" } else if left == 0 { "top" }
               else { answer("bottom", left - 1) }
           }"#,
    );
    let mirror = Boxed::new(mirror.unwrap());
    assert_eq!(literal::worst_joint_delta(&mirror, 6, &number("3/2")), number("4/27"));
}

/// One bit, reported four times by randomised response with ratio 3.
#[test]
fn fourfold_randomised_response() {
    let mechanism = script(
        r#"fn kind() { "one-shot" }
           fn alphabet() { #{ record: [0, 1], output: integers(0, 4) } }
           fn start() { 0 }
           fn observe(state, bit) { bit }
           fn finish(bit) {
               let ones = 0;
               for i in 0..4 { if flip(3/4) { ones += bit; } else { ones += 1 - bit; } }
               ones
           }"#,
    );
    let mechanism = mechanism.unwrap();
    for (factor, delta) in [("3", "75/128"), ("9", "9/32"), ("27", "27/128"), ("81", "0")] {
        assert_eq!(literal::worst_delta(&mechanism, 1, &number(factor)), number(delta));
    }
}

/// Replacing a vote changes two counts by one each, so the ratio is at most e^(2q) and not e^q.
#[test]
fn exponential_weights_are_exact() {
    let mechanism = example("exponential-selection.rhai:q=1/2");
    let e = |q: &str| littlestone::exact::exp(&parse_rational(q).unwrap());
    assert!(literal::worst_delta(&mechanism, 2, &e("1")).is_zero());
    assert!(literal::worst_delta(&mechanism, 2, &e("1/2")).sign().is_gt());
}

/// The retained sample and its version space are the same mechanism, and minimisation sees it.
/// On the class of Definition 5 the version spaces are the 8 subsets of three functions; those
/// that are not reached or predict alike are fewer.
#[test]
fn minimisation_merges_samples_with_the_same_future() {
    let by_space = example("subsampled-soa.rhai");
    let by_sample = script(
        r#"fn kind() { "predictor" }
           fn start() { [] }
           fn predict(kept, x) { soa(kept, x) }
           fn observe(kept, x, y) { if flip(1/4) { insert(kept, [x, y]) } else { kept } }"#,
    );
    let closed = Options::closed(STATES);
    let by_space = compile(&by_space, &closed).unwrap();
    let by_sample = compile(&by_sample.unwrap(), &closed).unwrap();
    assert!(by_sample.len() > 3 * by_space.len(), "{} {}", by_sample.len(), by_space.len());
    let (a, b) = (by_space.minimised(), by_sample.minimised());
    assert_eq!(a.len(), b.len());
    assert!(a.len() < by_space.len());
    assert_eq!(a.minimised().len(), a.len());
}

#[test]
fn compilation_stops_at_its_limit_and_unfolds_by_rounds() {
    let counter = script(
        r#"fn kind() { "predictor" }
           fn start() { 0 }
           fn predict(n, x) { 0 }
           fn observe(n, x, y) { n + 1 }"#,
    );
    let counter = counter.unwrap();
    let error = compile(&counter, &Options::closed(50)).unwrap_err().to_string();
    assert!(error.contains("more than 50 states"), "{error}");
    let automaton = compile(&counter, &Options::rounds(3, 50)).unwrap();
    // Counts 0 to 3 before a response, and for counts 0 to 2 one state for each of three points.
    assert_eq!(automaton.len(), 4 + 3 * 3);
    assert!(automaton.covers(3).is_ok() && automaton.covers(4).is_err());
    assert!(compile(&counter, &Options::rounds(3, 12)).is_err());
}

/// `finish` is asked only where a stream of a wanted length ends.
#[test]
fn one_shot_mechanisms_are_asked_at_the_end_only() {
    let mean = script(
        r#"fn kind() { "one-shot" }
           fn alphabet() { #{ record: [0, 1], output: [0, 1/2, 1] } }
           fn start() { [0, 0] }
           fn observe(s, bit) { [s[0] + bit, s[1] + 1] }
           fn finish(s) { s[0] / s[1] }"#,
    );
    let mean = mean.unwrap();
    let pairs = compile(&mean, &Options::rounds(2, 100)).unwrap();
    assert!(pairs.ends_after(2).is_ok());
    let error = pairs.ends_after(1).unwrap_err().to_string();
    assert!(error.contains("no output after 1 records"), "{error}");
    // Neighbours of one record fewer would have no output and a δ of 1.
    let streams = Streams::all(2);
    let question = Question {
        notion: Notion::Whole,
        neighbours: Neighbours::AddRemove,
        epsilon: "0".parse().unwrap(),
    };
    let lengths = Lengths { last: 2, from: 3, above: None };
    let (limits, progress) = (Limits::default(), Progress::default());
    assert!(worst_delta(&pairs, &streams, &question, &lengths, &limits, &progress).is_err());
    let from_none = Options { sizes: Some(0..=2), ..Options::rounds(2, 100) };
    let error = compile(&mean, &from_none).unwrap_err().to_string();
    assert_eq!(
        error,
        "test.rhai:5:32: expected an operation that has a value, found a division by zero"
    );
}

/// A transducer given by arbitrary rows, which need not be reachable or distinct.
#[derive(Debug)]
struct Rows {
    interface: Interface,
    respond: Vec<[Vec<(usize, usize, u32)>; 2]>,
    observe: Vec<[Vec<(usize, u32)>; 2]>,
}

impl Mechanism for Rows {
    type State = usize;

    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn start(&self) -> littlestone::error::Result<littlestone::mechanism::Law<usize>> {
        littlestone::mechanism::Law::uniform("start", [0, 1, 0])
    }

    fn respond(
        &self,
        state: &usize,
        before: usize,
    ) -> littlestone::error::Result<littlestone::mechanism::Law<(String, usize)>> {
        let row = &self.respond[*state][before];
        let row = row.iter().map(|&(output, next, w)| ((output.to_string(), next), w));
        littlestone::mechanism::Law::new("respond", normalised(row))
    }

    fn observe(
        &self,
        state: &usize,
        after: usize,
    ) -> littlestone::error::Result<littlestone::mechanism::Law<usize>> {
        let row = self.observe[*state][after].iter().copied();
        littlestone::mechanism::Law::new("observe", normalised(row))
    }
}

fn normalised<T>(row: impl Iterator<Item = (T, u32)> + Clone) -> Vec<(T, Number)> {
    let sum: u32 = row.clone().map(|(_, weight)| weight).sum();
    row.map(|(outcome, weight)| (outcome, number(&format!("{weight}/{sum}")))).collect()
}

fn rows() -> impl Strategy<Value = Rows> {
    let respond = prop::collection::vec((0..2usize, 0..5usize, 1..4u32), 1..4);
    let respond = prop::collection::vec([respond.clone(), respond], 5);
    let observe = prop::collection::vec((0..5usize, 1..4u32), 1..4);
    let observe = prop::collection::vec([observe.clone(), observe], 5);
    let names = || vec!["0".to_owned(), "1".to_owned()];
    (respond, observe).prop_map(move |(respond, observe)| Rows {
        interface: Interface::transducer(names(), names(), names()).unwrap(),
        respond,
        observe,
    })
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn random_tables_agree_with_the_literal_reference(rows in rows()) {
        agrees(&rows, 2);
        agrees(&compile(&rows, &Options::closed(STATES)).unwrap(), 2);
    }
}
